// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "state/appearance.h"
#include "state/document.h"
#include "state/selection.h"

#include <QPointF>
#include <QRectF>
#include <QWidget>

#include <memory>
#include <optional>
#include <tuple>

namespace attn::ui {

// What every view looks at.
struct ViewContext
{
    Document& document;
    Selection& selection;
    Appearance& appearance;
};

// Shows one figure and gives it input: hover, zoom, pan, keyboard cells. It draws nothing of its own.
class FigureView : public QWidget
{
    Q_OBJECT

public:
    FigureView(const FigureKind& kind, ViewContext context, QWidget* parent = nullptr);
    ~FigureView() override;

    // What is on the screen, for exports.
    FigureSpec spec() const;
    // Null before the first paint.
    const Figure* figure() const { return m_figure.get(); }

    QSize sizeHint() const override { return {640, 480}; }
    QSize minimumSizeHint() const override { return {220, 160}; }

public Q_SLOTS:
    void zoomIn();
    void zoomOut();
    void showEverything();

Q_SIGNALS:
    void painted();
    // What is pointed at or walked to; Part::Nothing when there is no such place any more.
    void hovered(const attn::ui::FigureHit& hit);
    void activated(const attn::ui::FigureHit& hit); // clicked, or Enter on the keyboard cell
    void menuRequested(const attn::ui::FigureHit& hit, QPoint position); // on the screen

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void hideEvent(QHideEvent* event) override;

    const ViewContext& context() const { return m_context; }
    // A figure that fills the widget.
    virtual std::unique_ptr<const Figure> makeFigure(const FigureSpec& spec, const Trace& trace);
    void relayout(); // at the next paint
    // Called for a plain click or Enter, after activated() was emitted.
    virtual void choose(const FigureHit& hit);
    // A key that this kind of view handles itself.
    virtual bool handleKey(QKeyEvent* event);

private:
    bool zoomable() const;
    void forgetPlace(); // zoom and keyboard cell
    const Figure& currentFigure();
    Highlight highlight() const;
    void zoom(double factor, std::optional<QPointF> around);
    std::optional<QPointF> cellsAt(QPointF point);
    void pan(QPointF pixels);
    void setVisible(QRectF cells);
    using QWidget::setVisible;
    void moveCursor(int rows, int columns);
    void hover(const FigureHit& hit);
    void say(const FigureHit& hit);
    void sayAgain(); // the same place, of a picture that may show another value there
    bool handleCellKey(QKeyEvent* event);

    const FigureKind* m_kind;
    ViewContext m_context;
    std::unique_ptr<const Figure> m_figure;
    bool m_dirty = true;
    std::tuple<bool, SpecialTokens, PairFilter> m_axes; // as last laid out
    QRectF m_visible; // cells; null: everything
    FigureHit m_hover;
    FigureHit m_said; // last, by the pointer or the keyboard
    QPointF m_pointer; // where it was pointed at
    int m_cursorRow = -1;
    int m_cursorColumn = -1;
    std::optional<QPointF> m_pressed;
    QPointF m_last;
    bool m_panned = false;
};

} // namespace attn::ui
