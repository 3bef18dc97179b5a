// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribution/faithfulness.h"

#include "base/index.h"
#include "inference/answer.h"
#include "readings/head_reading.h"
#include "trace/site.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string_view>
#include <utility>

namespace attn {

namespace {

// From 0, values that are as good as equal share the mean of their ranks.
std::vector<double> ranksOf(std::span<const float> values)
{
    constexpr double equal = 1e-12;
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> ranks(values.size());
    for (std::size_t first = 0, end = 0; first < order.size(); first = end) {
        end = first + 1;
        while (end < order.size() && double{values[order[end]]} - values[order[end - 1]] <= equal)
            ++end;
        for (std::size_t i = first; i < end; ++i)
            ranks[order[i]] = static_cast<double>(first + end - 1) / 2;
    }
    return ranks;
}

// A reading's rows that stand beside those of erasure.
class Comparison
{
public:
    explicit Comparison(const ExplainedRun& run, const ReadArray& erasure)
        : m_run(run)
        , m_erasure(erasure.values.data(), static_cast<Index>(erasure.shape[0]), static_cast<Index>(erasure.shape[1]))
        , m_isSequence(run.info().kind == ModelKind::DecoderOnly && m_erasure.rows > 1)
    {
    }

    // map: [rows, columns] of the last layer; its row for an output position is the first row that its logits are of.
    Faithfulness ofMap(std::string name, NumberView map, std::span<const ExplainedOutput> outputs) const
    {
        Sums sums{std::move(name)};
        for (const ExplainedOutput& output : outputs) {
            const Index row = output.rows.size() == 1 ? output.rows.front() : 0;
            if (row < map.rows)
                sums.add(map.row(row), erasureOf(output), columnsOf(output), output.position);
        }
        return sums.result();
    }

    // array: [tokens] of the one explained position, or [positions, tokens] of all.
    Faithfulness ofTokens(std::string name, const ReadArray& array) const
    {
        Sums sums{std::move(name)};
        const auto columns = static_cast<std::size_t>(array.shape.back());
        for (const ExplainedOutput& output : m_run.explained()) {
            const std::size_t row = array.shape.size() == 1 ? 0 : static_cast<std::size_t>(output.position);
            sums.add(std::span(array.values).subspan(row * columns, columns), erasureOf(output), columnsOf(output),
                     output.position);
        }
        return sums.result();
    }

private:
    struct Sums
    {
        std::string name;
        double correlation = 0;
        double random = 0;
        int rows = 0;
        std::vector<ComparedToken> tokens = {};

        void add(std::span<const float> reading, std::span<const float> erasure, Index columns, int position)
        {
            constexpr int orders = 20;
            const auto own = reading.first(columns);
            const auto correlated = rankCorrelation(own, erasure.first(columns));
            if (!correlated)
                return;
            ++rows;
            correlation += *correlated;
            for (Index column = 0; column < columns; ++column)
                tokens.push_back({position, column, reading[column], erasure[column]});
            std::mt19937_64 generator(1);
            std::vector<float> mixed(own.begin(), own.end());
            for (int order = 0; order < orders; ++order) {
                for (std::size_t i = mixed.size() - 1; i > 0; --i)
                    std::swap(mixed[i], mixed[generator() % (i + 1)]);
                random += rankCorrelation(mixed, erasure.first(columns)).value_or(0) / orders;
            }
        }
        Faithfulness result()
        {
            constexpr double none = std::numeric_limits<double>::quiet_NaN();
            return {.reading = name,
                    .correlation = rows == 0 ? none : correlation / rows,
                    .random = rows == 0 ? none : random / rows,
                    .rows = rows,
                    .tokens = std::move(tokens)};
        }
    };

    std::span<const float> erasureOf(const ExplainedOutput& output) const
    {
        return m_erasure.row(m_erasure.rows == 1 ? 0 : output.position);
    }
    // Later ones are masked.
    Index columnsOf(const ExplainedOutput& output) const { return m_isSequence ? output.position : m_erasure.columns; }

    const ExplainedRun& m_run;
    NumberView m_erasure;
    bool m_isSequence;
};

// [rows, columns]: the last layer, the mean of heads.
Numbers lastMap(const ReadArray& array)
{
    const auto columns = static_cast<Index>(array.shape.back());
    const auto rows = static_cast<Index>(array.shape[array.shape.size() - 2]);
    const auto heads = array.shape.size() == 4 ? static_cast<Index>(array.shape[1]) : 1;
    Numbers mean = Numbers::zeros(1, rows, columns);
    const std::size_t size = mean.values.size();
    const float* const last = array.values.data() + array.values.size() - size * static_cast<std::size_t>(heads);
    for (std::size_t i = 0; i < size * static_cast<std::size_t>(heads); ++i)
        mean.values[i % size] += last[i] / static_cast<float>(heads);
    return mean;
}

// Weights of a site, the mean of its heads, and, of rows that are no tokens, of these.
Numbers rawMap(const Trace& run, Site site)
{
    Numbers map = readWeights(run, {site, meanOfHeads});
    if (run.rowAxis(site) == AttentionAxis::Tokens || map.rows == 0)
        return map;
    Numbers mean = Numbers::zeros(1, 1, map.columns);
    for (Index row = 0; row < map.rows; ++row) {
        for (Index column = 0; column < map.columns; ++column)
            mean.at(0, column) += map.at(row, column) / static_cast<float>(map.rows);
    }
    return mean;
}

// The question whose answer is forced to be that of a run.
Question forcedTo(const Trace& run, Question question)
{
    question.text = run.provenance().text;
    question.decoding.generate = 0;
    question.prefixText.reset();
    question.prefixIds.reset();
    if (run.kind() == ModelKind::DecoderOnly) {
        question.sourceIds = run.sequence().ids;
    } else if (run.kind() == ModelKind::EncoderDecoder && !run.readsOnly() && !run.classification()) {
        question.targetText.reset();
        question.targetIds = run.target().ids;
    }
    return question;
}

constexpr std::string_view erasureMethodId = "erasure";
constexpr auto erasureArray = "source_erasure";

bool isErasure(const ReadingMethod* method)
{
    return method->id == erasureMethodId;
}

} // namespace

std::vector<const ReadingMethod*> comparedMethods()
{
    std::vector<const ReadingMethod*> methods(readingMethods().begin(), readingMethods().end());
    std::erase_if(methods, [](const ReadingMethod* method) { // they are not about tokens of the source
        return std::string_view(method->id) == "lens" || std::string_view(method->id) == "direct";
    });
    std::stable_partition(methods.begin(), methods.end(), isErasure);
    return methods;
}

ReadingResults withErasure(ExplainedRun& run, ReadingResults results)
{
    if (results.arrays.contains(erasureArray))
        return results;
    const auto erasure = std::ranges::find_if(readingMethods(), isErasure);
    const ReadingResults erased = computeReadings(run, {&*erasure, 1});
    if (!erased.absent.empty())
        throw Error(ErrorKind::Input, "erasure", erased.absent.begin()->second);
    results.arrays.insert(erased.arrays.begin(), erased.arrays.end());
    results.methods.insert(erased.methods.begin(), erased.methods.end());
    return results;
}

std::optional<double> rankCorrelation(std::span<const float> left, std::span<const float> right)
{
    const std::vector<double> a = ranksOf(left);
    const std::vector<double> b = ranksOf(right);
    const double mean = (static_cast<double>(a.size()) - 1) / 2;
    double product = 0;
    double squaresA = 0;
    double squaresB = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        product += (a[i] - mean) * (b[i] - mean);
        squaresA += (a[i] - mean) * (a[i] - mean);
        squaresB += (b[i] - mean) * (b[i] - mean);
    }
    if (squaresA == 0 || squaresB == 0)
        return std::nullopt;
    return product / std::sqrt(squaresA * squaresB);
}

std::vector<Faithfulness> faithfulness(const ExplainedRun& run, const ReadingResults& results)
{
    const Comparison comparison(run, results.arrays.at(erasureArray));
    const Stage stage = run.info().kind == ModelKind::EncoderDecoder ? Stage::Cross
        : run.info().kind == ModelKind::DecoderOnly                  ? Stage::Decoder
                                                                     : Stage::Encoder;
    const bool isText = run.info().kind == ModelKind::EncoderOnly || run.info().task != TaskHead::None;
    const std::vector<ExplainedOutput>& every = isText ? run.explained() : run.everyOutput();
    std::vector<Faithfulness> rows;
    std::optional<Site> last;
    const auto isOfTokens = [&](Site site) {
        return site.stage == stage && run.run().columnAxis(site) == AttentionAxis::Tokens;
    };
    for (const Site site : run.run().sites())
        last = isOfTokens(site) ? site : last;
    const auto addRaw = [&](const char* name, Site site) {
        rows.push_back(comparison.ofMap(name, rawMap(run.run(), site), every));
    };
    if (last)
        addRaw("raw:LAST", *last);
    if (last && run.run().heads(run.info().bestSite) > 0 && isOfTokens(run.info().bestSite))
        addRaw("raw:BEST", run.info().bestSite);
    for (const auto& [name, array] : results.arrays) {
        const bool isMap = name.starts_with(stageText(stage)) && array.shape.size() >= 3;
        const auto method = std::ranges::find(readingMethods(), results.methods.at(name), &ReadingMethod::id);
        if (name == erasureArray)
            continue;
        if (name.starts_with("source_"))
            rows.push_back(comparison.ofTokens(name, array));
        else if (isMap)
            rows.push_back(comparison.ofMap(name, lastMap(array), (*method)->ofOutput ? run.explained() : every));
    }
    return rows;
}

void addShuffledControl(std::vector<Faithfulness>& rows, const ExplainedRun& run, const ReadingResults& results,
                        std::span<const ReadingMethod* const> methods, const LoadedModel& shuffled,
                        const ReadFiles& files)
{
    Question question = forcedTo(run.run(), run.question());
    question.capture.scores = true;
    const Trace trace =
        answer(question, shuffled, run.engine(), {.stop = run.stop(), .picture = files.picture, .sound = files.sound},
               EditsFit::WherePossible);
    ExplainedRun control(shuffled, question, trace, run.options(), run.engine(), run.stop());
    std::vector<const ReadingMethod*> others(methods.begin(), methods.end());
    std::erase_if(others, isErasure);
    ReadingResults found = computeReadings(control, others);
    found.arrays[erasureArray] = results.arrays.at(erasureArray);
    found.methods[erasureArray] = erasureMethodId;
    for (const Faithfulness& one : faithfulness(control, found)) {
        const auto row = std::ranges::find(rows, one.reading, &Faithfulness::reading);
        if (row != rows.end())
            row->shuffled = one.correlation;
    }
}

void FaithfulnessMeans::add(const Faithfulness& row)
{
    if (!std::isfinite(row.correlation))
        return;
    Sums& sums = m_readings[row.reading];
    sums.correlations.push_back(row.correlation);
    sums.random.push_back(row.random);
    if (row.shuffled && std::isfinite(*row.shuffled))
        sums.shuffled.push_back(*row.shuffled);
    sums.rows += row.rows;
}

std::vector<MeanFaithfulness> FaithfulnessMeans::means() const
{
    std::vector<MeanFaithfulness> means;
    for (const auto& [reading, sums] : m_readings) {
        MeanFaithfulness& mean = means.emplace_back();
        mean.reading = reading;
        mean.correlation = bootstrapMean(sums.correlations);
        mean.random = std::accumulate(sums.random.begin(), sums.random.end(), 0.0) / indexSize(sums.random);
        if (!sums.shuffled.empty())
            mean.shuffled = std::accumulate(sums.shuffled.begin(), sums.shuffled.end(), 0.0) / indexSize(sums.shuffled);
        mean.rows = sums.rows;
        mean.sentences = indexSize(sums.correlations);
    }
    return means;
}

} // namespace attn
