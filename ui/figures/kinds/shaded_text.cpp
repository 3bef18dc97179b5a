// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "figures/kinds/lines_content.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/saved_painter.h"
#include "figures/look/token_label.h"
#include "figures/look/value_scale.h"
#include "figures/parts/running_text.h"
#include "figures/parts/shaded_tokens.h"
#include "maps/map_range.h"

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
        describeShades();
    }

    double scrollRange() const override { return m_scrollRange; }

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override
    {
        {
            const SavedPainter saved(painter);
            if (m_scrollRange > 0)
                painter.setClipRect(m_room);
            for (const Block& block : m_blocks)
                drawLabel(painter, m_style.small, m_style.colors.muted,
                          {margin, block.origin.y() - block.nameHeight, m_size.width() - 2 * margin, block.nameHeight},
                          block.text.isRightToLeft() ? Qt::AlignRight : Qt::AlignLeft, block.name);
            paintGrounds(painter);
            painter.setPen(m_style.colors.ink);
            for (const Block& block : m_blocks)
                block.text.paint(painter, block.origin, writtenPieces(block));
            paintOutlines(painter, highlight, sources());
            paintUnderlines(painter);
        }
        paintShadeLegend(painter, [this](double value) { return ground(value); });
    }

    QString valuesOf(TokenPlace place) const override
    {
        const TokenMark* const mark = markOf(place);
        const auto other = mark == nullptr ? std::nullopt : mark->on(shadedSide());
        return other ? valueText(value(*other)) : QString();
    }

private:
    // One of the texts; where both sides are of the same, it is the only one.
    struct Block
    {
        QString name;
        double nameHeight = 0;
        QPointF origin;
        RunningText text;
        std::vector<std::array<std::optional<int>, 2>> indices; // of each piece, as TokenMark has them
    };

    int writtenPieces(const Block& block) const
    {
        const auto unwritten = std::ranges::find_if_not(block.indices, [this](const auto& indices) {
            return isWritten(TokenMark{indices, {}});
        });
        return static_cast<int>(unwritten - block.indices.begin());
    }

    // Meaning of the colours.
    void takeShades(const Trace& trace)
    {
        shade(usualSources());
        const std::vector<float> shown(values().begin(), values().end());
        setEnd(m_content.map.isSigned ? largestMagnitude(shown) : weightScaleEnd(shown));
        const bool ofFile = m_size.height() <= 0; // which cannot be clicked
        const bool ofRows = pickSide() == TokenSide::Rows;
        sayShades({explainedText(m_spec, trace), tr("What this attends to: %1"), tr("What attends to this: %1"),
                   ofFile       ? ofRows ? tr("Mean over all rows") : tr("Mean over all columns")
                             : ofRows ? tr("Mean over all rows: click a word to see what it attends to")
                                : tr("Mean over all columns: click a word to see what attends to it")});
    }

    void layOut(const Trace& trace)
    {
        double all = addBlocks(trace, m_style.font);
        const double legend = shadeLegendHeight();
        const double top = margin + headerHeight() + shadedGap;
        if (m_size.height() <= 0)
            m_size.setHeight(top + all + legend + margin);
        m_room = QRectF(0, top, m_size.width(), std::max(20.0, m_size.height() - top - legend - margin));
        // Letters twice as large take four times the room.
        if (const double larger = std::min(largest, std::sqrt(filled * m_room.height() / all)); larger > 1) {
            QFont font = m_style.font;
            font.setPixelSize(static_cast<int>(font.pixelSize() * larger));
            all = addBlocks(trace, font);
        }
        m_scrollRange = std::max(0.0, std::floor(all - m_room.height()));
        double y = top - std::clamp(m_spec.visible.y(), 0.0, m_scrollRange);
        for (Block& block : m_blocks) {
            block.origin = {margin, y + block.nameHeight};
            for (int piece = 0; piece < block.text.count(); ++piece)
                addMark({block.indices[piece], block.text.rects(piece, block.origin)});
            y += block.nameHeight + block.text.height() + shadedGap;
        }
        m_flow = m_blocks.front().text.isRightToLeft() ? Flow::TextFromRight : Flow::Text;
        m_legendTop = std::min(y, m_room.bottom()) + shadedGap;
    }

    // Returns the height of all.
    double addBlocks(const Trace& trace, const QFont& font)
    {
        m_blocks.clear();
        const Encoding rowTokens = trace.rowTokens(m_spec.site, m_spec.leaf);
        const Encoding columnTokens = trace.columnTokens(m_spec.site, m_spec.leaf);
        if (trace.attendsToItself(m_spec.site)) {
            const Encoding text = trace.textAndNext(m_spec.leaf);
            addBlock({}, text.size() >= columnTokens.size() ? text : columnTokens, true, true, font);
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
        const bool shared = ofRows && ofColumns;
        std::vector<int> rows = shared ? m_content.map.rows.textTokens() : m_content.map.rows.tokens();
        const std::vector<int> columns = m_content.map.columns.tokens();
        if (shared && m_spec.words && !rows.empty() && m_content.map.rows.before > 0)
            rows.front() = beginOfWord(encoding, rows.front()); // whose first token no row writes
        std::vector<int> firsts = ofRows ? rows : columns;
        QStringList labels = ofRows ? m_content.rowLabels : m_content.columnLabels;
        if (shared) { // some may be on one side only
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
        for (std::size_t piece = 0; piece < pieces.size(); ++piece)
            block.indices.push_back(
                {ofRows ? find(rows, piece) : std::nullopt, ofColumns ? find(columns, piece) : std::nullopt});
        m_blocks.push_back(std::move(block));
    }

    static int beginOfWord(const Encoding& encoding, int token)
    {
        for (const AxisGroup& word : wordAxis(encoding)) {
            if (token >= word.first && token < word.first + word.count)
                return word.first;
        }
        return token;
    }

    void paintGrounds(QPainter& painter) const
    {
        constexpr double touching = 0.01;
        for (std::size_t i = 0; i < marks().size(); ++i) {
            const auto shaded = marks()[i].on(shadedSide());
            if (!shaded || !isWritten(marks()[i]))
                continue;
            const double shown = value(*shaded);
            const bool goesOn = i + 1 < marks().size() && marks()[i + 1].on(shadedSide());
            const QRectF next = goesOn ? marks()[i + 1].boxes.front() : QRectF();
            for (const QRectF& box : marks()[i].boxes) {
                const bool joins = next.top() == box.top() && box.adjusted(-touching, 0, touching, 0).intersects(next);
                paintGround(painter, box, shown, joins ? next : QRectF());
            }
        }
    }

    std::vector<Block> m_blocks;
    double m_scrollRange = 0; // there is so much more than fits
};

} // namespace

// The text itself, shaded.
extern const FigureKind textKind{
    .layOut = [](const FigureSpec& spec, const Trace& trace, QSizeF size) -> std::unique_ptr<const Figure> {
        return std::make_unique<ShadedText>(spec, heatmapContent(spec, trace), trace, size);
    },
    .numbers = heatmapContent,
    .cost = shownMapCost};

} // namespace attn::ui
