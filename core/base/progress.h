// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace attn {

// Progress of a long piece of work in numbers; the words for it are where it is shown.
struct Progress
{
    enum class Part : std::uint8_t {
        Nothing, // has begun
        Tensor, // of a model's weights
        EncoderLayer,
        Sentence, // of a text that is read sentence by sentence
        Step, // of decoding
        GivenTokens, // `count` of them, read at once
        Finished
    };

    double fraction = 0; // 0 .. 1
    Part part = Part::Nothing;
    int number = 0; // from 0
    int count = 0; // of all; 0: not known
    std::string name = {}; // of a tensor
};

using ProgressCallback = std::function<void(const Progress&)>;

// Stop of the work of this thread that is not handed a token of its own, as long as such an object lives: texts are
// cut into tokens for many, and a long one or a slow expression takes its time. The innermost object counts.
class ThreadStop
{
public:
    explicit ThreadStop(std::stop_token stop);
    explicit ThreadStop(std::chrono::steady_clock::time_point end); // nobody has to ask
    ~ThreadStop();
    ThreadStop(const ThreadStop&) = delete;
    ThreadStop& operator=(const ThreadStop&) = delete;

    static bool isRequested() noexcept;
    // Throws Error{Cancelled} once it is to stop.
    static void check();

private:
    std::stop_token m_stop;
    std::optional<std::chrono::steady_clock::time_point> m_end;
    const ThreadStop* m_outer;
};

} // namespace attn
