// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <QString>

#include <exception>
#include <new>
#include <optional>

namespace attn::ui {

// Error for the message bar.
struct UserMessage
{
    QString where;
    QString problem;
    QString advice;
    QString whole = {}; // with what long names lose; empty: nothing is lost
};

inline UserMessage userMessage(const Error& error)
{
    const std::string whole = error.whole();
    return {QString::fromStdString(error.where()), QString::fromStdString(error.problem()),
            QString::fromStdString(error.advice()), whole == error.what() ? QString() : QString::fromStdString(whole)};
}

// Runs work that may throw; other exceptions than Error, such as a lack of memory, become one.
template<class Work>
std::optional<Error> caught(const Work& work)
{
    try {
        work();
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return Error(ErrorKind::Resource, "memory", "there is not enough of it for this",
                     "close other programs, or use a shorter text or a smaller model");
    } catch (const std::exception& other) {
        return Error(ErrorKind::Resource, "run", other.what());
    }
}

} // namespace attn::ui
