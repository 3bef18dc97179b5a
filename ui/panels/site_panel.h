// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "readings/head_reading.h"
#include "state/appearance.h"
#include "state/selection.h"
#include "state/study.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHash>
#include <QLabel>
#include <QProgressBar>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>
#include <QVariant>
#include <QWidget>

#include <functional>
#include <utility>
#include <vector>

class QFormLayout;

namespace attn::ui {

// Chooses what is shown: which attention, layer and head, and how.
class SitePanel final : public QWidget
{
    Q_OBJECT

public:
    SitePanel(Study& study, Selection& selection, Appearance& appearance, QWidget* parent = nullptr);

    // Readings that are being computed; fraction: below 0 where it is not known.
    void setComputing(bool computing);
    void setProgress(const QString& what, double fraction);
    // Explains the output token rather than another one, by the selected reading or else by one that can.
    void explainAgainst(int id);

    // The next model starts with the attention that is worth most, whatever is selected now.
    void showBestFirst() { m_bestFirst = true; }

Q_SIGNALS:
    void cancelRequested(); // of what is being computed
    // Settings of readings: steps of integrated gradients, 0 for as many as are needed; whether erased tokens are
    // hidden; the name of the special token that the path begins at, empty for zero embeddings.
    void optionsChosen(int steps, bool eraseHides, const QString& baseline);

private:
    QComboBox* addPicker(const char* name, const QString& label, std::function<void(const QVariant&)> choose);
    void fill(); // from the model or the trace
    void modelChanged();
    void fitSelection(); // onto a site and head that exist
    void showSelection();
    void showPair(); // only where there is one
    void showPicked(); // whether mean and maximum are of all heads
    void fillHeads();
    void addReadings();
    void refreshReadings();
    const char* lackOf(const Reading& reading) const;
    void showReading();
    void showAbout();
    void addAbout();
    void addOptions();
    void showOptions(); // of the reading that is shown
    void tellOptions();
    void fillBaselines();
    bool hasNotSettled(const Reading& reading) const; // with the options of now
    void addProgress();
    void chooseReading(const QString& id);
    std::vector<Site> sites() const;
    int heads(Site site) const;

    Study& m_study;
    Selection& m_selection;
    Appearance& m_appearance;
    QComboBox* m_stage = nullptr;
    QComboBox* m_layer = nullptr;
    QComboBox* m_head = nullptr;
    QComboBox* m_reading = nullptr;
    QLabel* m_explained = nullptr;
    QLabel* m_others = nullptr; // why rows are grey
    QToolButton* m_all = nullptr; // positions of the output
    QToolButton* m_alone = nullptr; // against no other token
    QWidget* m_about = nullptr; // around these
    QSpinBox* m_steps = nullptr;
    QComboBox* m_baseline = nullptr;
    QCheckBox* m_hides = nullptr;
    QProgressBar* m_progress = nullptr;
    QWidget* m_computing = nullptr; // around it
    QTimer m_later; // until what is computed is announced
    QCheckBox* m_words = nullptr;
    QComboBox* m_specials = nullptr;
    QComboBox* m_pair = nullptr;
    QComboBox* m_colorMap = nullptr;
    QFormLayout* m_form = nullptr;
    HeadReading m_weights; // heads that were looked at before a reading
    HeadSet m_picked; // heads that the list of heads names
    bool m_bestFirst = false;
    QString m_modelPath; // of the selection
    QHash<QString, SiteChoice> m_places; // what was looked at in other models
};

} // namespace attn::ui
