// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "help/help_pages.h"

#include "base/index.h"
#include "figures/look/language.h"
#include "help/glossary.h"
#include "loading/model_card.h"
#include "loading/model_loader.h"
#include "panels/model_picker.h"
#include "readings/reading.h"
#include "state/edit_place.h"
#include "views/view_rows.h"

#include <QFile>
#include <QFileInfo>
#include <QMenu>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>
#include <array>
#include <string>

// Static libraries drop resources that nobody names; the macro needs the global namespace.
static void keepHelp()
{
    Q_INIT_RESOURCE(attnscope);
}

namespace attn::ui {

namespace {

const QString viewPrefix = QStringLiteral("view-");
const QString readingsHelp = QStringLiteral("readings");
const QString pagePrefix = QStringLiteral("page-");
const QString modelPrefix = QStringLiteral("model-");
// Most lines of the card of a model:
constexpr qsizetype mostCardLines = 1000;
constexpr qsizetype mostCardMarks = 2000; // characters that mean something in Markdown, but for tables
constexpr qsizetype mostCardPictures = 16;
constexpr int deepestCard = 16; // lists and quotes in each other

// In resources/documentation/help/LANGUAGE, and in English where the window's language has none.
QString storedText(const QString& id)
{
    keepHelp();
    for (const char* language : {languageRows[static_cast<int>(languageInUse())].id, languageRows[0].id}) {
        QFile file(QStringLiteral(":/documentation/help/%1/%2.md").arg(QLatin1String(language), id));
        if (!file.open(QIODevice::ReadOnly))
            continue;
        static const QRegularExpression comment(QStringLiteral("<!--.*?-->\\s*"),
                                                QRegularExpression::DotMatchesEverythingOption);
        return QString::fromUtf8(file.readAll()).remove(comment);
    }
    return {};
}

// In a cell of a table.
QString cellText(QString text)
{
    static const QRegularExpression marks(QStringLiteral("([\\\\`*_{}\\[\\]<>#|])"));
    return text.replace(marks, QStringLiteral("\\\\1"));
}

QString tableRow(const QStringList& cells)
{
    return QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |\n");
}

QString tableHead(const QStringList& cells)
{
    return QLatin1Char('\n') + tableRow(cells) + QStringLiteral("|---").repeated(cells.size()) + QStringLiteral("|\n");
}

QString shortcutsText(const std::vector<MenuAction>& actions)
{
    QString text;
    QString menu;
    for (const MenuAction& entry : actions) {
        const QString keys = entry.action->shortcut().toString(QKeySequence::NativeText);
        if (keys.isEmpty())
            continue;
        if (menu != entry.menus.value(0)) {
            menu = entry.menus.value(0);
            text += QStringLiteral("\n## ") + menu + QLatin1Char('\n')
                + tableHead({translated("Key"), translated("What it does")});
        }
        text += tableRow({cellText(keys), cellText(plainTitle(entry.action->text()))});
    }
    text += QStringLiteral("\n## ") + translated("In the menu of a place in a view") + QLatin1Char('\n')
        + tableHead({translated("Letter"), translated("What it does")});
    for (const EditRow& row : editRows()) {
        const QKeyCombination key = QKeySequence::mnemonic(translated(row.title))[0];
        text += tableRow(
            {QKeySequence(key.key()).toString(QKeySequence::NativeText), cellText(plainTitle(translated(row.title)))});
    }
    return text;
}

QString glossaryText()
{
    QString text;
    for (const Term& term : glossary())
        text += QStringLiteral("### ") + translated(term.name) + QStringLiteral("\n\n")
            + cellText(translated(term.meaning)) + QStringLiteral("\n\n*") + cellText(QString::fromUtf8(term.paper))
            + QStringLiteral("*\n\n");
    return text;
}

// Meaning of each reading, when it misleads, and where it comes from.
QString readingsText()
{
    QString text = storedText(readingsHelp);
    for (const Reading* reading : readings()) {
        if (reading->meaning != nullptr)
            text += QStringLiteral("\n### ") + translated(reading->name) + QStringLiteral("\n\n")
                + cellText(translated(reading->meaning)) + QStringLiteral("\n\n*")
                + cellText(QString::fromUtf8(reading->paper)) + QStringLiteral("*\n");
    }
    return text;
}

// Depth of the lists and quotes of a line in each other: "> - 1. text" three deep.
int depthOf(const QString& line)
{
    static const QRegularExpression mark(QStringLiteral("[ \\t]*(?:>|(?:[-+*]|[0-9]{1,9}[.)])(?=[ \\t]|$))"));
    int depth = 0;
    qsizetype place = 0;
    while (depth <= deepestCard) {
        const auto match =
            mark.match(line, place, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
        if (!match.hasMatch())
            break;
        place = match.capturedEnd();
        ++depth;
    }
    return depth;
}

// Whether it can be laid out at once: Qt takes at least the square of the number of lines and of the pieces that a text
// falls into, which end where marks are, and more of lists in lists.
bool isReadable(const QString& card)
{
    const auto isMark = [](QChar letter) { return letter.isNull() || QStringLiteral("*_~[]<>&`\\").contains(letter); };
    qsizetype marks = std::ranges::count_if(card, isMark);
    for (const char* link : {"www.", "://", "@"}) // that needs no marks, and costs as much as one with four
        marks += 4 * card.count(QLatin1String(link));
    const QStringList lines = card.split(QLatin1Char('\n'));
    return lines.size() <= mostCardLines && card.count(QStringLiteral("![")) <= mostCardPictures
        && marks <= mostCardMarks
        && std::ranges::all_of(lines, [](const QString& line) { return depthOf(line) <= deepestCard; });
}

// Its card, without what is for programs and without the title, which is the page's. Its pictures are files beside it.
QString cardText(const BundledModel& model)
{
    const std::string card = modelCardText(model.directory);
    if (card.empty())
        return QString::fromStdString(model.summary);
    static const QRegularExpression matter(QStringLiteral("\\A---\\n.*?\\n---\\n"),
                                           QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression title(QStringLiteral("\\A\\s*# .*\\n"));
    static const QRegularExpression picture(QStringLiteral("!\\[([^\\]]+)\\]\\(([\\w-]+[.]svg)\\)"));
    const QString path = QFileInfo(QString::fromStdString(model.directory.string())).absoluteFilePath();
    const QByteArray folder =
        QUrl::fromLocalFile(path + QLatin1Char('/')).toEncoded().replace('(', "%28").replace(')', "%29");
    QString text = QString::fromStdString(card).remove(QLatin1Char('\r'));
    text.remove(matter).remove(title);
    if (!isReadable(text)) {
        const QString file = path + QLatin1Char('/') + QString::fromUtf8(modelCardFile.data(), modelCardFile.size());
        return translated("This model's card is not made for reading: it has too many lines, marks or lists in lists. "
                          "It is the file %1.")
            .arg(cellText(file));
    }
    return text.replace(picture, QStringLiteral("![\\1](") + QString::fromLatin1(folder) + QStringLiteral("\\2)"));
}

} // namespace

QString helpGroupTitle(HelpGroup group)
{
    static constexpr std::array titles{
        QT_TRANSLATE_NOOP("attn::ui", "The program"), QT_TRANSLATE_NOOP("attn::ui", "Views"),
        QT_TRANSLATE_NOOP("attn::ui", "Laboratory"), QT_TRANSLATE_NOOP("attn::ui", "Bundled models"),
        QT_TRANSLATE_NOOP("attn::ui", "Reference")};
    return translated(titles.at(static_cast<std::size_t>(group)));
}

QString viewHelp(const QString& view)
{
    return viewPrefix + view;
}

QString laboratoryHelp(Page page)
{
    return pagePrefix + QLatin1String(rowOf(page).id);
}

std::vector<HelpPage> helpPages(const std::vector<MenuAction>& actions)
{
    std::vector<HelpPage> pages;
    const auto add = [&pages](HelpGroup group, const QString& id, const QString& title) {
        pages.push_back({id, group, title, storedText(id)});
    };
    add(HelpGroup::Program, firstStepsHelp, translated("First steps"));
    add(HelpGroup::Program, QStringLiteral("panels"), translated("The panels"));
    pages.push_back({readingsHelp, HelpGroup::Program, translated("Readings"), readingsText()});
    add(HelpGroup::Program, QStringLiteral("runs"), translated("Runs, edits and long texts"));
    add(HelpGroup::Program, QStringLiteral("export"), translated("Exporting figures"));
    for (const ViewRow& row : viewRows())
        add(HelpGroup::Views, viewHelp(QLatin1String(row.id)), translated(row.title));
    for (int i = 0; i < indexSize(pageRows()); ++i)
        add(HelpGroup::Laboratory, laboratoryHelp(static_cast<Page>(i)), pageName(static_cast<Page>(i)));
    for (const BundledModel& model : bundledModels())
        pages.push_back(
            {modelPrefix + QString::fromStdString(model.name), HelpGroup::Models, modelLabel(model), cardText(model)});
    pages.push_back({shortcutsHelp, HelpGroup::Reference, translated("Keyboard shortcuts"), shortcutsText(actions)});
    pages.push_back({glossaryHelp, HelpGroup::Reference, translated("Glossary"), glossaryText()});
    return pages;
}

HelpSubject subjectOf(const QString& pageId)
{
    if (pageId.startsWith(viewPrefix))
        return {.view = pageId.mid(viewPrefix.size()), .page = std::nullopt, .model = {}};
    if (pageId.startsWith(pagePrefix))
        return {.view = {}, .page = pageOf(pageId.mid(pagePrefix.size()).toStdString()), .model = {}};
    if (pageId.startsWith(modelPrefix))
        return {.view = {}, .page = std::nullopt, .model = pageId.mid(modelPrefix.size())};
    return {};
}

QString anchorOf(const QString& term)
{
    return term.toLower().replace(QLatin1Char(' '), QLatin1Char('-'));
}

namespace {

void collect(const QList<QAction*>& actions, const QStringList& menus, const QStringList& without,
             std::vector<MenuAction>& found)
{
    for (QAction* action : actions) {
        if (action->isSeparator() || !action->isVisible())
            continue;
        const QMenu* menu = action->menu();
        if (menu == nullptr)
            found.push_back({action, menus});
        else if (!without.contains(menu->objectName()))
            collect(menu->actions(), menus + QStringList(plainTitle(menu->title())), without, found);
    }
}

} // namespace

QString MenuAction::where() const
{
    return menus.join(QStringLiteral(" › "));
}

std::vector<MenuAction> menuActions(const QMenuBar& bar, const QStringList& without)
{
    std::vector<MenuAction> found;
    collect(bar.actions(), {}, without, found);
    return found;
}

QString plainTitle(const QString& text)
{
    QString plain;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == QLatin1Char('&') && i + 1 < text.size())
            ++i; // the letter that it marks, or the sign itself
        plain += text[i];
    }
    return plain.endsWith(QChar(0x2026)) ? plain.chopped(1) : plain;
}

} // namespace attn::ui
