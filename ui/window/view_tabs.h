// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/view_rows.h"

#include <QTabWidget>

namespace attn::ui {

// The views, one a tab, made when they are first looked at; the first, the heatmap, at once.
class ViewTabs final : public QTabWidget
{
    Q_OBJECT

public:
    explicit ViewTabs(const ViewContext& context, QWidget* parent = nullptr);

    FigureView& heatmap() const { return *m_heatmap; }
    FigureView& current() const; // the figure in front
    QString currentId() const; // of its row
    // Whether the run has something for it, so that it has a tab.
    bool offers(const ViewRow& row) const { return isTabVisible(static_cast<int>(&row - viewRows().data())); }
    void showView(const QString& id); // one that exists, as soon as it is offered

Q_SIGNALS:
    void painted();
    void hovered(const QString& text);
    void activated(const attn::ui::FigureHit& hit);
    void menuRequested(const attn::ui::FigureHit& hit, QPoint position);
    void valueDragged(const attn::ui::FigureHit& hit, double value);
    void valueDragEnded();
    void nextChosen(); // as FigureView says it
    void orderAsked();
    void playAsked();
    void hearAsked(const attn::TimeSpan& span);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void make(int index);
    FigureView* viewOf(int index) const; // the figure of its row
    void nameTabs();
    void showTabs(); // those of views that the run has something for
    void fitCorner();

    ViewContext m_context;
    FigureView* m_heatmap = nullptr;
    bool m_reads = false; // as the tabs are named
    QString m_awaited; // the view that is to be in front once there is a run; empty: any
};

} // namespace attn::ui
