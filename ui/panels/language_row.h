// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "question/question.h"
#include "state/model_summary.h"

#include <QComboBox>
#include <QWidget>

#include <optional>
#include <string>

namespace attn::ui {

// The languages of a multilingual model: what the text is written in, and what it is translated into.
class LanguageRow final : public QWidget
{
    Q_OBJECT

public:
    explicit LanguageRow(QWidget* parent = nullptr);

    // Offers a model's languages, with those chosen that are asked for, or else its own.
    void setLanguages(const ModelSummary& model, const Question& asked);
    std::optional<std::string> source() const; // none: not chosen yet
    std::optional<std::string> target() const;

Q_SIGNALS:
    void changed(); // by the user

private:
    QComboBox* m_source;
    QComboBox* m_target;
};

} // namespace attn::ui
