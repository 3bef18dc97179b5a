// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/output_text.h"

#include "base/index.h"
#include "base/special_tokens.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

constexpr int mostLines = 3;
constexpr int mostTokens = 1500; // that are shown; more are copied

} // namespace

QString writtenText(const Trace& trace, std::optional<StepId> leaf, std::optional<int> most)
{
    if (trace.kind() == ModelKind::EncoderOnly || !trace.has(leaf))
        return {};
    const bool continues = trace.kind() == ModelKind::DecoderOnly;
    const Trace::Path path = trace.path(leaf);
    if (indexSize(path) <= (continues ? trace.givenSteps() : 0))
        return {};
    if (most && indexSize(path) > *most)
        return writtenText(trace, path[*most - 1]->step.index, {}) + QChar(0x2026);
    const Encoding tokens = continues ? trace.sequence(leaf) : trace.target(leaf);
    if (!tokens.text.empty())
        return QString::fromStdString(tokens.text).trimmed();
    QStringList pieces; // of a model without a tokenizer
    for (int token = 0; token < indexSize(tokens.tokens); ++token) {
        if (!isSpecial(tokens, token))
            pieces << QString::fromStdString(tokens.tokens[token]);
    }
    return pieces.join(QLatin1Char(' '));
}

OutputText::OutputText(Study& study, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_study(study)
    , m_selection(selection)
    , m_text(new QPlainTextEdit)
    , m_copy(new QToolButton)
{
    m_text->setObjectName(QStringLiteral("outputText"));
    m_text->setAccessibleName(tr("What the model wrote"));
    m_text->setPlaceholderText(tr("What the model writes"));
    m_text->setReadOnly(true);
    m_text->installEventFilter(this);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setTabChangesFocus(true);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_text->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_text->viewport()->setAutoFillBackground(false);
    m_copy->setObjectName(QStringLiteral("copyOutput"));
    m_copy->setText(tr("Copy"));
    m_copy->setAccessibleName(tr("Copy what the model wrote"));
    m_copy->setToolTip(tr("Copies what is selected, or else all of it"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 2, 8, 2);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_copy, 0, Qt::AlignTop);
    connect(m_copy, &QToolButton::clicked, this, &OutputText::copy);
    connect(&m_study, &Study::traceChanged, this, &OutputText::showOutput);
    connect(&m_study, &Study::modelChanged, this, &OutputText::showOutput);
    connect(&m_selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & Selection::LeafField)
            showOutput();
    });
    showOutput();
    fit(); // before it is shown, so that nothing below moves later
}

void OutputText::showOutput()
{
    const QString text = writtenText(m_study.trace(), m_selection.leaf(), mostTokens);
    setVisible(m_study.kind() != ModelKind::EncoderOnly); // also before the first word: nothing jumps then
    m_copy->setEnabled(!text.isEmpty());
    if (text == m_text->toPlainText())
        return;
    m_text->setPlainText(text);
    fit();
}

void OutputText::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fit();
}

// The text copies what is selected in it before the window copies numbers.
bool OutputText::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_text && event->type() == QEvent::ShortcutOverride
        && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) { // NOLINT: what this type of event is
        event->accept();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void OutputText::fit()
{
    const auto all = static_cast<int>(std::ceil(m_text->document()->size().height()));
    const int lines = std::clamp(all, 1, mostLines);
    m_text->setVerticalScrollBarPolicy(all > mostLines ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    const double margins = 2 * m_text->document()->documentMargin() + 2 * m_text->frameWidth();
    m_text->setFixedHeight(static_cast<int>(std::ceil(lines * m_text->fontMetrics().lineSpacing() + margins)));
}

void OutputText::copy()
{
    const QString selected = m_text->textCursor().selectedText().replace(QChar::ParagraphSeparator, QLatin1Char('\n'));
    QGuiApplication::clipboard()->setText(selected.isEmpty() ? writtenText(m_study.trace(), m_selection.leaf())
                                                             : selected);
}

} // namespace attn::ui
