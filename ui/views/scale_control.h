// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"
#include "state/appearance.h"
#include "views/part_access.h"

#include <QPoint>
#include <QRectF>
#include <QWidget>

#include <optional>
#include <span>

class QToolButton;
class QMenu;

namespace attn::ui {

// Lies over the colour bar of a figure and is seen only while it is pointed at or has the keyboard. Its ends are
// dragged to set the range; a double click takes the usual one; a menu has everything else that is chosen of the scale.
class ScaleControl final : public QWidget, public PartSource
{
    Q_OBJECT

public:
    ScaleControl(Appearance& appearance, QWidget& view);

    // Where the figure on show has its bar; hidden where it has none.
    void follow(const std::optional<ScaleBar>& bar);

    // --- to assistive technology: the upper end and the lower one
    int partCount() const override { return 2; }
    AccessPart part(int index) const override;
    void setPart(int index, double value) override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool isUpright() const { return m_bar.box.height() > m_bar.box.width(); }
    double fractionAt(QPointF point) const; // may be beyond the ends
    ValueScale chosen() const; // which the figure on show may not have yet
    void setEnd(const ValueScale& from, bool upper, double fraction);
    void setEndTo(const ValueScale& from, bool upper, double value);
    QPointF endPoint(bool upper) const;
    void reset();
    void showMenu(QPoint position);
    void showParts();
    void tell();

    Appearance& m_appearance;
    QToolButton* m_button;
    ScaleBar m_bar; // its box in this widget
    struct Drag
    {
        ValueScale scale;
        QRectF box; // as they were
        bool upper = true;
        double from = 0; // fraction
    };
    std::optional<Drag> m_drag;
};

// Choices of colours and their range beside a colour bar, and elsewhere.
inline constexpr const char* scaleChoiceKeys[] = {"scale", "range", "range-without", "clip"};
// The rest that the View menu has of the rows of figureRows().
inline constexpr const char* viewChoiceKeys[] = {"zoomed-out", "margins"};

// A submenu for each of these rows, with what it offers; what is chosen is ticked.
void addChoiceMenus(QMenu& menu, Appearance& appearance, std::span<const char* const> keys);

} // namespace attn::ui
