// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>

namespace attn::ui {

// Says with an ellipsis that its text has no room; its list is as wide as the longest line, however narrow the box.
class ElidedComboBox : public QComboBox
{
    Q_OBJECT

public:
    explicit ElidedComboBox(QWidget* parent = nullptr);

    void showPopup() override;

protected:
    void initStyleOption(QStyleOptionComboBox* option) const override;
};

} // namespace attn::ui
