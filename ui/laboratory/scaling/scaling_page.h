// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/exportable.h"
#include "laboratory/laboratory_page.h"
#include "views/figure_canvas.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSlider>
#include <QSpinBox>

#include <memory>

namespace attn {
class HeadScoresExperiment;
class SamplingExperiment;
struct ScoreExperiment;
struct ScoredSentence;
} // namespace attn

namespace attn::ui {

struct HistogramContent;

// Histograms of random scores and of the scores of one of the model's heads, and of what their softmax makes of them.
class ScalingPage final : public LaboratoryPage
{
    Q_OBJECT

public:
    explicit ScalingPage(const LaboratoryContext& context, QWidget* parent = nullptr);

    std::optional<Exportable> exportable() const override;
    void activate() override;

private:
    void buildControls();
    void buildHeadRow();
    ScoreExperiment experiment() const;
    void sample();
    void listSites(); // of the model that the window has open
    void chooseSelected();
    void listHeads();
    std::optional<Site> site() const;
    void readHead(); // of the model
    void tellHead();
    void redraw() override;
    std::vector<HistogramContent> contents() const;
    std::vector<HistogramContent> randomContents(bool weights) const;
    std::vector<HistogramContent> headContents(bool weights) const;
    std::optional<std::pair<double, double>> commonRange() const;

    JobRunner m_sampling;
    QSlider* m_powers = nullptr; // of two
    QSpinBox* m_width = nullptr;
    QSpinBox* m_keys = nullptr;
    QSpinBox* m_seed = nullptr;
    QCheckBox* m_common = nullptr;
    QComboBox* m_site = nullptr;
    QComboBox* m_head = nullptr;
    QLabel* m_note = nullptr;
    FigureCanvas* m_canvas = nullptr;
    std::shared_ptr<const SamplingExperiment> m_sample;
    std::optional<Question> m_asked; // what m_sentence is of
    std::shared_ptr<const ScoredSentence> m_sentence;
    std::shared_ptr<const HeadScoresExperiment> m_read; // of a head
};

} // namespace attn::ui
