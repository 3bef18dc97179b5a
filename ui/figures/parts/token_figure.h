// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "figures/parts/matrix_content.h"
#include "figures/parts/running_text.h"
#include "figures/parts/styled_figure.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace attn::ui {

// A token where it stands in a figure. From its marks a figure's hits, the order in which it is read, its table and the
// marks of what is picked and pointed at follow.
struct TokenMark
{
    std::array<std::optional<int>, 2> indices; // its row and its column of the matrix
    std::vector<QRectF> boxes; // several where it goes on in another line
    bool isArea = false; // of a picture or a sound; false: its name

    std::optional<int> on(TokenSide side) const { return indices[side == TokenSide::Rows ? 0 : 1]; }
};

// A figure that shows a matrix by its tokens, of which some may be picked.
class TokenFigure : public StyledFigure
{
public:
    // Whose tokens are picked.
    static constexpr TokenSide pickSide(Shading shading)
    {
        return shading == Shading::AttendedTo ? TokenSide::Rows : TokenSide::Columns;
    }
    static constexpr Shading shadingOf(TokenSide side)
    {
        return side == TokenSide::Rows ? Shading::AttendedTo : Shading::Attending;
    }

    int rows() const override { return m_content.rows(); }
    int columns() const override { return m_content.columns(); }
    QStringList rowLabels() const override { return m_content.rowLabels; }
    QStringList columnLabels() const override { return m_content.columnLabels; }

    FigureHit hitTest(QPointF point) const override; // a token
    FigureTable table() const override; // the matrix; tokens are its headers
    std::vector<TokenPlace> places() const; // in the order in which they are read
    QRectF rectOf(TokenPlace place) const; // null: it does not stand there
    FigureHit hitOf(TokenPlace place) const;
    using StyledFigure::hitOf;
    // Where a hit is; none: at no token.
    static std::optional<TokenPlace> placeOf(const FigureHit& hit);
    // Where an arrow key leads; from nowhere to the first. `toward` is one of (-1, 0), (1, 0), (0, -1), (0, 1).
    std::optional<TokenPlace> neighbour(std::optional<TokenPlace> from, QPoint toward) const;
    // Span of a sound that a token stands for; none: of no sound, or not known.
    virtual std::optional<TimeSpan> timeOf(TokenPlace) const { return {}; }
    // Distance that the figure can be moved up: spec.visible.y().
    virtual double scrollRange() const { return 0; }
    // Name of a token in FigureChoices::picked; none: it is of the other of two runs.
    std::optional<int> nameOf(TokenPlace place) const;

protected:
    TokenFigure(const FigureSpec& spec, MatrixContent content, QSizeF size);

    int count(TokenSide side) const { return side == TokenSide::Rows ? rows() : columns(); }
    int written(TokenSide side) const // as MatrixContent::written
    {
        return std::min(count(side), side == TokenSide::Rows ? m_content.written.rows : m_content.written.columns);
    }
    QString label(TokenPlace place) const;
    // Text on a token besides its name.
    virtual QString valuesOf(TokenPlace place) const = 0;
    // Text of what goes from a row to a column.
    virtual QString weightText(int row, int column) const;
    // Order of tokens: as lists, or as text that is read from the left or from the right.
    enum class Flow : std::uint8_t { Lists, Text, TextFromRight };
    Flow m_flow = Flow::Lists;

    void addMark(TokenMark mark); // in the order in which they are read; of what has no box there is none
    void addMarks(const RunningText& text, QPointF origin, TokenSide side); // its pieces are the tokens of a side
    const std::vector<TokenMark>& marks() const { return m_marks; }
    const TokenMark* markOf(TokenPlace place) const; // null: it has none
    // A token that is on both sides is on the one that is picked from.
    TokenPlace placeOf(const TokenMark& mark) const;
    bool isWritten(const TokenMark& mark) const;
    // Around the tokens that are shown from, and the one that is pointed at.
    void paintOutlines(QPainter& painter, const Highlight& highlight, const std::vector<int>& sources) const;
    // Lines under tokens that a model added, that the step is of, or that one of two runs has alone.
    void paintUnderlines(QPainter& painter) const;

    QRectF m_room; // marks that go beyond it are cut off; null: there is none that does
    const std::vector<int>& picked() const { return m_picked; } // indices on pickSide()
    TokenSide pickSide() const { return pickSide(m_spec.shading); }
    bool isPicked(TokenPlace place) const;

    FigureSpec m_spec;
    MatrixContent m_content;

private:
    std::vector<int> m_picked;
    std::vector<TokenMark> m_marks;
    std::array<std::vector<int>, 2> m_markOf; // by row and by column; -1: there is none
};

} // namespace attn::ui
