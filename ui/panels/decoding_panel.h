// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoding/options.h"
#include "panels/number_box.h"
#include "trace/model_kind.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>
#include <QWidget>

class QFormLayout;

namespace attn::ui {

// How the output is found: greedy, beam, sampling, or a given text. Decoder-only models continue their prompt and
// follow nothing; how far they continue is asked elsewhere. What is chosen counts from the next run on.
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
    void showFitting();
    bool follows() const;
    bool drawsPosition() const; // where the model can

    ModelKind m_kind = ModelKind::EncoderDecoder;
    bool m_hasHard = false;
    bool m_forcesLater = false; // when a model that can follow an output is in use again
    QFormLayout* m_form = nullptr;
    QComboBox* m_search = nullptr;
    QSpinBox* m_beam = nullptr;
    NumberBox* m_temperature = nullptr;
    QSpinBox* m_topK = nullptr;
    NumberBox* m_topP = nullptr;
    QComboBox* m_hard = nullptr;
    SeedBox* m_seed = nullptr;
    QSpinBox* m_maxLength = nullptr;
    QLineEdit* m_target = nullptr;
};

} // namespace attn::ui
