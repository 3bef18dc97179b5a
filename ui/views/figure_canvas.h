// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/parts/exportable.h"
#include "views/table_access.h"

#include <QPoint>
#include <QPointF>
#include <QWidget>

#include <memory>
#include <optional>

class QPainter;
class QPalette;
class QRectF;

namespace attn::ui {

// Shows a figure and gives it input: hover, click, a cell that the keyboard moves, tips. It draws nothing of its own
// but the frame that says that it has the keyboard. To assistive technology it is a table.
class FigureCanvas : public QWidget, public TableSource
{
    Q_OBJECT

public:
    // Filling: the figure fills the widget. NaturalHeight: it is as high as it wants to be, for a scroll area.
    enum class Height : std::uint8_t { Filling, Natural };

    explicit FigureCanvas(Height height = Height::Filling, QWidget* parent = nullptr);

    void setFigure(FigureLayout layOut);
    // Null before the first layout.
    const Figure* figure() const { return m_figure.get(); }
    // The place that was pointed at last, or else walked to, and where that is on the screen.
    FigureHit place();
    QPoint placeOnScreen();
    // Marks besides those of the pointer, such as a chosen row.
    void setMarks(const Highlight& marks);

    const FigureTable& table() override;
    std::optional<FigureCell> keyboardCell() override { return table().placeOf(keyboardHit()); }
    std::optional<FigureCell> cellAt(QPointF point) override { return table().placeOf(hitAt(point)); }
    void press(FigureCell cell) override;

    QSize sizeHint() const override { return {560, 400}; }
    QSize minimumSizeHint() const override { return {160, 120}; }

Q_SIGNALS:
    void painted();
    // The place that is pointed at or walked to; Part::Nothing when there is no such place any more.
    void hovered(const attn::ui::FigureHit& hit);
    void activated(const attn::ui::FigureHit& hit); // clicked, or Enter on the keyboard cell

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void hideEvent(QHideEvent* event) override;

    // The figure at a size, a null height being the natural one; null: nothing yet.
    virtual std::shared_ptr<const Figure> layOut(QSizeF size);
    virtual Highlight highlight() const;
    // Another place than before is pointed at or walked to.
    virtual void lookAt(const FigureHit&) { }
    // Called for a plain click or Enter, after activated() was emitted.
    virtual void choose(const FigureHit&) { }
    // The keyboard is about to look at a cell.
    virtual void reveal(FigureCell) { }

    // At the next paint: because something else is to be shown, or the same in another size or place.
    void relayout();
    void placeAgain();
    // Likewise, because what was wanted has come from elsewhere.
    void takeArrived();
    quint64 wanted() const { return m_wanted; } // another number whenever something else is
    virtual QRectF visibleCells() const { return {}; } // as FigureSpec::visible
    // Figure that was laid out last; null before the first.
    const std::shared_ptr<const Figure>& lastFigure() const { return m_figure; }
    // Figure to be painted, laid out anew where needed; null: nothing yet.
    const Figure* currentFigure();
    FigureHit hitAt(QPointF point);
    void forgetPlace(); // what is pointed at, and the keyboard cell
    const std::optional<FigureCell>& cursor() const { return m_cursor; } // keyboard cell
    FigureHit cursorHit();
    virtual FigureHit keyboardHit() { return cursorHit(); } // what the keyboard is at, of whatever kind
    // Where the left button went down, until it is released; none when what follows is no click.
    const std::optional<QPointF>& pressed() const { return m_pressed; }
    void dropClick() { m_pressed.reset(); }

    void hover(const FigureHit& hit); // as if the pointer were there
    virtual QRectF focusFrame() const; // that says that it has the keyboard; null: it has not

private:
    void moveCursor(int rows, int columns); // by so many, which may be more than there are
    void say(const FigureHit& hit);
    void sayAgain(); // the same place, of a picture that may show another value there
    void describe(const std::optional<FigureTable>& before); // to assistive technology
    void tellKeyboard(); // likewise, where the keyboard has gone

    Height m_height;
    FigureLayout m_layOut;
    std::shared_ptr<const Figure> m_figure;
    std::optional<FigureTable> m_table; // of m_figure, once it was asked for
    std::optional<FigureCell> m_told; // where the keyboard was last
    bool m_dirty = true;
    bool m_isOther = true; // than what m_figure shows
    quint64 m_wanted = 0;
    Highlight m_marks;
    FigureHit m_hover;
    FigureHit m_said; // last, by the pointer or the keyboard
    QPointF m_pointer; // where it was pointed at
    std::optional<FigureCell> m_cursor;
    std::optional<QPointF> m_pressed;
};

// Along the edge of what paints itself: it has the keyboard.
void paintFocus(QPainter& painter, const QPalette& palette, const QRectF& area);

} // namespace attn::ui
