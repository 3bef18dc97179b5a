// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/saved_state.h"

#include "base/index.h"
#include "figures/look/rows.h"
#include "figures/look/theme.h"
#include "readings/head_reading.h"
#include "session/session.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

constexpr int dockVersion = 1; // another one for other docks, whose places are the usual ones then

// One of several, by its id. 0.2.0 stored its place in the list.
template<class Row, class Value>
void keepChoice(KeptValues& values, const char* key, std::span<const Row> rows, Appearance& owner,
                Value (Appearance::*get)() const, void (Appearance::*set)(Value))
{
    values.add(
        key, [&owner, rows, get] { return QVariant(QLatin1String(rows[static_cast<int>((owner.*get)())].id)); },
        [&](const QVariant& stored) {
            bool numbered = false;
            const int place = stored.toInt(&numbered);
            const bool isPlace = numbered && place >= 0 && place < indexSize(rows);
            (owner.*set)(static_cast<Value>(isPlace ? place : rowNamed(rows, stored.toString().toStdString(), key)));
        });
}

QString keptName(const OptionRow<FigureChoices>& row)
{
    const QLatin1String key(row.key);
    return QStringLiteral("show/") + (key == QLatin1String("colormap") ? QLatin1String("colors") : key);
}

// 0.2.0 stored the places of one of several.
std::string keptText(const OptionRow<FigureChoices>& row, const QVariant& stored)
{
    const auto* const member = std::get_if<ChoiceMember<FigureChoices>>(&row.member);
    bool numbered = false;
    const int place = stored.toInt(&numbered);
    const bool isPlace = member != nullptr && numbered && place >= 0 && place < indexSize(member->choices);
    const int newer = row.key == std::string_view("colormap") ? 1 : 0; // that now stand before those of then
    return isPlace && place + newer < indexSize(member->choices)
        ? std::string(member->choices[static_cast<std::size_t>(place) + static_cast<std::size_t>(newer)].name)
        : stored.toString().toStdString();
}

void keepLanguage(KeptValues& values, Appearance& appearance)
{
    keepChoice(values, "window/language", std::span<const LanguageRow>(languageModeRows), appearance,
               &Appearance::languageMode, &Appearance::setLanguageMode);
}

} // namespace

LanguageMode keptLanguage()
{
    KeptValues values;
    Appearance appearance;
    keepLanguage(values, appearance);
    return appearance.languageMode();
}

SavedState::SavedState(const Parts& parts, const QString& model, const QString& text)
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
    m_values.keep("export/delay", habits.options.delay, {0, 60'000});
    for (const OptionRow<FigureChoices>& row : figureRows()) {
        if ((row.scope & OfExports) == 0)
            continue;
        m_values.add(
            QByteArray("export/").append(row.key).constData(),
            [&row, &habits] {
                const auto chosen = optionText(row, habits.look);
                return chosen ? QVariant(QString::fromStdString(*chosen)) : QVariant();
            },
            [&row, &habits](const QVariant& stored) { setOption(row, habits.look, stored.toString().toStdString()); });
    }
}

void SavedState::keepStudy(const Parts& parts, const QString& model, const QString& text)
{
    Study& study = parts.study;
    Question asked = usualQuestion();
    for (const auto& [key, member] : {std::pair("model", &Question::model), {"text", &Question::text}}) // of 0.2.0
        m_values.add(
            key, [] { return QVariant(); },
            [&asked, field = member](const QVariant& stored) { asked.*field = stored.toString().toStdString(); });
    m_values.add(
        "question",
        [&study] {
            Question now = study.edited();
            if (now.model.empty() || isSessionPath(now.model)) // none could be opened
                now.model = usualQuestion().model;
            now.prefixText.reset(); // these belong to a run
            now.prefixIds.reset();
            now.sourceIds.reset();
            now.sourceSegments.clear();
            now.edits.clear(); // which are kept in sessions: nobody shall wonder at an edited run the next day
            return QString::fromStdString(questionText(now));
        },
        [&asked](const QVariant& stored) {
            std::vector<std::string> refused; // keeps its default
            asked = parseQuestion(stored.toString().toStdString(), "question", &refused);
            asked.edits.clear();
        });
    if (!model.isEmpty())
        asked.model = model.toStdString();
    if (!text.isEmpty())
        asked.text = text.toStdString();
    study.edit([&asked](Question& question) { question = asked; });
    const auto storeRecent = m_values.keep("recent", study, &Study::recent, &Study::setRecent);
    QObject::connect(&study, &Study::recentChanged, &study, storeRecent);
}

void SavedState::keepSite(Study& study, Selection& selection)
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

void SavedState::keepLook(Appearance& appearance)
{
    keepLanguage(m_values, appearance);
    keepChoice(m_values, "window/theme", std::span<const ThemeRow>(themeModeRows), appearance, &Appearance::themeMode,
               &Appearance::setThemeMode);
    appearance.choose([](FigureChoices& usual) { // of the window: what people read
        usual.words = true;
        usual.specials = SpecialTokens::Hidden;
        usual.numbers = CellNumbers::Large;
    });
    for (const OptionRow<FigureChoices>& row : figureRows()) {
        if ((row.scope & Kept) == 0)
            continue;
        m_values.add(
            keptName(row).toLatin1().constData(),
            [&row, &appearance] {
                const auto text = optionText(row, appearance.choices());
                return text ? QVariant(QString::fromStdString(*text)) : QVariant();
            },
            [&row, &appearance](const QVariant& stored) {
                appearance.choose([&](FigureChoices& choices) { setOption(row, choices, keptText(row, stored)); });
            });
    }
}

void SavedState::keepLayout(QMainWindow& window, InputPanel& input, PanelDocks& docks, ViewTabs& views)
{
    m_values.keep("history", input, &InputPanel::history, &InputPanel::setHistory);
    m_values.keep("decoding/target", docks.decoding(), &DecodingPanel::targetText, &DecodingPanel::setTargetText);
    m_values.keep("show/allCandidates", docks.candidates(), &CandidatesPanel::showsAll, &CandidatesPanel::setShowsAll);
    m_values.keep("window/closedDocks", docks, &PanelDocks::closed, &PanelDocks::setClosed);
    m_values.keep(
        "window/geometry", [&window] { return window.saveGeometry(); },
        [&window](const QByteArray& geometry) { window.restoreGeometry(geometry); });
    m_values.keep("window/folded", docks, &PanelDocks::folded, &PanelDocks::setFolded);
    m_values.keep(
        "window/docks", [&window] { return window.saveState(dockVersion); },
        [&window](const QByteArray& state) { window.restoreState(state, dockVersion); });
    m_values.keep("window/view", views, &ViewTabs::currentId, &ViewTabs::showView);
    docks.fit();
    if (!m_hasSite)
        docks.site().showBestFirst();
}

namespace {

constexpr auto ownFile = QFile::ReadOwner | QFile::WriteOwner;
constexpr auto ownFolder = ownFile | QFile::ExeOwner;

} // namespace

bool makeOwnFolder(const QString& place, const QString& folder)
{
    if (!QDir().mkpath(place))
        return false;
    QString path = place;
    for (const QString& name : folder.split(QLatin1Char('/'), Qt::SkipEmptyParts)) {
        path += QLatin1Char('/') + name;
        // Another window may make it at the same time; earlier versions let others read it.
        if (!QDir().mkdir(path, ownFolder) && !QFileInfo(path).isDir())
            return false;
        QFile::setPermissions(path, ownFolder);
    }
    return true;
}

void prepareSettings()
{
    const QString place = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
    const QString organization = QCoreApplication::organizationName();
    const QString file = QStringLiteral("%1/%2/%3.conf").arg(place, organization, QCoreApplication::applicationName());
    if (!makeOwnFolder(place, organization))
        return; // they are not kept, which is said where they are written
    QFile settings(file);
    if (settings.exists())
        settings.setPermissions(ownFile);
    else
        settings.open(QIODevice::WriteOnly | QIODevice::NewOnly, ownFile);
}

} // namespace attn::ui
