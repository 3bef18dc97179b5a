// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/heard_sound.h"

#include "base/index.h"
#include "figures/look/color_map.h"
#include "figures/look/saved_painter.h"
#include "media/sound_processor.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

using Samples = std::shared_ptr<const std::vector<float>>;

constexpr double usualHop = 0.01; // seconds
constexpr double windowHops = 2.5;
constexpr double longestColumn = 1; // seconds; files may say anything
constexpr double shownRange = 2; // of a spectrogram's 8 / 4 powers of ten, below the loudest

// The samples.
bool areKnown(const SourceMedia* media)
{
    return media != nullptr && media->audio && !media->audio->empty() && media->rate > 0;
}

SoundProcessor processorOf(int rate, double columnSeconds, Index samples)
{
    SoundProcessor processor;
    processor.rate = rate;
    processor.hop =
        std::max(1, static_cast<int>(std::lround((columnSeconds > 0 ? columnSeconds / 2 : usualHop) * rate)));
    processor.window = std::max(2, static_cast<int>(windowHops * processor.hop));
    processor.seconds = std::max(1, (samples + rate - 1) / rate);
    return processor;
}

// The spectrogram that was made last: figures on one sound make it once.
struct MadeSpectrogram
{
    std::mutex mutex;
    std::weak_ptr<const std::vector<float>> samples;
    QImage levels;
};

MadeSpectrogram& madeSpectrogram()
{
    static MadeSpectrogram made;
    return made;
}

QImage madeOf(const Samples& samples) // null: it is another's
{
    MadeSpectrogram& made = madeSpectrogram();
    const std::lock_guard lock(made.mutex);
    return made.samples.lock() == samples ? made.levels : QImage();
}

// Shares of the range that is shown, 0 to 255, a dot for each band and frame.
QImage spectrogramOf(const Samples& samples, const SoundProcessor& processor)
{
    if (const QImage known = madeOf(samples); !known.isNull())
        return known;
    const Numbers levels = logMelSpectrogram(processor, *samples);
    const int frames = std::clamp(indexSize(*samples) / processor.hop, 1, levels.columns);
    float most = levels.at(0, 0);
    for (int band = 0; band < levels.rows; ++band) {
        for (int frame = 0; frame < frames; ++frame)
            most = std::max(most, levels.at(band, frame));
    }
    QImage image(frames, levels.rows, QImage::Format_Grayscale8);
    for (int band = 0; band < levels.rows; ++band) {
        uchar* const line = image.scanLine(levels.rows - 1 - band);
        for (int frame = 0; frame < frames; ++frame) {
            const double below = static_cast<double>(most - levels.at(band, frame));
            line[frame] = static_cast<uchar>(std::lround(255 * std::clamp(1 - below / shownRange, 0.0, 1.0)));
        }
    }
    MadeSpectrogram& made = madeSpectrogram();
    const std::lock_guard lock(made.mutex);
    made.samples = samples;
    made.levels = image;
    return image;
}

} // namespace

HeardSound::HeardSound(std::shared_ptr<const SourceMedia> media, const Encoding& tokens)
    : m_media(std::move(media))
{
    double end = 0;
    double column = 0;
    for (const TimeSpan& time : tokens.times) {
        if (!time.isPlace())
            continue;
        end = std::max(end, static_cast<double>(time.end));
        column = std::clamp(static_cast<double>(time.end - time.begin), 0.0, longestColumn);
    }
    m_seconds = hasSamples() ? static_cast<double>(m_media->audio->size()) / m_media->rate : end;
    if (!(m_seconds > 0))
        m_seconds = 1;
    if (hasSamples())
        m_levels = spectrogramOf(m_media->audio, processorOf(m_media->rate, column, indexSize(*m_media->audio)));
}

bool HeardSound::hasSamples() const
{
    return areKnown(m_media.get());
}

void paintWave(QPainter& painter, const SourceMedia* media, const QRectF& frame, const FigureStyle& style)
{
    painter.fillRect(frame, areKnown(media) ? style.colors.background : style.colors.blank);
    if (!areKnown(media))
        return;
    const std::vector<float>& samples = *media->audio;
    const auto loudest = std::ranges::max(samples, {}, [](float sample) { return std::abs(sample); });
    const double scale = frame.height() / 2 / std::max(1e-4, static_cast<double>(std::abs(loudest)));
    const int dots = std::max(1, static_cast<int>(frame.width()));
    QPolygonF above;
    QPolygonF below;
    for (int dot = 0; dot < dots; ++dot) {
        const auto begin = samples.size() * static_cast<std::size_t>(dot) / static_cast<std::size_t>(dots);
        const auto end =
            std::max(begin + 1, samples.size() * static_cast<std::size_t>(dot + 1) / static_cast<std::size_t>(dots));
        const auto [low, high] =
            std::minmax_element(samples.begin() + static_cast<std::ptrdiff_t>(begin),
                                samples.begin() + static_cast<std::ptrdiff_t>(std::min(end, samples.size())));
        const double x = frame.left() + (dot + 0.5) * frame.width() / dots;
        above << QPointF(x, frame.center().y() - static_cast<double>(*high) * scale - 0.5);
        below.prepend(QPointF(x, frame.center().y() - static_cast<double>(*low) * scale + 0.5));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(style.colors.muted);
    painter.drawPolygon(above + below);
}

void HeardSound::paintSpectrogram(QPainter& painter, const QRectF& frame, const FigureStyle& style) const
{
    if (!hasSamples()) {
        painter.fillRect(frame, style.colors.blank);
        return;
    }
    const SavedPainter saved(painter);
    std::vector<QRgb> colors;
    for (int level = 0; level < 256; ++level)
        colors.push_back(mixed(style.colors.background, style.colors.ink, level / 255.0).rgb());
    QImage shown(m_levels.size(), QImage::Format_RGB32);
    for (int y = 0; y < shown.height(); ++y) {
        const uchar* const from = m_levels.constScanLine(y);
        auto* const line = reinterpret_cast<QRgb*>(shown.scanLine(y)); // NOLINT: the documented way to write a line
        for (int x = 0; x < shown.width(); ++x)
            line[x] = colors[from[x]];
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(frame, shown);
}

std::size_t heardCost(const SourceMedia* media)
{
    constexpr std::size_t ofSample = 4;
    const bool made = media == nullptr || !media->audio || !madeOf(media->audio).isNull();
    return made ? 0 : ofSample * media->audio->size();
}

} // namespace attn::ui
