// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/place_popup.h"
#include "views/number_box.h"

#include <QString>

namespace attn::ui {

// Asks for one number where the user looks; Enter gives it, Escape or a click elsewhere does not.
class ValuePopup final : public PlacePopup
{
    Q_OBJECT

public:
    ValuePopup(const QString& what, double value, QWidget* window);

    void openAt(QPoint position); // on the screen

Q_SIGNALS:
    void given(double value);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void give();

    NumberBox* m_box = nullptr;
};

} // namespace attn::ui
