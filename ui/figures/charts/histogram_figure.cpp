// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/histogram_figure.h"

#include "base/index.h"
#include "figures/look/csv_field.h"
#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"
#include "figures/look/value_scale.h"
#include "figures/parts/styled_figure.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn::ui {

namespace {

constexpr double histogramGap = 4;
constexpr double naturalPlotHeight = 130;
constexpr double thinBar = 5; // thinner ones touch each other

QPen dashed(const QColor& color)
{
    QPen pen(color, 1.2);
    pen.setDashPattern({3, 3});
    return pen;
}

// Bars whose heights are shares of all counted values, or these by their width, with a curve and lines to compare them
// with and numbers beneath. One row of cells: the bins.
class HistogramFigure final : public StyledFigure
{
public:
    HistogramFigure(const FigureSpec& spec, HistogramContent content, QSizeF size)
        : StyledFigure(spec, size)
        , m_content(std::move(content))
    {
        const Histogram& histogram = m_content.histogram;
        m_title = m_content.title;
        m_total = std::accumulate(histogram.counts.begin(), histogram.counts.end(), 0);
        const double line = QFontMetricsF(m_style.small).height();
        const double top = 10 + headerHeight() + 3 * histogramGap + line; // the marks' names stand over the plot
        const double bottom = 2 * (line + histogramGap)
            + std::max(m_content.numberLines, indexSize(m_content.numbers)) * line + histogramGap;
        if (m_size.height() <= 0)
            m_size.setHeight(top + naturalPlotHeight + bottom + margin);
        double most = 0;
        for (int bin = 0; bin < columns(); ++bin) {
            most = std::max(most, share(bin));
            if (m_content.density)
                most = std::max(
                    most, m_content.density(histogram.start(bin) + histogram.binWidth() / 2) * histogram.binWidth());
        }
        m_top = std::min(1.0, std::max(most * 1.05, 1e-6));
        const QFontMetricsF metrics(m_style.small);
        double axis = metrics.horizontalAdvance(heightName());
        for (const double height : heights())
            axis = std::max(axis, metrics.horizontalAdvance(heightText(height)));
        axis += histogramGap;
        m_plot = QRectF(margin + axis, top, std::max(10.0, m_size.width() - 2 * margin - axis),
                        std::max(10.0, m_size.height() - top - bottom - histogramGap));
        QStringList numbers;
        for (const auto& number : m_content.numbers)
            numbers << number.name + QLatin1Char(' ') + decimal(number.value, number.decimals);
        m_description = m_total == 0
            ? m_content.empty
            : m_title.title + QStringLiteral(": ") + numbers.join(QStringLiteral(", ")) + QLatin1Char('.');
    }

    QRectF cellRect(int row, int column) const override // the whole height over a bin
    {
        if (row != 0 || column < 0 || column >= columns())
            return {};
        const double left = xOf(m_content.histogram.start(column));
        return {left, m_plot.top(), xOf(m_content.histogram.start(column + 1)) - left, m_plot.height()};
    }

    int rows() const override { return m_total > 0 ? 1 : 0; }
    int columns() const override { return m_total > 0 ? indexSize(m_content.histogram.counts) : 0; }

protected:
    FigureHit hitOf(int row, int bin) const override { return cellHit(row, bin, share(bin), binText(bin)); }

    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        if (m_total == 0)
            return paintEmpty(painter, m_content.empty);
        paintBars(painter, highlight);
        paintAxes(painter);
        paintExpected(painter);
        paintNumbers(painter);
    }

private:
    QRectF barRect(int bin) const
    {
        QRectF cell = cellRect(0, bin);
        cell.setTop(yOf(share(bin)));
        return cell;
    }

    double share(int bin) const { return static_cast<double>(m_content.histogram.counts[bin]) / m_total; }

    double xOf(double value) const
    {
        const auto [least, most] = axisRange();
        return m_plot.left() + (value - least) / (most - least) * m_plot.width();
    }

    double yOf(double part) const { return m_plot.bottom() - std::min(part / m_top, 1.0) * m_plot.height(); }

    std::pair<double, double> axisRange() const
    {
        return m_content.shown.value_or(std::pair(m_content.histogram.least, m_content.histogram.most));
    }

    // share that 1 on the upright axis stands for
    double unit() const { return m_content.perUnit ? m_content.histogram.binWidth() : 0.01; }

    // ticks of the upright axis
    std::vector<double> heights() const { return ticks(0, m_top / unit()); }

    QString heightText(double height) const
    {
        const QString text = tickText(height, heights());
        return m_content.perUnit ? text : text + QStringLiteral(" %");
    }

    QString heightName() const { return m_content.perUnit ? tr("density") : tr("share"); }

    QString binText(int bin) const
    {
        const Histogram& histogram = m_content.histogram;
        const int decimals = std::clamp(static_cast<int>(std::ceil(1 - std::log10(histogram.binWidth()))), 0, 6);
        return tr("%1, %2 to %3: %4 (%5 of %6)")
            .arg(m_content.name, decimal(histogram.start(bin), decimals),
                 decimal(histogram.start(bin) + histogram.binWidth(), decimals), percent(share(bin)))
            .arg(histogram.counts[bin])
            .arg(m_total);
    }

    void paintAxes(QPainter& painter) const
    {
        const QFontMetricsF metrics(m_style.small);
        painter.setFont(m_style.small);
        painter.setPen(QPen(m_style.colors.muted, 1));
        painter.drawLine(m_plot.bottomLeft(), m_plot.bottomRight());
        const auto [least, most] = axisRange();
        const std::vector<double> marks = ticks(least, most);
        double end = -1e9; // of the last label
        for (const double tick : marks) {
            const QString label = tickText(tick, marks);
            const double width = metrics.horizontalAdvance(label);
            const double x = xOf(tick);
            painter.drawLine(QPointF(x, m_plot.bottom()), QPointF(x, m_plot.bottom() + 3));
            if (x - width / 2 < end + histogramGap || x + width / 2 > m_size.width())
                continue;
            drawLabel(painter, {x - width / 2 - 1, m_plot.bottom() + histogramGap, width + 2, metrics.height()},
                      Qt::AlignHCenter, label);
            end = x + width / 2;
        }
        drawLabel(painter,
                  {m_plot.left(), m_plot.bottom() + histogramGap + metrics.height(), m_plot.width(), metrics.height()},
                  Qt::AlignHCenter, m_content.axis);
        paintHeights(painter);
    }

    // Every tick that there is room for.
    void paintHeights(QPainter& painter) const
    {
        const double line = QFontMetricsF(m_style.small).height();
        const std::vector<double> all = heights();
        const double apart = all.size() > 1 ? yOf(all[0] * unit()) - yOf(all[1] * unit()) : m_plot.height();
        const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(line / std::max(1.0, apart))));
        for (std::size_t i = 0; i < all.size(); i += step) {
            const double y = yOf(all[i] * unit());
            painter.drawLine(QPointF(m_plot.left() - 3, y), QPointF(m_plot.left(), y));
            drawLabel(painter, {0, y - line / 2, m_plot.left() - histogramGap, line}, Qt::AlignRight,
                      heightText(all[i]));
        }
        drawLabel(painter, {margin, m_plot.top() - line - 1, m_plot.left() - margin, line}, Qt::AlignLeft,
                  heightName());
    }

    void paintBars(QPainter& painter, const Highlight& highlight) const
    {
        const SavedPainter saved(painter);
        painter.setRenderHint(QPainter::Antialiasing, false);
        const QColor color = m_content.measured ? m_style.colors.generated : m_style.colors.bar;
        if (barRect(0).width() < thinBar) { // one shape, without seams
            QPolygonF outline{m_plot.bottomLeft()};
            for (int bin = 0; bin < columns(); ++bin) {
                const QRectF bar = barRect(bin);
                outline << bar.bottomLeft() << bar.topLeft() << bar.topRight() << bar.bottomRight();
            }
            painter.setRenderHint(QPainter::Antialiasing, true);
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            painter.drawPolygon(outline);
        }
        for (int bin = 0; bin < columns(); ++bin) {
            const bool pointed = highlight.isAt({0, bin});
            if (pointed)
                painter.fillRect(cellRect(0, bin), m_style.colors.blank);
            const QRectF bar = barRect(bin);
            if (bar.width() < thinBar && !pointed)
                continue;
            const double between = bar.width() < thinBar ? 0 : 0.5;
            painter.fillRect(bar.adjusted(between, 0, -between, 0), pointed ? m_style.colors.cursor : color);
        }
    }

    void paintExpected(QPainter& painter) const
    {
        const Histogram& histogram = m_content.histogram;
        const auto [least, most] = axisRange();
        const SavedPainter saved(painter);
        painter.setBrush(Qt::NoBrush);
        if (m_content.density) {
            QPainterPath curve;
            const int points = std::max(2, static_cast<int>(m_plot.width()));
            for (int i = 0; i <= points; ++i) {
                const double value = least + (most - least) * i / points;
                const QPointF point(xOf(value), yOf(m_content.density(value) * histogram.binWidth()));
                i == 0 ? curve.moveTo(point) : curve.lineTo(point);
            }
            painter.setPen(QPen(m_style.colors.accent, 1.6));
            painter.drawPath(curve);
        }
        const QFontMetricsF metrics(m_style.small);
        painter.setFont(m_style.small);
        double end = -1e9;
        for (const auto& [value, name] : m_content.marks) {
            if (value < least || value > most)
                continue;
            const double x = xOf(value);
            painter.setPen(dashed(m_style.colors.accent));
            painter.drawLine(QPointF(x, m_plot.top()), QPointF(x, m_plot.bottom()));
            if (name.isEmpty())
                continue;
            const double width = metrics.horizontalAdvance(name);
            const double left =
                std::clamp(x - width / 2, m_plot.left(), std::max(m_plot.left(), m_plot.right() - width));
            if (left < end + histogramGap)
                continue;
            painter.setPen(m_style.colors.accent);
            drawLabel(painter, {left, m_plot.top() - metrics.height() - 1, width + 1, metrics.height()}, Qt::AlignLeft,
                      name);
            end = left + width;
        }
    }

    void paintNumbers(QPainter& painter) const
    {
        const QFontMetricsF metrics(m_style.small);
        double y = m_plot.bottom() + 2 * (metrics.height() + histogramGap);
        double end = 0; // of the widest name, and of the widest number behind it
        for (const auto& number : m_content.numbers)
            end = std::max(end, metrics.horizontalAdvance(number.name));
        end += margin + 4 * histogramGap + metrics.horizontalAdvance(QStringLiteral("\u22120.0000"));
        end = std::min(end, m_plot.right());
        painter.setFont(m_style.small);
        for (const auto& number : m_content.numbers) {
            const QString value = decimal(number.value, number.decimals);
            const double width = metrics.horizontalAdvance(value);
            painter.setPen(m_style.colors.muted);
            drawLabel(painter, {margin, y, end - margin - width - histogramGap, metrics.height()}, Qt::AlignLeft,
                      number.name);
            painter.setPen(m_style.colors.ink);
            drawLabel(painter, {end - width - 1, y, width + 1, metrics.height()}, Qt::AlignRight, value);
            y += metrics.height();
        }
    }

    HistogramContent m_content;
    QRectF m_plot;
    int m_total = 0;
    double m_top = 1; // share that the plot's height stands for
};

} // namespace

std::unique_ptr<const Figure> histogramFigure(const FigureSpec& spec, const HistogramContent& content, QSizeF size)
{
    return std::make_unique<HistogramFigure>(spec, content, size);
}

double histogramTitleRoom(const FigureSpec& spec, const FigureTitle& title)
{
    return title.formula.empty() ? 0 : FormulaLayout(title.formula, FigureStyle(spec).title).size().height();
}

QByteArray histogramCsv(const std::vector<HistogramContent>& contents)
{
    QString text = QStringLiteral("histogram,measure,from,to,value\r\n");
    for (const HistogramContent& content : contents) {
        const Histogram& histogram = content.histogram;
        const QString name = csvField(content.name);
        if (std::accumulate(histogram.counts.begin(), histogram.counts.end(), 0) == 0)
            continue;
        for (int bin = 0; bin < indexSize(histogram.counts); ++bin)
            text +=
                QStringLiteral("%1,count,%2,%3,%4\r\n")
                    .arg(name, csvNumber(histogram.start(bin)), csvNumber(histogram.start(bin) + histogram.binWidth()))
                    .arg(histogram.counts[bin]);
        for (const auto& number : content.numbers)
            text += QStringLiteral("%1,%2,,,%3\r\n").arg(name, csvField(number.name), csvNumber(number.value));
    }
    return text.toUtf8();
}

} // namespace attn::ui
