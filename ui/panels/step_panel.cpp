// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/step_panel.h"

#include "analysis/words.h"
#include "base/index.h"
#include "figures/kinds/beam_words.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/decimal.h"
#include "figures/look/word_times.h"
#include "panels/controls.h"
#include "state/run_words.h"
#include "state/strings.h"

#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QStyle>

#include <algorithm>
#include <optional>
#include <utility>

namespace attn::ui {

namespace {

using std::chrono::milliseconds;

// Time that a word takes to be written that is played once more, or was waited for.
constexpr milliseconds playedWord(600);
constexpr milliseconds heldWord(1200);
constexpr milliseconds frame(16);
constexpr int leastSlider = 80;
constexpr int pickerFrame = 44; // pixels: its frame and arrow
constexpr int scoreRole = Qt::UserRole + 1; // of a hypothesis
constexpr int writtenRole = Qt::UserRole + 2; // its whole text
constexpr int widthForAll = 800; // hypotheses of a beam and a note beside the slider

} // namespace

StepPanel::StepPanel(Study& study, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_study(study)
    , m_selection(selection)
    , m_controls(new QWidget)
    , m_slider(new QSlider(Qt::Horizontal))
    , m_position(plainLabel())
    , m_note(plainLabel(tr("the least certain word")))
    , m_hypothesisPicker(new QComboBox)
{
    setObjectName(QStringLiteral("stepPanel"));
    auto* controls = new QHBoxLayout(m_controls);
    controls->setContentsMargins(0, 0, 0, 0);
    controls->setSpacing(2);
    addButton("firstStep", tr("First step"), "first", &StepPanel::first);
    addButton("backStep", tr("One step back"), "back", &StepPanel::back);
    m_playButton = addButton("playSteps", tr("Play"), "play", &StepPanel::togglePlay);
    addButton("forwardStep", tr("One step forward"), "forward", &StepPanel::forward);
    addButton("lastStep", tr("Last step"), "last", &StepPanel::last);
    for (QToolButton* button : m_buttons)
        controls->addWidget(button);
    m_slider->setObjectName(QStringLiteral("stepSlider"));
    m_slider->setAccessibleName(tr("Decoding step"));
    m_slider->setPageStep(1);
    m_slider->setMinimumWidth(leastSlider);
    m_position->setObjectName(QStringLiteral("stepPosition"));
    m_position->setMinimumWidth(fontMetrics().horizontalAdvance(tr("step %1 (0 to %2)").arg(888).arg(888)));
    m_note->setObjectName(QStringLiteral("restNote"));
    m_note->setForegroundRole(QPalette::PlaceholderText);
    m_note->setToolTip(
        tr("A run first shows the word that the model was least sure of. The first step is Alt+Home, the "
           "last one Alt+End."));
    m_note->hide();
    m_hypothesisPicker->setObjectName(QStringLiteral("hypothesisPicker"));
    m_hypothesisPicker->setAccessibleName(tr("Hypothesis"));
    m_hypothesisPicker->setPlaceholderText(tr("one that was dropped"));
    m_hypothesisPicker->setToolTip(
        tr("Which hypothesis of the search is shown, with its score: its log probability per token"));
    m_hypothesisPicker->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_hypothesisPicker->installEventFilter(this);
    m_hypothesisPicker->hide();
    controls->addSpacing(6);
    controls->addWidget(m_slider, 2);
    controls->addWidget(m_position);
    controls->addWidget(m_note);
    controls->addWidget(m_hypothesisPicker, 2);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->addWidget(m_controls);
    m_play.setInterval(frame);
    m_play.setTimerType(Qt::PreciseTimer);
    connect(&m_play, &QTimer::timeout, this, &StepPanel::playOn);
    connect(m_slider, &QSlider::valueChanged, this, &StepPanel::scrub);
    connect(m_hypothesisPicker, &QComboBox::activated, this,
            [this] { m_selection.setLeaf(StepId{m_hypothesisPicker->currentData().toInt()}); });
    connect(&m_study, &Study::traceReplaced, this, &StepPanel::traceReplaced);
    connect(&m_study, &Study::traceChanged, this, &StepPanel::traceChanged);
    connect(&m_study, &Study::runningChanged, this, &StepPanel::showTheResult);
    connect(&m_study, &Study::runBegan, this, [this] { m_awaited = m_writesOut; });
    connect(&m_study, &Study::runEnded, this, [this] {
        m_awaited = false;
        writeChanges();
    });
    connect(&m_study, &Study::tried, this, &StepPanel::writeChanges);
    connect(&m_selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if ((fields & (Selection::LeafField | Selection::StepField)) && !m_moves) {
            release(); // somebody looks at another place
            m_changed.reset();
        }
        if (fields & (Selection::LeafField | Selection::StepField))
            m_rests.reset();
        if (fields & Selection::LeafField)
            traceChanged();
        else if (fields & Selection::StepField)
            showStep();
    });
    traceChanged();
}

QToolButton* StepPanel::addButton(const char* name, const QString& text, const char* icon, void (StepPanel::*slot)())
{
    auto* button = new QToolButton;
    button->setObjectName(QLatin1String(name));
    button->setIcon(themedIcon(QLatin1String(icon)));
    button->setToolTip(text);
    button->setAccessibleName(text);
    button->setAutoRaise(true);
    connect(button, &QToolButton::clicked, this, slot);
    m_buttons.push_back(button);
    return button;
}

bool StepPanel::reads() const
{
    return m_study.trace().kind() == ModelKind::EncoderOnly;
}

bool StepPanel::continues() const
{
    return m_study.trace().kind() == ModelKind::DecoderOnly;
}

int StepPanel::length() const
{
    return m_study.trace().steps(m_selection.leaf());
}

int StepPanel::firstWritten() const
{
    return firstWrittenStep(m_study.trace(), m_selection.leaf());
}

int StepPanel::next() const
{
    const auto step = m_selection.step();
    return step ? *step + 1 : 0;
}

void StepPanel::go(int step)
{
    const int last = m_study.trace().rowCount(m_selection.leaf()) - 1;
    m_selection.setStep(last < 0 ? std::nullopt : std::optional(std::clamp(step, 0, last)));
}

// A text that goes on may be shorter by now: its last word is no end of a sentence.
void StepPanel::goBack(int step)
{
    go(step < length() || !continues() ? step : stepWorthSeeing(m_study.trace(), m_selection.leaf()).value_or(step));
}

void StepPanel::first()
{
    release();
    go(0);
}

void StepPanel::back()
{
    release();
    go(m_selection.step().value_or(0) - 1);
}

void StepPanel::forward()
{
    release();
    go(next());
}

void StepPanel::last()
{
    release();
    go(lastWord());
}

int StepPanel::lastWord() const
{
    const Encoding text = m_study.trace().stepTokens(m_selection.leaf());
    const int first = m_study.trace().firstStepToken();
    int last = length() - 1;
    while (last > 0 && isSpecial(text, last + first))
        --last;
    return last > 0 ? last : length() - 1;
}

void StepPanel::togglePlay()
{
    if (playing())
        pause();
    else if (m_paused)
        goOn();
    else if (m_held)
        writeHeld();
    else if (const auto changed = std::exchange(m_changed, std::nullopt))
        play(*changed);
    else if (length() > 0)
        play(next() <= lastWord() ? std::max(next(), firstWritten()) : firstWritten());
}

void StepPanel::pause()
{
    m_paused = m_passed + m_clock.elapsed();
    m_play.stop();
    showPlaying();
}

void StepPanel::goOn()
{
    m_passed = std::exchange(m_paused, std::nullopt).value_or(0);
    m_clock.start();
    m_play.start();
    showPlaying();
}

void StepPanel::scrub(int step)
{
    if ((!playing() && !m_paused) || !m_again.empty() || m_single)
        return m_selection.setStep(step);
    if (playing())
        pause();
    const QScopedValueRollback own(m_moves, true);
    m_paused = m_pace.count(); // that word is written
    m_selection.setMoment({});
    m_selection.setStep(step);
}

void StepPanel::setWritesOut(bool writesOut)
{
    m_awaited = m_awaited && writesOut;
    if (std::exchange(m_writesOut, writesOut) != writesOut)
        Q_EMIT writesOutChanged();
}

void StepPanel::playFromTheStart()
{
    stop();
    play(firstWritten());
}

void StepPanel::holdAt(int step)
{
    stop();
    m_awaited = false;
    const QScopedValueRollback own(m_moves, true);
    m_held = true;
    m_selection.setPlays(true);
    m_selection.setMoment(0);
    go(step);
}

void StepPanel::writeHeld()
{
    if (!std::exchange(m_held, false))
        return;
    m_single = true;
    m_pace = heldWord;
    m_passed = 0;
    m_clock.start();
    m_play.start();
    showPlaying();
    if (!moves())
        m_selection.setMoment({});
}

void StepPanel::release()
{
    stop();
    if (!std::exchange(m_held, false))
        return;
    m_selection.setMoment({});
    m_selection.setPlays(false);
}

void StepPanel::play(int step)
{
    if (step >= length())
        return;
    m_pace = m_follows ? firstWordTime : playedWord;
    m_play.start();
    showPlaying();
    begin(step);
}

// Reduced motion shows each word in its place.
bool StepPanel::moves() const
{
    return style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) > 0;
}

// The whole word that the step writes.
void StepPanel::begin(int step)
{
    const int first = m_study.trace().firstStepToken();
    const auto words = wordAxis(m_study.trace().stepTokens(m_selection.leaf()));
    const auto word = std::ranges::find_if(words, [token = step + first](const AxisGroup& group) {
        return token >= group.first && token < group.first + group.count;
    });
    const QScopedValueRollback own(m_moves, true);
    if (moves())
        m_selection.setMoment(0);
    go(word == words.end() ? step : word->first + word->count - 1 - first);
    m_passed = 0;
    m_clock.start();
}

void StepPanel::playOn()
{
    const double moment = double(m_passed + m_clock.elapsed()) / double(m_pace.count());
    if (moment < 1) {
        if (m_selection.moment())
            m_selection.setMoment(moment);
        return;
    }
    m_selection.setMoment({});
    if (std::exchange(m_single, false)) {
        stop();
        Q_EMIT wordWritten();
        return;
    }
    if (m_follows || !m_again.empty())
        m_pace = laterWordTime;
    if (!m_again.empty()) {
        m_again.erase(m_again.begin());
        if (!m_again.empty())
            return begin(m_again.front());
        stop();
        const QScopedValueRollback own(m_moves, true);
        go(m_back.value_or(0));
    } else if (next() <= lastWord())
        begin(next());
    else if (!m_follows || !m_study.running()) {
        const bool followed = m_follows;
        stop();
        if (followed)
            showTheResult();
    }
}

void StepPanel::stop()
{
    if (!playing() && !m_paused)
        return;
    m_paused.reset();
    m_play.stop();
    m_selection.setMoment({});
    m_single = false;
    m_follows = false;
    m_again.clear();
    showPlaying();
}

void StepPanel::showPlaying()
{
    const bool plays = playing();
    m_selection.setPlays((plays || m_paused) && m_again.empty());
    m_playButton->setIcon(themedIcon(plays ? QStringLiteral("pause") : QStringLiteral("play")));
    m_playButton->setToolTip(plays ? tr("Pause") : tr("Play"));
    m_playButton->setAccessibleName(m_playButton->toolTip());
}

void StepPanel::traceReplaced()
{
    release();
    m_changed.reset();
    const bool edited = m_study.onlyEditsDiffer();
    m_awaited = m_awaited && !edited;
    if (!m_study.trying() || !std::exchange(m_edited, edited)) // of all values that are tried, before the first
        m_before = wordAxis(m_study.trace().stepTokens(m_selection.leaf()));
    m_edited = edited;
    m_rests.reset();
    m_selection.setLeaf({});
    m_kept = m_study.onlyEditsDiffer() ? m_selection.step() : std::nullopt;
    if (!m_kept)
        m_selection.setStep({});
}

void StepPanel::traceChanged()
{
    const int steps = length();
    const bool isIdle = m_study.model() && !m_study.model()->info.writes() && length() == 0; // a picture without a text
    setVisible(!reads() && !isIdle);
    {
        const QSignalBlocker blocker(m_slider);
        m_slider->setRange(0, std::max(0, m_study.trace().rowCount(m_selection.leaf()) - 1));
    }
    for (QToolButton* button : m_buttons)
        button->setEnabled(steps > 0);
    m_slider->setEnabled(steps > 1);
    fillHypotheses();
    // A run that goes on shows its newest step, and an edited one no later one than was shown.
    const std::optional<int> before = m_selection.step();
    if (const auto step = m_awaited && m_watched ? newStep() : std::nullopt) {
        m_awaited = false;
        m_follows = true;
        play(*step);
    }
    if (m_follows)
        return showStep();
    if (m_kept && !reads() && steps > 0)
        goBack(*m_kept);
    else if (m_study.running() && !reads())
        go(length() - 1);
    else if (before)
        go(*before);
    else
        rest();
    if (!m_study.running())
        m_kept.reset();
    if (m_selection.step() == before)
        showStep();
}

// Words of a beam change until its end. Of a text that goes on where it was, what was there stands.
std::optional<int> StepPanel::newStep() const
{
    const Trace& trace = m_study.trace();
    const bool ended = trace.summary().has_value();
    const Encoding text = trace.stepTokens(m_selection.leaf());
    const bool wrote = continues() ? indexSize(text) > trace.firstGenerated() : !reads() && length() > 0;
    if (!wrote || (!ended && trace.provenance().decoding.starts_with("beam")))
        return std::nullopt;
    const auto words = wordAxis(text);
    if (!continues()) { // what only says in which language it will write is no word
        const auto first =
            std::ranges::find_if(words, [&](const AxisGroup& word) { return !isSpecial(text, word.first); });
        return first != words.end() ? std::optional(first->first) : ended ? std::optional(0) : std::nullopt;
    }
    const auto differs = std::ranges::mismatch(words, m_before, {}, &AxisGroup::label, &AxisGroup::label);
    const auto left = words.end() - differs.in1;
    if (!ended && (left == 0 || (left == 1 && differs.in2 != m_before.end()))) // its last word may go on
        return std::nullopt;
    const bool goesOn = differs.in1 != words.end() && m_before.end() - differs.in2 <= 1;
    return goesOn ? std::max(differs.in1->first - trace.firstStepToken(), firstWritten()) : firstWritten();
}

// Changed words come one after the other; reduced motion has them in their places.
void StepPanel::writeChanges()
{
    if (m_study.trying() || !std::exchange(m_edited, false) || !m_watched || !m_writesOut || playing() || m_held
        || !moves() || !m_study.trace().summary())
        return;
    const auto words = wordAxis(m_study.trace().stepTokens(m_selection.leaf()));
    const int first = m_study.trace().firstStepToken();
    for (const ChangedWord& changed : changedWords(words, m_before)) {
        const AxisGroup& word = words[static_cast<std::size_t>(changed.word)];
        if (word.first - first >= firstWritten())
            m_again.push_back(word.first - first);
    }
    if (m_again.empty() || reads())
        return m_again.clear();
    m_back = m_selection.step();
    m_changed = m_again.front();
    m_pace = firstWordTime;
    m_play.start();
    showPlaying();
    begin(m_again.front());
}

void StepPanel::showTheResult()
{
    if (m_study.running() || m_follows || reads() || !m_study.trace().summary())
        return;
    if (const auto kept = std::exchange(m_kept, std::nullopt))
        goBack(*kept);
    else
        rest();
}

void StepPanel::rest()
{
    const std::optional<int> step = stepWorthSeeing(m_study.trace(), m_selection.leaf());
    m_selection.setStep(step);
    m_rests = reads() || continues() || m_study.running() ? std::nullopt : step;
    showStep();
}

// Hypotheses that a finished search ended with, best first: score and text.
void StepPanel::fillHypotheses()
{
    const Trace& trace = m_study.trace();
    m_hypothesisPicker->clear();
    for (const Hypothesis& found : trace.summary() ? trace.summary()->hypotheses : std::vector<Hypothesis>()) {
        if (!found.step)
            continue;
        const int place = m_hypothesisPicker->count();
        const QString score = tr("score %1").arg(decimal(found.score, 3)) + QStringLiteral("  ");
        const QString written = writtenText(trace, found.step);
        m_hypothesisPicker->addItem(score + written, numberOf(*found.step));
        m_hypothesisPicker->setItemData(place, score, scoreRole);
        m_hypothesisPicker->setItemData(place, written, writtenRole);
        m_hypothesisPicker->setItemData(place, QString(score + written), Qt::AccessibleTextRole);
        m_hypothesisPicker->setItemData(
            place,
            tr("Sum of log probabilities %1, divided by its length %2. %3")
                .arg(decimal(found.sum, 3), decimal(found.score, 3),
                     found.ended ? tr("Ended by itself.") : tr("Cut off at the length limit.")),
            Qt::ToolTipRole);
    }
    nameHypotheses();
    m_hypothesisPicker->setVisible(m_hypothesisPicker->count() > 1);
    const auto leaf = m_selection.leaf();
    m_hypothesisPicker->setCurrentIndex(leaf ? m_hypothesisPicker->findData(numberOf(*leaf)) : 0);
}

// The part that tells them apart has room first.
void StepPanel::nameHypotheses()
{
    QStringList texts;
    for (int i = 0; i < m_hypothesisPicker->count(); ++i)
        texts << m_hypothesisPicker->itemData(i, writtenRole).toString();
    for (int i = 0; i < texts.size(); ++i) {
        const QString score = m_hypothesisPicker->itemData(i, scoreRole).toString();
        const QFontMetricsF metrics(m_hypothesisPicker->fontMetrics());
        const double room = m_hypothesisPicker->width() - pickerFrame - metrics.horizontalAdvance(score);
        m_hypothesisPicker->setItemText(i, score + apart(texts[i], texts, metrics, room));
    }
}

bool StepPanel::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_hypothesisPicker && event->type() == QEvent::Resize)
        nameHypotheses();
    return QWidget::eventFilter(watched, event);
}

void StepPanel::showStep()
{
    const int steps = length();
    const int step = m_selection.step().value_or(0);
    const QSignalBlocker blocker(m_slider);
    m_slider->setValue(step);
    const bool hasRoom = m_hypothesisPicker->isHidden() || width() >= widthForAll;
    m_note->setVisible(hasRoom && m_rests && steps > 1 && step == *m_rests && !m_held && !playing());
    m_position->setText(steps == 0         ? tr("no steps")
                            : step < steps ? tr("step %1 (0 to %2)").arg(step).arg(steps - 1)
                                           : tr("what comes next"));
}

} // namespace attn::ui
