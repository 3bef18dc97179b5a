// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>

namespace attn::app {

// Exit statuses, as the manual page promises them.
enum ExitStatus : int { Done = 0, Failed = 1, WrongUsage = 2, Differs = 3 };

// An option that does not fit the others or the model: exit status 2.
class UsageError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

} // namespace attn::app
