// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "edits/edit.h"
#include "edits/edit_check.h"
#include "models/model_info.h"
#include "text/tokenizer.h"

#include <span>
#include <string>
#include <vector>

namespace attn {

// The edits of a question, with the texts that errors quote.
class RunEdits
{
public:
    explicit RunEdits(std::span<const std::string> specs); // throws EditError

    std::span<const Edit> edits() const { return m_edits; }

    // Throws EditError for the first that does not fit.
    void check(const EditExtent& extent) const;
    // Whether another token stands somewhere in the source.
    bool replaceTokens() const;
    // Positions of patches that become grey.
    std::vector<Index> greyed() const;
    // The source with the tokens that the edits put there, as if their ids had been given; a position that it does not
    // have is passed over. tokenizer: null where there is none. Throws EditError for a word that is not one token.
    Encoding applied(Encoding source, const Tokenizer* tokenizer) const;

private:
    std::vector<std::string> m_specs;
    std::vector<Edit> m_edits;
};

} // namespace attn
