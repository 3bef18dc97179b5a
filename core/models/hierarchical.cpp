// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/hierarchical.h"

#include "models/attention_pooling.h"
#include "models/run_checks.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace attn {

namespace {

// First row behind sentence `index`.
int endOf(std::span<const int> starts, int index, int length)
{
    return index + 1 < indexSize(starts) ? starts[index + 1] : length;
}

} // namespace

std::vector<int> sentenceStarts(std::span<const TokenId> ids, TokenId end)
{
    std::vector<int> starts;
    for (int i = 0; i < indexSize(ids); ++i) {
        if (i == 0 || ids[i - 1] == end)
            starts.push_back(i);
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
    const NumberView rows = input.matrix();
    std::vector<float> values;
    const int sentences = indexSize(starts);
    for (int sentence = 0; sentence < sentences; ++sentence) {
        const int first = starts[sentence];
        const NumberView own = rows.rowRange(first, endOf(starts, sentence, rows.rows) - first);
        const Tensor states = topStates(m_words.reader, context, own);
        values.insert(values.end(), states.values().begin(), states.values().end());
        context.sink.progressed(
            {(sentence + 1.0) / (sentences + 1), fmt::format("sentence {} of {}", sentence + 1, sentences)});
    }
    const std::int64_t width = std::ssize(values) / rows.rows;
    return {{rows.rows, width}, std::move(values)};
}

// Sentence vectors, [sentences, width].
Tensor HierarchicalModel::sumWords(const Tensor& annotations, std::span<const int> starts, RunContext& context) const
{
    AttentionCall call{{Stage::Encoder, 0}};
    call.rows = indexSize(starts);
    call.rowAxis = AttentionAxis::Sentences;
    return pool(m_words.score, context, call, annotations.matrix(), starts);
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
    return std::make_shared<TextVector>(indexSize(source.ids), std::move(text));
}

} // namespace attn
