// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "maps/map_range.h"
#include "maps/pooled_map.h"
#include "support/test_program.h"
#include "trace/trace_builder.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

using namespace attn;

namespace {

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

// One encoder layer of one head over these tokens, the first of them special. Tokens that begin with '+' go on with the
// word before them.
Trace reading(const std::vector<std::string>& tokens, NumberVector<float> weights, std::vector<std::string> edits = {},
              std::vector<int> segments = {})
{
    Encoding source;
    for (const std::string& token : tokens) {
        const bool goesOn = token.starts_with('+');
        source.words.push_back(source.ids.empty() ? noWord : goesOn ? source.words.back() : indexSize(source));
        source.special.push_back(source.ids.empty());
        source.ids.push_back(indexSize(source));
        source.tokens.push_back(token);
    }
    source.segments = std::move(segments);
    Provenance provenance;
    provenance.kind = ModelKind::EncoderOnly;
    provenance.edits = std::move(edits);
    TraceBuilder builder(source, nullptr, provenance);
    builder.begun(source.ids, {});
    const Index size = indexSize(tokens);
    builder.attention({{Stage::Encoder, 0}, 0, 0, {weights.data(), 1, size, size}, {}});
    builder.finished({});
    return builder.snapshot();
}

// A decoder-only run over three tokens.
Trace continuing(const NumberVector<float>& weights)
{
    Encoding source;
    source.ids = {1, 2, 3};
    source.tokens = {"a", "b", "c"};
    Provenance provenance;
    provenance.kind = ModelKind::DecoderOnly;
    TraceBuilder builder(source, nullptr, provenance);
    builder.begun(source.ids, 1);
    builder.attention({{Stage::Decoder, 0}, 0, 0, {weights.data(), 1, 3, 3}, {}});
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

// One over "a", a word of two tokens and "d"; what comes next is not known.
Trace continuingWords(const NumberVector<float>& weights)
{
    Encoding source;
    source.ids = {0, 1, 2, 3};
    source.tokens = {"a", "b", "c", "d"};
    source.words = {0, 1, 1, 2};
    Provenance provenance;
    provenance.kind = ModelKind::DecoderOnly;
    TraceBuilder builder(source, nullptr, provenance);
    builder.setOutput(source);
    builder.begun(source.ids, 0);
    builder.attention({{Stage::Decoder, 0}, 0, 0, {weights.data(), 1, 4, 4}, {}});
    for (int i = 0; i < 3; ++i) {
        DecodingStep step{.index = StepId{i}, .position = i, .token = i + 1, .candidates = {}};
        if (i > 0)
            step.parent = StepId{i - 1};
        builder.stepped(step);
    }
    builder.closed(StepId{2}, 0, {});
    builder.finished({{{StepId{2}, 0, 0, false}}, 0});
    return builder.snapshot();
}

const MapSpec encoder{.site = {Stage::Encoder, 0}};
const NumberVector<float> thirds{0.5F, 0.25F, 0.25F, 0.2F, 0.4F, 0.4F, 0.1F, 0.3F, 0.6F};

std::vector<CellState> statesOf(const Map& map)
{
    std::vector<CellState> states;
    for (Index row = 0; row < map.numbers.rows; ++row) {
        for (Index column = 0; column < map.numbers.columns; ++column)
            states.push_back(map.state(row, column));
    }
    return states;
}

Map plainMap(Index rows, Index columns, NumberVector<float> values)
{
    return {.numbers = {rows, columns, std::move(values)}};
}

} // namespace

class TestMap : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Tokens 1 and 2 are a word: rows 0 and 1 write it.
    void theRowsOfAWordAreTheStepsThatWriteIt()
    {
        const Trace trace =
            continuingWords({1, 0, 0, 0, 0.2F, 0.8F, 0, 0, 0.1F, 0.2F, 0.7F, 0, 0.4F, 0.3F, 0.2F, 0.1F});
        MapSpec spec{.site = {Stage::Decoder, 0}};
        const auto labels = [](const MapAxis& axis) {
            std::vector<std::string> all;
            for (const AxisGroup& group : axis.groups)
                all.push_back(group.label);
            return all;
        };
        const Map tokens = mapOf(trace, spec);
        QCOMPARE(labels(tokens.rows), (std::vector<std::string>{"b", "c", "d", "?"}));
        QCOMPARE(labels(tokens.columns), (std::vector<std::string>{"a", "b", "c", "d"}));
        QCOMPARE(tokens.at(2, 2), 0.7F); // what was asked by c, for d
        QVERIFY(tokens.rows.token(2) == 2 && tokens.rows.textToken(2) == 3); // which edits and texts count by
        QCOMPARE(tokens.rows.textTokens(), (std::vector<int>{1, 2, 3, 4}));
        QCOMPARE(tokens.columns.textTokens(), (std::vector<int>{0, 1, 2, 3}));
        QVERIFY(tokens.rows.unwritten == 3 && !tokens.columns.unwritten);
        QVERIFY(tokens.isBlank(2, 3) && !tokens.isBlank(2, 2));
        spec.words = true;
        const Map words = mapOf(trace, spec);
        QCOMPARE(labels(words.rows), (std::vector<std::string>{"bc", "d", "?"}));
        QCOMPARE(labels(words.columns), (std::vector<std::string>{"a", "bc", "d"}));
        QVERIFY(std::abs(words.at(0, 0) - 0.6F) < 1e-6F && std::abs(words.at(0, 1) - 0.4F) < 1e-6F);
        QVERIFY(std::abs(words.at(1, 1) - 0.9F) < 1e-6F);
    }

    void wordsAreMergedAndTokensLeftOut()
    {
        const Trace trace = reading({"<s>", "play", "+ing"}, thirds);
        MapSpec spec = encoder;
        spec.words = true;
        const Map words = mapOf(trace, spec);
        QCOMPARE(words.rows.groups.size(), std::size_t{2});
        QVERIFY((words.numbers.values == NumberVector<float>{0.5F, 0.5F, 0.15F, 0.85F}));
        spec.words = false;
        spec.specials = SpecialTokens::Hidden;
        const Map hidden = mapOf(trace, spec);
        QVERIFY((hidden.numbers.values == NumberVector<float>{0.4F, 0.4F, 0.3F, 0.6F}));
        QVERIFY(hidden.isFiltered && !words.isFiltered);
        spec.specials = SpecialTokens::HiddenRenormalized;
        const Map scaled = mapOf(trace, spec);
        QVERIFY(std::abs(scaled.at(0, 0) - 0.5F) < 1e-6F && std::abs(scaled.at(1, 1) - 2.0F / 3) < 1e-6F);
        spec.head = maximumOfHeads; // no distribution
        QVERIFY(mapOf(trace, spec).numbers.values == hidden.numbers.values);
    }

    void aCropAndAPairAreParts()
    {
        const Trace trace = reading({"<s>", "a", "b"}, thirds, {}, {0, 0, 1});
        MapSpec spec = encoder;
        spec.rows = ShownSpan{1, 9};
        spec.columns = ShownSpan{2, 2};
        QVERIFY((mapOf(trace, spec).numbers.values == NumberVector<float>{0.4F, 0.6F}));
        spec = encoder;
        spec.pair = PairFilter::AToB;
        const Map pair = mapOf(trace, spec);
        QVERIFY((pair.numbers.values == NumberVector<float>{0.25F, 0.4F}));
        QCOMPARE(pair.columns.token(0), std::optional(2));
        QCOMPARE(pair.rows.indexOf(1), std::optional(1));
        QVERIFY(!pair.rows.indexOf(2));
        spec.pair = PairFilter::BToB;
        spec.specials = SpecialTokens::Hidden;
        spec.rows = ShownSpan{5, 6};
        QVERIFY(mapOf(trace, spec).lack == MapLack::Tokens);
    }

    void whatIsMissingIsSaid()
    {
        const Trace trace = reading({"<s>", "a", "b"}, thirds);
        MapSpec spec = encoder;
        spec.head = 1;
        QVERIFY(mapOf(trace, spec).lack == MapLack::Head);
        spec = encoder;
        spec.leaf = StepId{3};
        QVERIFY(mapOf(trace, spec).lack == MapLack::Step);
        QVERIFY(mapOf(trace, {.site = {Stage::Cross, 0}}).lack == MapLack::Attention);
        QVERIFY(mapOf(Trace(), encoder).lack == MapLack::Attention);
    }

    void theFutureIsBlankUnlessItHasAWeight()
    {
        const Map map =
            mapOf(continuing({1, 0, notANumber, 0.5F, 0.5F, 0.1F, 0.2F, 0.3F, 0.5F}), {.site = {Stage::Decoder, 0}});
        using enum CellState;
        QVERIFY(
            (statesOf(map) == std::vector<CellState>{Plain, Blank, Blank, Plain, Plain, Plain, Plain, Plain, Plain}));
        QCOMPARE(map.count(Blank), std::int64_t{2});
        QVERIFY(!map.hasNumber(0, 1) && map.hasNumber(1, 2));
    }

    void editsAndNaNAreStates()
    {
        const Trace trace = reading({"<s>", "a", "b"}, {0, 0.5F, 0.5F, notANumber, 0.4F, 0.4F, 0.1F, 0.3F, 0.6F},
                                    {"encoder:0:0:0:0=hide", "encoder:0:0:2=zero", "nonsense"});
        using enum CellState;
        const Map map = mapOf(trace, encoder);
        QVERIFY(
            (statesOf(map) == std::vector<CellState>{Hidden, Plain, Plain, NaN, Plain, Plain, Edited, Edited, Edited}));
        // Nothing is drawn of what is no number, and a sum with it is none.
        QCOMPARE(map.drawn(1, 0), 0.0F);
        QVERIFY(std::isnan(map.counted(1, 0)) && map.counted(1, 1) == map.at(1, 1) && map.drawn(1, 1) == 0.4F);
        const PooledMap small = pooled(map, 2, CellPooling::Largest);
        QVERIFY(small.noNumbers == 1 && small.cells == 9 && std::isnan(small.numbers.at(0, 0)));
    }

    void oneOrTwoRunsMakeAMap()
    {
        const Trace here = reading({"a", "b"}, {0.5F, 0.5F, 0.25F, 0.75F});
        const Trace there = reading({"a", "c"}, {0.5F, 0.5F, 0.5F, 0.5F});
        QVERIFY(!ShownRuns{here}.map(encoder).isDifference() && ShownRuns{here}.costFactor() == 1);
        MapSpec byWord = encoder;
        byWord.pairing = Pairing::Words;
        const ShownRuns both{here, &there};
        QVERIFY(both.axes(byWord).isDifference() && both.axes(byWord).numbers.empty() && both.costFactor() > 1);
        const Map map = both.map(byWord);
        QVERIFY(map.hasLone() && !mapOf(here, encoder).hasLone());
        // A cell that one of the two has alone counts for nothing in a sum.
        for (Index row = 0; row < map.numbers.rows; ++row) {
            for (Index column = 0; column < map.numbers.columns; ++column)
                QVERIFY(!map.isLone(row, column) || map.counted(row, column) == 0);
        }
        QCOMPARE(both.heads(encoder.site), 1);
        const Trace none;
        QCOMPARE((ShownRuns{here, &none}).heads(encoder.site), 0);
    }

    void aDifferencePairsWhatBothHave()
    {
        const Trace first = reading({"<s>", "a", "b"}, thirds);
        const Trace second = reading({"<s>", "c", "b"}, {0.25F, 0.5F, 0.25F, 1, 0, 0, 0.1F, 0.1F, notANumber});
        MapSpec byWord = encoder;
        byWord.pairing = Pairing::Words;
        const Map map = differenceOf(first, second, byWord);
        using enum CellState;
        QCOMPARE(map.numbers.rows, 4); // <s>, a, c, b
        QCOMPARE(map.at(0, 0), 0.25F);
        QVERIFY((statesOf(map)
                 == std::vector<CellState>{Plain, OnlyFirst, OnlySecond, Plain, //
                                           OnlyFirst, OnlyFirst, Neither, OnlyFirst, //
                                           OnlySecond, Neither, OnlySecond, OnlySecond, //
                                           Plain, OnlyFirst, OnlySecond, NaN}));
        QVERIFY(map.rows.isLone(1) && !map.rows.token(2) && map.rows.token(1) == 1);
        MapSpec byPosition = encoder;
        byPosition.pairing = Pairing::Position;
        byPosition.rows = ShownSpan{1, 1};
        const Map cropped = differenceOf(first, second, byPosition);
        QCOMPARE(cropped.numbers.rows, 1);
        QVERIFY(cropped.at(0, 0) == 0.2F - 1 && cropped.at(0, 1) == 0.4F);
        const Map row = differenceOfRows(first, second, encoder, {0, 2});
        QVERIFY(row.numbers.rows == 1 && std::abs(row.at(0, 0) - 0.4F) < 1e-6F);
        QVERIFY(differenceAxes(first, second, encoder).numbers.empty());
        QVERIFY(differenceOf(first, Trace(), encoder).lack == MapLack::Attention);
    }

    void theFutureOfBothIsBlank()
    {
        const MapSpec spec{.site = {Stage::Decoder, 0}};
        const Trace plain = continuing({1, 0, 0, 0.5F, 0.5F, 0, 0.2F, 0.3F, 0.5F});
        const Trace odd = continuing({0.9F, 0.1F, 0, 0.5F, 0.5F, 0, 0.2F, 0.3F, 0.5F});
        const Map map = differenceOf(plain, odd, spec);
        QVERIFY(map.isBlank(0, 2) && map.state(0, 1) == CellState::Plain && map.at(0, 1) == -0.1F);
    }

    void aRangeCountsWhatIsShown()
    {
        const Trace trace = reading({"<s>", "a", "b"}, {0.9F, 0.05F, 0.05F, 0.2F, notANumber, 0.4F, 0.1F, 0.3F, 0.6F});
        const auto endOf = [](const Map& map, RangeWithout without) {
            RangeEnd end(100);
            end.add(map, without);
            return static_cast<float>(end.value());
        };
        const Map map = mapOf(trace, encoder);
        QCOMPARE(endOf(map, RangeWithout::Nothing), 0.9F);
        QCOMPARE(endOf(map, RangeWithout::Sinks), 0.6F);
        MapSpec spec = encoder;
        spec.specials = SpecialTokens::Hidden;
        spec.range.of = ColorRange::Of::Layer;
        QCOMPARE(static_cast<float>(commonRangeEnd({trace}, spec)), 0.9F); // hidden tokens included
        QCOMPARE(static_cast<float>(commonRangeEnd({trace, &trace}, spec)), 0.0F);
        QCOMPARE(commonRangeCost({trace}, spec), std::size_t{9});
        QCOMPARE(commonRangeCost({trace}, encoder), std::size_t{0});
    }

    void poolingKeepsALonePeak()
    {
        Map map = plainMap(200, 130, NumberVector<float>(200 * 130, 0.1F));
        map.numbers.at(77, 101) = 0.9F;
        const PooledMap small = pooled(map, 64, CellPooling::Largest);
        QVERIFY(small.numbers.rows <= 64 && small.numbers.columns <= 64);
        QCOMPARE(small.numbers.at(77 / 4, 101 / 3), 0.9F);
        QCOMPARE(small.numbers.at(0, 0), 0.1F);
        const PooledMap mean = pooled(map, 64, CellPooling::Mean);
        QVERIFY(std::abs(mean.numbers.at(77 / 4, 101 / 3) - (0.1F + 0.8F / 12)) < 1e-6F);
        QVERIFY((pooled(plainMap(2, 2, {1, 2, 3, 4}), 64, CellPooling::Largest).numbers.values
                 == NumberVector<float>{1, 2, 3, 4}));
    }

    void theLargestOfBothSignsIsFurthestFromZero()
    {
        Map map = plainMap(2, 2, {0.1F, -0.5F, notANumber, 0.4F});
        QCOMPARE(map.largest(), std::optional(std::pair(1, 1)));
        map.isSigned = true;
        QCOMPARE(map.largest(), std::optional(std::pair(0, 1)));
        QVERIFY(!plainMap(1, 1, {notANumber}).largest() && !Map().largest());
    }

    void aPooledMapOfBothSignsKeepsWhatIsFurthestFromZero()
    {
        Map map = plainMap(2, 4, {0.1F, -0.5F, notANumber, notANumber, 0.3F, 0.2F, notANumber, 0.1F});
        map.isSigned = true;
        using enum CellState;
        map.states = {Plain, Plain, OnlyFirst, OnlyFirst, Plain, Plain, OnlyFirst, Plain};
        const PooledMap small = pooled(map, 2, CellPooling::Largest);
        QVERIFY(small.numbers.at(0, 0) == -0.5F && small.isLone(0, 1));
        QVERIFY(small.numbers.at(1, 0) == 0.3F && small.state(1, 1) == Plain && small.numbers.at(1, 1) == 0.1F);
    }

    // NaN is seen however small its part, what cannot have a value only where nothing else is.
    void aBlockIsNaNWhereOneOfItsCellsIs()
    {
        Map map = plainMap(2, 4, {notANumber, 0.5F, 0, 0.2F, 0.5F, 0.5F, 0, 0});
        map.setBlank([](Index, Index column) { return column == 2; });
        const PooledMap small = pooled(map, 2, CellPooling::Mean);
        QVERIFY(small.state(0, 0) == CellState::NaN && small.state(0, 1) == CellState::Plain);
        QCOMPARE(small.numbers.at(0, 1), 0.2F);
        for (const Map& empty : {plainMap(90, 0, {}), plainMap(0, 90, {}), Map()})
            QVERIFY(pooled(empty, 64, CellPooling::Largest).numbers.empty());
    }

    // A word counts the pieces that were explained.
    void rowsThatWereNotExplainedAreBlank()
    {
        const auto lrp =
            std::ranges::find_if(readings(), [](const Reading* one) { return one->id == std::string("lrp"); });
        const ReadingAbout about{.of = 2, .all = false, .against = {}};
        ReadArray array{.shape = {4}, .values = {1, 2, -3, 4}};
        KeptReadings kept;
        kept.arrays[{"source_lrp", about}] = std::make_shared<const ReadArray>(std::move(array));
        const Trace trace = reading({"[S]", "un", "+do", "it"}, NumberVector<float>(16, 0.25F))
                                .with(std::make_shared<const KeptReadings>(std::move(kept)));
        MapSpec spec{.site = {Stage::Encoder, 0}, .head = {**lrp, {}, about}};
        const Map plain = mapOf(trace, spec);
        QVERIFY(plain.isSigned && plain.isBlank(1, 0) && !plain.isBlank(2, 0) && plain.isBlank(3, 3));
        QCOMPARE(plain.at(2, 2), -3.0F);
        spec.words = true;
        const Map words = mapOf(trace, spec);
        QCOMPARE(words.numbers.rows, 3);
        QVERIFY(words.isBlank(0, 0) && !words.isBlank(1, 0) && words.isBlank(2, 0));
        QCOMPARE(words.at(1, 1), -1.0F);
        QCOMPARE(words.at(1, 2), 4.0F);
        spec.range.of = ColorRange::Of::Head;
        QCOMPARE(commonRangeEnd({trace}, spec), 4.0);
    }

    void twoRunsDifferByAReading()
    {
        const auto lrp =
            std::ranges::find_if(readings(), [](const Reading* one) { return one->id == std::string("lrp"); });
        const ReadingAbout about{.of = 2, .all = false, .against = {}};
        const auto explained = [&](std::vector<float> values) {
            KeptReadings kept;
            kept.arrays[{"source_lrp", about}] =
                std::make_shared<const ReadArray>(ReadArray{.shape = {4}, .values = std::move(values)});
            return reading({"[S]", "un", "+do", "it"}, NumberVector<float>(16, 0.25F))
                .with(std::make_shared<const KeptReadings>(std::move(kept)));
        };
        const MapSpec spec{.site = {Stage::Encoder, 0}, .head = {**lrp, {}, about}};
        const Map apart = difference(mapOf(explained({1, 2, -3, 4}), spec), mapOf(explained({1, 4, 3, 4}), spec), spec);
        QVERIFY(apart.isSigned && apart.isBlank(1, 0));
        QCOMPARE(apart.at(2, 0), 0.0F);
        QCOMPARE(apart.at(2, 1), -2.0F);
        QCOMPARE(apart.at(2, 2), -6.0F);
    }
};

ATTN_TEST(TestMap)

#include "tst_map.moc"
