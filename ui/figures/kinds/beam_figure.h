// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/kinds/beam_layout.h"
#include "figures/parts/styled_figure.h"

#include <QLineF>
#include <QList>

#include <memory>
#include <optional>
#include <vector>

namespace attn::ui {

extern const FigureKind beamKind; // the hypotheses of a search as a tree

// A beam tree and the ranking of its final hypotheses. Boxes that are large enough show token, probability and sum,
// smaller ones the token, still smaller ones only their strength. Of natural height, a tree that is too wide to be read
// goes on in further bands, like a line of music.
class BeamFigure final : public StyledFigure
{
public:
    BeamFigure(const FigureSpec& spec, const Trace& trace, std::shared_ptr<const BeamLayout> layout, QSizeF size);

    FigureHit hitTest(QPointF point) const override;
    QRectF cellRect(int row, int column) const override; // of the grid that the boxes lie in, also where it is not seen
    int rows() const override { return m_empty ? 0 : static_cast<int>(m_rows); }
    int columns() const override { return m_empty ? 0 : m_layout->columnCount(); }

    QRectF seen() const; // cells that are visible
    QSizeF fewestCells() const; // that are visible at the largest scale
    std::optional<QPointF> cellsAt(QPointF point) const; // none beside the tree
    QRectF nodeRect(int node) const; // what is visible of it; null: nothing
    QRectF foldRect(int node) const; // what folds its box and unfolds it again; null where there is no such thing
    FigureHit nodeHit(int node) const;
    FigureTable table() const override; // a row for each hypothesis, the best first; columns are positions

protected:
    void draw(QPainter& painter, const Highlight& highlight) const override;

private:
    static constexpr double rankRoom = 22;

    // A part of the tree, painted into a rectangle.
    struct Band
    {
        QRectF plot;
        QRectF cells; // what of the tree is shown there
    };
    struct RankingEntry
    {
        int place = 0;
        QString score;
        QString text;
        QRectF box;
    };
    enum class Detail : std::uint8_t { Numbers, Tokens, Strengths };

    QRectF part(const FigureSpec& spec) const;
    void layOut(const QRectF& visible);
    QRectF partFrom(int first, int count) const;
    void layOutBands(const QRectF& tree);
    void layOutRanking(const Trace& trace, const QRectF& box);
    void describe(const FigureSpec& spec, const Trace& trace);

    QPointF at(const Band& band, double column, double row) const;
    QRectF cellsBox(const Band& band, int column, double row, int count) const;
    QRectF boxOf(const Band& band, const BeamItem& item) const;
    QRectF nodeBox(const Band& band, int node) const;
    QRectF foldBox(const Band& band, const BeamItem& item) const;
    int visibleItems(const Band& band) const;
    template<class Visit>
    void forVisible(const Band& band, const Visit& visit) const;
    const Band* bandOf(int column) const;
    bool isSeen(const Band& band, int column) const;

    QColor inkOf(BeamLayout::Strength strength) const;
    void addLine(const Band& band, int column, double from, double to, QList<QLineF>& lines) const;
    void paintEdges(QPainter& painter, const Band& band) const;
    void paintBoxes(QPainter& painter, const Band& band) const;
    void paintStrengths(QPainter& painter, const Band& band) const;
    void paintFinal(QPainter& painter, const Band& band) const;
    void paintItem(QPainter& painter, const Band& band, const BeamItem& item) const;
    void paintTexts(QPainter& painter, const Band& band, const BeamItem& item, const QRectF& box) const;
    void paintFold(QPainter& painter, const Band& band, const BeamItem& item) const;
    void paintFate(QPainter& painter, const Band& band, const BeamItem& item) const;
    void paintAxis(QPainter& painter, const Band& band) const;
    void paintCurrent(QPainter& painter) const;
    void paintRanking(QPainter& painter) const;
    void paintLegend(QPainter& painter) const;

    std::shared_ptr<const BeamLayout> m_layout;
    double m_rows = 0;
    double m_cellWidth = 1;
    double m_cellHeight = 1;
    double m_gutter = 1; // between a box and the next column
    double m_readable = 1; // width of a cell that shows all of a token's numbers
    QSizeF m_largest; // of a cell
    Detail m_detail = Detail::Strengths;
    std::vector<Band> m_bands;
    std::optional<int> m_current; // node that is looked at
    std::vector<RankingEntry> m_ranking;
    QRectF m_rankingBox;
    QString m_moreRanks;
    bool m_marksWords = false; // tokens say which of them begin one
    bool m_crossesOut = false; // probabilities that are no numbers, among others that are
    bool m_legend = true;
    double m_legendTop = 0;
};

// Figure with a layout that was made before.
std::unique_ptr<const BeamFigure> beamFigure(const FigureSpec& spec, const Trace& trace,
                                             std::shared_ptr<const BeamLayout> layout, QSizeF size);

// The node that a run's hypothesis and step stand for; none where there is no such step.
std::optional<int> beamNodeAt(const Trace& trace, std::optional<StepId> leaf, std::optional<int> step);

} // namespace attn::ui
