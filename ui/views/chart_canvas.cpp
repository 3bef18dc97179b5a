// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/chart_canvas.h"

#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/look/value_scale.h"
#include "views/figure_canvas.h"

#include <QCategoryAxis>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QPainter>
#include <QPicture>
#include <QSplineSeries>
#include <QValueAxis>
#include <QXYSeries>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

constexpr auto plainName = "plainName"; // of a line: its name says it with markup

// A chart that was painted once, replayed at any size in the same proportions; lines and text stay lines and text. For
// charts, which only the window's thread can paint.
class ChartPicture final : public Figure
{
public:
    ChartPicture(const QPicture& picture, QSizeF recorded, QSizeF wanted, QColor ground, QString description)
        : m_picture(picture)
        , m_recorded(recorded)
        , m_size(wanted)
        , m_ground(ground)
        , m_description(std::move(description))
    {
        if (m_size.height() <= 0)
            m_size.setHeight(recorded.height() * wanted.width() / std::max(1.0, recorded.width()));
    }

    QSizeF size() const override { return m_size; }
    QString description() const override { return m_description; }
    void paint(QPainter& painter, const Highlight&) const override
    {
        painter.fillRect(QRectF(QPointF(), m_size), m_ground);
        if (m_recorded.isEmpty())
            return;
        const double scale = std::min(m_size.width() / m_recorded.width(), m_size.height() / m_recorded.height());
        const SavedPainter saved(painter);
        painter.translate((m_size.width() - m_recorded.width() * scale) / 2,
                          (m_size.height() - m_recorded.height() * scale) / 2);
        painter.scale(scale, scale);
        QPicture picture = m_picture; // replaying moves its position
        // A picture is enlarged to the resolution of what it is played on; here figures are already.
        painter.scale(static_cast<double>(picture.logicalDpiX()) / painter.device()->logicalDpiX(),
                      static_cast<double>(picture.logicalDpiY()) / painter.device()->logicalDpiY());
        picture.play(&painter);
    }

private:
    QPicture m_picture;
    QSizeF m_recorded;
    QSizeF m_size;
    QColor m_ground;
    QString m_description;
};

// Colours of the theme, as figures have them, and the window's fonts. To be called after series and axes were added: it
// also colours the series by the theme.
void styleChart(QChart& chart, Theme theme, const QWidget& window)
{
    chart.setTheme(theme == Theme::Dark ? QChart::ChartThemeDark : QChart::ChartThemeLight);
    chart.setMargins({4, 8, 4, 4}); // half of the topmost tick is above the plot
    chart.layout()->setContentsMargins(0, 0, 0, 0);
    chart.setBackgroundRoundness(0);
    const ThemeColors colors = themeColors(theme);
    chart.setBackgroundBrush(colors.background);
    const QBrush ink = colors.ink;
    const QFont plain = withoutLigatures(window.font());
    QFont strong = plain;
    strong.setBold(true);
    chart.setTitleFont(strong);
    chart.setTitleBrush(ink);
    const QColor grey = theme == Theme::Dark ? colors.muted.darker(140) : colors.muted.lighter(150);
    const std::array lines{colors.bar, colors.accent, colors.generated, grey, colors.ink};
    std::size_t drawn = 0;
    for (QAbstractSeries* series : chart.series()) {
        if (auto* line = qobject_cast<QXYSeries*>(series))
            line->setPen(QPen(lines.at(drawn++ % lines.size()), 2));
    }
    for (QAbstractAxis* axis : chart.axes()) {
        axis->setGridLineColor(colors.grid);
        axis->setLinePenColor(colors.grid);
        axis->setTitleFont(plain);
        axis->setLabelsFont(plain);
        axis->setLabelsBrush(ink);
        axis->setTitleBrush(ink);
    }
    chart.legend()->setFont(plain);
    chart.legend()->setLabelBrush(ink);
}

// Points of the lines by where they are on the axis across.
FigureTable tableOf(const QChart& chart)
{
    std::map<double, std::vector<QString>> rows;
    QStringList names;
    QString axis;
    for (const QAbstractAxis* across : chart.axes(Qt::Horizontal))
        axis = across->titleText();
    for (QAbstractSeries* series : chart.series()) {
        const auto* const line = qobject_cast<const QXYSeries*>(series);
        if (line == nullptr)
            continue;
        for (const QPointF& point : line->points()) {
            auto& row = rows[point.x()];
            row.resize(static_cast<std::size_t>(names.size()));
            row.push_back(significant(point.y(), 4));
        }
        names << line->property(plainName).toString();
    }
    FigureTable table{.rows = static_cast<int>(rows.size()),
                      .columns = rows.empty() ? 0 : static_cast<int>(names.size()),
                      .text = {},
                      .tip = {},
                      .rect = [](FigureCell) { return QRectF(); }};
    std::vector<std::pair<QString, std::vector<QString>>> all;
    for (auto& [x, row] : rows) {
        row.resize(static_cast<std::size_t>(names.size()));
        all.emplace_back(significant(x, 4), std::move(row));
    }
    const auto shared = std::make_shared<const decltype(all)>(std::move(all));
    table.text = [shared, names](FigureCell cell) -> QString {
        if (cell.row == FigureTable::header)
            return names.value(cell.column);
        const auto& [x, values] = (*shared)[static_cast<std::size_t>(cell.row)];
        return cell.column == FigureTable::header ? x : values[static_cast<std::size_t>(cell.column)];
    };
    table.tip = [shared, names, axis, text = table.text](FigureCell cell) -> QString {
        if (FigureTable::isHeader(cell))
            return text(cell);
        return QStringLiteral("%1, %2 %3   %4")
            .arg(names.value(cell.column), axis, (*shared)[static_cast<std::size_t>(cell.row)].first, text(cell));
    };
    return table;
}

} // namespace

QAbstractAxis* roundAxis(double least, double most, int ticks, AxisEnds ends)
{
    if (!(most > least)) {
        const double around = std::max(std::abs(least), 1.0) / 2;
        least -= around;
        most = least + 2 * around;
    }
    QValueAxis round;
    round.setRange(least, most);
    round.setTickCount(ticks);
    round.applyNiceNumbers();
    const double step = (round.max() - round.min()) / std::max(1, round.tickCount() - 1);
    std::vector<double> all;
    for (int i = 0; i < round.tickCount(); ++i)
        all.push_back(std::round(round.min() / step + i) * step);
    const bool ofData = ends == AxisEnds::Data;
    if (ofData)
        std::erase_if(all, [=](double tick) { return tick < least || tick > most; });
    auto* axis = new QCategoryAxis;
    axis->setStartValue(ofData ? least : all.front());
    for (const double tick : all)
        axis->append(tickText(tick, all), tick);
    axis->setRange(ofData ? least : all.front(), ofData ? most : all.back());
    axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    axis->setTruncateLabels(false); // where the chart believes lines to be too close
    return axis;
}

void addLine(QChart& chart, const QString& name, const QList<QPointF>& points, LineForm form)
{
    auto* line = form == LineForm::Smooth ? new QSplineSeries : new QLineSeries;
    line->setName(name.toHtmlEscaped()); // legends are rich text, whatever they hold
    line->setProperty(plainName, name);
    line->setPointsVisible(form == LineForm::Marked);
    line->append(points);
    chart.addSeries(line);
}

void setAxes(QChart& chart, QAbstractAxis* across, QAbstractAxis* up)
{
    chart.addAxis(across, Qt::AlignBottom);
    chart.addAxis(up, Qt::AlignLeft);
    for (QAbstractSeries* series : chart.series()) {
        series->attachAxis(across);
        series->attachAxis(up);
    }
}

ChartCanvas::ChartCanvas(QWidget* parent)
    : QChartView(parent)
{
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setMinimumHeight(160);
}

void ChartCanvas::show(QChart* newChart, Theme theme)
{
    styleChart(*newChart, theme, *this);
    setBackgroundBrush(themeColors(theme).background);
    QChart* old = chart();
    setChart(newChart);
    delete old;
    m_table = tableOf(*newChart);
    tellTable(*this, {});
}

void ChartCanvas::paintEvent(QPaintEvent* event)
{
    QChartView::paintEvent(event);
    if (!hasFocus())
        return;
    QPainter painter(viewport());
    paintFocus(painter, palette(), viewport()->rect());
}

void ChartCanvas::focusInEvent(QFocusEvent* event)
{
    QChartView::focusInEvent(event);
    viewport()->update();
}

void ChartCanvas::focusOutEvent(QFocusEvent* event)
{
    QChartView::focusOutEvent(event);
    viewport()->update();
}

FigureLayout ChartCanvas::layout(const QString& description)
{
    if (chart() == nullptr || chart()->series().isEmpty())
        return {};
    QPicture picture;
    const QSizeF recorded(viewport()->size());
    QPainter painter(&picture);
    render(&painter, QRectF(QPointF(), recorded), viewport()->rect());
    painter.end();
    const QColor ground = backgroundBrush().color();
    return [picture, recorded, ground, description](QSizeF size) {
        return std::make_unique<ChartPicture>(picture, recorded, size, ground, description);
    };
}

} // namespace attn::ui
