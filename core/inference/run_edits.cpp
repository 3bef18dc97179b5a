// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/run_edits.h"

#include "base/index.h"
#include "text/word_pieces.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>
#include <variant>

namespace attn {

namespace {

// The edit where it puts another token into the source; else null.
const SourceEdit* replacement(const Edit& edit)
{
    const auto* const token = std::get_if<SourceEdit>(&edit);
    const bool replaces =
        token != nullptr && (token->change == SourceChange::Token || token->change == SourceChange::Word);
    return replaces ? token : nullptr;
}

TokenId tokenOfWord(const std::string& spec, const std::string& word, const Tokenizer& tokenizer, bool begins)
{
    const auto [ids, pieces] = wordPieces(tokenizer, word, begins ? Joint::Beginning : Joint::Blank);
    if (ids.size() != 1)
        throw EditError(spec,
                        pieces.empty() ? "the word is no token of this model"
                                       : fmt::format("the word is {} tokens: {}", pieces.size(),
                                                     inQuotes(fmt::format("{}", fmt::join(pieces, " ")))),
                        "choose a word that is one token, or write token:ID");
    return ids.front();
}

} // namespace

RunEdits::RunEdits(std::span<const std::string> specs)
    : m_specs(specs.begin(), specs.end())
{
    m_edits.reserve(m_specs.size());
    for (const std::string& spec : m_specs)
        m_edits.push_back(parseEdit(spec));
}

void RunEdits::check(const EditExtent& extent) const
{
    for (Index i = 0; i < indexSize(m_edits); ++i)
        checkEdit(m_edits[i], m_specs[i], extent);
}

bool RunEdits::replaceTokens() const
{
    return std::ranges::any_of(m_edits, [](const Edit& edit) { return replacement(edit) != nullptr; });
}

std::vector<Index> RunEdits::greyed() const
{
    std::vector<Index> positions;
    for (const Edit& edit : m_edits) {
        if (const auto* const token = std::get_if<SourceEdit>(&edit); token && token->change == SourceChange::Grey)
            positions.push_back(token->position);
    }
    return positions;
}

Encoding RunEdits::applied(Encoding source, const Tokenizer* tokenizer) const
{
    if (!replaceTokens())
        return source;
    std::vector<TokenId> ids = source.ids;
    const bool hasSpecial = std::ranges::find(source.special, true) != source.special.end();
    for (Index i = 0; i < indexSize(m_edits); ++i) {
        const SourceEdit* const edit = replacement(m_edits[i]);
        if (edit == nullptr || edit->position >= indexSize(ids))
            continue;
        if (edit->change == SourceChange::Word && tokenizer == nullptr)
            throw EditError(m_specs[i], "this model has no tokenizer files, so it knows no words", "write token:ID");
        ids[edit->position] = edit->change == SourceChange::Token
            ? edit->token
            : tokenOfWord(m_specs[i], edit->word, *tokenizer, edit->position == 0 && !hasSpecial);
    }
    Encoding edited = tokenizer != nullptr ? tokenizer->describe(ids) : plainEncoding(std::move(ids));
    edited.segments = std::move(source.segments);
    return edited;
}

} // namespace attn
