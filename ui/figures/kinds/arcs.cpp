// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/arcs.h"

#include "figures/kinds/heatmap.h"
#include "figures/look/token_label.h"

#include <QPainter>
#include <QPainterPath>
#include <QTransform>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace attn::ui {

namespace {

constexpr double arcMargin = 12;
constexpr double arcGap = 8;
constexpr double faintest = 0.03; // weaker lines are not drawn
constexpr std::size_t mostLines = 20000;
constexpr double widestSpan = 420;
constexpr double fadedOpacity = 0.15; // of lines that are not the pointed-at token's
constexpr double mostDots = 16e6; // of a picture of the lines

} // namespace

ArcsFigure::ArcsFigure(const FigureSpec& spec, MatrixContent content, QSizeF size)
    : m_content(std::move(content))
    , m_style(spec)
{
    chooseLines();
    layOut(size);
}

double ArcsFigure::strength(int row, int column) const
{
    const double part = static_cast<double>(m_content.matrix.at(row, column)) / m_content.most;
    return part > 0 ? std::min(part, 1.0) : 0;
}

void ArcsFigure::chooseLines()
{
    for (int row = 0; row < rows(); ++row) {
        for (int column = 0; column < columns(); ++column) {
            if (const double value = strength(row, column); value >= faintest)
                m_lines.push_back({row, column, value});
        }
    }
    std::ranges::stable_sort(m_lines, {}, &Line::strength);
    if (m_lines.size() > mostLines)
        m_lines.erase(m_lines.begin(), m_lines.end() - static_cast<std::ptrdiff_t>(mostLines));
}

void ArcsFigure::layOut(QSizeF wanted)
{
    m_size = wanted;
    const QFontMetricsF metrics(m_style.font);
    m_top = arcMargin + headerHeight(m_style) + 2 * arcGap + QFontMetricsF(m_style.small).height();
    const int most = std::max(rows(), columns());
    const bool natural = wanted.height() <= 0;
    if (natural && most > 0) {
        const double pitch = std::max(std::min(metrics.height() * 1.5, 2.0 * wanted.width() / most), 1.0);
        m_size.setHeight(m_top + most * pitch + arcMargin);
    } else if (natural) {
        m_size.setHeight(wanted.width() * 0.3);
    }
    if (rows() == 0 || columns() == 0)
        return;
    const double room = std::max(10.0, m_size.height() - m_top - arcMargin);
    // The shorter side spreads over the height of the longer one, up to a line and a half more.
    const double longest = std::min(room / most, metrics.height() * 2);
    m_rowPitch = std::min(longest * most / rows(), metrics.height() * 2.4);
    m_columnPitch = std::min(longest * most / columns(), metrics.height() * 2.4);
    double widest = 0;
    for (const QStringList& labels : {m_content.rowLabels, m_content.columnLabels}) {
        for (const QString& label : labels)
            widest = std::max(widest, labelWidth(label, QFontMetricsF(m_style.strong)));
    }
    m_labelWidth = std::min(widest + 8, m_size.width() * 0.3);
    const double between = std::min(m_size.width() - 2 * (arcMargin + m_labelWidth + arcGap), widestSpan);
    m_left = (m_size.width() - between) / 2;
    m_right = m_left + between;
}

QRectF ArcsFigure::rowLabelRect(int row) const
{
    return {m_left - arcGap - m_labelWidth, m_top + row * m_rowPitch, m_labelWidth, m_rowPitch};
}

QRectF ArcsFigure::columnLabelRect(int column) const
{
    return {m_right + arcGap, m_top + column * m_columnPitch, m_labelWidth, m_columnPitch};
}

QRectF ArcsFigure::cellRect(int, int) const
{
    return {};
}

bool ArcsFigure::isOwn(const Line& line, const Highlight& highlight) const
{
    return line.row == highlight.row || (highlight.row < 0 && line.column == highlight.column);
}

void ArcsFigure::strokeLine(QPainter& painter, const Line& line, int step, double opacity) const
{
    QColor color = line.row == step ? m_style.colors.accent : m_style.colors.bar;
    color.setAlphaF(static_cast<float>((0.08 + 0.87 * line.strength) * opacity));
    const QPointF from(m_left, rowLabelRect(line.row).center().y());
    const QPointF to(m_right, columnLabelRect(line.column).center().y());
    const double bend = (m_right - m_left) * 0.42;
    QPainterPath path(from);
    path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
    painter.setPen(QPen(color, 0.6 + 3 * line.strength, Qt::SolidLine, Qt::RoundCap));
    painter.drawPath(path);
}

const QImage& ArcsFigure::linePicture(double scale, int step) const
{
    if (!m_picture.isNull() && qFuzzyCompare(m_picture.devicePixelRatio(), scale) && m_pictureStep == step)
        return m_picture;
    const QSizeF dots = m_size * scale;
    m_picture = QImage(static_cast<int>(std::ceil(dots.width())), static_cast<int>(std::ceil(dots.height())),
                       QImage::Format_ARGB32_Premultiplied);
    m_picture.setDevicePixelRatio(scale);
    m_picture.fill(Qt::transparent);
    m_pictureStep = step;
    QPainter painter(&m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const Line& line : m_lines)
        strokeLine(painter, line, step, 1);
    return m_picture;
}

void ArcsFigure::paintLines(QPainter& painter, const Highlight& highlight) const
{
    const bool pointed = highlight.row >= 0 || highlight.column >= 0;
    const int step = highlight.stepRow >= 0 ? highlight.stepRow : m_content.markedRow;
    const double opacity = pointed ? fadedOpacity : 1;
    const QTransform onDevice = painter.deviceTransform();
    const double scale = onDevice.m11();
    const bool upright = onDevice.type() <= QTransform::TxScale && qFuzzyCompare(scale, onDevice.m22()) && scale > 0;
    const bool pictured = isRaster(painter) && upright && !m_size.isEmpty()
        && m_size.width() * m_size.height() * scale * scale <= mostDots;
    if (pictured) {
        painter.setOpacity(opacity);
        painter.drawImage(QPointF(), linePicture(scale, step));
        painter.setOpacity(1);
    }
    for (const Line& line : m_lines) {
        const bool own = pointed && isOwn(line, highlight);
        if (own || !pictured)
            strokeLine(painter, line, step, own ? 1 : opacity);
    }
}

// What the pointed-at token attends to, or is attended from, as grounds behind the labels opposite.
void ArcsFigure::paintGrounds(QPainter& painter, const Highlight& highlight) const
{
    const auto ground = [&](const QRectF& box, double strength) {
        QColor color = m_style.colors.bar;
        color.setAlphaF(static_cast<float>(0.55 * strength));
        painter.fillRect(box.adjusted(0, 0.5, 0, -0.5), color);
    };
    if (highlight.row >= 0 && highlight.row < rows()) {
        for (int column = 0; column < columns(); ++column)
            ground(columnLabelRect(column), strength(highlight.row, column));
    } else if (highlight.column >= 0 && highlight.column < columns()) {
        for (int row = 0; row < rows(); ++row)
            ground(rowLabelRect(row), strength(row, highlight.column));
    }
}

// The token that a pointed-at one has most to do with: a column for a row, a row for a column; -1 without any.
int ArcsFigure::strongestColumn(int row) const
{
    int best = -1;
    for (int column = 0; row >= 0 && row < rows() && column < columns(); ++column) {
        if (strength(row, column) > (best < 0 ? 0 : strength(row, best)))
            best = column;
    }
    return best;
}

int ArcsFigure::strongestRow(int column) const
{
    int best = -1;
    for (int row = 0; column >= 0 && column < columns() && row < rows(); ++row) {
        if (strength(row, column) > (best < 0 ? 0 : strength(best, column)))
            best = row;
    }
    return best;
}

void ArcsFigure::paintLabels(QPainter& painter, const Highlight& highlight) const
{
    const double height = QFontMetricsF(m_style.font).height();
    const int step = highlight.stepRow >= 0 ? highlight.stepRow : m_content.markedRow;
    const bool byRow = highlight.row >= 0;
    // Labels thin out to every so many; those near one that has to be there give way to it.
    const auto isShown = [height](int index, double pitch, int needed) {
        const int every = std::max(1, static_cast<int>(std::ceil(height * 0.98 / pitch)));
        return index == needed || (index % every == 0 && (needed < 0 || std::abs(index - needed) >= every));
    };
    const int neededRow = byRow ? highlight.row : strongestRow(highlight.column);
    for (int row = 0; row < rows(); ++row) {
        if (!isShown(row, m_rowPitch, neededRow))
            continue;
        const bool generated = m_content.isGeneratedRow(row);
        const QFont& plain = generated ? m_style.generated : m_style.font;
        painter.setFont(row == highlight.row || row == step ? m_style.strong : plain);
        painter.setPen(row == step ? m_style.colors.accent : generated ? m_style.colors.generated : m_style.colors.ink);
        drawLabel(painter, rowLabelRect(row).adjusted(3, 0, -3, 0), Qt::AlignRight, m_content.rowLabels.value(row));
    }
    const int neededColumn = byRow ? strongestColumn(highlight.row) : highlight.column;
    for (int column = 0; column < columns(); ++column) {
        if (!isShown(column, m_columnPitch, neededColumn))
            continue;
        const bool generated = m_content.isGeneratedColumn(column);
        const QFont& plain = generated ? m_style.generated : m_style.font;
        painter.setFont(column == highlight.column ? m_style.strong : plain);
        painter.setPen(generated ? m_style.colors.generated : m_style.colors.ink);
        drawLabel(painter, columnLabelRect(column).adjusted(3, 0, -3, 0), Qt::AlignLeft,
                  m_content.columnLabels.value(column));
    }
}

void ArcsFigure::paint(QPainter& painter, const Highlight& highlight) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_style.colors.background);
    painter.setBrush(Qt::NoBrush);
    if (rows() == 0 || columns() == 0) {
        paintEmpty(painter, m_style, m_size, m_content.empty);
        return;
    }
    paintHeader(painter, m_style, m_content.title, arcMargin, m_size.width() - arcMargin);
    const QFontMetricsF small(m_style.small);
    painter.setFont(m_style.small);
    painter.setPen(m_style.colors.muted);
    const double y = m_top - arcGap / 2 - small.height();
    drawLabel(painter, {0, y, m_left - arcGap - 3, small.height()}, Qt::AlignRight, m_content.rowAxis);
    drawLabel(painter, {m_right + arcGap + 3, y, m_size.width() - m_right - arcGap - 3, small.height()}, Qt::AlignLeft,
              m_content.columnAxis);
    paintLines(painter, highlight);
    paintGrounds(painter, highlight);
    paintLabels(painter, highlight);
}

FigureHit ArcsFigure::hitTest(QPointF point) const
{
    FigureHit hit;
    if (rows() == 0 || columns() == 0 || point.y() < m_top)
        return hit;
    const auto row = static_cast<int>((point.y() - m_top) / m_rowPitch);
    const auto column = static_cast<int>((point.y() - m_top) / m_columnPitch);
    if (row < rows() && rowLabelRect(row).contains(point)) {
        hit.part = FigureHit::Part::RowLabel;
        hit.row = row;
        hit.rowToken = m_content.rowToken(row);
        hit.text = m_content.rowLabels.value(row);
    } else if (column < columns() && columnLabelRect(column).contains(point)) {
        hit.part = FigureHit::Part::ColumnLabel;
        hit.column = column;
        hit.columnToken = m_content.columnToken(column);
        hit.text = m_content.columnLabels.value(column);
    }
    return hit;
}

const FigureKind arcsKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<ArcsFigure>(spec, heatmapContent(spec, trace), size);
    },
    .numbers = heatmapContent};

} // namespace attn::ui
