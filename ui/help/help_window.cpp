// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "help/help_window.h"

#include "figures/look/language.h"
#include "help/glossary.h"
#include "help/help_text.h"
#include "panels/controls.h"
#include "panels/dialogs.h"

#include <QDesktopServices>
#include <QScreen>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QTextCharFormat>
#include <QTextCursor>
#include <QTextFragment>
#include <QTextFrame>
#include <QTextTable>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

constexpr int pageMargin = 20; // pixels
constexpr int cellMargin = 4;
constexpr int headingRoom = 14; // above it
constexpr qreal lineSpacing = 125; // percent
constexpr int pageLineAir = 6; // pixels, in the list
constexpr int listWidth = 270;

// Whether it has all the words, the last one perhaps unfinished.
bool hasAll(const QString& text, const QStringList& words)
{
    const QString searched = folded(text);
    return std::ranges::all_of(words, [&searched](const QString& word) { return searched.contains(word); });
}

// Lines with air between them, and tables that are read along their lines.
void setBeautifully(QTextDocument& document, const QColor& lines)
{
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        auto* table = qobject_cast<QTextTable*>(frame);
        if (table == nullptr)
            continue;
        QTextTableFormat format = table->format();
        format.setCellPadding(cellMargin);
        format.setCellSpacing(0);
        format.setBorder(1);
        format.setBorderCollapse(true);
        format.setBorderBrush(lines);
        format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
        table->setFormat(format);
    }
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format;
        if (block.blockFormat().headingLevel() > 1)
            format.setTopMargin(headingRoom);
        format.setLineHeight(lineSpacing, QTextBlockFormat::ProportionalHeight);
        QTextCursor(block).mergeBlockFormat(format);
    }
}

// Nothing else is handed to the desktop: a model's card may name a file or a program.
bool isOfTheWeb(const QUrl& link)
{
    return QStringList{QStringLiteral("http"), QStringLiteral("https")}.contains(link.scheme());
}

// The links of a document for which `leads` is false become plain text.
template<class Leads>
void removeLinks(QTextDocument& document, const Leads& leads)
{
    std::vector<QTextCursor> links; // each selects one
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            const QTextFragment text = at.fragment();
            if (!text.charFormat().isAnchor() || leads(QUrl(text.charFormat().anchorHref())))
                continue;
            links.emplace_back(&document).setPosition(text.position());
            links.back().setPosition(text.position() + text.length(), QTextCursor::KeepAnchor);
        }
    }
    for (QTextCursor& link : links) {
        QTextCharFormat plain = link.charFormat();
        for (const int property :
             {QTextFormat::IsAnchor, QTextFormat::AnchorHref, QTextFormat::ForegroundBrush,
              QTextFormat::TextUnderlineStyle, QTextFormat::FontUnderline, QTextFormat::TextToolTip})
            plain.clearProperty(property);
        link.setCharFormat(plain);
    }
}

// Heading of a term, by its anchor, which is the same in every language.
QTextCursor headingAt(const QTextDocument& document, const QString& anchor)
{
    const auto terms = glossary();
    const auto term =
        std::ranges::find(terms, anchor, [](const Term& row) { return anchorOf(QLatin1String(row.name)); });
    if (term == terms.end())
        return {};
    const QString name = translated(term->name);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() > 0 && block.text() == name)
            return QTextCursor(block);
    }
    return {};
}

} // namespace

HelpWindow::HelpWindow(std::vector<HelpPage> pages, QWidget* parent)
    : QMainWindow(parent, Qt::Window)
    , m_pages(std::move(pages))
    , m_search(new QLineEdit)
    , m_list(new QTreeWidget)
    , m_text(new HelpText)
{
    setObjectName(QStringLiteral("help"));
    setWindowTitle(tr("AttnScope help"));
    m_search->setObjectName(QStringLiteral("helpSearch"));
    m_search->setPlaceholderText(tr("Search the help"));
    m_search->setAccessibleName(tr("Search the help"));
    m_search->setClearButtonEnabled(true);
    m_list->setObjectName(QStringLiteral("helpList"));
    m_list->setAccessibleName(tr("Pages of the help"));
    m_list->setHeaderHidden(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformRowHeights(true);
    m_text->setObjectName(QStringLiteral("helpText"));
    m_text->setAccessibleName(tr("Page of the help"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(6, 6, 0, 0);
    column->addWidget(m_search);
    column->addWidget(m_list, 1);
    auto* split = new QSplitter;
    split->addWidget(left);
    split->addWidget(m_text);
    split->setStretchFactor(1, 1);
    split->setSizes({listWidth, 3 * listWidth});
    split->setChildrenCollapsible(false);
    setCentralWidget(split);
    buildBar();
    fillList();
    connect(m_search, &QLineEdit::textChanged, this, &HelpWindow::search);
    connect(m_search, &QLineEdit::returnPressed, m_list, qOverload<>(&QWidget::setFocus));
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
        if (item != nullptr && !item->data(0, Qt::UserRole).isNull())
            open(item->data(0, Qt::UserRole).toString());
    });
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.scheme().isEmpty())
            open(link.toString());
        else if (isOfTheWeb(link)
                 && askPlainly(this, tr("Open this page in the browser?\n%1").arg(link.toDisplayString()),
                               QMessageBox::Open | QMessageBox::Cancel, QMessageBox::Cancel)
                     == QMessageBox::Open)
            QDesktopServices::openUrl(link);
    });
    new QShortcut(QKeySequence::Find, m_search, [this] {
        m_search->setFocus();
        m_search->selectAll();
    });
    new QShortcut(Qt::Key_Escape, this, [this] { m_search->text().isEmpty() ? void(close()) : m_search->clear(); });
    resize(QSize(1000, 680).boundedTo(screen()->availableSize() * 9 / 10));
}

void HelpWindow::buildBar()
{
    auto* bar = addToolBar(tr("Help"));
    bar->setObjectName(QStringLiteral("helpBar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_back = bar->addAction(themedIcon(QStringLiteral("back")), tr("Back"), this, &HelpWindow::goBack);
    m_back->setObjectName(QStringLiteral("helpBack"));
    m_back->setShortcut(QKeySequence(Qt::ALT | Qt::Key_Left));
    m_back->setToolTip(tr("The page before (Alt+Left)"));
    m_back->setEnabled(false);
    m_show = bar->addAction(themedIcon(QStringLiteral("run")), tr("Show it"), this,
                            [this] { Q_EMIT showRequested(m_current.section(QLatin1Char('#'), 0, 0)); });
    m_show->setObjectName(QStringLiteral("helpShow"));
    m_show->setToolTip(tr("Opens in the window what this page is about"));
}

void HelpWindow::fillList()
{
    QTreeWidgetItem* group = nullptr;
    for (const HelpPage& page : m_pages) {
        const QString title = helpGroupTitle(page.group);
        if (group == nullptr || group->text(0) != title) {
            group = new QTreeWidgetItem(m_list, {title});
            group->setFlags(Qt::ItemIsEnabled);
            group->setSizeHint(0, QSize(0, fontMetrics().height() + pageLineAir));
            group->setExpanded(page.group != HelpGroup::Models);
            QFont bold = font();
            bold.setBold(true);
            group->setFont(0, bold);
        }
        auto* item = new QTreeWidgetItem(group, {page.title});
        item->setToolTip(0, page.title);
        item->setData(0, Qt::UserRole, page.id);
        if (page.id == glossaryHelp)
            addTerms(*item);
    }
}

void HelpWindow::addTerms(QTreeWidgetItem& glossaryItem)
{
    for (const Term& term : glossary()) {
        const QString name = translated(term.name);
        auto* item = new QTreeWidgetItem(&glossaryItem, {name});
        item->setData(0, Qt::UserRole, QString(glossaryHelp + QLatin1Char('#') + anchorOf(QLatin1String(term.name))));
        item->setData(0, Qt::UserRole + 1, translated(term.meaning));
        item->setToolTip(0, translated(term.meaning));
    }
}

// Keeps entries that have all the words.
void HelpWindow::search()
{
    const QStringList words = foldedWords(m_search->text());
    QTreeWidgetItem* best = nullptr;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        QTreeWidgetItem* group = m_list->topLevelItem(i);
        bool any = false;
        for (int j = 0; j < group->childCount(); ++j) {
            QTreeWidgetItem* item = group->child(j);
            const HelpPage* page = pageCalled(item->data(0, Qt::UserRole).toString());
            bool found = page != nullptr && hasAll(page->title + QLatin1Char(' ') + page->text, words);
            bool term = false;
            for (int k = 0; k < item->childCount(); ++k) {
                QTreeWidgetItem* child = item->child(k);
                const bool has =
                    hasAll(child->text(0) + QLatin1Char(' ') + child->data(0, Qt::UserRole + 1).toString(), words);
                child->setHidden(!has);
                term = term || has;
                if (has && !words.isEmpty() && matchRank(m_search->text(), child->text(0), {}).value_or(1) == 0)
                    best = child;
            }
            found = found || term;
            item->setHidden(!found);
            item->setExpanded(term && !words.isEmpty());
            any = any || found;
            if (found && best == nullptr)
                best = item;
        }
        group->setHidden(!any);
        if (!words.isEmpty())
            group->setExpanded(true);
    }
    if (!std::exchange(m_searching, !words.isEmpty()) && m_searching)
        remember();
    if (m_searching && best != nullptr)
        show(best->data(0, Qt::UserRole).toString());
    else
        markFound();
}

const HelpPage* HelpWindow::pageCalled(const QString& id) const
{
    const auto page = std::ranges::find(m_pages, id, &HelpPage::id);
    return page == m_pages.end() ? nullptr : &*page;
}

QTreeWidgetItem* HelpWindow::itemOf(const QString& target) const
{
    for (QTreeWidgetItemIterator item(m_list); *item != nullptr; ++item) {
        if ((*item)->data(0, Qt::UserRole).toString() == target)
            return *item;
    }
    return nullptr;
}

void HelpWindow::open(const QString& target)
{
    if (target == m_current)
        return;
    remember();
    show(target);
}

void HelpWindow::remember()
{
    if (!m_current.isEmpty() && (m_before.isEmpty() || m_before.last() != m_current))
        m_before << m_current;
}

void HelpWindow::goBack()
{
    if (!m_before.isEmpty())
        show(m_before.takeLast());
}

// In a document that nothing shows yet, which would be laid out again after each piece that is added to it.
void HelpWindow::setText(const HelpPage& page)
{
    auto* document = new QTextDocument(m_text);
    document->setDocumentMargin(pageMargin);
    document->setDefaultFont(m_text->font());
    document->setMarkdown(QStringLiteral("# ") + page.title + QStringLiteral("\n\n") + page.text,
                          QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub)
                              | QTextDocument::MarkdownNoHTML);
    removeLinks(*document, [this](const QUrl& link) {
        return isOfTheWeb(link) || pageCalled(link.toString().section(QLatin1Char('#'), 0, 0)) != nullptr;
    });
    setBeautifully(*document, palette().color(QPalette::Mid));
    // Null at first: the browser deletes its own.
    const std::unique_ptr<QTextDocument> before(std::exchange(m_document, document));
    m_text->setExtraSelections({}); // which lie in the one before
    m_text->setDocument(document);
}

void HelpWindow::show(const QString& target)
{
    const HelpPage* page = pageCalled(target.section(QLatin1Char('#'), 0, 0));
    m_current = page != nullptr ? target : m_pages.front().id;
    if (page == nullptr)
        page = &m_pages.front();
    const QSignalBlocker blocker(m_list);
    m_list->setCurrentItem(itemOf(m_current));
    setText(*page);
    m_text->moveCursor(QTextCursor::Start);
    m_back->setEnabled(!m_before.isEmpty());
    const HelpSubject subject = subjectOf(page->id);
    m_show->setVisible(!subject.view.isEmpty() || subject.page || !subject.model.isEmpty());
    markFound();
    const QString anchor = m_current.section(QLatin1Char('#'), 1);
    if (const QTextCursor heading = headingAt(*m_text->document(), anchor); !heading.isNull()) {
        m_text->moveCursor(QTextCursor::End); // so that the heading comes to the top
        m_text->setTextCursor(heading);
    }
}

void HelpWindow::markFound()
{
    QList<QTextEdit::ExtraSelection> marks;
    for (const QString& word : m_search->text().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        for (QTextCursor found = m_text->document()->find(word, 0); !found.isNull();
             found = m_text->document()->find(word, found)) {
            QTextEdit::ExtraSelection mark;
            mark.cursor = found;
            mark.format.setBackground(palette().color(QPalette::Highlight));
            mark.format.setForeground(palette().color(QPalette::HighlightedText));
            marks << mark;
        }
    }
    m_text->setExtraSelections(marks);
}

void HelpWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && !m_current.isEmpty())
        show(m_current); // links and lines have colours of their own
    QMainWindow::changeEvent(event);
}

} // namespace attn::ui
