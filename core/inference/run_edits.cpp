// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/run_edits.h"

#include "base/index.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <utility>
#include <variant>

namespace attn {

namespace {

// The edit where it puts another token into the source; else null.
const SourceEdit* replacement(const Edit& edit)
{
    const auto* const token = std::get_if<SourceEdit>(&edit);
    return token != nullptr && token->change != SourceChange::Hide ? token : nullptr;
}

// What a word adds to a text that it follows after a blank, or that it begins: in between of what stands there without
// it.
TokenId tokenOfWord(const std::string& spec, const std::string& word, const Tokenizer& tokenizer, bool begins)
{
    const std::string before = begins ? "" : "a";
    const Encoding without = tokenizer.encode(before);
    const Encoding with = tokenizer.encode(begins ? word : before + ' ' + word);
    const std::ptrdiff_t shared = std::min(std::ssize(without.ids), std::ssize(with.ids));
    std::ptrdiff_t head = 0;
    while (head < shared && without.ids.begin()[head] == with.ids.begin()[head])
        ++head;
    std::ptrdiff_t tail = 0;
    while (head + tail < shared && without.ids.rbegin()[tail] == with.ids.rbegin()[tail])
        ++tail;
    const std::vector<std::string> pieces(with.tokens.begin() + head, with.tokens.end() - tail);
    if (pieces.size() != 1)
        throw EditError(spec,
                        pieces.empty() ? "the word is no token of this model"
                                       : fmt::format("the word is {} tokens: {}", pieces.size(),
                                                     inQuotes(fmt::format("{}", fmt::join(pieces, " ")))),
                        "choose a word that is one token, or write token:ID");
    return with.ids[head];
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
