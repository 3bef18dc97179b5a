// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/npz.h"
#include "media/picture_processor.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>

using namespace attn;

namespace {

Picture pictureOf(const NpyArray& array)
{
    Picture picture{static_cast<Index>(array.shape().at(1)), static_cast<Index>(array.shape().at(0)), {}};
    for (const std::int64_t value : array.integers())
        picture.rgb.push_back(static_cast<std::uint8_t>(value));
    return picture;
}

} // namespace

// tests/data/resampling.npz: pictures, and what Pillow 9.4's resize makes of them, called NAME_FILTER by the filter's
// number.
class TestResampling : public QObject
{
    Q_OBJECT

private slots:
    void everyFilterGivesPillowsBytes_data()
    {
        test::addColumns<std::string, int>("name", "filter");
        for (const char* const name : {"down", "up", "unequal", "across", "one", "line", "large", "sharp"}) {
            for (const int filter : {1, 2, 3})
                QTest::addRow("%s %d", name, filter) << std::string(name) << filter;
        }
    }
    void everyFilterGivesPillowsBytes()
    {
        QFETCH(std::string, name);
        QFETCH(int, filter);
        const NpzReader stored(std::filesystem::path(ATTN_TEST_DATA) / "resampling.npz");
        const Picture wanted = pictureOf(*stored.find(name + '_' + std::to_string(filter)));
        const Picture made =
            resized(pictureOf(*stored.find(name)), wanted.width, wanted.height, static_cast<Resampling>(filter));
        QCOMPARE(made.width, wanted.width);
        QCOMPARE(made.rgb, wanted.rgb);
    }

    // So many bytes that the last bit of a weight is seen in some; sums (FNV-1a) of what Pillow 9.4 makes of them.
    void weightsAreRoundedAsPillowDoes_data()
    {
        test::addColumns<int, std::uint32_t>("filter", "sum");
        QTest::newRow("Lanczos") << 1 << std::uint32_t{298963896};
        QTest::newRow("bilinear") << 2 << std::uint32_t{2495821647};
        QTest::newRow("bicubic") << 3 << std::uint32_t{195464257};
    }
    void weightsAreRoundedAsPillowDoes()
    {
        QFETCH(int, filter);
        QFETCH(std::uint32_t, sum);
        Picture noise{600, 500, std::vector<std::uint8_t>(std::size_t{600} * 500 * 3)};
        for (std::uint32_t i = 0; i < noise.rgb.size(); ++i) {
            const std::uint32_t mixed = i * 2654435761U;
            noise.rgb[i] = static_cast<std::uint8_t>((mixed ^ mixed >> 15U) * 2246822519U >> 24U);
        }
        std::uint32_t found = 2166136261U;
        for (const std::uint8_t value : resized(noise, 233, 187, static_cast<Resampling>(filter)).rgb)
            found = (found ^ value) * 16777619U;
        QCOMPARE(found, sum);
    }

    void theSameSizeIsTheSamePicture()
    {
        const Picture picture{2, 1, {1, 2, 3, 250, 251, 252}};
        QCOMPARE(resized(picture, 2, 1, Resampling::Lanczos), picture);
    }

    void tapsSumToOne()
    {
        for (const Resampling filter : {Resampling::Lanczos, Resampling::Bilinear, Resampling::Bicubic}) {
            for (const FilterTaps& taps : filterTaps(filter, 16, 37)) {
                double sum = 0;
                for (const double weight : taps.weights)
                    sum += weight;
                QVERIFY(std::abs(sum - 1) < 1e-12);
                QVERIFY(taps.first >= 0 && taps.first + indexSize(taps.weights) <= 16);
            }
        }
    }
};

ATTN_TEST(TestResampling)

#include "tst_resampling.moc"
