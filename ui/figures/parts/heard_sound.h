// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "figures/look/style.h"
#include "trace/source_media.h"

#include <QImage>
#include <QRectF>

#include <cstddef>
#include <memory>

class QPainter;

namespace attn::ui {

// Loudness of a sound over a frame; grey without its samples.
void paintWave(QPainter& painter, const SourceMedia* media, const QRectF& frame, const FigureStyle& style);

// A sound that a model has heard, drawn from left to right over a frame. Without its samples it is grey.
class HeardSound
{
public:
    HeardSound() = default;
    // `tokens` are those that the sound is divided into.
    HeardSound(std::shared_ptr<const SourceMedia> media, const Encoding& tokens);

    double seconds() const { return m_seconds; }
    double at(double second, const QRectF& frame) const { return frame.left() + second / m_seconds * frame.width(); }

    void paintWave(QPainter& painter, const QRectF& frame, const FigureStyle& style) const
    {
        ui::paintWave(painter, m_media.get(), frame, style);
    }
    // Energy by frequency on the mel scale, high ones above.
    void paintSpectrogram(QPainter& painter, const QRectF& frame, const FigureStyle& style) const;

private:
    bool hasSamples() const;

    std::shared_ptr<const SourceMedia> m_media;
    double m_seconds = 1;
    QImage m_levels; // a dot for each band and frame
};

// Cost of the next HeardSound of it, as FigureKind::cost counts: its spectrogram is made once.
std::size_t heardCost(const SourceMedia* media);

} // namespace attn::ui
