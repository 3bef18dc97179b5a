// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/model_picker.h"
#include "panels/text_line.h"
#include "state/selection.h"
#include "state/study.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QString>
#include <QStringList>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QMenu;
class QPlainTextEdit;
class QToolButton;

namespace attn::ui {

struct FileInput;
class TextEditLine; // one line of text with a history

// The text, the model, run and cancel; below them what only some models can do: a second sentence and masking a word,
// continuing the text, choosing languages, or texts to compare a picture with; last what the model wrote. Writes into
// the question that is edited, and shows it.
class InputPanel final : public QWidget
{
    Q_OBJECT

public:
    InputPanel(Study& study, Selection& selection, QWidget* parent = nullptr);

    // In the text that was changed last.
    bool canUndo() const { return m_changed->isUndoAvailable(); }
    bool canRedo() const { return m_changed->isRedoAvailable(); }
    void undo() { m_changed->undo(); }
    void redo() { m_changed->redo(); }

    // Texts that were run, most recent last; up and down walk through them.
    const QStringList& history() const;
    void setHistory(const QStringList& history);

    void setBusy(bool busy) { m_cancel->setEnabled(busy); }
    void focusText();
    // Selects the word of a token that stands there in `text`, which the box may hold no longer.
    void focusWord(const std::string& text, ByteSpan span);
    // A key that nothing else takes begins another text where it types a character, or pastes a picture; false: it does
    // not.
    bool begin(const QKeyEvent& typed);
    void setExamples(QMenu* menu); // of texts for the model that is open

Q_SIGNALS:
    void textEdited();
    void tooLong(const QString& text); // what was put into a line; in words
    void runRequested();
    void cancelRequested();
    void openRequested();
    void modelChosen(const QString& path);
    void picturePasted();
    void maskRequested();
    void continueRequested(int tokens);

private:
    QHBoxLayout* firstRow();
    QWidget* pairRow();
    QWidget* continueRow();
    QWidget* languageRow();
    QWidget* labelBox();
    QString placeholder() const;
    bool pastePicture(); // false: the clipboard holds none
    const FileInput* fileInput() const; // that the model reads in place of a text; null: it reads one
    QString shownText() const; // in the place of the text
    void listModels();
    void fit(); // to what is open
    void showQuestion();
    void showAbilities();
    void showMissing();

    Study& m_study;
    Selection& m_selection;
    ModelPicker* m_model = nullptr;
    QPushButton* m_open = nullptr;
    TextEditLine* m_text = nullptr;
    QPushButton* m_run = nullptr;
    QPushButton* m_cancel = nullptr;
    QToolButton* m_examples = nullptr;
    TextLine* m_second = nullptr;
    QLineEdit* m_changed = nullptr; // of the two, last
    QPushButton* m_mask = nullptr;
    QPushButton* m_continue = nullptr;
    QSpinBox* m_count = nullptr;
    QPushButton* m_next = nullptr;
    QComboBox* m_source = nullptr; // languages of a multilingual model
    QComboBox* m_target = nullptr;
    QWidget* m_pairRow = nullptr;
    QWidget* m_continueRow = nullptr;
    QWidget* m_languageRow = nullptr;
    QPlainTextEdit* m_labels = nullptr; // texts that a picture is compared with, one a line
    QLabel* m_missing = nullptr; // characters of either text that no font has
};

// Which characters of a text no font on this computer has, and which of Debian's packages have them. Empty: all can
// be drawn.
QString missingFonts(const QString& text);

} // namespace attn::ui
