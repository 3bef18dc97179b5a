// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/choices.h"

#include "commands/bench_commands.h"
#include "question/question.h"

#ifdef ATTN_WITH_UI
#include "figures/figure_choices.h"
#include "laboratory/page_rows.h"
#include "views/view_rows.h"
#endif

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <variant>

namespace attn::app {

namespace {

#ifdef ATTN_WITH_UI

template<class Rows>
std::vector<std::string> idsOf(const Rows& rows)
{
    std::vector<std::string> ids;
    for (const auto& row : rows)
        ids.emplace_back(row.id);
    return ids;
}

#endif

template<class Owner>
std::vector<std::string> namesOf(const OptionRow<Owner>& row)
{
    std::vector<std::string> names;
    if (const auto* member = std::get_if<ChoiceMember<Owner>>(&row.member)) {
        for (const OptionChoice& choice : member->choices)
            names.emplace_back(choice.name);
    }
    return names;
}

} // namespace

std::vector<std::string> choices(std::string_view option)
{
#ifdef ATTN_WITH_UI
    if (option == "--laboratory")
        return idsOf(ui::pageRows());
    if (option == "--view")
        return idsOf(ui::viewRows());
#endif
    if (option == "--capture")
        return benchCaptures();
    std::vector<std::string> names;
#ifdef ATTN_WITH_UI
    for (const auto& row : ui::figureRows()) {
        if (option == std::string("--") + row.key)
            names = namesOf(row);
    }
#endif
    const Question question;
    visitRows(question, [&](const auto& row, const auto&) {
        if (option == std::string("--") + row.key)
            names = namesOf(row);
    });
    return names;
}

std::string choicesText(std::string_view option)
{
    return fmt::format("{}", fmt::join(choices(option), " or "));
}

} // namespace attn::app
