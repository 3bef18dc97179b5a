// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

struct Question; // question/question.h

struct SentencePair
{
    std::string source;
    std::string reference;
};

// Lines that the laboratory reads: a sentence a line, or a source, a TAB and a reference, where what follows another
// TAB is left out. Blanks around them are, too, and lines without a word. At least one, and at most Limit::Sentences.
// Throws Error{Format} with the number of a line that is no pair or no UTF-8, Error{Input} for none and for too many.
std::vector<std::string> parseSentences(std::string_view text);
std::vector<SentencePair> parseSentencePairs(std::string_view text);

// The same of a file of at most Limit::Text; errors name it. Throws Error{File}, too.
std::vector<std::string> readSentences(const std::filesystem::path& path);
std::vector<SentencePair> readSentencePairs(const std::filesystem::path& path);

// Takes from a question the texts and ids that a sentence of a file takes the place of; a prefix stays.
void clearTexts(Question& question);

// Every line of a text, without its end. Throws Error{Input} that names `where` beyond Limit::Lines.
std::vector<std::string> linesOf(std::string_view text, const std::string& where);

} // namespace attn
