// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>
#include <QTimer>
#include <QWidget>

namespace attn::ui {

// Light on a place of a widget, for a moment: all else is darker. A click goes through it and ends it.
class Spotlight final : public QWidget
{
    Q_OBJECT

public:
    explicit Spotlight(QWidget& over); // which owns it

    void shine(const QRectF& place);
    const QRectF& place() const { return m_place; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QRectF m_place;
    QTimer m_end;
};

} // namespace attn::ui
