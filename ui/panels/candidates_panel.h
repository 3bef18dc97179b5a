// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "item_models/candidate_model.h"
#include "state/appearance.h"
#include "state/selection.h"
#include "state/study.h"

#include <QLabel>
#include <QTimer>
#include <QToolButton>
#include <QWidget>

#include <vector>

class QBarCategoryAxis;
class QBarSet;
class QChartView;
class QGraphicsSimpleTextItem;
class QHorizontalStackedBarSeries;
class QValueAxis;

namespace attn::ui {

// The most probable next tokens of the chosen step, or what a masked-token head expects at the chosen token, as bars;
// the token that was taken or stands there stands out. Those that matter are listed, the rest when asked for. The chart
// is made when it is first needed, so that it costs nothing at the start.
class CandidatesPanel final : public QWidget
{
    Q_OBJECT

public:
    CandidatesPanel(Study& study, Selection& selection, Appearance& appearance, QWidget* parent = nullptr);

    QSize sizeHint() const override { return {300, 360}; }

    // From now on the chart follows the selection.
    void activate();
    // Whether those that hardly matter are listed, too.
    bool showsAll() const { return m_all->isChecked(); }
    void setShowsAll(bool all) { m_all->setChecked(all); }
    const CandidateModel& candidates() const { return m_candidates; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QFont smallFont() const;
    int room() const;
    int barsThatMatter() const;
    void offerTheRest();
    void later();
    void draw();
    QString readStep();
    QString readPrediction();
    QString readClasses();
    void makeChart();
    void fillBars();
    void writeValues();
    void placeValues();
    double barLength(std::size_t bar) const;
    void applyTheme();
    void showTip(bool entered, int bar);

    Study& m_study;
    Selection& m_selection;
    Appearance& m_appearance;
    CandidateModel m_candidates;
    int m_shown = 0;
    QToolButton* m_all = nullptr;
    QTimer m_later; // many changes, one drawing
    QLabel* m_title = nullptr;
    QChartView* m_view = nullptr;
    std::vector<QGraphicsSimpleTextItem*> m_values; // at the ends of the bars, the lowest first; the chart's
    QHorizontalStackedBarSeries* m_bars = nullptr;
    QBarSet* m_others = nullptr;
    QBarSet* m_taken = nullptr;
    QBarCategoryAxis* m_tokens = nullptr;
    QValueAxis* m_probabilities = nullptr;
};

} // namespace attn::ui
