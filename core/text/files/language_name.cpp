// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/files/language_name.h"

#include <unicode/locid.h>

namespace attn {

std::string languageName(std::string_view code)
{
    const icu::Locale locale(std::string(code.substr(0, code.find('_'))).c_str());
    icu::UnicodeString name;
    locale.getDisplayLanguage(icu::Locale::getEnglish(), name);
    std::string text;
    name.toUTF8String(text);
    return text.empty() || text == locale.getLanguage() ? std::string(code) : text;
}

} // namespace attn
