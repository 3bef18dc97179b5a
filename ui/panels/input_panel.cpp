// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/input_panel.h"

#include "decoding/options.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace attn::ui {

namespace {

constexpr int usuallyContinued = 20;

QPushButton* button(const char* name, const QString& text, const QString& tip)
{
    auto* made = new QPushButton(text);
    made->setObjectName(QLatin1String(name));
    made->setToolTip(tip);
    return made;
}

// Only what differs is replaced, so that undoing it selects that.
void retype(QLineEdit& box, const QString& text)
{
    const QString before = box.text();
    const qsizetype most = std::min(before.size(), text.size());
    qsizetype first = 0;
    while (first < most && before[first] == text[first])
        ++first;
    qsizetype last = 0; // counted from the end
    while (last < most - first && before[before.size() - 1 - last] == text[text.size() - 1 - last])
        ++last;
    box.setSelection(static_cast<int>(first), static_cast<int>(before.size() - last - first));
    box.insert(text.mid(first, text.size() - last - first));
}

QHBoxLayout* rowOf(QWidget* row)
{
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    return layout;
}

} // namespace

InputPanel::InputPanel(QWidget* parent)
    : QWidget(parent)
    , m_model(new ModelPicker)
    , m_text(new TextEditLine)
    , m_second(new QLineEdit)
    , m_count(new QSpinBox)
{
    m_open = button("openButton", tr("Open…"), tr("Open a checkpoint directory"));
    m_run = button("runButton", tr("Run"), {});
    m_cancel = button("cancelButton", tr("Cancel"), tr("Stop the run (Esc)"));
    m_mask = button("maskButton", tr("Mask word"), tr("Put a mask in place of the chosen word and run (Ctrl+K)"));
    m_continue = button("continueButton", tr("Continue by"), {});
    m_next = button("nextTokenButton", tr("Next token"), {});
    m_cancel->setEnabled(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 4);
    layout->addLayout(firstRow());
    m_pairRow = pairRow();
    m_continueRow = continueRow();
    layout->addWidget(m_pairRow);
    layout->addWidget(m_continueRow);
    m_languages = new LanguageRow;
    layout->addWidget(m_languages);
    m_changed = m_text;
    for (QLineEdit* box : {static_cast<QLineEdit*>(m_text), m_second}) {
        connect(box, &QLineEdit::textChanged, this, [this, box] {
            m_changed = box;
            Q_EMIT textEdited();
        });
    }
    connect(m_text, &QLineEdit::returnPressed, this, &InputPanel::runRequested);
    connect(m_second, &QLineEdit::textChanged, this, &InputPanel::textEdited);
    connect(m_second, &QLineEdit::returnPressed, this, &InputPanel::runRequested);
    connect(m_languages, &LanguageRow::changed, this, &InputPanel::runRequested);
    connect(m_run, &QPushButton::clicked, this, &InputPanel::runRequested);
    connect(m_cancel, &QPushButton::clicked, this, &InputPanel::cancelRequested);
    connect(m_open, &QPushButton::clicked, this, &InputPanel::openRequested);
    connect(m_mask, &QPushButton::clicked, this, &InputPanel::maskRequested);
    connect(m_continue, &QPushButton::clicked, this, [this] { Q_EMIT continueRequested(m_count->value()); });
    connect(m_next, &QPushButton::clicked, this, [this] { Q_EMIT continueRequested(1); });
    setMode({});
    setCanContinue(true);
}

QHBoxLayout* InputPanel::firstRow()
{
    m_text->setObjectName(QStringLiteral("sentence"));
    auto* layout = new QHBoxLayout;
    layout->addWidget(m_text, 1);
    layout->addWidget(m_run);
    layout->addWidget(m_cancel);
    layout->addSpacing(12);
    layout->addWidget(m_model);
    layout->addWidget(m_open);
    return layout;
}

QWidget* InputPanel::pairRow()
{
    m_second->setObjectName(QStringLiteral("secondSentence"));
    m_second->setAccessibleName(tr("Second sentence of a pair"));
    m_second->setPlaceholderText(tr("Second sentence, B (may stay empty)"));
    m_second->setClearButtonEnabled(true);
    for (auto* clear : m_second->findChildren<QToolButton*>())
        clear->setAccessibleName(tr("Clear the second sentence"));
    auto* row = new QWidget;
    QHBoxLayout* layout = rowOf(row);
    layout->addWidget(m_second, 1);
    layout->addWidget(m_mask);
    layout->addStretch();
    return row;
}

QWidget* InputPanel::continueRow()
{
    m_count->setObjectName(QStringLiteral("continueCount"));
    m_count->setAccessibleName(tr("Tokens to continue by"));
    m_count->setRange(1, static_cast<int>(optionRow(decodingRows(), "generate").limits.most));
    m_count->setValue(usuallyContinued);
    m_count->setSuffix(tr(" tokens"));
    auto* row = new QWidget;
    QHBoxLayout* layout = rowOf(row);
    layout->addWidget(m_continue);
    layout->addWidget(m_count);
    layout->addWidget(m_next);
    layout->addStretch();
    return row;
}

void InputPanel::setMode(const InputMode& mode)
{
    const bool ran = std::exchange(m_mode, mode).runs;
    if (ran && !mode.runs)
        m_draft = m_text->text();
    if (!mode.runs)
        m_text->setText(mode.wasRun);
    else if (!ran)
        m_text->setText(m_draft);
    const bool continues = mode.kind == ModelKind::DecoderOnly;
    const bool reads = mode.kind == ModelKind::EncoderOnly;
    m_pairRow->setVisible(mode.runs && reads && (mode.pairs || !mode.mask.isEmpty()));
    m_second->setVisible(mode.pairs);
    m_mask->setVisible(!mode.mask.isEmpty());
    m_continueRow->setVisible(mode.runs && continues);
    m_languages->setVisible(mode.runs && !mode.languages.isEmpty());
    if (!mode.languages.isEmpty())
        m_languages->setLanguages(mode.languages, mode.sourceLanguage, mode.targetLanguage);
    m_text->setEnabled(mode.runs);
    m_run->setEnabled(mode.runs);
    m_text->setPlaceholderText(placeholder());
    m_text->setAccessibleName(continues ? tr("Prompt") : reads ? tr("Text to read") : tr("Sentence to translate"));
    m_run->setToolTip(continues   ? tr("Read the prompt (Enter)")
                          : reads ? tr("Read the text (Enter)")
                                  : tr("Run the model on the text (Enter)"));
    setCanMask(m_canMask);
}

QString InputPanel::placeholder() const
{
    if (!m_mode.runs)
        return tr("An archive: nothing can be run");
    if (m_mode.ids)
        return tr("This model has no tokenizer: type ids, such as 5 9 2, and press Enter");
    if (m_mode.kind == ModelKind::DecoderOnly)
        return tr("Type the beginning of a text and press Enter to read it");
    if (m_mode.pairs)
        return tr("Type a sentence, A, and press Enter");
    return m_mode.language.isEmpty() ? tr("Type a text and press Enter")
                                     : tr("Type a text (%1) and press Enter").arg(m_mode.language);
}

void InputPanel::setCanMask(bool can)
{
    m_canMask = can;
    m_mask->setEnabled(m_mode.runs && can);
}

void InputPanel::setCanContinue(bool can)
{
    m_canContinue = can;
    for (QWidget* control : {static_cast<QWidget*>(m_continue), static_cast<QWidget*>(m_next)})
        control->setEnabled(can);
    const QString ended = tr("The model has ended the text");
    m_continue->setToolTip(can ? tr("Let the model write on (Ctrl+Return)") : ended);
    m_next->setToolTip(can ? tr("Let the model write one token (Ctrl+T)") : ended);
}

void InputPanel::setBusy(bool busy)
{
    m_cancel->setEnabled(busy);
}

void InputPanel::retypeText(const QString& text)
{
    retype(*m_text, text);
}

void InputPanel::retypeSecondText(const QString& text)
{
    retype(*m_second, text);
}

void InputPanel::focusText()
{
    m_text->setFocus();
    m_text->selectAll();
}

} // namespace attn::ui
