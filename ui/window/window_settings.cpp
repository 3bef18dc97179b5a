// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/window_settings.h"

#include "base/error.h"
#include "figures/look/color_map.h"

#include <QDir>
#include <QSettings>

#include <algorithm>
#include <string>
#include <vector>

namespace attn::ui {

namespace {

constexpr int meanHead = -1;
constexpr int maxHead = -2;

int bounded(const QSettings& settings, const char* key, int fallback, int least, int most)
{
    bool valid = false;
    const int value = settings.value(QLatin1String(key), fallback).toInt(&valid);
    return valid && value >= least && value <= most ? value : fallback;
}

double bounded(const QSettings& settings, const char* key, double fallback, double least, double most)
{
    bool valid = false;
    const double value = settings.value(QLatin1String(key), fallback).toDouble(&valid);
    return valid && value >= least && value <= most ? value : fallback;
}

ColorMapName storedColorMap(const QSettings& settings)
{
    const auto rows = colorMaps();
    const auto found = std::ranges::find(rows, settings.value(QStringLiteral("show/colors")).toString(),
                                         [](const ColorMapRow& row) { return QString::fromLatin1(row.id); });
    return found == rows.end() ? ColorMapName{} : static_cast<ColorMapName>(found - rows.begin());
}

Question loadQuestion(const QSettings& settings)
{
    Question question;
    question.model = "rnnsearch-en-fr";
    question.text = "I don't think that she will come back home tonight.";
    question.decoding.generate = 20;
    try {
        if (const QString stored = settings.value(QStringLiteral("question")).toString(); !stored.isEmpty()) {
            std::vector<std::string> refused; // keeps its default
            question = parseQuestion(stored.toStdString(), "question", &refused);
        }
    } catch (const Error&) { // no text form of a question
    }
    return question;
}

} // namespace

WindowSettings WindowSettings::load()
{
    const QSettings stored;
    WindowSettings settings;
    settings.geometry = stored.value(QStringLiteral("window/geometry")).toByteArray();
    settings.docks = stored.value(QStringLiteral("window/docks")).toByteArray();
    settings.closedDocks = stored.value(QStringLiteral("window/closedDocks")).toStringList();
    settings.question = loadQuestion(stored);
    settings.history = stored.value(QStringLiteral("history")).toStringList();
    settings.recent = stored.value(QStringLiteral("recent")).toStringList();
    settings.forces = stored.value(QStringLiteral("decoding/forces")).toBool();
    settings.forcedTarget = stored.value(QStringLiteral("decoding/target")).toString();
    if (const int stage = bounded(stored, "show/stage", -1, 0, 2); stage >= 0)
        settings.site = Site{static_cast<Stage>(stage), bounded(stored, "show/layer", 0, 0, 1000)};
    const int head = bounded(stored, "show/head", meanHead, maxHead, 10000);
    settings.head = head >= 0 ? HeadChoice(head) : HeadChoice(head == meanHead ? HeadSummary::Mean : HeadSummary::Max);
    settings.words = stored.value(QStringLiteral("show/words")).toBool();
    settings.specials = static_cast<SpecialTokens>(bounded(stored, "show/specials", 0, 0, 2));
    settings.pair = static_cast<PairFilter>(bounded(stored, "show/pair", 0, 0, 4));
    settings.colorMap = storedColorMap(stored);
    settings.theme = static_cast<ThemeMode>(bounded(stored, "window/theme", 0, 0, 2));
    settings.allCandidates = stored.value(QStringLiteral("show/allCandidates")).toBool();
    settings.view = stored.value(QStringLiteral("window/view")).toString();
    settings.exporting.widthMm = bounded(stored, "export/width", settings.exporting.widthMm, leastWidthMm, mostWidthMm);
    settings.exporting.dpi = bounded(stored, "export/dpi", settings.exporting.dpi, leastDpi, mostDpi);
    settings.exportSuffix = stored.value(QStringLiteral("export/form"), settings.exportSuffix).toString();
    settings.exportFolder = stored.value(QStringLiteral("export/folder"), QDir::homePath()).toString();
    settings.openFolder = stored.value(QStringLiteral("open/folder"), QDir::homePath()).toString();
    return settings;
}

void WindowSettings::save() const
{
    QSettings stored;
    stored.setValue(QStringLiteral("window/geometry"), geometry);
    stored.setValue(QStringLiteral("window/docks"), docks);
    stored.setValue(QStringLiteral("window/closedDocks"), closedDocks);
    stored.setValue(QStringLiteral("question"), QString::fromStdString(questionText(question)));
    stored.setValue(QStringLiteral("history"), history);
    stored.setValue(QStringLiteral("recent"), recent);
    stored.setValue(QStringLiteral("decoding/forces"), forces);
    stored.setValue(QStringLiteral("decoding/target"), forcedTarget);
    if (site) {
        stored.setValue(QStringLiteral("show/stage"), static_cast<int>(site->stage));
        stored.setValue(QStringLiteral("show/layer"), site->layer);
    }
    const int* one = std::get_if<int>(&head);
    const int summary = one == nullptr && std::get<HeadSummary>(head) == HeadSummary::Max ? maxHead : meanHead;
    stored.setValue(QStringLiteral("show/head"), one != nullptr ? *one : summary);
    stored.setValue(QStringLiteral("show/words"), words);
    stored.setValue(QStringLiteral("show/specials"), static_cast<int>(specials));
    stored.setValue(QStringLiteral("show/pair"), static_cast<int>(pair));
    stored.setValue(QStringLiteral("show/colors"), colorMapToName(colorMap));
    stored.setValue(QStringLiteral("window/theme"), static_cast<int>(theme));
    stored.setValue(QStringLiteral("show/allCandidates"), allCandidates);
    stored.setValue(QStringLiteral("window/view"), view);
    stored.setValue(QStringLiteral("export/width"), exporting.widthMm);
    stored.setValue(QStringLiteral("export/dpi"), exporting.dpi);
    stored.setValue(QStringLiteral("export/form"), exportSuffix);
    stored.setValue(QStringLiteral("export/folder"), exportFolder);
    stored.setValue(QStringLiteral("open/folder"), openFolder);
}

} // namespace attn::ui
