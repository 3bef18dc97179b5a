// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "question/question.h"

#include <string>
#include <vector>

ATTN_FUZZ_TARGET(question)
{
    const auto text = attn::fuzz::text(data, size);
    std::vector<std::string> refused;
    attn::fuzz::answer([&] { (void)attn::parseQuestion(text, "input", &refused); });
    return attn::fuzz::answer([&] {
        const attn::Question question = attn::parseQuestion(text, "input");
        attn::fuzz::require(attn::parseQuestion(attn::questionText(question), "again") == question);
    });
}
