// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/curves_figure.h"

#include "base/index.h"
#include "figures/look/csv_field.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "figures/parts/styled_figure.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr double curvesGap = 4;
constexpr double curvesHeight = 260; // of the plot, in files
constexpr double curvesDot = 3;
constexpr double keyLine = 24;

// A logarithmic axis, and the steps between two of its ticks.
struct LogAxis
{
    double least = 1;
    double most = 10;
    double step = 10;

    void include(double value)
    {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    // 0 at the least, 1 at the most.
    double place(double value) const { return std::log(value / least) / std::log(most / least); }
    std::vector<double> ticks() const
    {
        std::vector<double> found;
        const double steps = std::log(step);
        const auto last = std::lround(std::floor(std::log(most) / steps + 1e-9));
        for (auto power = std::lround(std::ceil(std::log(least) / steps - 1e-9)); power <= last; ++power)
            found.push_back(std::pow(step, power));
        return found;
    }
};

QString tickName(double tick)
{
    return tick < 1 ? shortDecimal(tick) : grouped(std::llround(tick));
}

class CurvesFigure final : public StyledFigure
{
public:
    CurvesFigure(const FigureSpec& spec, CurvesContent content, QSizeF size)
        : StyledFigure(spec, size)
        , m_content(std::move(content))
    {
        m_title = m_content.title;
        readAxes();
        const QFontMetricsF metrics(m_style.small);
        const double line = metrics.height();
        const double names = indexSize(m_content.curves) * (line + curvesGap);
        m_namesTop = 10 + headerHeight() + 2 * curvesGap;
        const double top = m_namesTop + names + line + curvesGap;
        const double below = 2 * (line + curvesGap) + margin;
        if (m_size.height() <= 0)
            m_size.setHeight(top + curvesHeight + below);
        double left = 0;
        for (const double tick : m_yAxis.ticks())
            left = std::max(left, metrics.horizontalAdvance(tickName(tick)));
        left += margin + curvesGap;
        const double right = margin + metrics.horizontalAdvance(tickName(m_xAxis.most)) / 2;
        m_plot = QRectF(left, top, std::max(10.0, m_size.width() - left - right),
                        std::max(10.0, m_size.height() - top - below));
        m_description = m_title.title + QLatin1Char('.');
    }

    QRectF cellRect(int row, int column) const override
    {
        if (row < 0 || row >= rows() || column < 0 || column >= indexSize(m_content.curves[row].points))
            return {};
        const auto& point = m_content.curves[row].points[column];
        return QRectF(-curvesDot, -curvesDot, 2 * curvesDot, 2 * curvesDot).translated(at(point.x, point.y));
    }
    int rows() const override { return indexSize(m_content.curves); }
    int columns() const override
    {
        int most = 0;
        for (const auto& curve : m_content.curves)
            most = std::max(most, indexSize(curve.points));
        return most;
    }

protected:
    FigureHit hitOf(int row, int column) const override
    {
        const auto& curve = m_content.curves[row];
        const auto& point = curve.points.at(column);
        return cellHit(row, column, point.y,
                       QStringLiteral("%1: %2, %3").arg(curve.name, shortDecimal(point.x), significant(point.y, 3)));
    }

    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        paintAxes(painter);
        for (int row = 0; row < rows(); ++row) {
            paintName(painter, row);
            paintCurve(painter, row, highlight);
        }
    }

private:
    void readAxes()
    {
        bool first = true;
        for (const auto& curve : m_content.curves) {
            for (const auto& point : curve.points) {
                const double lower = curve.measured ? std::min(point.lower, point.y) : point.y;
                const double upper = curve.measured ? std::max(point.upper, point.y) : point.y;
                if (first) {
                    m_xAxis = {point.x, point.x, 2};
                    m_yAxis = {lower, upper, 10};
                }
                first = false;
                m_xAxis.include(point.x);
                m_yAxis.include(lower);
                m_yAxis.include(upper);
            }
        }
        m_yAxis.least = std::pow(10, std::floor(std::log10(m_yAxis.least)));
        m_yAxis.most = std::pow(10, std::ceil(std::log10(m_yAxis.most) + 1e-9));
        m_xAxis.most = std::max(m_xAxis.most, 2 * m_xAxis.least);
    }

    QPointF at(double x, double y) const
    {
        return {m_plot.left() + m_xAxis.place(x) * m_plot.width(),
                m_plot.bottom() - m_yAxis.place(y) * m_plot.height()};
    }

    QPen penOf(int row) const
    {
        const std::array<QColor, 3> expected{m_style.colors.accent, m_style.colors.generated, m_style.colors.muted};
        if (m_content.curves[row].measured)
            return {m_style.colors.ink, 1.6};
        QPen pen(expected.at(static_cast<std::size_t>(row) % expected.size()), 1.4);
        pen.setDashPattern({4, 3});
        return pen;
    }

    void paintAxes(QPainter& painter) const
    {
        const QFontMetricsF metrics(m_style.small);
        const double line = metrics.height();
        const QColor& muted = m_style.colors.muted;
        QPen grid(m_style.colors.blank, 1);
        for (const double tick : m_yAxis.ticks()) {
            const double y = at(m_xAxis.least, tick).y();
            painter.setPen(grid);
            painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
            drawLabel(painter, m_style.small, muted, {0, y - line / 2, m_plot.left() - curvesGap, line}, Qt::AlignRight,
                      tickName(tick));
        }
        double end = -1e9; // of the last number
        for (const double tick : m_xAxis.ticks()) {
            const QString text = tickName(tick);
            const double width = metrics.horizontalAdvance(text) + 2;
            const double x = at(tick, m_yAxis.least).x();
            painter.setPen(grid);
            painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
            const double from = std::min(x - width / 2, m_size.width() - width);
            if (from < end + curvesGap)
                continue;
            drawLabel(painter, m_style.small, muted, {from, m_plot.bottom() + curvesGap, width, line}, Qt::AlignHCenter,
                      text);
            end = from + width;
        }
        painter.setPen(QPen(muted, 1));
        painter.drawLine(m_plot.bottomLeft(), m_plot.bottomRight());
        painter.drawLine(m_plot.bottomLeft(), m_plot.topLeft());
        drawLabel(painter, m_style.small, muted,
                  {m_plot.left(), m_plot.bottom() + 2 * curvesGap + line, m_plot.width(), line}, Qt::AlignHCenter,
                  m_content.xAxis);
        drawLabel(painter, m_style.small, muted, {margin, m_plot.top() - line - curvesGap, m_plot.width(), line},
                  Qt::AlignLeft, m_content.yAxis);
    }

    // Above the plot, behind a piece of its line.
    void paintName(QPainter& painter, int row) const
    {
        const double line = QFontMetricsF(m_style.small).height();
        const double y = m_namesTop + row * (line + curvesGap);
        painter.setPen(penOf(row));
        painter.drawLine(QPointF(margin, y + line / 2), QPointF(margin + keyLine, y + line / 2));
        drawLabel(painter, m_style.small, m_style.colors.ink,
                  {margin + keyLine + curvesGap, y, m_size.width() - 2 * margin - keyLine - curvesGap, line},
                  Qt::AlignLeft, m_content.curves[row].name);
    }

    void paintCurve(QPainter& painter, int row, const Highlight& highlight) const
    {
        const auto& curve = m_content.curves[row];
        QPolygonF polygon;
        for (const auto& point : curve.points)
            polygon << at(point.x, point.y);
        painter.setPen(penOf(row));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(polygon);
        for (int column = 0; column < indexSize(curve.points); ++column) {
            const auto& point = curve.points[column];
            const bool pointed = highlight.isAt({row, column});
            if (!curve.measured && !pointed)
                continue;
            painter.setPen(QPen(m_style.colors.ink, 1.2));
            painter.drawLine(at(point.x, point.lower > 0 ? point.lower : point.y),
                             at(point.x, point.upper > 0 ? point.upper : point.y));
            painter.setBrush(pointed ? m_style.colors.cursor : m_style.colors.ink);
            painter.drawEllipse(at(point.x, point.y), curvesDot, curvesDot);
        }
    }

    CurvesContent m_content;
    LogAxis m_xAxis;
    LogAxis m_yAxis;
    QRectF m_plot;
    double m_namesTop = 0;
};

} // namespace

std::unique_ptr<const Figure> curvesFigure(const FigureSpec& spec, const CurvesContent& content, QSizeF size)
{
    return std::make_unique<CurvesFigure>(spec, content, size);
}

QByteArray curvesCsv(const CurvesContent& content)
{
    QString text = QStringLiteral("curve,x,y,lower,upper\r\n");
    for (const auto& curve : content.curves) {
        for (const auto& point : curve.points) {
            const QString range = curve.measured ? csvNumber(point.lower) + QLatin1Char(',') + csvNumber(point.upper)
                                                 : QStringLiteral(",");
            text += QStringLiteral("%1,%2,%3,%4\r\n")
                        .arg(csvField(curve.name), csvNumber(point.x), csvNumber(point.y), range);
        }
    }
    return text.toUtf8();
}

} // namespace attn::ui
