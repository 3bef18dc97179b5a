// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "readings/head_reading.h"

#include "base/error.h"
#include "base/plain_text.h"
#include "trace/site.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <sstream>
#include <utility>

namespace attn {

namespace {

int wholeNumber(std::string_view text, const std::string& where)
{
    const auto value = parsedNumber<int>(text);
    if (!value || *value < 0)
        throw Error(ErrorKind::Input, where, fmt::format("'{}' is no whole number from 0", text));
    return *value;
}

// Null: that of one head, or none.
const Reading* readingNamed(std::string_view id)
{
    const auto found = std::ranges::find_if(
        readings(), [id](const Reading* reading) { return reading->of != ReadingOf::OneHead && reading->id == id; });
    return found == readings().end() ? nullptr : *found;
}

// Name of the reading, before the head and what is explained.
std::string_view nameOf(std::string_view text)
{
    return text.substr(0, text.find_first_of(":@-"));
}

} // namespace

std::optional<int> HeadReading::headOf(const Reading& reading, std::optional<int> head)
{
    if (reading.of == ReadingOf::OneHead)
        return head.value_or(0);
    return reading.of == ReadingOf::EachHead ? head : std::nullopt;
}

HeadSet HeadSet::of(const std::vector<HeadPlace>& places, int layer)
{
    HeadSet set;
    for (const HeadPlace& place : places) {
        if (place.layer == layer)
            set.ofLayer.push_back(place.head);
        else
            set.elsewhere.push_back(place);
    }
    return set;
}

std::vector<HeadPlace> HeadSet::places(int layer) const
{
    std::vector<HeadPlace> all;
    for (const int head : ofLayer)
        all.push_back({layer, head});
    std::ranges::copy_if(elsewhere, std::back_inserter(all),
                         [layer](const HeadPlace& place) { return place.layer != layer; });
    std::ranges::sort(all);
    return all;
}

std::vector<HeadPlace> HeadSet::existing(const Trace& trace, Site site) const
{
    std::vector<HeadPlace> all = places(site.layer);
    std::optional<int> layer;
    int heads = 0; // of the layer
    std::erase_if(all, [&](const HeadPlace& place) {
        if (std::exchange(layer, place.layer) != place.layer)
            heads = trace.heads({site.stage, place.layer});
        return place.head < 0 || place.head >= heads;
    });
    return all;
}

std::vector<const Reading*> offeredReadings(const Trace& trace, Site site, int heads)
{
    std::vector<const Reading*> offered;
    for (const Reading* const reading : readings()) {
        const bool ofLayers = reading->of == ReadingOf::Layers && trace.heads(site) > 0
            && reading->lack(readingInput(trace, {site, *reading})) == nullptr;
        if (ofLayers || (reading->of == ReadingOf::Heads && heads > 1))
            offered.push_back(reading);
    }
    return offered;
}

ReadingInput readingInput(const Trace& trace, const SiteChoice& choice, std::optional<StepId> leaf,
                          const HeadSet& picked)
{
    const auto& [site, head] = choice;
    ReadingInput input{trace, site, {}, leaf, &head.reading(), head.head(), head.about()};
    if (head.head())
        input.heads = {{site.layer, *head.head()}};
    else if (head.reading().of == ReadingOf::Heads)
        input.heads = picked.existing(trace, site);
    if (input.heads.empty()) {
        for (int number = 0; number < trace.heads(site); ++number)
            input.heads.push_back({site.layer, number});
    }
    return input;
}

Numbers readWeights(const Trace& trace, const SiteChoice& choice, std::optional<StepId> leaf, RowSpan rows)
{
    const ReadingInput input = readingInput(trace, choice, leaf);
    const Reading& reading = choice.head.reading();
    if (const char* const lack = reading.lack(input))
        throw Error(ErrorKind::Input, siteText(choice), lack);
    return reading.compute(input, rows);
}

std::string headText(const HeadReading& head)
{
    const Reading& reading = head.reading();
    if (reading.of == ReadingOf::OneHead)
        return std::to_string(*head.head());
    std::string text = reading.id;
    if (head.head())
        text += fmt::format(":{}", *head.head());
    const ReadingAbout& about = head.about();
    if (about.all || about.of)
        text += about.all ? "@all" : fmt::format("@{}", *about.of);
    return about.against ? text + fmt::format("-{}", *about.against) : text;
}

std::string siteText(const SiteChoice& choice)
{
    return siteText(choice.site) + ':' + headText(choice.head);
}

SiteChoice parseSite(std::string_view text, const std::string& where, std::optional<Stage> usual)
{
    constexpr std::size_t most = 4; // parts: stage, layer, reading, head
    std::vector<std::string> parts;
    std::istringstream stream{std::string(text)};
    for (std::string part; std::getline(stream, part, ':');)
        parts.push_back(part);
    const Reading* const reading = parts.empty() || !usual ? nullptr : readingNamed(nameOf(parts[0]));
    if (parts.empty() || parts.size() > (reading != nullptr ? most - 1 : most))
        throw Error(ErrorKind::Input, where,
                    fmt::format("'{}' is no site; write cross:LAYER:HEAD, encoder: or decoder:", text));
    const int layer = parts.size() > 1 ? wholeNumber(parts[1], where + " layer") : 0;
    const std::string place = fmt::format("{} head ({})", where, headForms());
    const std::size_t next = reading != nullptr ? 0 : 2; // the reading's part; what follows the layer is its head
    if (next >= parts.size())
        return {{parseStage(parts[0], where), layer}, {}};
    const bool hasHead = parts.size() == most || (reading != nullptr && parts.size() == most - 1);
    const std::string head = hasHead ? parts[next] + ':' + parts.back() : parts[next];
    return {{reading != nullptr ? *usual : parseStage(parts[0], where), layer}, parseHead(head, place)};
}

HeadReading parseHead(std::string_view text, const std::string& where)
{
    const Reading* const reading = readingNamed(nameOf(text));
    if (reading == nullptr)
        return wholeNumber(text, where);
    std::string_view rest = text.substr(nameOf(text).size());
    // The part after a mark; none where it is not there.
    const auto part = [&rest](char mark, std::string_view ends) -> std::optional<std::string_view> {
        if (!rest.starts_with(mark))
            return std::nullopt;
        const std::string_view found = rest.substr(1, rest.find_first_of(ends, 1) - 1);
        rest.remove_prefix(found.size() + 1);
        return found;
    };
    std::optional<int> head;
    ReadingAbout about;
    if (const auto number = part(':', "@-"))
        head = wholeNumber(*number, where);
    if (const auto position = part('@', "-"); position == "all")
        about.all = true;
    else if (position)
        about.of = wholeNumber(*position, where);
    if (const auto token = part('-', ""))
        about.against = wholeNumber(*token, where);
    const HeadReading read(*reading, head, about);
    if (!rest.empty() || headText(read) != text)
        throw Error(ErrorKind::Input, where, fmt::format("'{}' has parts that {} does not take", text, reading->id));
    return read;
}

std::string headForms()
{
    std::string forms = "a number";
    for (std::size_t i = 1; i < readings().size(); ++i)
        forms += (i + 1 < readings().size() ? ", " : " or ") + std::string(readings()[i]->id);
    return forms;
}

} // namespace attn
