// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/alignment_experiment.h"

#include "analysis/word_order.h"
#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace attn {

namespace {

constexpr auto writeAlignmentPairs = "write the source, a tab and the target on each line";

SentencePair alignmentPair(const std::string& line, const std::string& where)
{
    const auto tabs = std::ranges::count(line, '\t');
    if (tabs > 1 || (tabs == 0 && !line.empty()))
        throw Error(ErrorKind::Input, where, fmt::format("has {} tabs, expected one", tabs), writeAlignmentPairs);
    requireUtf8(line, where);
    const std::size_t tab = std::min(line.find('\t'), line.size());
    return {line.substr(0, tab), line.substr(std::min(tab + 1, line.size()))};
}

int blankSeparatedCount(const std::string& text)
{
    return indexSize(blankSeparated(text));
}

bool hasNoWords(const SentencePair& pair)
{
    return blankSeparated(pair.source).empty() && blankSeparated(pair.reference).empty();
}

// The matrices of a pair's run, [output tokens, source tokens]; readings are computed once for all their sites.
class PairWeights
{
public:
    PairWeights(const LoadedModel& model, const Question& question, const Trace& trace, const Workbench& bench)
        : m_model(model)
        , m_question(question)
        , m_trace(trace)
        , m_bench(bench)
    {
    }

    // None, with the reason: the model has no such reading.
    std::optional<Numbers> of(const AlignedBy& by, std::string& reason)
    {
        if (const auto* const choice = std::get_if<SiteChoice>(&by.site))
            return readWeights(m_trace, *choice);
        const auto& site = std::get<ReadingSite>(by.site);
        if (!m_run)
            m_run.emplace(m_model, m_question, m_trace, allPositions(), m_bench.engine, m_bench.stop);
        auto found = m_results.find(site.method);
        if (found == m_results.end())
            found = m_results.emplace(site.method, computeReadings(*m_run, {&site.method, 1})).first;
        auto matrix = matrixOf(site, found->second);
        const auto& absent = found->second.absent;
        if (!matrix)
            reason = absent.empty() ? "the model has no such reading" : absent.begin()->second;
        return matrix;
    }

private:
    static ReadingOptions allPositions()
    {
        ReadingOptions options;
        options.ofAll = true;
        options.steps = 1; // integrated gradients align nothing
        return options;
    }

    const LoadedModel& m_model;
    const Question& m_question;
    const Trace& m_trace;
    const Workbench& m_bench;
    std::optional<ExplainedRun> m_run; // once a reading is asked for
    std::map<const ReadingMethod*, ReadingResults> m_results;
};

} // namespace

AlignmentPairs parseAlignmentPairs(const NamedLines& pairs, const std::optional<NamedLines>& gold, int base)
{
    AlignmentPairs parsed;
    for (const std::string& line : pairs.lines)
        parsed.pairs.push_back(alignmentPair(line, fmt::format("{} line {}", pairs.name, parsed.pairs.size() + 1)));
    if (parsed.pairs.empty())
        throw Error(ErrorKind::Input, pairs.name, "has no pairs", writeAlignmentPairs);
    if (!gold)
        return parsed;
    if (gold->lines.size() != parsed.pairs.size())
        throw Error(ErrorKind::Input, gold->name,
                    fmt::format("has {} lines, {} has {}", gold->lines.size(), pairs.name, parsed.pairs.size()),
                    "write the links of each pair on a line");
    for (std::size_t i = 0; i < parsed.pairs.size(); ++i)
        parsed.gold.push_back(parseGoldLinks(gold->lines[i], blankSeparatedCount(parsed.pairs[i].source),
                                             blankSeparatedCount(parsed.pairs[i].reference), base,
                                             fmt::format("{} line {}", gold->name, i + 1)));
    return parsed;
}

std::string AlignedBy::name() const
{
    const auto* const choice = std::get_if<SiteChoice>(&site);
    return choice != nullptr ? siteText(*choice) : std::get<ReadingSite>(site).text;
}

std::vector<AlignedBy> crossSites(const ModelInfo& info, TokenRow row)
{
    std::vector<AlignedBy> sites;
    for (Site site{Stage::Cross, 0}; info.heads(site) > 0; ++site.layer) {
        for (int head = 0; head < info.heads(site); ++head)
            sites.push_back({SiteChoice{site, head}, row});
        sites.push_back({SiteChoice{site, meanOfHeads}, row});
        sites.push_back({SiteChoice{site, maximumOfHeads}, row});
    }
    return sites;
}

std::vector<AlignedBy> alignedReadings(const ModelInfo& info, TokenRow row)
{
    std::vector<AlignedBy> sites;
    for (const ReadingSite& site : readingSites(info))
        sites.push_back({site, row});
    return sites;
}

std::optional<std::size_t> AlignmentResult::best() const
{
    if (!hasGold())
        return std::nullopt;
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        if (absent[i].empty() && (!best || scores[i].errorRate() < scores[*best].errorRate()))
            best = i;
    }
    return best;
}

AlignmentExperiment::AlignmentExperiment(Plan plan)
    : m_plan(std::move(plan))
{
    Question& question = m_plan.question;
    clearTexts(question);
    question.prefixText.reset();
    question.prefixIds.reset();
}

bool AlignmentExperiment::advance(const Workbench& bench)
{
    if (!m_model) {
        prepare(bench);
        return true;
    }
    const std::size_t next = m_result.done.size();
    const std::size_t count = m_result.pairs->pairs.size();
    bench.say({ExperimentProgress::Step::Sentence, static_cast<double>(next) / static_cast<double>(count),
               m_model->name, static_cast<int>(next), static_cast<int>(count)});
    auto aligned = std::make_shared<AlignedPair>(align(next, bench));
    const bool hasWords = aligned->problem.empty() && !hasNoWords(m_result.pairs->pairs[next]);
    m_withWords += hasWords ? 1 : 0;
    for (std::size_t i = 0; i < m_result.by.size(); ++i) {
        const PairLinks& links = aligned->by[i];
        m_result.scores[i] += links.score;
        if (hasWords)
            m_result.confidences[i] += (links.measures.confidence - m_result.confidences[i]) / m_withWords;
    }
    m_result.done.push_back(std::move(aligned));
    return next + 1 < count;
}

void AlignmentExperiment::prepare(const Workbench& bench)
{
    bench.say({ExperimentProgress::Step::Loading, 0, m_plan.question.model});
    m_result.pairs = std::make_shared<const AlignmentPairs>(m_plan.read());
    auto model = bench.load(m_plan.question.model);
    const ModelInfo& info = model->model->info();
    if (const std::string lack = lackOfAlignment(info); !lack.empty())
        throw Error(ErrorKind::Input, model->name, lack);
    m_result.by = m_plan.by(info);
    m_result.scores.resize(m_result.by.size());
    m_result.confidences.resize(m_result.by.size());
    m_result.absent.resize(m_result.by.size());
    m_model = std::move(model);
}

AlignedPair AlignmentExperiment::align(std::size_t pair, const Workbench& bench)
{
    AlignedPair aligned;
    aligned.by.resize(m_result.by.size());
    try {
        if (const SentencePair& texts = m_result.pairs->pairs[pair]; !hasNoWords(texts))
            addLinks(aligned, texts, bench);
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::Cancelled)
            throw;
        aligned.problem = error.whole();
    }
    if (!aligned.problem.empty()) {
        aligned.by.assign(m_result.by.size(), {});
        if (m_result.failed++ == 0)
            m_result.problem = fmt::format("line {}: {}", pair + 1, aligned.problem);
    }
    for (PairLinks& one : aligned.by) {
        if (m_result.hasGold() && one.score.empty()) // without links
            one.score.add({}, m_result.pairs->gold[pair]);
    }
    return aligned;
}

void AlignmentExperiment::addLinks(AlignedPair& aligned, const SentencePair& pair, const Workbench& bench)
{
    Question question = m_plan.question;
    question.text = pair.source;
    question.targetText = pair.reference;
    const Trace trace = answer(question, *m_model, bench.engine, {.stop = bench.stop}, EditsFit::WherePossible);
    const std::vector<int> sourceWords = blankSeparatedWords(trace.source());
    const std::vector<int> targetWords = blankSeparatedWords(m_model->tokenizers.target->encode(pair.reference));
    const std::size_t number = m_result.done.size();
    PairWeights weights(*m_model, question, trace, bench);
    for (std::size_t i = 0; i < m_result.by.size(); ++i) {
        throwIfStopped(bench.stop);
        const AlignedBy& by = m_result.by[i];
        const auto matrix = weights.of(by, m_result.absent[i]);
        if (!matrix)
            continue;
        const Numbers words = wordWeights(*matrix, sourceWords, targetWords, by.row);
        const std::vector<AlignmentLink> links = strongestLinks(words);
        PairLinks& one = aligned.by[i];
        one.links = pharaoh(links);
        one.measures = alignmentMeasures(words, links);
        if (m_result.hasGold())
            one.score.add(links, m_result.pairs->gold[number]);
    }
}

std::string lackOfAlignment(const ModelInfo& info)
{
    if (info.input != InputKind::Text)
        return fmt::format("this model reads a {}; ground says where words look in pictures", inputText(info.input));
    if (info.kind != ModelKind::EncoderDecoder)
        return "this model does not turn one text into another";
    return info.heads({Stage::Cross, 0}) == 0 ? "this model has no attention to align with" : std::string();
}

} // namespace attn
