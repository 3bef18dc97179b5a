// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/status_line.h"

#include "figures/look/decimal.h"

#include <cmath>

namespace attn::ui {

namespace {

// "GRU with additive attention".
QString architectureText(const ModelInfo& info)
{
    using Form = Architecture::Form;
    const Architecture& made = info.architecture;
    const auto cell = [](bool lstm) { return lstm ? QStringLiteral("LSTM") : QStringLiteral("GRU"); };
    const QString encoder = cell(made.encoderLstm);
    const QString reader = made.bidirectional ? StatusLine::tr("bidirectional %1").arg(encoder) : encoder;
    switch (made.form) {
    case Form::Transformer:
        return (info.kind == ModelKind::EncoderOnly       ? StatusLine::tr("Transformer encoder")
                    : info.kind == ModelKind::DecoderOnly ? StatusLine::tr("Transformer decoder")
                                                          : StatusLine::tr("Transformer"))
            + (made.preNorm ? StatusLine::tr(", pre-norm") : StatusLine::tr(", post-norm"))
            + (made.gated ? StatusLine::tr(", gated feed-forward") : QString());
    case Form::AttentionPooling:
        return StatusLine::tr("%1 with attention pooling").arg(reader);
    case Form::StructuredSelfAttention:
        return StatusLine::tr("%1 with structured self-attention, %2 hops").arg(reader).arg(made.hops);
    case Form::Lstmn:
        return StatusLine::tr("LSTM with intra-attention (LSTMN)");
    case Form::Hierarchical:
        return StatusLine::tr("hierarchical attention network");
    case Form::Recurrent:
        break;
    }
    QString cells = made.decoderLstm == made.encoderLstm
        ? encoder
        : StatusLine::tr("%1 and %2").arg(encoder, cell(made.decoderLstm));
    const QString intra = made.intraDecoder ? StatusLine::tr(", intra-decoder attention") : QString();
    if (made.score.empty())
        return StatusLine::tr("%1 without attention (one fixed context)").arg(cells) + intra;
    if (made.luong)
        cells = StatusLine::tr("%1, Luong's decoder").arg(cells);
    QStringList words{info.hardAttention ? StatusLine::tr("hard") : QString(),
                      made.scope == AttentionScope::LocalMonotonic        ? StatusLine::tr("local monotonic")
                          : made.scope == AttentionScope::LocalPredictive ? StatusLine::tr("local predictive")
                                                                          : QString(),
                      made.temporal ? StatusLine::tr("intra-temporal") : QString(), QString::fromStdString(made.score)};
    words.removeAll(QString());
    return StatusLine::tr("%1 with %2 attention").arg(cells, words.join(QLatin1Char(' '))) + intra;
}

} // namespace

StatusLine::StatusLine(Study& study, RunController& controller, QWidget* parent)
    : QStatusBar(parent)
    , m_study(study)
    , m_hover(new QLabel)
    , m_said(new QLabel)
    , m_progress(new QProgressBar)
    , m_model(new QLabel)
{
    m_hover->setObjectName(QStringLiteral("hoverText"));
    m_hover->setTextFormat(Qt::PlainText);
    m_said->setObjectName(QStringLiteral("progressText"));
    m_model->setObjectName(QStringLiteral("modelInfo"));
    m_progress->setObjectName(QStringLiteral("progress"));
    m_progress->setRange(0, 1000);
    m_progress->setMaximumWidth(140);
    m_progress->setTextVisible(false);
    m_progress->hide();
    for (QLabel* label : {m_hover, m_said, m_model})
        label->setContentsMargins(8, 0, 8, 0);
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
    say(m_study.showsArchive() ? tr("The archive ends with this token")
            : m_study.ended()  ? tr("The model has ended the text here")
                               : tr("Press Next token (Ctrl+T) to see what follows this token"));
}

void StatusLine::showModel()
{
    const auto& model = m_study.model();
    m_model->setText(model ? architectureText(model->info) + tr(", %L1 parameters").arg(model->info.parameters)
                           : tr("Attention archive"));
}

} // namespace attn::ui
