// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure_view.h"

#include "base/progress.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/kinds/shown_step.h"
#include "figures/parts/text_figure.h"
#include "figures/parts/token_figure.h"
#include "run/latest_request.h"
#include "run/user_message.h"
#include "state/strings.h"
#include "views/minimap.h"
#include "views/scale_control.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QThreadPool>
#include <QWheelEvent>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace attn::ui {

namespace {

constexpr double pixelsToOne = 200; // that the mouse goes up from a weight of 0 to one of 1
constexpr double draggedSteps = 1000; // of a weight
constexpr double leastPlainDrag = 20; // pixels up or down, where no key is held
constexpr std::size_t costOfFrame = 300'000; // weights that are gone through within a frame
constexpr std::chrono::milliseconds noteDelay{300}; // what comes sooner need not be announced
constexpr int noteMargin = 6;

// Choices that decide which rows and columns there are.
std::tuple<bool, SpecialTokens, PairFilter> axesOf(const Appearance& appearance)
{
    const FigureChoices& choices = appearance.choices();
    return {choices.words, choices.specials, choices.pair};
}

} // namespace

FigureView::FigureView(const FigureKind& kind, ViewContext context, QWidget* parent)
    : FigureCanvas(Height::Filling, parent)
    , m_kind(&kind)
    , m_context(context)
    , m_ranges(new RangeFinder(this))
    , m_note(plainLabel(tr("Drawing\u2026"), this))
    , m_scale(new ScaleControl(context.appearance, *this))
    , m_minimap(new Minimap(*this))
    , m_axes(axesOf(context.appearance))
{
    m_note->setObjectName(QStringLiteral("drawingNote"));
    m_note->setAutoFillBackground(true);
    m_note->setMargin(noteMargin);
    m_note->hide();
    m_noteDelay.setSingleShot(true);
    m_noteDelay.setInterval(noteDelay);
    connect(&m_noteDelay, &QTimer::timeout, this, &FigureView::showNote);
    connect(m_ranges, &RangeFinder::found, this, &FigureView::relayout);
    connect(m_minimap, &Minimap::pointed, this, &FigureView::showAround);
    connect(this, &FigureView::painted, this, &FigureView::placeParts);
    connect(&m_context.study, &Study::goldChanged, this, &FigureView::relayout);
    connect(&m_context.study, &Study::traceChanged, this, &FigureView::relayout);
    connect(&m_context.study, &Study::traceReplaced, this, [this] {
        if (m_context.study.onlyEditsDiffer())
            return;
        forgetPlace();
        forgetMade();
        m_replaced = true;
    });
    connect(&m_context.study, &Study::readingsChanged, this, [this] {
        if (m_context.selection.head().reading().computed || !m_kind->readings.empty()) {
            takeAgainst();
            relayout();
        }
    });
    connect(&m_context.study, &Study::modelChanged, this, &FigureView::forgetPlace);
    connect(&m_context.study, &Study::runningChanged, this, &FigureView::relayout);
    for (const auto signal : {&Study::shownRunChanged, &Study::runsChanged, &Study::outputScored})
        connect(&m_context.study, signal, this, &FigureView::takeAgainst);
    takeAgainst();
    connect(&m_context.appearance, &Appearance::changed, this, [this] {
        takeAgainst();
        if (std::exchange(m_axes, axesOf(m_context.appearance)) != m_axes)
            forgetPlace();
        relayout();
    });
    connect(&m_context.selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (leavesPlace(fields))
            forgetPlace();
        else if ((fields & Selection::StepField) && isInOtherRow())
            FigureCanvas::forgetPlace();
        // A step that comes to be written changes a figure when it begins and ends.
        const bool comes = std::exchange(m_comes, m_context.selection.moment().has_value())
            != m_context.selection.moment().has_value();
        if (comes || (fields & ~Selection::Fields(Selection::CellField | Selection::MomentField)))
            relayout();
        else if (fields & Selection::CellField)
            update();
    });
}

void FigureView::takeEdited()
{
    const Study& study = m_context.study;
    const Run* const shown = study.runs().find(study.shown());
    const Run* const before = shown != nullptr && shown->parent ? study.runs().find(shown->parent) : nullptr;
    const bool edited = before != nullptr && before->trace.provenance().edits != shown->trace.provenance().edits;
    if (edited || m_editedFrom)
        relayout();
    m_editedFrom = edited ? std::make_shared<const Trace>(before->trace) : nullptr;
}

void FigureView::takeAgainst()
{
    takeEdited();
    const Study& study = m_context.study;
    const Run* const other = m_context.appearance.difference() ? study.compared() : nullptr;
    if (other == nullptr && m_against == nullptr)
        return;
    const auto nameOf = [](const Run& run) { return QString::fromStdString(run.change); }; // that it was given
    m_against.reset();
    if (other != nullptr) {
        const Run* const shown = study.runs().find(study.shown());
        m_against = std::make_shared<const ReferenceRun>(
            ReferenceRun{other->trace, shown == nullptr ? QString() : nameOf(*shown), nameOf(*other),
                         study.outputUnder(study.shown().value_or(0), other->id),
                         study.outputUnder(other->id, study.shown().value_or(0))});
    }
    const auto comparison =
        std::tuple(other == nullptr ? std::nullopt : std::optional(other->id), m_context.appearance.choices().pairing);
    if (std::exchange(m_comparison, comparison) != comparison)
        forgetPlace();
    relayout();
}

FigureSpec FigureView::spec() const
{
    FigureSpec spec;
    static_cast<FigureChoices&>(spec) = m_context.appearance.choices();
    spec.editedFrom = m_editedFrom;
    spec.kind = m_kind;
    spec.site = m_context.selection.site();
    spec.head = m_context.selection.head().withAbout(m_context.selection.about());
    spec.about = m_context.selection.about();
    spec.leaf = m_context.selection.leaf();
    spec.currentStep = m_context.selection.step();
    spec.untilStep = m_context.selection.plays();
    spec.moment = m_context.selection.moment();
    spec.visible = m_visible;
    if (!m_kind->drawsPositions)
        spec.against = m_against;
    spec.gold = m_context.study.gold();
    spec.archive = m_context.study.showsArchive();
    spec.stopped = !m_context.study.running() && m_context.study.model() && !m_context.study.trace().summary()
        && m_context.study.trace().source().size() > 0;
    spec.computes = m_context.study.computesReadings();
    if (const auto& model = m_context.study.model(); m_kind->drawsPositions && model) {
        spec.positions = model->positions;
        spec.allPositions = model->info.maximumLength.value_or(0);
    }
    return spec;
}

std::shared_ptr<const Figure> FigureView::makeFigure(const FigureSpec& spec, const Trace& trace)
{
    return layoutFigure(spec, trace, room());
}

std::shared_ptr<const Figure> FigureView::layOut(QSizeF)
{
    FigureSpec shown = spec();
    const Trace& trace = m_context.study.trace();
    m_ranges->fill(shown, trace, m_context.study.revision());
    if (m_kind->cost != nullptr && m_kind->cost(shown, trace) > costOfFrame)
        return layOutElsewhere(shown, trace);
    forgetMade();
    m_replaced = false;
    return makeFigure(shown, trace);
}

std::shared_ptr<const Figure> FigureView::layOutElsewhere(const FigureSpec& spec, const Trace& trace)
{
    const auto fitting = [this](const Figure& figure) { return figure.laidOutAgain(m_visible, room()); };
    std::shared_ptr<const Figure> made;
    if (m_made)
        made = m_made->visible == m_visible && m_made->room == room() ? m_made->figure : fitting(*m_made->figure);
    const bool current = made && m_made->wanted == wanted();
    // A run that goes on must not begin it again and again.
    if (!current && !m_elsewhere.pending())
        begin(spec, trace);
    const bool wasBlank = std::exchange(m_blank, false);
    if (m_made) {
        m_replaced = false;
        return made ? made : m_made->figure;
    }
    if (lastFigure() && !m_replaced && !wasBlank) {
        std::shared_ptr<const Figure> last = fitting(*lastFigure());
        return last ? last : lastFigure();
    }
    m_blank = true;
    return std::make_shared<const TextFigure>(
        spec, std::vector<Paragraph>{{tr("Drawing\u2026"), Paragraph::Kind::Muted}}, room());
}

void FigureView::begin(const FigureSpec& spec, const Trace& trace)
{
    m_noteDelay.start();
    MadeFigure next{nullptr, wanted(), spec.visible, room()};
    HandedOver work([this, spec, trace, next, dots = devicePixelRatioF(), ticket = m_elsewhere.begin()]() mutable {
        const ThreadStop ofFigure(ticket.stop());
        const auto failure = caught([&] {
            ThreadStop::check(); // before its turn
            next.figure = layoutFigure(spec, trace, next.room);
            ThreadStop::check();
            next.figure->prepare(dots);
        });
        if (ticket.stop().stop_requested())
            return;
        if (failure)
            next.figure = std::make_shared<const TextFigure>(
                spec, std::vector<Paragraph>{{QString::fromStdString(failure->what()), Paragraph::Kind::Plain}},
                next.room);
        ticket.report([this, next] {
            m_elsewhere.end();
            m_made = next;
            hideNote();
            takeArrived();
        });
    });
    QThreadPool::globalInstance()->start(std::move(work));
}

void FigureView::forgetMade()
{
    m_elsewhere.end();
    m_made.reset();
    m_blank = false;
    hideNote();
}

void FigureView::hideNote()
{
    m_noteDelay.stop();
    m_note->hide();
}

void FigureView::showNote()
{
    if (m_blank)
        return;
    m_note->adjustSize();
    m_note->move(width() - m_note->width() - noteMargin, noteMargin); // clear of the focus frame
    m_note->show();
}

void FigureView::placeParts()
{
    const Figure& shown = *currentFigure();
    m_minimap->follow(shown, m_visible);
    if (m_blank) // what was found and pointed at is kept for what comes
        return;
    m_scale->follow(m_kind->drawsPositions ? std::nullopt : shown.scaleBar());
    searchAgain();
}

// Whether the cell that was pointed at, or walked to, is not one of the step's.
bool FigureView::isInOtherRow()
{
    const auto step = m_context.selection.step();
    const Trace& trace = m_context.study.trace();
    const FigureHit at = m_kind->zooms && isVisible() ? place() : FigureHit();
    if (!step || !at.isCell() || !at.rowToken || m_against || !trace.hasRowsOfSteps(m_context.selection.site()))
        return false;
    return mapAxes(trace, spec().mapSpec()).rows.indexOf(*step) != at.row;
}

bool FigureView::leavesPlace(Selection::Fields fields) const
{
    return fields & (Selection::SiteField | Selection::LeafField);
}

void FigureView::forgetPlace()
{
    m_visible = {};
    FigureCanvas::forgetPlace();
}

Highlight FigureView::highlight() const
{
    Highlight marks = FigureCanvas::highlight();
    marks.site = m_context.selection.site();
    marks.head = m_context.selection.head().head();
    for (const Found& found : m_found)
        (found.isRow ? marks.foundRows : marks.foundColumns).push_back(found.index);
    if (m_foundAt && !marks.row && !marks.column) {
        const Found& found = m_found[static_cast<std::size_t>(*m_foundAt)];
        (found.isRow ? marks.row : marks.column) = found.index;
    }
    const Selection::Pointed& pointed = m_context.selection.pointed();
    const bool ofMap =
        m_kind == &heatmapKind || (figure() != nullptr && dynamic_cast<const TokenFigure*>(figure()) != nullptr);
    if ((pointed.step || pointed.token) && ofMap && !m_against && !marks.row && !marks.column) { // elsewhere
        const Map axes = mapAxes(m_context.study.trace(), spec().mapSpec());
        if (pointed.step && hasSteps())
            marks.row = axes.rows.indexOf(*pointed.step);
        if (pointed.token && hasReadTokens())
            marks.column = axes.columns.indexOf(*pointed.token);
    }
    return marks;
}

bool FigureView::hasSteps() const
{
    return m_context.study.trace().hasRowsOfSteps(m_context.selection.site());
}

bool FigureView::hasReadTokens() const
{
    const Trace& trace = m_context.study.trace();
    const Site site = m_context.selection.site();
    return trace.columnAxis(site) == AttentionAxis::Tokens && (site.stage != Stage::Decoder || trace.hasOneText());
}

void FigureView::lookAt(const FigureHit& hit)
{
    const bool ofRun = !m_against && !hit.panel && !m_kind->drawsExperts;
    const bool ofWords = !m_kind->drawsSite; // steps and tokens, whatever attention is on show
    m_context.selection.setPointed({ofRun && (ofWords || hasSteps()) ? hit.rowToken : std::nullopt,
                                    ofRun && (ofWords || hasReadTokens()) ? hit.columnToken : std::nullopt});
    if (m_kind->zooms && m_against) // its rows and columns are those of both runs
        m_context.selection.setCell({}, {});
    else if (m_kind->zooms)
        m_context.selection.setCell(hit.row, m_kind->drawsExperts ? std::nullopt : hit.column);
}

void FigureView::chooseStep(const FigureHit& hit)
{
    const Trace& trace = m_context.study.trace();
    Selection& selection = m_context.selection;
    const bool ofColumn = trace.hasOneText() && !hit.rowToken && hit.columnToken;
    const std::optional<int> step = ofColumn ? trace.stepOf(*hit.columnToken) : hit.rowToken;
    if (!step || !trace.hasRowsOfSteps(selection.site()) || *step >= trace.rowCount(selection.leaf()))
        return;
    selection.setStep(step);
    if (step == trace.unwrittenRow(selection.leaf()))
        Q_EMIT nextChosen();
}

void FigureView::showEvent(QShowEvent* event)
{
    for (const char* const method : m_kind->readings)
        m_context.study.wantReadings(method, true);
    FigureCanvas::showEvent(event);
}

void FigureView::hideEvent(QHideEvent* event)
{
    for (const char* const method : m_kind->readings)
        m_context.study.wantReadings(method, false);
    FigureCanvas::hideEvent(event);
}

// --- zoom and pan, in cells ---

void FigureView::setVisible(QRectF cells)
{
    const double columns = currentFigure()->columns();
    const double rows = currentFigure()->rows();
    const QSizeF fewest = fewestCells();
    const double width = std::clamp(cells.width(), std::min(fewest.width(), columns), columns);
    const double height = std::clamp(cells.height(), std::min(fewest.height(), rows), rows);
    const double x = std::clamp(cells.x(), 0.0, columns - width);
    const double y = std::clamp(cells.y(), 0.0, rows - height);
    if (QRectF(x, y, width, height) == shownCells())
        return;
    setPlaced(width >= columns && height >= rows ? QRectF() : QRectF(x, y, width, height));
    placeAgain();
}

QRectF FigureView::shownCells()
{
    const Figure& shown = *currentFigure();
    return m_visible.isNull() ? QRectF(0, 0, shown.columns(), shown.rows()) : m_visible;
}

void FigureView::zoom(double factor, std::optional<QPointF> around)
{
    if (!m_kind->zooms || currentFigure()->rows() == 0)
        return;
    const QRectF old = shownCells();
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

std::optional<QPointF> FigureView::cellsAt(QPointF point)
{
    const FigureHit hit = hitAt(point);
    if (!hit.isCell())
        return std::nullopt;
    const QRectF cell = currentFigure()->cellRect(*hit.row, *hit.column);
    return QPointF(*hit.column + (point.x() - cell.x()) / cell.width(),
                   *hit.row + (point.y() - cell.y()) / cell.height());
}

void FigureView::pan(QPointF pixels)
{
    if (!m_kind->zooms || currentFigure()->rows() == 0)
        return;
    const QRectF old = shownCells();
    const QRectF cell =
        currentFigure()->cellRect(static_cast<int>(std::ceil(old.y())), static_cast<int>(std::ceil(old.x())));
    if (cell.width() > 0 && cell.height() > 0)
        setVisible(old.translated(-pixels.x() / cell.width(), -pixels.y() / cell.height()));
}

void FigureView::showEverything()
{
    setPlaced({});
    placeAgain();
}

void FigureView::showAround(QPointF center)
{
    QRectF seen = shownCells();
    seen.moveCenter(center);
    setVisible(seen);
}

// --- search ---

void FigureView::find(const QString& text)
{
    m_searched = text.trimmed();
    m_foundAt.reset();
    searchAgain();
    if (!m_found.empty())
        goToFound(1);
    update();
    Q_EMIT foundChanged();
}

// The labels may be others than they were.
void FigureView::searchAgain()
{
    std::vector<Found> found;
    const Figure* const shown = currentFigure();
    for (const bool isRow : {true, false}) {
        const QStringList labels = shown == nullptr || m_searched.isEmpty() ? QStringList()
            : isRow                                                         ? shown->rowLabels()
                                                                            : shown->columnLabels();
        for (int i = 0; i < labels.size(); ++i) {
            if (labels[i].contains(m_searched, Qt::CaseInsensitive))
                found.push_back({isRow, i});
        }
    }
    if (std::exchange(m_found, found) == found)
        return;
    m_foundAt.reset();
    update();
    Q_EMIT foundChanged();
}

void FigureView::goToFound(int step)
{
    if (m_found.empty())
        return;
    const int count = foundCount();
    m_foundAt = m_foundAt ? (*m_foundAt + step + count) % count : step > 0 ? 0 : count - 1;
    const Found& found = m_found[static_cast<std::size_t>(*m_foundAt)];
    if (m_kind->zooms) {
        const QPoint center = shownCells().center().toPoint();
        reveal(found.isRow ? FigureCell{found.index, center.x()} : FigureCell{center.y(), found.index});
    }
    update();
    Q_EMIT foundChanged();
}

// --- pointer ---

bool FigureView::isDraggable(const FigureHit& hit) const
{
    return hit.isCell() && m_kind->zooms && m_kind->drawsSite && !m_kind->drawsExperts && m_context.study.model();
}

// Many desktops move windows with Alt and the mouse.
bool FigureView::beginsDrag(const QMouseEvent& event) const
{
    return event.button() == Qt::LeftButton && (event.modifiers() & (Qt::AltModifier | Qt::ControlModifier)) != 0;
}

// A drag is clearly up or down, so that no click of an unsteady hand changes anything.
bool FigureView::turnsIntoDrag(QPointF point)
{
    const QPointF moved = point - *pressed();
    if (!m_visible.isNull() || std::abs(moved.y()) < 2 * std::max(std::abs(moved.x()), leastPlainDrag / 2))
        return false;
    const FigureHit hit = hitAt(*pressed());
    if (!isDraggable(hit))
        return false;
    dropClick();
    beginDrag(hit, point);
    m_drag->moved = true;
    return true;
}

void FigureView::beginDrag(const FigureHit& hit, QPointF point)
{
    m_drag = {hit, point, m_context.study.sessions()};
    setCursor(Qt::SizeVerCursor);
}

void FigureView::dragValue(QPointF point)
{
    const QPointF moved = point - m_drag->from;
    if (m_drag->session != m_context.study.sessions())
        return endDrag();
    if (!m_drag->moved && moved.manhattanLength() < QApplication::startDragDistance())
        return;
    m_drag->moved = true;
    const double value = std::clamp(m_drag->hit.value - moved.y() / pixelsToOne, 0.0, 1.0);
    Q_EMIT valueDragged(m_drag->hit, std::round(value * draggedSteps) / draggedSteps);
}

void FigureView::endDrag()
{
    const auto drag = std::exchange(m_drag, std::nullopt);
    if (drag)
        unsetCursor();
    if (drag && drag->moved)
        Q_EMIT valueDragEnded();
}

void FigureView::mouseMoveEvent(QMouseEvent* event)
{
    if ((event->buttons() & Qt::LeftButton) == 0) // a menu or a question may have had the release
        endDrag();
    if (m_drag)
        return dragValue(event->position());
    if (!pressed() || (event->buttons() & Qt::LeftButton) == 0)
        return FigureCanvas::mouseMoveEvent(event);
    if (turnsIntoDrag(event->position()))
        return;
    const QPointF moved = event->position() - *pressed();
    if (m_panned || moved.manhattanLength() >= QApplication::startDragDistance()) {
        m_panned = true;
        pan(event->position() - m_last);
    }
    m_last = event->position();
}

void FigureView::mousePressEvent(QMouseEvent* event)
{
    if (const FigureHit hit = beginsDrag(*event) ? hitAt(event->position()) : FigureHit(); isDraggable(hit))
        return beginDrag(hit, event->position());
    FigureCanvas::mousePressEvent(event);
    m_last = event->position();
    m_panned = false;
}

void FigureView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_drag && event->button() == Qt::LeftButton)
        return endDrag();
    if (event->button() == Qt::LeftButton && m_panned)
        dropClick();
    FigureCanvas::mouseReleaseEvent(event);
}

void FigureView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (beginsDrag(*event) && isDraggable(hitAt(event->position())))
        mousePressEvent(event);
    else if (event->button() == Qt::LeftButton)
        showEverything();
}

void FigureView::wheelEvent(QWheelEvent* event)
{
    if (!m_kind->zooms)
        return QWidget::wheelEvent(event);
    zoom(std::pow(zoomStep, event->angleDelta().y() / 120.0), event->position());
    event->accept();
}

void FigureView::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Keyboard)
        askForMenu();
    else
        Q_EMIT menuRequested(hitAt(event->pos()), event->globalPos());
    event->accept();
}

void FigureView::askForMenu()
{
    Q_EMIT menuRequested(place(), placeOnScreen());
}

// --- keyboard ---

void FigureView::reveal(FigureCell cell)
{
    QRectF seen = shownCells();
    const auto moved = [](double begin, double size, int at) { // of a cell that has no room, its beginning
        return std::clamp(begin, std::min(at + 1 - size, double(at)), double(at));
    };
    seen.moveLeft(moved(seen.x(), seen.width(), cell.column));
    seen.moveTop(moved(seen.y(), seen.height(), cell.row));
    setVisible(seen);
}

void FigureView::keyPressEvent(QKeyEvent* event)
{
    if (handleKey(event))
        return;
    if (event->modifiers() == Qt::NoModifier && event->key() == Qt::Key_Space) {
        Q_EMIT playAsked();
        return;
    }
    if (!m_kind->zooms && !m_kind->walks && event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter)
        return event->ignore();
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomIn();
    case Qt::Key_Minus:
        return zoomOut();
    case Qt::Key_0:
        return showEverything();
    default:
        return FigureCanvas::keyPressEvent(event);
    }
}

} // namespace attn::ui
