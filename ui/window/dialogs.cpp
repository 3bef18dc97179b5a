// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/dialogs.h"

#include "window/about.h"
#include "window/export_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QMessageBox>

namespace attn::ui {

QString Dialogs::openModel(QWidget* parent, const QString& folder)
{
    return QFileDialog::getExistingDirectory(parent, QObject::tr("Open a checkpoint directory"), folder);
}

QString Dialogs::openModelFile(QWidget* parent, const QString& folder)
{
    return QFileDialog::getOpenFileName(parent, QObject::tr("Open a checkpoint file"), folder,
                                        QObject::tr("Checkpoints (*.gguf *.safetensors *.bin);;All files (*)"));
}

QString Dialogs::openArchive(QWidget* parent, const QString& folder)
{
    return QFileDialog::getOpenFileName(parent, QObject::tr("Open an attention archive"), folder,
                                        QObject::tr("Attention archives (*.npz *.json)"));
}

QString Dialogs::openSentencePairs(QWidget* parent, const QString& folder)
{
    return QFileDialog::getOpenFileName(parent, QObject::tr("Open sentences with their references"), folder,
                                        QObject::tr("Tab-separated texts (*.tsv *.txt);;All files (*)"));
}

std::optional<ExportChoice> Dialogs::exportAs(QWidget* parent, const ExportRequest& request)
{
    ExportDialog dialog(request, parent);
    if (dialog.exec() != QDialog::Accepted)
        return std::nullopt;
    const QString suffix = dialog.suffix();
    const QString proposal = QDir(request.folder).filePath(QStringLiteral("attention.") + suffix);
    QString path = QFileDialog::getSaveFileName(parent, QObject::tr("Export"), proposal, QStringLiteral("*.") + suffix);
    if (path.isEmpty())
        return std::nullopt;
    if (QFileInfo(path).suffix().toLower() != suffix)
        path += QLatin1Char('.') + suffix;
    return ExportChoice{path, dialog.options()};
}

void Dialogs::about(QWidget* parent)
{
    QMessageBox::about(parent, QObject::tr("About AttnScope"), aboutText());
}

} // namespace attn::ui
