// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/head_measures.h"
#include "figures/figure_spec.h"

#include <QString>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace attn::ui {

using HeadKey = std::pair<Site, int>;

// Facts of the heads of one stage, whatever of their maps is shown: for long texts it takes time, so a window
// finds it on another thread.
struct HeadFacts
{
    std::map<HeadKey, HeadRow> here;
    std::map<HeadKey, HeadRow> there; // of the run that it is compared with
    std::map<HeadKey, int> groups; // of heads that are alike; empty unless they are asked for
};

// About how many numbers headFacts() goes through, to decide where to do it.
std::size_t factsCost(const FigureSpec& spec, const Trace& trace);
// Throws attn::Error{Cancelled} by ThreadStop.
std::shared_ptr<const HeadFacts> headFacts(const FigureSpec& spec, const Trace& trace);

// Heads that stand together under a heading.
struct HeadSection
{
    QString heading; // empty: none
    QString rule; // what puts heads there; may be empty
    std::vector<HeadKey> heads;

    QString text() const; // both
};

// Facts that a figure of heads says of them.
class HeadWords
{
public:
    HeadWords(const FigureSpec& spec, std::shared_ptr<const HeadFacts> facts); // null: not known yet

    // Value of a measure; in a comparison the run's less the other's. None: it means nothing here, or is not known.
    std::optional<double> value(const HeadMeasure& measure, const HeadKey& head) const;
    QString valueText(const HeadMeasure& measure, const HeadKey& head) const; // empty: there is none
    // None in a comparison, where a head may be of two kinds.
    std::optional<HeadKind> kind(const HeadKey& head) const;

    const HeadMeasure* noted() const { return m_noted; } // the measure on the tiles; null: none
    bool notesKinds() const { return m_notesKinds; }
    QString note(const HeadKey& head) const; // of the measure
    QString sentence(const HeadKey& head) const; // kind and all measures, for who points at it
    QString job(const HeadKey& head) const; // its kind, or where a large part of its weights goes; empty: neither
    // In the order that is chosen; none: by place.
    std::vector<HeadSection> sections(const std::vector<HeadKey>& heads) const;

    static QString title(const HeadMeasure& measure);
    static QString title(HeadKind kind);
    static QString mark(HeadKind kind);

private:
    std::vector<HeadSection> byMeasure(const HeadMeasure& measure, const std::vector<HeadKey>& heads) const;
    std::vector<HeadSection> byKind(const std::vector<HeadKey>& heads) const;
    std::vector<HeadSection> byLikeness(const std::vector<HeadKey>& heads) const;

    std::shared_ptr<const HeadFacts> m_facts; // never null
    std::shared_ptr<const HeadChanges> m_without;
    bool m_difference = false;
    HeadOrder m_order = HeadOrder::Place;
    bool m_leastFirst = false;
    const HeadMeasure* m_noted = nullptr;
    bool m_notesKinds = false;
};

} // namespace attn::ui
