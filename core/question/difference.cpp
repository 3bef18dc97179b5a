// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "question/difference.h"

#include <utility>

namespace attn {

namespace {

template<class Owner>
void compareRows(std::span<const OptionRow<Owner>> rows, const Owner& before, const Owner& after,
                 QuestionDifference& found)
{
    for (const OptionRow<Owner>& row : rows) {
        auto then = optionText(row, before);
        auto now = optionText(row, after);
        if (then != now)
            found.push_back({row.key, std::move(then), std::move(now)});
    }
}

} // namespace

QuestionDifference difference(const Question& before, const Question& after)
{
    QuestionDifference found;
    compareRows(questionRows(), before, after, found);
    compareRows(decodingRows(), before.decoding, after.decoding, found);
    return found;
}

bool sameSentence(const Question& a, const Question& b)
{
    return a.model == b.model && a.text == b.text && a.secondText == b.secondText && a.sourceIds == b.sourceIds
        && a.image == b.image && a.audio == b.audio && a.start == b.start && a.sourceLanguage == b.sourceLanguage
        && a.targetLanguage == b.targetLanguage;
}

} // namespace attn
