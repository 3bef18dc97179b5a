// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/dialogs.h"

#include "panels/ask.h"
#include "panels/export_dialog.h"
#include "session/session.h"

#include <QFileDialog>

namespace attn::ui {

namespace {

struct OpenRow
{
    const char* title;
    const char* filter; // null: a directory
};

// Of every OpenKind.
constexpr OpenRow openRows[] = {
    {QT_TRANSLATE_NOOP("QObject", "Open a checkpoint directory"), nullptr},
    {QT_TRANSLATE_NOOP("QObject", "Open a checkpoint file"),
     QT_TRANSLATE_NOOP("QObject", "Checkpoints (*.gguf *.safetensors *.bin);;All files (*)")},
    {QT_TRANSLATE_NOOP("QObject", "Open an attention archive"),
     QT_TRANSLATE_NOOP("QObject", "Attention archives (*.npz *.json)")},
    {QT_TRANSLATE_NOOP("QObject", "Open a session"), QT_TRANSLATE_NOOP("QObject", "Sessions (*.attnscope)")},
    {QT_TRANSLATE_NOOP("QObject", "Open sentences with their references"),
     QT_TRANSLATE_NOOP("QObject", "Tab-separated texts (*.tsv *.txt);;All files (*)")},
    {QT_TRANSLATE_NOOP("QObject", "Open sentences"), QT_TRANSLATE_NOOP("QObject", "Texts (*.txt);;All files (*)")}};

} // namespace

QString Dialogs::open(OpenKind kind, QWidget* parent, const QString& folder)
{
    const auto& [title, filter] = openRows[static_cast<std::size_t>(kind)];
    return filter == nullptr ? QFileDialog::getExistingDirectory(parent, QObject::tr(title), folder)
                             : QFileDialog::getOpenFileName(parent, QObject::tr(title), folder, QObject::tr(filter));
}

std::optional<ExportChoice> Dialogs::exportAs(QWidget* parent, const Exportable& figure, const ExportHabits& last)
{
    ExportDialog dialog(figure, last, parent);
    if (dialog.exec() != QDialog::Accepted)
        return std::nullopt;
    const QString suffix = dialog.suffix();
    const QString proposal = QDir(last.folder).filePath(QStringLiteral("attention.") + suffix);
    const QString path = askForNewFile(
        parent, {QObject::tr("Export"), proposal, QStringLiteral("*.") + suffix, QLatin1Char('.') + suffix});
    if (path.isEmpty())
        return std::nullopt;
    return ExportChoice{path, dialog.options(), figure.source ? std::optional(dialog.choices()) : std::nullopt};
}

QString Dialogs::saveSession(QWidget* parent, const QString& last)
{
    const QString proposal =
        last.isEmpty() ? QDir::home().filePath(QObject::tr("session") + QLatin1String(sessionEnding)) : last;
    return askForNewFile(parent,
                         {QObject::tr("Save the session"), proposal, QObject::tr("Sessions (*.attnscope)"),
                          QLatin1String(sessionEnding)});
}

SaveAnswer Dialogs::askToSave(QWidget* parent, const QString& name)
{
    const auto button =
        askPlainly(parent,
                   name.isEmpty() ? QObject::tr("There are named or annotated runs that are in no session file")
                                  : QObject::tr("There are changes that are not in the session ") + name,
                   QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return button == QMessageBox::Save   ? SaveAnswer::Save
        : button == QMessageBox::Discard ? SaveAnswer::Discard
                                         : SaveAnswer::Cancel;
}

void Dialogs::about(QWidget* parent)
{
    QMessageBox::about(parent, QObject::tr("About AttnScope"), aboutText());
}

} // namespace attn::ui
