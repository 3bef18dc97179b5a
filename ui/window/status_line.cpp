// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/status_line.h"

#include "figures/look/decimal.h"
#include "figures/look/language.h"
#include "state/strings.h"

#include <cmath>

namespace attn::ui {

namespace {

// Facts that the line has no room for.
QString factsOf(const ModelSummary& model)
{
    const ModelInfo& info = model.info;
    QStringList facts;
    facts << (info.kind == ModelKind::EncoderDecoder && info.sourceVocabulary != info.targetVocabulary
                  ? StatusLine::tr("Vocabulary: %1 tokens read, %2 written")
                        .arg(grouped(info.sourceVocabulary), grouped(info.targetVocabulary))
                  : StatusLine::tr("Vocabulary: %1 tokens").arg(grouped(info.sourceVocabulary)));
    if (info.maximumLength)
        facts << StatusLine::tr("Longest text: %1 tokens").arg(grouped(*info.maximumLength));
    if (!model.specialTokens.isEmpty())
        facts << StatusLine::tr("Special tokens: %1").arg(model.specialTokens.join(QStringLiteral(", ")));
    for (QString& fact : facts)
        fact = shortened(fact).toHtmlEscaped(); // tokens look like tags, and are as long as a file likes
    return QStringLiteral("<qt>") + facts.join(QStringLiteral("<br>")) + QStringLiteral("</qt>");
}

} // namespace

StatusLine::StatusLine(Study& study, RunController& controller, QWidget* parent)
    : QStatusBar(parent)
    , m_study(study)
    , m_hover(plainLabel())
    , m_said(plainLabel())
    , m_progress(new QProgressBar)
    , m_model(plainLabel())
{
    m_hover->setObjectName(QStringLiteral("hoverText"));
    m_said->setObjectName(QStringLiteral("progressText"));
    m_model->setObjectName(QStringLiteral("modelInfo"));
    m_progress->setObjectName(QStringLiteral("progress"));
    m_progress->setRange(0, 1000);
    m_progress->setMaximumWidth(140);
    m_progress->setTextVisible(false);
    m_progress->hide();
    for (QLabel* label : {m_hover, m_said, m_model})
        label->setContentsMargins(8, 0, 8, 0);
    m_hover->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long text widens no window
    addWidget(m_hover, 1);
    addPermanentWidget(m_said);
    addPermanentWidget(m_progress);
    addPermanentWidget(m_model);
    connect(&study, &Study::modelChanged, this, &StatusLine::showModel);
    connect(&controller, &RunController::busyChanged, m_progress, &QWidget::setVisible);
    connect(&controller, &RunController::started, this, [this] {
        say(tr("Starting"));
        m_progress->setValue(0);
    });
    connect(&controller, &RunController::progressed, this, [this](const QString& what, double fraction) {
        say(what);
        m_progress->setValue(static_cast<int>(fraction * m_progress->maximum()));
    });
    connect(&controller, &RunController::finished, this, &StatusLine::sayDone);
    connect(&controller, &RunController::failed, this, [this] { say(tr("Failed")); });
    connect(&controller, &RunController::cancelled, this, [this, &controller] {
        if (!controller.busy())
            say(tr("Cancelled"));
    });
}

void StatusLine::sayDone()
{
    const auto& summary = m_study.trace().summary();
    const bool timed = summary && summary->seconds > 0;
    say(timed ? tr("Done in %1 ms").arg(grouped(std::llround(summary->seconds * 1000))) : tr("Done"));
}

void StatusLine::sayWhatFollows()
{
    say(m_study.showsArchive() ? tr("The archive ends here")
            : m_study.ended()  ? tr("The model has ended the text here")
                               : tr("Not written yet: Next token (Ctrl+T) writes it"));
}

void StatusLine::showModel()
{
    const auto& model = m_study.model();
    m_model->setText(model ? tr("%1, %2 parameters")
                                 .arg(QString::fromStdString(architectureText(model->info, inWords)),
                                      grouped(model->info.parameters))
                           : tr("Attention archive"));
    m_model->setToolTip(model ? factsOf(*model) : QString());
}

} // namespace attn::ui
