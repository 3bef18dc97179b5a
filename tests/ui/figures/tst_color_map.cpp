// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "figures/look/color_map.h"
#include "figures/look/color_scale.h"
#include "figures/look/decimal.h"
#include "figures/look/theme.h"

#include <QtTest>

#include <array>
#include <cmath>
#include <limits>

using namespace attn::ui;

class TestColorMap : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endsAreThePublishedColours()
    {
        QCOMPARE(colorAt(ColorMapName{}, 0), QColor(0x44, 0x01, 0x54));
        QCOMPARE(colorAt(ColorMapName{}, 1), QColor(0xfd, 0xe7, 0x25));
        QCOMPARE(colorAt(colorMapFromName(QStringLiteral("magma")), 0), QColor(0x00, 0x00, 0x04));
        QCOMPARE(colorAt(colorMapFromName(QStringLiteral("cividis")), 1), QColor(0xfe, 0xe8, 0x38));
        QCOMPARE(colorAt(colorMapFromName(QStringLiteral("greys")), 1), QColor(0, 0, 0));
    }

    void sequentialMapsAreMonotoneInLuminance()
    {
        for (const ColorMapName name :
             {ColorMapName{}, colorMapFromName(QStringLiteral("magma")), colorMapFromName(QStringLiteral("cividis"))}) {
            double last = -1;
            for (const QRgb entry : colorTable(name)) {
                const double now = luminance(QColor::fromRgb(entry));
                QVERIFY2(now >= last - 2e-3, colorMaps()[static_cast<std::size_t>(name)].id);
                last = std::max(last, now);
            }
        }
    }

    void bluesDarkenEvenly()
    {
        const auto lightness = [](int entry) { // CIE L*
            const double y =
                luminance(QColor::fromRgb(colorTable(colorMapFromName(QStringLiteral("blues")))[std::size_t(entry)]));
            return 116 * std::cbrt(y) - 16;
        };
        QVERIFY(std::abs(lightness(0) - 100) < 0.1);
        const double step = (lightness(0) - lightness(255)) / 255;
        for (int entry = 0; entry < 256; ++entry)
            QVERIFY2(std::abs(lightness(0) - step * entry - lightness(entry)) < 2, qPrintable(QString::number(entry)));
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
        try {
            colorMapFromName(QStringLiteral("jet"));
            QFAIL("an unknown name was taken");
        } catch (const attn::Error& error) {
            QCOMPARE(error.kind(), attn::ErrorKind::Input);
            QVERIFY(std::string(error.what()).find("cividis") != std::string::npos);
        }
    }

    void themesAreNamedByTheirRows()
    {
        for (const ThemeRow& row : themeRows)
            QCOMPARE(&themeRows[static_cast<std::size_t>(themeFromName(row.id))], &row);
        QCOMPARE(themeFromName("dark"), Theme::Dark);
        try {
            (void)themeFromName("%1");
            QFAIL("there is no such theme");
        } catch (const attn::Error& error) {
            QVERIFY2(QByteArray(error.what()).contains("light, dark"), error.what());
        }
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
    }

    void textContrastIsReadable()
    {
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            const ThemeColors colors = themeColors(theme);
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

QTEST_GUILESS_MAIN(TestColorMap)
#include "tst_color_map.moc"
