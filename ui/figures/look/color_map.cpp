// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/color_map.h"

#include "figures/look/rows.h"

#include <algorithm>
#include <cmath>

namespace attn::ui {

namespace {

// Control colours at equal distances, read off the published maps: viridis and magma (Smith and van der Walt 2015,
// CC0), cividis (Nunez et al. 2018), and the blue-white-red of ColorBrewer's RdBu (Apache-2.0) reversed.
constexpr QRgb viridis[] = {0xff440154, 0xff482878, 0xff3e4a89, 0xff31688e, 0xff26828e,
                            0xff1f9e89, 0xff35b779, 0xff6ece58, 0xffb5de2b, 0xfffde725};
constexpr QRgb magma[] = {0xff000004, 0xff180f3d, 0xff440f76, 0xff721f81, 0xff9e2f7f,
                          0xffcd4071, 0xfff1605d, 0xfffd9668, 0xfffeca8d, 0xfffcfdbf};
constexpr QRgb cividis[] = {0xff00224e, 0xff123570, 0xff3b496c, 0xff575d6d, 0xff707173,
                            0xff8a8678, 0xffa59c74, 0xffc3b369, 0xffe1cc55, 0xfffee838};
// The paper, white or the dark theme's background, to a hue far from it in lightness, which changes evenly in CIELAB:
// 100 to 16 on white, 12 to 95 in the dark.
constexpr QRgb ink[] = {0xffffffff, 0xffcef0ff, 0xff9edffe, 0xff78ccf7, 0xff54b9ee, 0xff31a5e2, 0xff0c91d3,
                        0xff007cc0, 0xff0868aa, 0xff1a5591, 0xff224275, 0xff233158, 0xff1f223c};
constexpr QRgb inkDark[] = {0xff1e1f22, 0xff232d47, 0xff203e65, 0xff085183, 0xff006497, 0xff0378a9, 0xff008cbc,
                            0xff03a1ce, 0xff04b6e0, 0xff23cbef, 0xff65def6, 0xff97f0fd, 0xffdcfdff};
constexpr QRgb blues[] = {0xffffffff, 0xffdeecfe, 0xffbcdaff, 0xff99c7ff, 0xff71b5ff, 0xff42a2fb, 0xff178feb,
                          0xff057dd3, 0xff006ab9, 0xff0058a0, 0xff004786, 0xff103768, 0xff162748};
constexpr QRgb bluesDark[] = {0xff1e1f22, 0xff1c2d4c, 0xff123e6c, 0xff004f88, 0xff01619e, 0xff0173b5, 0xff0386cc,
                              0xff009ae3, 0xff03aef9, 0xff59c0ff, 0xff8dd1ff, 0xffb9e2fe, 0xffe2f3ff};
constexpr QRgb greys[] = {0xffffffff, 0xff000000};
constexpr QRgb greysDark[] = {0xff1e1f22, 0xffffffff};
constexpr QRgb diverging[] = {0xff053061, 0xff2166ac, 0xff4393c3, 0xff92c5de, 0xffd1e5f0, 0xfff7f7f7,
                              0xfffddbc7, 0xfff4a582, 0xffd6604d, 0xffb2182b, 0xff67001f};

constexpr ColorMapRow rows[] = {{"ink", QT_TRANSLATE_NOOP("attn::ui", "Ink on paper"), ink, inkDark},
                                {"viridis", QT_TRANSLATE_NOOP("attn::ui", "Viridis"), viridis},
                                {"magma", QT_TRANSLATE_NOOP("attn::ui", "Magma"), magma},
                                {"cividis", QT_TRANSLATE_NOOP("attn::ui", "Cividis"), cividis},
                                {"blues", QT_TRANSLATE_NOOP("attn::ui", "Blues"), blues, bluesDark},
                                {"greys", QT_TRANSLATE_NOOP("attn::ui", "Greys"), greys, greysDark},
                                {"diverging", QT_TRANSLATE_NOOP("attn::ui", "Diverging"), diverging}};

// Differences: in the middle the paper of a theme, blue below it and red above it, away from the paper alike.
constexpr QRgb differenceLight[] = {0xff053061, 0xff2166ac, 0xff4393c3, 0xff92c5de, 0xffd1e5f0, 0xffffffff,
                                    0xfffddbc7, 0xfff4a582, 0xffd6604d, 0xffb2182b, 0xff67001f};
constexpr QRgb differenceDark[] = {0xffd0e6ff, 0xff8cc4ff, 0xff4d94e0, 0xff31639c, 0xff264163, 0xff1e1f22,
                                   0xff573229, 0xff94482f, 0xffd9653c, 0xffff9d73, 0xffffdccb};

void fillBetween(std::span<const QRgb> controls, std::span<QRgb> table)
{
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double at =
            static_cast<double>(i) / static_cast<double>(table.size() - 1) * static_cast<double>(controls.size() - 1);
        const auto low = std::min(static_cast<std::size_t>(at), controls.size() - 2);
        const double part = at - static_cast<double>(low);
        const auto mix = [part](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * part)); };
        const QRgb a = controls[low];
        const QRgb b = controls[low + 1];
        table[i] = qRgb(mix(qRed(a), qRed(b)), mix(qGreen(a), qGreen(b)), mix(qBlue(a), qBlue(b)));
    }
}

ColorTable interpolate(std::span<const QRgb> controls)
{
    ColorTable table{};
    fillBetween(controls, table);
    return table;
}

// The middle colour stands twice in the middle of the table, so that zero has it exactly.
ColorTable interpolateHalves(std::span<const QRgb> controls)
{
    ColorTable table{};
    const std::size_t middle = controls.size() / 2;
    const std::span all(table);
    fillBetween(controls.first(middle + 1), all.first(table.size() / 2));
    fillBetween(controls.subspan(middle), all.subspan(table.size() / 2));
    return table;
}

// They follow those that can be chosen, by theme; and what is shown of those in the dark theme follows them.
constexpr std::span<const QRgb> differences[] = {differenceLight, differenceDark};

} // namespace

std::span<const ColorMapRow> colorMaps()
{
    return rows;
}

ColorMapName divergingColors()
{
    return colorMapFromName(QStringLiteral("diverging"));
}

ColorMapName differenceColors(Theme theme)
{
    return static_cast<ColorMapName>(std::size(rows) + static_cast<std::size_t>(theme));
}

ColorMapName shownColors(ColorMapName name, Theme theme)
{
    const auto row = static_cast<std::size_t>(name);
    const bool changes = theme == Theme::Dark && row < std::size(rows) && !rows[row].dark.empty();
    return changes ? static_cast<ColorMapName>(std::size(rows) + std::size(differences) + row) : name;
}

const ColorTable& colorTable(ColorMapName name)
{
    static const auto tables = [] {
        std::array<ColorTable, 2 * std::size(rows) + std::size(differences)> all{};
        auto* next = std::transform(std::begin(rows), std::end(rows), all.data(),
                                    [](const ColorMapRow& row) { return interpolate(row.controls); });
        next = std::transform(std::begin(differences), std::end(differences), next, interpolateHalves);
        std::transform(std::begin(rows), std::end(rows), next,
                       [](const ColorMapRow& row) { return interpolate(row.dark.empty() ? row.controls : row.dark); });
        return all;
    }();
    return tables.at(static_cast<std::size_t>(name));
}

QColor colorAt(ColorMapName name, double fraction)
{
    const double clamped = fraction > 0 ? std::min(fraction, 1.0) : 0;
    return QColor::fromRgb(colorTable(name)[std::lround(clamped * 255)]);
}

QColor mixed(const QColor& ground, const QColor& ink, double share)
{
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return {mix(ground.red(), ink.red()), mix(ground.green(), ink.green()), mix(ground.blue(), ink.blue())};
}

ColorMapName colorMapFromName(const QString& id)
{
    return static_cast<ColorMapName>(rowNamed(colorMaps(), id.toStdString(), "--colormap"));
}

} // namespace attn::ui
