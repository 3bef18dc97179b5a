// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/exporter.h"

#include "base/error.h"
#include "run/latest_request.h"

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
    , m_copies(*this)
{
    connect(&m_watcher, &QFutureWatcherBase::finished, this, [this] {
        Q_EMIT busyChanged();
        const auto problem = m_watcher.result();
        if (problem && problem->kind() == ErrorKind::Cancelled)
            return Q_EMIT said(tr("Cancelled"));
        if (problem) {
            Q_EMIT said({});
            return Q_EMIT failed(userMessage(*problem));
        }
        Q_EMIT said(tr("Written: %1").arg(m_path));
        Q_EMIT written(m_path);
    });
    // Something else that was copied meanwhile stays.
    connect(QGuiApplication::clipboard(), &QClipboard::dataChanged, this, &Exporter::cancelCopy);
}

Exporter::~Exporter()
{
    m_stop.request_stop();
    m_watcher.waitForFinished();
}

void Exporter::cancel()
{
    m_stop.request_stop();
    cancelCopy();
}

void Exporter::cancelCopy()
{
    if (!m_copies.pending())
        return;
    m_copies.end();
    Q_EMIT busyChanged();
    Q_EMIT said(tr("Cancelled"));
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
    Q_EMIT busyChanged();
    Q_EMIT said(tr("Writing %1").arg(file.fileName()));
}

void Exporter::copy(const Exportable& figure, double width)
{
    begin([figure, width](const std::stop_token& stop) {
        const double mm = std::clamp(width * mmPerPixel, narrowestCopy, mostWidthMm);
        return [image = renderFigure(figure, {.widthMm = mm, .dpi = copyDpi, .stop = stop})] {
            QGuiApplication::clipboard()->setImage(image);
            return tr("Image copied");
        };
    });
}

void Exporter::copyNumbers(const FigureSpec& spec, const Trace& trace, const FigureHit& hit, CopyRow::What what)
{
    begin([spec, trace, hit, what](const std::stop_token& stop) {
        return [text = copiedText(spec, trace, hit, what, stop)] {
            if (text.isEmpty())
                return tr("There is nothing to copy here");
            QGuiApplication::clipboard()->setText(text);
            return tr("Copied");
        };
    });
}

void Exporter::begin(MakeCopy make)
{
    const LatestRequest::Ticket ticket = m_copies.begin();
    Q_EMIT busyChanged();
    Q_EMIT said(tr("Copying"));
    QThreadPool::globalInstance()->start(HandedOver([this, ticket, make = std::move(make)] {
        PutCopy put;
        const std::optional<Error> problem = caught([&] {
            throwIfStopped(ticket.stop()); // before its turn
            put = make(ticket.stop());
        });
        ticket.report([this, put = std::move(put), problem] {
            m_copies.end();
            Q_EMIT busyChanged();
            Q_EMIT said(problem ? QString() : put());
            if (problem)
                Q_EMIT failed(userMessage(*problem));
        });
    }));
}

} // namespace attn::ui
