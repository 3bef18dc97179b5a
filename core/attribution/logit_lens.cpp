// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribution/reading_method.h"
#include "base/stop.h"
#include "base/words.h"
#include "models/transformer.h"
#include "nn/normalization.h"

#include <algorithm>
#include <numeric>

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
    std::vector<Index> ids(logs.size());
    std::iota(ids.begin(), ids.end(), 0);
    const auto end = ids.begin() + std::min<std::ptrdiff_t>(count, std::ssize(ids));
    std::partial_sort(ids.begin(), end, ids.end(),
                      [&](Index a, Index b) { return logs[a] != logs[b] ? logs[a] > logs[b] : a < b; });
    ids.erase(end, ids.end());
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
    ReadArray ids;
    ReadArray logs;
    ReadArray answerLogs{{std::ssize(states), rows}, {}};
    ReadArray ranks{{std::ssize(states), rows}, {}};
    std::vector<float> ofRow;
    // From the last state on, which says what the model's own answer is.
    std::vector<Tensor> logits(states.size());
    for (std::size_t i = states.size(); i-- > 0;) {
        throwIfStopped(run.stop());
        Tensor state = run.tape().value(states[i]);
        if (finalNorm && i + 1 < states.size())
            normalize(run.engine(), *finalNorm, state);
        logits[i] = model.parts().head->apply(run.engine(), state.matrix());
        for (Index row = 0; row < rows; ++row) {
            const auto values = logits[i].matrix().row(row);
            if (i + 1 == states.size() && answers[row] == noTokenId)
                answers[row] = largestOf(values, 1).front();
            logSoftmax(run.engine(), Tensor::of(values).values(), values);
        }
    }
    const Index top = std::min<Index>(run.options().lensTop, logits.front().matrix().columns);
    ids.shape = logs.shape = {std::ssize(states), rows, top};
    for (const Tensor& state : logits) {
        for (Index row = 0; row < rows; ++row) {
            const auto values = state.matrix().row(row);
            for (const Index id : largestOf(values, top)) {
                ids.whole.push_back(id);
                logs.values.push_back(values[id]);
            }
            const float own = values[answers[row]];
            answerLogs.values.push_back(own);
            ranks.whole.push_back(std::ranges::count_if(values, [own](float other) { return other > own; })
                                  + std::count(values.begin(), values.begin() + answers[row], own));
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
