// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/figure_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QToolButton>
#include <QWidget>

#include <vector>

namespace attn::ui {

// Above all heads: what they are ordered and labelled by, and what is shown of those that are picked.
class HeadBar final : public QWidget
{
    Q_OBJECT

public:
    explicit HeadBar(const ViewContext& context);

private:
    QComboBox* addChoice(const char* key);
    void addReading(const Reading& reading);
    QToolButton* addButton(const QString& name, const QString& text);
    void refresh();

    ViewContext m_context;
    std::vector<std::pair<const OptionRow<FigureChoices>*, QComboBox*>> m_choices;
    QCheckBox* m_leastFirst = nullptr;
    QLabel* m_picked = nullptr;
    std::vector<std::pair<const Reading*, QToolButton*>> m_readings; // of picked heads
    QToolButton* m_none = nullptr;
};

} // namespace attn::ui
