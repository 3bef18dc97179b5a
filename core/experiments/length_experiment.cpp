// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/length_experiment.h"

#include "base/error.h"
#include "loading/model_card.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace attn {

LengthCurves cardCurves(std::vector<Error>& problems)
{
    LengthCurves result;
    std::set<std::string> testSets;
    for (const BundledModel& model : bundledModels()) {
        try {
            const auto scores = readLengthScores(model.directory);
            if (!scores)
                continue;
            LengthCurve curve{model.name, indexSize(result.curves), {}};
            for (const LengthScore& score : scores->lengths)
                curve.points.push_back({score.from, score.to, score.sentences, score.bleu});
            result.curves.push_back(std::move(curve));
            testSets.insert(scores->testSet);
        } catch (const Error& error) {
            problems.push_back(error);
        }
    }
    if (testSets.size() == 1)
        result.testSet = *testSets.begin();
    return result;
}

LengthExperiment::LengthExperiment(Plan plan)
    : m_plan(std::move(plan))
{
    Question& question = m_plan.question;
    clearTexts(question);
    question.prefixText.reset();
    question.prefixIds.reset();
    question.decoding = {};
    question.decoding.candidates = 1;
    question.capture = {.attention = false};
}

bool LengthExperiment::advance(const Workbench& bench)
{
    if (m_pairs.empty())
        readFile();
    else if (m_readers.size() < m_plan.models.size())
        load(bench);
    else
        measure(bench);
    return m_done == 0 || m_done < indexSize(m_pairs) * indexSize(m_readers);
}

void LengthExperiment::readFile()
{
    m_pairs = readSentencePairs(m_plan.file);
    if (m_plan.most > 0)
        m_pairs.resize(std::min(m_plan.most, indexSize(m_pairs)));
    std::vector<int> lengths;
    for (const SentencePair& pair : m_pairs)
        lengths.push_back(wordCount(pair.source));
    m_bins = lengthBins(lengths, bins);
    m_binOf.resize(m_pairs.size());
    for (std::size_t bin = 0; bin < m_bins.size(); ++bin) {
        for (const std::size_t sentence : m_bins[bin].sentences)
            m_binOf[sentence] = bin;
    }
}

void LengthExperiment::load(const Workbench& bench)
{
    const std::string& wanted = m_plan.models[m_readers.size()];
    bench.say({ExperimentProgress::Step::Loading, 0, wanted});
    auto model = bench.load(wanted);
    if (model->model->info().kind != ModelKind::EncoderDecoder)
        throw Error(ErrorKind::Unsupported, model->name, "does not turn one text into another",
                    "choose encoder-decoder models");
    if (!model->tokenizers.source || !model->tokenizers.target)
        throw Error(ErrorKind::Unsupported, model->name, "has no tokenizer files, so it cannot read text",
                    "choose another model");
    m_readers.push_back({std::move(model), std::vector<Sums>(m_bins.size()), {}});
}

void LengthExperiment::measure(const Workbench& bench)
{
    const Index readers = indexSize(m_readers);
    const Index pairs = indexSize(m_pairs);
    const Index sentence = m_done / readers;
    Reader& reader = m_readers[m_done % readers];
    bench.say(
        {ExperimentProgress::Step::Sentence, 1.0 * m_done / readers / pairs, reader.model->name, sentence, pairs});
    try {
        reader.latest = m_refused ? Sums{} : read(reader, m_pairs[sentence], bench);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Input) // too long for this model, for example
            throw;
        m_refused = true;
        if (m_leftOut++ == 0)
            m_reason = error.what();
    }
    if (++m_done % readers == 0)
        keepSentence(m_binOf[sentence]);
}

// A sentence counts for all models or for none: their curves are of the same sentences.
void LengthExperiment::keepSentence(std::size_t bin)
{
    for (Reader& reader : m_readers) {
        if (m_refused)
            break;
        Sums& sums = reader.sums[bin];
        ++sums.sentences;
        sums.counts += reader.latest.counts;
        sums.logProbability += reader.latest.logProbability;
        sums.tokens += reader.latest.tokens;
    }
    m_refused = false;
}

LengthExperiment::Sums LengthExperiment::read(const Reader& reader, const SentencePair& pair,
                                              const Workbench& bench) const
{
    Question question = m_plan.question;
    question.text = pair.source;
    const bool forced = m_plan.measure == LengthMeasure::LogProbability;
    if (forced)
        question.targetText = pair.reference;
    const Trace trace = answer(fitted(question, *reader.model), *reader.model, bench.engine, {.stop = bench.stop});
    Sums sums;
    if (forced) {
        for (const auto& step : trace.path()) {
            sums.logProbability += step->step.logProbability;
            ++sums.tokens;
        }
    } else {
        sums.counts = bleuCounts(reader.model->tokenizers.target->decode(trace.target().ids), pair.reference);
    }
    return sums;
}

LengthCurves LengthExperiment::curves() const
{
    LengthCurves result;
    result.measure = m_plan.measure;
    result.file = m_plan.file.filename().string();
    result.sentences = m_readers.empty() ? 0 : m_done / indexSize(m_readers);
    result.leftOut = m_leftOut;
    result.reason = m_reason;
    for (Index i = 0; i < indexSize(m_readers); ++i) {
        LengthCurve curve{m_plan.models[i], i, {}};
        for (std::size_t bin = 0; bin < m_bins.size(); ++bin) {
            const Sums& sums = m_readers[i].sums[bin];
            if (sums.sentences == 0)
                continue;
            const double value = m_plan.measure == LengthMeasure::Bleu ? bleu(sums.counts)
                                                                       : sums.logProbability / std::max(1, sums.tokens);
            curve.points.push_back({m_bins[bin].from, m_bins[bin].to, sums.sentences, value});
        }
        result.curves.push_back(std::move(curve));
    }
    return result;
}

} // namespace attn
