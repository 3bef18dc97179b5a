// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "figures/kinds/lines_content.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/color_scale.h"
#include "figures/look/decimal.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"
#include "figures/look/value_scale.h"
#include "figures/parts/no_numbers.h"
#include "figures/parts/running_text.h"
#include "figures/parts/token_figure.h"

#include <QFont>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

constexpr double shadedGap = 8;
constexpr double legendWidth = 120;
constexpr double legendHeight = 10;
constexpr double largest = 2.2; // letters of a short text, by those of labels
constexpr double filled = 0.5; // share of the room that letters are made larger for
constexpr double twoDecimals = 0.1; // from here on they tell values apart
constexpr double strongest = 0.62; // opacity of the colour of the largest weight: letters stay readable on it

// The text itself, shaded by what the picked tokens attend to, or by what attends to them; nothing picked: the row of
// the step, or else the mean over all rows. Of a difference of two runs the colours are the signs.
class ShadedText final : public TokenFigure
{
public:
    ShadedText(const FigureSpec& spec, MatrixContent content, const Trace& trace, QSizeF size)
        : TokenFigure(spec, std::move(content), size)
    {
        if (m_empty) {
            if (m_size.height() <= 0)
                m_size.setHeight(m_size.width() * 0.3);
            return;
        }
        shade(trace);
        layOut(trace);
        m_description += QLatin1Char(' ') + m_shows;
        addNote(m_title, m_description, noNumbersNote(m_content.map));
    }

    FigureHit hitTest(QPointF point) const override
    {
        for (const Block& block : m_blocks) {
            if (!m_text.contains(point))
                continue;
            const auto piece = block.text.at(point - block.origin);
            if (const auto place = piece ? placeOf(block, *piece) : std::nullopt)
                return hitOf(*place);
        }
        return {};
    }

    std::vector<TokenPlace> places() const override
    {
        std::vector<TokenPlace> all;
        for (const Block& block : m_blocks) {
            for (int piece = 0; piece < block.text.count(); ++piece) {
                if (const auto place = placeOf(block, piece))
                    all.push_back(*place);
            }
        }
        return all;
    }

    QRectF rectOf(TokenPlace place) const override
    {
        for (const Block& block : m_blocks) {
            for (int piece = 0; piece < block.text.count(); ++piece) {
                if (placeOf(block, piece) == place)
                    return block.text.rects(piece).front().translated(block.origin);
            }
        }
        return {};
    }

    double scrollRange() const override { return m_scrollRange; }

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        {
            const SavedPainter saved(painter);
            if (m_scrollRange > 0)
                painter.setClipRect(m_text);
            for (const Block& block : m_blocks) {
                drawLabel(painter, m_style.small, m_style.colors.muted,
                          {margin, block.origin.y() - block.nameHeight, m_size.width() - 2 * margin, block.nameHeight},
                          block.text.isRightToLeft() ? Qt::AlignRight : Qt::AlignLeft, block.name);
                paintGrounds(painter, block);
                painter.setPen(m_style.colors.ink);
                block.text.paint(painter, block.origin, writtenPieces(block));
                paintMarks(painter, block, highlight);
            }
        }
        paintLegend(painter);
    }

    Flow flow() const override { return m_blocks.front().text.isRightToLeft() ? Flow::TextFromRight : Flow::Text; }

    QString valuesOf(TokenPlace place) const override
    {
        const auto other = onSide(place, shadedSide());
        return other ? valueText(m_values[*other]) : QString();
    }

private:
    using Side = TokenSide;

    // One of the texts; where both sides are of the same, it is the only one.
    struct Block
    {
        QString name;
        double nameHeight = 0;
        QPointF origin;
        RunningText text;
        std::array<std::vector<std::optional<int>>, 2> indices; // of each piece by side; none: it is not shown there
    };

    Side shadedSide() const { return opposite(pickSide()); }

    QString valueText(double value) const { return numberText(value, m_content.decimalOf(value, 4)); }

    // The same token on a side.
    std::optional<int> onSide(TokenPlace place, Side side) const
    {
        if (place.side == side)
            return place.index;
        for (const Block& block : m_blocks) {
            for (int piece = 0; piece < block.text.count(); ++piece) {
                if (block.indices[at(place.side)][piece] == place.index)
                    return block.indices[at(side)][piece];
            }
        }
        return std::nullopt;
    }

    bool isWritten(const Block& block, int piece) const
    {
        return std::ranges::all_of(std::array{Side::Rows, Side::Columns}, [&](Side side) {
            const auto& index = block.indices[at(side)][piece];
            return !index || *index < written(side);
        });
    }
    int writtenPieces(const Block& block) const
    {
        int pieces = 0;
        while (pieces < block.text.count() && isWritten(block, pieces))
            ++pieces;
        return pieces;
    }

    // A token that is on both sides is on the one that is picked from. None: it is on neither, or still to be written.
    std::optional<TokenPlace> placeOf(const Block& block, int piece) const
    {
        if (!isWritten(block, piece))
            return std::nullopt;
        for (const Side side : {pickSide(), shadedSide()}) {
            if (const auto& index = block.indices[at(side)][piece])
                return TokenPlace{side, *index};
        }
        return std::nullopt;
    }

    static std::size_t at(Side side) { return side == Side::Rows ? 0 : 1; }

    double cell(int pick, int other) const
    {
        return static_cast<double>(pickSide() == Side::Rows ? m_content.map.at(pick, other)
                                                            : m_content.map.at(other, pick));
    }

    bool isSeen(int pick, int other) const
    {
        const int row = pickSide() == Side::Rows ? pick : other;
        const int column = pickSide() == Side::Rows ? other : pick;
        return m_content.map.state(row, column) < CellState::Blank;
    }

    QString pickedNames() const
    {
        constexpr qsizetype most = 4;
        QStringList names;
        for (const int index : m_sources)
            names << label({pickSide(), index});
        const bool more = names.size() > most;
        return names.mid(0, most).join(QStringLiteral(", ")) + (more ? QString(QChar(0x2026)) : QString());
    }

    // The one row that has numbers, where a reading has those of one.
    std::optional<int> onlyRow() const
    {
        std::optional<int> only;
        if (m_spec.head.reading().rowsOf == nullptr)
            return only;
        for (int row = 0; row < m_content.rows(); ++row) {
            int column = 0;
            while (column < m_content.columns() && !m_content.map.hasNumber(row, column))
                ++column;
            if (column == m_content.columns())
                continue;
            if (only)
                return std::nullopt;
            only = row;
        }
        return only;
    }

    // What the colours stand for.
    void shade(const Trace& trace)
    {
        m_sources = picked();
        const bool forth = pickSide() == Side::Rows;
        if (m_sources.empty() && forth && m_content.markedRow)
            m_sources = {*m_content.markedRow};
        if (const auto row = onlyRow(); forth && row) // of an explained token
            m_sources = {*row};
        const bool average = m_sources.empty();
        const int sources = average ? written(pickSide()) : indexSize(m_sources);
        m_values.assign(count(shadedSide()), 0);
        for (int i = 0; i < sources; ++i) {
            for (int other = 0; other < indexSize(m_values); ++other) {
                const int source = average ? i : m_sources[i];
                const double value = cell(source, other);
                // Nothing of what cannot be looked at, or is in one of two runs only.
                m_values[other] += std::isfinite(value) || isSeen(source, other) ? value / (average ? sources : 1) : 0;
            }
        }
        std::vector<float> shown(m_values.begin(), m_values.end());
        // Sums have ends of their own, unless these are given.
        const bool given = m_spec.range.of == ColorRange::Of::Numbers
            || (indexSize(m_sources) == 1 && m_spec.range.of != ColorRange::Of::Map
                && m_spec.range.of != ColorRange::Of::Row);
        m_most = given ? m_content.most : m_content.map.isSigned ? largestMagnitude(shown) : weightScaleEnd(shown);
        m_scale = ValueScale(given ? std::max(0.0, m_content.least) : 0, m_most, m_content.scale);
        const QString explained = explainedText(m_spec, trace);
        m_shows = !explained.isEmpty() ? capitalized(explained)
            : average                  ? (forth ? tr("Mean over all rows: click a word to see what it attends to")
                                                : tr("Mean over all columns: click a word to see what attends to it"))
            : forth                    ? tr("What this attends to: %1").arg(pickedNames())
                                       : tr("What attends to this: %1").arg(pickedNames());
    }

    void layOut(const Trace& trace)
    {
        double all = addBlocks(trace, m_style.font);
        const double line = QFontMetricsF(m_style.small).height();
        const double legend = m_spec.noLegend ? 0 : legendHeight + shadedGap + 2 * line;
        const double top = margin + headerHeight() + shadedGap;
        if (m_size.height() <= 0)
            m_size.setHeight(top + all + legend + margin);
        m_text = QRectF(0, top, m_size.width(), std::max(20.0, m_size.height() - top - legend - margin));
        // Letters twice as large take four times the room.
        if (const double larger = std::min(largest, std::sqrt(filled * m_text.height() / all)); larger > 1) {
            QFont font = m_style.font;
            font.setPixelSize(static_cast<int>(font.pixelSize() * larger));
            all = addBlocks(trace, font);
        }
        m_scrollRange = std::max(0.0, std::floor(all - m_text.height()));
        double y = top - std::clamp(m_spec.visible.y(), 0.0, m_scrollRange);
        for (Block& block : m_blocks) {
            block.origin = {margin, y + block.nameHeight};
            y += block.nameHeight + block.text.height() + shadedGap;
        }
        m_legendTop = std::min(y, m_text.bottom()) + shadedGap;
    }

    // Returns the height of all.
    double addBlocks(const Trace& trace, const QFont& font)
    {
        m_blocks.clear();
        const Encoding rowTokens = trace.rowTokens(m_spec.site, m_spec.leaf);
        const Encoding columnTokens = trace.columnTokens(m_spec.site, m_spec.leaf);
        if (trace.attendsToItself(m_spec.site)) {
            addBlock({}, rowTokens.size() >= columnTokens.size() ? rowTokens : columnTokens, true, true, font);
        } else {
            addBlock(m_content.rowAxis, rowTokens, true, false, font);
            addBlock(m_content.columnAxis, columnTokens, false, true, font);
        }
        double all = 0;
        for (const Block& block : m_blocks)
            all += block.nameHeight + block.text.height() + shadedGap;
        return all;
    }

    // The tokens of an encoding that the matrix has on a side.
    void addBlock(const QString& name, const Encoding& encoding, bool ofRows, bool ofColumns, const QFont& font)
    {
        const std::vector<int> rows = m_content.map.rows.tokens();
        const std::vector<int> columns = m_content.map.columns.tokens();
        std::vector<int> firsts = ofRows ? rows : columns;
        QStringList labels = ofRows ? m_content.rowLabels : m_content.columnLabels;
        if (ofRows && ofColumns) { // some may be on one side only
            firsts.insert(firsts.end(), columns.begin(), columns.end());
            std::sort(firsts.begin(), firsts.end());
            firsts.erase(std::unique(firsts.begin(), firsts.end()), firsts.end());
        }
        std::sort(firsts.begin(), firsts.end());
        std::erase(firsts, MapAxis::noToken); // what only the other of two runs has
        while (labels.size() < std::ssize(firsts))
            labels.append(QString::number(labels.size()));
        if (!firsts.empty())
            labels = labels.mid(0, std::ssize(firsts));
        Block block;
        block.name = name;
        block.nameHeight = name.isEmpty() ? 0 : QFontMetricsF(m_style.small).height() + 2;
        const std::vector<TextPiece> pieces = shownText(encoding, firsts, labels, m_spec.words);
        block.text = RunningText(pieces, font, m_size.width() - 2 * margin);
        const auto find = [&](const std::vector<int>& tokens, std::size_t piece) -> std::optional<int> {
            if (firsts.empty()) // no tokens
                return static_cast<int>(piece);
            const auto found = std::find(tokens.begin(), tokens.end(), firsts[piece]);
            return found == tokens.end() ? std::nullopt : std::optional(static_cast<int>(found - tokens.begin()));
        };
        for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
            block.indices[0].push_back(ofRows ? find(rows, piece) : std::nullopt);
            block.indices[1].push_back(ofColumns ? find(columns, piece) : std::nullopt);
        }
        m_blocks.push_back(std::move(block));
    }

    QColor ground(double value) const
    {
        const ThemeColors& colors = m_style.colors;
        return mixed(colors.background,
                     !m_content.map.isSigned ? colors.bar
                         : value > 0         ? colors.more
                                             : colors.less,
                     strongest * m_scale.fraction(std::abs(value)));
    }

    // Where the next piece goes on beside a box of this one, if it has a ground: under it no seam shows.
    QRectF followingBox(const Block& block, int piece, const QRectF& rect) const
    {
        constexpr double touching = 0.01;
        const int next = piece + 1;
        if (next == block.text.count() || !block.indices[at(shadedSide())][next])
            return {};
        const QRectF& box = block.text.rects(next).front();
        return box.top() == rect.top() && rect.adjusted(-touching, 0, touching, 0).intersects(box) ? box : QRectF();
    }

    void paintGrounds(QPainter& painter, const Block& block) const
    {
        const auto& indices = block.indices[at(shadedSide())];
        for (int piece = 0; piece < block.text.count(); ++piece) {
            if (!indices[piece] || !isWritten(block, piece))
                continue;
            const double value = m_values[*indices[piece]];
            for (const QRectF& rect : block.text.rects(piece)) {
                const QRectF box = rect.translated(block.origin);
                if (std::isfinite(value)) {
                    painter.fillRect(box | followingBox(block, piece, rect).translated(block.origin), ground(value));
                    continue;
                }
                painter.fillRect(box, m_style.colors.blank);
                drawNoNumber(painter, box, m_style);
            }
        }
    }

    void paintMarks(QPainter& painter, const Block& block, const Highlight& highlight) const
    {
        painter.setBrush(Qt::NoBrush);
        for (int piece = 0; piece < block.text.count(); ++piece) {
            const auto& source = block.indices[at(pickSide())][piece];
            const bool isSource = source && std::find(m_sources.begin(), m_sources.end(), *source) != m_sources.end();
            const auto place = placeOf(block, piece);
            const bool pointed =
                place && place->index == (place->side == Side::Rows ? highlight.row : highlight.column);
            const auto token = place ? nameOf(*place) : std::nullopt;
            for (const QRectF& rect : block.text.rects(piece)) {
                const QRectF box = rect.translated(block.origin);
                if (isSource || pointed) {
                    painter.setPen(QPen(isSource ? m_style.colors.accent : m_style.colors.cursor, 1.5));
                    painter.drawRoundedRect(box.adjusted(-1, -1, 1, 1), 3, 3);
                }
                if (token && *token >= m_content.firstGenerated) {
                    painter.setPen(QPen(m_style.colors.generated, 1.2));
                    painter.drawLine(box.bottomLeft(), box.bottomRight());
                }
            }
        }
    }

    void paintLegend(QPainter& painter) const
    {
        if (m_spec.noLegend)
            return;
        const double line = QFontMetricsF(m_style.small).height();
        drawLabel(painter, m_style.small, m_style.colors.muted,
                  {margin, m_legendTop, m_size.width() - 2 * margin, line}, Qt::AlignLeft, m_shows);
        const double least = m_content.map.isSigned ? -m_most : 0;
        const QString low = m_content.map.isSigned ? signedDecimal(least, 2) : QStringLiteral("0");
        const double y = m_legendTop + line + shadedGap / 2;
        const double left = margin + QFontMetricsF(m_style.small).horizontalAdvance(low) + shadedGap / 2;
        const QRectF bar(left, y + (line - legendHeight) / 2, legendWidth, legendHeight);
        constexpr int steps = 30;
        painter.setRenderHint(QPainter::Antialiasing, false); // no seams; in vector files each reaches under the next
        for (int i = 0; i < steps; ++i)
            painter.fillRect(bar.adjusted(i * legendWidth / steps, 0, 0, 0),
                             ground(least + (m_most - least) * (i + 0.5) / steps));
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(QPen(m_style.colors.grid, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(bar);
        drawLabel(painter, m_style.small, m_style.colors.muted, {margin, y, left - margin, line}, Qt::AlignLeft, low);
        drawLabel(painter, m_style.small, m_style.colors.muted,
                  {bar.right() + shadedGap / 2, y, m_size.width() - margin - bar.right(), line}, Qt::AlignLeft,
                  (m_most < twoDecimals ? significant(m_most, 2) : shortDecimal(m_most, 2)) + QStringLiteral("   ")
                      + (indexSize(m_sources) > 1 ? tr("%1, summed").arg(m_content.valueName) : m_content.valueName)
                      + (m_content.map.isSigned && !m_content.scaleNotes.isEmpty()
                             ? QStringLiteral(": ") + m_content.scaleNotes.front()
                             : QString()));
    }

    std::vector<int> m_sources; // of pickSide(), what the shades are of; empty: all
    std::vector<double> m_values; // of the other side
    double m_most = 1;
    ValueScale m_scale; // of magnitudes
    QString m_shows;
    std::vector<Block> m_blocks;
    QRectF m_text; // room of the blocks
    double m_scrollRange = 0; // there is so much more than fits
    double m_legendTop = 0;
};

} // namespace

// The text itself, shaded.
extern const FigureKind textKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<ShadedText>(spec, heatmapContent(spec, trace), trace, size);
    },
    .numbers = heatmapContent,
    .cost = [](const FigureSpec& spec,
               const Trace& trace) { return shownMapCost(spec, trace) + tokensCost(spec, trace); }};

} // namespace attn::ui
