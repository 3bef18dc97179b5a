// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"
#include "window/opened_path.h"

#include <QDropEvent>
#include <QFileInfo>
#include <QMenu>
#include <QMimeData>
#include <QSettings>

namespace attn::ui {

namespace {

constexpr int recentLength = 8;

QStringList bundledNames()
{
    QStringList names;
    for (const BundledModel& model : bundledModels())
        names << QString::fromStdString(model.name);
    return names;
}

} // namespace

void MainWindow::openFolder()
{
    if (const QString path = m_dialogs->openModel(this, m_settings.openFolder); !path.isEmpty())
        open(path);
}

void MainWindow::openFile()
{
    if (const QString path = m_dialogs->openModelFile(this, m_settings.openFolder); !path.isEmpty())
        open(path);
}

void MainWindow::openArchive()
{
    if (const QString path = m_dialogs->openArchive(this, m_settings.openFolder); !path.isEmpty())
        open(path);
}

void MainWindow::open(const QString& given)
{
    const QString path = bundledNames().contains(given) ? given : openedPath(given);
    if (isMissing(path))
        return sayMissing(path);
    m_model = path;
    if (!isBundled(path))
        m_settings.openFolder = QFileInfo(path).absolutePath();
    fillModels();
    if (isArchivePath(path))
        m_controller->openArchive(path);
    else if (m_input->text().trimmed().isEmpty())
        m_controller->load(path);
    else
        run();
}

bool MainWindow::isMissing(const QString& path) const
{
    return !isBundled(path) && !QFileInfo::exists(path);
}

void MainWindow::sayMissing(const QString& path)
{
    const bool wasRecent = m_settings.recent.removeAll(path) > 0;
    if (m_model == path)
        m_model = m_shownModel;
    if (!wasRecent) {
        showOpened();
        return m_message->show({{}, tr("There is no model or archive at ") + path, {}});
    }
    saveRecent();
    fillRecentMenu();
    if (m_model.isEmpty() && !bundledNames().isEmpty())
        open(bundledNames().front());
    showOpened();
    m_message->show({path, tr("is not there any more"), tr("it was taken off the list of recent models")});
}

void MainWindow::showOpened()
{
    if (!m_shownModel.isEmpty())
        m_model = m_shownModel;
    fillModels();
}

void MainWindow::remember(const QString& path)
{
    if (isBundled(path))
        return;
    m_settings.recent.removeAll(path);
    m_settings.recent.prepend(path);
    m_settings.recent = m_settings.recent.mid(0, recentLength);
    saveRecent();
    fillModels();
    fillRecentMenu();
}

// At once: a program that is ended from outside must not forget what was opened.
void MainWindow::saveRecent() const
{
    QSettings().setValue(QStringLiteral("recent"), m_settings.recent);
}

void MainWindow::fillModels()
{
    QStringList others = m_settings.recent;
    if (!m_model.isEmpty() && !isBundled(m_model) && !others.contains(m_model))
        others.prepend(m_model);
    m_input->models().setModels(bundledModels(), others);
    m_input->models().setChosen(m_model);
}

void MainWindow::fillRecentMenu()
{
    m_recentMenu->clear();
    for (const QString& path : m_settings.recent)
        m_recentMenu->addAction(path, this, [this, path] { open(path); });
    m_recentMenu->setEnabled(!m_settings.recent.isEmpty());
}

void MainWindow::showModelInfo()
{
    const auto& model = m_document.model();
    m_modelInfo->setText(model ? QString::fromStdString(model->info.description)
                                 + tr(", %L1 parameters").arg(model->info.parameters)
                               : tr("Attention archive"));
    setWindowTitle((model ? model->name : QFileInfo(m_model).fileName()) + tr(" – AttnScope"));
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    const auto urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    open(event->mimeData()->urls().value(0).toLocalFile());
}

} // namespace attn::ui
