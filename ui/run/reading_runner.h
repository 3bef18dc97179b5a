// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attribution/explained_run.h"
#include "run/job_runner.h"
#include "state/appearance.h"
#include "state/run_tree.h"
#include "state/selection.h"
#include "state/study.h"

#include <QObject>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace attn::ui {

// A finished run of a study with what made it, for readings of it on the inference thread.
struct RunToExplain
{
    int id = 0;
    Trace trace;
    Question question;
    std::shared_ptr<const ModelSummary> model;
};

// None: there is no such run, it goes on, it was read from an archive, or its model is not there.
std::optional<RunToExplain> runToExplain(const Run* run);

// On the inference thread, in a JobRunner's work: the run with its model, which is loaded where it is not. All later
// pieces of the work may use it; it stops with the job. Throws Error{File} where the model's files have changed since,
// and what ExplainedRun throws. baseline: special token of the source in place of that of the options, by its name.
std::shared_ptr<ExplainedRun> explain(const RunToExplain& run, ReadingOptions options, JobTools& tools,
                                      const std::string& baseline = {});

// Computes the readings that are looked at, of the run on show and the one that it is compared with, and keeps them
// with these: the selected one, and those that views want. What explains an output token follows the chosen step. Rows
// come as they are computed. What the user asks of a model goes first.
class ReadingRunner final : public QObject
{
    Q_OBJECT

public:
    ReadingRunner(Study& study, Selection& selection, const Appearance& appearance, RunController& controller,
                  QObject* parent = nullptr);

    bool busy() const { return m_jobs.busy(); }
    // Settings of readings from now on; what was computed otherwise is computed again when it is looked at.
    struct Options
    {
        int steps = 0; // of integrated gradients; 0: as many as their path needs
        bool eraseHides = false; // erased tokens are hidden, not replaced
        std::string baseline = {}; // special token that the path begins at, by its name; empty: zero embeddings

        friend bool operator==(const Options&, const Options&) = default;
    };
    void setOptions(const Options& options);
    // A missing reading stays so until something else is looked at.
    void cancel();

Q_SIGNALS:
    void busyChanged(bool busy);
    void progressed(const QString& what, double fraction); // fraction below 0: not known
    void failed(const attn::ui::UserMessage& message);

private:
    // A method of a run; no method: why the run lacks which.
    struct Task
    {
        RunToExplain run;
        std::string method;
        ReadingAbout about;
        Options options = {};
        bool anew = false; // some positions were computed with other options

        friend bool operator==(const Task& one, const Task& other)
        {
            return std::tie(one.run.id, one.method, one.about, one.options)
                == std::tie(other.run.id, other.method, other.about, other.options);
        }
    };
    struct Work;

    void look();
    bool followStep(const Trace& trace);
    bool takeHeld();
    bool isCurrent(int run, const std::string& method, const ReadingAbout& about) const;
    std::vector<Task> missing() const;
    void addMissing(std::vector<Task>& tasks, const RunToExplain& run) const;

    Study& m_study;
    Selection& m_selection;
    const Appearance& m_appearance;
    RunController& m_controller;
    JobRunner m_jobs;
    Options m_options;
    std::map<std::tuple<int, std::string, ReadingAbout>, Options> m_made; // with what; what is not here without any
    std::vector<Task> m_asked; // last
    std::optional<int> m_step; // that was followed last
};

} // namespace attn::ui
