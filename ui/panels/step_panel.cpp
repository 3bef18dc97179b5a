// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/step_panel.h"

#include "analysis/words.h"
#include "base/index.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/decimal.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "panels/controls.h"
#include "state/strings.h"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QHBoxLayout>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextLayout>
#include <QTextOption>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

namespace attn::ui {

namespace {

constexpr auto playPace = std::chrono::milliseconds(600);
constexpr int outputLines = 2; // a height that stays, so that nothing moves while the output grows
constexpr int shortToken = 4; // characters, with the blanks around one

} // namespace

StepPanel::StepPanel(Study& study, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_study(study)
    , m_selection(selection)
    , m_controls(new QWidget)
    , m_slider(new QSlider(Qt::Horizontal))
    , m_position(plainLabel())
    , m_output(new QTextBrowser)
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
    m_position->setObjectName(QStringLiteral("stepPosition"));
    m_position->setMinimumWidth(fontMetrics().horizontalAdvance(tr("step %1 (0 to %2)").arg(888).arg(888)));
    m_hypothesisPicker->setObjectName(QStringLiteral("hypothesisPicker"));
    m_hypothesisPicker->setAccessibleName(tr("Hypothesis"));
    m_hypothesisPicker->setPlaceholderText(tr("one that was dropped"));
    m_hypothesisPicker->setToolTip(tr("Which hypothesis of the search is shown, with its log probability per token"));
    m_hypothesisPicker->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_hypothesisPicker->hide();
    controls->addSpacing(6);
    controls->addWidget(m_slider, 2);
    controls->addWidget(m_position);
    controls->addWidget(m_hypothesisPicker, 2);
    m_output->setObjectName(QStringLiteral("outputSoFar"));
    m_output->setOpenLinks(false);
    // Tokens stand in the order of their steps in every script.
    QTextOption leftToRight = m_output->document()->defaultTextOption();
    leftToRight.setTextDirection(Qt::LeftToRight);
    m_output->document()->setDefaultTextOption(leftToRight);
    m_output->setFrameShape(QFrame::NoFrame);
    m_output->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_output->viewport()->setAutoFillBackground(false);
    m_output->document()->setDocumentMargin(0);
    fitOutput();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->addWidget(m_output);
    layout->addWidget(m_controls);
    m_play.setInterval(playPace);
    connect(&m_play, &QTimer::timeout, this, [this] {
        if (next() >= length())
            togglePlay();
        else
            forward();
    });
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) { m_selection.setStep(value); });
    connect(m_output, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { choose(link.fragment().toInt()); });
    connect(m_hypothesisPicker, &QComboBox::activated, this,
            [this] { m_selection.setLeaf(StepId{m_hypothesisPicker->currentData().toInt()}); });
    connect(&m_study, &Study::traceReplaced, this, &StepPanel::traceReplaced);
    connect(&m_study, &Study::traceChanged, this, &StepPanel::traceChanged);
    connect(&m_study, &Study::runningChanged, this, &StepPanel::showTheResult);
    connect(&m_selection, &Selection::changed, this, [this](Selection::Fields fields) {
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

int StepPanel::next() const
{
    const auto step = m_selection.step();
    return step ? *step + 1 : 0;
}

void StepPanel::go(int step)
{
    const int last = length() - 1;
    m_selection.setStep(last < 0 ? std::nullopt : std::optional(std::clamp(step, 0, last)));
}

void StepPanel::choose(int token)
{
    if (token < length())
        m_selection.setStep(token);
    else
        Q_EMIT lastTokenChosen();
}

void StepPanel::first()
{
    go(0);
}

void StepPanel::back()
{
    go(m_selection.step().value_or(0) - 1);
}

void StepPanel::forward()
{
    go(next());
}

void StepPanel::last()
{
    go(length() - 1);
}

void StepPanel::togglePlay()
{
    if (playing()) {
        m_play.stop();
    } else if (length() > 0) {
        if (next() >= length())
            first();
        m_play.start();
    }
    showPlaying();
    showOutput();
}

void StepPanel::showPlaying()
{
    const bool plays = playing();
    m_selection.setPlays(plays);
    m_playButton->setIcon(themedIcon(plays ? QStringLiteral("pause") : QStringLiteral("play")));
    m_playButton->setToolTip(plays ? tr("Pause") : tr("Play"));
    m_playButton->setAccessibleName(m_playButton->toolTip());
}

void StepPanel::traceReplaced()
{
    m_play.stop();
    showPlaying();
    m_selection.setLeaf({});
    m_kept = m_study.onlyEditsDiffer() ? m_selection.step() : std::nullopt;
    if (!m_kept)
        m_selection.setStep({});
}

void StepPanel::traceChanged()
{
    const int steps = length();
    m_controls->setVisible(!reads());
    m_output->setAccessibleName(reads() ? tr("Text that was read") : tr("Output so far"));
    m_output->setToolTip(reads()           ? tr("Click a token to see what it attends to, and what is expected there")
                             : continues() ? tr("Click a token to see what it attends to, and what follows it")
                                           : tr("Click a token to go to the step that writes it"));
    {
        const QSignalBlocker blocker(m_slider);
        m_slider->setRange(0, std::max(0, steps - 1));
    }
    for (QToolButton* button : m_buttons)
        button->setEnabled(steps > 0);
    m_slider->setEnabled(steps > 1);
    fillHypotheses();
    // A run that goes on shows its newest step, and an edited one no later one than was shown.
    const std::optional<int> before = m_selection.step();
    if (m_kept && !reads() && steps > 0)
        go(std::min(*m_kept, steps - 1));
    else if (m_study.running() && !reads())
        last();
    else if (before)
        go(*before);
    else
        m_selection.setStep(stepWorthSeeing(m_study.trace(), m_selection.leaf()));
    if (!m_study.running())
        m_kept.reset();
    if (m_selection.step() == before)
        showStep();
}

void StepPanel::showTheResult()
{
    if (m_study.running() || reads() || !m_study.trace().summary())
        return;
    if (const auto kept = std::exchange(m_kept, std::nullopt))
        go(*kept);
    else
        m_selection.setStep(stepWorthSeeing(m_study.trace(), m_selection.leaf()));
}

// Those that a finished search ended with, best first: score and text.
void StepPanel::fillHypotheses()
{
    const Trace& trace = m_study.trace();
    m_hypothesisPicker->clear();
    for (const Hypothesis& found : trace.summary() ? trace.summary()->hypotheses : std::vector<Hypothesis>()) {
        if (!found.step)
            continue;
        m_hypothesisPicker->addItem(decimal(found.score, 3) + QStringLiteral("  ")
                                        + QString::fromStdString(trace.target(found.step).text),
                                    numberOf(*found.step));
        m_hypothesisPicker->setItemData(
            m_hypothesisPicker->count() - 1,
            tr("Sum of log probabilities %1, divided by its length %2. %3")
                .arg(decimal(found.sum, 3), decimal(found.score, 3),
                     found.ended ? tr("Ended by itself.") : tr("Cut off at the length limit.")),
            Qt::ToolTipRole);
    }
    m_hypothesisPicker->setVisible(m_hypothesisPicker->count() > 1);
    const auto leaf = m_selection.leaf();
    m_hypothesisPicker->setCurrentIndex(leaf ? m_hypothesisPicker->findData(numberOf(*leaf)) : 0);
}

void StepPanel::showStep()
{
    const int steps = length();
    const int step = m_selection.step().value_or(0);
    const QSignalBlocker blocker(m_slider);
    m_slider->setValue(step);
    m_position->setText(steps == 0 ? tr("no steps") : tr("step %1 (0 to %2)").arg(step).arg(steps - 1));
    showOutput();
}

void StepPanel::showOutput()
{
    const Trace& trace = m_study.trace();
    m_partial = false;
    if (reads() && length() > 0)
        showText(trace.source(), length());
    else if (continues() && trace.source().size() > 0)
        showText(trace.sequence(m_selection.leaf()), static_cast<int>(trace.source().size()));
    else if (length() > 0)
        showText(trace.target(m_selection.leaf()), length());
    else
        m_output->setPlainText(tr("The output appears here."));
}

// Tokens as links to their steps. What is left out of a long text is a link, too; what is still to be written is not
// there.
void StepPanel::showText(const Encoding& text, int firstGenerated)
{
    const auto labels = tokenAxis(text);
    const int chosenToken = m_selection.step().value_or(0);
    const int all = playing() ? std::min(indexSize(labels), chosenToken + 1) : indexSize(labels);
    const int most = mostShownTokens();
    const int first = std::clamp(chosenToken - most / 2, 0, std::max(0, all - most));
    const int end = std::min(all, first + most);
    m_partial = end - first < all;
    m_output->clear();
    QTextCursor cursor(m_output->document());
    cursor.beginEditBlock();
    const auto add = [&](int token, const QString& piece, bool generated) {
        cursor.insertText(QChar::Nbsp + piece + QChar::Nbsp, tokenFormat(token, generated));
        cursor.insertText(QStringLiteral(" "), QTextCharFormat());
    };
    const QString leftOut(QChar(0x2026));
    if (first > 0)
        add(first - 1, leftOut, false);
    for (int i = first; i < end; ++i) // isolated, so that pieces written from right to left stay in their order
        add(i, QChar(0x2068) + readableToken(labels[i].label) + QChar(0x2069), i >= firstGenerated);
    if (end < all)
        add(end, leftOut, false);
    cursor.endEditBlock();
    fitOutput();
    if (const auto chosen = m_selection.step())
        m_output->scrollToAnchor(QStringLiteral("t%1").arg(*chosen));
}

// Tokens of a long text around the step: as many as the lines hold, whatever the rest of it costs.
int StepPanel::mostShownTokens() const
{
    const int inALine = m_output->width() / std::max(1, fontMetrics().averageCharWidth() * shortToken);
    return outputLines * std::max(1, inALine) + 1;
}

// Whole lines, as high as they are drawn, so that none is cut wherever the text is scrolled to.
void StepPanel::fitOutput()
{
    const QTextLayout* first = m_output->document()->firstBlock().layout();
    m_output->document()->documentLayout()->documentSize(); // lays it out
    const double drawn = first->lineCount() > 0 ? first->lineAt(0).height() : 0;
    const double line = std::max(drawn, double{1} * fontMetrics().height());
    m_output->setFixedHeight(static_cast<int>(std::lround(line * outputLines)));
}

QTextCharFormat StepPanel::tokenFormat(int step, bool generated) const
{
    QTextCharFormat format;
    const std::optional<int> chosen = m_selection.step();
    if (step >= 0) {
        format.setAnchor(true);
        format.setAnchorHref(QStringLiteral("#%1").arg(step));
        format.setAnchorNames({QStringLiteral("t%1").arg(step)});
    }
    format.setFontItalic(generated);
    const bool passed = reads() || step < chosen;
    const bool dark = palette().color(QPalette::Window).lightness() < 128;
    if (step == chosen) {
        format.setForeground(palette().color(QPalette::HighlightedText));
        format.setBackground(palette().color(QPalette::Highlight));
    } else {
        format.setForeground(!passed         ? palette().color(QPalette::PlaceholderText)
                                 : generated ? themeColors(dark ? Theme::Dark : Theme::Light).generated
                                             : palette().color(QPalette::WindowText));
    }
    return format;
}

void StepPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (m_partial && event->oldSize().width() != event->size().width())
        showOutput();
}

void StepPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showOutput();
    QWidget::changeEvent(event);
}

} // namespace attn::ui
