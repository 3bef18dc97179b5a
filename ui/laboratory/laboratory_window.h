// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/page_rows.h"
#include "panels/window_parts.h"

#include <QListWidget>
#include <QMainWindow>
#include <QSize>
#include <QStackedWidget>

#include <vector>

class QActionGroup;

namespace attn::ui {

inline constexpr QSize frameRoom(0, 32); // what a window's title needs of the screen

// The laboratory: one page at a time, chosen in a list. It looks at what the main window shows.
class LaboratoryWindow final : public QMainWindow
{
    Q_OBJECT

public:
    explicit LaboratoryWindow(const LaboratoryContext& context, QWidget* parent = nullptr);

    // Brings a page to the front.
    void open(Page which);
    LaboratoryPage& page(Page which); // made when it is first asked for
    Page current() const;

Q_SIGNALS:
    void exportRequested(const attn::ui::Exportable& figure);
    void copyRequested(const attn::ui::Exportable& figure);
    void helpRequested(attn::ui::Page page); // about it

protected:
    void closeEvent(QCloseEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void buildMenu();
    void showPage(int index);
    std::vector<WindowPart> parts();

    LaboratoryContext m_context;
    KeptValues::Store m_storeGeometry;
    QListWidget* m_list = nullptr;
    QActionGroup* m_choose = nullptr; // the pages, as the menu lists them
    QStackedWidget* m_pages = nullptr;
    QLabel* m_hover = nullptr;
    std::vector<LaboratoryPage*> m_made; // a null pointer where it has not been asked for
};

} // namespace attn::ui
