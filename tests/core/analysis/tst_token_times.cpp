// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/token_times.h"
#include "support/test_program.h"
#include "trace/trace_builder.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace attn;

namespace {

// A run whose tokens look at these columns.
Trace spoken(const std::vector<std::vector<float>>& rows)
{
    TraceBuilder builder({}, nullptr, {});
    const auto columns = indexSize(rows.front());
    builder.begun(std::vector<TokenId>(rows.front().size(), 0), 0);
    Numbers weights = Numbers::zeros(1, indexSize(rows), columns);
    for (Index row = 0; row < weights.rows; ++row)
        std::ranges::copy(rows[static_cast<std::size_t>(row)], weights.row(row).begin());
    builder.finishedAttention({.site = {Stage::Cross, 0}, .weights = {}, .scores = {}}, std::move(weights), {});
    std::optional<StepId> last;
    for (Index row = 0; row < indexSize(rows); ++row) {
        DecodingStep step;
        step.index = StepId{row};
        step.parent = last;
        step.position = row;
        builder.stepped(step);
        last = step.index;
    }
    builder.finished({{{last, 0, 0, true}}, 0});
    return builder.snapshot();
}

TokenTiming timing(Index prompt, Index columns, int width = 1)
{
    return {{{Site{Stage::Cross, 0}, 0}}, width, prompt, columns, 0.5};
}

QList<double> begins(const std::vector<TimeSpan>& times)
{
    QList<double> seconds;
    for (const TimeSpan& time : times)
        seconds << double{time.begin};
    return seconds;
}

} // namespace

class TestTokenTimes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tokensBeginWhereTheyLook()
    {
        const Trace trace =
            spoken({{1, 0, 0, 0, 0, 0}, {0.8F, 0.1F, 0, 0, 0, 0}, {0, 0, 0.7F, 0.7F, 0, 0}, {0, 0, 0, 0, 0, 0.9F}});
        const auto times = tokenTimes(trace, timing(1, 6));
        QVERIFY(std::isnan(times[0].begin) && std::isnan(times[0].end)); // the prompt
        QCOMPARE(begins({times.begin() + 1, times.end()}), (QList<double>{0, 1, 2.5}));
        QCOMPARE(times[1].end, times[2].begin);
        QCOMPARE(times[3].end, 3.0F); // with the sound
    }

    void silenceBehindTheSoundHasNoTokens()
    {
        const Trace trace = spoken({{1, 0, 0, 0, 0}, {0, 0, 0, 0, 1}});
        const auto times = tokenTimes(trace, timing(0, 2));
        QCOMPARE(times[1].end, 1.0F);
        QVERIFY(times[1].begin <= 0.5F);
    }

    void aSingleStrayColumnIsFilteredOut()
    {
        const std::vector<std::vector<float>> rows{{0.9F, 0.9F, 0.9F, 0, 0, 0, 0, 0, 0},
                                                   {0, 0, 0, 0.9F, 0.9F, 0.9F, 0, 0.9F, 0},
                                                   {0, 0, 0, 0, 0, 0, 0.9F, 0.9F, 0.9F}};
        QCOMPARE(begins(tokenTimes(spoken(rows), timing(0, 9, 3))), (QList<double>{0, 1.5, 3}));
    }

    // The first column has its neighbour on both sides.
    void endsAreMirroredWithoutTheEdge()
    {
        QCOMPARE(begins(tokenTimes(spoken({{0, 1, 1, 1}, {1, 1, 0, 1}}), timing(0, 4, 3))), (QList<double>{0, 1.5}));
    }

    void onTiesTheWayBackGoesLeft()
    {
        QCOMPARE(begins(tokenTimes(spoken({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}), timing(0, 3))), (QList<double>{0, 0, 0}));
    }

    void whatIsNotThereHasNoTimes()
    {
        const Trace trace = spoken({{1, 0}, {0, 1}});
        TokenTiming other = timing(0, 2);
        other.heads = {{Site{Stage::Cross, 3}, 0}};
        QVERIFY(tokenTimes(trace, other).empty());
        const auto prompt = tokenTimes(trace, timing(5, 2));
        QCOMPARE(prompt.size(), std::size_t{2});
        QVERIFY(std::isnan(prompt[1].end));
    }

    void weightsThatAreNaNComeToAnEnd()
    {
        const float nan = std::nanf("");
        const Trace trace = spoken({{nan, nan, nan}, {nan, nan, nan}, {0, 1, nan}});
        QCOMPARE(tokenTimes(trace, timing(0, 3)).size(), std::size_t{3});
    }
};

ATTN_TEST(TestTokenTimes)
#include "tst_token_times.moc"
