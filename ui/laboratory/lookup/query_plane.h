// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/charts/key_plane_figure.h"
#include "views/figure_canvas.h"

namespace attn::ui {

// The plane of keys, in which the query follows the mouse and the arrow keys. Near the end of a key it snaps to it.
class QueryPlane final : public FigureCanvas
{
    Q_OBJECT

public:
    explicit QueryPlane(QWidget* parent = nullptr);

    void show(const FigureSpec& spec, const LookupContent& content);
    const KeyPlaneFigure* plane() const; // null before the first layout

Q_SIGNALS:
    void queryMoved(double x, double y);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    using QWidget::show;

    void moveTo(QPointF point);

    FigureSpec m_spec;
    LookupContent m_content;
    bool m_dragging = false;
};

} // namespace attn::ui
