// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribution/reading_method.h"
#include "base/stop.h"
#include "base/words.h"
#include "models/transformer.h"
#include "nn/normalization.h"

#include <algorithm>
#include <functional>

namespace attn {

namespace {

std::string lackOfLens(const ExplainedRun& run)
{
    if (const std::string lack = transformersOnly(run); !lack.empty())
        return lack;
    const bool predicts =
        run.info().kind == ModelKind::EncoderOnly ? run.info().predictsMasked : run.info().predictsTokens;
    return predicts && run.info().task == TaskHead::None
        ? ""
        : ATTN_TRANSLATE_NOOP("attn::ui", "the model's output layer is not of tokens");
}

const TransformerStack& outputStack(const Transformer& model)
{
    return model.parts().decoder ? *model.parts().decoder : *model.parts().encoder;
}

// Answers by row: the token that stands there, or below 0 what the model says itself.
std::vector<TokenId> answersOf(const ExplainedRun& run, Index rows)
{
    std::vector<TokenId> answers(rows, noTokenId);
    if (run.info().kind == ModelKind::EncoderOnly)
        return answers;
    for (const ExplainedOutput& output : run.everyOutput())
        answers[output.rows.front()] = output.answer;
    return answers;
}

// Best first, the lower id of equals.
std::vector<Index> largestOf(std::span<const float> logs, Index count)
{
    std::vector<Index> ids;
    for (Index id = 0; id < indexSize(logs); ++id) {
        const bool isFull = indexSize(ids) == count;
        if (isFull && !(logs[id] > logs[ids.back()]))
            continue;
        if (isFull)
            ids.pop_back();
        ids.insert(std::ranges::upper_bound(ids, logs[id], std::greater(), [&](Index other) { return logs[other]; }),
                   id);
    }
    return ids;
}

// Tokens as people read them; empty for a model without a tokenizer.
std::vector<std::string> textsOf(const ExplainedRun& run, std::span<const std::int64_t> ids)
{
    const auto& tokenizers = run.loaded().tokenizers;
    const auto& tokenizer = run.info().kind == ModelKind::EncoderDecoder ? tokenizers.target : tokenizers.source;
    std::vector<std::string> texts;
    for (const std::int64_t id : ids) {
        if (!tokenizer)
            break;
        const auto token = static_cast<TokenId>(id);
        const Encoding read = tokenizer->describe({&token, 1});
        texts.push_back(read.labels.empty() ? read.tokens.at(0) : read.labels.at(0));
    }
    return texts;
}

void computeLens(ExplainedRun& run, ReadingResults& results)
{
    const auto& model = dynamic_cast<const Transformer&>(run.model());
    const std::vector<Variable>& states = run.recording().states;
    const Index rows = run.tape().matrix(run.recording().output).rows;
    const auto& finalNorm = outputStack(model).finalNorm;
    std::vector<TokenId> answers = answersOf(run, rows);
    const Index vocabulary = model.parts().head->logits.outputs();
    const Index top = std::min<Index>(run.options().lensTop, vocabulary);
    const auto places = states.size() * static_cast<std::size_t>(rows);
    ReadArray ids{{std::ssize(states), rows, top}, {}, std::vector<std::int64_t>(places * top)};
    ReadArray logs{ids.shape, std::vector<float>(places * top)};
    ReadArray answerLogs{{std::ssize(states), rows}, std::vector<float>(places)};
    ReadArray ranks{answerLogs.shape, {}, std::vector<std::int64_t>(places)};
    std::vector<float> ofRow(vocabulary); // log probabilities
    // From the last state on, which says what the model's own answer is.
    for (std::size_t i = states.size(); i-- > 0;) {
        throwIfStopped(run.stop());
        Tensor state = run.tape().value(states[i]);
        if (finalNorm && i + 1 < states.size())
            normalize(run.engine(), *finalNorm, state);
        const Tensor logits = model.parts().head->apply(run.engine(), state.matrix());
        for (Index row = 0; row < rows; ++row) {
            logSoftmax(run.engine(), logits.matrix().row(row), ofRow);
            const std::vector<Index> best = largestOf(ofRow, top);
            if (i + 1 == states.size() && answers[row] == noTokenId)
                answers[row] = best.front();
            const std::size_t place = i * static_cast<std::size_t>(rows) + row;
            std::ranges::copy(best, ids.whole.begin() + static_cast<std::ptrdiff_t>(place * top));
            std::ranges::transform(best, logs.values.begin() + static_cast<std::ptrdiff_t>(place * top),
                                   [&](Index id) { return ofRow[id]; });
            const float own = ofRow[answers[row]];
            answerLogs.values[place] = own;
            ranks.whole[place] = std::ranges::count_if(ofRow, [own](float other) { return other > own; })
                + std::count(ofRow.begin(), ofRow.begin() + answers[row], own);
        }
    }
    ids.texts = textsOf(run, ids.whole);
    results.arrays["lens_ids"] = std::move(ids);
    results.arrays["lens_logprobs"] = std::move(logs);
    results.arrays["lens_answer_logprobs"] = std::move(answerLogs);
    results.arrays["lens_answer_ranks"] = std::move(ranks);
}

} // namespace

extern const ReadingMethod lensMethod{
    .id = "lens",
    .help = "what the output layer says of every layer's states (logit lens, nostalgebraist 2020)",
    .lack = lackOfLens,
    .compute = computeLens};

} // namespace attn
