// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/model_picker.h"

#include "panels/model_label.h"

#include <QFileInfo>
#include <QSignalBlocker>

namespace attn::ui {

namespace {

constexpr int widest = 32; // characters

} // namespace

ModelPicker::ModelPicker(QWidget* parent)
    : ElidedComboBox(parent)
{
    setObjectName(QStringLiteral("modelPicker"));
    setAccessibleName(tr("Model"));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setMaximumWidth(fontMetrics().averageCharWidth() * widest + 40);
    setPlaceholderText(tr("No model"));
    connect(this, &QComboBox::activated, this, [this](int index) {
        sayWhichOne();
        Q_EMIT chosenByUser(itemData(index).toString());
    });
    sayWhichOne();
}

void ModelPicker::setModels(const std::vector<BundledModel>& bundled, const QStringList& recent)
{
    const QSignalBlocker blocker(this);
    const QString current = chosen();
    clear();
    for (const BundledModel& model : bundled) {
        addItem(modelLabel(model), QString::fromStdString(model.name));
        setItemData(count() - 1, modelTip(model), Qt::ToolTipRole);
    }
    if (!recent.isEmpty() && count() > 0)
        insertSeparator(count());
    for (const QString& path : recent) {
        addItem(QFileInfo(path).fileName(), path);
        setItemData(count() - 1, path, Qt::ToolTipRole);
    }
    setChosen(current);
}

void ModelPicker::setChosen(const QString& path)
{
    const QSignalBlocker blocker(this);
    setCurrentIndex(path.isEmpty() ? -1 : findData(path));
    sayWhichOne();
}

void ModelPicker::sayWhichOne()
{
    const QString tip = currentData(Qt::ToolTipRole).toString();
    setToolTip(tip.isEmpty() ? tr("The model that reads the text") : tip);
}

} // namespace attn::ui
