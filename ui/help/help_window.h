// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "help/help_pages.h"

#include <QAction>
#include <QLineEdit>
#include <QMainWindow>
#include <QString>
#include <QTextBrowser>
#include <QTreeWidget>

#include <vector>

namespace attn::ui {

// All pages of the help, found by any words of theirs.
class HelpWindow final : public QMainWindow
{
    Q_OBJECT

public:
    HelpWindow(std::vector<HelpPage> pages, QWidget* parent);

    // A page by its id, or a term of the glossary by "glossary#" and its anchor; the first page where there is none.
    void open(const QString& target);
    const QString& current() const { return m_current; } // as for open()

Q_SIGNALS:
    void showRequested(const QString& pageId); // what the page is about

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildBar();
    void fillList();
    void addTerms(QTreeWidgetItem& glossary);
    void search();
    void show(const QString& target); // without remembering where it came from
    void setText(const HelpPage& page);
    void remember(); // to come back to it
    void markFound();
    void goBack();
    const HelpPage* pageCalled(const QString& id) const;
    QTreeWidgetItem* itemOf(const QString& target) const;

    std::vector<HelpPage> m_pages;
    QString m_current;
    QStringList m_before; // the last one last
    bool m_searching = false; // what is shown while somebody types is not come back to
    QLineEdit* m_search = nullptr;
    QTreeWidget* m_list = nullptr;
    QTextBrowser* m_text = nullptr;
    QTextDocument* m_document = nullptr; // that it shows
    QAction* m_back = nullptr;
    QAction* m_show = nullptr;
};

} // namespace attn::ui
