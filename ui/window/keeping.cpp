// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/keeping.h"

#include "figures/kinds/shown_matrix.h"
#include "figures/look/color_map.h"
#include "figures/look/theme.h"
#include "session/session.h"
#include "trace/site_text.h"

#include <iterator>
#include <string>
#include <vector>

namespace attn::ui {

namespace {

constexpr int dockVersion = 1; // another one for other docks, whose places are the usual ones then

} // namespace

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
            if (now.model.empty() || isSessionPath(now.model)) // none could be opened
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
            return QVariant(QString::fromStdString(siteText({selection.site(), selection.head()})));
        },
        [this, &selection](const QVariant& stored) {
            const SiteChoice choice = parseSite(stored.toString().toStdString(), "show/site");
            selection.setSiteAndHead(choice.site, choice.head);
            m_hasSite = true;
        });
}

void Keeping::keepLook(Appearance& appearance)
{
    m_values.keep("window/theme", appearance, &Appearance::themeMode, &Appearance::setThemeMode,
                  {0, double(std::size(themeRows))});
    m_values.keep("show/words", appearance, &Appearance::words, &Appearance::setWords);
    m_values.keep("show/specials", appearance, &Appearance::specials, &Appearance::setSpecials,
                  {0, double(std::size(specialsTitles)) - 1});
    m_values.keep("show/pair", appearance, &Appearance::pair, &Appearance::setPair, {0, double(pairRows().size()) - 1});
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
        "window/docks", [&window] { return window.saveState(dockVersion); },
        [&window](const QByteArray& state) { window.restoreState(state, dockVersion); });
    m_values.keep("window/view", views, &ViewTabs::currentId, &ViewTabs::showView);
    docks.fit();
    if (!m_hasSite)
        docks.site().showBestFirst();
}

} // namespace attn::ui
