// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "help/glosses.h"

#include <QLocale>

#include <algorithm>
#include <iterator>

namespace attn::ui {

namespace {

struct Gloss
{
    const char* french;
    const char* english;
};

constexpr Gloss glosses[] = {{"je", "I"},
                             {"tu", "you"},
                             {"il", "he"},
                             {"elle", "she"},
                             {"nous", "us"},
                             {"vous", "you"},
                             {"ils", "they"},
                             {"elles", "they"},
                             {"qu'elle", "that she"},
                             {"qu'il", "that he"},
                             {"ne", "not"},
                             {"n'est", "is not"},
                             {"pas", "not"},
                             {"pense", "think"},
                             {"crois", "believe"},
                             {"que", "that"},
                             {"reviendra", "will come back"},
                             {"revienne", "comes back"},
                             {"rentrera", "will come home"},
                             {"rentre", "comes home"},
                             {"retournera", "will return"},
                             {"revenir", "to come back"},
                             {"chez", "at the home of"},
                             {"maison", "house"},
                             {"ce", "this"},
                             {"cette", "this"},
                             {"soir", "evening"},
                             {"nuit", "night"},
                             {"demain", "tomorrow"},
                             {"veut", "wants"},
                             {"venir", "to come"},
                             {"viendra", "will come"},
                             {"à", "to"},
                             {"la", "the"},
                             {"le", "the"},
                             {"les", "the"},
                             {"un", "a"},
                             {"une", "a"},
                             {"et", "and"},
                             {"dans", "in"}};

} // namespace

QString glossOf(const QString& word)
{
    if (QLocale().language() == QLocale::French)
        return {};
    const QString plain = word.toLower();
    const auto* const found = std::ranges::find_if(
        glosses, [&plain](const Gloss& gloss) { return plain == QString::fromUtf8(gloss.french); });
    return found == std::end(glosses) ? QString() : QString::fromUtf8(found->english);
}

} // namespace attn::ui
