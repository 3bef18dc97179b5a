// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/version.h"
#include "figures/look/language.h"
#include "panels/dialogs.h"

namespace attn::ui {

namespace {

struct Credit
{
    const char* name;
    const char* what; // translated
    const char* licence;
};

constexpr Credit dataSources[] = {
    {"Tatoeba (tatoeba.org)", QT_TRANSLATE_NOOP("attn::ui", "sentence pairs, as published by manythings.org"),
     "CC BY 2.0 FR"},
    {"Europarl", QT_TRANSLATE_NOOP("attn::ui", "sentence pairs from the proceedings of the European Parliament"),
     "source: European Parliament"},
    {"TinyStories", QT_TRANSLATE_NOOP("attn::ui", "short stories (Eldan and Li 2023)"), "CDLA-Sharing 1.0"},
    {"Jane Austen", QT_TRANSLATE_NOOP("attn::ui", "six novels, from the package janeaustenr"), "public domain"},
    {"WordNet 3.0", QT_TRANSLATE_NOOP("attn::ui", "senses and examples, © 2006 Princeton University"),
     "WordNet 3.0 licence"},
    {"Fluent Emoji", QT_TRANSLATE_NOOP("attn::ui", "pictograms of the drawn scenes, by Microsoft"), "MIT"},
    {"Noto Emoji", QT_TRANSLATE_NOOP("attn::ui", "pictograms of the drawn scenes, by Google"), "Apache-2.0"},
    {"EmojiOne 2", QT_TRANSLATE_NOOP("attn::ui", "pictograms of the drawn scenes, kept by EmojiTwo"), "CC BY 4.0"},
    {"FxEmoji", QT_TRANSLATE_NOOP("attn::ui", "pictograms of the drawn scenes, by Mozilla"), "Apache-2.0"},
    {"Free Spoken Digit Dataset",
     QT_TRANSLATE_NOOP("attn::ui", "recordings of spoken digits, by Zohar Jackson and others"), "CC BY-SA 4.0"}};

constexpr Credit libraries[] = {{"Qt", QT_TRANSLATE_NOOP("attn::ui", "the window"), "LGPL-3.0 or GPL-3.0"},
                                {"Qt Charts", QT_TRANSLATE_NOOP("attn::ui", "charts"), "GPL-3.0"},
                                {"oneDNN", QT_TRANSLATE_NOOP("attn::ui", "neural networks on the CPU"), "Apache-2.0"},
                                {"oneTBB", QT_TRANSLATE_NOOP("attn::ui", "memory of large arrays"), "Apache-2.0"},
                                {"ICU", QT_TRANSLATE_NOOP("attn::ui", "Unicode"), "Unicode-3.0"},
                                {"Eigen", QT_TRANSLATE_NOOP("attn::ui", "analysis"), "MPL-2.0"},
                                {"libsndfile", QT_TRANSLATE_NOOP("attn::ui", "files of sound"), "LGPL-2.1"},
                                {"soxr", QT_TRANSLATE_NOOP("attn::ui", "rates of sound"), "LGPL-2.1"},
                                {"zlib", QT_TRANSLATE_NOOP("attn::ui", "archives"), "Zlib"},
                                {"JSON for Modern C++", QT_TRANSLATE_NOOP("attn::ui", "JSON"), "MIT"},
                                {"{fmt}", QT_TRANSLATE_NOOP("attn::ui", "messages"), "MIT"},
                                {"CLI11", QT_TRANSLATE_NOOP("attn::ui", "the command line"), "BSD-3-Clause"}};

template<std::size_t size>
QString tableOf(const Credit (&credits)[size])
{
    QString rows;
    for (const auto& [name, what, licence] : credits)
        rows += QStringLiteral("<tr><td>%1</td><td style=\"padding-left: 14px\">%2</td>"
                               "<td style=\"padding-left: 14px\">%3</td></tr>")
                    .arg(QString::fromUtf8(name), translated(what), QString::fromUtf8(licence));
    return QStringLiteral("<table cellspacing=\"0\" cellpadding=\"1\" style=\"white-space: nowrap\">") + rows
        + QStringLiteral("</table>");
}

} // namespace

QString aboutText()
{
    return QStringLiteral("<h3>AttnScope %1</h3>").arg(QLatin1String(programVersion)) + QStringLiteral("<p>")
        + translated("See how a neural network aligns what it reads with what it writes.") + QStringLiteral("</p><p>")
        + translated("Free software under the GNU General Public License, version 3 or later.")
        + QStringLiteral("</p><p><b>") + translated("The bundled models learned from") + QStringLiteral("</b></p>")
        + tableOf(dataSources) + QStringLiteral("<p><b>") + translated("Libraries") + QStringLiteral("</b></p>")
        + tableOf(libraries);
}

} // namespace attn::ui
