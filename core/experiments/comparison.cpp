// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/comparison.h"

#include "analysis/words.h"
#include "base/error.h"
#include "base/progress.h"
#include "readings/head_reading.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>
#include <utility>

namespace attn {

namespace {

bool writesOutput(const Trace& trace)
{
    return trace.summary() && trace.kind() == ModelKind::EncoderDecoder;
}

// Asks the tokenizer for all that is shown.
void readTexts(ComparedRun& run)
{
    const Trace& trace = *run.trace;
    run.columns = run.site ? trace.columnTokens(*run.site) : trace.source();
    if (writesOutput(trace))
        run.output = trace.target().text;
}

// The sink becomes a column like that of a special token, behind the tokens.
void addSink(ComparedRun& run, Numbers& map)
{
    for (Index row = 0; row < map.rows; ++row) {
        const std::span<float> weights = map.row(row);
        std::rotate(weights.begin(), weights.begin() + 1, weights.end());
    }
    run.columns.ids.push_back(noTokenId);
    run.columns.tokens.emplace_back("(sink)");
    run.columns.special.resize(run.columns.size() - 1);
    run.columns.special.push_back(true);
    if (!run.columns.spans.empty())
        run.columns.spans.emplace_back();
    if (!run.columns.words.empty())
        run.columns.words.push_back(noWord);
}

// Its rows are words, its columns tokens and, where there is one, the sink.
void readMap(ComparedRun& run)
{
    const Trace& trace = *run.trace;
    const HeadReading heads = trace.heads(*run.site) == 1 ? HeadReading(0) : HeadReading(meanOfHeads);
    const ReadingInput input = readingInput(trace, {*run.site, heads});
    Numbers map = computeWithSinks(heads.reading(), input, {});
    if (hasSinks(heads.reading(), input))
        addSink(run, map);
    const auto rows = wordAxis(trace.rowTokens(*run.site));
    std::vector<AxisGroup> columns;
    for (int column = 0; column < map.columns; ++column)
        columns.push_back({{}, column, 1});
    run.map = merge(map, rows, columns);
    for (const AxisGroup& row : rows)
        run.words.push_back(row.label);
}

void describeOutput(ComparedMap& result, const ComparedRun& run)
{
    const Trace& trace = *run.trace;
    result.writes = trace.kind() == ModelKind::EncoderDecoder;
    if (writesOutput(trace)) {
        result.output = run.output;
        for (const auto& step : trace.path()) {
            result.logProbability += step->step.logProbability;
            ++result.tokens;
        }
    }
    if (const auto& classes = trace.classification()) {
        const int best = classes->best();
        result.output = classes->labels.at(best);
        result.logProbability = std::log(double{classes->probabilities.at(best)});
        result.tokens = 1;
    }
}

ComparedMap mapOf(const ComparedRun& run, const WordGrid& grid)
{
    ComparedMap result{run.name, run.state, run.problem, run.site};
    if (!run.trace)
        return result;
    const Trace& trace = *run.trace;
    result.kind = trace.kind();
    describeOutput(result, run);
    if (!run.site)
        return result;
    result.heads = trace.heads(*run.site);
    result.rows = trace.rowAxis(*run.site);
    result.words = run.words;
    result.map = ontoGrid(run.map, run.columns, grid);
    return result;
}

// The special token that all of them have, and no other; else nothing.
std::string onlySpecial(const std::vector<const Encoding*>& encodings)
{
    std::set<std::string> names;
    for (const Encoding* encoding : encodings) {
        for (std::size_t i = 0; i < encoding->special.size() && i < encoding->tokens.size(); ++i) {
            if (encoding->special[i])
                names.insert(encoding->tokens[i]);
        }
    }
    return names.size() == 1 ? *names.begin() : std::string();
}

} // namespace

Comparison comparisonOf(const std::vector<ComparedRun>& runs)
{
    std::vector<const Encoding*> encodings;
    for (const ComparedRun& run : runs) {
        if (run.trace)
            encodings.push_back(&run.columns);
    }
    const WordGrid grid = commonWordGrid(encodings);
    Comparison comparison{grid.labels, {}};
    if (grid.others)
        comparison.columns.push_back(onlySpecial(encodings));
    for (const ComparedRun& run : runs) {
        ThreadStop::check();
        comparison.maps.push_back(mapOf(run, grid));
    }
    return comparison;
}

PairedPlaces pairedRows(const ComparedMap& a, const ComparedMap& b)
{
    return pairPlaces(a.words, b.words, Pairing::Words);
}

ComparedDifference differenceOf(const Comparison& comparison, int first, int second)
{
    const ComparedMap& a = comparison.maps.at(first);
    const ComparedMap& b = comparison.maps.at(second);
    ComparedDifference difference;
    difference.first = first;
    difference.second = second;
    PairedPlaces rows = pairedRows(a, b);
    if (a.map.rows == 0 || b.map.rows == 0
        || std::none_of(rows.begin(), rows.end(), std::mem_fn(&PairedPlace::isPaired)))
        return difference;
    difference.rows = std::move(rows);
    for (const PairedPlace& row : difference.rows)
        difference.words.push_back(row.here ? a.words.at(*row.here) : b.words.at(*row.there));
    PairedPlaces columns;
    for (Index column = 0; column < a.map.columns; ++column)
        columns.push_back({column, column});
    difference.map = matrixDifference(a.map, b.map, difference.rows, columns);
    difference.variation = meanVariation(difference.map, difference.rows, columns);
    return difference;
}

ComparisonExperiment::ComparisonExperiment(const std::vector<std::string>& models, Question question, bool sameOutput)
    : m_models(models)
    , m_question(std::move(question))
    , m_sameOutput(sameOutput)
{
    for (const std::string& model : models)
        m_runs.push_back({std::filesystem::path(model).filename().string()});
}

bool ComparisonExperiment::advance(const Workbench& bench)
{
    const std::string& path = m_models.at(m_next);
    ComparedRun& run = m_runs[m_next];
    const Index models = indexSize(m_models);
    bench.say({ExperimentProgress::Step::Loading, 1.0 * m_next / models, path, m_next, models});
    try {
        const auto model = bench.load(path);
        run.name = model->name;
        if (!model->tokenizers.source)
            throw Error(ErrorKind::Input, model->name, "has no tokenizer, so it cannot read the sentence");
        Question question = m_question;
        question.model = path;
        run.trace = answer(fitted(std::move(question), *model), *model, bench.engine, {.stop = bench.stop});
        const ModelInfo& info = model->model->info();
        if (info.hasSite(info.bestSite))
            run.site = info.bestSite;
        const ThreadStop ofTextsAndMaps(bench.stop);
        readTexts(run);
        if (run.site)
            readMap(run);
        if (m_sameOutput && m_next == 0 && info.kind == ModelKind::EncoderDecoder)
            m_question.targetText = run.output;
        run.state = ComparedState::Done;
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::Cancelled)
            throw;
        run = {run.name, ComparedState::Refused, error.problem()};
    }
    return ++m_next < models;
}

} // namespace attn
