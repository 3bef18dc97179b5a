// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoding/options.h"
#include "panels/text_line.h"
#include "state/study.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QWidget>

#include <functional>
#include <vector>

class QFormLayout;

namespace attn::ui {

// Settings of how the output is found: the decoding options, a control for each row that has a label, or a given text
// to follow. Decoder-only models continue their prompt and follow nothing; how far they continue is asked elsewhere.
// Writes into the question that is edited, and shows it; what is chosen counts from the next run on.
class DecodingPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit DecodingPanel(Study& study, QWidget* parent = nullptr);

    // The output to follow, also while none is followed.
    QString targetText() const { return m_target->wholeText(); }
    void setTargetText(const QString& text) { m_target->replaceText(text); }

Q_SIGNALS:
    void applied(); // Enter, in any field
    void drawAgainRequested();
    void tooLong(const QString& said); // the output to follow; in words

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Field
    {
        const DecodingRow& row;
        QWidget* control = nullptr;
        std::function<void(const DecodingOptions&)> load; // what the control shows
        QWidget* line = nullptr; // that the form has: the control, and what stands beside it
    };

    Field fieldOf(const DecodingRow& row);
    void chooseSearch(int index);
    void showQuestion();
    QWidget* besideSeed(QWidget* seed);
    QWidget* prefixRow();
    void showPrefix();
    bool offersToFollow() const;

    Study& m_study;
    QFormLayout* m_form = nullptr;
    std::vector<Field> m_fields;
    QComboBox* m_search = nullptr; // of m_fields, with a last entry for the output to follow
    TextLine* m_target = nullptr;
    QPushButton* m_drawAgain = nullptr;
    QWidget* m_prefixRow = nullptr;
    QLineEdit* m_prefix = nullptr; // what the output was made to begin with
};

} // namespace attn::ui
