// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "edits/edit_check.h"

#include "trace/site.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <string>

namespace attn {

namespace {

// A field that counts something of a map.
struct CountedField
{
    const char* name;
    IndexSet AttentionEdit::*set;
    // The one that a map has, or how many it has, from 0.
    std::optional<Index> (*only)(const MapExtent&);
    std::optional<Index> (*count)(const MapExtent&);
};

constexpr auto nothing = [](const MapExtent&) -> std::optional<Index> { return std::nullopt; };

constexpr CountedField countedFields[] = {
    {"layer", &AttentionEdit::layers, [](const MapExtent& map) { return std::optional(map.site.layer); }, nothing},
    {"head", &AttentionEdit::heads, nothing, [](const MapExtent& map) { return std::optional(map.heads); }},
    {"row", &AttentionEdit::rows, nothing, [](const MapExtent& map) { return map.rows; }},
    {"column", &AttentionEdit::columns, nothing, [](const MapExtent& map) { return map.columns; }},
};

bool has(const MapExtent& map, const CountedField& field, Index number)
{
    if (const auto only = field.only(map))
        return number == *only;
    const auto count = field.count(map);
    return !count || number < *count;
}

// At least one of the numbers.
bool fits(const MapExtent& map, const CountedField& field, const AttentionEdit& edit)
{
    const IndexSet& set = edit.*field.set;
    if (const auto only = field.only(map))
        return set.contains(*only);
    const auto count = field.count(map);
    return !count || set.least() < *count;
}

std::string rangeOf(const std::vector<MapExtent>& maps, const CountedField& field)
{
    Index first = std::numeric_limits<Index>::max();
    Index last = -1;
    for (const MapExtent& map : maps) {
        const auto only = field.only(map);
        first = std::min(first, only.value_or(0));
        last = std::max(last, only ? *only : field.count(map).value_or(0) - 1);
    }
    const std::string name = std::string(field.name) + 's';
    if (last < 0)
        return fmt::format("there are no {}", name);
    return first == last ? fmt::format("there is only {} {}", field.name, last)
                         : fmt::format("{} go from {} to {}", name, first, last);
}

class AttentionCheck
{
public:
    AttentionCheck(const AttentionEdit& edit, std::string_view spec)
        : m_edit(edit)
        , m_spec(spec)
    {
    }

    void check(const std::vector<MapExtent>& all) const
    {
        std::vector<MapExtent> named;
        std::ranges::copy_if(all, std::back_inserter(named),
                             [&](const MapExtent& map) { return !m_edit.stage || map.site.stage == *m_edit.stage; });
        if (named.empty() && m_edit.stage)
            throw EditError(m_spec, fmt::format("this model has no {} attention", stageText(*m_edit.stage)),
                            stagesOf(all));
        const std::vector<MapExtent> ofStage = named;
        // Faults of the edit itself come first, from left to right.
        for (const CountedField& field : countedFields) {
            checkField(field, named);
            std::erase_if(named, [&](const MapExtent& map) { return !fits(map, field, m_edit); });
        }
        for (const CountedField& field : countedFields) {
            std::vector<MapExtent> byOthers = ofStage;
            for (const CountedField& other : countedFields) {
                if (other.set != field.set)
                    std::erase_if(byOthers, [&](const MapExtent& map) { return !fits(map, other, m_edit); });
            }
            checkField(field, byOthers);
        }
    }

private:
    static std::string stagesOf(const std::vector<MapExtent>& all)
    {
        std::string names;
        for (const Stage stage : {Stage::Encoder, Stage::Decoder, Stage::Cross, Stage::Pooling}) {
            if (std::ranges::find(all, stage, [](const MapExtent& map) { return map.site.stage; }) != all.end())
                names += (names.empty() ? "it has " : ", ") + std::string(stageText(stage));
        }
        return names.empty() ? "it has none at all" : names;
    }

    // Ranges lie apart and what a map has follows on from 0, so that of a range its ends say all.
    void checkField(const CountedField& field, const std::vector<MapExtent>& maps) const
    {
        for (const IndexRange& range : (m_edit.*field.set).ranges()) {
            for (const Index number : {range.first, range.last}) {
                if (std::ranges::none_of(maps, [&](const MapExtent& map) { return has(map, field, number); }))
                    throw EditError(m_spec, fmt::format("{} {} is not there", field.name, number),
                                    rangeOf(maps, field));
            }
        }
    }

    const AttentionEdit& m_edit;
    std::string_view m_spec;
};

void checkSourceEdit(const SourceEdit& edit, std::string_view spec, const EditExtent& extent)
{
    if (extent.source && edit.position >= *extent.source)
        throw EditError(spec, fmt::format("the source has no position {}", edit.position),
                        fmt::format("positions go from 0 to {}", *extent.source - 1));
    const bool replaces = edit.change == SourceChange::Token || edit.change == SourceChange::Word;
    if (replaces && extent.places)
        throw EditError(spec, "the source is no text, so it has no token to replace",
                        extent.patches ? "write hide or grey" : "write hide");
    if (edit.change == SourceChange::Grey && !extent.patches)
        throw EditError(spec, "grey is of the patches of a picture, and the source is none", "write hide");
    if (edit.change == SourceChange::Grey && edit.position < extent.specials)
        throw EditError(spec, fmt::format("position {} is a special token, which has no patch", edit.position),
                        fmt::format("patches begin at position {}", extent.specials));
    if (edit.change == SourceChange::Token && edit.token >= extent.vocabulary)
        throw EditError(spec, fmt::format("token {} is outside the vocabulary", edit.token),
                        fmt::format("tokens go from 0 to {}", extent.vocabulary - 1));
}

} // namespace

void checkEdit(const Edit& edit, std::string_view spec, const EditExtent& extent)
{
    if (const auto* attention = std::get_if<AttentionEdit>(&edit))
        AttentionCheck(*attention, spec).check(extent.maps);
    else
        checkSourceEdit(std::get<SourceEdit>(edit), spec, extent);
}

std::string withoutEdit(const EditError& error)
{
    return error.advice().empty() ? error.problem() : fmt::format("{}: {}", error.problem(), error.advice());
}

} // namespace attn
