// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/range_finder.h"

#include "base/progress.h"
#include "figures/figure.h"
#include "figures/kinds/shown_range.h"
#include "run/latest_request.h"
#include "run/user_message.h"

#include <QThreadPool>

namespace attn::ui {

namespace {

constexpr std::size_t cheapRange = 300'000; // weights that are looked at within a frame

} // namespace

void RangeFinder::fill(FigureSpec& spec, const Trace& trace, quint64 revision)
{
    if (spec.kind->drawsAllHeads || rangeCost(spec, trace) <= cheapRange)
        return;
    const bool ofHead = spec.range.of == ColorRange::Of::Head;
    const Key key{revision,
                  ofHead || spec.range.of == ColorRange::Of::Layer ? spec.site : Site{spec.site.stage, 0},
                  ofHead ? spec.head : HeadReading(),
                  spec.leaf,
                  spec.words,
                  spec.range.of,
                  spec.rangeWithout,
                  spec.clip,
                  spec.against};
    if (m_key != key && !m_latest.pending()) { // a run that goes on must not begin it again and again
        m_key = key;
        m_end.reset();
        QThreadPool::globalInstance()->start(HandedOver([this, spec, trace, ticket = m_latest.begin()] {
            const ThreadStop ofMaps(ticket.stop());
            double end = 0; // stays when there is no memory for it
            caught([&] { end = rangeEnd(spec, trace); });
            ticket.report([this, end] {
                m_latest.end();
                m_end = end;
                Q_EMIT found();
            });
        }));
    }
    if (m_key == key && m_end)
        spec.rangeEnd = m_end;
    else
        spec.range.of = ColorRange::Of::Map;
}

} // namespace attn::ui
