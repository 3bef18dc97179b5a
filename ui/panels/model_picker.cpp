// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/model_picker.h"

#include "figures/look/words.h"

#include <QAbstractItemView>
#include <QFileInfo>
#include <QSignalBlocker>
#include <QStyle>
#include <QStyleOptionComboBox>

namespace attn::ui {

namespace {

constexpr int widest = 32; // characters
constexpr int popupMargin = 24; // pixels: frame and scroll bar
constexpr int elisionMargin = 4;

} // namespace

QString modelLabel(const BundledModel& model)
{
    if (model.family.empty())
        return QString::fromStdString(model.name);
    QStringList parts{QString::fromStdString(model.family), QString::fromStdString(languagesText(model, inWords)),
                      QString::fromStdString(taskText(model.task, inWords))};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" \u2013 "));
}

QString modelTip(const BundledModel& model)
{
    const QString summary = QString::fromStdString(model.summary).toHtmlEscaped();
    return QStringLiteral("<qt><b>") + QString::fromStdString(model.name).toHtmlEscaped() + QStringLiteral("</b>")
        + (summary.isEmpty() ? QString() : QStringLiteral("<br>") + summary) + QStringLiteral("</qt>");
}

void ElidedComboBox::showPopup()
{
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + popupMargin);
    QComboBox::showPopup();
}

void ElidedComboBox::initStyleOption(QStyleOptionComboBox* option) const
{
    QComboBox::initStyleOption(option);
    const QRect room = style()->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxEditField, this);
    option->currentText =
        option->fontMetrics.elidedText(option->currentText, Qt::ElideRight, room.width() - elisionMargin);
}

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
