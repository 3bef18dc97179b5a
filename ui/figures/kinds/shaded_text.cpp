// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "figures/kinds/lines_content.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/color_scale.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"
#include "figures/parts/no_numbers.h"
#include "figures/parts/running_text.h"
#include "figures/parts/shaded_tokens.h"

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
constexpr double largest = 2.2; // letters of a short text, by those of labels
constexpr double filled = 0.5; // share of the room that letters are made larger for

// The text itself, shaded by what the picked tokens attend to, or by what attends to them; nothing picked: the row of
// the step, or else the mean over all rows. Of a difference of two runs the colours are the signs.
class ShadedText final : public ShadedTokens
{
public:
    ShadedText(const FigureSpec& spec, MatrixContent content, const Trace& trace, QSizeF size)
        : ShadedTokens(spec, std::move(content), size)
    {
        if (hasNothing())
            return;
        takeShades(trace);
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
        if (!m_spec.noLegend)
            paintShadeLegend(painter, m_legendTop, m_shows, [this](double value) { return ground(value); });
    }

    Flow flow() const override { return m_blocks.front().text.isRightToLeft() ? Flow::TextFromRight : Flow::Text; }

    QString valuesOf(TokenPlace place) const override
    {
        const auto other = onSide(place, shadedSide());
        return other ? valueText(value(*other)) : QString();
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

    // Meaning of the colours.
    void takeShades(const Trace& trace)
    {
        const bool forth = pickSide() == Side::Rows;
        shade(usualSources());
        const std::vector<float> shown(values().begin(), values().end());
        setEnd(m_content.map.isSigned ? largestMagnitude(shown) : weightScaleEnd(shown));
        const QString explained = explainedText(m_spec, trace);
        m_shows = !explained.isEmpty() ? capitalized(explained)
            : isMean()                 ? (forth ? tr("Mean over all rows: click a word to see what it attends to")
                                                : tr("Mean over all columns: click a word to see what attends to it"))
            : forth                    ? tr("What this attends to: %1").arg(pickedNames())
                                       : tr("What attends to this: %1").arg(pickedNames());
    }

    void layOut(const Trace& trace)
    {
        double all = addBlocks(trace, m_style.font);
        const double line = QFontMetricsF(m_style.small).height();
        const double legend = m_spec.noLegend ? 0 : barHeight + shadedGap + 2 * line;
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
            const double shown = value(*indices[piece]);
            for (const QRectF& rect : block.text.rects(piece)) {
                const QRectF box = rect.translated(block.origin);
                if (std::isfinite(shown)) {
                    painter.fillRect(box | followingBox(block, piece, rect).translated(block.origin), ground(shown));
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
            const bool isSource = source && std::ranges::find(sources(), *source) != sources().end();
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
