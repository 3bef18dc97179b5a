// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loading/model_loader.h"

#include <QComboBox>
#include <QStringList>

#include <vector>

namespace attn::ui {

// Entry of a bundled model in a list: "Transformer – English to French – translation". Its name where its card
// says nothing.
QString modelLabel(const BundledModel& model);
// The same of any model; empty where no card names it.
QString cardTitle(const QString& path);
// Title of its card, or the name of its file.
QString modelLabel(const QString& path);

// Its name and what its card says: the first sentence, what it learned from, how well it does, how large it is. As a
// tooltip that is wrapped.
QString modelTip(const BundledModel& model);

// In one line: "BLEU 46.0 on Tatoeba · 15 MB · rnnsearch-en-fr".
QString modelDetail(const BundledModel& model);

// Says with an ellipsis that its text has no room; its list is as wide as the longest line, however narrow the box.
class ElidedComboBox : public QComboBox
{
    Q_OBJECT

public:
    using QComboBox::QComboBox;

    void showPopup() override;

protected:
    void initStyleOption(QStyleOptionComboBox* option) const override;
};

// The bundled models, then what was opened lately.
class ModelPicker final : public ElidedComboBox
{
    Q_OBJECT

public:
    explicit ModelPicker(QWidget* parent = nullptr);

    QSize minimumSizeHint() const override; // the text beside it needs its room more

    void setModels(const std::vector<BundledModel>& bundled, const QStringList& recent);
    void setChosen(const QString& path); // without a signal
    QString chosen() const { return currentData().toString(); }

Q_SIGNALS:
    void chosenByUser(const QString& path);

private:
    void sayWhichOne();
};

} // namespace attn::ui
