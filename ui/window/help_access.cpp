// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/help_access.h"

#include "base/index.h"
#include "figures/look/language.h"
#include "help/command_palette.h"
#include "loading/model_loader.h"
#include "panels/model_picker.h"

#include <QFileInfo>

#include <utility>

namespace attn::ui {

namespace {

using HelpParts = HelpAccess::Parts;

const QString paletteAction = QStringLiteral("paletteAction");

// Commands that menus offer, but for what the other sources have.
std::vector<Command> menuCommands(const HelpParts& parts)
{
    std::vector<Command> commands;
    for (const MenuAction& entry :
         menuActions(parts.menus, {QStringLiteral("recentMenu"), QStringLiteral("laboratoryMenu")})) {
        QAction* action = entry.action;
        if (action->objectName() != paletteAction)
            commands.push_back({plainTitle(action->text()), entry.where(),
                                action->shortcut().toString(QKeySequence::NativeText), action->isEnabled(),
                                [action = QPointer(action)] {
                                    if (action)
                                        action->trigger();
                                }});
    }
    return commands;
}

std::vector<Command> viewCommands(const HelpParts& parts)
{
    std::vector<Command> commands;
    for (const ViewRow& row : viewRows())
        commands.push_back({translated(row.title),
                            HelpAccess::tr("View"),
                            {},
                            parts.views.offers(row),
                            [&views = parts.views, id = QString(QLatin1String(row.id))] {
                                views.showView(id);
                                views.current().setFocus();
                            }});
    return commands;
}

std::vector<Command> laboratoryCommands(const HelpParts& parts)
{
    std::vector<Command> commands;
    for (int i = 0; i < indexSize(pageRows()); ++i) {
        const auto page = static_cast<Page>(i);
        commands.push_back({pageName(page), HelpAccess::tr("Laboratory"),
                            pageShortcut(page).toString(QKeySequence::NativeText), true,
                            [&laboratory = parts.laboratory, page] { laboratory.open(page); }});
    }
    return commands;
}

std::vector<Command> modelCommands(const HelpParts& parts)
{
    std::vector<Command> commands;
    for (const BundledModel& model : bundledModels())
        commands.push_back(
            {modelLabel(model),
             HelpAccess::tr("Model %1").arg(QString::fromStdString(model.name)),
             {},
             true,
             [&opening = parts.opening, name = QString::fromStdString(model.name)] { opening.open(name); }});
    return commands;
}

std::vector<Command> recentCommands(const HelpParts& parts)
{
    std::vector<Command> commands;
    for (const QString& path : parts.study.recent())
        commands.push_back({QFileInfo(path).fileName(),
                            HelpAccess::tr("Recent: %1").arg(QFileInfo(path).absolutePath()),
                            {},
                            true,
                            [&opening = parts.opening, path] { opening.open(path); }});
    return commands;
}

// Where commands come from, in the order in which they are listed.
constexpr std::vector<Command> (*sources[])(const HelpParts& parts) = {menuCommands, viewCommands, laboratoryCommands,
                                                                       modelCommands, recentCommands};

} // namespace

HelpAccess::HelpAccess(const Parts& parts)
    : m_parts(parts)
{
    connect(&parts.laboratory, &LaboratoryAccess::helpRequested, this,
            [this](Page page) { open(laboratoryHelp(page)); });
}

void HelpAccess::open(const QString& target)
{
    if (m_help == nullptr) {
        m_help = new HelpWindow(helpPages(menuActions(m_parts.menus)), &m_parts.window);
        connect(m_help, &HelpWindow::showRequested, this, &HelpAccess::showSubject);
    }
    m_help->open(target);
    m_help->QWidget::show();
    m_help->raise();
    m_help->activateWindow();
}

void HelpAccess::openForView()
{
    open(viewHelp(m_parts.views.currentId()));
}

void HelpAccess::openPalette()
{
    if (auto* opened = m_parts.window.findChild<CommandPalette*>()) {
        opened->close();
        return;
    }
    std::vector<Command> commands;
    for (const auto source : sources) {
        for (Command& command : source(m_parts))
            commands.push_back(std::move(command));
    }
    (new CommandPalette(&m_parts.window, std::move(commands)))->open();
}

void HelpAccess::showSubject(const QString& pageId)
{
    const HelpSubject subject = subjectOf(pageId);
    if (subject.page) {
        m_parts.laboratory.open(*subject.page);
        return;
    }
    if (!subject.view.isEmpty())
        m_parts.views.showView(subject.view);
    else if (!subject.model.isEmpty())
        m_parts.opening.open(subject.model);
    m_parts.window.raise();
    m_parts.window.activateWindow();
}

} // namespace attn::ui
