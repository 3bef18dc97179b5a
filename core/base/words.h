// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

// Marks English source text for translation, as QT_TRANSLATE_NOOP does: the core has no Qt, the window translates it.
#define ATTN_TRANSLATE_NOOP(context, text) text

namespace attn {

// A text for people by its English source, as QCoreApplication::translate gives it. The window hands one over; what
// the commands print stays English.
using Translate = std::string (*)(const char* context, const char* english);
inline std::string inEnglish(const char*, const char* english)
{
    return english;
}

// "%1 with %2" with these values in the places.
inline std::string filled(std::string_view text, std::initializer_list<std::string_view> values)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto place = static_cast<std::size_t>(text[i] == '%' && i + 1 < text.size() ? text[i + 1] - '1' : -1);
        if (place < values.size())
            ++i;
        result += place < values.size() ? values.begin()[place] : text.substr(i, 1);
    }
    return result;
}

} // namespace attn
