// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/picture_figure.h"

#include <QPainter>

#include <algorithm>

namespace attn::ui {

PictureFigure::PictureFigure(QPicture picture, QSizeF recorded, QSizeF wanted, QColor ground, QString description)
    : m_picture(std::move(picture))
    , m_recorded(recorded)
    , m_size(wanted)
    , m_ground(ground)
    , m_description(std::move(description))
{
    if (m_size.height() <= 0)
        m_size.setHeight(recorded.height() * wanted.width() / std::max(1.0, recorded.width()));
}

void PictureFigure::paint(QPainter& painter, const Highlight&) const
{
    painter.fillRect(QRectF(QPointF(), m_size), m_ground);
    if (m_recorded.isEmpty())
        return;
    const double scale = std::min(m_size.width() / m_recorded.width(), m_size.height() / m_recorded.height());
    painter.save();
    painter.translate((m_size.width() - m_recorded.width() * scale) / 2,
                      (m_size.height() - m_recorded.height() * scale) / 2);
    painter.scale(scale, scale);
    QPicture picture = m_picture; // replaying moves its position
    // A picture is enlarged to the resolution of what it is played on; here figures are already.
    painter.scale(static_cast<double>(picture.logicalDpiX()) / painter.device()->logicalDpiX(),
                  static_cast<double>(picture.logicalDpiY()) / painter.device()->logicalDpiY());
    picture.play(&painter);
    painter.restore();
}

} // namespace attn::ui
