// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/latest_request.h"
#include "run/run_controller.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <stop_token>

namespace attn::ui {

// Tools of work on the inference thread.
struct JobTools
{
    Engine& engine;
    ModelStore& models;
    std::stop_token stop;
    std::function<void(const QString& what, double fraction)> progress;
    std::function<void(std::function<void()>)> publish; // runs on the window's thread, unless the job is old by then
    ReadFiles files; // from what the study keeps of them, or else by their paths
};

// One job at a time on the inference thread of a window, beside its runs: a new job cancels the old one without
// waiting. The job comes in pieces; runs of the window go between them. One that is on its way when this ends is
// cancelled, not waited for.
class JobRunner final : public QObject
{
    Q_OBJECT

public:
    // One piece of work; true: there is more to do. Throws what the core throws.
    using Work = std::function<bool(JobTools& tools)>;

    explicit JobRunner(RunController& controller, QObject* parent = nullptr);

    // `done` is called here after the last piece; neither for a cancelled nor for a failed job.
    void start(Work work, std::function<void()> done);
    void cancel();
    bool busy() const { return m_latest.pending(); }

Q_SIGNALS:
    void busyChanged(bool busy);
    void progressed(const QString& what, double fraction);
    void failed(const attn::ui::UserMessage& message);

private:
    struct Job;

    static void run(const std::shared_ptr<const Job>& job, Engine& engine);
    void end();

    RunController& m_controller;
    LatestRequest m_latest;
};

} // namespace attn::ui
