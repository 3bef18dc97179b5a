// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "question/question.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Difference of one row in another question, as the row writes it; none: not given.
struct RowDifference
{
    const char* key = ""; // of the row
    std::optional<std::string> before;
    std::optional<std::string> after;

    friend bool operator==(const RowDifference& a, const RowDifference& b)
    {
        return std::string_view(a.key) == b.key && a.before == b.before && a.after == b.after;
    }
};

// Differences in the order of the rows; what is captured makes no difference to an answer. Empty: the same was asked.
using QuestionDifference = std::vector<RowDifference>;
QuestionDifference difference(const Question& before, const Question& after);

// Whether the same model is asked about the same text in the same languages, however it is asked.
bool sameSentence(const Question& a, const Question& b);

} // namespace attn
