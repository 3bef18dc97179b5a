// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/model_picker.h"

#include <QFileInfo>
#include <QSignalBlocker>

namespace attn::ui {

namespace {

constexpr int widest = 28; // characters

}

ModelPicker::ModelPicker(QWidget* parent)
    : QComboBox(parent)
{
    setObjectName(QStringLiteral("modelPicker"));
    setAccessibleName(tr("Model"));
    setToolTip(tr("The model that reads the text"));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setMaximumWidth(fontMetrics().averageCharWidth() * widest + 40);
    connect(this, &QComboBox::activated, this, [this](int index) { Q_EMIT chosenByUser(itemData(index).toString()); });
}

void ModelPicker::setModels(const QStringList& bundled, const QStringList& recent)
{
    const QSignalBlocker blocker(this);
    const QString current = chosen();
    clear();
    for (const QString& name : bundled)
        addItem(name, name);
    if (!recent.isEmpty())
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
}

} // namespace attn::ui
