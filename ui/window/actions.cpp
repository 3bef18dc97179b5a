// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/actions.h"

#include "analysis/words.h"
#include "base/encoding.h"
#include "base/error.h"
#include "base/index.h"
#include "figures/export/copied_text.h"
#include "figures/kinds/shown_difference.h"
#include "figures/look/color_map.h"
#include "figures/look/language.h"
#include "help/lessons.h"
#include "loading/model_places.h"
#include "panels/controls.h"
#include "run/latest_request.h"
#include "state/run_words.h"
#include "state/strings.h"
#include "trace/archive.h"
#include "views/scale_control.h"
#include "window/example_menu.h"
#include "window/exporter.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QMenu>
#include <QThreadPool>

#include <memory>
#include <optional>
#include <utility>

namespace attn::ui {

namespace {

using Parts = const ActionParts&;

Exportable inFront(Parts parts)
{
    FigureSpec spec = parts.views.current().spec();
    const FigureOrigin origin = figureOrigin(parts.study, spec);
    const FigureOrigin run = runOrigin(parts.study);
    spec.against = againstAsIn(origin, parts.study, spec.against);
    Exportable figure = exportable(spec, parts.study.trace());
    figure.provenance = [origin, run](const Exportable& written, const QString& file, const ExportOptions& options) {
        return figureProvenance(written.source->spec, written.source->trace,
                                archiveForm(file.toStdString()) ? run : origin, file, options);
    };
    return figure;
}

// True where text was typed since the run on show; with nothing typed, undoing goes back to the run before.
bool undoesText(Parts parts)
{
    const bool typed = !parts.study.shown() || parts.study.age() == Age::OlderThanText;
    return typed && parts.input.canUndo();
}

// The span of the chosen word in the sound; empty: there is none.
TimeSpan chosenSpan(Parts parts)
{
    const auto step = parts.selection.step();
    const Encoding tokens = parts.study.trace().target(parts.selection.leaf());
    for (const AxisGroup& word : step && !tokens.times.empty() ? wordAxis(tokens) : std::vector<AxisGroup>()) {
        if (*step >= word.first && *step < word.first + word.count && !isSpecial(tokens, word.first))
            return {tokens.times.at(static_cast<std::size_t>(word.first)).begin,
                    tokens.times.at(static_cast<std::size_t>(word.first + word.count - 1)).end};
    }
    return {};
}

bool canHear(Parts parts)
{
    if (!parts.player.ready() || !parts.study.trace().media())
        return false;
    const TimeSpan span = chosenSpan(parts);
    return span.begin < span.end;
}

void hear(Parts parts)
{
    if (parts.player.wanted().isEmpty())
        parts.player.play(*parts.study.trace().media(), chosenSpan(parts));
    else
        parts.player.stop();
}

// The run that the one on show came from.
std::optional<int> runBefore(Parts parts)
{
    const Run* const shown = parts.study.runs().find(parts.study.shown());
    return shown == nullptr ? std::nullopt : shown->parent;
}

bool hasRuns(Parts parts)
{
    return !parts.study.runs().runs().empty();
}

struct IconRow
{
    const char* action;
    const char* icon; // in resources/icons
};

constexpr IconRow icons[] = {{"openAction", "open"},
                             {"saveAction", "save"},
                             {"exportAction", "export"},
                             {"copyImageAction", "copy"},
                             {"runAction", "run"},
                             {"continueAction", "last"},
                             {"nextTokenAction", "forward"},
                             {"maskAction", "mask"},
                             {"anotherWordAction", "branch"},
                             {"drawAgainAction", "dice"},
                             {"cancelAction", "cancel"},
                             {"editAction", "edit"},
                             {"undoAction", "undo"},
                             {"redoAction", "redo"},
                             {"firstStepAction", "first"},
                             {"backStepAction", "back"},
                             {"playAction", "play"},
                             {"forwardStepAction", "forward"},
                             {"lastStepAction", "last"},
                             {"differenceAction", "difference"},
                             {"zoomInAction", "zoom-in"},
                             {"zoomOutAction", "zoom-out"},
                             {"showEverythingAction", "zoom-all"},
                             {"helpAction", "help"},
                             {"paletteAction", "search"}};

} // namespace

Actions::Actions(const ActionParts& parts)
    : QObject(&parts.window)
    , m_parts(parts)
{
    connect(&parts.study, &Study::modelChanged, this, &Actions::refresh);
    connect(&parts.study, &Study::traceChanged, this, &Actions::refresh);
    connect(&parts.study, &Study::questionChanged, this, &Actions::refresh);
    connect(&parts.study, &Study::runsChanged, this, &Actions::refresh);
    connect(&parts.study, &Study::shownRunChanged, this, &Actions::refresh);
    connect(&parts.selection, &Selection::changed, this, [this](Selection::Fields fields) {
        if (fields & Selection::StepField)
            refresh();
    });
    connect(&parts.controller, &RunController::busyChanged, this, &Actions::refresh);
    connect(&parts.player, &SoundPlayer::changed, this, &Actions::refresh);
    connect(&parts.exporter, &Exporter::busyChanged, this, &Actions::refresh);
    connect(&parts.input, &InputPanel::textEdited, this, &Actions::refresh);
    connect(&parts.edits.history(), &QUndoStack::indexChanged, this, &Actions::refresh);
}

void Actions::refresh()
{
    for (const auto& [action, can] : m_conditions)
        action->setEnabled(can(m_parts));
    const QString& deaf = m_parts.player.problem();
    action("hearAction")
        ->setText(deaf.isEmpty() ? tr("&Hear the chosen word") : tr("&Hear the chosen word (%1)").arg(deaf));
}

void Actions::fillMenus(QMenuBar& bar)
{
    const ActionRow run[] = {
        {"runAction", QT_TR_NOOP("&Run"), QKeySequence(Qt::CTRL | Qt::Key_R), [](Parts parts) { parts.running.run(); }},
        {"continueAction", QT_TR_NOOP("Co&ntinue the text"), QKeySequence(Qt::CTRL | Qt::Key_Return),
         [](Parts parts) { parts.running.continueText(parts.study.edited().decoding.generate); },
         [](Parts parts) { return parts.running.canContinue(); }},
        {"nextTokenAction", QT_TR_NOOP("Next &token"), QKeySequence(Qt::CTRL | Qt::Key_T),
         [](Parts parts) { parts.running.continueText(1); }, [](Parts parts) { return parts.running.canContinue(); }},
        {"maskAction", QT_TR_NOOP("&Mask the chosen word"), QKeySequence(Qt::CTRL | Qt::Key_K),
         [](Parts parts) { parts.running.maskWord(); }, [](Parts parts) { return parts.running.canMask(); }, true},
        {"anotherWordAction", QT_TR_NOOP("Take another &word…"), QKeySequence(Qt::CTRL | Qt::Key_B),
         [](Parts parts) { parts.docks.askForWord(); }, [](Parts parts) { return parts.study.branches(); }, true},
        {"drawAgainAction", QT_TR_NOOP("&Draw again"), QKeySequence(Qt::CTRL | Qt::Key_D),
         [](Parts parts) { parts.running.drawAgain(); }, [](Parts parts) { return parts.running.canDrawAgain(); }},
        {"cancelAction", QT_TR_NOOP("&Cancel"), Qt::Key_Escape,
         [](Parts parts) {
             parts.controller.cancel();
             parts.exporter.cancel();
         },
         [](Parts parts) { return parts.controller.busy() || parts.exporter.busy(); }},
        {},
        {"firstStepAction", QT_TR_NOOP("&First step"), QKeySequence(Qt::ALT | Qt::Key_Home),
         [](Parts parts) { parts.steps.first(); }},
        {"backStepAction", QT_TR_NOOP("One step &back"), QKeySequence(Qt::ALT | Qt::Key_Left),
         [](Parts parts) { parts.steps.back(); }},
        {"playAction", QT_TR_NOOP("&Play"), QKeySequence(Qt::CTRL | Qt::Key_Space),
         [](Parts parts) { parts.steps.togglePlay(); }},
        {"forwardStepAction", QT_TR_NOOP("One step f&orward"), QKeySequence(Qt::ALT | Qt::Key_Right),
         [](Parts parts) { parts.steps.forward(); }},
        {"lastStepAction", QT_TR_NOOP("&Last step"), QKeySequence(Qt::ALT | Qt::Key_End),
         [](Parts parts) { parts.steps.last(); }},
        {"hearAction", QT_TR_NOOP("&Hear the chosen word"), {}, hear, canHear}};
    const ActionRow edit[] = {
        {"undoAction", QT_TR_NOOP("&Undo"), QKeySequence::Undo,
         [](Parts parts) {
             if (undoesText(parts))
                 parts.input.undo();
             else if (parts.study.earlier())
                 parts.study.showEarlier();
             else
                 parts.edits.history().undo();
         },
         [](Parts parts) { return undoesText(parts) || parts.study.earlier() || parts.edits.history().canUndo(); }},
        {"redoAction", QT_TR_NOOP("R&edo"), QKeySequence::Redo,
         [](Parts parts) {
             if (parts.input.canRedo())
                 parts.input.redo();
             else if (parts.study.later())
                 parts.study.showLater();
             else
                 parts.edits.history().redo();
         },
         [](Parts parts) { return parts.input.canRedo() || parts.study.later() || parts.edits.history().canRedo(); }},
        {},
        {"editAction", QT_TR_NOOP("Edit the &sentence"), QKeySequence(Qt::CTRL | Qt::Key_L),
         [](Parts parts) { parts.input.focusText(); }},
        {"placeMenuAction", QT_TR_NOOP("&Ask about or change this place…"), QKeySequence(Qt::SHIFT | Qt::Key_F10),
         [](Parts parts) { parts.views.current().askForMenu(); }},
        {},
        {"copyAction", QT_TR_NOOP("Copy &numbers"), QKeySequence::Copy,
         [](Parts parts) {
             FigureView& view = parts.views.current();
             const FigureHit hit = view.place();
             parts.exporter.copyNumbers(view.spec(), parts.study.trace(), hit, meantBy(view.spec(), hit));
         }},
        {"copyOutputAction",
         QT_TR_NOOP("Copy ou&tput"),
         {},
         [](Parts parts) {
             QGuiApplication::clipboard()->setText(writtenText(parts.study.trace(), parts.selection.leaf()));
         },
         [](Parts parts) { return !writtenText(parts.study.trace(), parts.selection.leaf()).isEmpty(); }},
        {"copyImageAction", QT_TR_NOOP("&Copy image"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C),
         [](Parts parts) { parts.exporter.copy(inFront(parts), parts.views.current().width()); }},
        {},
        {"findAction", QT_TR_NOOP("&Find tokens…"), QKeySequence::Find, [](Parts parts) { parts.find.begin(); },
         nullptr, true},
        {"findNextAction", QT_TR_NOOP("Find ne&xt"), Qt::Key_F3, [](Parts parts) { parts.find.go(1); }, nullptr, true},
        {"findPreviousAction", QT_TR_NOOP("Find pre&vious"), QKeySequence(Qt::SHIFT | Qt::Key_F3),
         [](Parts parts) { parts.find.go(-1); }, nullptr, true}};
    const ActionRow help[] = {
        {"helpAction", QT_TR_NOOP("&Help on this view"), QKeySequence(Qt::Key_F1),
         [](Parts parts) { parts.help.openForView(); }},
        {"firstStepsAction", QT_TR_NOOP("&First steps"), {}, [](Parts parts) { parts.help.open(firstStepsHelp); }},
        {"keysAction", QT_TR_NOOP("&Keys"), {}, [](Parts parts) { parts.help.open(shortcutsHelp); }},
        {"glossaryAction", QT_TR_NOOP("&Glossary"), {}, [](Parts parts) { parts.help.open(glossaryHelp); }},
        {},
        {"welcomeAction", QT_TR_NOOP("&Welcome"), {}, [](Parts parts) { parts.guide.welcome(); }},
        {"paletteAction", QT_TR_NOOP("&Commands…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
         [](Parts parts) { parts.help.openPalette(); }, nullptr, true},
        {},
        {"aboutAction", QT_TR_NOOP("&About AttnScope"), {}, [](Parts parts) { parts.dialogs.about(&parts.window); }}};
    fillFileMenu(*bar.addMenu(tr("&File")));
    fill(*bar.addMenu(tr("Edi&t")), edit);
    QMenu& runMenu = *bar.addMenu(tr("&Run"));
    fill(runMenu, run);
    auto* examples = new ExampleMenu(
        {m_parts.study, m_parts.selection, m_parts.appearance, m_parts.controller, m_parts.running, m_parts.views},
        &runMenu);
    runMenu.insertMenu(action("cancelAction"), examples);
    m_parts.input.setExamples(examples);
    fillViewMenu(*bar.addMenu(tr("&View")));
    fillLaboratoryMenu(*bar.addMenu(tr("&Laboratory")));
    QMenu& helpMenu = *bar.addMenu(tr("&Help"));
    fill(helpMenu, help);
    addLessons(helpMenu);
    for (const auto& [id, icon] : icons)
        action(id)->setIcon(themedIcon(QLatin1String(icon)));
    refresh();
}

void Actions::fill(QMenu& menu, std::span<const ActionRow> rows)
{
    for (const ActionRow& row : rows) {
        if (row.id == nullptr) {
            menu.addSeparator();
            continue;
        }
        auto* action = new QAction(tr(row.text), this);
        action->setObjectName(QLatin1String(row.id));
        action->setShortcut(row.key);
        connect(action, &QAction::triggered, this, [this, act = row.act] { act(m_parts); });
        if (row.can != nullptr)
            m_conditions.emplace_back(action, row.can);
        if (row.inText)
            claimShortcut(action, &m_parts.window);
        menu.addAction(action);
    }
}

void Actions::addLessons(QMenu& menu)
{
    auto* all = new QMenu(tr("&Lessons"), &menu);
    all->setObjectName(QStringLiteral("lessonsMenu"));
    all->setIcon(themedIcon(QStringLiteral("lesson")));
    for (const Lesson& lesson : lessons())
        all->addAction(translated(lesson.title), this, [this, &lesson] { m_parts.guide.begin(lesson); })
            ->setObjectName(QLatin1String(lesson.id));
    menu.insertMenu(action("paletteAction"), all);
}

void Actions::fillFileMenu(QMenu& menu)
{
    const ActionRow open[] = {
        {"openAction", QT_TR_NOOP("&Open…"), QKeySequence::Open, [](Parts parts) { parts.opening.ask(); }}};
    const ActionRow rest[] = {
        {"saveAction", QT_TR_NOOP("&Save"), QKeySequence::Save, [](Parts parts) { parts.sessions.save(); }, hasRuns,
         true},
        {"saveAsAction", QT_TR_NOOP("Sa&ve as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
         [](Parts parts) { parts.sessions.saveAs(); }, hasRuns, true},
        {},
        {"exportAction", QT_TR_NOOP("&Export…"), QKeySequence(Qt::CTRL | Qt::Key_E),
         [](Parts parts) { parts.exporter.write(inFront(parts), &parts.window); }, nullptr, true},
        {},
        {"quitAction", QT_TR_NOOP("&Quit"), QKeySequence::Quit, [](Parts parts) { parts.window.close(); }}};
    fill(menu, open);
    QMenu* recent = menu.addMenu(tr("Open &recent"));
    recent->setObjectName(QStringLiteral("recentMenu"));
    const auto fillRecent = [this, recent] {
        recent->clear();
        for (const QString& path : m_parts.study.recent())
            recent->addAction(menuText(path), this, [this, path] { m_parts.opening.open(path); });
        recent->setEnabled(!recent->isEmpty());
    };
    connect(&m_parts.study, &Study::recentChanged, recent, fillRecent);
    fillRecent();
    addFound(menu);
    fill(menu, rest);
}

// Models that other programs keep. They are looked for whenever the menu is opened, until it is closed.
void Actions::addFound(QMenu& menu)
{
    QMenu* found = menu.addMenu(tr("Found on this &machine"));
    found->setObjectName(QStringLiteral("foundMenu"));
    found->setToolTipsVisible(true);
    const auto search = std::make_shared<LatestRequest>(*found);
    const auto show = [this, found](const std::vector<FoundModel>& models) {
        found->clear();
        for (const FoundModel& model : models) {
            const QString path = QString::fromStdString(model.path.string());
            QAction* action = found->addAction(menuText(QString::fromStdString(model.name)), this,
                                               [this, path] { m_parts.opening.open(path); });
            action->setToolTip(QDir::toNativeSeparators(path)); // two programs may have one of a name
        }
        if (models.empty())
            found->addAction(tr("No models of other programs"))->setEnabled(false);
    };
    connect(found, &QMenu::aboutToShow, this, [found, search, show] {
        found->clear();
        found->addAction(tr("Looking for them…"))->setEnabled(false);
        QThreadPool::globalInstance()->start(HandedOver([show, ticket = search->begin()] {
            try {
                ticket.report([show, models = findModels(ticket.stop())] { show(models); });
            } catch (const Error&) { // cancelled
            }
        }));
    });
    connect(found, &QMenu::aboutToHide, this, [search] { search->end(); });
}

// One of several is chosen.
template<class Rows>
void Actions::fillChoices(QMenu& menu, const char* name, const Rows& rows, int (*chosen)(const Appearance&),
                          void (*choose)(Appearance&, int))
{
    menu.setObjectName(QLatin1String(name));
    auto* group = new QActionGroup(&menu);
    for (const auto& row : rows) {
        const int i = indexSize(group->actions());
        QAction* action =
            menu.addAction(translated(row.title), this, [this, choose, i] { choose(m_parts.appearance, i); });
        action->setObjectName(QLatin1String(row.id));
        action->setCheckable(true);
        group->addAction(action);
    }
    const auto show = [this, group, chosen] { group->actions().at(chosen(m_parts.appearance))->setChecked(true); };
    connect(&m_parts.appearance, &Appearance::changed, group, show);
    show();
}

void Actions::fillViewMenu(QMenu& menu)
{
    const ActionRow zoom[] = {
        {},
        {"zoomInAction", QT_TR_NOOP("Zoom &in"), QKeySequence::ZoomIn,
         [](Parts parts) { parts.views.current().zoomIn(); }},
        {"zoomOutAction", QT_TR_NOOP("Zoom &out"), QKeySequence::ZoomOut,
         [](Parts parts) { parts.views.current().zoomOut(); }},
        {"showEverythingAction", QT_TR_NOOP("Show &everything"), QKeySequence(Qt::CTRL | Qt::Key_0),
         [](Parts parts) { parts.views.current().showEverything(); }},
        {},
        {"nextPartAction", QT_TR_NOOP("&Go to the next part"), Qt::Key_F6,
         [](Parts parts) { goToPart(parts.windowParts(), 1); }, nullptr, true},
        {"previousPartAction", QT_TR_NOOP("Go to the part &before"), QKeySequence(Qt::SHIFT | Qt::Key_F6),
         [](Parts parts) { goToPart(parts.windowParts(), -1); }, nullptr, true},
        {}};
    const auto addLook = [&](const char* name, const QString& text, const QKeySequence& key, auto isOn, auto choose) {
        auto* look = new QAction(text, this);
        look->setObjectName(QLatin1String(name));
        look->setShortcut(key);
        look->setCheckable(true);
        look->setChecked(isOn(m_parts.appearance.choices()));
        connect(look, &QAction::toggled, &m_parts.appearance, [this, choose](bool on) {
            m_parts.appearance.choose([&](FigureChoices& choices) { choose(choices, on); });
        });
        connect(&m_parts.appearance, &Appearance::changed, look,
                [this, look, isOn] { look->setChecked(isOn(m_parts.appearance.choices())); });
        menu.addAction(look);
    };
    addLook(
        "wordsAction", mergeWordsText(), QKeySequence(Qt::CTRL | Qt::Key_M),
        [](const FigureChoices& choices) { return choices.words; },
        [](FigureChoices& choices, bool on) { choices.words = on; });
    addLook(
        "specialsAction", tr("Show special to&kens"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M),
        [](const FigureChoices& choices) { return choices.specials == SpecialTokens::Shown; },
        [](FigureChoices& choices, bool on) {
            if (on != (choices.specials == SpecialTokens::Shown))
                choices.specials = on ? SpecialTokens::Shown : SpecialTokens::Hidden;
        });
    auto* writes = new QAction(tr("W&atch words being written"), this);
    writes->setObjectName(QStringLiteral("writesOutAction"));
    writes->setCheckable(true);
    writes->setChecked(m_parts.steps.writesOut());
    connect(writes, &QAction::toggled, &m_parts.steps, &StepPanel::setWritesOut);
    connect(&m_parts.steps, &StepPanel::writesOutChanged, writes,
            [this, writes] { writes->setChecked(m_parts.steps.writesOut()); });
    menu.addAction(writes);
    addDifference(menu);
    QMenu& figure = *menu.addMenu(tr("Fig&ure"));
    fillChoices(
        *figure.addMenu(tr("&Pair rows and columns")), "pairingMenu", pairingRows,
        [](const Appearance& appearance) { return static_cast<int>(appearance.choices().pairing); },
        [](Appearance& appearance, int pairing) {
            appearance.choose([pairing](FigureChoices& choices) { choices.pairing = static_cast<Pairing>(pairing); });
        });
    fillChoices(
        *figure.addMenu(tr("&Colours")), "colorsMenu", colorMaps(),
        [](const Appearance& appearance) { return static_cast<int>(appearance.choices().colorMap); },
        [](Appearance& appearance, int map) {
            appearance.choose([map](FigureChoices& choices) { choices.colorMap = static_cast<ColorMapName>(map); });
        });
    addChoiceMenus(figure, m_parts.appearance, scaleChoiceKeys);
    addChoiceMenus(figure, m_parts.appearance, viewChoiceKeys);
    fillChoices(
        *menu.addMenu(tr("&Theme")), "themeMenu", themeModeRows,
        [](const Appearance& appearance) { return static_cast<int>(appearance.themeMode()); },
        [](Appearance& appearance, int mode) { appearance.setThemeMode(static_cast<ThemeMode>(mode)); });
    fillChoices(
        *menu.addMenu(tr("&Language")), "languageMenu", languageModeRows,
        [](const Appearance& appearance) { return static_cast<int>(appearance.languageMode()); },
        [](Appearance& appearance, int mode) { appearance.setLanguageMode(static_cast<LanguageMode>(mode)); });
    fill(menu, zoom);
    for (QDockWidget* dock : m_parts.docks.docks())
        menu.addAction(dock->toggleViewAction());
}

// Adds the difference of a run that is compared with another; a choice of another one is seen at once.
void Actions::addDifference(QMenu& menu)
{
    auto* difference = new QAction(tr("&Difference"), this);
    difference->setObjectName(QStringLiteral("differenceAction"));
    difference->setToolTip(
        tr("Shows what the run has more and less of than the one that it is compared with, or that it came from"));
    difference->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D));
    difference->setCheckable(true);
    connect(difference, &QAction::triggered, &m_parts.appearance, [this, difference](bool on) {
        const bool begins = m_parts.study.compared() == nullptr;
        if (begins)
            m_parts.study.compareAgainst(runBefore(m_parts));
        m_parts.appearance.setDifference(on || begins);
        difference->setChecked(m_parts.appearance.difference());
    });
    const auto show = [this, difference] { difference->setChecked(m_parts.appearance.difference()); };
    connect(&m_parts.appearance, &Appearance::changed, difference, show);
    show();
    connect(&m_parts.study, &Study::shownRunChanged, difference, [this, last = m_parts.study.against()]() mutable {
        const auto against = m_parts.study.against();
        if (std::exchange(last, against) != against && against)
            m_parts.appearance.setDifference(true);
        refresh();
    });
    m_conditions.emplace_back(difference,
                              [](Parts parts) { return parts.study.compared() != nullptr || runBefore(parts); });
    menu.addAction(difference);
}

void Actions::fillLaboratoryMenu(QMenu& menu)
{
    menu.setObjectName(QStringLiteral("laboratoryMenu"));
    for (int i = 0; i < static_cast<int>(pageRows().size()); ++i) {
        const auto page = static_cast<Page>(i);
        QAction* action =
            menu.addAction(pageName(page), pageShortcut(page), this, [this, page] { m_parts.laboratory.open(page); });
        action->setObjectName(QLatin1String(pageRows()[i].id));
    }
}

} // namespace attn::ui
