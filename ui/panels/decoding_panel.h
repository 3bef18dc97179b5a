// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoding/options.h"
#include "trace/model_kind.h"

#include <QComboBox>
#include <QLineEdit>
#include <QWidget>

#include <functional>
#include <vector>

class QFormLayout;

namespace attn::ui {

// How the output is found: the decoding options, a control for each row that has a label, or a given text to follow.
// Decoder-only models continue their prompt and follow nothing; how far they continue is asked elsewhere. What is
// chosen counts from the next run on.
class DecodingPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit DecodingPanel(QWidget* parent = nullptr);

    void setKind(ModelKind kind);
    void setHardAttention(bool has); // whether the model's attention takes one position
    DecodingOptions options() const;
    void setOptions(const DecodingOptions& options);
    QString forcedTarget() const; // empty unless an output is to be followed
    QString targetText() const { return m_target->text(); }
    bool forces() const; // also while a decoder-only model, which follows nothing, is in use
    void setForced(bool forces, const QString& text);

Q_SIGNALS:
    void changed(); // a choice, also while it is being typed
    void applied(); // Enter, in any field

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Field
    {
        const DecodingRow& row;
        QWidget* control = nullptr;
        std::function<void()> load; // what the control shows
    };

    Field fieldOf(const DecodingRow& row);
    void choose();
    void showFitting();
    bool follows() const;

    ModelKind m_kind = ModelKind::EncoderDecoder;
    bool m_hasHard = false;
    bool m_forcesLater = false; // when a model that can follow an output is in use again
    DecodingOptions m_options;
    QFormLayout* m_form = nullptr;
    std::vector<Field> m_fields;
    QComboBox* m_search = nullptr; // of m_fields, with a last entry for the output to follow
    QLineEdit* m_target = nullptr;
};

} // namespace attn::ui
