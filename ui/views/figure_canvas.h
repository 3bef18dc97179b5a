// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/exportable.h"

#include <QWidget>

#include <functional>
#include <memory>

namespace attn::ui {

// Shows a figure that is made from anything, and says what is pointed at: hover, click, arrow keys and Enter over the
// cells of the figure.
class FigureCanvas : public QWidget
{
    Q_OBJECT

public:
    // Filling: the figure fills the widget. NaturalHeight: it is as high as it wants to be, for a scroll area.
    enum class Height : std::uint8_t { Filling, Natural };

    explicit FigureCanvas(Height height = Height::Filling, QWidget* parent = nullptr);
    ~FigureCanvas() override;

    void setFigure(FigureLayout layOut);
    // Null before the first layout.
    const Figure* figure() const { return m_figure.get(); }
    // Marks besides those of the pointer, such as a chosen row.
    void setMarks(const Highlight& marks);

    QSize sizeHint() const override { return {560, 400}; }
    QSize minimumSizeHint() const override { return {160, 120}; }

Q_SIGNALS:
    void hovered(const attn::ui::FigureHit& hit); // Part::Nothing when the pointer leaves
    void activated(const attn::ui::FigureHit& hit); // clicked, or Enter on the keyboard cell
    void painted();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void layOutNow();
    void hover(const FigureHit& hit);

    Height m_height;
    FigureLayout m_layOut;
    std::unique_ptr<const Figure> m_figure;
    bool m_dirty = true;
    Highlight m_marks;
    FigureHit m_hover;
    int m_cursorRow = -1;
    int m_cursorColumn = -1;
};

} // namespace attn::ui
