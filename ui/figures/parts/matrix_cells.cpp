// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/matrix_cells.h"

#include "base/index.h"
#include "base/progress.h"
#include "figures/look/token_label.h"

#include <Eigen/Core>

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

namespace attn::ui {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

double statistic(Margins margins, const std::vector<double>& values)
{
    double sum = 0;
    double largest = 0;
    for (const double value : values) {
        sum += value;
        largest = std::max(largest, value);
    }
    if (margins != Margins::Entropy || !(sum > 0))
        return margins == Margins::Largest ? largest : margins == Margins::Sum ? sum : 0;
    double entropy = 0;
    for (const double value : values) {
        if (value > 0)
            entropy -= value / sum * std::log2(value / sum);
    }
    return entropy;
}

// Some cells of a row.
Eigen::Map<const Eigen::ArrayXf> cellsOf(const Numbers& matrix, int row, int first, int count)
{
    return {matrix.row(row).data() + first, count};
}

} // namespace

MatrixCells::MatrixCells(const FigureSpec& spec, MatrixContent content, const FigureStyle& look)
    : m_spec(spec)
    , m_content(std::move(content))
    , m_scale(m_content.valueScale())
{
    m_content.bar = m_content.bar && !spec.noLegend;
    m_zeroRows.resize(static_cast<std::size_t>(rows()));
    // A row most of which is hidden may have left nothing that is seen.
    const double least = m_content.map.isFiltered && !m_content.map.isSigned ? 0.01 : 0;
    for (int row = 0; row < rows() && !m_content.zeroRowText.isEmpty(); ++row) {
        double sum = 0;
        for (const float value : std::as_const(m_content.map.numbers).row(row))
            sum += std::abs(double{value});
        m_zeroRows[static_cast<std::size_t>(row)] = sum <= least;
    }
    m_edits = CellMarks(m_content.map.marks(), rows(), columns());
    m_plain = !m_content.map.isSigned && m_content.rowEnds.empty() && m_edits.empty()
        && std::ranges::find(m_zeroRows, true) == m_zeroRows.end();
    for (int row = 0; row < rows(); ++row) {
        ThreadStop::check();
        lookAtRow(row);
    }
    m_plain = m_plain && m_noNumbers == 0 && (!m_anyBlank || m_least >= 0);
    measureMargins();
    const QFontMetricsF metrics(look.strong); // a label that is pointed at must not outgrow its room
    for (const TokenSide side : {TokenSide::Rows, TokenSide::Columns}) {
        Side& one = m_sides[at(side)];
        one.names = toldApart(m_content.labels(side), m_content.axis(side).textTokens());
        for (int i = 0; i < (side == TokenSide::Rows ? rows() : columns()); ++i)
            one.widths.push_back(ui::labelWidth(one.names.value(i), metrics));
    }
}

void MatrixCells::lookAtRow(int row)
{
    float least = infinity; // of the numbers
    float most = -infinity;
    int numbers = 0;
    int blankFrom = columns();
    bool endsBlank = true; // nothing but blank cells from there on
    const std::span<const float> values = std::as_const(m_content.map.numbers).row(row);
    const bool mayBeBlank = !m_content.map.states.empty() || isZeroRow(row);
    for (int column = 0; column < columns(); ++column) {
        const float value = values[static_cast<std::size_t>(column)];
        if (mayBeBlank && isBlank(row, column)) {
            blankFrom = std::min(blankFrom, column);
            m_anyBlank = true;
            m_plain = m_plain && value == 0;
            continue;
        }
        endsBlank = endsBlank && column < blankFrom;
        if (!m_content.map.hasNumber(row, column)) {
            ++m_noNumbers;
            continue;
        }
        ++numbers;
        least = std::min(least, value);
        most = std::max(most, value);
    }
    m_blankFrom.push_back(blankFrom);
    m_plain = m_plain && endsBlank;
    if (numbers == 0)
        return;
    m_least = std::min(m_least, least);
    const double end = m_content.rowEnds.empty() ? 1 : m_content.rowEnds[static_cast<std::size_t>(row)];
    m_hasAbove = m_hasAbove || m_scale.isAbove(most / end);
    m_hasBelow = m_hasBelow || m_scale.isBelow(least / end);
}

void MatrixCells::measureMargins()
{
    if (m_spec.margins == Margins::None || m_content.map.isSigned || !m_content.hasMargins)
        return;
    const auto sizeOf = [this](int row, int column) {
        return std::abs(static_cast<double>(m_content.map.drawn(row, column)));
    };
    for (const TokenSide side : {TokenSide::Rows, TokenSide::Columns}) {
        const bool ofRows = side == TokenSide::Rows;
        for (int i = 0; i < (ofRows ? rows() : columns()); ++i) {
            ThreadStop::check();
            std::vector<double> line;
            for (int other = 0; other < (ofRows ? columns() : rows()); ++other)
                line.push_back(ofRows ? sizeOf(i, other) : sizeOf(other, i));
            m_sides[at(side)].margins.push_back(statistic(m_spec.margins, line));
        }
    }
}

bool MatrixCells::isBlank(int row, int column) const
{
    return isZeroRow(row) || m_content.map.state(row, column) >= CellState::Blank;
}

// None where all of the cells are blank or hidden, no number where one that is shown is none.
std::optional<double> MatrixCells::pooled(int firstRow, int endRow, int firstColumn, int endColumn) const
{
    const bool mean = m_spec.pooling == CellPooling::Mean;
    double result = 0;
    int count = 0;
    for (int row = firstRow; row < endRow; ++row) {
        for (int column = firstColumn; column < endColumn; ++column) {
            if (isBlank(row, column) || m_edits.isHidden(row, column))
                continue;
            if (!m_content.map.hasNumber(row, column))
                return CellColors::noNumber;
            const double value = m_content.onScale(row, column);
            ++count;
            if (mean)
                result += value;
            else if (count == 1 || (m_content.map.isSigned ? std::abs(value) > std::abs(result) : value > result))
                result = value;
        }
    }
    if (count == 0)
        return std::nullopt;
    return m_scale.fraction(mean ? result / count : result);
}

QImage MatrixCells::picture(const Span& down, const Span& across, const FigureStyle& style) const
{
    if (down.dots <= 0 || across.dots <= 0)
        return {};
    if (m_plain)
        return plainPicture(down, across, style);
    return cellImage(down.dots, across.dots, style, [&](int y, int x) {
        return pooled(down.startOf(y), down.startOf(y + 1), across.startOf(x), across.startOf(x + 1));
    });
}

const QImage& MatrixCells::overview(QSize size, const FigureStyle& style) const
{
    if (m_overview.size() != size)
        m_overview = picture({0, rows(), size.height()}, {0, columns(), size.width()}, style);
    return m_overview;
}

// The same, rows first and then columns, as memory likes it: millions of cells within a frame.
QImage MatrixCells::plainPicture(const Span& down, const Span& across, const FigureStyle& style) const
{
    const bool mean = m_spec.pooling == CellPooling::Mean;
    const CellColors colors(style);
    QImage image(across.dots, down.dots, QImage::Format_RGB32);
    std::vector<int> starts(static_cast<std::size_t>(across.dots) + 1);
    for (int x = 0; x <= across.dots; ++x)
        starts[static_cast<std::size_t>(x)] = across.startOf(x) - across.first;
    Eigen::ArrayXf largest; // of each column
    Eigen::ArrayXd sums;
    for (int y = 0; y < down.dots; ++y) {
        ThreadStop::check();
        const int firstRow = down.startOf(y);
        const int endRow = down.startOf(y + 1);
        for (int row = firstRow; row < endRow; ++row) {
            const auto cells = cellsOf(m_content.map.numbers, row, across.first, across.count);
            if (mean && row == firstRow)
                sums = cells.cast<double>();
            else if (mean)
                sums += cells.cast<double>();
            else if (row == firstRow)
                largest = cells;
            else
                largest = largest.max(cells);
        }
        const std::span<const int> ends(m_blankFrom.data() + firstRow, m_blankFrom.data() + endRow);
        const int blankFrom = *std::ranges::max_element(ends) - across.first;
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y)); // NOLINT: the documented way to write a line
        for (int x = 0; x < across.dots; ++x) {
            const int start = starts[static_cast<std::size_t>(x)];
            const int end = starts[static_cast<std::size_t>(x) + 1];
            std::optional<double> value;
            if (start < blankFrom && mean) {
                int count = 0;
                for (const int blank : ends)
                    count += std::clamp(blank - across.first - start, 0, end - start);
                value = sums.segment(start, end - start).sum() / count;
            } else if (start < blankFrom) {
                value = largest.segment(start, end - start).maxCoeff();
            }
            line[x] = colors.of(value ? std::optional(m_scale.fraction(*value)) : std::nullopt);
        }
    }
    return image;
}

} // namespace attn::ui
