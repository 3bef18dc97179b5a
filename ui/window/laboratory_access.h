// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/laboratory_window.h"
#include "window/exporter.h"

#include <QAction>
#include <QList>
#include <QMenu>
#include <QPointer>

#include <functional>

namespace attn::ui {

// The ways into the laboratory: its pages, and the questions that a place in a view raises.
class LaboratoryAccess final : public QObject
{
    Q_OBJECT

public:
    LaboratoryAccess(const LaboratoryContext& context, Exporter& exporter, QWidget* window);
    ~LaboratoryAccess() override; // tells its jobs to stop

    LaboratoryWindow& open(Page page);
    // A menu of why a cell is as it is, what `addOthers` adds about the place, the pages of the laboratory, which are
    // told of it, and actions that concern the whole view.
    void showMenu(const FigureHit& hit, QPoint position, const std::function<void(QMenu&)>& addOthers,
                  const QList<QAction*>& actions);
    // The page about a cell, to stand beside it.
    LaboratoryPage& lookBeside(const FigureHit& hit);
    // A place was chosen: an open page that shows the inside of a cell goes there.
    void follow(const FigureHit& hit);

Q_SIGNALS:
    void whyAsked(const attn::ui::FigureHit& hit); // of a cell: what stands beside it answers
    void helpRequested(attn::ui::Page page); // about it

private:
    Place placeOf(const FigureHit& hit) const;
    void lookAt(Page page, const Place& place);
    void addPage(QMenu& menu, Page page, const Place& place);

    LaboratoryContext m_context;
    Exporter& m_exporter;
    QWidget* m_parent = nullptr;
    QPointer<LaboratoryWindow> m_window; // made when it is first opened
    QPointer<LaboratoryPage> m_beside; // likewise
};

} // namespace attn::ui
