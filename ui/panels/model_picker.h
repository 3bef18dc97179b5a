// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loading/model_loader.h"
#include "panels/elided_combo_box.h"

#include <QStringList>

#include <vector>

namespace attn::ui {

// The bundled models, then what was opened lately.
class ModelPicker final : public ElidedComboBox
{
    Q_OBJECT

public:
    explicit ModelPicker(QWidget* parent = nullptr);

    void setModels(const std::vector<BundledModel>& bundled, const QStringList& recent);
    void setChosen(const QString& path); // without a signal
    QString chosen() const { return currentData().toString(); }

Q_SIGNALS:
    void chosenByUser(const QString& path);

private:
    void sayWhichOne();
};

} // namespace attn::ui
