// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/step_panel.h"

#include "analysis/words.h"
#include "state/strings.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace attn::ui {

namespace {

constexpr auto playPace = std::chrono::milliseconds(600);

}

StepPanel::StepPanel(Document& document, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_slider(new QSlider(Qt::Horizontal))
    , m_position(new QLabel)
    , m_output(new QLabel)
    , m_hypotheses(new QComboBox)
{
    setObjectName(QStringLiteral("stepPanel"));
    auto* controls = new QHBoxLayout;
    controls->setSpacing(2);
    addButton("firstStep", tr("First step"), style()->standardIcon(QStyle::SP_MediaSkipBackward), &StepPanel::first);
    addButton("backStep", tr("One step back"), style()->standardIcon(QStyle::SP_MediaSeekBackward), &StepPanel::back);
    m_playButton =
        addButton("playSteps", tr("Play"), style()->standardIcon(QStyle::SP_MediaPlay), &StepPanel::togglePlay);
    addButton("forwardStep", tr("One step forward"), style()->standardIcon(QStyle::SP_MediaSeekForward),
              &StepPanel::forward);
    addButton("lastStep", tr("Last step"), style()->standardIcon(QStyle::SP_MediaSkipForward), &StepPanel::last);
    for (QToolButton* button : m_buttons)
        controls->addWidget(button);
    m_slider->setObjectName(QStringLiteral("stepSlider"));
    m_slider->setAccessibleName(tr("Decoding step"));
    m_slider->setPageStep(1);
    m_position->setObjectName(QStringLiteral("stepPosition"));
    m_position->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("step 888 of 888")));
    m_hypotheses->setObjectName(QStringLiteral("hypothesisPicker"));
    m_hypotheses->setAccessibleName(tr("Hypothesis"));
    m_hypotheses->setToolTip(tr("Which hypothesis of the search is shown, with its log probability per token"));
    m_hypotheses->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_hypotheses->hide();
    controls->addSpacing(6);
    controls->addWidget(m_slider, 2);
    controls->addWidget(m_position);
    controls->addWidget(m_hypotheses, 1);
    m_output->setObjectName(QStringLiteral("outputSoFar"));
    m_output->setAccessibleName(tr("Output so far"));
    m_output->setTextFormat(Qt::RichText);
    m_output->setWordWrap(true);
    m_output->setMinimumHeight(fontMetrics().height() * 2);
    m_output->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->addWidget(m_output);
    layout->addLayout(controls);
    m_play.setInterval(playPace);
    connect(&m_play, &QTimer::timeout, this, [this] {
        if (m_selection.step() + 1 >= length())
            togglePlay();
        else
            forward();
    });
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) { m_selection.setStep(value); });
    connect(m_output, &QLabel::linkActivated, this, [this](const QString& link) { m_selection.setStep(link.toInt()); });
    connect(m_hypotheses, &QComboBox::activated, this,
            [this] { m_selection.setLeaf(m_hypotheses->currentData().toInt()); });
    connect(&m_document, &Document::traceChanged, this, &StepPanel::traceChanged);
    connect(&m_selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & Selection::LeafField)
            traceChanged();
        else if (fields & Selection::StepField)
            showStep();
    });
    traceChanged();
}

QToolButton* StepPanel::addButton(const char* name, const QString& text, const QIcon& icon, void (StepPanel::*slot)())
{
    auto* button = new QToolButton;
    button->setObjectName(QLatin1String(name));
    button->setIcon(icon);
    button->setToolTip(text);
    button->setAccessibleName(text);
    button->setAutoRaise(true);
    connect(button, &QToolButton::clicked, this, slot);
    m_buttons.push_back(button);
    return button;
}

int StepPanel::length() const
{
    return static_cast<int>(m_document.trace().path(m_selection.leaf()).size());
}

void StepPanel::first()
{
    m_selection.setStep(0);
}

void StepPanel::back()
{
    m_selection.setStep(std::max(0, m_selection.step() - 1));
}

void StepPanel::forward()
{
    m_selection.setStep(std::min(length() - 1, m_selection.step() + 1));
}

void StepPanel::last()
{
    m_selection.setStep(length() - 1);
}

void StepPanel::togglePlay()
{
    if (m_play.isActive()) {
        m_play.stop();
    } else if (length() > 0) {
        if (m_selection.step() + 1 >= length())
            first();
        m_play.start();
    }
    const bool plays = m_play.isActive();
    m_playButton->setIcon(style()->standardIcon(plays ? QStyle::SP_MediaPause : QStyle::SP_MediaPlay));
    m_playButton->setToolTip(plays ? tr("Pause") : tr("Play"));
    m_playButton->setAccessibleName(m_playButton->toolTip());
}

void StepPanel::traceChanged()
{
    const int steps = length();
    const int step = std::min(m_selection.step(), steps - 1);
    {
        const QSignalBlocker blocker(m_slider);
        m_slider->setRange(0, std::max(0, steps - 1));
    }
    for (QToolButton* button : m_buttons)
        button->setEnabled(steps > 0);
    m_slider->setEnabled(steps > 1);
    fillHypotheses();
    // A run that goes on shows its newest step.
    m_selection.setStep(m_document.running() || m_selection.step() < 0 ? steps - 1 : step);
    showStep();
}

void StepPanel::fillHypotheses()
{
    const auto& summary = m_document.trace().summary();
    const bool several = summary && summary->hypotheses.size() > 1;
    m_hypotheses->setVisible(several);
    const QSignalBlocker blocker(m_hypotheses);
    m_hypotheses->clear();
    if (!several)
        return;
    for (const Hypothesis& hypothesis : summary->hypotheses) {
        const Encoding target = m_document.trace().target(hypothesis.step);
        m_hypotheses->addItem(QString::number(hypothesis.score, 'f', 3) + QStringLiteral("  ") + text(target.text),
                              hypothesis.step);
    }
    const int shown = m_selection.leaf() < 0 ? summary->hypotheses.front().step : m_selection.leaf();
    m_hypotheses->setCurrentIndex(m_hypotheses->findData(shown));
}

void StepPanel::showStep()
{
    const int steps = length();
    const int step = m_selection.step();
    const QSignalBlocker blocker(m_slider);
    m_slider->setValue(std::max(0, step));
    m_position->setText(steps == 0 ? tr("no steps") : tr("step %1 of %2").arg(step).arg(steps - 1));
    if (steps == 0) {
        m_output->setText(tr("The output appears here."));
        return;
    }
    const auto labels = tokenAxis(m_document.trace().target(m_selection.leaf()));
    const QString muted = palette().color(QPalette::PlaceholderText).name();
    const QString strong = palette().color(QPalette::WindowText).name();
    QString html;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const int position = static_cast<int>(i);
        const QString piece = text(labels[i].label).toHtmlEscaped();
        const QString style = QStringLiteral("color:%1; text-decoration:%2;%3")
                                  .arg(position <= step ? strong : muted,
                                       position == step ? QStringLiteral("underline") : QStringLiteral("none"),
                                       position == step ? QStringLiteral(" font-weight:bold;") : QString());
        html += QStringLiteral("<a href=\"%1\" style=\"%2\">%3</a> ").arg(position).arg(style, piece);
    }
    m_output->setText(html);
}

} // namespace attn::ui
