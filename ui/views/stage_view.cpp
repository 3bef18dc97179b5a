// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/stage_view.h"

#include "analysis/words.h"
#include "base/index.h"
#include "figures/kinds/shown_step.h"
#include "maps/map.h"
#include "state/strings.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attn::ui {

extern const FigureKind stageKind;

StageView::StageView(const ViewContext& context, QWidget* parent)
    : FigureView(stageKind, context, parent)
{
    setObjectName(QStringLiteral("stage"));
    setAccessibleName(tr("The text that was read, and what was written"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&context.selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (!(fields & Selection::MomentField))
            return;
        m_written = true;
        relayout();
    });
    m_editor = new QLineEdit(this);
    m_editor->setObjectName(QStringLiteral("stageWord"));
    m_editor->setAccessibleName(tr("The word, to be changed"));
    m_editor->setAlignment(Qt::AlignHCenter);
    m_editor->hide();
    m_editor->installEventFilter(this);
    connect(&context.study, &Study::traceReplaced, this, [this] {
        endEditing();
        m_unedited.reset();
    });
    connect(&context.study, &Study::traceChanged, this, [this] {
        findUnedited();
        fit();
    });
    const auto paper = [this] { // also beside the figure
        QPalette colors;
        colors.setColor(QPalette::Window, themeColors(this->context().appearance.theme()).background);
        setPalette(colors);
    };
    connect(&context.appearance, &Appearance::changed, this, paper);
    paper();
    connect(this, &FigureCanvas::painted, this, &StageView::placeEditor);
    connect(&context.study, &Study::modelChanged, this, &StageView::fit);
    fit();
}

FigureSpec StageView::spec() const
{
    FigureSpec spec = FigureView::spec();
    spec.against = m_unedited;
    spec.gloss = m_gloss;
    spec.overColumns = m_columns;
    return spec;
}

// The run without edits may have been made long ago, or be one of an opened session.
void StageView::findUnedited()
{
    const Study& study = context().study;
    if (m_unedited || !study.asked() || study.trace().provenance().edits.empty())
        return;
    Question plain = *study.asked();
    plain.edits.clear();
    const auto& runs = study.runs().runs();
    if (const auto run = std::ranges::find(runs, plain, &Run::question); run != runs.end())
        m_unedited = std::make_shared<const ReferenceRun>(ReferenceRun{run->trace, {}, {}, {}, {}});
}

void StageView::setEditor(QWidget& editor, QToolButton& opener)
{
    m_textEditor = &editor;
    m_opener = &opener;
    editor.setParent(this);
    opener.setParent(this);
    editor.installEventFilter(this);
    opener.installEventFilter(this);
    placeEditor();
}

QSizeF StageView::room() const
{
    const int beside = m_opener == nullptr ? 0 : m_opener->sizeHint().width();
    return {static_cast<double>(std::max(1, width() - beside)), static_cast<double>(height())};
}

void StageView::resizeEvent(QResizeEvent* event)
{
    FigureView::resizeEvent(event);
    if (event->oldSize().width() != width())
        fit(); // in other rows
    placeEditor();
}

void StageView::focusInEvent(QFocusEvent* event)
{
    m_byKeyboard = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    FigureView::focusInEvent(event);
}

QRectF StageView::focusFrame() const
{
    return hasFocus() && m_byKeyboard ? QRectF(rect()) : QRectF();
}

// Null where the text is none of words.
QRectF StageView::textBox()
{
    const Figure* const shown = currentFigure();
    return shown == nullptr ? QRectF() : shown->textBox();
}

void StageView::placeEditor()
{
    if (m_opener == nullptr)
        return;
    constexpr int usualHeight = 32;
    constexpr int narrow = 800; // the words need the room of a file's name more
    const bool folds = width() < narrow && !context().study.trace().source().tokens.empty();
    const auto style = folds ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon;
    if (m_opener->toolButtonStyle() != style) {
        m_opener->setToolButtonStyle(style);
        relayout();
    }
    const QRectF box = textBox();
    QRect line = box.isNull() ? QRect(0, 8, width(), usualHeight) : box.toAlignedRect();
    const int below = line.bottom();
    for (int word = 0; figure() != nullptr && word < figure()->rows(); ++word) {
        if (const QRectF first = figure()->cellRect(word, 0); box.intersects(first)) {
            line.setHeight(static_cast<int>(std::lround(first.height()))); // of several
            break;
        }
    }
    const QSize button = m_opener->sizeHint();
    m_opener->setGeometry(width() - button.width() - 2, line.center().y() - button.height() / 2, button.width(),
                          button.height());
    constexpr int frame = 6; // of a line of text: its letters stand where those of the words do
    const int left = std::max(0, line.left() - frame);
    const int numbers = fontMetrics().height(); // below the words
    m_textEditor->setGeometry(left, line.top() - 2, width() - left - frame, below - line.top() + 4 + numbers);
    for (auto* each : m_textEditor->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        if (qobject_cast<QLineEdit*>(each) != nullptr)
            each->setFont(lettersOf(line));
        each->setFixedHeight(line.height() + 4);
    }
}

void StageView::setGloss(QString (*gloss)(const QString& word))
{
    m_gloss = gloss;
    relayout();
}

QSize StageView::sizeHint() const
{
    constexpr int widest = 900;
    constexpr double least = 0.7; // of the height that it wants
    const double wide = isVisible() ? room().width() : double{widest};
    const auto figure = layoutFigure(spec(), context().study.trace(), {wide, 0});
    const double high = figure->size().height();
    return {widest, static_cast<int>(std::ceil(std::clamp(static_cast<double>(m_mostHeight), least * high, high)))};
}

void StageView::setMostHeight(int height)
{
    m_mostHeight = height;
    fit();
}

Highlight StageView::highlight() const
{
    Highlight marks = FigureView::highlight();
    if (m_written) {
        marks.row.reset();
        marks.column.reset();
    } else if (!marks.row && !marks.column) {
        addPointed(marks);
    }
    return marks;
}

// The words of a cell that is pointed at in a picture.
void StageView::addPointed(Highlight& marks) const
{
    const Selection::Pointed& pointed = context().selection.pointed();
    const Figure* const shown = figure();
    if ((!pointed.step && !pointed.token) || shown == nullptr)
        return;
    for (int word = 0; word < shown->rows(); ++word) {
        const QRectF box = shown->cellRect(word, 0);
        const FigureHit hit = box.isNull() ? FigureHit() : shown->hitTest(box.center());
        if (pointed.step && hit.rowToken && *hit.rowToken <= *pointed.step)
            marks.cursor = FigureCell{word, 0};
        if (pointed.token && hit.columnToken && *hit.columnToken <= *pointed.token)
            marks.column = word;
    }
}

FigureSpec StageView::mapSpec() const
{
    return stepAttention(spec(), context().study.trace());
}

void StageView::follow(FigureView& picture)
{
    constexpr std::size_t mostWords = 64; // that find room over columns
    std::map<int, double> columns;
    const FigureSpec shown = picture.spec();
    const Trace& trace = context().study.trace();
    const Figure* const figure = picture.figure();
    if (shown.kind == &heatmapKind && !shown.against && figure != nullptr && figure->rows() > 0
        && trace.source().size() <= mostWords) {
        const std::vector<AxisGroup> groups = mapAxes(trace, shown.mapSpec()).columns.groups;
        for (int column = 0; column < std::min(figure->columns(), indexSize(groups)); ++column) {
            const QRectF cell = figure->cellRect(0, column);
            const QPointF middle = mapFrom(window(), picture.mapTo(window(), cell.center()));
            if (!cell.isNull())
                columns[groups[static_cast<std::size_t>(column)].first] = middle.x();
        }
    }
    if (std::exchange(m_columns, columns) != columns)
        relayout();
}

FigureHit StageView::onMap(FigureHit hit) const
{
    const Map axes = mapAxes(context().study.trace(), mapSpec().mapSpec());
    const auto place = [](const MapAxis& axis, std::optional<int> token) -> std::optional<int> {
        return token ? axis.indexOf(*token) : std::nullopt;
    };
    const bool row = hit.part == FigureHit::Part::RowLabel;
    hit.row = row ? place(axes.rows, hit.rowToken) : std::nullopt;
    hit.column = row ? std::nullopt : place(axes.columns, hit.columnToken);
    return hit;
}

// Before anything is read it has its room already, so that nothing jumps.
void StageView::fit()
{
    if (const int high = sizeHint().height(); high != height() || maximumHeight() != high)
        setFixedHeight(high);
}

void StageView::changeEvent(QEvent* event)
{
    FigureView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit();
}

void StageView::choose(const FigureHit& hit)
{
    if (!hit.rowToken) {
        if (isRead(hit))
            Q_EMIT wordChosen(*hit.columnToken);
        return;
    }
    const Encoding& source = context().study.trace().source();
    if (!source.boxes.empty() || !source.times.empty()) // what is picked of these is let go for what the word looks at
        context().appearance.choose([](FigureChoices& choices) {
            if (choices.shading == Shading::Attending)
                choices.picked.clear();
        });
    if (*hit.rowToken < context().study.trace().rowCount(context().selection.leaf()))
        context().selection.setStep(hit.rowToken);
}

// A word of the text that was given, and not one that was written.
bool StageView::isRead(const FigureHit& hit) const
{
    return hit.columnToken && *hit.columnToken < indexSize(context().study.trace().source())
        && (hit.part == FigureHit::Part::ColumnLabel || context().study.trace().hasOneText());
}

QRectF StageView::boxOf(const FigureHit& hit)
{
    const std::optional<int> word = hit.row ? hit.row : hit.column;
    return word ? table().rect({*word, 0}) : QRectF();
}

// As large as the figure draws them in such a box.
QFont StageView::lettersOf(const QRectF& box) const
{
    constexpr double share = 0.68;
    QFont letters = font();
    letters.setPixelSize(std::max(1, static_cast<int>(box.height() * share)));
    return letters;
}

void StageView::mousePressEvent(QMouseEvent* event)
{
    FigureView::mousePressEvent(event);
    m_dragged.reset();
    const FigureHit hit = hitAt(event->position());
    m_scrubs = event->button() == Qt::LeftButton && hit.rowToken && !isRead(hit);
    if (event->button() == Qt::LeftButton && textBox().contains(event->position())
        && hit.part == FigureHit::Part::Nothing)
        openPlace(event->position());
    if (event->button() == Qt::LeftButton && isRead(hit) && context().study.model())
        m_dragged = Dragged{hit, boxOf(hit)};
}

// The place is between two words, or beside all.
void StageView::openPlace(QPointF point)
{
    std::optional<int> after;
    for (int word = 0; word < table().rows; ++word) {
        const QRectF box = table().rect({word, 0});
        const FigureHit hit = box.isNull() ? FigureHit() : hitAt(box.center());
        if (isRead(hit) && box.center().x() < point.x())
            after = hit.columnToken;
    }
    Q_EMIT placeOpened(after);
}

void StageView::mouseMoveEvent(QMouseEvent* event)
{
    if (std::exchange(m_written, false))
        update();
    if (event->buttons() == Qt::NoButton && m_opener != nullptr) { // where a click opens the editor
        const bool between = !m_opener->isHidden() && textBox().contains(event->position())
            && hitAt(event->position()).part == FigureHit::Part::Nothing;
        setCursor(between ? Qt::IBeamCursor : Qt::ArrowCursor);
    }
    if ((event->buttons() & Qt::LeftButton) == 0) // the release went elsewhere
        endDrag();
    if (m_scrubs && (event->buttons() & Qt::LeftButton) != 0) {
        const FigureHit hit = hitAt(event->position());
        if (hit.rowToken && !isRead(hit) && *hit.rowToken < context().study.trace().steps(context().selection.leaf()))
            choose(hit);
        return;
    }
    if (!m_dragged || !pressed())
        return FigureView::mouseMoveEvent(event);
    if (m_dragged->label == nullptr) {
        if ((event->position() - *pressed()).manhattanLength() < QApplication::startDragDistance())
            return;
        m_dragged->label = plainLabel(
            table().text({m_dragged->hit.row ? *m_dragged->hit.row : *m_dragged->hit.column, FigureTable::header}),
            window());
        m_dragged->label->setObjectName(QStringLiteral("draggedWord"));
        m_dragged->label->setAttribute(Qt::WA_TransparentForMouseEvents);
        m_dragged->label->setFont(lettersOf(m_dragged->box));
        m_dragged->label->setAutoFillBackground(true);
        m_dragged->label->setMargin(3);
        m_dragged->label->adjustSize();
        m_dragged->label->show();
        setCursor(Qt::ClosedHandCursor);
    }
    QLabel& label = *m_dragged->label;
    label.move(mapTo(window(), event->position().toPoint()) - label.rect().center());
    label.setForegroundRole(isOut(event->position()) ? QPalette::PlaceholderText : QPalette::WindowText);
}

// Far enough from where the word stands.
bool StageView::isOut(QPointF point) const
{
    const QRectF& box = m_dragged->box;
    return !box.adjusted(-box.width(), -box.height() * 0.6, box.width(), box.height() * 0.6).contains(point);
}

void StageView::mouseReleaseEvent(QMouseEvent* event)
{
    const bool drags = m_dragged && m_dragged->label != nullptr && event->button() == Qt::LeftButton;
    if (!drags) {
        m_dragged.reset();
        return FigureView::mouseReleaseEvent(event);
    }
    dropClick();
    const FigureHit hit = m_dragged->hit;
    const bool out = isOut(event->position());
    endDrag();
    if (out)
        Q_EMIT wordDropped(hit, event->globalPosition().toPoint());
}

void StageView::endDrag()
{
    if (m_dragged && m_dragged->label != nullptr) {
        m_dragged->label->hide();
        m_dragged->label->deleteLater();
        unsetCursor();
    }
    m_dragged.reset();
}

void StageView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const FigureHit hit = hitAt(event->position());
    if (event->button() == Qt::LeftButton && isRead(hit))
        editWord(hit);
}

// Where it is known what of the text the word is.
void StageView::editWord(const FigureHit& hit)
{
    const Study& study = context().study;
    const Encoding& source = study.trace().source();
    const auto& asked = study.asked();
    const QRectF box = boxOf(hit);
    const auto groups = wordAxis(source);
    const auto word = std::ranges::find(groups, *hit.columnToken, &AxisGroup::first);
    ByteSpan span;
    for (int token = *hit.columnToken; word != groups.end() && token < word->first + word->count; ++token) {
        if (token >= std::ssize(source.spans))
            break;
        const ByteSpan& piece = source.spans[static_cast<std::size_t>(token)];
        span = span.begin < span.end ? ByteSpan{span.begin, std::max(span.end, piece.end)} : piece;
    }
    if (box.isNull() || span.begin >= span.end || !study.model() || !asked || asked->text != source.text
        || asked->secondText) {
        Q_EMIT wordOpened(*hit.columnToken);
        return;
    }
    m_edited = span;
    const std::string text = source.text.substr(span.begin, span.end - span.begin);
    m_editor->setText(QString::fromStdString(text).trimmed());
    m_editor->setFont(lettersOf(box));
    constexpr int room = 48; // to type
    m_editor->setGeometry(box.toAlignedRect().adjusted(-4, -1, room, 1));
    m_editor->selectAll();
    m_editor->show();
    m_editor->setFocus(Qt::MouseFocusReason);
}

void StageView::endEditing()
{
    if (m_editor->isHidden())
        return;
    if (m_editor->hasFocus())
        setFocus();
    m_editor->hide();
}

// A word of which nothing is left goes with the space beside it.
void StageView::giveWord()
{
    std::string text = context().study.trace().source().text;
    const std::string word = m_editor->text().trimmed().toStdString();
    std::size_t begin = m_edited.begin;
    std::size_t end = std::min<std::size_t>(m_edited.end, text.size());
    while (begin < end && text[begin] == ' ')
        ++begin;
    if (word.empty() && end < text.size() && text[end] == ' ')
        ++end;
    else if (word.empty() && begin > 0 && text[begin - 1] == ' ')
        --begin;
    const bool same = text.compare(begin, end - begin, word) == 0;
    endEditing();
    if (!same)
        Q_EMIT textGiven(QString::fromStdString(text.replace(begin, end - begin, word)));
}

// Escape and the way elsewhere leave the word as it is. Enter has done its work then, and chooses nothing.
bool StageView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_textEditor || watched == m_opener) {
        if (event->type() == QEvent::Show || event->type() == QEvent::LayoutRequest)
            placeEditor();
        return false;
    }
    const int key = event->type() == QEvent::KeyPress ? static_cast<const QKeyEvent*>(event)->key() : 0;
    const bool gives = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (watched == m_editor && gives)
        giveWord();
    else if (watched == m_editor && (key == Qt::Key_Escape || event->type() == QEvent::FocusOut))
        endEditing();
    return (watched == m_editor && gives) || key == Qt::Key_Escape || FigureView::eventFilter(watched, event);
}

void StageView::walk(int words)
{
    const FigureTable& shown = table();
    if (shown.rows == 0)
        return;
    const int from = shown.chosenRows.empty() ? (words > 0 ? -1 : shown.rows) : shown.chosenRows.front();
    for (int word = from + words; word >= 0 && word < shown.rows; word += words) {
        const QRectF box = shown.rect({word, 0});
        const FigureHit hit = box.isNull() ? FigureHit() : hitAt(box.center());
        if (hit.rowToken)
            return choose(hit);
    }
}

bool StageView::handleKey(QKeyEvent* event)
{
    m_byKeyboard = true;
    if (event->modifiers() != Qt::NoModifier && event->modifiers() != Qt::KeypadModifier)
        return false;
    if (event->key() == Qt::Key_Delete && !table().chosenRows.empty()) {
        const QPointF word = table().rect({table().chosenRows.front(), 0}).center();
        Q_EMIT deletionAsked(hitAt(word), mapToGlobal(word.toPoint()));
        return true;
    }
    if (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right)
        return false;
    walk(event->key() == Qt::Key_Left ? -1 : 1);
    m_written = true; // what the mouse rests on is let go
    update();
    return true;
}

} // namespace attn::ui
