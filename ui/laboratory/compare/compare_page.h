// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/compare/comparison_figure.h"
#include "laboratory/laboratory_page.h"
#include "views/figure_canvas.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>

#include <array>
#include <memory>
#include <vector>

namespace attn::ui {

// One sentence through two to four models: side by side, or the difference of two.
class ComparePage final : public LaboratoryPage
{
    Q_OBJECT

public:
    explicit ComparePage(const LaboratoryContext& context, QWidget* parent = nullptr);

    std::optional<Exportable> exportable() const override;
    void activate() override;

    // What is on show; null before the first result.
    const Comparison* comparison() const { return m_comparison.get(); }

public Q_SLOTS:
    void run();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    static constexpr int slotCount = 4;

    void addSentence();
    void addModels();
    void addViews();
    void fillModels();
    QStringList chosen() const;
    void take(const std::vector<ComparedRun>& runs);
    void sayWhatWasNotRun();
    void fillViews();
    void redraw() override;
    void fitHeight();
    void describe();
    FigureLayout layOut() const;

    QLineEdit* m_sentence = nullptr;
    QPushButton* m_run = nullptr;
    QCheckBox* m_sameOutput = nullptr;
    QComboBox* m_view = nullptr; // data: pair of maps; side by side without
    std::array<QComboBox*, slotCount> m_models{};
    FigureCanvas* m_canvas = nullptr;
    QString m_taken; // the window's sentence when it was last looked at
    std::vector<ComparedRun> m_runs;
    std::shared_ptr<const Comparison> m_comparison;
};

} // namespace attn::ui
