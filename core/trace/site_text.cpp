// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/site_text.h"

#include "base/error.h"
#include "base/parsed_number.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <sstream>
#include <vector>

namespace attn {

namespace {

constexpr const char* stageNames[] = {"encoder", "decoder", "cross"}; // by Stage
constexpr const char* summaryNames[] = {"mean", "max"}; // by HeadSummary
constexpr const char* kindNames[] = {"encoder-decoder", "encoder-only", "decoder-only"}; // by ModelKind

template<class Value, class Names>
std::optional<Value> named(const Names& names, std::string_view text)
{
    const auto found = std::ranges::find(names, text);
    return found == std::end(names) ? std::nullopt : std::optional(static_cast<Value>(found - std::begin(names)));
}

int wholeNumber(std::string_view text, const std::string& where)
{
    const auto value = parsedNumber<int>(text);
    if (!value || *value < 0)
        throw Error(ErrorKind::Input, where, fmt::format("'{}' is no whole number from 0", text));
    return *value;
}

} // namespace

const char* stageText(Stage stage)
{
    return stageNames[static_cast<std::size_t>(stage)];
}

std::string siteText(Site site)
{
    return fmt::format("{}:{}", stageText(site.stage), site.layer);
}

std::string headText(HeadChoice head)
{
    if (const int* number = std::get_if<int>(&head))
        return std::to_string(*number);
    return summaryNames[static_cast<std::size_t>(std::get<HeadSummary>(head))];
}

std::string siteText(const SiteChoice& choice)
{
    return siteText(choice.site) + ':' + headText(choice.head);
}

const char* kindText(ModelKind kind)
{
    return kindNames[static_cast<std::size_t>(kind)];
}

SiteChoice parseSite(std::string_view text, const std::string& where)
{
    std::vector<std::string> parts;
    std::istringstream stream{std::string(text)};
    for (std::string part; std::getline(stream, part, ':');)
        parts.push_back(part);
    if (parts.empty() || parts.size() > 3)
        throw Error(ErrorKind::Input, where,
                    fmt::format("'{}' is no site; write cross:LAYER:HEAD, encoder: or decoder:", text));
    const auto stage = named<Stage>(stageNames, parts[0]);
    if (!stage)
        throw Error(ErrorKind::Input, where, fmt::format("'{}' is none of {}", parts[0], fmt::join(stageNames, ", ")));
    return {{*stage, parts.size() > 1 ? wholeNumber(parts[1], where + " layer") : 0},
            parts.size() > 2 ? parseHead(parts[2], where + " head (or mean, max)") : HeadChoice(0)};
}

HeadChoice parseHead(std::string_view text, const std::string& where)
{
    if (const auto summary = named<HeadSummary>(summaryNames, text))
        return *summary;
    return wholeNumber(text, where);
}

} // namespace attn
