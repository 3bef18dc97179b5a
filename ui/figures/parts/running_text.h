// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/words.h"
#include "base/encoding.h"

#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QString>

#include <limits>
#include <memory>
#include <optional>
#include <vector>

class QPainter;
class QTextLayout;

namespace attn::ui {

// A token or a word of a running text.
struct TextPiece
{
    QString before; // between it and the one before: spaces, a line's end
    QString text; // readable; empty: it shares its character with the one before
    bool spelled = true; // letters of the text; false: the name of a token that stands for none
};

// The groups as the text that they were cut from: whole words with their spaces; a second sentence begins a line.
std::vector<TextPiece> textPieces(const Encoding& encoding, const std::vector<AxisGroup>& groups);

// Pieces as running text, wrapped to a width between words, in the direction of its script. Letters join as their
// script wants it, across pieces, too.
class RunningText
{
public:
    RunningText();
    RunningText(const std::vector<TextPiece>& pieces, const QFont& font, double width);
    RunningText(RunningText&&) noexcept;
    RunningText& operator=(RunningText&&) noexcept;
    ~RunningText();

    double height() const { return m_height; }
    double naturalWidth() const { return m_naturalWidth; } // of its widest line
    bool isRightToLeft() const { return m_rightToLeft; }
    const QString& text() const { return m_text; } // all of it, as it is drawn
    int count() const { return static_cast<int>(m_rects.size()); }
    // Where a piece stands, from the text's upper left corner: one box, or several where it goes on in another line or
    // where the direction changes within it. Never empty.
    const std::vector<QRectF>& rects(int piece) const { return m_rects[static_cast<std::size_t>(piece)]; }
    std::vector<QRectF> rects(int piece, QPointF origin) const;
    // With the painter's pen, so many pieces of it; the others keep their room.
    void paint(QPainter& painter, QPointF origin, int pieces = std::numeric_limits<int>::max()) const;

private:
    struct Range
    {
        int first = 0;
        int length = 0;
    };

    void join(const std::vector<TextPiece>& pieces);
    void wrap(double width);
    void place();
    void addBoxes(std::vector<QRectF>& boxes, const Range& range, int firstLine) const; // that it is in

    QString m_text;
    std::vector<Range> m_ranges; // of the pieces
    std::vector<std::vector<QRectF>> m_rects;
    std::unique_ptr<QTextLayout> m_layout;
    double m_height = 0;
    double m_naturalWidth = 0;
    bool m_rightToLeft = false;
};

} // namespace attn::ui
