// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure_spec.h"
#include "run/latest_request.h"

#include <QObject>

#include <memory>
#include <optional>
#include <tuple>

namespace attn::ui {

// Finds the ends of ranges over more than one map on another thread, where that takes longer than a frame.
class RangeFinder final : public QObject
{
    Q_OBJECT

public:
    explicit RangeFinder(QObject* parent)
        : QObject(parent)
    {
    }

    // Gives the spec the end of its range; until that is known, the range is the map's. `revision` is the trace's.
    void fill(FigureSpec& spec, const Trace& trace, quint64 revision);
    bool pending() const { return m_latest.pending(); }

Q_SIGNALS:
    void found();

private:
    using Key = std::tuple<quint64, Site, HeadReading, std::optional<StepId>, bool, ColorRange::Of, RangeWithout,
                           double, std::shared_ptr<const ReferenceRun>>;

    LatestRequest m_latest{*this};
    std::optional<Key> m_key; // of m_end, or of what is awaited
    std::optional<double> m_end;
};

} // namespace attn::ui
