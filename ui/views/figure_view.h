// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/latest_request.h"
#include "state/appearance.h"
#include "state/selection.h"
#include "state/study.h"
#include "views/figure_canvas.h"
#include "views/range_finder.h"

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>
#include <tuple>
#include <vector>

class QLabel;

namespace attn::ui {

class Minimap;
class ScaleControl;

// The state that every view looks at.
struct ViewContext
{
    Study& study;
    Selection& selection;
    Appearance& appearance;
};

// Shows one figure of the run: zoom and pan in cells, and what is pointed at in the selection.
class FigureView : public FigureCanvas
{
    Q_OBJECT

public:
    FigureView(const FigureKind& kind, ViewContext context, QWidget* parent = nullptr);

    // The figure on the screen, for exports.
    virtual FigureSpec spec() const;
    // Whether the figure that is wanted is still being made and an older one is on the screen.
    bool isDrawing() const { return m_elsewhere.pending() || m_ranges->pending(); }
    // Whether there is a weight that can be dragged up and down: with Ctrl, or without where all cells are seen, so
    // that dragging pans nothing.
    bool isDraggable(const FigureHit& hit) const;

    QSize sizeHint() const override { return {640, 480}; }
    QSize minimumSizeHint() const override { return {220, 160}; }

public Q_SLOTS:
    void zoomIn() { zoom(zoomStep, std::nullopt); }
    void zoomOut() { zoom(1 / zoomStep, std::nullopt); }
    void showEverything();
    void showAround(QPointF center); // of the visible cells, in columns and rows
    void askForMenu(); // of what was pointed at last, or else walked to

public:
    // A search in the labels of rows and columns: marks what holds the text, and goes from one to the next.
    void find(const QString& text);
    void goToFound(int step); // 1: the next one, -1: the one before
    int foundCount() const { return static_cast<int>(m_found.size()); }
    std::optional<int> foundAt() const { return m_foundAt; } // which of them was gone to

Q_SIGNALS:
    void foundChanged();
    void menuRequested(const attn::ui::FigureHit& hit, QPoint position); // on the screen
    // The value that a cell is being given by the mouse, and that this has come to its end.
    void valueDragged(const attn::ui::FigureHit& hit, double value);
    void valueDragEnded();
    // Of views where there is such a place.
    void nextChosen(); // the row of a decoder-only model that has written nothing yet
    void orderAsked(); // what the positions are good for
    void playAsked(); // the steps, one after the other
    void hearAsked(const attn::TimeSpan& span); // of the sound; an empty one: nothing any more
    void headOpened(); // the selected head is wanted as a matrix

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

    const ViewContext& context() const { return m_context; }
    std::shared_ptr<const Figure> layOut(QSizeF size) final;
    QRectF visibleCells() const final { return m_visible; }
    virtual std::shared_ptr<const Figure> makeFigure(const FigureSpec& spec, const Trace& trace);
    virtual QSizeF room() const { return QSizeF(size()); } // for the figure
    Highlight highlight() const override;
    void lookAt(const FigureHit& hit) override;
    void reveal(FigureCell cell) override;
    // Chooses the step of the row's token; where rows and columns are one text, a column's counts too.
    void chooseStep(const FigureHit& hit);
    // A key that this kind of view handles itself.
    virtual bool handleKey(QKeyEvent*) { return false; }

    // --- zoom, in columns and rows of the figure
    // The figure on the screen.
    virtual QRectF shownCells();
    // That are on the screen at the largest scale.
    virtual QSizeF fewestCells() { return {leastCells, leastCells}; }
    // A point of the widget in columns and rows; none beside the cells.
    virtual std::optional<QPointF> cellsAt(QPointF point);
    // Whether another figure is shown once these have changed, so that zoom and keyboard cell end.
    virtual bool leavesPlace(Selection::Fields fields) const;
    virtual void forgetPlace(); // zoom and keyboard cell
    const QRectF& placed() const { return m_visible; } // as FigureSpec::visible
    void setPlaced(const QRectF& cells) { m_visible = cells; } // without a new layout

private:
    static constexpr double zoomStep = 1.25;
    static constexpr double leastCells = 2;

    // A row or a column.
    struct Found
    {
        bool isRow = true;
        int index = 0;

        friend bool operator==(const Found&, const Found&) = default;
    };

    // A figure that takes longer than a frame is laid out on another thread; until it is there, what was shown before
    // stays.
    std::shared_ptr<const Figure> layOutElsewhere(const FigureSpec& spec, const Trace& trace);
    void begin(const FigureSpec& spec, const Trace& trace);
    void forgetMade();
    void showNote();
    void hideNote();
    bool isInOtherRow();
    bool hasSteps() const; // as rows
    bool hasReadTokens() const; // as columns
    void placeParts(); // over what was painted
    void searchAgain();
    void takeAgainst(); // what the run on show is compared with
    void takeEdited();
    bool beginsDrag(const QMouseEvent& event) const;
    void beginDrag(const FigureHit& hit, QPointF point);
    bool turnsIntoDrag(QPointF point); // what began as a click
    void dragValue(QPointF point);
    void endDrag();
    void zoom(double factor, std::optional<QPointF> around);
    void pan(QPointF pixels);
    void setVisible(QRectF cells);
    using QWidget::setVisible;

    const FigureKind* m_kind;
    ViewContext m_context;
    RangeFinder* m_ranges;
    struct MadeFigure
    {
        std::shared_ptr<const Figure> figure; // what was wrong, where it could not be made
        quint64 wanted = 0; // what it was made for
        QRectF visible;
        QSizeF room;
    };
    LatestRequest m_elsewhere{*this};
    std::optional<MadeFigure> m_made; // has come from there
    bool m_replaced = false; // what was shown last is another run's
    bool m_blank = false; // nothing is shown but that it is being drawn
    bool m_comes = false; // the step is still being written
    QLabel* m_note; // that what is shown is older than what is wanted
    QTimer m_noteDelay;
    ScaleControl* m_scale;
    Minimap* m_minimap;
    QString m_searched;
    std::vector<Found> m_found; // rows before columns
    std::optional<int> m_foundAt;
    std::tuple<bool, SpecialTokens, PairFilter> m_axes; // as last laid out
    std::shared_ptr<const ReferenceRun> m_against; // null: nothing
    std::shared_ptr<const Trace> m_editedFrom; // null: the run on show has the edits of the one that it came from
    std::tuple<std::optional<int>, Pairing> m_comparison; // which run that is, and how it is paired
    QRectF m_visible; // cells; null: everything
    QPointF m_last; // where the pointer was when it last panned
    bool m_panned = false;
    // A cell whose value follows the mouse.
    struct Drag
    {
        FigureHit hit;
        QPointF from;
        quint64 session = 0; // whose cell it is
        bool moved = false;
    };
    std::optional<Drag> m_drag;
};

} // namespace attn::ui
