// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/exporter.h"

#include "base/error.h"
#include "figures/data_export.h"
#include "trace/archive.h"

#include <QFileInfo>
#include <QtConcurrent>

#include <new>

namespace attn::ui {

namespace {

void write(const ExportChoice& choice, const FigureSpec& spec, const Trace& trace)
{
    const QString form = QFileInfo(choice.path).suffix().toLower();
    if (form == QLatin1String("csv"))
        exportCsv(choice.path, spec, trace);
    else if (form == QLatin1String("npz") || form == QLatin1String("json"))
        writeArchive(choice.path.toStdString(), trace, {.leaf = spec.leaf});
    else
        exportFigure(choice.path, spec, trace, choice.options);
}

std::optional<UserMessage> writeOrExplain(const ExportChoice& choice, const FigureSpec& spec, const Trace& trace)
{
    try {
        write(choice, spec, trace);
        return std::nullopt;
    } catch (const Error& error) {
        return UserMessage{QString::fromStdString(error.where()), QString::fromStdString(error.problem()),
                           QString::fromStdString(error.advice())};
    } catch (const std::bad_alloc&) {
        return UserMessage{choice.path, QObject::tr("there is not enough memory to write it"), {}};
    } catch (const std::exception& error) {
        return UserMessage{choice.path, QString::fromUtf8(error.what()), {}};
    }
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

std::optional<quint64> Exporter::start(const ExportChoice& choice, const FigureSpec& spec, const Trace& trace)
{
    if (m_watcher.isRunning())
        return std::nullopt;
    m_path = choice.path;
    m_watcher.setFuture(QtConcurrent::run(writeOrExplain, choice, spec, trace));
    return ++m_number;
}

} // namespace attn::ui
