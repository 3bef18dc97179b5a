// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "io/npz.h"
#include "sites.h"
#include "support/test_program.h"
#include "trace/archive.h"
#include "trace/archive_parts.h"
#include "trace/trace_builder.h"

#include <QTest>

#include <cmath>
#include <map>
#include <numeric>

using namespace attn;
using namespace attn::test;

namespace {

using PlaceArrays = std::map<std::string, NpyArray>;

NpyArray floatsOf(NpyArray::Shape shape, float first = 0)
{
    std::vector<float> values(
        static_cast<std::size_t>(std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>())));
    std::iota(values.begin(), values.end(), first);
    return NpyArray::fromFloats(std::move(shape), values);
}

NpyArray gridOf(std::int64_t rows, std::int64_t columns)
{
    const std::int64_t sizes[] = {rows, columns};
    return NpyArray::fromIntegers({2}, sizes);
}

NpyArray imageOf(std::int64_t height, std::int64_t width)
{
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(height * width * 3));
    std::iota(pixels.begin(), pixels.end(), std::uint8_t{0});
    return NpyArray::fromBytes({height, width, 3}, pixels);
}

// One token besides 2 x 3 cells, as a Python user dumps it: maps and a grid.
PlaceArrays dumpedPatches()
{
    PlaceArrays arrays;
    arrays.emplace("encoder_attentions", floatsOf({2, 3, 7, 7}));
    arrays.emplace("source_grid", gridOf(2, 3));
    return arrays;
}

std::vector<std::byte> packed(const PlaceArrays& arrays)
{
    NpzWriter writer;
    for (const auto& [name, array] : arrays)
        writer.add(name, array);
    return writer.finish();
}

Trace opened(const PlaceArrays& arrays)
{
    return readArchive(packed(arrays), "a.npz");
}

} // namespace

class TestPlaces : public QObject
{
    Q_OBJECT

private slots:
    void aGridAloneFillsThePictureEvenly()
    {
        const Trace trace = opened(dumpedPatches());
        const Encoding& source = trace.source();
        QCOMPARE(source.size(), std::size_t{7});
        QVERIFY(source.special[0] && !source.special[1]);
        QVERIFY(std::isnan(source.boxes[0].left));
        QCOMPARE(source.ids[6], 5);
        QCOMPARE(source.tokens[6], std::string("1,2"));
        QCOMPARE(source.boxes[1], (PictureBox{0, 0, 1.0F / 3, 0.5F}));
        QCOMPARE(source.boxes[6], (PictureBox{2.0F / 3, 0.5F, 1, 1}));
        QVERIFY(trace.media()->isPicture());
        QVERIFY(!trace.media()->picture);
        QCOMPARE(trace.rowTokens(encoder0).boxes[6], source.boxes[6]);
    }

    void whatIsWrittenIsReadAgain()
    {
        PlaceArrays arrays = dumpedPatches();
        std::vector<float> boxes(4, std::nanf(""));
        for (int i = 0; i < 6; ++i)
            boxes.insert(boxes.end(),
                         {0.1F * static_cast<float>(i), -0.25F, 0.1F * static_cast<float>(i) + 0.1F, 1.5F});
        arrays.emplace("source_boxes", NpyArray::fromFloats({7, 4}, boxes));
        arrays.emplace("source_image", imageOf(5, 4));
        arrays.emplace("pixel_values", floatsOf({3, 4, 6}, 0.5F));
        arrays.emplace("metadata", NpyArray::fromText(R"({"image": {"file": "a.png", "width": 4}})"));
        const Trace first = opened(arrays);
        const Trace second = readArchive(archiveBytes(first, {.hidden = true}), "b.npz");
        QCOMPARE(second.source().boxes[3], first.source().boxes[3]);
        QCOMPARE(first.source().boxes[3].top, -0.25F);
        QCOMPARE(*second.media()->picture, *first.media()->picture);
        QCOMPARE(second.media()->picture->width, 4);
        QCOMPARE(second.media()->about, first.media()->about);
        QVERIFY(second.media()->input->values == first.media()->input->values);
        QCOMPARE(second.source().special, first.source().special);
        const Trace without = readArchive(archiveBytes(first, {.media = false}), "c.npz");
        QVERIFY(!without.media()->picture);
        QCOMPARE(without.source().boxes[3], first.source().boxes[3]);
    }

    void spansOfSoundAndOfWords()
    {
        PlaceArrays arrays;
        arrays.emplace("cross_attentions", floatsOf({1, 1, 2, 3}));
        const std::int64_t ids[] = {5, 6};
        arrays.emplace("target_ids", NpyArray::fromIntegers({2}, ids));
        const float spans[] = {0, 0.02F, 0.02F, 0.04F, 0.04F, 0.06F};
        arrays.emplace("source_spans", NpyArray::fromFloats({3, 2}, spans));
        const float words[] = {std::nanf(""), std::nanf(""), 0.02F, 0.06F};
        arrays.emplace("target_spans", NpyArray::fromFloats({2, 2}, words));
        arrays.emplace("source_audio", floatsOf({100}));
        const Trace trace = readArchive(archiveBytes(opened(arrays)), "b.npz");
        QVERIFY(!trace.media()->isPicture());
        QCOMPARE(trace.media()->rate, 16000);
        QCOMPARE(trace.media()->audio->size(), std::size_t{100});
        QCOMPARE(trace.source().tokens[1], std::string("0.02"));
        QCOMPARE(trace.source().times[2], (TimeSpan{0.04F, 0.06F}));
        QCOMPARE(trace.target().times[1], (TimeSpan{0.02F, 0.06F}));
        QVERIFY(std::isnan(trace.target().times[0].begin));
    }

    void whatDoesNotFitIsRefusedByName_data()
    {
        addColumns<std::string, NpyArray>("name", "array");
        const float backwards[28] = {};
        QTest::newRow("a grid of more cells than columns") << std::string("source_grid") << gridOf(3, 3);
        QTest::newRow("an empty grid") << std::string("source_grid") << gridOf(0, 3);
        QTest::newRow("a grid without end") << std::string("source_grid") << gridOf(1LL << 40, 1LL << 40);
        QTest::newRow("boxes of other tokens") << std::string("source_boxes") << floatsOf({6, 4});
        QTest::newRow("boxes without area") << std::string("source_boxes") << NpyArray::fromFloats({7, 4}, backwards);
        QTest::newRow("a grey picture") << std::string("source_image") << floatsOf({4, 4});
        QTest::newRow("a picture of floats") << std::string("source_image") << floatsOf({4, 4, 3});
        QTest::newRow("a picture and a sound") << std::string("source_spans") << floatsOf({7, 2});
    }
    void whatDoesNotFitIsRefusedByName()
    {
        QFETCH(std::string, name);
        QFETCH(NpyArray, array);
        PlaceArrays arrays = dumpedPatches();
        arrays.insert_or_assign(name, array);
        try {
            opened(arrays);
            QFAIL("was read");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Format);
            QVERIFY2(error.where().find(name) != std::string::npos, error.what());
        }
    }
};

ATTN_TEST(TestPlaces)
#include "tst_places.moc"
