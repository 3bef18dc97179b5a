// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/run_controller.h"
#include "window/dialogs.h"

#include <QFutureWatcher>
#include <QObject>

#include <optional>

namespace attn::ui {

// Writes exports on another thread, from copies, so that the window never waits.
class Exporter final : public QObject
{
    Q_OBJECT

public:
    explicit Exporter(QObject* parent = nullptr);
    ~Exporter() override; // waits for what is being written

    // Empty while another export is being written; then the number of this one.
    std::optional<quint64> start(const ExportChoice& choice, const Exportable& figure);

Q_SIGNALS:
    void written(const QString& path);
    void failed(const attn::ui::UserMessage& message);

private:
    QFutureWatcher<std::optional<UserMessage>> m_watcher;
    QString m_path;
    quint64 m_number = 0;
};

} // namespace attn::ui
