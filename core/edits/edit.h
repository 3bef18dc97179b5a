// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "base/error.h"
#include "base/index.h"
#include "trace/site.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attn {

struct IndexRange
{
    Index first = 0;
    Index last = 0; // the range's too

    friend bool operator==(const IndexRange&, const IndexRange&) = default;
};

// Layers, heads, rows or columns, counted from 0: all of them, or those of some ranges.
class IndexSet
{
public:
    IndexSet() = default; // all
    explicit IndexSet(std::vector<IndexRange> ranges); // at least one, in any order; they may overlap

    bool isAll() const { return m_ranges.empty(); }
    // Sorted and apart; none: all.
    std::span<const IndexRange> ranges() const { return m_ranges; }
    Index least() const { return isAll() ? 0 : m_ranges.front().first; }

    // Calls visit(index) for each that lies between 0 and count - 1, in order.
    template<class Visit>
    void forEach(Index count, Visit visit) const
    {
        forEach(0, count - 1, visit);
    }
    // And for those between first and last.
    template<class Visit>
    void forEach(Index first, Index last, Visit visit) const
    {
        if (isAll()) {
            for (Index index = first; index <= last; ++index)
                visit(index);
            return;
        }
        for (auto range = from(first); range != m_ranges.end() && range->first <= last; ++range) {
            const Index end = std::min(range->last, last);
            for (Index index = std::max(range->first, first); index <= end; ++index)
                visit(index);
        }
    }
    bool contains(Index index) const
    {
        return isAll() || (from(index) != m_ranges.end() && from(index)->first <= index);
    }

    friend bool operator==(const IndexSet&, const IndexSet&) = default;

private:
    // The first range that ends at `index` or later.
    std::vector<IndexRange>::const_iterator from(Index index) const
    {
        return std::lower_bound(m_ranges.begin(), m_ranges.end(), index,
                                [](const IndexRange& range, Index value) { return range.last < value; });
    }

    std::vector<IndexRange> m_ranges;
};

// Change of the cells of attention maps. Masked cells, whose score is -inf, stay as they are.
enum class AttentionChange : std::uint8_t {
    Hide, // the score becomes -inf before the softmax
    Zero, // the weight becomes 0
    Set, // the weight becomes a value
    Scale, // and is multiplied by one
    Uniform, // the cells of a row share their present sum equally
    Renormalize, // a row with one of the cells is divided by its whole sum
};

// Cells of attention maps: those of these rows and columns in these heads of these layers, where a map has them.
struct AttentionEdit
{
    std::optional<Stage> stage; // none: every stage
    IndexSet layers = {};
    IndexSet heads = {};
    IndexSet rows = {};
    IndexSet columns = {};
    AttentionChange change = AttentionChange::Hide;
    float value = 0; // of Set and Scale, finite

    friend bool operator==(const AttentionEdit&, const AttentionEdit&) = default;
};

enum class SourceChange : std::uint8_t {
    Token, // another token stands there
    Word, // likewise, the one that a word is tokenized to
    Hide, // the columns of this token are hidden wherever columns are tokens of the source
    Grey, // the pixels of this patch of a picture become the mean
};

// A token of the given input.
struct SourceEdit
{
    Index position = 0; // special tokens counted
    SourceChange change = SourceChange::Hide;
    TokenId token = 0; // of Token
    std::string word = {}; // of Word

    friend bool operator==(const SourceEdit&, const SourceEdit&) = default;
};

// Something that a run is made to do differently (resources/documentation/formats.md section 5).
using Edit = std::variant<AttentionEdit, SourceEdit>;

// Fault of an edit, in one line that begins with the edit, shortened where it is long.
class EditError : public Error
{
public:
    EditError(std::string_view spec, const std::string& problem, const std::string& advice = {});
};

// A text as an error quotes it: in marks, on one line, the beginning of a long one.
std::string inQuotes(std::string_view text);

// "encoder:2:5=zero", "source:3=word:house". Throws EditError.
Edit parseEdit(std::string_view spec);

// The canonical text, which reads back as an equal edit: numbers in order and once, nothing that may be left out.
std::string editText(const Edit& edit);

} // namespace attn
