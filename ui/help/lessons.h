// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace attn::ui {

// Where a step of a lesson goes to in the output.
enum class LessonPlace : std::uint8_t { Anywhere, First, Second, Last };

// View that a lesson shows in the window, with a question that comes first and what is said once it is answered. What
// is null stays as it is.
struct LessonStep
{
    const char* question; // Markdown, for translated(), likewise all other texts; %1 is the word that comes. Null: none
    const char* text; // explains; links are pages of the help
    std::span<const char* const> answers = {}; // to choose from; none: a word of the sentence, which the model looks at
    int right = 0; // answer
    const char* model = nullptr; // bundled
    const char* view = nullptr; // of viewRows()
    const char* site = nullptr; // as parseSite() takes it
    LessonPlace place = LessonPlace::Anywhere;
    const char* page = nullptr; // of the laboratory, that a button opens
    int beams = 0; // a search with so many hypotheses; 1: greedy
};

struct Lesson
{
    const char* id;
    const char* title; // for the same
    std::span<const LessonStep> steps;
};

// Each on the sentence that stands in the window.
std::span<const Lesson> lessons();

} // namespace attn::ui
