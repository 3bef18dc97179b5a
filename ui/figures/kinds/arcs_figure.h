// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/kinds/lines_content.h"
#include "figures/parts/token_figure.h"

#include <QImage>
#include <QPainterPath>

#include <array>
#include <optional>
#include <vector>

namespace attn::ui {

// Tokens in two lists, output left and input right, or as running text above and below each other, with a line per
// weight whose strength is the weight (after the head view of Vig 2019). Picked tokens, or one that is pointed at,
// stand alone. Several heads have colours of their own; of a difference of two runs the colours are the signs.
class ArcsFigure final : public TokenFigure
{
public:
    ArcsFigure(const FigureSpec& spec, LinesContent content, QSizeF size);
    std::optional<ScaleBar> scaleBar() const override;
    FigureHit hitTest(QPointF point) const override;
    std::vector<TokenPlace> places() const override;
    QRectF rectOf(TokenPlace place) const override;

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override;
    Flow flow() const override;
    void prepare(double dots) const override;

    // To the picked tokens, or else to those that it has most to do with; head by head.
    QString valuesOf(TokenPlace place) const override;
    QString weightText(int row, int column) const override;

private:
    static constexpr double arcGap = 8;

    using Side = TokenSide;
    struct Line
    {
        int head = 0; // index in m_heads
        int row = 0;
        int column = 0;
        double strength = 0; // weight by the largest on the scale, 0 .. 1
        CellMark edit = CellMark::Unedited;
        bool stays = false; // however many there are: edited, or a row's largest where rows have room for a line each
    };

    static std::size_t at(Side side) { return side == Side::Rows ? 0 : 1; }
    bool isText() const { return m_texts[0].count() > 0; }
    const RunningText& text(Side side) const { return m_texts[at(side)]; }
    QPointF origin(Side side) const { return m_origins[at(side)]; }
    double pitch(Side side) const { return m_pitch[at(side)]; }
    // The lists stand in the middle of each other.
    double top(Side side) const { return m_top + (m_room - pitch(side) * count(side)) / 2; }
    bool hasBoxes() const { return m_heads.size() > 1; }
    double boxesWidth() const;
    QString valueText(double value) const;
    void layOut(const std::array<std::vector<TextPiece>, 2>& texts);
    double naturalPitch(int tokens) const; // of a list of so many, where no height is given
    void layOutLists();

    // False where even small letters leave no room for lines.
    bool layOutTexts(const std::array<std::vector<TextPiece>, 2>& texts);
    QRectF labelRect(Side side, int index) const;

    // Where the lines of a token end.
    QPointF anchor(Side side, int index) const;

    // An edited cell has a line whatever its weight.
    void chooseLines();
    void keepStrongest();
    double roomForLines() const; // height, about
    bool isDense() const; // rows have no room for a line each
    QString whyNoLines() const;

    // Of cells that are no numbers, those of a token if one is given, one of so many. Where there are very many, of
    // every so many.
    std::vector<Line> noNumberLines(std::optional<TokenPlace> place = {}, int places = 1) const;
    bool isNoNumber(const HeadWeights& head, TokenPlace place, int other) const;
    double leastDrawn(int row, std::span<const float> weights) const;

    // Of a token and one of the other side.
    static double weight(const HeadWeights& head, Side side, int index, int other);

    // Of some tokens of a side and one of the other; what only one of two runs has counts as nothing.
    double sumOf(const HeadWeights& head, const std::vector<TokenPlace>& places, int other) const;

    // Place of a weight in this row on the scale: 0 .. 1.
    double strength(int row, double value) const;
    double strength(const HeadWeights& head, TokenPlace place, int other) const;
    QColor inkOf(const HeadWeights& head, double value) const;
    const MapAxis& axis(Side side) const { return side == Side::Rows ? m_content.map.rows : m_content.map.columns; }

    // On the other side, what a token has most to do with first.
    std::vector<int> partnersOf(const HeadWeights& head, TokenPlace place) const;

    // The token that is pointed at, a row before a column.
    std::optional<TokenPlace> pointedAt(const Highlight& highlight) const;

    // The tokens whose lines stand alone; all of one side.
    std::vector<TokenPlace> isolated(const Highlight& highlight) const;
    QPainterPath pathOf(const Line& line) const;
    void strokeLine(QPainter& painter, const Line& line, double opacity) const;
    void strokeNoNumbers(QPainter& painter, const std::vector<Line>& lines, double opacity) const;
    static double widthOf(const Line& line) { return 0.6 + 3 * line.strength; }
    static QPen penOf(CellMark edit, const QColor& color, double width);

    // The names of the two texts, and between them what colours and dashes mean.
    void paintNames(QPainter& painter) const;

    // As far as there is room.
    void paintLegend(QPainter& painter, double left, double top, double height) const;
    bool fitsPicture(double scale) const;
    const QImage& linePicture(double scale) const;

    // Beside tokens that are picked others have none; a token that is pointed at only dims them.
    void paintLines(QPainter& painter, const std::vector<TokenPlace>& alone) const;

    // The tokens' weights, to or from: of several heads as boxes beside the tokens opposite, of one as
    // their ground.
    void paintWeights(QPainter& painter, const std::vector<TokenPlace>& alone) const;
    QRectF weightRect(TokenPlace place, int head) const;

    // Which colour is whose, over the lines.
    void paintSigns(QPainter& painter, double y) const;

    // Behind the end of the room of its label that is beside the lines.
    void paintLoneGround(QPainter& painter, Side side, int index) const;
    QColor labelInk(Side side, int index, bool generated) const;

    // The tokens of a side that have to be named; those near them give way.
    std::vector<int> namedFirst(Side side, const Highlight& highlight) const;

    // They thin out to every so many; those near one that has to be there give way to it.
    void paintLabels(QPainter& painter, Side side, const Highlight& highlight) const;
    void paintPick(QPainter& painter, const QRectF& box) const;
    void paintText(QPainter& painter, Side side, const Highlight& highlight) const;

    std::vector<HeadWeights> m_heads;
    ColorBar m_bar; // of the lines' strength; its box is null where there is no room
    double m_top = 0;
    double m_room = 0; // height of the lists
    std::array<double, 2> m_pitch{}; // from one label of a side to the next
    double m_labelWidth = 0;
    double m_left = 0; // where the lines of lists start and end
    double m_right = 0;
    std::array<RunningText, 2> m_texts; // by side; empty: they are lists
    std::array<QPointF, 2> m_origins;
    std::vector<Line> m_lines; // faintest first
    bool m_isCut = false; // only the strongest are there
    QString m_noLines; // why there are none; empty: there are some
    qint64 m_noNumbers = 0; // cells of all heads
    std::vector<Line> m_noNumberLines; // over the others
    mutable double m_pictureScale = 0; // dots of m_picture to one of the figure's
    mutable QImage m_picture; // of all lines, so that moving the pointer strokes only a token's own; made on first need
};

} // namespace attn::ui
