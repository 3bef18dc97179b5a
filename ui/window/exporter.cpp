// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/exporter.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QtConcurrent>

#include <algorithm>

namespace attn::ui {

namespace {

constexpr double narrowestCopy = 60; // mm
constexpr double mmPerPixel = 25.4 / 96;
constexpr int copyDpi = 192;

std::optional<UserMessage> writeOrExplain(const ExportChoice& choice, const Exportable& figure)
{
    const auto error = caught(
        [&] { exportFigure(choice.path, choice.look ? withChoices(figure, *choice.look) : figure, choice.options); });
    return error ? std::optional(userMessage(*error)) : std::nullopt;
}

} // namespace

Exporter::Exporter(Dialogs& dialogs, QObject* parent)
    : QObject(parent)
    , m_dialogs(dialogs)
{
    connect(&m_watcher, &QFutureWatcherBase::finished, this, [this] {
        if (const auto problem = m_watcher.result())
            return Q_EMIT failed(*problem);
        Q_EMIT said(tr("Written: %1").arg(m_path));
        Q_EMIT written(m_path);
    });
}

Exporter::~Exporter()
{
    m_watcher.waitForFinished();
}

void Exporter::write(const Exportable& figure, QWidget* parent)
{
    const auto choice = m_dialogs.exportAs(parent, figure, m_habits);
    if (!choice)
        return;
    const QFileInfo file(choice->path);
    m_habits = {choice->options, file.suffix().toLower(), file.absolutePath(), choice->look.value_or(m_habits.look)};
    if (m_watcher.isRunning()) {
        Q_EMIT failed(
            {tr("The export"), tr("has to wait: another one is still being written"), tr("try again in a moment")});
        return;
    }
    m_path = choice->path;
    m_watcher.setFuture(QtConcurrent::run(writeOrExplain, *choice, figure));
    Q_EMIT said(tr("Writing %1").arg(file.fileName()));
}

void Exporter::copy(const Exportable& figure, double width)
{
    QGuiApplication::clipboard()->setImage(
        renderFigure(figure, {std::clamp(width * mmPerPixel, narrowestCopy, mostWidthMm), copyDpi}));
    Q_EMIT said(tr("Image copied"));
}

void Exporter::copyNumbers(const QString& text)
{
    if (text.isEmpty())
        return Q_EMIT said(tr("There is nothing to copy here"));
    QGuiApplication::clipboard()->setText(text);
    Q_EMIT said(tr("Copied"));
}

} // namespace attn::ui
