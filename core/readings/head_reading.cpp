// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "readings/head_reading.h"

#include "base/error.h"
#include "base/parsed_number.h"
#include "trace/site_text.h"

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

} // namespace

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
    ReadingInput input{trace, site, {}, leaf};
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
    return head.head() ? std::to_string(*head.head()) : head.reading().id;
}

std::string siteText(const SiteChoice& choice)
{
    return siteText(choice.site) + ':' + headText(choice.head);
}

SiteChoice parseSite(std::string_view text, const std::string& where, std::optional<Stage> usual)
{
    std::vector<std::string> parts;
    std::istringstream stream{std::string(text)};
    for (std::string part; std::getline(stream, part, ':');)
        parts.push_back(part);
    const Reading* const reading = parts.empty() || !usual ? nullptr : readingNamed(parts[0]);
    if (parts.empty() || parts.size() > (reading != nullptr ? 2 : 3))
        throw Error(ErrorKind::Input, where,
                    fmt::format("'{}' is no site; write cross:LAYER:HEAD, encoder: or decoder:", text));
    const int layer = parts.size() > 1 ? wholeNumber(parts[1], where + " layer") : 0;
    if (reading != nullptr)
        return {{*usual, layer}, *reading};
    return {{parseStage(parts[0], where), layer},
            parts.size() > 2 ? parseHead(parts[2], fmt::format("{} head ({})", where, headForms())) : HeadReading()};
}

HeadReading parseHead(std::string_view text, const std::string& where)
{
    if (const Reading* const reading = readingNamed(text))
        return *reading;
    return wholeNumber(text, where);
}

std::string headForms()
{
    std::string forms = "a number";
    for (std::size_t i = 1; i < readings().size(); ++i)
        forms += (i + 1 < readings().size() ? ", " : " or ") + std::string(readings()[i]->id);
    return forms;
}

} // namespace attn
