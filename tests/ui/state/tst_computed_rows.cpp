// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_difference.h"
#include "state/edit_place.h"
#include "support/made_maps.h"
#include "support/test_program.h"
#include "trace/trace_builder.h"
#include "ui/figures/figure_kinds.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <utility>

using namespace attn;
using namespace attn::ui;
using test::MadeMaps;

namespace {

constexpr Site site{Stage::Encoder, 0};
constexpr int tokens = 12;

struct LongRun
{
    std::shared_ptr<MadeMaps> maps = std::make_shared<MadeMaps>(4, tokens, tokens);
    Trace trace;

    LongRun()
    {
        Encoding source;
        for (int i = 0; i < tokens; ++i) {
            source.ids.push_back(i + 4);
            source.tokens.push_back("t" + std::to_string(i));
            source.words.push_back(i / 2); // two a word
            source.spans.push_back({});
            source.special.push_back(i == 0);
        }
        Provenance provenance;
        provenance.kind = ModelKind::EncoderOnly;
        const std::vector<TokenId> ids = source.ids;
        TraceBuilder builder(std::move(source), nullptr, std::move(provenance));
        builder.begun(ids, {});
        builder.computableAttention({site, 0, 0, {}, {}}, maps);
        builder.finished({});
        trace = builder.snapshot();
    }
};

FigureSpec specOf(const FigureKind& kind, HeadReading head = 1)
{
    FigureSpec spec;
    spec.kind = &kind;
    spec.site = site;
    spec.head = head;
    return spec;
}

FigureSpec comparing(FigureSpec spec, const Trace& other)
{
    ReferenceRun against;
    against.trace = other;
    spec.against = std::make_shared<const ReferenceRun>(std::move(against));
    return spec;
}

} // namespace

// What is not shown of a run whose maps are computed is not computed.
class TestComputedRows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesNeedNoNumbers()
    {
        const LongRun run;
        const Map axes = mapAxes(run.trace, specOf(heatmapKind, meanOfHeads).mapSpec());
        QCOMPARE(axes.rows.groups.size(), std::size_t{tokens});
        QCOMPARE(axes.columns.groups.size(), std::size_t{tokens});
        QVERIFY(axes.lack == MapLack::Nothing);
        QVERIFY(mapAxes(run.trace, specOf(heatmapKind, 9).mapSpec()).lack == MapLack::Head);
        QCOMPARE(run.maps->computed(), 0);
    }

    void shownRowsAreThoseOfTheWhole_data()
    {
        test::addColumns<bool, int>("words", "specials");
        QTest::addColumn<int>("computed"); // rows of tokens, of four heads
        QTest::newRow("tokens") << false << int(SpecialTokens::Shown) << 4 * 2;
        QTest::newRow("words") << true << int(SpecialTokens::Shown) << 4 * 4;
        QTest::newRow("without special tokens") << false << int(SpecialTokens::HiddenRenormalized) << 4 * 2;
    }
    void shownRowsAreThoseOfTheWhole()
    {
        QFETCH(const bool, words);
        QFETCH(const int, specials);
        QFETCH(const int, computed);
        const LongRun run;
        FigureSpec spec = specOf(heatmapKind, meanOfHeads);
        spec.words = words;
        spec.specials = static_cast<SpecialTokens>(specials);
        const Map whole = mapOf(run.trace, spec.mapSpec());
        run.maps->forget();
        spec.rows = ShownSpan{2, 3};
        const Map part = mapOf(run.trace, spec.mapSpec());
        QCOMPARE(run.maps->computed(), computed);
        QCOMPARE(part.numbers.rows, 2);
        QCOMPARE(part.numbers.columns, whole.numbers.columns);
        for (int row = 0; row < 2; ++row) {
            QVERIFY(std::ranges::equal(part.numbers.row(row), whole.numbers.row(row + 2)));
            QCOMPARE(part.rows.groups[static_cast<std::size_t>(row)].first,
                     whole.rows.groups[static_cast<std::size_t>(row + 2)].first);
        }
    }

    void aStepNeedsItsRow()
    {
        const LongRun run;
        FigureSpec spec = specOf(decodingKind);
        spec.currentStep = 7;
        const auto figure = layoutFigure(spec, run.trace, {800, 500});
        QVERIFY(figure != nullptr);
        QCOMPARE(run.maps->computed(), 1);
    }

    void aComparedStepNeedsARowOfEach()
    {
        const LongRun here;
        const LongRun there;
        FigureSpec spec = comparing(specOf(decodingKind), there.trace);
        spec.currentStep = 7;
        const auto figure = layoutFigure(spec, here.trace, {800, 500});
        QVERIFY(figure != nullptr);
        QCOMPARE(here.maps->computed(), 1);
        QCOMPARE(there.maps->computed(), 1);
    }

    void namesOfADifferenceNeedNoNumbers()
    {
        const LongRun here;
        const LongRun there;
        FigureSpec spec = comparing(specOf(heatmapKind, meanOfHeads), there.trace);
        spec.rows = ShownSpan{2, 4};
        const Map axes = spec.shownRuns(here.trace).axes(spec.mapSpec());
        QCOMPARE(axes.rows.groups.size(), std::size_t{3});
        QCOMPARE(axes.columns.groups.size(), std::size_t{tokens});
        QVERIFY(axes.lack == MapLack::Nothing && axes.numbers.empty());
        QCOMPARE(here.maps->computed() + there.maps->computed(), 0);
        const Map shown = spec.shownRuns(here.trace).map(spec.mapSpec());
        QCOMPARE(shown.numbers.rows, 3);
        const auto rowsOf = [&](std::pair<Index, Index> rows) {
            return differenceOfRows(here.trace, there.trace, spec.mapSpec(), rows);
        };
        QVERIFY(std::ranges::equal(rowsOf({3, 3}).numbers.row(0), shown.numbers.row(1)));
        // Rows that are no pair: none of them is zero everywhere.
        const Numbers line = rowsOf({3, 5}).numbers;
        QCOMPARE(line.columns, tokens);
        const auto weight = [](Index row) {
            float sum = 0;
            for (Index head = 0; head < 4; ++head)
                sum += MadeMaps::weight(head, row, 6);
            return sum / 4;
        };
        QCOMPARE(line.at(0, 6), weight(3) - weight(5));
        QVERIFY(line.at(0, 6) != 0);
    }

    void thePlaceOfAnEditNeedsNoNumbers()
    {
        const LongRun run;
        FigureHit hit;
        hit.part = FigureHit::Part::Cell;
        hit.site = site;
        hit.row = 3;
        hit.column = 5;
        const EditPlace place = editPlace(specOf(heatmapKind), run.trace, hit);
        QVERIFY(place.isCell);
        QCOMPARE(run.maps->computed(), 0);
    }

    void computedSummariesCostAllTheirHeads()
    {
        const LongRun run;
        QCOMPARE(mapCost(specOf(heatmapKind).mapSpec(), run.trace), std::size_t{tokens * tokens});
        QCOMPARE(mapCost(specOf(heatmapKind, maximumOfHeads).mapSpec(), run.trace), std::size_t{4 * tokens * tokens});
        QCOMPARE(textKind.cost(specOf(textKind), run.trace), tokens * tokens + tokensCost(specOf(textKind), run.trace));
        QCOMPARE(run.maps->computed(), 0);
    }
};

ATTN_GUI_TEST(TestComputedRows)
#include "tst_computed_rows.moc"
