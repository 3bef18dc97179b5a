// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/exporter.h"

#include <QtConcurrent>

namespace attn::ui {

namespace {

std::optional<UserMessage> writeOrExplain(const ExportChoice& choice, const Exportable& figure)
{
    const auto error = caught([&] { exportFigure(choice.path, figure, choice.options); });
    return error ? std::optional(userMessage(*error)) : std::nullopt;
}

} // namespace

Exporter::Exporter(QObject* parent)
    : QObject(parent)
{
    connect(&m_watcher, &QFutureWatcherBase::finished, this, [this] {
        if (const auto problem = m_watcher.result())
            Q_EMIT failed(*problem);
        else
            Q_EMIT written(m_path);
    });
}

Exporter::~Exporter()
{
    m_watcher.waitForFinished();
}

std::optional<quint64> Exporter::start(const ExportChoice& choice, const Exportable& figure)
{
    if (m_watcher.isRunning())
        return std::nullopt;
    m_path = choice.path;
    m_watcher.setFuture(QtConcurrent::run(writeOrExplain, choice, figure));
    return ++m_number;
}

} // namespace attn::ui
