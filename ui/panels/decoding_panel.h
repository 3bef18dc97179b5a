// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoding/options.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QSpinBox>
#include <QWidget>

class QFormLayout;

namespace attn::ui {

// How the output is found: greedy, beam, sampling, or a given text.
class DecodingPanel final : public QWidget
{
    Q_OBJECT

public:
    explicit DecodingPanel(QWidget* parent = nullptr);

    DecodingOptions options() const;
    void setOptions(const DecodingOptions& options);
    QString forcedTarget() const; // empty unless an output is to be followed
    QString targetText() const { return m_target->text(); }
    bool forces() const;
    void setForced(bool forces, const QString& text);

Q_SIGNALS:
    void changed(); // by the user

private:
    void showFitting();

    QFormLayout* m_form = nullptr;
    QComboBox* m_search = nullptr;
    QSpinBox* m_beam = nullptr;
    QDoubleSpinBox* m_temperature = nullptr;
    QSpinBox* m_topK = nullptr;
    QDoubleSpinBox* m_topP = nullptr;
    QSpinBox* m_seed = nullptr;
    QSpinBox* m_maxLength = nullptr;
    QLineEdit* m_target = nullptr;
};

} // namespace attn::ui
