// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "media/patches.h"
#include "media/picture_processor.h"
#include "support/test_program.h"

#include <QTest>

#include <cmath>
#include <string>

using namespace attn;

namespace {

PictureProcessor processorOf(const std::string& json)
{
    const JsonObject file = JsonObject::parse(json, "preprocessor_config.json");
    return readPictureProcessor(&file, std::nullopt);
}

// One grey level throughout.
Picture greyPicture(Index width, Index height, std::uint8_t level)
{
    return {width, height, std::vector<std::uint8_t>(std::size_t(width) * std::size_t(height) * 3, level)};
}

} // namespace

class TestPictureProcessor : public QObject
{
    Q_OBJECT

private slots:
    void valuesAreScaledAndNormalised()
    {
        const PictureProcessor processor =
            processorOf(R"({"size": 2, "image_mean": [0.5, 0.25, 0], "image_std": [0.5, 0.5, 2]})");
        const PreparedPicture made = prepared(processor, greyPicture(4, 4, 255));
        QCOMPARE(made.pixels.heads, 3);
        QCOMPARE(made.pixels.rows, 2);
        QCOMPARE(made.pixels.view().at(0, 0, 0), 1.0F);
        QCOMPARE(made.pixels.view().at(1, 1, 1), 1.5F);
        QCOMPARE(made.pixels.view().at(2, 0, 1), 0.5F);
    }

    void theShortestEdgeCutsFractions()
    {
        const PictureProcessor processor = processorOf(R"({"size": {"shortest_edge": 10}, "do_center_crop": false})");
        const PreparedPicture made = prepared(processor, greyPicture(7, 13, 0));
        QCOMPARE(made.resized, (PixelSize{18, 10})); // 10 * 13 / 7 = 18.6
        const PictureProcessor limited =
            processorOf(R"({"size": {"shortest_edge": 10, "longest_edge": 16}, "do_center_crop": false})");
        QCOMPARE(prepared(limited, greyPicture(7, 13, 0)).resized, (PixelSize{16, 8})); // 16 * 10 / 18 = 8.9
    }

    void aCropLargerThanThePictureIsPaddedWithZeros()
    {
        const PictureProcessor processor = processorOf(
            R"({"do_resize": false, "do_center_crop": true, "crop_size": {"height": 5, "width": 2}, "do_normalize": false})");
        const PreparedPicture made = prepared(processor, greyPicture(4, 2, 255));
        QCOMPARE(made.top, -2); // floor(-3 / 2)
        QCOMPARE(made.left, 1);
        QCOMPARE(made.pixels.view().at(0, 1, 0), 0.0F);
        QCOMPARE(made.pixels.view().at(0, 2, 0), 1.0F);
        QCOMPARE(made.pixels.view().at(0, 3, 1), 1.0F);
        QCOMPARE(made.pixels.view().at(0, 4, 1), 0.0F);
    }

    void placesGoBackThroughCropAndResize()
    {
        PatchLayout layout;
        layout.specials = {"[CLS]"};
        layout.patch = {4, 4};
        PreparedPicture picture;
        picture.pixels = Numbers::zeros(3, 9, 8); // a row of pixels is not read
        picture.resized = {10, 16};
        picture.left = 4;
        picture.top = -1;
        const Encoding tokens = patchTokens(layout, picture);
        QCOMPARE(tokens.size(), std::size_t{5});
        QCOMPARE(tokens.tokens[0], std::string("[CLS]"));
        QVERIFY(tokens.special[0] && std::isnan(tokens.boxes[0].top));
        QCOMPARE(tokens.ids[4], 3);
        QCOMPARE(tokens.boxes[4], (PictureBox{0.5F, 0.3F, 0.75F, 0.7F}));
        QCOMPARE(tokens.boxes[1].top, -0.1F);
    }

    void greyIsZeroInThePatchAlone()
    {
        PatchLayout layout;
        layout.cells = {2, 3};
        Numbers pixels = Numbers::unset(1, 3, 7);
        std::ranges::fill(pixels.values, 1.0F);
        greyPatch(layout, pixels.view(), 4); // rows 1 and 2, columns 2 and 3
        for (Index y = 0; y < 3; ++y) {
            for (Index x = 0; x < 7; ++x)
                QCOMPARE(pixels.at(y, x), y >= 1 && x >= 2 && x < 4 ? 0.0F : 1.0F);
        }
    }

    void missingKeysComeFromTheClass()
    {
        const PictureProcessor clip = processorOf(R"({"image_processor_type": "CLIPImageProcessorFast"})");
        QCOMPARE(clip.shortestEdge, std::optional<Index>(224));
        QCOMPARE(clip.output(), (std::optional<PixelSize>({224, 224})));
        QCOMPARE(clip.resampling, Resampling::Bicubic);
        QCOMPARE(clip.mean[2], 0.40821073F);
        const PictureProcessor vit = processorOf(R"({"feature_extractor_type": "ViTFeatureExtractor"})");
        QCOMPARE(vit.size, (PixelSize{224, 224}));
        QCOMPARE(vit.resampling, Resampling::Bilinear);
        const PictureProcessor none = readPictureProcessor(nullptr, PixelSize{32, 48});
        QVERIFY(none.assumed);
        QCOMPARE(none.size, (PixelSize{32, 48}));
    }

    void whatIsNotComputedIsRefusedByName_data()
    {
        test::addColumns<std::string, std::string>("json", "field");
        const auto add = [](const char* json, const char* field) {
            QTest::newRow(field) << std::string(json) << std::string(field);
        };
        add(R"({"crop_pct": 0.9})", "crop_pct");
        add(R"({"do_pad": true})", "do_pad");
        add(R"({"size_divisor": 32})", "size_divisor");
        add(R"({"do_align_long_axis": true})", "do_align_long_axis");
        add(R"({"resample": 0})", "resample");
        add(R"({"image_processor_type": "DonutImageProcessor"})", "image_processor_type");
        add(R"({"size": {"height": 0, "width": 3}})", "height");
        add(R"({"size": "large"})", "size");
        add(R"({"size": 100000})", "size");
        add(R"({"image_std": [1, 0, 1]})", "image_std");
        add(R"({"image_mean": [1, 0]})", "image_mean");
    }
    void whatIsNotComputedIsRefusedByName()
    {
        QFETCH(std::string, json);
        QFETCH(std::string, field);
        try {
            (void)processorOf(json);
            QFAIL("was read");
        } catch (const Error& error) {
            QVERIFY2(error.whole().find(field) != std::string::npos, error.what());
        }
        QVERIFY(!processorOf(R"({"do_pad": false, "crop_pct": null})").crop);
    }

    void sizesBeyondTheLimitsAreRefused()
    {
        requirePictureSize(9999, 10000, "a.png");
        QVERIFY_THROWS_EXCEPTION(Error, requirePictureSize(10000, 10000, "a.png"));
        QVERIFY_THROWS_EXCEPTION(Error, requirePictureSize(30000, 1, "a.png"));
        QVERIFY_THROWS_EXCEPTION(Error, requirePictureSize(0, 1, "a.png"));
        const PictureProcessor processor = processorOf(R"({"size": {"shortest_edge": 8000}})");
        QVERIFY_THROWS_EXCEPTION(Error, prepared(processor, greyPicture(20000, 1, 0)));
    }

    void aLongerSideIsShownWith1024Pixels()
    {
        const Picture shown = shownPicture(greyPicture(3000, 2, 9));
        QCOMPARE(shown.width, 1024);
        QCOMPARE(shown.height, 1);
        QCOMPARE(shownPicture(greyPicture(1024, 3, 9)).height, 3);
    }
};

ATTN_TEST(TestPictureProcessor)

#include "tst_picture_processor.moc"
