// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/head_table.h"
#include "figures/kinds/head_grid.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/decimal.h"
#include "figures/look/token_label.h"
#include "sample_traces.h"
#include "support/test_program.h"
#include "support/texts.h"
#include "ui/figures/figure_texts.h"
#include "views/view_rows.h"

#include <QCheckBox>
#include <QComboBox>
#include <QToolButton>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

using namespace attn;
using namespace attn::ui;

namespace attn::ui {
QWidget* makeHeadGridView(const ViewContext& context); // has no header
}

namespace {

Trace large(int tokens, int layers = 12)
{
    test::SampleRun run;
    run.source = test::syllables(tokens);
    run.encoderLayers = layers;
    run.heads = 12;
    return test::sampleReading(run, false);
}

// Three layers of four heads.
Trace small()
{
    test::SampleRun run = test::shortRun();
    run.crossLayers = 3;
    run.encoderLayers = 3;
    run.heads = 4;
    return test::sampleTrace(run);
}

FigureSpec gridOf(Stage stage)
{
    FigureSpec spec;
    spec.kind = &headGridKind;
    spec.site = {stage, 0};
    return spec;
}

// Heads in the order of their tiles, line by line.
std::vector<HeadKey> readOrder(const Figure& figure, Stage stage)
{
    std::vector<std::pair<std::pair<double, double>, HeadKey>> found;
    for (int layer = 0; layer < figure.rows(); ++layer) {
        for (int head = 0; head < figure.columns(); ++head) {
            const QRectF tile = figure.cellRect(layer, head);
            found.push_back({{tile.top(), tile.left()}, {Site{stage, layer}, head}});
        }
    }
    std::ranges::sort(found);
    std::vector<HeadKey> heads;
    for (const auto& [place, head] : found)
        heads.push_back(head);
    return heads;
}

// One weight of each of so many heads of so many layers.
std::shared_ptr<const HeadThumbnails> manyHeads(int layers, int heads)
{
    auto thumbnails = std::make_shared<HeadThumbnails>();
    thumbnails->layers = layers;
    thumbnails->heads = heads;
    thumbnails->largest = 1;
    for (int layer = 0; layer < layers; ++layer) {
        for (int head = 0; head < heads; ++head)
            thumbnails->tiles.push_back({.site = {Stage::Encoder, layer},
                                         .head = head,
                                         .row = layer,
                                         .pooled = {{1, 1, {0.5F}}, {CellState::Plain}, 1}});
    }
    return thumbnails;
}

std::vector<HeadRow> tableOf(const Trace& trace)
{
    HeadTable table;
    table.add(trace);
    return table.rows();
}

} // namespace

// The overview of all heads, whose thumbnails may take longer than a frame.
class TestHeadGridView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_selection.setSiteAndHead({Stage::Encoder, 0}, 0);
        m_page.reset(makeHeadGridView({m_study, m_selection, m_appearance}));
        m_page->resize(900, 600);
        m_view = m_page->findChild<FigureView*>();
    }
    void cleanup() { m_page.reset(); }

    void thumbnailsOfLongTextsAreMadeElsewhere()
    {
        m_study.replaceTrace(large(160), false);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        QTRY_VERIFY(m_view->figure() != nullptr);
        QCOMPARE(m_view->figure()->columns(), 0); // they are being made
        const QString said = m_view->figure()->description();
        QVERIFY(!said.isEmpty() && said != missingText(Missing::NotYet, m_view->spec(), m_study.trace()));
        QTRY_COMPARE(m_view->figure()->columns(), 12);
        QVERIFY(!m_view->figure()->description().contains(said));
        QCOMPARE(m_view->figure()->rows(), 12);
        const QRectF tile = m_view->figure()->cellRect(7, 3);
        QTest::mouseClick(m_view, Qt::LeftButton, Qt::NoModifier, tile.center().toPoint());
        QCOMPARE(m_selection.site(), (Site{Stage::Encoder, 7}));
        QCOMPARE(m_selection.head().head().value(), 3);
        QCOMPARE(m_view->figure()->columns(), 12); // choosing a head needs no new thumbnails
    }

    void shortTextsAreThereAtOnce()
    {
        m_study.replaceTrace(large(20), false);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        QTRY_VERIFY(m_view->figure() != nullptr);
        QCOMPARE(m_view->figure()->columns(), 12);
    }

    void theHeadsOfAnEarlierTextAreNotShown()
    {
        m_study.replaceTrace(large(160), false);
        const Trace next = large(320, 5);
        m_page->show();
        QTRY_VERIFY(m_view->figure() != nullptr);
        m_study.replaceTrace(next, false);
        QList<int> layers; // of each picture
        connect(m_view, &FigureView::painted, this, [&] { layers << m_view->figure()->rows(); });
        QTRY_VERIFY(layers.contains(5));
        QVERIFY(!layers.contains(12));
    }

    void aViewThatEndsWhileThumbnailsAreMadeIsSafe()
    {
        m_study.replaceTrace(large(160), false);
        m_page->show();
        QTRY_VERIFY(m_view->figure() != nullptr);
        m_page.reset();
    }

    void hidingSpecialTokensMakesNewThumbnails()
    {
        m_study.replaceTrace(test::sampleReading(test::pairRun()), false);
        m_page->show();
        QTRY_VERIFY(m_view->figure() != nullptr && m_view->figure()->rows() == 2);
        const QImage before = m_view->grab().toImage();
        m_appearance.choose([](FigureChoices& choices) { choices.pair = PairFilter::AToB; });
        QVERIFY(m_view->grab().toImage() != before);
        m_appearance.choose([](FigureChoices& choices) { choices.pair = PairFilter::All; });
        QCOMPARE(m_view->grab().toImage(), before);
    }

    // --- what is said of heads

    void tilesAreSortedByEachMeasureOfTheTable()
    {
        const Trace trace = small();
        const std::vector<HeadRow> table = tableOf(trace);
        for (std::size_t i = 0; i < headMeasures().size(); ++i) {
            const HeadMeasure& measure = headMeasures()[i];
            if (measure.ofAblation)
                continue;
            for (const bool leastFirst : {false, true}) {
                FigureSpec spec = gridOf(Stage::Encoder);
                spec.headOrder = static_cast<HeadOrder>(static_cast<std::size_t>(HeadOrder::FirstMeasure) + i);
                spec.leastFirst = leastFirst;
                const auto figure = layoutFigure(spec, trace, {900, 600});
                std::vector<double> values;
                for (const HeadKey& head : readOrder(*figure, Stage::Encoder)) {
                    const auto row = std::ranges::find_if(
                        table, [&](const HeadRow& one) { return one.site == head.first && one.head == head.second; });
                    values.push_back(measure.value(DescribedHead{*row}));
                }
                QCOMPARE(values.size(), std::size_t{12});
                if (leastFirst)
                    QVERIFY2(std::ranges::is_sorted(values), measure.id);
                else
                    QVERIFY2(std::ranges::is_sorted(values, std::greater()), measure.id);
                // Each tile says it, under one heading.
                const auto texts = test::textsOf(*figure);
                for (const double value : values)
                    QVERIFY2(texts.contains(measure.isShare ? decimal(value, 2) : significant(value, 3)), measure.id);
            }
        }
    }

    void aMeasureThatMeansNothingLeavesTheOrder()
    {
        FigureSpec spec = gridOf(Stage::Cross);
        spec.headOrder = static_cast<HeadOrder>(static_cast<int>(HeadOrder::FirstMeasure) + 3); // distance
        const auto figure = layoutFigure(spec, small(), {900, 600});
        const std::vector<HeadKey> heads = readOrder(*figure, Stage::Cross);
        QVERIFY(std::ranges::is_sorted(heads));
        QVERIFY(figure->description().contains(HeadWords::title(headMeasures()[3])));
    }

    void whatHappensWithoutAHeadIsSortedOnceItIsKnown()
    {
        FigureSpec spec = gridOf(Stage::Encoder);
        const auto kl = std::ranges::find_if(headMeasures(), [](const HeadMeasure& one) { return one.ofAblation; });
        spec.headOrder = static_cast<HeadOrder>(static_cast<std::ptrdiff_t>(HeadOrder::FirstMeasure)
                                                + (kl - headMeasures().begin()));
        const Trace trace = small();
        QVERIFY(std::ranges::is_sorted(readOrder(*layoutFigure(spec, trace, {900, 600}), Stage::Encoder)));
        HeadChanges changes;
        for (int layer = 0; layer < 3; ++layer) {
            for (int head = 0; head < 4; ++head)
                changes[{Site{Stage::Encoder, layer}, head}] = {0.1 * (layer * 4 + head), -1, 1};
        }
        spec.without = std::make_shared<const HeadChanges>(changes);
        std::vector<HeadKey> found = readOrder(*layoutFigure(spec, trace, {900, 600}), Stage::Encoder);
        QCOMPARE(found.front(), (HeadKey{{Stage::Encoder, 2}, 3}));
        std::ranges::reverse(found);
        QVERIFY(std::ranges::is_sorted(found));
    }

    void kindsAndLikeHeadsStandTogether()
    {
        for (const HeadOrder order : {HeadOrder::Kind, HeadOrder::Likeness}) {
            FigureSpec spec = gridOf(Stage::Encoder);
            spec.headOrder = order;
            const Trace trace = large(20, 4);
            const auto facts = headFacts(spec, trace);
            const HeadWords words(spec, facts);
            std::vector<HeadKey> all;
            for (const auto& [head, row] : facts->here)
                all.push_back(head);
            const auto sections = words.sections(all);
            std::size_t count = 0;
            for (const HeadSection& section : sections) {
                QVERIFY(!section.heading.isEmpty());
                count += section.heads.size();
                for (const HeadKey& head : section.heads) {
                    if (order == HeadOrder::Kind)
                        QCOMPARE(words.kind(head), words.kind(section.heads.front()));
                    else
                        QCOMPARE(facts->groups.at(head), facts->groups.at(section.heads.front()));
                }
            }
            QCOMPARE(count, all.size());
            const auto texts = test::textsOf(*layoutFigure(spec, trace, {1200, 900}));
            for (const HeadSection& section : sections)
                QVERIFY2(texts.contains(section.text()), qPrintable(section.text()));
        }
    }

    void aColumnOfSortedHeadsFitsAPage()
    {
        for (const HeadOrder order : {HeadOrder::Kind, HeadOrder::Likeness, HeadOrder::FirstMeasure}) {
            FigureSpec spec = gridOf(Stage::Encoder);
            spec.headOrder = order;
            const QSizeF size = layoutFigure(spec, large(20, 4), {450, 0})->size(); // 48 heads, 120 mm
            QVERIFY2(size.height() < 2.2 * size.width(), qPrintable(QString::number(size.height())));
        }
    }

    void pointingAtATileTellsItsFigures()
    {
        const Trace trace = small();
        const auto figure = layoutFigure(gridOf(Stage::Encoder), trace, {900, 600});
        const HeadRow row = tableOf(trace).at(5);
        const QString said = figure->hitTest(figure->cellRect(row.site.layer, row.head).center()).text;
        for (const double value : {row.evenness, row.largest, row.previous, row.special})
            QVERIFY2(said.contains(decimal(value, 2)), qPrintable(said));
    }

    void aSmallHeadIsEnlargedInItsPlace()
    {
        const Trace trace = large(12);
        const auto figure = layoutFigure(gridOf(Stage::Encoder), trace, {900, 600});
        const auto painted = [&](const Highlight& highlight) {
            QImage image(900, 600, QImage::Format_RGB32);
            QPainter painter(&image);
            figure->paint(painter, highlight);
            return image;
        };
        Highlight pointed;
        pointed.row = 5;
        pointed.column = 6;
        const QRectF tile = figure->cellRect(5, 6);
        QVERIFY(tile.width() < 100);
        const QImage before = painted({});
        const QImage after = painted(pointed);
        QRect changed;
        for (int y = 0; y < after.height(); ++y) {
            for (int x = 0; x < after.width(); ++x) {
                if (after.pixel(x, y) != before.pixel(x, y))
                    changed |= QRect(x, y, 1, 1);
            }
        }
        QVERIFY(changed.contains(tile.toAlignedRect()));
        QVERIFY2(changed.width() > 2 * tile.width() && changed.height() > 2 * tile.height(),
                 qPrintable(QStringLiteral("%1 x %2").arg(changed.width()).arg(changed.height())));
    }

    // The words of rows and columns, and larger weights, where they have room.
    void anEnlargedHeadHasItsWords()
    {
        for (const int tokens : {8, 60}) {
            const Trace trace = large(tokens);
            const auto figure = layoutFigure(gridOf(Stage::Encoder), trace, {900, 600});
            Highlight pointed;
            pointed.row = 5;
            pointed.column = 6;
            const QSet<QString> added = test::textsOf(*figure, pointed) - test::textsOf(*figure);
            const QString word = readableToken(trace.source().tokens.at(3));
            QCOMPARE(added.contains(word), tokens == 8);
            const Numbers weights = trace.matrix({Stage::Encoder, 5}, 6);
            const float most = *std::ranges::max_element(weights.row(3));
            QCOMPARE(added.contains(decimal(static_cast<double>(most), 2)), tokens == 8);
        }
    }

    void aComparisonTellsWhatHasChanged()
    {
        FigureSpec spec = gridOf(Stage::Encoder);
        test::SampleRun other = test::shortRun();
        other.encoderLayers = 3;
        other.crossLayers = 3;
        other.heads = 4;
        other.source[2] = "dog";
        spec.against = std::make_shared<const ReferenceRun>(ReferenceRun{test::sampleTrace(other), {}, {}, {}, {}});
        const Trace trace = small();
        const auto facts = headFacts(spec, trace);
        const HeadWords words(spec, facts);
        const HeadKey head{{Stage::Encoder, 1}, 2};
        QCOMPARE(words.value(headMeasures()[0], head), facts->here.at(head).entropy - facts->there.at(head).entropy);
        QVERIFY(!words.kind(head));
    }

    void tilesFillTheWindow_data()
    {
        test::addColumns<int, int>("layers", "heads");
        for (const auto& [layers, heads] : {std::pair(1, 1), {1, 8}, {2, 4}, {6, 1}, {6, 8}, {12, 12}, {24, 16}})
            QTest::addRow("%d layers of %d", layers, heads) << layers << heads;
    }
    void tilesFillTheWindow()
    {
        QFETCH(const int, layers);
        QFETCH(const int, heads);
        test::SampleRun run;
        run.source = test::syllables(24);
        run.encoderLayers = layers;
        run.heads = heads;
        const Trace trace = test::sampleReading(run, false);
        for (const HeadOrder order : {HeadOrder::Place, HeadOrder::FirstMeasure}) {
            for (const QSizeF size : {QSizeF(890, 560), QSizeF(2100, 1250), QSizeF(560, 900)}) {
                FigureSpec spec = gridOf(Stage::Encoder);
                spec.headOrder = order;
                const auto figure = layoutFigure(spec, trace, size);
                QRectF all;
                double covered = 0;
                for (int layer = 0; layer < layers; ++layer) {
                    for (int head = 0; head < heads; ++head) {
                        const QRectF tile = figure->cellRect(layer, head);
                        QVERIFY(QRectF(QPointF(), size).contains(tile));
                        all |= tile;
                        covered += tile.width() * tile.height();
                    }
                }
                const QString where = QStringLiteral("%1x%2: %3")
                                          .arg(size.width())
                                          .arg(size.height())
                                          .arg(all.width() * all.height() / (size.width() * size.height()));
                QVERIFY2(all.width() * all.height() > 0.45 * size.width() * size.height(), qPrintable(where));
                QVERIFY2(covered > 0.4 * all.width() * all.height(), qPrintable(where));
            }
        }
    }

    // --- several heads

    void headsArePickedWithControlAndShift()
    {
        show(small());
        click(1, 2);
        QVERIFY(picked().empty());
        click(1, 3, Qt::ControlModifier);
        QCOMPARE(m_appearance.choices().heads.ofLayer, (std::vector<int>{2, 3}));
        QCOMPARE(m_selection.head(), HeadReading(meanOfHeads));
        click(2, 0, Qt::ControlModifier); // of another layer
        QCOMPARE(picked(), (std::vector<HeadPlace>{{1, 2}, {1, 3}, {2, 0}}));
        QCOMPARE(m_selection.site().layer, 2);
        click(2, 0, Qt::ControlModifier); // no longer
        QCOMPARE(picked(), (std::vector<HeadPlace>{{1, 2}, {1, 3}}));
        QCOMPARE(m_selection.site().layer, 1); // one that is among them
        click(1, 2, Qt::ControlModifier);
        QCOMPARE(m_selection.head(), HeadReading(3)); // a single one is shown itself
        click(0, 1);
        QVERIFY(picked().empty());
        QCOMPARE(m_selection.head(), HeadReading(1));
        click(1, 1, Qt::ShiftModifier);
        QCOMPARE(picked(), (std::vector<HeadPlace>{{0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 1}}));
    }

    void theMeanIsOverThePickedHeads()
    {
        const Trace trace = small();
        FigureSpec spec;
        spec.site = {Stage::Encoder, 1};
        spec.head = meanOfHeads;
        spec.heads.ofLayer = {0, 2};
        spec.heads.elsewhere = {{2, 3}, {1, 1}, {9, 9}}; // one is of the layer itself, one does not exist
        const Numbers shown = mapOf(trace, spec.mapSpec()).numbers;
        const Numbers a = trace.matrix(spec.site, 0);
        const Numbers b = trace.matrix(spec.site, 2);
        const Numbers c = trace.matrix({Stage::Encoder, 2}, 3);
        spec.head = maximumOfHeads;
        const Numbers most = mapOf(trace, spec.mapSpec()).numbers;
        for (std::size_t i = 0; i < shown.values.size(); ++i) {
            QVERIFY(std::abs(shown.values[i] - (a.values[i] + b.values[i] + c.values[i]) / 3) < 1e-6F);
            QCOMPARE(most.values[i], std::max({a.values[i], b.values[i], c.values[i]}));
        }
        spec.head = 1; // that head itself
        QCOMPARE(mapOf(trace, spec.mapSpec()).numbers.values, trace.matrix(spec.site, 1).values);
    }

    void theKeyboardWalksPicksAndOpens()
    {
        show(small());
        click(1, 1);
        key(Qt::Key_Right);
        QCOMPARE(m_selection.head(), HeadReading(2));
        key(Qt::Key_Space); // the first of several
        QCOMPARE(picked(), (std::vector<HeadPlace>{{1, 2}}));
        key(Qt::Key_Down);
        QCOMPARE(m_selection.site().layer, 1); // walks on without choosing
        key(Qt::Key_Space);
        QCOMPARE(picked(), (std::vector<HeadPlace>{{1, 2}, {2, 2}}));
        key(Qt::Key_Space);
        QCOMPARE(picked(), (std::vector<HeadPlace>{{1, 2}}));
        key(Qt::Key_Escape);
        QVERIFY(picked().empty());
        key(Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(picked().size(), std::size_t{2});
        QSignalSpy opened(m_view, &FigureView::headOpened);
        key(Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
    }

    void aDoubleClickOpensTheHead()
    {
        show(small());
        QSignalSpy opened(m_view, &FigureView::headOpened);
        const QPoint tile = m_view->figure()->cellRect(2, 1).center().toPoint();
        QTest::mouseClick(m_view, Qt::LeftButton, Qt::NoModifier, tile);
        QTest::mouseDClick(m_view, Qt::LeftButton, Qt::NoModifier, tile);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(m_selection.site().layer, 2);
        QCOMPARE(m_selection.head(), HeadReading(1));
    }

    void theBarSortsAndSummarizes()
    {
        show(small());
        auto* sort = m_page->findChild<QComboBox*>(QStringLiteral("sortHeads"));
        auto* least = m_page->findChild<QCheckBox*>(QStringLiteral("leastFirst"));
        QVERIFY(!least->isEnabled());
        const std::vector<HeadKey> before = readOrder(*m_view->figure(), Stage::Encoder);
        sort->setFocus();
        while (sort->currentData().toString() != QStringLiteral("largest"))
            QTest::keyClick(sort, Qt::Key_Down);
        QCOMPARE(measureOf(m_appearance.choices().headOrder)->id, std::string("largest"));
        QVERIFY(least->isEnabled());
        m_view->grab();
        const std::vector<HeadKey> sorted = readOrder(*m_view->figure(), Stage::Encoder);
        QVERIFY(sorted != before);
        QTest::mouseClick(least, Qt::LeftButton, Qt::NoModifier, {8, least->height() / 2});
        QVERIFY(m_appearance.choices().leastFirst);
        m_view->grab();
        QVERIFY(readOrder(*m_view->figure(), Stage::Encoder) != sorted);
        auto* most = m_page->findChild<QToolButton*>(QStringLiteral("maxOfPicked"));
        QVERIFY(!most->isVisible());
        click(0, 0);
        click(1, 1, Qt::ControlModifier);
        QVERIFY(most->isVisible());
        QTest::mouseClick(most, Qt::LeftButton);
        QCOMPARE(m_selection.head(), HeadReading(maximumOfHeads));
        QTest::mouseClick(m_page->findChild<QToolButton*>(QStringLiteral("pickNone")), Qt::LeftButton);
        QVERIFY(picked().empty());
    }

    void theNextHeadIsTheNearestOnItsSide_data()
    {
        QTest::addColumn<int>("order");
        for (const HeadOrder order : {HeadOrder::Place, HeadOrder::Kind, HeadOrder::Likeness, HeadOrder::FirstMeasure})
            QTest::addRow("order %d", static_cast<int>(order)) << static_cast<int>(order);
    }
    void theNextHeadIsTheNearestOnItsSide()
    {
        QFETCH(const int, order);
        FigureSpec spec = gridOf(Stage::Encoder);
        spec.headOrder = static_cast<HeadOrder>(order);
        const Trace trace = large(20, 4);
        const auto grid = headGridFigure(spec, trace, headThumbnails(spec, trace), headFacts(spec, trace), {900, 600});
        const auto tile = [&grid](HeadPlace place) { return grid->cellRect(place.layer, place.head); };
        const std::vector<HeadKey> all = readOrder(*grid, Stage::Encoder);
        for (const QPointF side : {QPointF(-1, 0), QPointF(1, 0), QPointF(0, -1), QPointF(0, 1)}) {
            for (const auto& [site, head] : all) {
                const HeadPlace from{site.layer, head};
                // How far away another one is, less so straight ahead; none: it is not on this side.
                const auto way = [&](HeadPlace to) -> std::optional<double> {
                    const QPointF by = tile(to).center() - tile(from).center();
                    const double along = QPointF::dotProduct(by, side);
                    const double aside = std::abs(QPointF::dotProduct(by, {side.y(), side.x()}));
                    const bool sameLine = aside < tile(from).height() / 2;
                    return along < 1 || (side.x() != 0 && !sameLine) ? std::nullopt : std::optional(along + 4 * aside);
                };
                std::optional<double> least;
                for (const auto& [otherSite, otherHead] : all) {
                    const auto other = way({otherSite.layer, otherHead});
                    least = other && other < least.value_or(*other + 1) ? other : least;
                }
                const auto next = grid->nextTo(from, side);
                QCOMPARE(next.has_value(), least.has_value());
                if (next)
                    QCOMPARE(*way(*next), *least);
            }
        }
        QCOMPARE(grid->nextTo({9, 9}, {1, 0}), std::optional(HeadPlace{all.front().first.layer, all.front().second}));
    }

    // An archive of a few megabytes has a million.
    void anyNumberOfHeadsIsWalkedThrough()
    {
        constexpr int count = 256;
        const auto grid = headGridFigure(gridOf(Stage::Encoder), small(), manyHeads(count, count), nullptr, {900, 600});
        for (int layer = 0; layer < count; ++layer) {
            for (int head = 0; head < count; ++head)
                QVERIFY(!grid->cellRect(layer, head).isNull());
        }
        for (int head = 0; head < count; ++head)
            QCOMPARE(grid->hitTest(grid->cellRect(1, head).center()).head, head);
        HeadPlace at{0, 0};
        for (const QPointF side : {QPointF(1, 0), QPointF(0, 1), QPointF(-1, 0), QPointF(0, -1)}) {
            while (const auto next = grid->nextTo(at, side))
                at = *next;
        }
        QCOMPARE(at, (HeadPlace{0, 0}));
        QCOMPARE(grid->between({count - 1, count - 1}, {0, 0}).size(), std::size_t{count * count});
    }

    void headsArePaintedAsFarAsTheyAreSeen()
    {
        const QSizeF size(900, 600);
        const auto many = headGridFigure(gridOf(Stage::Encoder), small(), manyHeads(32, 32), nullptr, size);
        const qsizetype all = test::svgOf(*many, {}, QRectF(QPointF(), size)).size();
        QVERIFY(10 * test::svgOf(*many, {}, QRectF(many->cellRect(2, 2))).size() < all);
        // Names that stand beside and above a tile are painted without it.
        const auto few = layoutFigure(gridOf(Stage::Encoder), small(), size);
        const QRectF second = few->cellRect(1, 0);
        const QSet<QString> beside =
            test::textsOf(test::svgOf(*few, {}, QRectF(0, second.center().y(), second.left() - 10, 1)));
        QVERIFY(beside.contains(QStringLiteral("layer 1")));
        const QRectF first = few->cellRect(0, 1);
        const QSet<QString> above =
            test::textsOf(test::svgOf(*few, {}, QRectF(first.center().x(), first.top() - 5, 1, 1)));
        QVERIFY(above.contains(QStringLiteral("head 1")) || above.contains(QStringLiteral("1")));
    }

    void whatIsKnownOfLongTextsComesLater()
    {
        m_appearance.choose([](FigureChoices& choices) { choices.headOrder = HeadOrder::Likeness; });
        m_study.replaceTrace(large(160), false);
        m_page->show();
        QTRY_VERIFY(m_view->figure() != nullptr && m_view->figure()->columns() == 12);
        QTRY_VERIFY(test::numbersIn(m_view->figure()->hitTest(m_view->figure()->cellRect(3, 4).center()).text).size()
                    > 6);
    }

private:
    void show(const Trace& trace)
    {
        m_study.replaceTrace(trace, false);
        m_page->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_page.get()));
        QTRY_VERIFY(m_view->figure() != nullptr && m_view->figure()->rows() == 3);
    }
    void click(int layer, int head, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        m_view->grab(); // lays it out
        QTest::mouseClick(m_view, Qt::LeftButton, modifiers,
                          m_view->figure()->cellRect(layer, head).center().toPoint());
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) { QTest::keyClick(m_view, key, modifiers); }
    std::vector<HeadPlace> picked() const
    {
        return m_appearance.choices().heads.existing(m_study.trace(), m_selection.site());
    }

    Study m_study;
    Selection m_selection;
    Appearance m_appearance;
    std::unique_ptr<QWidget> m_page;
    FigureView* m_view = nullptr;
};

ATTN_GUI_TEST(TestHeadGridView)
#include "tst_head_grid_view.moc"
