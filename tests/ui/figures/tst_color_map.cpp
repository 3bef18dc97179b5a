// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "figures/look/theme.h"
#include "figures/look/value_scale.h"
#include "maps/map_range.h"
#include "support/test_program.h"
#include "support/verify_error.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

using namespace attn::ui;

namespace {

// What is seen of linear red, green and blue with all cones, and without those of long, middle and short waves
// (Machado, Oliveira and Fernandes 2009).
using EyeMatrix = std::array<std::array<double, 3>, 3>;
constexpr EyeMatrix eyeMatrices[] = {
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}};

// Relative luminance of a colour of a table, to such eyes.
double seen(const ColorTable& table, int entry, const EyeMatrix& eyes)
{
    const QRgb color = table[static_cast<std::size_t>(entry)];
    const auto linear = [](int byte) {
        const double value = byte / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    const double rgb[] = {linear(qRed(color)), linear(qGreen(color)), linear(qBlue(color))};
    const double weights[] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
        sum += weights[i] * std::clamp(eyes[i][0] * rgb[0] + eyes[i][1] * rgb[1] + eyes[i][2] * rgb[2], 0.0, 1.0);
    return sum;
}

double lightness(double y) // CIE L*
{
    return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

// CIE L*a*b* of a colour, to such eyes.
std::array<double, 3> perceived(const QColor& color, const EyeMatrix& eyes)
{
    const auto linear = [](double value) {
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    const double rgb[] = {linear(color.red() / 255.0), linear(color.green() / 255.0), linear(color.blue() / 255.0)};
    double eye[3] = {};
    for (std::size_t i = 0; i < 3; ++i)
        eye[i] = std::clamp(eyes[i][0] * rgb[0] + eyes[i][1] * rgb[1] + eyes[i][2] * rgb[2], 0.0, 1.0);
    const auto part = [](double t) { return (lightness(t) + 16) / 116; };
    const double x = part((0.4124 * eye[0] + 0.3576 * eye[1] + 0.1805 * eye[2]) / 0.9505);
    const double y = part(0.2126 * eye[0] + 0.7152 * eye[1] + 0.0722 * eye[2]);
    const double z = part((0.0193 * eye[0] + 0.1192 * eye[1] + 0.9505 * eye[2]) / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

} // namespace

class TestColorMap : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyoneTellsQueriesKeysAndValuesApart()
    {
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            const ThemeColors colors = themeColors(theme);
            const QColor roles[] = {colors.query, colors.key, colors.value};
            for (const EyeMatrix& eyes : eyeMatrices) {
                for (std::size_t i = 0; i < 3; ++i) {
                    const auto one = perceived(roles[i], eyes);
                    const auto other = perceived(roles[(i + 1) % 3], eyes);
                    QVERIFY(std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]) > 24);
                }
            }
        }
    }

    // The first eight to everybody's eyes.
    void headsAreToldApart()
    {
        const auto distance = [](const QColor& a, const QColor& b, const EyeMatrix& eyes) {
            const auto one = perceived(a, eyes);
            const auto other = perceived(b, eyes);
            return std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
        };
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            for (int head = 1; head < 16; ++head) {
                for (int other = 0; other < head; ++other) {
                    const QColor colors[] = {headColor(head, theme), headColor(other, theme)};
                    const double apart = distance(colors[0], colors[1], eyeMatrices[0]);
                    QVERIFY2(apart > (head < 8 ? 30 : 17),
                             qPrintable(colors[0].name() + QLatin1Char(' ') + colors[1].name()));
                    for (const EyeMatrix& eyes : eyeMatrices)
                        QVERIFY(head >= 8 || distance(colors[0], colors[1], eyes) > 8);
                }
            }
        }
    }

    void endsAreThePublishedColours()
    {
        QCOMPARE(colorAt(colorMapFromName(QStringLiteral("viridis")), 0), QColor(0x44, 0x01, 0x54));
        QCOMPARE(colorAt(colorMapFromName(QStringLiteral("viridis")), 1), QColor(0xfd, 0xe7, 0x25));
        QCOMPARE(colorAt(colorMapFromName(QStringLiteral("magma")), 0), QColor(0x00, 0x00, 0x04));
        QCOMPARE(colorAt(colorMapFromName(QStringLiteral("cividis")), 1), QColor(0xfe, 0xe8, 0x38));
        QCOMPARE(colorAt(colorMapFromName(QStringLiteral("greys")), 1), QColor(0, 0, 0));
    }

    void sequentialMapsAreMonotoneInLuminance()
    {
        for (const ColorMapName name :
             {colorMapFromName(QStringLiteral("viridis")), colorMapFromName(QStringLiteral("magma")),
              colorMapFromName(QStringLiteral("cividis"))}) {
            double last = -1;
            for (const QRgb entry : colorTable(name)) {
                const double now = luminance(QColor::fromRgb(entry));
                QVERIFY2(now >= last - 2e-3, colorMaps()[static_cast<std::size_t>(name)].id);
                last = std::max(last, now);
            }
        }
    }

    // The paper at zero, and from there evenly lighter or darker, to everybody's eyes.
    void zeroIsThePaper()
    {
        constexpr double furthestFromEven = 2; // of CIE L*, whose scale is 0 to 100
        constexpr double farthestEnd = 80; // how far they reach at least
        for (const char* name : {"ink", "blues"}) {
            for (const Theme theme : {Theme::Light, Theme::Dark}) {
                const ColorMapName map = shownColors(colorMapFromName(QLatin1String(name)), theme);
                QCOMPARE(colorAt(map, 0), themeColors(theme).background);
                for (const auto& eyes : eyeMatrices) {
                    const auto lightnessAt = [&](int entry) { return lightness(seen(colorTable(map), entry, eyes)); };
                    const double span = lightnessAt(255) - lightnessAt(0);
                    QVERIFY2(std::abs(span) > farthestEnd, name);
                    double worst = 0;
                    for (int entry = 1; entry < 256; ++entry) {
                        const double even = lightnessAt(0) + span * entry / 255;
                        worst = std::max(worst, std::abs(lightnessAt(entry) - even));
                        QVERIFY2((lightnessAt(entry) - lightnessAt(entry - 1)) / span > -1e-3, name);
                    }
                    const bool usual = &eyes == &eyeMatrices[0];
                    QVERIFY2(worst < (usual ? furthestFromEven : 3 * furthestFromEven),
                             qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(name)).arg(worst)));
                }
            }
        }
        QCOMPARE(colorAt(shownColors(colorMapFromName(QStringLiteral("greys")), Theme::Dark), 0),
                 themeColors(Theme::Dark).background);
        QCOMPARE(shownColors(colorMapFromName(QStringLiteral("viridis")), Theme::Dark),
                 colorMapFromName(QStringLiteral("viridis")));
    }

    void divergingMapIsBrightestInTheMiddle()
    {
        const double middle = luminance(colorAt(divergingColors(), 0.5));
        QVERIFY(middle > 0.85);
        QVERIFY(luminance(colorAt(divergingColors(), 0)) < 0.1);
        QVERIFY(luminance(colorAt(divergingColors(), 1)) < 0.1);
        QVERIFY(colorAt(divergingColors(), 1).red() > colorAt(divergingColors(), 1).blue());
    }

    void fractionsOutsideAreClamped()
    {
        QCOMPARE(colorAt(colorMapFromName(QStringLiteral("magma")), -3),
                 colorAt(colorMapFromName(QStringLiteral("magma")), 0));
        QCOMPARE(colorAt(colorMapFromName(QStringLiteral("magma")), 7),
                 colorAt(colorMapFromName(QStringLiteral("magma")), 1));
        QCOMPARE(colorAt(colorMapFromName(QStringLiteral("magma")), std::numeric_limits<double>::quiet_NaN()),
                 colorAt(colorMapFromName(QStringLiteral("magma")), 0));
    }

    void numbersHaveAMinusSignAndNoMinusZero()
    {
        QCOMPARE(decimal(-0.004, 2), QStringLiteral("0.00"));
        QCOMPARE(decimal(-0.0, 0), QStringLiteral("0"));
        QCOMPARE(decimal(-0.006, 2), QStringLiteral("\u22120.01"));
        QCOMPARE(decimal(12.345, 1), QStringLiteral("12.3"));
        QCOMPARE(significant(-0.0, 3), QStringLiteral("0"));
        QCOMPARE(significant(-0.00001234, 3), QStringLiteral("\u22121.23e\u221205"));
        QCOMPARE(decimal(-std::numeric_limits<double>::infinity(), 2), QStringLiteral("\u2212\u221e"));
    }

    void namesReadBack()
    {
        for (const ColorMapRow& row : colorMaps())
            QCOMPARE(&colorMaps()[static_cast<std::size_t>(colorMapFromName(QLatin1String(row.id)))], &row);
        attn::test::verifyError(attn::ErrorKind::Input, {"cividis"}, [&] { colorMapFromName(QStringLiteral("jet")); });
    }

    void themesAreNamedByTheirRows()
    {
        for (const ThemeRow& row : themeRows)
            QCOMPARE(&themeRows[static_cast<std::size_t>(themeFromName(row.id))], &row);
        QCOMPARE(themeFromName("dark"), Theme::Dark);
        attn::test::verifyError({"light, dark"}, [&] { (void)themeFromName("%1"); });
    }

    void weightScaleEndsAtARoundNumber()
    {
        const auto end = [](std::vector<float> weights) { return weightScaleEnd(weights); };
        QCOMPARE(end({}), 1.0);
        QCOMPARE(end({0, 0}), 1.0);
        QCOMPARE(end({0.1F, 0.9F}), 1.0);
        QCOMPARE(end({0.1F, 0.44F}), 0.5);
        QCOMPARE(end({0.013F}), 0.015);
        QCOMPARE(end({std::numeric_limits<float>::quiet_NaN(), 0.3F}), 0.3);
        QVERIFY(end({1.7F}) >= 1.7);
    }

    void aRangeIsOneOfNumbers()
    {
        constexpr float none = std::numeric_limits<float>::quiet_NaN();
        constexpr float infinite = std::numeric_limits<float>::infinity();
        const auto range = rangeOfNumbers(std::vector<float>{none, -infinite, -2, 3, infinite, -1, none});
        QVERIFY(range.has_value());
        QCOMPARE(range->least, -2.0);
        QCOMPARE(range->most, 3.0);
        QVERIFY(!rangeOfNumbers(std::vector<float>{none, infinite}).has_value());
    }

    void ticksAreRoundAndInside()
    {
        const std::vector<double> unit = ticks(0, 1);
        QCOMPARE(unit.size(), std::size_t{6});
        QCOMPARE(tickText(unit[1], unit), QStringLiteral("0.2"));
        const std::vector<double> signedTicks = ticks(-1, 1);
        QCOMPARE(tickText(signedTicks.front(), signedTicks), QStringLiteral("\u22121.0"));
        for (const double most : {0.003, 0.4, 17.0, 2.5e7}) {
            const auto found = ticks(0, most);
            QVERIFY(found.size() >= 3 && found.size() <= 7);
            QVERIFY(found.front() >= 0 && found.back() <= most * (1 + 1e-9));
        }
        QCOMPARE(ticks(2, 2).size(), std::size_t{1});
        for (const double least : {1.0, 0.3, -7e5}) { // where the next number is more than a step away
            const double most = std::nextafter(least, 1e9);
            const auto found = ticks(least, most);
            QVERIFY(!found.empty() && found.size() <= 2);
            QVERIFY(found.front() >= least && found.back() <= most);
        }
    }

    void textContrastIsReadable()
    {
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            const ThemeColors colors = themeColors(theme);
            for (const QColor& text : {colors.ink, colors.accent, colors.generated, colors.more, colors.less})
                QVERIFY(contrast(text, foundGround(colors)) >= 4.5);
            for (const QColor& text : {colors.ink, colors.muted, colors.accent}) {
                QVERIFY(contrast(text, colors.background) >= 4.5);
                QVERIFY(contrast(text, colors.blank) >= 4.5);
            }
        }
        // Numbers inside cells, whatever the cell's colour.
        for (int i = 0; i <= 255; ++i) {
            const QColor ground = QColor::fromRgb(colorTable(ColorMapName{})[static_cast<std::size_t>(i)]);
            QVERIFY(contrast(inkOn(ground), ground) >= 4.5);
        }
    }
};

ATTN_TEST(TestColorMap)
#include "tst_color_map.moc"
