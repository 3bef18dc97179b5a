// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <QList>

namespace attn::ui {

// Widgets beside each other, in as many lines as they need.
class LineLayout final : public QLayout
{
public:
    using QLayout::QLayout;
    ~LineLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override { return index >= 0 && index < count() ? m_items.takeAt(index) : nullptr; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return laidOut({0, 0, width, 0}, false); }
    QSize minimumSize() const override;
    QSize sizeHint() const override;
    void setGeometry(const QRect& room) override;

private:
    // Returns the height that is needed.
    int laidOut(const QRect& room, bool places) const;

    QList<QLayoutItem*> m_items;
};

} // namespace attn::ui
