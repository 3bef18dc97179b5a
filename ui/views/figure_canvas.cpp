// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure_canvas.h"

#include "figures/look/saved_painter.h"
#include "state/strings.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QPalette>
#include <QRectF>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace attn::ui {

FigureCanvas::FigureCanvas(Height height, QWidget* parent)
    : QWidget(parent)
    , m_height(height)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void FigureCanvas::setFigure(FigureLayout layOut)
{
    m_layOut = std::move(layOut);
    m_hover = {};
    relayout();
    if (m_height == Height::Natural)
        currentFigure(); // its height is needed before it is painted
}

void FigureCanvas::setMarks(const Highlight& marks)
{
    m_marks = marks;
    update();
}

void FigureCanvas::relayout()
{
    ++m_wanted;
    takeArrived();
}

void FigureCanvas::takeArrived()
{
    m_isOther = true;
    placeAgain();
}

void FigureCanvas::placeAgain()
{
    m_dirty = true;
    update();
}

std::shared_ptr<const Figure> FigureCanvas::layOut(QSizeF size)
{
    return m_layOut ? m_layOut(size) : nullptr;
}

const Figure* FigureCanvas::currentFigure()
{
    if (!m_dirty)
        return m_figure.get();
    m_dirty = false;
    const bool natural = m_height == Height::Natural;
    const std::optional<FigureTable> before = std::exchange(m_table, {}); // it asks the figure that was
    const QSizeF room = natural ? QSizeF(width(), 0) : QSizeF(size());
    std::shared_ptr<const Figure> again;
    if (!std::exchange(m_isOther, false) && m_figure)
        again = m_figure->laidOutAgain(visibleCells(), room);
    m_figure = again ? std::move(again) : layOut(room);
    if (!m_figure)
        return nullptr;
    if (natural)
        setFixedHeight(static_cast<int>(m_figure->size().height() + 1));
    describe(before);
    sayAgain();
    return m_figure.get();
}

const FigureTable& FigureCanvas::table()
{
    const Figure* const shown = currentFigure();
    if (!m_table)
        m_table = shown == nullptr ? FigureTable() : shown->table();
    return *m_table;
}

// A figure that looks the same has changed for nobody; a table that nobody has asked for need not be made.
void FigureCanvas::describe(const std::optional<FigureTable>& before)
{
    const QString description = m_figure->description();
    const bool other = description != accessibleDescription();
    if (other)
        setAccessibleDescription(description);
    if (!QAccessible::isActive() || !isVisible())
        return;
    m_table = m_figure->table();
    if (other || (before && (before->rows != m_table->rows || before->columns != m_table->columns)))
        tellTable(*this, other ? description : QString());
    else if (!before || before->chosenRows != m_table->chosenRows || before->chosenColumns != m_table->chosenColumns)
        tellChosen(*this);
}

void FigureCanvas::tellKeyboard()
{
    if (!QAccessible::isActive())
        return;
    const auto now = keyboardCell();
    if (std::exchange(m_told, now) != now && now && hasFocus())
        tellPlace(*this, table(), *now);
}

void FigureCanvas::press(FigureCell cell)
{
    const Figure* const shown = currentFigure();
    const bool cells = shown != nullptr && shown->rows() == table().rows && shown->columns() == table().columns;
    if (cells && !table().isHeader(cell)) {
        m_cursor = cell;
        reveal(cell);
    }
    const QRectF box = table().rect(cell);
    const FigureHit hit = box.isNull() ? FigureHit() : hitAt(box.center());
    update();
    if (hit.part == FigureHit::Part::Nothing)
        return;
    Q_EMIT activated(hit);
    choose(hit);
    tellKeyboard();
}

FigureHit FigureCanvas::hitAt(QPointF point)
{
    const Figure* shown = currentFigure();
    return shown == nullptr ? FigureHit() : shown->hitTest(point);
}

FigureHit FigureCanvas::cursorHit()
{
    const Figure* shown = currentFigure();
    const QRectF cell = shown == nullptr || !m_cursor ? QRectF() : shown->cellRect(m_cursor->row, m_cursor->column);
    return cell.isNull() ? FigureHit() : shown->hitTest(cell.center());
}

FigureHit FigureCanvas::place()
{
    return m_said.part == FigureHit::Part::Nothing ? cursorHit() : m_said;
}

QPoint FigureCanvas::placeOnScreen()
{
    const FigureHit hit = place();
    const QRectF cell = hit.isCell() ? currentFigure()->cellRect(*hit.row, *hit.column) : QRectF();
    return mapToGlobal((cell.isNull() ? m_pointer : cell.bottomRight()).toPoint());
}

Highlight FigureCanvas::highlight() const
{
    Highlight marks = m_marks;
    if (m_hover.row || m_hover.column) {
        marks.row = m_hover.row;
        marks.column = m_hover.column;
        marks.panel = m_hover.panel;
    }
    if (hasFocus())
        marks.cursor = m_cursor;
    return marks;
}

void FigureCanvas::paintEvent(QPaintEvent* event)
{
    const Figure* shown = currentFigure();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    // Figures leave out what lies outside; on a scaled screen a pixel may be asked for in part.
    painter.setClipRect(event->rect().adjusted(-1, -1, 1, 1));
    if (shown == nullptr) {
        painter.fillRect(rect(), palette().window());
        return;
    }
    // A figure that is smaller than the widget leaves its ground to be filled, and of a line the part that it covers.
    const double bottom = std::floor(shown->size().height());
    const double right = std::floor(shown->size().width());
    if (bottom < height())
        painter.fillRect(QRectF(0, bottom, width(), height() - bottom), palette().window());
    if (right < width())
        painter.fillRect(QRectF(right, 0, width() - right, bottom), palette().window());
    shown->paint(painter, highlight());
    if (const QRectF frame = focusFrame(); !frame.isNull())
        paintFocus(painter, palette(), frame);
    painter.end();
    Q_EMIT painted();
}

QRectF FigureCanvas::focusFrame() const
{
    return hasFocus() && m_figure ? QRectF(QPointF(), m_figure->size()) & QRectF(rect()) : QRectF();
}

void FigureCanvas::resizeEvent(QResizeEvent* event)
{
    if (m_height == Height::Filling || event->oldSize().width() != width())
        placeAgain();
    if (m_height == Height::Natural)
        currentFigure();
}

// --- what is pointed at ---

void FigureCanvas::forgetPlace()
{
    m_cursor.reset();
    m_hover = {};
    say({});
    relayout();
}

void FigureCanvas::say(const FigureHit& hit)
{
    if (hit.text.isEmpty() && m_said.text.isEmpty())
        return;
    m_said = hit;
    Q_EMIT hovered(hit);
}

void FigureCanvas::sayAgain()
{
    if (m_said.text.isEmpty())
        return;
    const bool cell =
        m_said.isCell() && m_said.panel.value_or(0) == 0; // cells of a figure of several are the first one's
    const QRectF place = cell ? m_figure->cellRect(*m_said.row, *m_said.column) : QRectF(m_pointer, QSizeF(1, 1));
    const FigureHit now = place.isNull() ? FigureHit() : m_figure->hitTest(place.center());
    if (now.text != m_said.text)
        say(now);
}

void FigureCanvas::hover(const FigureHit& hit)
{
    if (hit == m_hover)
        return;
    m_hover = hit;
    update();
    lookAt(hit);
    say(hit);
}

void FigureCanvas::mouseMoveEvent(QMouseEvent* event)
{
    m_pointer = event->position();
    hover(hitAt(m_pointer));
}

void FigureCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    m_pressed = event->position();
}

void FigureCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_pressed)
        return QWidget::mouseReleaseEvent(event);
    m_pressed.reset();
    const FigureHit hit = hitAt(event->position());
    if (hit.isCell()) {
        m_cursor = FigureCell{*hit.row, *hit.column};
        update();
    }
    Q_EMIT activated(hit);
    choose(hit);
}

void FigureCanvas::leaveEvent(QEvent*)
{
    hover({});
}

void FigureCanvas::hideEvent(QHideEvent* event)
{
    say({});
    QWidget::hideEvent(event);
}

bool FigureCanvas::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || currentFigure() == nullptr) {
        const bool done = QWidget::event(event);
        if (event->type() == QEvent::FocusIn)
            m_told.reset(); // it is said again
        if (event->type() == QEvent::FocusIn || event->type() == QEvent::KeyPress)
            tellKeyboard();
        return done;
    }
    const auto* help = static_cast<QHelpEvent*>(event);
    const FigureHit hit = hitAt(help->pos());
    if (hit.text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), plainTip(hit.text), this);
    return true;
}

// --- keyboard ---

void FigureCanvas::moveCursor(int rows, int columns)
{
    const Figure& shown = *currentFigure();
    const bool first = !m_cursor; // a single step only shows where the cell is
    const auto moved = [first](int at, int by, int count) {
        return std::clamp(first ? (by > 1 ? by : 0) : at + by, 0, count - 1);
    };
    const FigureCell from = m_cursor.value_or(FigureCell());
    m_cursor = FigureCell{moved(from.row, rows, shown.rows()), moved(from.column, columns, shown.columns())};
    update();
    reveal(*m_cursor);
    const FigureHit hit = cursorHit();
    if (hit.part == FigureHit::Part::Nothing)
        return;
    lookAt(hit);
    say(hit);
}

void FigureCanvas::keyPressEvent(QKeyEvent* event)
{
    constexpr int everything = 1 << 20;
    struct Move
    {
        Qt::Key key;
        int rows;
        int columns;
    };
    static constexpr Move moves[] = {{Qt::Key_Left, 0, -1},
                                     {Qt::Key_Right, 0, 1},
                                     {Qt::Key_Up, -1, 0},
                                     {Qt::Key_Down, 1, 0},
                                     {Qt::Key_Home, 0, -everything},
                                     {Qt::Key_End, 0, everything},
                                     {Qt::Key_PageUp, -everything, 0},
                                     {Qt::Key_PageDown, everything, 0}};
    const Figure* shown = currentFigure();
    const bool cells = shown != nullptr && shown->rows() > 0 && shown->columns() > 0;
    const auto* move = std::ranges::find(moves, event->key(), &Move::key);
    if (cells && move != std::end(moves))
        return moveCursor(move->rows, move->columns);
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!enter || !m_cursor || shown == nullptr)
        return QWidget::keyPressEvent(event);
    const FigureHit hit = cursorHit();
    Q_EMIT activated(hit);
    choose(hit);
}

namespace {

constexpr double frameWidth = 2;

} // namespace

void paintFocus(QPainter& painter, const QPalette& palette, const QRectF& area)
{
    const SavedPainter saved(painter);
    painter.setPen(QPen(palette.color(QPalette::Highlight), frameWidth));
    painter.setBrush(Qt::NoBrush);
    constexpr double half = frameWidth / 2;
    painter.drawRect(area.adjusted(half, half, -half, -half));
}

} // namespace attn::ui
