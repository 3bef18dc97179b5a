// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/reading_names.h"

#include "figures/look/translated.h"
#include "readings/reading.h"
#include "trace/site_text.h"

#include <QObject>

#include <algorithm>
#include <string_view>

namespace attn::ui {

namespace {

constexpr const char* summedHeads = "_summed"; // behind the name of an array

// The name of an array without its side, and whether it is of tokens.
struct ArrayName
{
    std::string_view rest;
    bool ofTokens = false;
};
ArrayName parsedArray(std::string_view array)
{
    ArrayName name{array, array.starts_with("source_")};
    for (const char* const side :
         {"source", stageText(Stage::Encoder), stageText(Stage::Decoder), stageText(Stage::Cross)}) {
        if (const std::string prefix = std::string(side) + '_'; name.rest.starts_with(prefix))
            name.rest.remove_prefix(prefix.size());
    }
    return name;
}

// Whether a reading's numbers are in such an array, or are made by a method of that name.
bool isReadingOf(const Reading& reading, std::string_view name, bool ofTokens)
{
    const bool isInArray = reading.computed && (reading.of == ReadingOf::Tokens) == ofTokens
        && (reading.computed->array == name
            || (reading.computed->ofHeads != nullptr && reading.computed->ofHeads == name));
    return isInArray || (!ofTokens && reading.id == name);
}

} // namespace

const Reading* readingOfArray(const std::string& array)
{
    const ArrayName name = parsedArray(array);
    const auto found = std::ranges::find_if(
        readings(), [&](const Reading* reading) { return isReadingOf(*reading, name.rest, name.ofTokens); });
    return found == readings().end() ? nullptr : *found;
}

QString readingName(const std::string& array)
{
    if (array == "raw:LAST")
        return QObject::tr("Attention, last layer");
    if (array == "raw:BEST")
        return QObject::tr("Attention, layer shown first");
    const Reading* const reading = readingOfArray(array);
    if (reading == nullptr)
        return QString::fromStdString(array);
    const QString title = translated(reading->name);
    return array.ends_with(summedHeads) ? QObject::tr("%1, heads summed").arg(title) : title;
}

} // namespace attn::ui
