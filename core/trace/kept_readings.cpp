// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/kept_readings.h"

#include <algorithm>
#include <cmath>

namespace attn {

bool Completeness::settled() const
{
    constexpr double share = 0.02;
    return std::abs(sum - difference) <= share * std::max(1.0, std::abs(difference));
}

const ReadArray* KeptReadings::find(const std::string& name, const ReadingAbout& about) const
{
    const auto found = arrays.find({name, about});
    return found == arrays.end() ? nullptr : found->second.get();
}

void KeptReadings::add(const KeptReadings& more)
{
    const auto isAboutAnother = [&more](const auto& kept) {
        return kept.second.of && std::ranges::any_of(more.arrays, [&kept](const auto& entry) {
                   return entry.first.first == kept.first && entry.first.second != kept.second;
               });
    };
    std::erase_if(arrays, [&](const auto& entry) {
        const auto& [name, about] = entry.first;
        const bool isReplaced = !isOfTokens(name) && isAboutAnother(entry.first);
        if (isReplaced)
            computed.erase({entry.second->method, about});
        return isReplaced;
    });
    for (const auto& [place, array] : more.arrays) // computed with other options, maybe
        arrays.insert_or_assign(place, array);
    computed.insert(more.computed.begin(), more.computed.end());
    for (const auto& [method, about] : more.computed)
        lacks.erase(method);
    lacks.insert(more.lacks.begin(), more.lacks.end());
}

bool isOfTokens(std::string_view array)
{
    return array.starts_with("source_") || array.starts_with("target_");
}

} // namespace attn
