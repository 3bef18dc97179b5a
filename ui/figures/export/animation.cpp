// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "figures/export/export_forms.h"
#include "figures/figure.h"

#include <QHash>
#include <QRect>

#include <algorithm>
#include <array>
#include <cstdint>
#include <gif_lib.h>
#include <memory>
#include <utility>

namespace attn::ui {

namespace {

constexpr std::size_t paletteSize = 256;
constexpr std::size_t mostApart = 8192; // colours of drawings, of which the most frequent are taken

struct Palette
{
    std::vector<QRgb> colors;
    QHash<QRgb, std::uint8_t> places; // of every colour that was looked up

    std::uint8_t placeOf(QRgb color)
    {
        const auto known = places.constFind(color);
        if (known != places.constEnd())
            return *known;
        const auto distance = [color](QRgb other) {
            const int red = qRed(color) - qRed(other);
            const int green = qGreen(color) - qGreen(other);
            const int blue = qBlue(color) - qBlue(other);
            return 3 * red * red + 6 * green * green + blue * blue; // about as the eye sees it
        };
        const auto nearest =
            std::min_element(colors.begin(), colors.end(), [&](QRgb a, QRgb b) { return distance(a) < distance(b); });
        return places[color] = static_cast<std::uint8_t>(nearest - colors.begin());
    }
};

// Colours of photographs: those that are alike are one, their mean; each with how often it is there, negative.
std::vector<std::pair<qint64, QRgb>> mixedColors(const std::vector<std::pair<qint64, QRgb>>& colors)
{
    struct Sum
    {
        qint64 count = 0;
        std::array<qint64, 3> parts{};
    };
    constexpr QRgb alike = 0xF0F0F0;
    QHash<QRgb, Sum> sums;
    for (const auto& [count, color] : colors) {
        Sum& sum = sums[color & alike];
        sum.count += count;
        sum.parts[0] += count * qRed(color);
        sum.parts[1] += count * qGreen(color);
        sum.parts[2] += count * qBlue(color);
    }
    std::vector<std::pair<qint64, QRgb>> mixed;
    for (const Sum& sum : std::as_const(sums)) {
        const auto mean = [&sum](std::size_t part) { return static_cast<int>(sum.parts[part] / sum.count); };
        mixed.emplace_back(sum.count, qRgb(mean(0), mean(1), mean(2)));
    }
    return mixed;
}

Palette paletteOf(const std::vector<QImage>& frames, const std::stop_token& stop)
{
    QHash<QRgb, qint64> counts;
    for (const QImage& frame : frames) {
        for (int y = 0; y < frame.height(); ++y) {
            throwIfStopped(stop);
            for (int x = 0; x < frame.width(); ++x)
                ++counts[frame.pixel(x, y)];
        }
    }
    std::vector<std::pair<qint64, QRgb>> colors;
    for (auto at = counts.constBegin(); at != counts.constEnd(); ++at)
        colors.emplace_back(-at.value(), at.key());
    if (colors.size() > mostApart)
        colors = mixedColors(colors);
    std::sort(colors.begin(), colors.end());
    Palette palette;
    for (std::size_t i = 0; i < std::min(colors.size(), paletteSize); ++i)
        palette.colors.push_back(colors[i].second);
    return palette;
}

// Where two pictures differ; never empty.
QRect changedPart(const QImage& before, const QImage& now)
{
    QRect part;
    for (int y = 0; y < now.height(); ++y) {
        int first = 0;
        int last = now.width() - 1;
        const auto differs = [&](int x) { return before.pixel(x, y) != now.pixel(x, y); };
        while (first <= last && !differs(first))
            ++first;
        while (last > first && !differs(last))
            --last;
        if (first <= last)
            part |= QRect(QPoint(first, y), QPoint(last, y));
    }
    return part.isEmpty() ? QRect(0, 0, 1, 1) : part;
}

void checkGif(int result)
{
    if (result != GIF_OK)
        throw Error(ErrorKind::Resource, "GIF", Figure::tr("cannot be written").toStdString(),
                    Figure::tr("choose fewer dots per inch").toStdString());
}

struct GifCloser
{
    void operator()(GifFileType* gif) const { EGifCloseFile(gif, nullptr); }
};

void putFrame(GifFileType& gif, const QImage& frame, const QRect& part, std::chrono::milliseconds time,
              Palette& palette)
{
    GraphicsControlBlock control{};
    control.DisposalMode = DISPOSE_DO_NOT;
    control.DelayTime = static_cast<int>(time.count() / 10);
    control.TransparentColor = NO_TRANSPARENT_COLOR;
    std::array<GifByteType, 4> block{};
    EGifGCBToExtension(&control, block.data());
    checkGif(EGifPutExtension(&gif, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(block.size()), block.data()));
    checkGif(EGifPutImageDesc(&gif, part.x(), part.y(), part.width(), part.height(), false, nullptr));
    std::vector<GifPixelType> line(static_cast<std::size_t>(part.width()));
    for (int y = part.top(); y <= part.bottom(); ++y) {
        for (int x = part.left(); x <= part.right(); ++x)
            line[static_cast<std::size_t>(x - part.left())] = palette.placeOf(frame.pixel(x, y));
        checkGif(EGifPutLine(&gif, line.data(), part.width()));
    }
}

} // namespace

QByteArray gifOf(const std::vector<QImage>& frames, const std::vector<std::chrono::milliseconds>& times,
                 const FigureProvenance& provenance, const std::stop_token& stop)
{
    QByteArray bytes;
    Palette palette = paletteOf(frames, stop);
    std::array<GifColorType, paletteSize> colors{};
    for (std::size_t i = 0; i < palette.colors.size(); ++i) {
        const QRgb color = palette.colors[i];
        colors[i] = {static_cast<GifByteType>(qRed(color)), static_cast<GifByteType>(qGreen(color)),
                     static_cast<GifByteType>(qBlue(color))};
    }
    const auto append = [](GifFileType* gif, const GifByteType* data, int size) {
        static_cast<QByteArray*>(gif->UserData)->append(reinterpret_cast<const char*>(data), size); // NOLINT: its bytes
        return size;
    };
    int problem = 0;
    std::unique_ptr<GifFileType, GifCloser> gif(EGifOpen(&bytes, append, &problem));
    if (!gif)
        checkGif(GIF_ERROR);
    const std::unique_ptr<ColorMapObject, decltype(&GifFreeMapObject)> map(
        GifMakeMapObject(static_cast<int>(paletteSize), colors.data()), GifFreeMapObject);
    EGifSetGifVersion(gif.get(), true);
    const QSize size = frames.front().size();
    checkGif(EGifPutScreenDesc(gif.get(), size.width(), size.height(), 8, 0, map.get()));
    checkGif(EGifPutComment(gif.get(), provenanceLines(provenance).constData()));
    // Again and again, as browsers know it from Netscape.
    constexpr std::array<GifByteType, 3> endless = {1, 0, 0};
    checkGif(EGifPutExtensionLeader(gif.get(), APPLICATION_EXT_FUNC_CODE));
    checkGif(EGifPutExtensionBlock(gif.get(), 11, "NETSCAPE2.0"));
    checkGif(EGifPutExtensionBlock(gif.get(), static_cast<int>(endless.size()), endless.data()));
    checkGif(EGifPutExtensionTrailer(gif.get()));
    for (std::size_t i = 0; i < frames.size(); ++i) {
        throwIfStopped(stop);
        putFrame(*gif, frames[i], i == 0 ? frames[i].rect() : changedPart(frames[i - 1], frames[i]), times.at(i),
                 palette);
    }
    gif.reset(); // writes the end
    return bytes;
}

} // namespace attn::ui
