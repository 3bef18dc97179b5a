// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <QTest>

#include <optional>
#include <string>
#include <vector>

namespace attn::test {

// Verifies that an action fails by an error of the kind (none: any) whose message holds each of these texts.
template<class Action>
void verifyError(std::optional<ErrorKind> kind, const std::vector<std::string>& named, const Action& action)
{
    try {
        action();
    } catch (const Error& error) {
        QCOMPARE(error.kind(), kind.value_or(error.kind()));
        for (const std::string& text : named)
            QVERIFY2(error.whole().find(text) != std::string::npos, error.what());
        return;
    }
    QFAIL("nothing was thrown");
}

template<class Action>
void verifyError(const std::vector<std::string>& named, const Action& action)
{
    verifyError(std::nullopt, named, action);
}

} // namespace attn::test
