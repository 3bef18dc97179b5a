// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/keeping.h"

#include "figures/look/color_map.h"

#include <string>
#include <vector>

namespace attn::ui {

Keeping::Keeping(const Parts& parts, const QString& model, const QString& text)
{
    keepStudy(parts, model, text);
    keepSite(parts.study, parts.selection);
    keepLook(parts.appearance);
    m_values.keep("open/folder", parts.opening.folder());
    ExportHabits& habits = parts.exporter.habits();
    m_values.keep("export/width", habits.options.widthMm, {leastWidthMm, mostWidthMm});
    m_values.keep("export/dpi", habits.options.dpi, {leastDpi, mostDpi});
    m_values.keep("export/form", habits.suffix);
    m_values.keep("export/folder", habits.folder);
}

void Keeping::keepStudy(const Parts& parts, const QString& model, const QString& text)
{
    Study& study = parts.study;
    Question asked = usualQuestion();
    m_values.add(
        "question",
        [&study] {
            Question now = study.edited();
            if (now.model.empty()) // none could be opened
                now.model = usualQuestion().model;
            return QString::fromStdString(questionText(now));
        },
        [&asked](const QVariant& stored) {
            std::vector<std::string> refused; // keeps its default
            asked = parseQuestion(stored.toString().toStdString(), "question", &refused);
        });
    if (!model.isEmpty())
        asked.model = model.toStdString();
    if (!text.isEmpty())
        asked.text = text.toStdString();
    study.edit([&asked](Question& question) { question = asked; });
    const auto storeRecent = m_values.keep("recent", study, &Study::recent, &Study::setRecent);
    QObject::connect(&study, &Study::recentChanged, &study, storeRecent);
}

void Keeping::keepSite(Study& study, Selection& selection)
{
    m_values.add(
        "show/site",
        [&study, &selection] {
            if (!study.model() && study.trace().sites().empty())
                return QVariant(); // stays as it was
            const HeadChoice head = selection.head();
            const int* one = std::get_if<int>(&head);
            const int stored = one != nullptr ? *one : -1 - static_cast<int>(std::get<HeadSummary>(head));
            const Site site = selection.site();
            return QVariant(QVariantList{static_cast<int>(site.stage), site.layer, stored});
        },
        [this, &selection](const QVariant& stored) {
            const QVariantList numbers = stored.toList();
            const int stage = numbers.value(0).toInt();
            const int head = numbers.value(2).toInt();
            if (numbers.size() != 3 || stage < 0 || stage > static_cast<int>(Stage::Cross) || head < -2)
                return;
            selection.setSiteAndHead({static_cast<Stage>(stage), numbers.value(1).toInt()},
                                     head < 0 ? HeadChoice(static_cast<HeadSummary>(-1 - head)) : HeadChoice(head));
            m_hasSite = true;
        });
}

void Keeping::keepLook(Appearance& appearance)
{
    m_values.keep("window/theme", appearance, &Appearance::themeMode, &Appearance::setThemeMode, {0, 2});
    m_values.keep("show/words", appearance, &Appearance::words, &Appearance::setWords);
    m_values.keep("show/specials", appearance, &Appearance::specials, &Appearance::setSpecials, {0, 2});
    m_values.keep("show/pair", appearance, &Appearance::pair, &Appearance::setPair, {0, 4});
    m_values.keep(
        "show/colors", [&appearance] { return colorMapToName(appearance.colorMap()); },
        [&appearance](const QString& name) { appearance.setColorMap(colorMapFromName(name)); });
}

void Keeping::keepLayout(QMainWindow& window, InputPanel& input, PanelDocks& docks, ViewTabs& views)
{
    m_values.keep("history", input, &InputPanel::history, &InputPanel::setHistory);
    m_values.keep("decoding/target", docks.decoding(), &DecodingPanel::targetText, &DecodingPanel::setTargetText);
    m_values.keep("show/allCandidates", docks.candidates(), &CandidatesPanel::showsAll, &CandidatesPanel::setShowsAll);
    m_values.keep("window/closedDocks", docks, &PanelDocks::closed, &PanelDocks::setClosed);
    m_values.keep(
        "window/geometry", [&window] { return window.saveGeometry(); },
        [&window](const QByteArray& geometry) { window.restoreGeometry(geometry); });
    m_values.keep(
        "window/docks", [&window] { return window.saveState(); },
        [&window](const QByteArray& state) { window.restoreState(state); });
    m_values.keep("window/view", views, &ViewTabs::currentId, &ViewTabs::showView);
    docks.fit();
    if (!m_hasSite)
        docks.site().showBestFirst();
}

} // namespace attn::ui
