// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "figure_texts.h"
#include "figures/export/figure_export.h"
#include "figures/kinds/beam_figure.h"
#include "figures/kinds/beam_words.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/token_label.h"
#include "figures/parts/exportable.h"
#include "sample_traces.h"
#include "support/test_program.h"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <memory>
#include <set>

using namespace attn;
using namespace attn::ui;
using attn::test::SampleBeam;

namespace {

std::unique_ptr<const BeamFigure> figureOf(const Trace& trace, QSizeF size, FigureSpec spec = {})
{
    spec.kind = &beamKind;
    return beamFigure(spec, trace, std::make_shared<const BeamLayout>(beamLayout(trace, spec.refolded)), size);
}

std::set<StepId> allFolds(const BeamLayout& layout)
{
    std::set<StepId> all;
    for (const BeamItem& item : layout.items) {
        if (item.folds)
            all.insert(StepId{item.begin});
    }
    return all;
}

// What is wrong with where the tokens lie; empty: nothing.
QString problemOf(const BeamLayout& layout)
{
    constexpr double close = 1e-9;
    std::vector<int> shown(layout.tree.nodes.size());
    std::optional<double> best;
    for (const BeamItem& item : layout.items) {
        for (int place = 0; place < item.columns(); ++place) {
            const auto node = static_cast<std::size_t>(layout.node(item, place));
            const double row = layout.nodeRows[node];
            ++shown[node];
            if (layout.tree.nodes[node].position != item.column + place)
                return QStringLiteral("a token is not at its position");
            if (row < -close || row + 1 > layout.rows + close)
                return QStringLiteral("a token lies outside");
            if (layout.roomy && std::abs(row - layout.row(item)) > close)
                return QStringLiteral("a box is not straight");
            if (layout.tree.nodes[node].best && std::abs(best.value_or(row) - row) > close)
                return QStringLiteral("the best path is not straight");
            if (layout.tree.nodes[node].best)
                best = row;
        }
        if (item.parent) {
            const BeamItem& parent = layout.items[static_cast<std::size_t>(*item.parent)];
            if (parent.end() != item.column)
                return QStringLiteral("a parent is not left of its child");
            if (layout.tree.nodes[static_cast<std::size_t>(layout.firstNode(item))].parent != layout.lastNode(parent))
                return QStringLiteral("a box has another parent than its token");
        }
    }
    if (std::any_of(shown.begin(), shown.end(), [](int count) { return count != 1; }))
        return QStringLiteral("a token is not there once");
    for (int column = 0; column < static_cast<int>(layout.columns.size()); ++column) {
        double above = -1;
        double parentAbove = -1;
        for (const int index : layout.columns[static_cast<std::size_t>(column)]) {
            const BeamItem& item = layout.items[static_cast<std::size_t>(index)];
            const auto node = static_cast<std::size_t>(layout.node(item, column - item.column));
            const auto parent = layout.tree.nodes[node].parent;
            const double before = parent ? layout.nodeRows[static_cast<std::size_t>(*parent)] : 0;
            if (layout.nodeRows[node] < above + 1 - close)
                return QStringLiteral("tokens overlap");
            if (before < parentAbove - close)
                return QStringLiteral("lines cross");
            above = layout.nodeRows[node];
            parentAbove = before;
        }
    }
    return {};
}

int wrongNodes(const BeamFigure& figure, int nodes)
{
    int wrong = 0;
    for (int node = 0; node < nodes; ++node) {
        const FigureHit hit = figure.hitTest(figure.nodeRect(node).center());
        wrong += hit.node == StepId{node} && hit.part == FigureHit::Part::Node ? 0 : 1;
    }
    return wrong;
}

} // namespace

class TestBeamFigure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void boxesLieInOrder_data()
    {
        test::addColumns<int, int, int, int>("width", "steps", "done", "given");
        QTest::newRow("one path") << 1 << 12 << -1 << 0;
        QTest::newRow("one token") << 4 << 10 << 1 << 0;
        QTest::newRow("two") << 2 << 12 << -1 << 0;
        QTest::newRow("usual") << 5 << 30 << -1 << 0;
        QTest::newRow("going on") << 5 << 30 << 9 << 0;
        QTest::newRow("after a prefix") << 5 << 30 << -1 << 4;
        QTest::newRow("wide") << 40 << 30 << -1 << 0;
        QTest::newRow("256 by 100") << 256 << 100 << -1 << 0;
    }

    void boxesLieInOrder()
    {
        QFETCH(const int, width);
        QFETCH(const int, steps);
        QFETCH(const int, done);
        QFETCH(const int, given);
        for (const unsigned seed : {1U, 2U, 3U}) {
            const Trace trace = test::sampleBeam({width, steps, done, given, seed});
            const BeamLayout usual = beamLayout(trace);
            QCOMPARE(problemOf(usual), QString());
            const BeamLayout other = beamLayout(trace, allFolds(usual));
            QCOMPARE(problemOf(other), QString());
            if (given == 0) // all are folded the one way, none the other
                QCOMPARE(std::max(usual.items.size(), other.items.size()), usual.tree.nodes.size());
        }
    }

    // The boxes of a large tree are not spread over more rows than it has hypotheses, give or take.
    void aLargeTreeIsCompact()
    {
        const BeamLayout layout = beamLayout(test::sampleBeam({.width = 256, .steps = 100}));
        QVERIFY2(layout.rows < 2 * 256, qPrintable(QString::number(layout.rows)));
    }

    // Letters of the final hypotheses stay where there are more boxes than a window can write in.
    void aLargeTreeKeepsItsLetters()
    {
        const Trace trace = test::sampleBeam({.width = 24, .steps = 24});
        BeamLayout layout = beamLayout(trace);
        const auto refolded = allFolds(layout);
        FigureSpec spec;
        spec.refolded = refolded;
        layout = beamLayout(trace, refolded);
        const double rows = std::ceil(layout.rows);
        const auto figure = figureOf(trace, {1500, 20 * rows + 120}, spec);
        const QSet<QString> texts = test::textsOf(*figure);
        int written = 0;
        for (const BeamNode& node : layout.tree.nodes)
            written += texts.contains(readableToken(node.text)) ? 1 : 0;
        QVERIFY2(layout.items.size() > 320, qPrintable(QString::number(layout.items.size())));
        QVERIFY2(written > 20, qPrintable(QString::number(written)));
    }

    void everyTokenIsFound_data()
    {
        QTest::addColumn<QSizeF>("size");
        QTest::newRow("large window") << QSizeF(4000, 2000);
        QTest::newRow("window") << QSizeF(900, 560);
        QTest::newRow("page, in bands") << QSizeF(605, 0);
    }

    void everyTokenIsFound()
    {
        QFETCH(const QSizeF, size);
        const Trace trace = test::sampleBeam({.width = 4, .steps = 20, .given = 2});
        const BeamLayout layout = beamLayout(trace);
        for (const std::set<StepId>& refolded : {std::set<StepId>(), allFolds(layout)}) {
            FigureSpec spec;
            spec.refolded = refolded;
            const auto figure = figureOf(trace, size, spec);
            QCOMPARE(wrongNodes(*figure, trace.stepCount()), 0);
            const QRectF all(QPointF(), figure->size());
            for (int node = 0; node < trace.stepCount(); ++node) {
                QVERIFY(all.contains(figure->nodeRect(node)));
                QVERIFY(figure->nodeHit(node).text.contains(QString::fromStdString(trace.step(StepId{node}).text)));
            }
        }
    }

    void aPageIsAsHighAsItMustBe()
    {
        const auto band = figureOf(test::sampleBeam({.width = 4, .steps = 4}), {605, 0});
        const auto bands = figureOf(test::sampleBeam({.width = 4, .steps = 20}), {605, 0});
        QVERIFY(bands->size().height() > 1.5 * band->size().height());
        const auto large = figureOf(test::sampleBeam({.width = 256, .steps = 100}), {605, 0});
        QVERIFY(large->size().height() < 4 * 605); // a picture of it, not a mile of paper
    }

    void theSignUnfoldsABox()
    {
        const Trace trace = test::sampleBeam({.width = 4, .steps = 20});
        const BeamLayout layout = beamLayout(trace);
        const auto folded = std::ranges::find_if(layout.items, &BeamItem::isFolded);
        QVERIFY(folded != layout.items.end());
        FigureSpec spec;
        const auto figure = figureOf(trace, {3000, 1200}, spec);
        FigureHit hit = figure->hitTest(figure->foldRect(layout.firstNode(*folded)).center());
        QCOMPARE(hit.part, FigureHit::Part::Fold);
        QCOMPARE(hit.node, std::optional(StepId{layout.firstNode(*folded)}));
        spec.refolded = {*hit.node};
        const BeamLayout unfolded = beamLayout(trace, spec.refolded);
        QCOMPARE(unfolded.items.size(), layout.items.size() + static_cast<std::size_t>(folded->columns()) - 1);
        const auto open = figureOf(trace, {3000, 1200}, spec);
        hit = open->hitTest(open->foldRect(layout.firstNode(*folded)).center());
        QCOMPARE(hit.part, FigureHit::Part::Fold); // and folds it again
        QVERIFY(open->foldRect(layout.lastNode(*folded)).isNull());
    }

    void theRankingStandsBesideTheTree()
    {
        const Trace trace = test::sampleBeam({.width = 4, .steps = 10});
        const auto figure = figureOf(trace, {900, 560});
        std::vector<int> found;
        for (double y = 0; y < 560; y += 2) {
            const FigureHit hit = figure->hitTest({900 - 40, y});
            if (hit.node && (found.empty() || found.back() != numberOf(*hit.node)))
                found.push_back(numberOf(*hit.node));
        }
        std::vector<int> expected;
        for (const Hypothesis& hypothesis : trace.summary()->hypotheses)
            expected.push_back(numberOf(*hypothesis.step));
        QVERIFY(found.size() >= 4);
        expected.resize(found.size());
        QCOMPARE(found, expected);
    }

    void whatBecameOfEachIsSaid()
    {
        const Trace trace = test::sampleBeam({.width = 4, .steps = 14, .seed = 2});
        const BeamTree tree = beamTree(trace);
        std::set<BeamFate> fates;
        for (int node = 0; node < trace.stepCount(); ++node) {
            const BeamNode& shown = tree.nodes[static_cast<std::size_t>(node)];
            const QString text = nodeText(tree, node);
            fates.insert(shown.fate);
            QCOMPARE(shortFate(tree, node).isEmpty(), shown.fate == BeamFate::Continued);
            if (const auto dropped = tree.droppedAt(node)) {
                QVERIFY(shortFate(tree, node).contains(QString::number(*dropped)));
                QVERIFY(text.endsWith(fateText(tree, node)));
            }
            if (shown.rank) {
                QVERIFY(shortFate(tree, node).contains(QString::number(*shown.rank + 1)));
                QVERIFY(text.contains(scoreText(tree, *shown.rank)));
            }
        }
        QVERIFY(fates.contains(BeamFate::FellOut) && fates.contains(BeamFate::Ended)
                && fates.contains(BeamFate::AtLimit));
    }

    void theWordsStandInThePicture()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("beam.svg"));
        const Trace trace = test::sampleBeam({.width = 3, .steps = 6});
        FigureSpec spec;
        spec.kind = &beamKind;
        exportFigure(path, exportable(spec, trace), {.widthMm = 300});
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString svg = QString::fromUtf8(file.readAll());
        const BeamTree tree = beamTree(trace);
        for (int node = 0; node < trace.stepCount(); ++node) {
            const BeamNode& shown = tree.nodes[static_cast<std::size_t>(node)];
            QVERIFY(svg.contains(QString::fromStdString(shown.text).toHtmlEscaped()));
            if (shown.fate == BeamFate::FellOut) // wrapped into lines
                QVERIFY(svg.contains(shortFate(tree, node).section(QLatin1Char(' '), 0, 1)));
        }
        for (int place = 0; place < static_cast<int>(tree.ranking.size()); ++place)
            QVERIFY(svg.contains(scoreText(tree, place)));
    }

    void theNumbersAreWrittenAsRows()
    {
        const Trace trace = test::sampleBeam({.width = 4, .steps = 10});
        FigureSpec spec;
        spec.kind = &beamKind;
        const QList<QByteArray> lines = exportable(spec, trace).csv().split('\n');
        QCOMPARE(lines.size(), trace.stepCount() + 2); // names, and nothing after the last line
        const int fields = static_cast<int>(lines.front().split(',').size());
        for (int node = 0; node < trace.stepCount(); ++node) {
            const QList<QByteArray> row = lines.at(node + 1).trimmed().split(',');
            const DecodingStep& step = trace.step(StepId{node}).step;
            QCOMPARE(row.size(), fields);
            QCOMPARE(row.at(0).toInt(), node);
            QCOMPARE(row.at(1).isEmpty(), !step.parent);
            QCOMPARE(row.at(2).toInt(), step.position);
            QVERIFY(std::abs(row.at(6).toFloat() - step.score) < 1e-4F);
        }
        QVERIFY_THROWS_EXCEPTION(Error, (void)exportable(spec, Trace()).csv());
    }

    void onePathIsNotFolded()
    {
        const Trace trace = test::sampleTrace(test::shortRun());
        const BeamLayout layout = beamLayout(trace);
        QCOMPARE(layout.items.size(), static_cast<std::size_t>(trace.stepCount()));
        QCOMPARE(layout.rows, 1.0);
        const Trace beam = test::sampleBeam({.width = 3, .steps = 9});
        QVERIFY(figureOf(trace, {900, 560})->description() != figureOf(beam, {900, 560})->description());
    }

    void nothingToShowIsExplained()
    {
        const Trace reading = test::sampleReading(test::pairRun());
        const auto reads = figureOf(reading, {900, 560});
        QCOMPARE(reads->rows(), 0);
        FigureSpec spec;
        QCOMPARE(reads->description(), missingText(Missing::Search, spec, reading));
        const Trace begun = test::sampleBeam({.done = 0});
        QCOMPARE(figureOf(begun, {605, 0})->description(), missingText(Missing::Output, spec, begun));
        spec.stopped = true;
        QCOMPARE(figureOf(begun, {605, 0}, spec)->description(), missingText(Missing::Stopped, spec, begun));
        QVERIFY(!figureOf(Trace(), {100, 80})->hitTest({50, 40}).node);
    }

    // What was drawn stays in its order from one step to the next.
    void aGrowingTreeKeepsItsOrder()
    {
        std::vector<int> before;
        for (int done = 1; done <= 12; ++done) {
            const BeamLayout layout = beamLayout(test::sampleBeam({.width = 6, .steps = 12, .done = done}));
            std::vector<int> order; // of the tokens at a position
            for (const int item : layout.columns.at(0))
                order.push_back(layout.node(layout.items[static_cast<std::size_t>(item)], 0));
            if (!before.empty())
                QCOMPARE(order, before);
            before = order;
        }
    }

    // A part that is zoomed into is what is there, and nothing lies outside.
    void aPartIsShown()
    {
        const Trace trace = test::sampleBeam({.width = 40, .steps = 30});
        FigureSpec spec;
        spec.visible = QRectF(10.5, 20.25, 6, 8);
        const auto figure = figureOf(trace, {900, 560}, spec);
        const auto corner = figure->cellsAt(figure->cellRect(22, 12).topLeft() + QPointF(0.1, 0.1));
        QVERIFY(corner && std::abs(corner->x() - 12) < 0.01 && std::abs(corner->y() - 22) < 0.01);
        int seen = 0;
        for (int node = 0; node < trace.stepCount(); ++node) {
            const QRectF rect = figure->nodeRect(node);
            const int position = trace.step(StepId{node}).step.position;
            if (rect.isEmpty())
                continue;
            ++seen;
            QVERIFY(position >= 10 && position <= 16);
            QVERIFY(QRectF(0, 0, 900, 560).contains(rect));
        }
        QVERIFY(seen > 10 && seen < trace.stepCount() / 4);
    }

    void foldedTokensAreReadAsText()
    {
        const auto tokens = [](const char* text) { return QString::fromUtf8(text).split(QLatin1Char('|')); };
        QCOMPARE(joinedTokens(tokens("\u00B7qu|'|elle|\u00B7rev|iend|rait|.|</s>"), true),
                 QStringLiteral("\u00B7qu'elle reviendrait. </s>"));
        QCOMPARE(joinedTokens(tokens("s4|s5"), false), QStringLiteral("s4 s5")); // nothing says where words begin
    }

    void aRankingKeepsWhatDiffers_data()
    {
        test::addColumns<QString, QString, QStringList>("text", "other", "kept");
        QTest::newRow("the end") << QStringLiteral("Je ne veux pas aller au cinéma avec toi ce soir.")
                                 << QStringLiteral("Je ne veux pas aller au cinéma avec toi ce matin.")
                                 << QStringList{QStringLiteral("Je"), QStringLiteral("soir.")};
        QTest::newRow("the middle") << QStringLiteral("Je ne veux pas aller au théâtre avec toi ce soir.")
                                    << QStringLiteral("Je ne veux pas aller au cinéma avec toi ce soir.")
                                    << QStringList{QStringLiteral("Je"), QStringLiteral("théâtre")};
        QTest::newRow("the beginning") << QStringLiteral("On ne veut pas aller au cinéma avec toi ce soir.")
                                       << QStringLiteral("Je ne veut pas aller au cinéma avec toi ce soir.")
                                       << QStringList{QStringLiteral("On")};
        QTest::newRow("longer") << QStringLiteral("Je ne veux pas aller au cinéma avec toi ce soir, non, non.")
                                << QStringLiteral("Je ne veux pas aller au cinéma avec toi ce soir,")
                                << QStringList{QStringLiteral("Je"), QStringLiteral("non, non.")};
        QTest::newRow("alike") << QStringLiteral("Je ne veux pas aller au cinéma avec toi ce soir.")
                               << QStringLiteral("Je ne veux pas aller au cinéma avec toi ce soir.")
                               << QStringList{QStringLiteral("Je")};
    }
    void aRankingKeepsWhatDiffers()
    {
        QFETCH(const QString, text);
        QFETCH(const QString, other);
        QFETCH(const QStringList, kept);
        const QFontMetricsF metrics{QFont()};
        const double whole = metrics.horizontalAdvance(text);
        QCOMPARE(apart(text, {other}, metrics, whole), text);
        for (const double part : {0.8, 0.6, 0.4}) {
            const QString shown = apart(text, {text, other}, metrics, whole * part);
            QVERIFY2(metrics.horizontalAdvance(shown) <= whole * part, qPrintable(shown));
            QVERIFY2(shown.startsWith(kept.front()) && shown.contains(QChar(0x2026)), qPrintable(shown));
            for (const QString& word : kept)
                QVERIFY2(shown.contains(word), qPrintable(shown));
        }
    }

    // Any two of them, however they differ.
    void noTwoOfARankingLookAlike()
    {
        const QStringList texts{QStringLiteral("Je ne pense pas qu'elle revienne à la maison ce soir."),
                                QStringLiteral("Je ne crois pas qu'elle revienne à la maison ce soir."),
                                QStringLiteral("Je ne pense pas qu'elle rentrera à la maison ce soir."),
                                QStringLiteral("Je ne pense pas qu'elle revienne chez elle ce soir."),
                                QStringLiteral("Je ne pense pas qu'elle revienne à la maison cette nuit."),
                                QStringLiteral("Je ne pense pas qu'elle revienne à la maison ce soir")};
        const QFontMetricsF metrics{QFont()};
        for (const double part : {0.9, 0.7, 0.6}) {
            QSet<QString> seen;
            for (const QString& text : texts) {
                const double width = part * metrics.horizontalAdvance(text);
                const QString shown = apart(text, texts, metrics, width);
                QVERIFY2(metrics.horizontalAdvance(shown) <= width, qPrintable(shown));
                for (const QString& other : texts) { // one of its words is not the other's
                    if (other == text)
                        continue;
                    const QStringList theirs = other.split(QLatin1Char(' '));
                    const QStringList words = shown.split(QLatin1Char(' '));
                    QVERIFY2(std::ranges::any_of(
                                 words,
                                 [&](const QString& word) { return word != QChar(0x2026) && !theirs.contains(word); }),
                             qPrintable(shown + QStringLiteral(" | ") + other));
                }
                seen.insert(shown);
            }
            QCOMPARE(seen.size(), texts.size());
        }
    }
};

ATTN_GUI_TEST(TestBeamFigure)

#include "tst_beam_figure.moc"
