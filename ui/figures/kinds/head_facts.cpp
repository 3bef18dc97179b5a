// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/head_facts.h"

#include "analysis/head_measures.h"
#include "base/index.h"
#include "figures/figure.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/decimal.h"
#include "figures/look/language.h"
#include "figures/look/token_label.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace attn::ui {

namespace {

constexpr double leastJob = 0.3; // share of the weights
constexpr std::string_view jobs[] = {"previous", "self", "next", "first", "special"}; // measures

std::map<HeadKey, HeadRow> rowsOf(const Trace& trace, std::optional<StepId> leaf, Stage stage)
{
    HeadTable table;
    if (trace.has(leaf))
        table.add(trace, leaf, stage);
    std::map<HeadKey, HeadRow> rows;
    for (const HeadRow& row : table.rows())
        rows.emplace(HeadKey{row.site, row.head}, row);
    return rows;
}

QString countText(std::size_t heads)
{
    return heads == 1 ? Figure::tr("1 head") : Figure::tr("%1 heads").arg(heads);
}

} // namespace

std::size_t factsCost(const FigureSpec& spec, const Trace& trace)
{
    constexpr std::size_t comparedCells = 1200; // of two heads, at most
    constexpr std::size_t perWeight = 3; // as much as making a thumbnail
    const auto [rows, columns] = stageShape(spec, trace);
    const std::size_t heads = headCount(spec, trace);
    const std::size_t pairs = spec.headOrder == HeadOrder::Likeness ? heads * heads / 2 : 0;
    return std::max(rows * columns * perWeight, leastHeadCost) * heads * (spec.against ? 2 : 1)
        + pairs * std::min(comparedCells, rows * columns);
}

std::shared_ptr<const HeadFacts> headFacts(const FigureSpec& spec, const Trace& trace)
{
    auto facts = std::make_shared<HeadFacts>();
    facts->here = rowsOf(trace, spec.leaf, spec.site.stage);
    if (spec.against)
        facts->there = rowsOf(spec.against->trace, {}, spec.site.stage);
    if (spec.headOrder != HeadOrder::Likeness)
        return facts;
    std::vector<HeadSketch> sketches;
    for (const auto& [head, row] : facts->here)
        sketches.push_back(headSketch(trace.matrix(head.first, head.second, spec.leaf)));
    const std::vector<int> groups = groupHeads(sketches);
    std::size_t next = 0;
    for (const auto& [head, row] : facts->here)
        facts->groups.emplace(head, groups[next++]);
    return facts;
}

HeadWords::HeadWords(const FigureSpec& spec, std::shared_ptr<const HeadFacts> facts)
    : m_facts(facts ? std::move(facts) : std::make_shared<const HeadFacts>())
    , m_without(spec.against ? nullptr : spec.without)
    , m_difference(spec.against != nullptr)
    , m_order(spec.headOrder)
    , m_leastFirst(spec.leastFirst)
    , m_noted(spec.headNote == HeadNote::Automatic ? measureOf(spec.headOrder) : measureOf(spec.headNote))
    , m_notesKinds(spec.headNote == HeadNote::Kind || (spec.headNote == HeadNote::Automatic && m_noted == nullptr))
{
}

std::optional<double> HeadWords::value(const HeadMeasure& measure, const HeadKey& head) const
{
    const auto of = [&](const std::map<HeadKey, HeadRow>& rows) -> std::optional<double> {
        const auto found = rows.find(head);
        if (found == rows.end())
            return std::nullopt;
        DescribedHead described{found->second};
        if (m_without) {
            if (const auto change = m_without->find(head); change != m_without->end())
                described.without = change->second;
        }
        return measure.known(described);
    };
    const auto here = of(m_facts->here);
    const auto there = m_difference ? of(m_facts->there) : std::nullopt;
    return here && there ? *here - *there : m_difference ? std::nullopt : here;
}

QString HeadWords::valueText(const HeadMeasure& measure, const HeadKey& head) const
{
    const auto known = value(measure, head);
    return !known         ? QString()
        : m_difference    ? signedDecimal(*known, 2)
        : measure.isShare ? decimal(*known, 2)
                          : significant(*known, 3);
}

std::optional<HeadKind> HeadWords::kind(const HeadKey& head) const
{
    const auto found = m_facts->here.find(head);
    return m_difference || found == m_facts->here.end() ? std::nullopt : headKind(found->second);
}

QString HeadWords::title(const HeadMeasure& measure)
{
    return translated(measure.title);
}

QString HeadWords::title(HeadKind kind)
{
    return translated(headKindRows()[static_cast<std::size_t>(kind)].title);
}

QString HeadWords::mark(HeadKind kind)
{
    return QString::fromUtf8(headKindRows()[static_cast<std::size_t>(kind)].mark);
}

QString HeadWords::note(const HeadKey& head) const
{
    return m_noted == nullptr ? QString() : valueText(*m_noted, head);
}

QString HeadWords::sentence(const HeadKey& head) const
{
    QStringList parts;
    if (const auto named = kind(head))
        parts << title(*named);
    for (const HeadMeasure& measure : headMeasures()) {
        if (const QString known = valueText(measure, head); !known.isEmpty())
            parts << title(measure).toLower() + QLatin1Char(' ') + known;
    }
    return parts.join(QStringLiteral(" \u00B7 "));
}

QString HeadWords::job(const HeadKey& head) const
{
    if (const auto named = kind(head))
        return title(*named);
    for (const HeadMeasure& measure : headMeasures()) {
        const bool isJob = std::ranges::find(jobs, std::string_view(measure.id)) != std::end(jobs);
        if (const auto share = value(measure, head); isJob && share >= leastJob)
            return title(measure).toLower() + QLatin1Char(' ') + percent(*share);
    }
    return {};
}

std::vector<HeadSection> HeadWords::sections(const std::vector<HeadKey>& heads) const
{
    if (m_facts->here.empty() || m_order == HeadOrder::Place)
        return {};
    if (const HeadMeasure* const measure = measureOf(m_order))
        return byMeasure(*measure, heads);
    return m_order == HeadOrder::Kind ? byKind(heads) : byLikeness(heads);
}

// Heads of which it is not known come last.
std::vector<HeadSection> HeadWords::byMeasure(const HeadMeasure& measure, const std::vector<HeadKey>& heads) const
{
    std::vector<std::pair<double, HeadKey>> known;
    std::vector<HeadKey> unknown;
    for (const HeadKey& head : heads) {
        if (const auto found = value(measure, head))
            known.emplace_back(m_leastFirst ? *found : -*found, head);
        else
            unknown.push_back(head);
    }
    std::ranges::stable_sort(known, {}, &std::pair<double, HeadKey>::first);
    std::vector<HeadSection> sections;
    const QString order = m_leastFirst ? Figure::tr("smallest first") : Figure::tr("largest first");
    if (!known.empty()) {
        sections.push_back({Figure::tr("%1, %2").arg(title(measure), order), translated(measure.help), {}});
        std::ranges::transform(known, std::back_inserter(sections.back().heads), &std::pair<double, HeadKey>::second);
    }
    if (!unknown.empty())
        sections.push_back({measure.ofAblation
                                ? Figure::tr("Not known: the laboratory's page \u201CSweep\u201D finds it out")
                                : Figure::tr("%1 means nothing here").arg(title(measure)),
                            QString(), unknown});
    return sections;
}

QString HeadSection::text() const
{
    return rule.isEmpty() ? heading : Figure::tr("%1: %2").arg(heading, rule);
}

std::vector<HeadSection> HeadWords::byKind(const std::vector<HeadKey>& heads) const
{
    std::vector<HeadSection> sections;
    const auto add = [&](std::optional<HeadKind> wanted, const QString& named, const QString& rule) {
        HeadSection section;
        std::ranges::copy_if(heads, std::back_inserter(section.heads),
                             [&](const HeadKey& head) { return kind(head) == wanted; });
        section.heading = Figure::tr("%1 (%2)").arg(named, countText(section.heads.size()));
        section.rule = rule;
        if (!section.heads.empty())
            sections.push_back(std::move(section));
    };
    for (int i = 0; i < indexSize(headKindRows()); ++i) {
        const auto wanted = static_cast<HeadKind>(i);
        add(wanted, capitalized(title(wanted)), translated(headKindRows()[static_cast<std::size_t>(i)].rule));
    }
    add({}, Figure::tr("No clear kind"), QString());
    return sections;
}

std::vector<HeadSection> HeadWords::byLikeness(const std::vector<HeadKey>& heads) const
{
    std::map<int, HeadSection> groups;
    for (const HeadKey& head : heads) {
        const auto found = m_facts->groups.find(head);
        groups[found == m_facts->groups.end() ? -1 : found->second].heads.push_back(head);
    }
    std::vector<HeadSection> sections;
    for (auto& [number, section] : groups) {
        std::map<HeadKind, std::size_t> kinds;
        for (const HeadKey& head : section.heads) {
            if (const auto named = kind(head))
                ++kinds[*named];
        }
        section.heading = Figure::tr("Group %1 (%2)").arg(sections.size() + 1).arg(countText(section.heads.size()));
        for (const auto& [named, count] : kinds) {
            if (2 * count > section.heads.size()) // most of them
                section.rule = title(named);
        }
        sections.push_back(std::move(section));
    }
    return sections;
}

} // namespace attn::ui
