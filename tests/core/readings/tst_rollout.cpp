// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "io/npz.h"
#include "readings/head_reading.h"
#include "support/test_program.h"
#include "trace/archive.h"
#include "trace/site.h"
#include "trace/trace_builder.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>

using namespace attn;

namespace {

const Reading& rollout()
{
    return **std::ranges::find_if(readings(),
                                  [](const Reading* reading) { return reading->id == std::string("rollout"); });
}

std::filesystem::path goldenArchive(const QString& name)
{
    return std::filesystem::path(ATTN_TEST_DATA) / "readings" / name.toStdString() / "expected.npz";
}

// One head that every token spreads evenly over itself and those before it, in two layers.
Trace causalRun(float last = 0.5F)
{
    Encoding source;
    source.ids = {5, 6};
    TraceBuilder builder(source, nullptr, {});
    builder.begun(source.ids, 9);
    const NumberVector<float> weights{1, 0, 0.5F, last};
    for (int layer = 0; layer < 2; ++layer)
        builder.attention({{Stage::Encoder, layer}, 0, 0, {weights.data(), 1, 2, 2}, {}});
    return builder.snapshot();
}

} // namespace

class TestRollout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Computed by another implementation from the same weights.
    void goldenCases_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"bert-mlm", "gpt2-plain", "llama-gqa", "marian-swish", "t5-relu"})
            QTest::newRow(name) << name;
    }
    void goldenCases()
    {
        QFETCH(const QString, name);
        const Trace trace = readArchive(goldenArchive(name));
        NpzReader expected(goldenArchive(name));
        int compared = 0;
        for (const Site& site : trace.sites()) {
            const std::vector<float> all = expected.find(std::string(stageText(site.stage)) + "_rollout")->floats();
            const Numbers found = readWeights(trace, {site, rollout()});
            QCOMPARE(found.values.size(), static_cast<std::size_t>(std::ptrdiff_t{found.rows} * found.columns));
            for (std::size_t i = 0; i < found.values.size(); ++i, ++compared)
                QVERIFY(std::abs(found.values[i] - all[static_cast<std::size_t>(site.layer) * found.values.size() + i])
                        < 1e-5F);
        }
        QVERIFY(compared > 50);
    }

    void someRowsAreThoseOfTheWhole()
    {
        const Trace trace = readArchive(goldenArchive(QStringLiteral("marian-swish")));
        for (const Site& site : trace.sites()) {
            const Numbers whole = readWeights(trace, {site, rollout()});
            const Numbers part = readWeights(trace, {site, rollout()}, {}, {2, 3});
            QCOMPARE(part.rows, 3);
            for (Index row = 0; row < part.rows; ++row)
                QVERIFY(std::ranges::equal(part.row(row), whole.row(row + 2)));
        }
    }

    void eachLayerPassesOnHalfOfItsInput()
    {
        const Trace trace = causalRun();
        QCOMPARE(readWeights(trace, {{Stage::Encoder, 0}, rollout()}).values,
                 (NumberVector<float>{1, 0, 0.25F, 0.75F}));
        QCOMPARE(readWeights(trace, {{Stage::Encoder, 1}, rollout()}).values,
                 (NumberVector<float>{1, 0, 0.4375F, 0.5625F}));
    }

    // The share that a sink or an edit takes from a row is spread.
    void rowsSumToOne()
    {
        const Numbers map = readWeights(causalRun(0), {{Stage::Encoder, 1}, rollout()});
        for (Index row = 0; row < map.rows; ++row)
            QVERIFY(std::abs(std::accumulate(map.row(row).begin(), map.row(row).end(), 0.0F) - 1) < 1e-6F);
    }

    // A row that looks at none of it keeps its numbers.
    void noNumberStaysWhereItIs()
    {
        const Numbers map =
            readWeights(causalRun(std::numeric_limits<float>::quiet_NaN()), {{Stage::Encoder, 1}, rollout()});
        QCOMPARE(map.at(0, 0), 1.0F);
        QVERIFY(std::isnan(map.at(1, 0)) && std::isnan(map.at(1, 1)));
    }

    void aRunWithoutTheLayersHasNone()
    {
        const Trace recurrent = readArchive(goldenArchive(QStringLiteral("rnn-bahdanau-gru")));
        try {
            (void)readWeights(recurrent, {{Stage::Cross, 0}, rollout()});
            QFAIL("a recurrent model has no layers to roll out");
        } catch (const Error& error) {
            QVERIFY(error.kind() == ErrorKind::Input);
            QCOMPARE(error.where(), std::string("cross:0:rollout"));
        }
        for (const Reading* reading : offeredReadings(recurrent, {Stage::Cross, 0}, 1))
            QVERIFY(reading->of != ReadingOf::Layers);
        const Trace both = causalRun();
        QVERIFY(std::ranges::count(offeredReadings(both, {Stage::Encoder, 1}, 1), &rollout()) == 1);
        QVERIFY(rollout().lack(readingInput(both, {{Stage::Encoder, 2}, rollout()})) != nullptr);
    }

    void aLayerIsNamedAlone()
    {
        const SiteChoice choice = parseSite("rollout:3", "site", Stage::Decoder);
        QVERIFY((choice.site == Site{Stage::Decoder, 3}) && choice.head == HeadReading(rollout()));
        QVERIFY(parseSite("cross:1:rollout", "site").head == HeadReading(rollout()));
        for (const char* text : {"rollout:1:2", "rollout:x", "rollouts:1"})
            QVERIFY_EXCEPTION_THROWN(parseSite(text, "site", Stage::Cross), Error);
        QVERIFY_EXCEPTION_THROWN(parseSite("rollout:1", "site"), Error); // of which stage?
    }
};

ATTN_TEST(TestRollout)

#include "tst_rollout.moc"
