// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/look/formula_layout.h"

#include <QWidget>

namespace attn::ui {

// Shows a formula, as large as the window's letters and in the colours of its theme; screen readers and the clipboard
// get its reading.
class FormulaLabel : public QWidget
{
    Q_OBJECT

public:
    explicit FormulaLabel(QWidget* parent = nullptr);

    void setFormula(const Formula& formula);
    const FormulaLayout& layOut() const { return m_layout; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; } // where it is narrow it is set smaller

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void set();

    Formula m_formula;
    FormulaLayout m_layout;
};

} // namespace attn::ui
