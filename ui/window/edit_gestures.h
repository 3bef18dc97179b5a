// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/token_popup.h"
#include "run/job_runner.h"
#include "state/edit_list.h"
#include "state/edit_place.h"
#include "window/run_commands.h"
#include "window/view_tabs.h"

#include <QElapsedTimer>
#include <QMenu>
#include <QObject>

#include <optional>
#include <string>
#include <vector>

namespace attn::ui {

// Edits that are made where they apply: by key, by menu and by dragging a cell's value, in every view. Whatever
// changes the edits of the question runs it.
class EditGestures final : public QObject
{
    Q_OBJECT

public:
    struct Parts
    {
        Study& study;
        EditList& edits;
        ViewTabs& views;
        RunCommands& running;
        RunController& controller;
        QWidget& window;
    };

    explicit EditGestures(const Parts& parts);

    // Does what one of editRows() says, asking for what it takes.
    // False where it does not fit the place.
    bool act(const char* id, const FigureSpec& spec, const FigureHit& hit, QPoint position);
    // Fills a menu with what can be done at a place of the view in front.
    void fill(QMenu& menu, const FigureSpec& spec, const FigureHit& hit, QPoint position);

Q_SIGNALS:
    void noted(const QString& text); // edits that were left out

private:
    // A value that follows the mouse, until the answer to its last one is there.
    struct Drag
    {
        EditPlace place;
        int step = 0; // of the list's history
        bool held = true;
        bool asked = false; // a run of it goes on
        bool newer = false; // than what was asked
        QElapsedTimer since = {}; // it was asked
    };

    EditPlace placeOf(const FigureSpec& spec, const FigureHit& hit) const;
    void act(const EditRow& row, const EditPlace& place, QPoint position);
    void askNumber(const EditRow& row, const EditPlace& place, QPoint position);
    void askToken(const EditRow& row, const EditPlace& place, QPoint position);
    void findNearest(TokenPopup& popup, TokenId token);
    void cut(TokenPopup& popup, const QString& word, Index position);
    // In the place of one that does the same with another number.
    void put(const std::string& text, int step);
    void run();
    void drag(const FigureHit& hit, double value);
    void endDrag();
    void ask(Drag& drag);
    void runEnded();
    void leaveOut(const std::vector<std::string>& edits, const std::vector<EditProblem>& problems);

    Parts m_parts;
    std::optional<Drag> m_drag;
    int m_steps = 0;
    QString m_left; // said last
    JobRunner m_nearest;
    JobRunner m_cutting;
};

} // namespace attn::ui
