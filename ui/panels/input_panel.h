// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/language_row.h"
#include "panels/model_picker.h"
#include "panels/text_edit_line.h"
#include "trace/model_kind.h"

#include <QPushButton>
#include <QSpinBox>
#include <QStringList>
#include <QWidget>

class QHBoxLayout;

namespace attn::ui {

// What can be asked of what is open.
struct InputMode
{
    ModelKind kind = ModelKind::EncoderDecoder;
    bool pairs = false; // reads sentence pairs
    QString mask; // what stands for a masked word; empty: none are predicted
    QString language; // of the text; empty: unknown
    QStringList languages; // of a multilingual model, to choose from
    QString sourceLanguage; // unless another is chosen
    QString targetLanguage;
    bool runs = true; // false: an archive, which says what was run instead
    QString wasRun;
    bool ids = false; // has no tokenizer: ids stand in the place of the text
};

// The text, the model, run and cancel; below them what only some models can do: a second sentence and masking a word,
// continuing the text, or choosing languages.
class InputPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit InputPanel(QWidget* parent = nullptr);

    QString text() const { return m_mode.runs ? m_text->text() : m_draft; }
    void setText(const QString& text) { m_text->setText(text); }
    QString secondText() const { return m_second->text(); } // kept while a model reads single texts
    void setSecondText(const QString& text) { m_second->setText(text); }
    // As if it had been typed: it can be undone.
    void retypeText(const QString& text);
    void retypeSecondText(const QString& text);
    // In the text that was changed last.
    bool canUndo() const { return m_changed->isUndoAvailable(); }
    bool canRedo() const { return m_changed->isRedoAvailable(); }
    void undo() { m_changed->undo(); }
    void redo() { m_changed->redo(); }
    const LanguageRow& languages() const { return *m_languages; }
    int continueCount() const { return m_count->value(); }
    void setContinueCount(int count) { m_count->setValue(count); }

    // Texts that were run, most recent last; up and down walk through them.
    const QStringList& history() const { return m_text->history(); }
    void setHistory(const QStringList& history) { m_text->setHistory(history); }
    void remember(const QString& text) { m_text->remember(text); }

    ModelPicker& models() { return *m_model; }

    void setMode(const InputMode& mode);
    const InputMode& mode() const { return m_mode; }
    void setBusy(bool busy);
    void setCanMask(bool can); // a word is chosen that a mask can take the place of
    bool canMask() const { return m_canMask && m_mode.runs && !m_mode.mask.isEmpty(); }
    void setCanContinue(bool can); // the text has not come to its end
    bool canContinue() const { return m_canContinue && m_mode.runs && m_mode.kind == ModelKind::DecoderOnly; }
    void focusText();

Q_SIGNALS:
    void textEdited();
    void runRequested();
    void cancelRequested();
    void openRequested();
    void maskRequested();
    void continueRequested(int tokens);

private:
    QHBoxLayout* firstRow();
    QWidget* pairRow();
    QWidget* continueRow();
    QString placeholder() const;

    InputMode m_mode;
    ModelPicker* m_model = nullptr;
    QPushButton* m_open = nullptr;
    TextEditLine* m_text = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_cancel = nullptr;
    QLineEdit* m_second = nullptr;
    QLineEdit* m_changed = nullptr; // of the two, last
    QPushButton* m_mask = nullptr;
    QPushButton* m_continue = nullptr;
    QSpinBox* m_count = nullptr;
    QPushButton* m_next = nullptr;
    LanguageRow* m_languages = nullptr;
    QWidget* m_pairRow = nullptr;
    QWidget* m_continueRow = nullptr;
    QString m_draft; // the text, while an archive is on show
    bool m_canMask = false;
    bool m_canContinue = true;
};

} // namespace attn::ui
