// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/output_under.h"

#include "base/index.h"
#include "inference/answer.h"
#include "nn/engine.h"

#include <algorithm>
#include <limits>

namespace attn {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// The other question without an output of its own.
Question toForce(const Question& other, const Engine& engine)
{
    Question question = other;
    question.targetText.reset();
    question.targetIds.reset();
    question.prefixText.reset();
    question.prefixIds.reset();
    question.precision = engine.precision();
    question.capture = {};
    question.capture.attention = false;
    question.decoding.search = Search::Greedy;
    return question;
}

// Of one of a step's tokens.
double logProbabilityOf(const TraceStep& step, TokenId token)
{
    if (step.step.token == token)
        return step.step.logProbability;
    const auto& candidates = step.step.candidates;
    const auto found = std::find_if(candidates.begin(), candidates.end(),
                                    [token](const Candidate& candidate) { return candidate.token == token; });
    return found == candidates.end() ? unknown : found->logProbability;
}

bool sameTokens(const std::vector<TokenId>& ids, const std::vector<std::string>& tokens, const Tokenizer* tokenizer)
{
    return tokenizer == nullptr || tokenizer->describe(ids).tokens == tokens;
}

// `count` of the forced steps from `first` on stand in the last places.
OutputScore scoreOf(const Trace::Path& own, const Trace::Path& forced, Index first, Index count)
{
    OutputScore score;
    score.tokens.assign(own.size(), unknown);
    const Index begin = indexSize(own) - count;
    for (Index i = 0; i < count; ++i) {
        const bool known = first + i < indexSize(forced);
        double& place = score.tokens[begin + i];
        place = known ? logProbabilityOf(*forced[first + i], own[begin + i]->step.token) : unknown;
        score.sum += place;
    }
    return score;
}

OutputScore ofTranslation(const Trace& run, Question question, const LoadedModel& model, Engine& engine,
                          const std::stop_token& stop)
{
    const Encoding output = run.target();
    const bool same = sameTokens(output.ids, output.tokens, model.tokenizers.target.get());
    if (same)
        question.targetIds = output.ids;
    else
        question.targetText = output.text;
    const Trace forced = answer(question, model, engine, {.stop = stop}, EditsFit::WherePossible);
    const Trace::Path own = run.path();
    if (same)
        return scoreOf(own, forced.path(), 0, indexSize(own));
    OutputScore score{std::vector<double>(own.size(), unknown)};
    for (const auto& step : forced.path())
        score.sum += step->step.logProbability;
    return score;
}

OutputScore ofContinuation(const Trace& run, Question question, const LoadedModel& model, Engine& engine,
                           const std::stop_token& stop)
{
    const Encoding all = run.sequence();
    if (!sameTokens(all.ids, all.tokens, model.tokenizers.source.get()))
        return {};
    const Index prompt = indexSize(run.source());
    const Index generated = indexSize(all) - prompt;
    if (generated == 0) {
        question.text.clear();
        question.secondText.reset();
        question.sourceIds = all.ids;
    } else {
        std::vector<TokenId> prefix(all.ids.begin() + prompt, all.ids.end());
        if (model.model->info().ends(prefix.back())) // which cannot be given
            prefix.pop_back();
        if (!prefix.empty())
            question.prefixIds = prefix;
    }
    question.decoding.generate = generated;
    const Trace forced = answer(question, model, engine, {.stop = stop}, EditsFit::WherePossible);
    const Trace::Path own = run.path();
    return generated == 0 ? scoreOf(own, forced.path(), 0, indexSize(own))
                          : scoreOf(own, forced.path(), indexSize(forced.source()) - 1, generated);
}

} // namespace

OutputScore outputUnder(const Trace& run, const Question& other, const LoadedModel& model, Engine& engine,
                        const std::stop_token& stop)
{
    const ModelKind kind = run.kind();
    if (kind == ModelKind::EncoderOnly || kind != model.model->info().kind || run.path().empty())
        return {};
    return kind == ModelKind::DecoderOnly ? ofContinuation(run, toForce(other, engine), model, engine, stop)
                                          : ofTranslation(run, toForce(other, engine), model, engine, stop);
}

} // namespace attn
