// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure_view.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr double zoomStep = 1.25;
constexpr double leastCells = 2;

// What decides which rows and columns there are.
std::tuple<bool, SpecialTokens, PairFilter> axesOf(const Appearance& appearance)
{
    return {appearance.words(), appearance.specials(), appearance.pair()};
}

} // namespace

FigureView::FigureView(const FigureKind& kind, ViewContext context, QWidget* parent)
    : QWidget(parent)
    , m_kind(&kind)
    , m_context(context)
{
    m_axes = axesOf(m_context.appearance);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&m_context.document, &Document::traceChanged, this, &FigureView::relayout);
    connect(&m_context.document, &Document::traceReplaced, this, &FigureView::forgetPlace);
    connect(&m_context.document, &Document::modelChanged, this, &FigureView::forgetPlace);
    connect(&m_context.document, &Document::runningChanged, this, &FigureView::relayout);
    connect(&m_context.appearance, &Appearance::changed, this, [this] {
        if (std::exchange(m_axes, axesOf(m_context.appearance)) != m_axes)
            forgetPlace();
        relayout();
    });
    connect(&m_context.selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & (Selection::SiteField | Selection::LeafField))
            forgetPlace();
        if (fields & ~Selection::Fields(Selection::CellField))
            relayout();
        else
            update();
    });
}

FigureView::~FigureView() = default;

FigureSpec FigureView::spec() const
{
    FigureSpec spec;
    spec.kind = m_kind;
    spec.site = m_context.selection.site();
    spec.head = m_context.selection.head();
    spec.leaf = m_context.selection.leaf();
    spec.currentStep = m_context.selection.step();
    spec.words = m_context.appearance.words();
    spec.specials = m_context.appearance.specials();
    spec.pair = m_context.appearance.pair();
    spec.colorMap = m_context.appearance.colorMap();
    spec.theme = m_context.appearance.theme();
    spec.visible = m_visible;
    spec.archive = !m_context.document.model();
    spec.stopped = !m_context.document.running() && m_context.document.model() && !m_context.document.trace().summary()
        && m_context.document.trace().source().size() > 0;
    if (const auto& model = m_context.document.model(); m_kind->drawsPositions && model) {
        spec.positions = model->positions;
        spec.allPositions = model->info.maximumLength.value_or(0);
    }
    return spec;
}

std::unique_ptr<const Figure> FigureView::makeFigure(const FigureSpec& spec, const Trace& trace)
{
    return layoutFigure(spec, trace, QSizeF(size()));
}

bool FigureView::zoomable() const
{
    return m_kind->zooms;
}

void FigureView::forgetPlace()
{
    m_visible = {};
    m_cursorRow = m_cursorColumn = -1;
    m_hover = {};
    say({});
    relayout();
}

void FigureView::say(const FigureHit& hit)
{
    if (hit.text.isEmpty() && m_said.text.isEmpty())
        return;
    m_said = hit;
    Q_EMIT hovered(hit);
}

void FigureView::sayAgain()
{
    if (m_said.text.isEmpty())
        return;
    const QRectF cell =
        m_said.isCell() ? m_figure->cellRect(m_said.row, m_said.column) : QRectF(m_pointer, QSizeF(1, 1));
    const FigureHit now = cell.isNull() ? FigureHit() : m_figure->hitTest(cell.center());
    if (now.text != m_said.text)
        say(now);
}

void FigureView::relayout()
{
    m_dirty = true;
    update();
}

const Figure& FigureView::currentFigure()
{
    if (m_dirty || !m_figure) {
        m_figure = makeFigure(spec(), m_context.document.trace());
        m_dirty = false;
        setAccessibleDescription(m_figure->description());
        sayAgain();
    }
    return *m_figure;
}

Highlight FigureView::highlight() const
{
    Highlight marks;
    marks.row = m_hover.row;
    marks.column = m_hover.column;
    if (hasFocus()) {
        marks.cursorRow = m_cursorRow;
        marks.cursorColumn = m_cursorColumn;
    }
    marks.site = m_context.selection.site();
    const HeadChoice choice = m_context.selection.head();
    if (const int* head = std::get_if<int>(&choice))
        marks.head = *head;
    return marks;
}

void FigureView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    currentFigure().paint(painter, highlight());
    painter.end();
    Q_EMIT painted();
}

void FigureView::resizeEvent(QResizeEvent*)
{
    relayout();
}

// --- zoom and pan, in cells ---

void FigureView::setVisible(QRectF cells)
{
    const double columns = currentFigure().columns();
    const double rows = currentFigure().rows();
    const double width = std::clamp(cells.width(), std::min(leastCells, columns), columns);
    const double height = std::clamp(cells.height(), std::min(leastCells, rows), rows);
    const double x = std::clamp(cells.x(), 0.0, columns - width);
    const double y = std::clamp(cells.y(), 0.0, rows - height);
    m_visible = width >= columns && height >= rows ? QRectF() : QRectF(x, y, width, height);
    relayout();
}

void FigureView::zoom(double factor, std::optional<QPointF> around)
{
    const Figure& figure = currentFigure();
    if (!zoomable() || figure.rows() == 0)
        return;
    const QRectF old = m_visible.isNull() ? QRectF(0, 0, figure.columns(), figure.rows()) : m_visible;
    std::optional<QPointF> under;
    if (around)
        under = cellsAt(*around);
    const QPointF fixed = under ? *under : old.center();
    const QPointF corner = fixed - (fixed - old.topLeft()) / factor;
    setVisible(QRectF(corner, old.size() / factor));
    // The matrix may have got another place or size by that; what was under the pointer goes back there.
    if (!under || m_visible.isNull())
        return;
    if (const auto now = cellsAt(*around))
        setVisible(m_visible.translated(fixed - *now));
}

// A point of the widget in columns and rows; none beside the cells.
std::optional<QPointF> FigureView::cellsAt(QPointF point)
{
    const FigureHit hit = currentFigure().hitTest(point);
    if (!hit.isCell())
        return std::nullopt;
    const QRectF cell = currentFigure().cellRect(hit.row, hit.column);
    return QPointF(hit.column + (point.x() - cell.x()) / cell.width(),
                   hit.row + (point.y() - cell.y()) / cell.height());
}

void FigureView::pan(QPointF pixels)
{
    if (m_visible.isNull())
        return;
    const QRectF cell = currentFigure().cellRect(static_cast<int>(std::ceil(m_visible.y())),
                                                 static_cast<int>(std::ceil(m_visible.x())));
    if (cell.width() > 0 && cell.height() > 0)
        setVisible(m_visible.translated(-pixels.x() / cell.width(), -pixels.y() / cell.height()));
}

void FigureView::zoomIn()
{
    zoom(zoomStep, std::nullopt);
}

void FigureView::zoomOut()
{
    zoom(1 / zoomStep, std::nullopt);
}

void FigureView::showEverything()
{
    m_visible = {};
    relayout();
}

// --- pointer ---

void FigureView::hover(const FigureHit& hit)
{
    const bool moved = hit.part != m_hover.part || hit.row != m_hover.row || hit.column != m_hover.column
        || hit.head != m_hover.head || hit.site != m_hover.site || hit.text != m_hover.text;
    if (!moved)
        return;
    m_hover = hit;
    if (zoomable())
        m_context.selection.setCell(hit.row, hit.column);
    update();
    say(hit);
}

void FigureView::mouseMoveEvent(QMouseEvent* event)
{
    if (m_pressed && (event->buttons() & Qt::LeftButton) != 0) {
        const QPointF moved = event->position() - *m_pressed;
        if (m_panned || moved.manhattanLength() >= QApplication::startDragDistance()) {
            m_panned = true;
            pan(event->position() - m_last);
        }
        m_last = event->position();
        return;
    }
    m_pointer = event->position();
    hover(currentFigure().hitTest(m_pointer));
}

void FigureView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    m_pressed = m_last = event->position();
    m_panned = false;
}

void FigureView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_pressed)
        return QWidget::mouseReleaseEvent(event);
    m_pressed.reset();
    if (m_panned)
        return;
    const FigureHit hit = currentFigure().hitTest(event->position());
    if (hit.isCell()) {
        m_cursorRow = hit.row;
        m_cursorColumn = hit.column;
        update();
    }
    Q_EMIT activated(hit);
    choose(hit);
}

void FigureView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        showEverything();
}

void FigureView::leaveEvent(QEvent*)
{
    hover({});
}

void FigureView::wheelEvent(QWheelEvent* event)
{
    if (!zoomable())
        return QWidget::wheelEvent(event);
    zoom(std::pow(zoomStep, event->angleDelta().y() / 120.0), event->position());
    event->accept();
}

void FigureView::contextMenuEvent(QContextMenuEvent* event)
{
    QPointF point = event->pos();
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    if (byKey && m_cursorRow >= 0)
        point = currentFigure().cellRect(m_cursorRow, m_cursorColumn).center();
    Q_EMIT menuRequested(currentFigure().hitTest(point), byKey ? mapToGlobal(point.toPoint()) : event->globalPos());
    event->accept();
}

bool FigureView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const FigureHit hit = currentFigure().hitTest(help->pos());
        if (hit.text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), hit.text.toHtmlEscaped(), this);
        return true;
    }
    return QWidget::event(event);
}

// --- keyboard ---

void FigureView::moveCursor(int rows, int columns)
{
    const Figure& figure = currentFigure();
    if (figure.rows() == 0)
        return;
    const bool first = m_cursorRow < 0; // a single step only shows where the cell is
    const auto moved = [first](int at, int by, int count) {
        return std::clamp(first ? (by > 1 ? by : 0) : at + by, 0, count - 1);
    };
    m_cursorRow = moved(m_cursorRow, rows, figure.rows());
    m_cursorColumn = moved(m_cursorColumn, columns, figure.columns());
    if (!m_visible.isNull()) { // bring the cell into sight
        QRectF seen = m_visible;
        seen.moveLeft(std::clamp(seen.x(), m_cursorColumn + 1 - seen.width(), double(m_cursorColumn)));
        seen.moveTop(std::clamp(seen.y(), m_cursorRow + 1 - seen.height(), double(m_cursorRow)));
        setVisible(seen);
    }
    const QRectF cell = currentFigure().cellRect(m_cursorRow, m_cursorColumn);
    m_context.selection.setCell(m_cursorRow, m_cursorColumn);
    update();
    if (!cell.isNull())
        say(currentFigure().hitTest(cell.center()));
}

bool FigureView::handleCellKey(QKeyEvent* event)
{
    constexpr int everything = 1 << 20;
    switch (event->key()) {
    case Qt::Key_Left:
        moveCursor(0, -1);
        return true;
    case Qt::Key_Right:
        moveCursor(0, 1);
        return true;
    case Qt::Key_Up:
        moveCursor(-1, 0);
        return true;
    case Qt::Key_Down:
        moveCursor(1, 0);
        return true;
    case Qt::Key_Home:
        moveCursor(0, -everything);
        return true;
    case Qt::Key_End:
        moveCursor(0, everything);
        return true;
    case Qt::Key_PageUp:
        moveCursor(-everything, 0);
        return true;
    case Qt::Key_PageDown:
        moveCursor(everything, 0);
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        return true;
    case Qt::Key_Minus:
        zoomOut();
        return true;
    case Qt::Key_0:
        showEverything();
        return true;
    default:
        return false;
    }
}

void FigureView::keyPressEvent(QKeyEvent* event)
{
    if (handleKey(event) || (zoomable() && handleCellKey(event)))
        return;
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && m_cursorRow >= 0) {
        const QRectF cell = currentFigure().cellRect(m_cursorRow, m_cursorColumn);
        const FigureHit hit = currentFigure().hitTest(cell.center());
        Q_EMIT activated(hit);
        choose(hit);
        return;
    }
    QWidget::keyPressEvent(event);
}

void FigureView::focusInEvent(QFocusEvent* event)
{
    update();
    QWidget::focusInEvent(event);
}

void FigureView::focusOutEvent(QFocusEvent* event)
{
    update();
    QWidget::focusOutEvent(event);
}

void FigureView::hideEvent(QHideEvent* event)
{
    say({});
    QWidget::hideEvent(event);
}

void FigureView::choose(const FigureHit&) { }

bool FigureView::handleKey(QKeyEvent*)
{
    return false;
}

} // namespace attn::ui
