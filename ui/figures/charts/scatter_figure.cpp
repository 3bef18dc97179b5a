// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/scatter_figure.h"

#include "base/progress.h"
#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"
#include "figures/parts/no_numbers.h"
#include "figures/parts/styled_figure.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace attn::ui {

namespace {

constexpr double scatterGap = 4;
constexpr double radius = 4;
constexpr double reach = 11; // of the pointer
constexpr double longestLabel = 130;

// One unit is as long on both axes. Names stand beside their points where they overlap nothing; those that fit nowhere
// are said on hover. One row of cells: the points.
class ScatterFigure final : public StyledFigure
{
public:
    ScatterFigure(const FigureSpec& spec, ScatterContent content, QSizeF size)
        : StyledFigure(spec, size)
        , m_content(std::move(content))
        , m_labels(m_content.points.size())
    {
        if (m_size.height() <= 0)
            m_size.setHeight(m_size.width() * 0.8);
        const QFontMetricsF metrics(m_style.small);
        const double axis =
            metrics.height() + scatterGap + metrics.horizontalAdvance(QStringLiteral("\u2212100.0")) + scatterGap;
        const double top = 10 + headerHeight() + 2 * scatterGap;
        m_plot = QRectF(margin + axis, top, std::max(20.0, m_size.width() - 2 * margin - axis),
                        std::max(20.0, m_size.height() - top - margin - 2 * (metrics.height() + scatterGap)));
        m_title = m_content.title;
        m_description = tr("%1. %2: %3 tokens.").arg(m_title.title, m_title.subtitle, QString::number(columns()));
        if (m_content.points.empty()) {
            m_empty = m_description = m_content.empty;
            return;
        }
        addNote(m_title, m_description,
                noNumbersNote(std::ranges::count_if(m_content.points, [](const auto& point) { return !point.at; }),
                              columns()));
        layOutScale();
        layOutLabels();
    }

    FigureHit hitTest(QPointF point) const override // a point or its name
    {
        std::optional<int> nearest;
        double least = reach;
        for (int i = 0; i < columns(); ++i) {
            const QPointF from = position(i) - point;
            const double distance = std::hypot(from.x(), from.y());
            if (distance < least) {
                least = distance;
                nearest = i;
            }
        }
        for (int i = 0; !nearest && i < columns(); ++i) {
            if (m_labels.at(i).contains(point))
                nearest = i;
        }
        if (!nearest)
            return {};
        const auto& entry = m_content.points[*nearest];
        FigureHit hit = cellHit(0, *nearest, 0,
                                !entry.at ? tr("%1 has no place: its vector holds what is no number").arg(entry.label)
                                          : tr("%1 at (%2, %3), token %4 of %5")
                                                .arg(entry.label, decimal(entry.at->x(), 2), decimal(entry.at->y(), 2),
                                                     QString::number(*nearest + 1), QString::number(columns())));
        hit.columnToken = *nearest;
        return hit;
    }

    QRectF cellRect(int row, int column) const override // around a point
    {
        if (row != 0 || column < 0 || column >= columns())
            return {};
        return {position(column) - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)};
    }

    int rows() const override { return m_content.points.empty() ? 0 : 1; }
    int columns() const override { return indexSize(m_content.points); }

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        paintAxes(painter);
        const auto isPointed = [&](int point) { return highlight.isAt({0, point}); };
        for (int point = 0; point < columns(); ++point)
            paintPoint(painter, point, isPointed(point));
        for (const bool pointed : {false, true}) { // over the others
            for (int point = 0; point < columns(); ++point) {
                if (isPointed(point) == pointed)
                    paintLabel(painter, point, pointed);
            }
        }
    }

private:
    // Place of a point; those without one stand in a row above the lower edge.
    QPointF position(int point) const
    {
        const auto& at = m_content.points.at(point).at;
        if (!at)
            return m_plot.bottomLeft() + QPointF(m_plot.width() * (point + 0.5) / columns(), -2 * radius);
        const QPointF from = *at - m_centre;
        return m_plot.center() + QPointF(from.x() * m_scale, -from.y() * m_scale);
    }

    void layOutScale()
    {
        constexpr double far = std::numeric_limits<double>::infinity();
        QPointF least(far, far);
        QPointF most = -least;
        for (const auto& point : m_content.points) {
            if (!point.at)
                continue;
            least = {std::min(least.x(), point.at->x()), std::min(least.y(), point.at->y())};
            most = {std::max(most.x(), point.at->x()), std::max(most.y(), point.at->y())};
        }
        if (least.x() > most.x()) // none has a place
            least = most = QPointF();
        m_centre = (least + most) / 2;
        const QPointF span = most - least;
        // Room for names at the edges.
        const double width = std::max(10.0, m_plot.width() - 90);
        const double height = std::max(10.0, m_plot.height() - 40);
        const double wanted = std::min(span.x() > 0 ? width / span.x() : 1e30, span.y() > 0 ? height / span.y() : 1e30);
        m_scale = wanted < 1e30 ? wanted : std::min(width, height) / 2;
    }

    void layOutLabels()
    {
        const QFontMetricsF metrics(m_style.strong);
        std::vector<int> order(m_content.points.size());
        std::iota(order.begin(), order.end(), 0);
        const auto rank = [&](int point) {
            const auto& entry = m_content.points[point];
            return entry.chosen ? 0 : entry.special ? 2 : 1;
        };
        std::ranges::stable_sort(order, {}, rank);
        for (const int point : order) {
            ThreadStop::check();
            const double width = std::min(labelWidth(m_content.points[point].label, metrics), longestLabel) + 1;
            const double height = metrics.height();
            const QPointF at = position(point);
            for (const double away : {radius + 4, radius + 11, radius + 20}) {
                const std::array<QPointF, 8> corners{{{away, -height / 2},
                                                      {-away - width, -height / 2},
                                                      {-width / 2, -away - height},
                                                      {-width / 2, away},
                                                      {away * 0.7, -away * 0.7 - height},
                                                      {away * 0.7, away * 0.7},
                                                      {-away * 0.7 - width, -away * 0.7 - height},
                                                      {-away * 0.7 - width, away * 0.7}}};
                const auto* const found = std::ranges::find_if(corners, [&](QPointF corner) {
                    return isFree({at + corner, QSizeF(width, height)}, point);
                });
                if (found == corners.end())
                    continue;
                m_labels[point] = {at + *found, QSizeF(width, height)};
                break;
            }
        }
    }

    bool isFree(const QRectF& box, int point) const
    {
        if (!m_plot.contains(box))
            return false;
        for (int other = 0; other < columns(); ++other) {
            const QRectF disc(position(other) - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius));
            if ((other != point && box.intersects(disc)) || box.intersects(m_labels.at(other)))
                return false;
        }
        return true;
    }

    void paintAxes(QPainter& painter) const
    {
        const double line = QFontMetricsF(m_style.small).height();
        const QPointF half = QPointF(m_plot.width(), m_plot.height()) / (2 * m_scale);
        paintGrid(painter, m_plot, m_centre - half, m_centre + half, scatterGap);
        drawLabel(painter, m_style.small, m_style.colors.muted,
                  {m_plot.left(), m_plot.bottom() + 2 * scatterGap + line, m_plot.width(), line}, Qt::AlignHCenter,
                  m_content.xAxis);
        const SavedPainter saved(painter);
        painter.translate(margin / 2, m_plot.center().y());
        painter.rotate(-90);
        drawLabel(painter, {-m_plot.height() / 2, 0, m_plot.height(), line}, Qt::AlignHCenter, m_content.yAxis);
    }

    void paintPoint(QPainter& painter, int point, bool pointed) const
    {
        ThreadStop::check();
        const auto& entry = m_content.points[point];
        const QColor color = pointed ? m_style.colors.cursor
            : entry.chosen           ? m_style.colors.accent
            : entry.special          ? m_style.colors.muted
                                     : m_style.colors.bar;
        const double size = entry.chosen || pointed ? radius + 1 : radius;
        if (!entry.at)
            return drawNoNumber(painter, {position(point) - QPointF(size, size), QSizeF(2 * size, 2 * size)}, m_style);
        painter.setPen(QPen(color, 1.5));
        painter.setBrush(entry.special ? m_style.colors.background : color);
        painter.drawEllipse(position(point), size, size);
    }

    void paintLabel(QPainter& painter, int point, bool pointed) const
    {
        const auto& entry = m_content.points[point];
        QRectF box = m_labels.at(point);
        painter.setFont(pointed || entry.chosen ? m_style.strong : m_style.font);
        if (pointed && box.isNull()) {
            const QFontMetricsF metrics(m_style.strong);
            const double width = labelWidth(entry.label, metrics) + 2;
            const double left =
                std::clamp(position(point).x() + radius + 2, 0.0, std::max(0.0, m_size.width() - width));
            box = {left, position(point).y() - metrics.height() / 2, width, metrics.height()};
            painter.fillRect(box.adjusted(-2, 0, 2, 0), m_style.colors.background);
        }
        if (box.isNull())
            return;
        painter.setPen(pointed             ? m_style.colors.cursor
                           : entry.chosen  ? m_style.colors.accent
                           : entry.special ? m_style.colors.muted
                                           : m_style.colors.ink);
        const bool left = box.center().x() < position(point).x();
        drawLabel(painter, box, left ? Qt::AlignRight : Qt::AlignLeft, entry.label);
    }

    ScatterContent m_content;
    QRectF m_plot;
    QPointF m_centre; // of the data
    double m_scale = 1; // pixels a unit
    std::vector<QRectF> m_labels; // null: there is no room for it
};

} // namespace

std::unique_ptr<const Figure> scatterFigure(const FigureSpec& spec, const ScatterContent& content, QSizeF size)
{
    return std::make_unique<ScatterFigure>(spec, content, size);
}

} // namespace attn::ui
