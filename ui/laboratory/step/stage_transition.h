// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <QVariantAnimation>

#include <cstdint>
#include <functional>

namespace attn::ui {

// The short way from one picture in a scroll area to the next: what was there fades, or the view glides to another
// place of it. What follows does not wait for it: the next change, and whoever scrolls, ends it. There is none where
// the style has no animations, as people ask who are troubled by motion.
class StageTransition final : public QObject
{
public:
    // Fade: always. Glide: to where the change has scrolled to; if it has not scrolled, the old picture fades.
    enum class How : std::uint8_t { Fade, Glide };

    explicit StageTransition(QScrollArea& area); // which owns it

    // Makes the change, which is complete when this returns, and shows the way to it.
    void over(const std::function<void()>& change, How how);

private:
    int duration() const; // milliseconds
    void fade(const QPixmap& before);
    void glide(int from, int to);
    void finish();

    QScrollArea& m_area;
    QVariantAnimation m_way; // 0 .. 1
    std::function<void(double)> m_show; // a moment of it
    QWidget* m_cover = nullptr; // over the area, while it fades
    int m_end = 0; // where the scroll bar comes to rest
    bool m_gliding = false;
};

} // namespace attn::ui
