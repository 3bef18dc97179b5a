// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/edit_gestures.h"

#include "analysis/words.h"
#include "base/index.h"
#include "edits/edit.h"
#include "experiments/embedding_experiment.h"
#include "figures/look/language.h"
#include "figures/look/token_label.h"
#include "inference/run_edits.h"
#include "laboratory/laboratory_page.h"
#include "panels/value_popup.h"
#include "state/strings.h"

#include <QAction>
#include <QPointer>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace attn::ui {

namespace {

constexpr int nearestShown = 8;
constexpr qint64 longestWait = 250; // milliseconds that a newer value waits for the answer to an older one

QString editTitle(const EditRow& row)
{
    return translated(row.title);
}

// Up to the number that an edit ends with: "cross:0:0:2:3=set:".
std::string stemOf(const std::string& text)
{
    return text.substr(0, text.rfind(':') + 1);
}

} // namespace

EditGestures::EditGestures(const Parts& parts)
    : QObject(&parts.window)
    , m_parts(parts)
    , m_nearest(parts.controller)
    , m_cutting(parts.controller)
{
    connect(&parts.views, &ViewTabs::valueDragged, this, &EditGestures::drag);
    connect(&parts.views, &ViewTabs::valueDragEnded, this, &EditGestures::endDrag);
    connect(&parts.edits, &EditList::appliedChanged, this, &EditGestures::run);
    // A drag that goes on belongs to what is on show then.
    connect(&parts.running, &RunCommands::asking, this, [this] { m_drag.reset(); });
    connect(&parts.controller, &RunController::sessionShown, this, [this] { m_drag.reset(); });
    connect(&parts.running, &RunCommands::asking, &parts.edits, &EditList::retry);
    connect(&parts.controller, &RunController::editsRefused, this, &EditGestures::leaveOut);
    // Once all others know that it has ended.
    connect(&parts.controller, &RunController::busyChanged, this, &EditGestures::runEnded, Qt::QueuedConnection);
}

EditPlace EditGestures::placeOf(const FigureSpec& spec, const FigureHit& hit) const
{
    if (!m_parts.study.model())
        return {};
    return editPlace(spec, m_parts.study.trace(), hit);
}

void EditGestures::fill(QMenu& menu, const FigureSpec& spec, const FigureHit& hit, QPoint position)
{
    const EditPlace place = placeOf(spec, hit);
    EditPlace word = place;
    word.cells.reset();
    auto* weights = new QMenu(tr("&Weights"), &menu);
    for (const EditRow& row : editRows()) {
        if (!row.fits(place))
            continue;
        QAction* action =
            (row.fits(word) ? menu : *weights).addAction(editTitle(row), this, [this, &row, place, position] {
                act(row, place, position);
            });
        action->setObjectName(QLatin1String(row.id));
        if (row.takes != EditRow::Takes::Nothing)
            continue;
        action->setCheckable(true);
        action->setChecked(m_parts.edits.applies(editTexts(row, place)));
    }
    if (!weights->isEmpty())
        menu.addMenu(weights);
    menu.addSeparator();
}

bool EditGestures::act(const char* id, const FigureSpec& spec, const FigureHit& hit, QPoint position)
{
    const auto row = std::ranges::find(editRows(), std::string_view(id), &EditRow::id);
    const EditPlace place = placeOf(spec, hit);
    if (row == editRows().end() || !row->fits(place))
        return false;
    act(*row, place, position);
    return true;
}

void EditGestures::act(const EditRow& row, const EditPlace& place, QPoint position)
{
    if (!row.fits(place))
        return;
    switch (row.takes) {
    case EditRow::Takes::Nothing:
        return m_parts.edits.toggle(editTexts(row, place));
    case EditRow::Takes::Number:
        return askNumber(row, place, position);
    case EditRow::Takes::Token:
        return askToken(row, place, position);
    }
}

void EditGestures::askNumber(const EditRow& row, const EditPlace& place, QPoint position)
{
    const QString what = editTitle(row).remove(QLatin1Char('&')).remove(QChar(0x2026));
    auto* popup = new ValuePopup(what, place.isCell ? static_cast<double>(place.value) : 1, &m_parts.window);
    connect(popup, &ValuePopup::given, this, [this, &row, place](double value) {
        for (const std::string& edit : editTexts(row, place, {static_cast<float>(value), {}, {}}))
            put(edit, ++m_steps);
    });
    popup->openAt(position);
}

void EditGestures::put(const std::string& text, int step)
{
    const std::string stem = stemOf(text);
    const auto& entries = m_parts.edits.entries();
    const auto found = std::find_if(entries.rbegin(), entries.rend(), [&stem](const EditList::Entry& entry) {
        return entry.on && stemOf(entry.text) == stem;
    });
    m_parts.edits.slide(step, found == entries.rend() ? std::string() : found->text, text);
}

void EditGestures::askToken(const EditRow& row, const EditPlace& place, QPoint position)
{
    const auto& model = m_parts.study.model();
    const std::vector<TokenId> source = m_parts.study.trace().source().ids;
    if (!model || place.tokens.front() >= indexSize(source)) // another run has come since the menu was opened
        return;
    auto* popup = new TokenPopup(place.tokenName, model->readsText, &m_parts.window);
    const auto replace = [this, &row, place](const EditInput& input) {
        const auto texts = editTexts(row, place, input);
        if (!m_parts.edits.applies(texts))
            m_parts.edits.add(texts);
    };
    connect(popup, &TokenPopup::tokenGiven, this, [replace](TokenId id) { replace({0, id, {}}); });
    connect(popup, &TokenPopup::wordGiven, this, [replace](const QString& word) {
        replace({0, {}, word.toStdString()});
    });
    connect(popup, &TokenPopup::typed, this,
            [this, popup, at = place.tokens.front()](const QString& word) { cut(*popup, word, at); });
    popup->openAt(position);
    findNearest(*popup, source[static_cast<std::size_t>(place.tokens.front())]);
}

void EditGestures::findNearest(TokenPopup& popup, TokenId token)
{
    const ModelSummary& model = *m_parts.study.model();
    const QPointer<TokenPopup> shown(&popup);
    disconnect(&m_nearest, nullptr, this, nullptr);
    connect(&m_nearest, &JobRunner::failed, this, [shown](const UserMessage& problem) {
        if (shown)
            shown->sayProblem(problem.problem);
    });
    carryOut(m_nearest,
             NeighbourExperiment(model.path.toStdString(), embeddingStage(model.info, false), token, {}, nearestShown),
             [shown](const std::shared_ptr<const NeighbourExperiment>& found) {
                 if (!shown)
                     return;
                 std::vector<TokenPopup::Near> offered;
                 const std::vector<AxisGroup> names = tokenAxis(found->names());
                 for (std::size_t i = 0; i < found->found().size(); ++i)
                     offered.push_back({found->found()[i].row, readableToken(names.at(i).label),
                                        static_cast<double>(found->found()[i].cosine)});
                 shown->offer(offered);
             });
}

// As the run will read it.
void EditGestures::cut(TokenPopup& popup, const QString& word, Index position)
{
    if (!m_parts.study.model())
        return;
    struct Cut
    {
        QString text;
        bool fits = false;
    };
    const auto made = std::make_shared<Cut>();
    SourceEdit edit{position, SourceChange::Word};
    edit.word = word.toStdString();
    m_cutting.start(
        [made, position, spec = editText(edit), path = m_parts.study.model()->path.toStdString(),
         source = m_parts.study.trace().source()](JobTools& tools) {
            const auto model = tools.models.load(path, tools.engine, {}, tools.stop);
            try {
                const RunEdits edits({&spec, 1});
                const Encoding edited = edits.applied(source, model->tokenizers.source.get());
                const std::string piece = tokenAxis(edited).at(static_cast<std::size_t>(position)).label;
                *made = {tr("one token: ") + readableToken(piece), true};
            } catch (const EditError& error) {
                *made = {QString::fromStdString(withoutEdit(error)), false};
            }
            return false;
        },
        [made, shown = QPointer<TokenPopup>(&popup)] {
            if (shown)
                shown->showPieces(made->text, made->fits);
        });
}

void EditGestures::run()
{
    if (m_drag) {
        m_drag->newer = true;
        if (!m_drag->asked || m_drag->since.elapsed() >= longestWait)
            ask(*m_drag);
    } else if (m_parts.study.model()) {
        m_parts.running.applyChoices();
    }
}

void EditGestures::drag(const FigureHit& hit, double value)
{
    if (!m_drag || !m_drag->held) {
        EditPlace place = placeOf(m_parts.views.current().spec(), hit);
        if (!place.isCell)
            return;
        m_drag = Drag{std::move(place), ++m_steps};
        m_parts.study.beginTrying();
    }
    put(settingText(m_drag->place, static_cast<float>(value)), m_drag->step);
}

void EditGestures::ask(Drag& drag)
{
    drag.newer = false;
    drag.since.start();
    m_parts.running.tryChoices();
    drag.asked = true;
}

void EditGestures::endDrag()
{
    if (!m_drag)
        return;
    m_drag->held = false;
    if (m_drag->newer)
        ask(*m_drag);
    else if (!m_drag->asked)
        runEnded();
}

// The answer to the last value stays.
void EditGestures::runEnded()
{
    if (!m_drag || m_parts.controller.busy())
        return;
    m_drag->asked = false;
    if (m_drag->newer) {
        ask(*m_drag);
    } else if (!m_drag->held) {
        m_drag.reset();
        m_parts.study.endTrying();
    }
}

void EditGestures::leaveOut(const std::vector<std::string>& edits, const std::vector<EditProblem>& problems)
{
    m_parts.edits.refuse(edits, problems);
    if (m_parts.edits.applied().size() + problems.size() != edits.size())
        return; // they are other ones by now
    m_parts.running.askAgain();
    const auto& first = edits.at(static_cast<std::size_t>(problems.front().number));
    // Joined rather than filled in: edits may contain "%1".
    QString note =
        tr("Not applied: ") + text(first) + QStringLiteral(" (") + text(problems.front().problem) + QLatin1Char(')');
    if (problems.size() > 1)
        note += tr(", and %n more", nullptr, indexSize(problems) - 1);
    if (std::exchange(m_left, note) != note)
        Q_EMIT noted(note);
}

} // namespace attn::ui
