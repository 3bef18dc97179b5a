// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QString>
#include <QStringList>
#include <QWidget>

namespace attn::ui {

// The languages of a multilingual model: what the text is written in, and what it is translated into.
class LanguageRow final : public QWidget
{
    Q_OBJECT

public:
    explicit LanguageRow(QWidget* parent = nullptr);

    // Codes as the model names them. The languages chosen before stay when the model has them.
    void setLanguages(const QStringList& codes, const QString& source, const QString& target);
    QString source() const { return m_source->currentData().toString(); }
    QString target() const { return m_target->currentData().toString(); } // empty: not chosen yet

Q_SIGNALS:
    void changed(); // by the user

private:
    QComboBox* m_source;
    QComboBox* m_target;
};

} // namespace attn::ui
