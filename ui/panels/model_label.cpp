// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/model_label.h"

#include "text/tokenizer.h"

#include <QCoreApplication>
#include <QStringList>

namespace attn::ui {

namespace {

QString taskName(ModelTask task)
{
    switch (task) {
    case ModelTask::Translation:
        return QCoreApplication::translate("attn::ui", "translation");
    case ModelTask::MaskedWords:
        return QCoreApplication::translate("attn::ui", "masked words");
    case ModelTask::Continuation:
        return QCoreApplication::translate("attn::ui", "continuation");
    case ModelTask::Classification:
        return QCoreApplication::translate("attn::ui", "classification");
    case ModelTask::Unknown:
        break;
    }
    return {};
}

QString languagesText(const BundledModel& model)
{
    QStringList names;
    for (const std::string& code : model.languages)
        names << QString::fromStdString(languageName(code));
    const bool directed = model.task == ModelTask::Translation && names.size() == 2;
    return directed ? QCoreApplication::translate("attn::ui", "%1 to %2").arg(names[0], names[1])
                    : names.join(QStringLiteral(", "));
}

} // namespace

QString modelLabel(const BundledModel& model)
{
    if (model.family.empty())
        return QString::fromStdString(model.name);
    QStringList parts{QString::fromStdString(model.family), languagesText(model), taskName(model.task)};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" \u2013 "));
}

QString modelTip(const BundledModel& model)
{
    const QString summary = QString::fromStdString(model.summary).toHtmlEscaped();
    return QStringLiteral("<qt><b>") + QString::fromStdString(model.name).toHtmlEscaped() + QStringLiteral("</b>")
        + (summary.isEmpty() ? QString() : QStringLiteral("<br>") + summary) + QStringLiteral("</qt>");
}

} // namespace attn::ui
