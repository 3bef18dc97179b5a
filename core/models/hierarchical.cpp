// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/hierarchical.h"

#include "models/attention_pooling.h"
#include "models/run_checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

// First row behind sentence `index`.
int endOf(std::span<const int> starts, std::size_t index, int length)
{
    return index + 1 < starts.size() ? starts[index + 1] : length;
}

} // namespace

std::vector<int> sentenceStarts(std::span<const TokenId> ids, TokenId end)
{
    std::vector<int> starts;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (i == 0 || ids[i - 1] == end)
            starts.push_back(static_cast<int>(i));
    }
    return starts;
}

HierarchicalModel::HierarchicalModel(ModelInfo info, TokenId endToken, Parts parts)
    : TextModel(std::move(info), std::move(parts.embedding), std::move(parts.classifier))
    , m_endToken(endToken)
    , m_words(std::move(parts.words))
    , m_sentences(std::move(parts.sentences))
{
}

// Every sentence from zero states, [source, width].
Tensor HierarchicalModel::readWords(const Tensor& input, std::span<const int> starts, RunContext& context) const
{
    const MatrixView rows = input.matrix();
    std::vector<float> values;
    for (std::size_t sentence = 0; sentence < starts.size(); ++sentence) {
        const int first = starts[sentence];
        const MatrixView own{rows.row(first).data(), endOf(starts, sentence, rows.rows) - first, rows.columns};
        const Tensor states = topStates(m_words.reader, context, own);
        values.insert(values.end(), states.values().begin(), states.values().end());
        context.sink.progressed({static_cast<double>(sentence + 1) / static_cast<double>(starts.size() + 1),
                                 fmt::format("sentence {} of {}", sentence + 1, starts.size())});
    }
    const auto width = static_cast<std::int64_t>(values.size()) / rows.rows;
    return {{rows.rows, width}, std::move(values)};
}

// Sentence vectors, [sentences, width].
Tensor HierarchicalModel::sumWords(const Tensor& annotations, std::span<const int> starts, RunContext& context) const
{
    const auto length = static_cast<std::size_t>(annotations.dim(0));
    std::vector<bool> hidden(starts.size() * length, true);
    for (std::size_t sentence = 0; sentence < starts.size(); ++sentence) {
        const auto row = hidden.begin() + static_cast<std::ptrdiff_t>(sentence * length);
        std::fill(row + starts[sentence], row + endOf(starts, sentence, static_cast<int>(length)), false);
    }
    AttentionCall call{{Stage::Encoder, 0}};
    call.rows = static_cast<int>(starts.size());
    call.rowAxis = AttentionAxis::Sentences;
    return pool(m_words.score, context, call, annotations.matrix(), &hidden);
}

std::shared_ptr<const EncoderOutput> HierarchicalModel::encode(const Source& source, RunContext& context) const
{
    const Tensor input = embedded(source);
    const std::vector<int> starts = sentenceStarts(source.ids, m_endToken);
    const Tensor annotations = readWords(input, starts, context);
    reportHidden(context, Stage::Encoder, 0, 0, 0, annotations.matrix());
    const Tensor sentences = sumWords(annotations, starts, context);
    const Tensor states = topStates(m_sentences.reader, context, sentences.matrix());
    AttentionCall call{{Stage::Encoder, 1}};
    call.rows = 1;
    call.rowAxis = AttentionAxis::Text;
    call.columnAxis = AttentionAxis::Sentences;
    Tensor text = pool(m_sentences.score, context, call, states.matrix());
    context.sink.progressed({1, "text"});
    return std::make_shared<TextVector>(static_cast<int>(source.ids.size()), std::move(text));
}

} // namespace attn
