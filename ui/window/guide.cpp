// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/guide.h"

#include "base/index.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/language.h"
#include "help/glossary.h"
#include "maps/map.h"
#include "question/question.h"
#include "readings/head_reading.h"
#include "state/edit_place.h"
#include "window/spotlight.h"

#include <QTimer>

#include <algorithm>
#include <string_view>
#include <utility>

namespace attn::ui {

namespace {

using GuideParts = const Guide::Parts&;

// The word of the source that one step looks at most.
std::optional<Index> mostLookedAt(GuideParts parts)
{
    const Trace& trace = parts.study.trace();
    const Site site = parts.selection.site();
    if (!parts.study.model() || trace.kind() == ModelKind::DecoderOnly || site.stage == Stage::Decoder
        || trace.heads(site) == 0)
        return std::nullopt;
    constexpr Index soonDone = 300'000; // weights that are gone through within a frame
    const Index rows =
        std::max<Index>(1, soonDone / std::max<Index>(1, trace.shape(site, parts.selection.leaf()).columns));
    const HeadReading& chosen = parts.selection.head();
    const HeadReading head = chosen.reading().computed ? HeadReading(meanOfHeads) : chosen; // may not be computed yet
    const auto weights = readWeights(trace, {site, head}, parts.selection.leaf(), {0, rows});
    const Encoding columns = trace.columnTokens(site, parts.selection.leaf());
    std::optional<Index> best;
    float most = 0;
    for (Index row = 0; row < weights.rows; ++row) {
        for (Index column = 0; column < std::min<Index>(weights.columns, indexSize(columns)); ++column) {
            const float weight = weights.values[static_cast<std::size_t>(row) * weights.columns + column];
            const bool special = columns.special.size() > static_cast<std::size_t>(column) && columns.special[column];
            if (!special && weight > most) {
                most = weight;
                best = column;
            }
        }
    }
    return best;
}

QString whatIsSeen(ModelKind kind)
{
    switch (kind) {
    case ModelKind::EncoderDecoder:
        return Guide::tr("A model reads your sentence and writes another one. Each row of the picture is a word that "
                         "it wrote, each column a word that it read, and a cell says how much it "
                         "[looked there](glossary#attention-weight). Try it:");
    case ModelKind::DecoderOnly:
        return Guide::tr("A model reads your text and can go on with it. Each row of the picture is a word, and "
                         "its cells say how much the step that wrote it "
                         "[looked at](glossary#attention-weight) each word before it. Try it:");
    case ModelKind::EncoderOnly:
        break;
    }
    return Guide::tr("A model reads your text. Each row of the picture is a token, and a cell says how much it "
                     "[looked at](glossary#attention-weight) another one. Try it:");
}

bool hasOutput(GuideParts parts)
{
    return parts.study.trace().stepCount() > 0;
}

void watch(GuideParts parts)
{
    parts.views.showView(QLatin1String(viewRows().front().id));
    parts.steps.playFromTheStart();
}

void hideWord(GuideParts parts)
{
    const auto rows = editRows();
    const auto row = std::ranges::find(rows, std::string_view("hideToken"), &EditRow::id);
    const auto word = mostLookedAt(parts);
    if (row == rows.end() || !word)
        return;
    EditPlace place;
    place.tokens = {*word};
    parts.views.showView(QLatin1String(viewRows().front().id));
    parts.edits.add(editTexts(*row, place));
}

// The word with its meaning, where the lessons' sentences have it and the reader may need it.
QString withGloss(const QString& word)
{
    const QString meaning = glossOf(word);
    return meaning.isEmpty() ? word : QStringLiteral("%1 (%2)").arg(word, meaning);
}

void showHeads(GuideParts parts)
{
    QObject::connect(
        &parts.controller, &RunController::finished, &parts.views,
        [&views = parts.views] { views.showView(QStringLiteral("grid")); }, Qt::SingleShotConnection);
    parts.opening.open(QStringLiteral("transformer-en-fr"));
}

} // namespace

// In the order in which the welcome has them.
struct Guide::Trial
{
    const char* id; // of its button
    const char* text; // for tr
    void (*act)(GuideParts parts);
    bool (*can)(GuideParts parts);
    bool waits = false; // for the end of a run that goes on
    bool compares = false; // what comes of it with what was there before
};

namespace {

constexpr Guide::Trial trials[] = {
    {"tryWager", QT_TRANSLATE_NOOP("attn::ui::Guide", "Guess where it looks"),
     [](GuideParts parts) { parts.wager.begin(); },
     [](GuideParts parts) { return parts.study.opened() == QLatin1String(Wager::model()); }, true},
    {"tryWatching", QT_TRANSLATE_NOOP("attn::ui::Guide", "Watch it write, word by word"), watch, hasOutput, true},
    {"tryHiding", QT_TRANSLATE_NOOP("attn::ui::Guide", "Hide a word and see what changes"), hideWord,
     [](GuideParts parts) { return mostLookedAt(parts).has_value(); }, true, true},
    {"tryHeads", QT_TRANSLATE_NOOP("attn::ui::Guide", "See all heads of a Transformer"), showHeads,
     [](GuideParts) { return true; }}};

} // namespace

Guide::Guide(const Parts& parts)
    : m_parts(parts)
    , m_prediction(parts.study, parts.selection, parts.steps, parts.stage)
{
    parts.card.hide();
    connect(&m_prediction, &Prediction::revealed, this, [this] {
        if (m_lesson == nullptr)
            return;
        answer(m_prediction.verdict());
        light();
    });
    connect(&parts.wager, &Wager::over, this, &Guide::goOn);
    connect(&parts.card, &GuideCard::closeRequested, this, &Guide::close);
    connect(&parts.card, &GuideCard::helpRequested, &parts.help, &HelpAccess::open);
    // Once all others know that it has ended.
    connect(
        &parts.controller, &RunController::finished, this,
        [this] {
            if (m_parts.controller.busy())
                return;
            if (std::exchange(m_compares, false))
                m_parts.study.compareAgainst(m_before);
            if (std::exchange(m_waiting, false) && m_lesson != nullptr)
                arrange(lessonStep());
            if (std::exchange(m_goesOn, false))
                m_parts.card.hide();
            else if (m_lesson == nullptr && m_parts.card.isVisible() && !m_parts.wager.isOn())
                showWelcome(); // other things can be tried now
            if (const Trial* const next = std::exchange(m_next, nullptr); next != nullptr && next->can(m_parts))
                tryOut(*next);
        },
        Qt::QueuedConnection);
    const auto forget = [this] {
        m_waiting = false;
        m_compares = false;
        m_next = nullptr;
    };
    connect(&parts.controller, &RunController::failed, this, forget);
    connect(&parts.controller, &RunController::sessionShown, this, forget);
    connect(
        &parts.controller, &RunController::cancelled, this,
        [this, forget] {
            if (!m_parts.controller.busy()) // by something else, which is waited for
                forget();
        },
        Qt::QueuedConnection);
}

// A first start, with the sentence that the program has for it, begins with a wager.
void Guide::greet()
{
    if (!m_welcomes)
        return;
    const Question& asked = m_parts.study.edited();
    if (asked.model == Wager::model() && asked.text == usualQuestion().text)
        m_parts.wager.begin();
    else
        showWelcome();
}

void Guide::welcome()
{
    m_parts.wager.end();
    end();
    m_goesOn = false;
    m_welcomes = true;
    Q_EMIT welcomesChanged();
    showWelcome();
}

// After the wager: until something is run.
void Guide::goOn()
{
    close();
    m_goesOn = true;
    showWelcome();
}

void Guide::showWelcome()
{
    GuideContent content;
    content.title = m_goesOn ? tr("Your turn") : tr("Welcome to AttnScope");
    const bool compares = m_parts.study.compared() != nullptr && !m_parts.edits.entries().empty();
    content.text = m_goesOn ? tr("Type a sentence of your own above and press Enter. Or go on here:")
        : compares
        ? tr("One word is hidden from the model now. The picture is the difference: red where it looks more than "
             "before, blue where less. Ctrl+Z goes back, and the panel *Edits* has what was changed.")
        : whatIsSeen(m_parts.study.kind());
    for (const Trial& trial : trials) {
        const bool first = &trial == trials; // of one model, and not twice
        if ((first && m_goesOn) || (!trial.can(m_parts) && (first || !m_parts.controller.busy())))
            continue;
        content.buttons.push_back({QLatin1String(trial.id), tr(trial.text), false, trial.can(m_parts), false,
                                   [this, &trial] { tryOut(trial); }});
    }
    content.buttons.front().primary = true;
    content.buttons.push_back(
        {QStringLiteral("tryLesson"), tr("Take a lesson"), false, true, true, [this] { begin(lessons().front()); }});
    m_parts.card.setContent(content);
    m_parts.card.show();
}

void Guide::tryOut(const Trial& trial)
{
    endTrial();
    m_goesOn = false;
    m_next = trial.waits && m_parts.controller.busy() ? &trial : nullptr;
    if (m_next != nullptr)
        return;
    m_compares = trial.compares;
    if (m_compares)
        m_before = m_parts.study.shown();
    trial.act(m_parts);
}

// Where it is still on show, or on its way there; what came after it is the user's own.
void Guide::endTrial()
{
    Study& study = m_parts.study;
    const auto before = std::exchange(m_before, std::nullopt);
    const bool waits = std::exchange(m_compares, false);
    const Run* const run = study.runs().find(before);
    if (run == nullptr || !run->question || (!waits && study.against() != before))
        return;
    m_parts.controller.cancel();
    study.compareAgainst({});
    study.edit([edits = run->question->edits](Question& question) { question.edits = edits; });
    study.show(*before);
    showWelcome();
}

void Guide::begin(const Lesson& lesson)
{
    m_parts.wager.end();
    if (m_lesson == nullptr)
        m_decoding = m_parts.study.edited().decoding;
    m_parts.stage.setGloss(glossOf);
    m_goesOn = false;
    m_lesson = &lesson;
    go(0);
}

void Guide::go(int step)
{
    m_prediction.drop();
    m_parts.steps.release();
    m_step = step;
    m_verdict.clear();
    m_answered = lessonStep().question == nullptr;
    showStep();
    ask(lessonStep());
}

void Guide::showStep()
{
    const LessonStep& step = lessonStep();
    const int count = static_cast<int>(m_lesson->steps.size());
    const bool last = m_step + 1 == count;
    const bool chooses = !m_answered && !step.answers.empty();
    const bool points = !m_answered && m_prediction.asks();
    const QString word = withGloss(m_prediction.asked());
    GuideContent content;
    content.title = tr("%1 – step %2 of %3").arg(translated(m_lesson->title)).arg(m_step + 1).arg(count);
    if (!m_verdict.isEmpty())
        content.title = tr("%1 – %2", "lesson and step, verdict").arg(content.title, m_verdict);
    content.text = chooses || points ? translated(step.question).replace(QLatin1String("%1"), word)
        : m_answered                 ? translated(step.text)
                                     : tr("One moment: the model reads the sentence.");
    if (points)
        content.buttons = m_prediction.buttons();
    content.answers = chooses ? indexSize(step.answers) : indexSize(content.buttons);
    for (int i = 0; chooses && i < indexSize(step.answers); ++i)
        content.buttons.push_back({QStringLiteral("answer%1").arg(i),
                                   translated(step.answers[static_cast<std::size_t>(i)]), false, true, false,
                                   [this, right = i == step.right] { answer(right ? tr("right") : tr("not so")); }});
    content.buttons.push_back(
        {QStringLiteral("lessonBack"), tr("Back"), false, m_step > 0, false, [this] { go(m_step - 1); }});
    content.buttons.push_back({QStringLiteral("lessonNext"),
                               last             ? tr("End the lesson")
                                   : m_answered ? tr("Next")
                                                : tr("Skip"),
                               m_answered, true, false, [this, last] { last ? close() : go(m_step + 1); }});
    const auto page = step.page != nullptr && m_answered ? pageOf(step.page) : std::nullopt;
    if (page)
        content.buttons.push_back({QStringLiteral("lessonPage"), tr("Laboratory: %1").arg(pageName(*page)), false, true,
                                   false, [this, page] { m_parts.laboratory.open(*page); }});
    m_parts.card.setContent(content);
    m_parts.card.show();
}

void Guide::answer(const QString& verdict)
{
    m_answered = true;
    m_verdict = verdict;
    if (!lessonStep().answers.empty() && !m_waiting)
        arrange(lessonStep());
    showStep();
}

// Once the picture has the row.
void Guide::light()
{
    QTimer::singleShot(100, this, [this, step = m_step] {
        FigureView& view = m_parts.views.current();
        const bool stands = m_lesson != nullptr && m_step == step && m_answered && &view == &m_parts.views.heatmap();
        if (!stands || view.figure() == nullptr)
            return;
        const Map axes = mapAxes(m_parts.study.trace(), view.spec().mapSpec());
        const auto row = axes.rows.indexOf(m_prediction.step());
        const auto column = axes.columns.indexOf(m_prediction.most().token);
        const QRectF cell = row && column ? view.figure()->cellRect(*row, *column) : QRectF();
        if (cell.isEmpty())
            return;
        auto* spot = view.findChild<Spotlight*>();
        (spot != nullptr ? spot : new Spotlight(view))->shine(cell);
    });
}

void Guide::ask(const LessonStep& step)
{
    Study& study = m_parts.study;
    const Question before = study.edited();
    study.edit([&step](Question& question) {
        if (question.text.empty())
            question.text = usualQuestion().text;
        if (step.beams > 0)
            question.decoding.search = step.beams > 1 ? Search::Beam : Search::Greedy;
        if (step.beams > 1)
            question.decoding.beamSize = step.beams;
    });
    const bool otherModel = step.model != nullptr && study.opened() != QLatin1String(step.model);
    const bool otherQuestion = !(study.edited() == before) || study.age() != Age::Current;
    if (!otherModel && !otherQuestion && !m_parts.controller.busy() && study.shown())
        return arrange(step);
    m_waiting = true;
    if (step.model != nullptr)
        m_parts.opening.open(QLatin1String(step.model));
    else
        m_parts.running.run();
}

// Views that would tell the answer are shown with it: until then the map of both texts is, and no word that comes.
void Guide::arrange(const LessonStep& step)
{
    const bool chooses = !m_answered && !step.answers.empty();
    m_parts.steps.release();
    if (step.view != nullptr)
        m_parts.views.showView(QLatin1String(chooses ? viewRows().front().id : step.view));
    if (step.site != nullptr) {
        const SiteChoice choice = parseSite(step.site, m_lesson->id);
        const bool shows = m_parts.study.trace().heads(choice.site) > 0;
        if (shows && (!chooses || choice.site.stage == Stage::Cross))
            m_parts.selection.setSiteAndHead(choice.site, choice.head);
    }
    const auto leaf = m_parts.selection.leaf();
    const int count = indexSize(m_parts.study.trace().path(leaf));
    const int wanted = step.place == LessonPlace::First ? 0
        : step.place == LessonPlace::Second             ? 1
        : step.place == LessonPlace::Last               ? count - 1
                                                        : stepWorthSeeing(m_parts.study.trace(), leaf).value_or(0);
    if (step.place != LessonPlace::Anywhere && count > 0 && chooses)
        m_parts.steps.holdAt(std::min(wanted, count - 1));
    else if (step.place != LessonPlace::Anywhere && count > 0)
        m_parts.selection.setStep(std::min(wanted, count - 1));
    if (m_answered || !step.answers.empty())
        return;
    // A question that this sentence has no answer to is told instead.
    if (m_prediction.ask(std::min(wanted, count - 1)))
        return showStep();
    answer({});
}

// Decoding is as it was before; what was run stays on show.
void Guide::end()
{
    m_waiting = false;
    m_prediction.drop();
    if (std::exchange(m_lesson, nullptr) == nullptr)
        return;
    m_parts.steps.release();
    m_parts.stage.setGloss(nullptr);
    m_parts.study.edit([this](Question& question) {
        question.decoding.search = m_decoding.search;
        question.decoding.beamSize = m_decoding.beamSize;
    });
}

void Guide::close()
{
    m_parts.wager.end();
    m_goesOn = false;
    if (m_lesson != nullptr) {
        end();
        return m_parts.card.hide();
    }
    m_parts.card.hide();
    m_welcomes = false;
    Q_EMIT welcomesChanged();
}

} // namespace attn::ui
