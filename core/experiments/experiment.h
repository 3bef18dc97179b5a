// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "inference/answer.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

namespace attn {

// Progress of an experiment, in numbers.
struct ExperimentProgress
{
    enum class Step : std::uint8_t {
        Loading, // a model
        Reading, // the sentence
        Sentence, // of many, by a model
        Run, // of the same sentence
        Offset, // of a fit: `number` is it
        Layer
    };

    Step step = Step::Loading;
    double fraction = 0; // 0 .. 1
    std::string model = {};
    int number = 0; // from 0
    int count = 0;
};

// Tools of an experiment.
struct Workbench
{
    Engine& engine;
    std::function<std::shared_ptr<const LoadedModel>(const std::string& nameOrPath)>
        load; // on the thread of the engine
    std::stop_token stop = {};
    std::function<void(const ExperimentProgress&)> progress = {};
    ReadFiles files = {};

    void say(const ExperimentProgress& how) const
    {
        if (progress)
            progress(how);
    }
    RunObserver observer() const { return {.stop = stop, .picture = files.picture, .sound = files.sound}; }
    // Trace of what the question's model can do of the question.
    Trace ask(const Question& question) const
    {
        const auto model = load(question.model);
        return answer(fitted(question, *model), *model, engine, observer());
    }
};

// An experiment is a value that is made of its inputs. advance() does one piece of its work, so that other work can go
// between the pieces, and says whether there is more to do; then its results can be read. It throws Error{Cancelled}
// when it is stopped, and what its models throw.
template<class Experiment>
void carryOut(Experiment& experiment, const Workbench& bench)
{
    while (experiment.advance(bench))
        throwIfStopped(bench.stop);
}

} // namespace attn
