// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/encoding.h"
#include "base/index.h"
#include "figures/kinds/lines_content.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_range.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"
#include "figures/parts/heard_sound.h"
#include "figures/parts/shaded_tokens.h"
#include "maps/map_range.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

constexpr double waveHeight = 44;
constexpr double usualSpectrogram = 120; // height in a file
constexpr double nameShare = 0.25; // of the width, at most
constexpr double veil = 0.6; // opacity of the largest weight over the sound
constexpr double spanBar = 3;
constexpr double faintestPart = 0.004; // of the scale: less is not seen

MatrixContent soundContent(const FigureSpec& spec, const Trace& trace)
{
    MatrixContent content = heatmapContent(spec, trace);
    content.valueName = valueName(spec); // of the colours over the sound, which are weights in every range
    if (content.rows() > 0 && trace.columnTokens(spec.site, spec.leaf).times.empty()) {
        content.map.numbers = {};
        content.empty = Figure::tr("This attention does not listen to the sound: choose another one");
        content.description = content.empty;
    }
    return content;
}

// Spans of an axis in time; nowhere for what is not said: the end, though it has one in archives.
std::vector<TimeSpan> spansOf(const MapAxis& axis, const Encoding& tokens)
{
    std::vector<TimeSpan> spans;
    for (const AxisGroup& group : axis.groups) {
        TimeSpan span{nowhere, nowhere};
        for (int token = std::max(0, group.first); group.first >= 0 && token < group.first + group.count; ++token) {
            if (token >= indexSize(tokens.times) || isSpecial(tokens, token)
                || !tokens.times[static_cast<std::size_t>(token)].isPlace())
                continue;
            const TimeSpan& time = tokens.times[static_cast<std::size_t>(token)];
            span = span.isPlace() ? TimeSpan{std::min(span.begin, time.begin), std::max(span.end, time.end)} : time;
        }
        spans.push_back(span);
    }
    return spans;
}

// The sound from left to right under the weights of the picked words, and below it a row of weights for each word, with
// its span as a bar; or the words by how much they listen to the picked places. Where places listen to each other there
// are no rows.
class SoundFigure final : public ShadedTokens
{
public:
    SoundFigure(const FigureSpec& spec, const Trace& trace, QSizeF size)
        : ShadedTokens(spec, soundContent(spec, trace), size)
    {
        if (hasNothing())
            return;
        const Encoding rowTokens = trace.rowTokens(m_spec.site, m_spec.leaf);
        const Encoding columnTokens = trace.columnTokens(m_spec.site, m_spec.leaf);
        m_sound = HeardSound(trace.media(), columnTokens);
        m_columnSpans = spansOf(m_content.map.columns, columnTokens);
        m_rowSpans = spansOf(m_content.map.rows, rowTokens);
        m_rowsPlaced = trace.attendsToItself(m_spec.site);
        if (!m_rowsPlaced && picked().empty()) // words listen to the sound, it does not listen to them
            m_spec.shading = Shading::AttendedTo;
        takeShades(trace);
        layOut();
        describeShades();
    }

    FigureHit hitTest(QPointF point) const override
    {
        const bool isSeen = m_wave.contains(point) || m_spectrogram.contains(point) || m_rowRoom.contains(point);
        return isSeen ? TokenFigure::hitTest(point) : FigureHit();
    }

    std::optional<TimeSpan> timeOf(TokenPlace place) const override
    {
        const auto& spans = place.side == TokenSide::Rows ? m_rowSpans : m_columnSpans;
        const bool known = place.index >= 0 && place.index < indexSize(spans)
            && spans[static_cast<std::size_t>(place.index)].isPlace();
        return known ? std::optional(spans[static_cast<std::size_t>(place.index)]) : std::nullopt;
    }

    double scrollRange() const override { return m_scrollRange; }

protected:
    QString valuesOf(TokenPlace place) const override
    {
        QStringList parts;
        if (place.side == shadedSide() || m_rowsPlaced)
            parts << valueText(value(place.index));
        if (const auto span = timeOf(place))
            parts << tr("%1 to %2 s")
                         .arg(decimal(static_cast<double>(span->begin), 2), decimal(static_cast<double>(span->end), 2));
        return parts.join(QStringLiteral("   "));
    }

    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        m_sound.paintWave(painter, m_wave, m_style);
        m_sound.paintSpectrogram(painter, m_spectrogram, m_style);
        if (m_rowsPlaced || shadedSide() == TokenSide::Columns)
            paintVeil(painter);
        paintTimes(painter);
        {
            const SavedPainter saved(painter);
            painter.setClipRect(QRectF(m_wave.topLeft(), m_spectrogram.bottomRight()).adjusted(-2, -2, 2, 2),
                                Qt::IntersectClip);
            paintOutlines(painter, highlight, sources());
        }
        if (lanes() > 0)
            paintLanes(painter, highlight);
        paintShadeLegend(painter, [this](double value) { return ground(value); });
    }

private:
    // Columns as they are painted.
    struct Strip
    {
        double left = 0;
        double right = 0;
        double part = 0; // of the scale, with its sign
    };

    int lanes() const { return m_rowsPlaced ? 0 : written(TokenSide::Rows); }

    QRectF lane(int row) const
    {
        return {m_rowRoom.left(), m_rowRoom.top() + row * m_laneHeight - m_scrolled, m_rowRoom.width(), m_laneHeight};
    }

    // The part of wave and spectrogram that a span covers; null: none.
    QRectF frameOf(const TimeSpan& span) const
    {
        if (!span.isPlace() || static_cast<double>(span.begin) >= m_sound.seconds())
            return {};
        const QRectF all(m_wave.topLeft(), m_spectrogram.bottomRight());
        const double left = m_sound.at(static_cast<double>(span.begin), all);
        const double right = m_sound.at(std::min(static_cast<double>(span.end), m_sound.seconds()), all);
        return {QPointF(left, all.top()), QPointF(std::max(right, left + 0.5), all.bottom())};
    }
    QRectF frameOf(int column) const { return frameOf(m_columnSpans[static_cast<std::size_t>(column)]); }

    void takeShades(const Trace& trace)
    {
        shade(usualSources());
        setEnd(largestMagnitude(std::vector<float>(values().begin(), values().end())));
        sayShades(
            {explainedText(m_spec, trace), tr("What this listens to: %1"), tr("What listens to this: %1"),
             m_rowsPlaced ? tr("What all places listen to, on average") : tr("What all words listen to, on average")});
    }

    void layOut()
    {
        const double width = m_size.width() - 2 * margin;
        const double top = margin + headerHeight() + shadedGap;
        const QFontMetricsF metrics(m_style.font);
        const double times = QFontMetricsF(m_style.small).height() + 2;
        const double legend = shadeLegendHeight();
        const int most = m_rowsPlaced ? 0 : rows(); // those that are still to be written keep their room
        double names = 0;
        for (int row = 0; row < most; ++row)
            names = std::max(names, labelWidth(label({TokenSide::Rows, row}), metrics));
        names = most == 0 ? 0 : std::min(names, nameShare * width) + shadedGap;
        m_laneHeight = std::ceil(metrics.height()) + spanBar + 2;
        const double all = most * m_laneHeight;
        const bool natural = m_size.height() <= 0;
        const double room = natural ? waveHeight + usualSpectrogram + times + all
                                    : std::max(80.0, m_size.height() - top - legend - margin - 2 * shadedGap);
        const double wave = std::min(waveHeight, 0.15 * room);
        const double highest = std::max(2.5 * usualSpectrogram, width / 4);
        const double shown = natural ? all : std::min(all, std::max(0.45 * room, room - highest));
        const double spectrogram = natural ? usualSpectrogram : std::min(highest, room - wave - times - shown);
        m_wave = QRectF(margin + names, top, width - names, wave);
        m_spectrogram = QRectF(m_wave.left(), m_wave.bottom(), m_wave.width(), std::max(20.0, spectrogram));
        m_rowRoom = QRectF(margin, m_spectrogram.bottom() + times + shadedGap, width, shown);
        m_legendTop = m_rowRoom.bottom() + shadedGap;
        m_scrollRange = std::max(0.0, std::floor(all - shown));
        m_scrolled = std::clamp(m_spec.visible.y(), 0.0, m_scrollRange);
        if (natural)
            m_size.setHeight(m_legendTop + legend + margin);
        for (int column = 0; column < columns(); ++column)
            addMark({{m_rowsPlaced ? std::optional(column) : std::nullopt, column}, {frameOf(column)}, true});
        for (int row = 0; row < most; ++row) // and the time of the word
            addMark({{row, std::nullopt}, {lane(row), frameOf(m_rowSpans[static_cast<std::size_t>(row)])}, true});
    }

    QColor inkOf(double value) const
    {
        return m_content.map.isSigned ? m_style.colors.ofSign(value) : m_style.colors.bar;
    }

    // The columns that are seen. Where they are narrower than a dot, a strip has the largest of those that begin in it.
    template<class PartOf>
    std::vector<Strip> strips(PartOf partOf) const
    {
        std::vector<Strip> all;
        for (int column = 0; column < columns(); ++column) {
            const double part = partOf(column);
            const QRectF box = std::abs(part) > faintestPart ? frameOf(column) : QRectF();
            if (box.isNull())
                continue;
            const bool isNarrow = box.width() < 1;
            const double left = isNarrow ? std::floor(box.left()) : box.left();
            if (all.empty() || !isNarrow || all.back().left < left)
                all.push_back({left, isNarrow ? left + 1 : box.right(), part});
            else if (std::abs(part) > std::abs(all.back().part))
                all.back().part = part;
        }
        return all;
    }

    void paintVeil(QPainter& painter) const
    {
        painter.setRenderHint(QPainter::Antialiasing, false); // no seams
        for (const Strip& strip : strips([this](int column) { return part(value(column)); })) {
            QColor color = inkOf(strip.part);
            color.setAlphaF(static_cast<float>(veil * std::abs(strip.part)));
            painter.fillRect(
                QRectF(strip.left, m_wave.top(), strip.right - strip.left, m_spectrogram.bottom() - m_wave.top()),
                color);
        }
        painter.setRenderHint(QPainter::Antialiasing, true);
    }

    void paintTimes(QPainter& painter) const
    {
        constexpr double apart = 60; // dots between two numbers
        const double least = m_sound.seconds() * apart / std::max(apart, m_wave.width());
        double step = std::pow(10, std::floor(std::log10(least)));
        step *= step >= least ? 1 : 2 * step >= least ? 2 : 5 * step >= least ? 5 : 10;
        const double line = QFontMetricsF(m_style.small).height();
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_style.colors.grid, 1));
        painter.drawRect(QRectF(m_wave.topLeft(), m_spectrogram.bottomRight()));
        for (int i = 0; i * step <= m_sound.seconds() * (1 + 1e-9); ++i) {
            const double x = m_sound.at(i * step, m_wave);
            painter.setPen(QPen(m_style.colors.grid, 1));
            painter.drawLine(QPointF(x, m_spectrogram.bottom()), QPointF(x, m_spectrogram.bottom() + 3));
            const double left = std::min(x - apart / 2, m_size.width() - apart);
            drawLabel(painter, m_style.small, m_style.colors.muted, {left, m_spectrogram.bottom() + 2, apart, line},
                      Qt::AlignHCenter, shortDecimal(i * step, 3) + QStringLiteral(" s"));
        }
    }

    void paintLanes(QPainter& painter, const Highlight& highlight) const
    {
        const SavedPainter saved(painter);
        if (m_scrollRange > 0)
            painter.setClipRect(m_rowRoom, Qt::IntersectClip);
        const ValueScale scale = m_content.valueScale();
        const bool shaded = shadedSide() == TokenSide::Rows;
        for (int row = 0; row < lanes(); ++row) {
            const QRectF box = lane(row);
            if (!box.intersects(m_rowRoom))
                continue;
            const QRectF name(box.left(), box.top(), m_wave.left() - shadedGap - box.left(), box.height());
            if (shaded)
                paintGround(painter, name.adjusted(-2, 1, 2, -1), value(row));
            drawLabel(painter, m_style.font, m_style.colors.ink, name, Qt::AlignRight, label({TokenSide::Rows, row}));
            paintLane(painter, row, QRectF(m_wave.left(), box.top() + 1, m_wave.width(), box.height() - spanBar - 2),
                      scale);
            const QRectF span = frameOf(m_rowSpans[static_cast<std::size_t>(row)]);
            if (!span.isNull())
                painter.fillRect(QRectF(span.left(), box.bottom() - spanBar - 1, span.width(), spanBar),
                                 m_style.colors.accent);
        }
        paintOutlines(painter, highlight, sources());
    }

    void paintLane(QPainter& painter, int row, const QRectF& box, const ValueScale& scale) const
    {
        painter.fillRect(box, m_style.colors.background);
        painter.setRenderHint(QPainter::Antialiasing, false);
        const auto partOf = [&](int column) { return scale.part(m_content.onScale(row, column)); };
        for (const Strip& strip : strips(partOf))
            painter.fillRect(QRectF(strip.left, box.top(), strip.right - strip.left, box.height()),
                             mixed(m_style.colors.background, inkOf(strip.part), std::abs(strip.part)));
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_style.colors.grid, 0.5));
        painter.drawRect(box);
    }

    HeardSound m_sound;
    std::vector<TimeSpan> m_columnSpans;
    std::vector<TimeSpan> m_rowSpans;
    bool m_rowsPlaced = false;
    QRectF m_wave;
    QRectF m_spectrogram;
    QRectF m_rowRoom; // of the words' weights
    double m_laneHeight = 0;
    double m_scrollRange = 0;
    double m_scrolled = 0;
};

} // namespace

// The weights of places over the sound that they are of.
extern const FigureKind soundKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<SoundFigure>(spec, trace, size);
    },
    .numbers = soundContent,
    .isIn = [](const Trace& trace) { return !trace.source().times.empty(); },
    .comesFirst = true,
    .cost = [](const FigureSpec& spec,
               const Trace& trace) { return shownMapCost(spec, trace) + heardCost(trace.media().get()); }};

} // namespace attn::ui
