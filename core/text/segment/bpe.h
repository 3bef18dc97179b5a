// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/segment/pair_merging.h"
#include "text/segment/subword_model.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

namespace attn {

struct BpeOptions
{
    std::optional<std::string> unknown;
    std::string continuation; // in front of pieces that do not start a word
    std::string wordEnd; // behind pieces that end a word
    bool fuseUnknown = false; // neighbouring unknown characters become one token
    bool byteFallback = false; // unknown characters become "<0x..>" pieces, if the vocabulary has them all
    bool ignoreMerges = false; // a stretch that is a piece is not cut
    std::string name = "BPE";
};

// Byte pair encoding (Sennrich et al. 2016): the pair that was merged earliest in training is merged first, the
// leftmost where it occurs more than once.
class Bpe final : public SubwordModel
{
public:
    using Merge = std::pair<std::string, std::string>;

    // Throws Error{Format} for a merge of or into pieces that the vocabulary lacks.
    Bpe(Vocabulary vocabulary, const std::vector<Merge>& merges, BpeOptions options, const std::string& where);

    void cut(std::string_view text, std::vector<Subword>& subwords) const override;
    const Vocabulary& vocabulary() const override { return m_vocabulary; }
    std::string description() const override;
    bool hasByteFallback() const override { return m_options.byteFallback; }

private:
    void addMerge(const Merge& merge, std::uint32_t rank, const std::string& where);
    std::vector<Subword> characters(std::string_view text) const;
    bool appendBytes(ByteSpan character, std::string_view text, std::vector<Subword>& symbols) const;
    std::optional<MergedPair> find(TokenId left, TokenId right) const;

    Vocabulary m_vocabulary;
    BpeOptions m_options;
    std::optional<TokenId> m_unknown;
    std::unordered_map<std::uint64_t, MergedPair> m_merges; // by the ids of the pair
    std::vector<std::optional<TokenId>> m_bytes; // by byte
};

} // namespace attn
