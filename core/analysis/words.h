// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "base/index.h"
#include "trace/attention_map.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attn {

// One axis of a matrix after merging: its label and the tokens it covers.
struct AxisGroup
{
    std::string label;
    int first = 0; // first token
    int count = 1;
};

// One group per token, labelled for people: word-start marks removed ("▁house" -> "house"), control characters shown.
std::vector<AxisGroup> tokenAxis(const Encoding& encoding);
// The word of every token, from 0; noWord for special tokens. Words and punctuation are different words: of the
// tokenizer's word "(tonight." the parenthesis and the full stop are words of their own, what stands between letters
// ("don't") is not. Empty where the words of the tokens are unknown.
std::vector<int> textWords(const Encoding& encoding);

// One group per word of the text, as pictures merge them; special tokens stay alone.
std::vector<AxisGroup> wordAxis(const Encoding& encoding);

// Merges subwords: weights are summed over the columns of a group and averaged over its rows, so that rows still sum
// to one. Groups must cover the matrix, whose first row and column are those of the first groups.
Numbers merge(const Numbers& matrix, const std::vector<AxisGroup>& rows, const std::vector<AxisGroup>& columns);

// A word of a text that another text has otherwise, by the places in both.
struct ChangedWord
{
    int word = 0;
    std::optional<int> before; // in its place; none: it has no word there

    friend bool operator==(const ChangedWord&, const ChangedWord&) = default;
};

// Words that differ stand between those at both ends that the texts have in common; word by word, where these are as
// many.
std::vector<ChangedWord> changedWords(const std::vector<AxisGroup>& now, const std::vector<AxisGroup>& before);

// A word that a vocabulary lacks, and the pieces that the model reads in its place.
struct UnknownWord
{
    std::string text;
    std::vector<std::string> pieces; // as the vocabulary spells them, at least one of them the unknown token
};

// The words of an encoded text that hold the unknown token, each once, in their order. A token that belongs to no word
// counts as one. Empty for ids without a text.
std::vector<UnknownWord> unknownWords(const Encoding& encoding, TokenId unknown);

// The words of a text that several tokenizations have in common, so that maps of different models have the same
// columns.
struct WordGrid
{
    std::vector<std::size_t> starts; // byte at which each word begins, rising
    std::vector<std::string> labels; // the words as they stand in the text
    bool others = false; // there are tokens that stand for no text, such as the end token

    int columns() const { return indexSize(starts) + (others ? 1 : 0); }
};

// The finest division of a text into words at whose borders every encoding begins a word. All encodings are of the same
// text; tokens that were not in it, such as generated ones, count as others.
WordGrid commonWordGrid(std::span<const Encoding* const> encodings);

// Sums the columns of each word; what lies on tokens without text goes into a last column when the grid has one.
// `columns` names the matrix' columns.
Numbers ontoGrid(const Numbers& matrix, const Encoding& columns, const WordGrid& grid);

} // namespace attn
