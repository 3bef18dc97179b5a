// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/exporter.h"

#include "run/handover.h"

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

std::optional<Error> writeFigure(const ExportChoice& choice, const Exportable& figure)
{
    return caught(
        [&] { exportFigure(choice.path, choice.look ? withChoices(figure, *choice.look) : figure, choice.options); });
}

} // namespace

Exporter::Exporter(Dialogs& dialogs, QObject* parent)
    : QObject(parent)
    , m_dialogs(dialogs)
{
    connect(&m_watcher, &QFutureWatcherBase::finished, this, [this] {
        Q_EMIT writingChanged();
        const auto problem = m_watcher.result();
        if (problem && problem->kind() == ErrorKind::Cancelled)
            return Q_EMIT said(tr("Cancelled"));
        if (problem)
            return Q_EMIT failed(userMessage(*problem));
        Q_EMIT said(tr("Written: %1").arg(m_path));
        Q_EMIT written(m_path);
    });
}

Exporter::~Exporter()
{
    m_stop.request_stop();
    m_watcher.waitForFinished();
}

void Exporter::cancel()
{
    if (writing())
        m_stop.request_stop();
}

void Exporter::write(const Exportable& figure, QWidget* parent)
{
    auto choice = m_dialogs.exportAs(parent, figure, m_habits);
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
    m_stop = {};
    choice->options.stop = m_stop.get_token();
    m_watcher.setFuture(
        QtConcurrent::run(HandedOver([choice = *choice, figure] { return writeFigure(choice, figure); })));
    Q_EMIT writingChanged();
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
