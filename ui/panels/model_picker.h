// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QStringList>

namespace attn::ui {

// The bundled models, then what was opened lately.
class ModelPicker final : public QComboBox
{
    Q_OBJECT

public:
    explicit ModelPicker(QWidget* parent = nullptr);

    void setModels(const QStringList& bundled, const QStringList& recent);
    void setChosen(const QString& path); // without a signal
    QString chosen() const { return currentData().toString(); }

Q_SIGNALS:
    void chosenByUser(const QString& path);
};

} // namespace attn::ui
