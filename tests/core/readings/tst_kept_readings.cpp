// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "readings/head_reading.h"
#include "support/test_program.h"
#include "support/verify_error.h"
#include "trace/archive.h"
#include "trace/kept_readings.h"
#include "trace/trace_builder.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <string_view>

using namespace attn;

namespace {

constexpr Site continued{Stage::Decoder, 0};

const Reading& readingNamed(std::string_view id)
{
    return **std::ranges::find_if(readings(), [&](const Reading* reading) { return reading->id == id; });
}

// A text of three tokens that goes on; two heads.
Trace sequenceRun()
{
    Encoding source;
    source.ids = {1, 2, 3};
    source.tokens = {"a", "b", "c"};
    Provenance provenance;
    provenance.kind = ModelKind::DecoderOnly;
    TraceBuilder builder(source, nullptr, provenance);
    builder.begun(source.ids, 1);
    const NumberVector<float> weights{1, 0, 0, 0.5F, 0.5F, 0, 0.2F, 0.3F, 0.5F, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    builder.attention({continued, 0, 0, {weights.data(), 2, 3, 3}, {}});
    for (int i = 0; i < 2; ++i) {
        DecodingStep step{.index = StepId{i}, .position = i, .token = i + 2, .candidates = {}};
        if (i > 0)
            step.parent = StepId{i - 1};
        builder.stepped(step);
    }
    builder.closed(StepId{1}, 0, {});
    builder.finished({{{StepId{1}, 0, 0, false}}, 0});
    return builder.snapshot();
}

std::shared_ptr<const ReadArray> keptNumbers(const std::string& method, NpyArray::Shape shape,
                                             std::vector<float> values)
{
    ReadArray made{.shape = std::move(shape), .values = std::move(values)};
    made.method = method;
    return std::make_shared<const ReadArray>(std::move(made));
}

ReadingAbout position(int of)
{
    return {.of = of, .all = false, .against = {}};
}

Trace runWith(const KeptReadings& kept)
{
    return sequenceRun().with(std::make_shared<const KeptReadings>(kept));
}

const char* lackSaid(const Trace& trace, const HeadReading& head)
{
    return head.reading().lack(readingInput(trace, {continued, head}));
}

std::vector<float> rowOf(const Numbers& numbers, Index at)
{
    const auto values = numbers.row(at);
    return {values.begin(), values.end()};
}

} // namespace

class TestKeptReadings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aReadingIsWrittenWithItsHeadAndWhatItExplains()
    {
        for (const std::string text : {"norms", "norms:3", "value_zeroing", "lrp", "lrp@4", "lrp@4-17", "lrp@all",
                                       "lrp@all-17", "lrp-17", "gradients:2@5-1", "mean", "12"})
            QCOMPARE(headText(parseHead(text, "head")), text);
        QVERIFY(siteText(parseSite("cross:1:norms:3", "site")) == "cross:1:norms:3");
        QVERIFY(siteText(parseSite("norms:2:3", "site", Stage::Cross)) == "cross:2:norms:3");
        QVERIFY(siteText(parseSite("decoder:0:lrp@2", "site")) == "decoder:0:lrp@2");
    }

    void partsThatAReadingDoesNotTakeAreRefused()
    {
        for (const std::string text : {"lrp:3", "norms@4", "lrp@", "lrp@x", "lrp-", "norms:a", "norms:-1", "3@4",
                                       "value_zeroing-2", "mean:1", "lrp@1@2", "lrp@4-1-1", ":", "@", "-"})
            QVERIFY_THROWS_EXCEPTION(Error, parseHead(text, "head"));
    }

    void whatARunLacksIsSaid()
    {
        const Reading& lrp = readingNamed("lrp");
        QVERIFY(lackSaid(sequenceRun(), {lrp, {}, position(1)}) == notComputed);
        KeptReadings kept;
        kept.lacks["lrp"] = "it is defined for Transformers only";
        QVERIFY(lackSaid(runWith(kept), {lrp, {}, position(1)}) == std::string("it is defined for Transformers only"));
        QVERIFY(lackSaid(runWith(kept), {readingNamed("norms")}) == notComputed);
    }

    // It is shifted once: the row has the name of the token that it is about.
    void theRowOfAnExplainedTokenHasItsName()
    {
        const Trace trace = sequenceRun();
        for (const int of : {1, 2})
            QCOMPARE(trace.rowTokens(continued).ids.at(static_cast<std::size_t>(explainedRow(trace, continued, of))),
                     trace.sequence().ids.at(static_cast<std::size_t>(of)));
    }

    // As attention, whose row i predicts token i + 1.
    void whatAnOutputTokenOwesStandsInTheRowThatPredictsIt()
    {
        const Reading& lrp = readingNamed("lrp");
        KeptReadings kept;
        kept.arrays[{"source_lrp", position(1)}] = keptNumbers("lrp", {3}, {-2, 0, 0});
        kept.arrays[{"source_lrp", position(2)}] = keptNumbers("lrp", {3}, {1, -1, 0});
        const Trace trace = runWith(kept);
        const SiteChoice second{continued, {lrp, {}, position(2)}};
        QVERIFY(second.head.reading().rowsOf(readingInput(trace, second)) == std::vector<Index>{1});
        QVERIFY((rowOf(readWeights(trace, second), 1) == std::vector<float>{1, -1, 0}));
        QVERIFY((rowOf(readWeights(trace, second), 0) == std::vector<float>{0, 0, 0}));
        const SiteChoice all{continued, {lrp, {}, {.of = {}, .all = true, .against = {}}}};
        QVERIFY((all.head.reading().rowsOf(readingInput(trace, all)) == std::vector<Index>{0, 1}));
        QVERIFY((rowOf(readWeights(trace, all), 0) == std::vector<float>{-2, 0, 0}));
        QVERIFY((rowOf(readWeights(trace, all, {}, {1, 1}), 0) == std::vector<float>{1, -1, 0}));
        QVERIFY(lackSaid(trace, {lrp, {}, {.of = 2, .all = false, .against = 7}}) == notComputed);
    }

    void aPathThatHasNotSettledShowsNoNumbers()
    {
        const Reading& integrated = readingNamed("integrated_gradients");
        ReadArray far = *keptNumbers("input_gradients", {3}, {5, 5, 0});
        far.completeness = Completeness{10, 1};
        ReadArray near = far;
        near.completeness = Completeness{1.01, 1};
        KeptReadings kept;
        kept.arrays[{"source_integrated_gradients", position(1)}] = std::make_shared<const ReadArray>(far);
        kept.arrays[{"source_integrated_gradients", position(2)}] = std::make_shared<const ReadArray>(near);
        const char* const lack = lackSaid(runWith(kept), {integrated, {}, position(1)});
        QVERIFY(lack != nullptr && lack != notComputed);
        QVERIFY(lackSaid(runWith(kept), {integrated, {}, position(2)}) == nullptr);
        const SiteChoice all{continued, {integrated, {}, {.of = {}, .all = true, .against = {}}}};
        QVERIFY(all.head.reading().rowsOf(readingInput(runWith(kept), all)) == std::vector<Index>{1});
    }

    void eachHeadHasItsNumbersAndAllTogetherTheirs()
    {
        KeptReadings kept;
        kept.arrays[{"decoder_norms", {}}] =
            keptNumbers("norms", {1, 2, 3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1, 3, 0, 0, 3, 3, 0, 3, 3, 3});
        kept.arrays[{"decoder_norms_summed", {}}] = keptNumbers("norms", {1, 3, 3}, {9, 0, 0, 8, 8, 0, 7, 7, 7});
        kept.arrays[{"decoder_gradients", position(2)}] =
            keptNumbers("gradients", {1, 2, 3, 3}, {0, 0, 0, -1, 3, 0, 0, 0, 0, 0, 0, 0, 5, 1, 0, 0, 0, 0});
        const Trace trace = runWith(kept);
        const Reading& norms = readingNamed("norms");
        QVERIFY((rowOf(readWeights(trace, {continued, {norms, 1}}), 1) == std::vector<float>{3, 3, 0}));
        QVERIFY((rowOf(readWeights(trace, {continued, norms}), 1) == std::vector<float>{8, 8, 0}));
        const HeadReading gradients(readingNamed("gradients"), {}, position(2));
        QVERIFY((rowOf(readWeights(trace, {continued, gradients}), 1) == std::vector<float>{2, 2, 0}));
        QVERIFY((rowOf(readWeights(trace, {continued, gradients.ofHead(0)}), 1) == std::vector<float>{-1, 3, 0}));
        QVERIFY(HeadReading(readingNamed("lrp")).ofHead(1) == HeadReading(1)); // that head's weights
        QVERIFY(lackSaid(trace, {readingNamed("gradients"), 0, position(1)}) == notComputed);
    }

    void mapsAboutOnePositionTakeThePlaceOfThoseBefore()
    {
        KeptReadings kept;
        kept.arrays[{"decoder_gradients", position(1)}] = keptNumbers("gradients", {1, 1, 1, 1}, {1});
        kept.arrays[{"source_lrp", position(1)}] = keptNumbers("lrp", {1}, {1});
        kept.computed = {{"gradients", position(1)}, {"lrp", position(1)}};
        KeptReadings more;
        more.arrays[{"decoder_gradients", position(2)}] = keptNumbers("gradients", {1, 1, 1, 1}, {2});
        more.arrays[{"source_lrp", position(2)}] = keptNumbers("lrp", {1}, {2});
        more.computed = {{"gradients", position(2)}, {"lrp", position(2)}};
        kept.add(more);
        QVERIFY(kept.find("decoder_gradients", position(1)) == nullptr);
        QVERIFY(!kept.computed.contains({"gradients", position(1)})); // so that they are computed again
        QCOMPARE(kept.computed.size(), std::size_t{3});
        QVERIFY(kept.find("decoder_gradients", position(2)) != nullptr);
        QVERIFY(kept.find("source_lrp", position(1)) != nullptr && kept.find("source_lrp", position(2)) != nullptr);
    }

    void archivesHoldThem_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("npz") << QStringLiteral("run.npz");
        QTest::newRow("json") << QStringLiteral("run.json");
    }
    void archivesHoldThem()
    {
        QFETCH(const QString, name);
        KeptReadings kept;
        kept.arrays[{"decoder_norms_summed", {}}] = keptNumbers("norms", {1, 3, 3}, {9, 0, 0, 8, 8, 0, 7, 7, 7});
        kept.arrays[{"source_lrp", position(1)}] = keptNumbers("lrp", {3}, {-2, 0, 0});
        kept.arrays[{"source_lrp", position(2)}] = keptNumbers("lrp", {3}, {1, -1, 0});
        kept.computed = {{"lrp", {.of = {}, .all = true, .against = {}}}};
        kept.arrays[{"source_gradients", position(2)}] = keptNumbers("input_gradients", {3}, {4, 2, 0});
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath(name).toStdString();
        writeArchive(path, runWith(kept));
        const Trace read = readArchive(path);
        QVERIFY(read.readings() != nullptr);
        QVERIFY(lackSaid(read, {readingNamed("norms")}) == nullptr);
        QVERIFY((rowOf(readWeights(read, {continued, {readingNamed("lrp"), {}, position(1)}}), 0)
                 == std::vector<float>{-2, 0, 0}));
        QVERIFY((rowOf(readWeights(read, {continued, {readingNamed("lrp"), {}, position(2)}}), 1)
                 == std::vector<float>{1, -1, 0}));
        QVERIFY((rowOf(readWeights(read, {continued, {readingNamed("input_gradients"), {}, position(2)}}), 1)
                 == std::vector<float>{4, 2, 0}));
        QVERIFY(read.readings()->find("source_gradients", position(1)) == nullptr);
    }

    void arraysOfAnotherShapeAreRefusedByName_data()
    {
        test::addColumns<QString, std::vector<std::int64_t>>("array", "shape");
        QTest::newRow("too few tokens") << "source_lrp" << std::vector<std::int64_t>{2};
        QTest::newRow("too many rows") << "source_lrp" << std::vector<std::int64_t>{4, 3};
        QTest::newRow("no dimensions") << "source_lrp" << std::vector<std::int64_t>{};
        QTest::newRow("no heads") << "decoder_norms" << std::vector<std::int64_t>{1, 3, 3};
        QTest::newRow("other columns") << "decoder_value_zeroing" << std::vector<std::int64_t>{1, 3, 2};
        QTest::newRow("no layers") << "decoder_value_zeroing" << std::vector<std::int64_t>{0, 3, 3};
        QTest::newRow("list for a number") << "rest_direct" << std::vector<std::int64_t>{2};
        QTest::newRow("lens") << "lens_answer_logprobs" << std::vector<std::int64_t>{2, 5};
    }
    void arraysOfAnotherShapeAreRefusedByName()
    {
        QFETCH(const QString, array);
        QFETCH(const std::vector<std::int64_t>, shape);
        std::int64_t size = 1;
        for (const std::int64_t extent : shape)
            size *= extent;
        ArchiveOptions options;
        options.more.emplace(
            array.toStdString(),
            std::make_shared<const ReadArray>(ReadArray{shape, std::vector<float>(static_cast<std::size_t>(size))}));
        options.moreMetadata =
            "{\"readings\": {\"" + array.toStdString() + "\": {\"reading\": \"lrp\", \"of\": 1, \"against\": -3}}}";
        test::verifyError(ErrorKind::Format, {array.toStdString()},
                          [&] { (void)readArchive(archiveBytes(sequenceRun(), options), "run.npz"); });
    }

    void notesThatAreNoneDoNoHarm()
    {
        for (const char* notes : {"3", "[]", "{\"source_lrp\": 1}", "{\"source_lrp\": {\"reading\": 7}}",
                                  "{\"source_lrp\": {\"reading\": \"lrp\"}}"}) {
            ArchiveOptions options;
            options.more.emplace("source_other", std::make_shared<const ReadArray>(ReadArray{{1}, {1}}));
            options.moreMetadata = std::string("{\"readings\": ") + notes + "}";
            QVERIFY(readArchive(archiveBytes(sequenceRun(), options), "run.npz").readings() == nullptr);
        }
    }
};

ATTN_TEST(TestKeptReadings)

#include "tst_kept_readings.moc"
