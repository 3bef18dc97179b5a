// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/progress.h"
#include "figure_kinds.h"
#include "figure_texts.h"
#include "figures/figure.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/token_label.h"
#include "figures/parts/exportable.h"
#include "figures/parts/token_figure.h"
#include "sample_traces.h"
#include "support/test_program.h"
#include "support/texts.h"

#include <QCoreApplication>
#include <QImage>
#include <QRegularExpression>
#include <QtTest>

#include <cmath>
#include <numeric>
#include <optional>
#include <stop_token>

using namespace attn;
using namespace attn::ui;

namespace {

const QString between = QStringLiteral(" \u00B7 "); // the parts of a caption

FigureSpec encoderSpec(HeadReading head = 0)
{
    FigureSpec spec;
    spec.site = {Stage::Encoder, 0};
    spec.head = head;
    return spec;
}

test::SampleRun continuationRun()
{
    test::SampleRun run;
    run.source = {"<s>", "once", "upon", "a", "time", "there", "was", "a", "cat"};
    run.generated = 3;
    run.decoderLayers = 2;
    run.heads = 2;
    return run;
}

QStringList labels(std::initializer_list<const char*> texts)
{
    QStringList result;
    for (const char* text : texts)
        result.append(QString::fromUtf8(text));
    return result;
}

double rowSum(const Numbers& matrix, int row)
{
    const float* first = matrix.values.data() + static_cast<std::ptrdiff_t>(row) * matrix.columns;
    return std::accumulate(first, first + matrix.columns, 0.0);
}

// Pixels that are nearly of this colour.
int countOf(const QImage& image, const QColor& color)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            const int distance = std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green())
                + std::abs(pixel.blue() - color.blue());
            count += distance < 40 ? 1 : 0;
        }
    }
    return count;
}

} // namespace

// Figures of encoder-only and decoder-only runs, and what is left out of matrices.
class TestModelKinds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hiddenSpecialTokensLeaveRowsAsTheyWere()
    {
        const Trace trace = test::sampleReading(test::pairRun());
        FigureSpec spec = encoderSpec();
        const Map whole = mapOf(trace, spec.mapSpec());
        const QString caption = figureTitle(spec, trace).subtitle;
        spec.specials = SpecialTokens::Hidden;
        const Map shown = mapOf(trace, spec.mapSpec());
        QCOMPARE(axisLabels(shown.rows),
                 labels({"the", "cat", "[MASK]", "a", "dog", "sat"})); // a mask stands for a word
        QCOMPARE(axisLabels(shown.columns), axisLabels(shown.rows));
        QCOMPARE(shown.numbers.at(0, 1), whole.numbers.at(1, 2));
        QCOMPARE(shown.numbers.at(5, 3), whole.numbers.at(7, 5));
        QVERIFY(rowSum(shown.numbers, 0) < 0.999);
        QVERIFY(figureTitle(spec, trace).subtitle.startsWith(caption + between)); // more is said then
    }

    void renormalizedRowsSumToOne()
    {
        const Trace trace = test::sampleReading(test::pairRun());
        FigureSpec spec = encoderSpec();
        spec.specials = SpecialTokens::HiddenRenormalized;
        FigureSpec plain = spec;
        plain.specials = SpecialTokens::Hidden;
        for (const HeadReading head : {HeadReading(1), HeadReading(meanOfHeads)}) {
            spec.head = plain.head = head;
            const Map shown = mapOf(trace, spec.mapSpec());
            for (int row = 0; row < shown.numbers.rows; ++row)
                QVERIFY(std::abs(rowSum(shown.numbers, row) - 1) < 1e-5);
            QVERIFY(figureTitle(spec, trace).subtitle != figureTitle(plain, trace).subtitle);
        }
        spec.head = plain.head = maximumOfHeads; // no distribution
        QCOMPARE(mapOf(trace, spec.mapSpec()).numbers.values, mapOf(trace, plain.mapSpec()).numbers.values);
        QCOMPARE(figureTitle(spec, trace).subtitle, figureTitle(plain, trace).subtitle);
    }

    void aPairIsFiltered_data()
    {
        test::addColumns<PairFilter, QString, QString, int, int>("filter", "firstRow", "firstColumn", "rows",
                                                                 "columns");
        QTest::newRow("all") << PairFilter::All << "[CLS]"
                             << "[CLS]" << 9 << 9;
        QTest::newRow("a to a") << PairFilter::AToA << "[CLS]"
                                << "[CLS]" << 5 << 5;
        QTest::newRow("a to b") << PairFilter::AToB << "[CLS]"
                                << "a" << 5 << 4;
        QTest::newRow("b to a") << PairFilter::BToA << "a"
                                << "[CLS]" << 4 << 5;
        QTest::newRow("b to b") << PairFilter::BToB << "a"
                                << "a" << 4 << 4;
    }

    void aPairIsFiltered()
    {
        QFETCH(const PairFilter, filter);
        QFETCH(const QString, firstRow);
        QFETCH(const QString, firstColumn);
        QFETCH(const int, rows);
        QFETCH(const int, columns);
        const Trace trace = test::sampleReading(test::pairRun());
        FigureSpec spec = encoderSpec();
        const Map whole = mapOf(trace, spec.mapSpec());
        spec.pair = filter;
        const MatrixContent content = heatmapContent(spec, trace);
        QCOMPARE(content.rowLabels.front(), firstRow);
        QCOMPARE(content.columnLabels.front(), firstColumn);
        QCOMPARE(content.map.numbers.rows, rows);
        QCOMPARE(content.map.numbers.columns, columns);
        QCOMPARE(content.map.numbers.at(2, 1),
                 whole.numbers.at(*content.map.rows.token(2), *content.map.columns.token(1)));
        const char* title = pairRows[static_cast<std::size_t>(filter)].title;
        QCOMPARE(content.title.subtitle.contains(QCoreApplication::translate("attn::ui", title)),
                 filter != PairFilter::All);
        for (const FigureKind* kind : {&heatmapKind, &arcsKind}) {
            spec.kind = kind;
            const auto figure = layoutFigure(spec, trace, {700, 500});
            QCOMPARE(figure->rows(), rows);
            QCOMPARE(figure->columns(), columns);
        }
        spec.kind = &headGridKind;
        const auto thumbnails = headThumbnails(spec, trace);
        QCOMPARE(thumbnails->tiles.front().pooled.numbers.rows, rows);
        QCOMPARE(thumbnails->tiles.front().pooled.numbers.columns, columns);
        QCOMPARE(exportable(spec, trace).csv().count('\n'), rows + 1);
    }

    // A to B shares out what is left of A's attention, and the other part goes to A.
    void pairFiltersComeAfterRenormalizing()
    {
        const Trace trace = test::sampleReading(test::pairRun());
        FigureSpec spec = encoderSpec();
        spec.specials = SpecialTokens::HiddenRenormalized;
        spec.pair = PairFilter::AToA;
        const Map own = mapOf(trace, spec.mapSpec());
        spec.pair = PairFilter::AToB;
        const Map other = mapOf(trace, spec.mapSpec());
        for (int row = 0; row < own.numbers.rows; ++row)
            QVERIFY(std::abs(rowSum(own.numbers, row) + rowSum(other.numbers, row) - 1) < 1e-5);
    }

    void wordsAreMergedBeforeTokensAreHidden()
    {
        test::SampleRun run = test::pairRun();
        run.source = {"[CLS]", "\u2581the", "\u2581ca", "t", "[SEP]", "\u2581do", "gs", "\u2581sat", "[SEP]"};
        run.wordMarks = true;
        const Trace trace = test::sampleReading(run);
        FigureSpec spec = encoderSpec();
        spec.words = true;
        spec.specials = SpecialTokens::HiddenRenormalized;
        const MatrixContent content = heatmapContent(spec, trace);
        QCOMPARE(content.rowLabels, labels({"the", "cat", "dogs", "sat"}));
        QCOMPARE(content.map.rows.tokens(), (std::vector<int>{1, 2, 5, 7}));
        for (int row = 0; row < 4; ++row)
            QVERIFY(std::abs(rowSum(content.map.numbers, row) - 1) < 1e-5);
        spec.pair = PairFilter::BToA;
        QCOMPARE(heatmapContent(spec, trace).rowLabels, labels({"dogs", "sat"}));
    }

    void anOutputOfNothingButItsEndIsSaid()
    {
        test::SampleRun run = test::shortRun();
        run.target = {"</s>"};
        FigureSpec spec;
        spec.site = {Stage::Cross, 0};
        spec.specials = SpecialTokens::Hidden;
        const Trace trace = test::sampleTrace(run);
        QCOMPARE(missingMap(mapOf(trace, spec.mapSpec()), spec, trace), Missing::Tokens);
        QVERIFY(missingText(Missing::Tokens, spec, trace).startsWith(QStringLiteral("Nothing was written")));
        spec.site = {Stage::Encoder, 0};
        QVERIFY(!missingText(Missing::Tokens, spec, trace).startsWith(QStringLiteral("Nothing was written")));
    }

    void everythingHiddenIsSaid()
    {
        test::SampleRun run = test::pairRun();
        run.source = {"[CLS]", "[SEP]"};
        run.segments = {};
        FigureSpec spec = encoderSpec();
        spec.specials = SpecialTokens::Hidden;
        const Trace trace = test::sampleReading(run);
        QCOMPARE(missingMap(mapOf(trace, spec.mapSpec()), spec, trace), Missing::Tokens);
        QVERIFY(missingText(Missing::Tokens, spec, trace).contains(QStringLiteral("empty")));
        for (const FigureKind* kind : {&heatmapKind, &arcsKind, &headGridKind, &decodingKind}) {
            spec.kind = kind;
            test::painted(*layoutFigure(spec, trace, {500, 400}));
        }
    }

    void encoderOnlyRowsAreQueries()
    {
        FigureSpec spec = encoderSpec();
        spec.currentStep = 3;
        const MatrixContent content = heatmapContent(spec, test::sampleReading(test::pairRun()));
        QCOMPARE(content.title.title, capitalized(attentionName(Stage::Encoder, ModelKind::EncoderOnly)));
        QCOMPARE(content.markedRow, 3);
        QVERIFY(std::abs(rowSum(content.map.numbers, 3) - 1) < 1e-5);
        test::SampleRun run = test::shortRun();
        run.encoderLayers = 1;
        const MatrixContent translation = heatmapContent(encoderSpec(), test::sampleTrace(run));
        QVERIFY(translation.title.title != content.title.title);
        // There it is said of which text they are.
        QVERIFY(content.rowAxis != translation.rowAxis && translation.rowAxis.contains(content.rowAxis));
        QVERIFY(content.columnAxis != translation.columnAxis && translation.columnAxis.contains(content.columnAxis));
        QVERIFY(content.rowAxis != content.columnAxis);
    }

    void anEditedRunSaysSo()
    {
        test::SampleRun run = test::pairRun();
        FigureSpec spec = encoderSpec();
        QVERIFY(!figureTitle(spec, test::sampleReading(run)).subtitle.contains(QStringLiteral("edit")));
        run.edits = {"encoder:0:1=zero"};
        QCOMPARE(figureTitle(spec, test::sampleReading(run)).title, QStringLiteral("Self-attention, edited"));
        QVERIFY(figureTitle(spec, test::sampleReading(run)).subtitle.contains(QStringLiteral("head 1 off")));
        run.edits.assign(3, "encoder:0:0:0:" + std::string(1000, '0') + "=zero");
        QVERIFY(figureTitle(spec, test::sampleReading(run)).subtitle.contains(QStringLiteral("3 edits")));
        run.edits.resize(1);
        QVERIFY(figureTitle(spec, test::sampleReading(run)).subtitle.size() < 200);
        spec.title = QStringLiteral("My own");
        QCOMPARE(figureTitle(spec, test::sampleReading(run)).title, spec.title);
        spec.title.clear();
        for (const FigureKind* kind : {&heatmapKind, &arcsKind, &decodingKind}) {
            spec.kind = kind;
            QVERIFY(layoutFigure(spec, test::sampleReading(run), {700, 500})
                        ->description()
                        .contains(QStringLiteral("edited")));
        }
    }

    void aMaskShowsWhatTheModelExpects()
    {
        FigureSpec spec = encoderSpec();
        spec.kind = &decodingKind;
        const Trace trace = test::sampleReading(test::pairRun());
        const auto figure = layoutFigure(spec, trace, {760, 560}); // no token chosen: the mask
        const QStringList numbers = test::numbersIn(figure->description());
        QVERIFY2(numbers.contains(QStringLiteral("3")) && numbers.contains(QStringLiteral("0.67")),
                 qPrintable(figure->description()));
        for (const char* token : {"[MASK]", "dog"})
            QVERIFY2(figure->description().contains(QLatin1String(token)), qPrintable(figure->description()));
        int candidates = 0;
        for (double y = 100; y < 560; y += 4)
            candidates = std::max(candidates, figure->hitTest({600, y}).column.value_or(0) + 1);
        QVERIFY(candidates >= 8);
        spec.currentStep = 5;
        const QStringList later = test::numbersIn(layoutFigure(spec, trace, {760, 560})->description());
        QVERIFY(later.contains(QStringLiteral("5")) && !later.contains(QStringLiteral("3")));
        const auto without = layoutFigure(spec, test::sampleReading(test::pairRun(), false), {760, 560});
        QVERIFY(without->hitTest({600, 150}).part != FigureHit::Part::Candidate);
    }

    void generatedTokensAreToldApart()
    {
        const Trace trace = test::sampleContinuation(continuationRun());
        FigureSpec spec;
        spec.site = {Stage::Decoder, 1};
        const MatrixContent content = heatmapContent(spec, trace);
        QCOMPARE(content.map.numbers.rows, 9);
        QCOMPARE(content.map.numbers.columns, 9);
        QVERIFY(!content.isGenerated({TokenSide::Rows, 4}) && content.isGenerated({TokenSide::Rows, 5})
                && !content.isGenerated({TokenSide::Columns, 5}) && content.isGenerated({TokenSide::Columns, 6})
                && content.isGenerated({TokenSide::Columns, 8}));
        QVERIFY(content.map.isBlank(0, 1) && !content.map.isBlank(1, 1));
        QCOMPARE(content.title.title, capitalized(attentionName(Stage::Decoder, ModelKind::DecoderOnly)));
        QVERIFY(attentionName(Stage::Decoder, ModelKind::DecoderOnly)
                != attentionName(Stage::Encoder, ModelKind::EncoderOnly));
        const QStringList caption = content.title.subtitle.split(between);
        QCOMPARE(test::numbersIn(caption.last()), QStringList{QStringLiteral("3")});
        QCOMPARE(caption[caption.size() - 2], QString::fromStdString(trace.provenance().decoding));
        test::SampleRun one = continuationRun();
        one.generated = 1;
        const QString ofOne = heatmapContent(spec, test::sampleContinuation(one)).title.subtitle.split(between).last();
        QCOMPARE(test::numbersIn(ofOne), QStringList{QStringLiteral("1")});
        QVERIFY(ofOne != QString(caption.last()).replace(QLatin1Char('3'), QLatin1Char('1'))); // no plural
        test::SampleRun read = continuationRun();
        read.generated = 0;
        const Trace plain = test::sampleContinuation(read);
        QCOMPARE(heatmapContent(spec, plain).title.subtitle, caption.mid(0, caption.size() - 2).join(between));
        const QColor color = themeColors(Theme::Light).generated;
        for (const FigureKind* kind : {&heatmapKind, &arcsKind}) {
            spec.kind = kind;
            const int plainly =
                countOf(test::painted(*layoutFigure(spec, plain, {700, 500})), color); // the colour map's
            QVERIFY(countOf(test::painted(*layoutFigure(spec, trace, {700, 500})), color) > plainly + 20);
        }
    }

    // Rows are as those of a translation; the token that asks is named in the tip.
    void theRowsOfAContinuationAreWhatIsWritten()
    {
        const Trace trace = test::sampleContinuation(continuationRun());
        FigureSpec spec;
        spec.site = {Stage::Decoder, 0};
        const MatrixContent content = heatmapContent(spec, trace);
        QCOMPARE(content.rowLabels, labels({"once", "upon", "a", "time", "there", "was", "a", "cat", "?"}));
        QCOMPARE(content.columnLabels, labels({"<s>", "once", "upon", "a", "time", "there", "was", "a", "cat"}));
        const Numbers attention = trace.matrix(spec.site, 0);
        for (int column = 0; column < 9; ++column)
            QCOMPARE(content.map.at(3, column), attention.at(3, column)); // of the query "a", for "time"
        QVERIFY2(content.rowAxis.contains(QStringLiteral("writes")), qPrintable(content.rowAxis));
        const auto figure = layoutFigure(spec, trace, {760, 560});
        const QString cell = figure->table().tip({3, 2});
        QVERIFY2(cell.startsWith(QStringLiteral("time \u2190 upon ")) && cell.endsWith(QStringLiteral("\u201Ca\u201D")),
                 qPrintable(cell));
        const QString row = content.hitOf({TokenSide::Rows, 3}, content.rowLabels[3]).text;
        QVERIFY2(row.startsWith(QStringLiteral("time: ")) && row.contains(QStringLiteral("\u201Ca\u201D")),
                 qPrintable(row));
        const QString next = content.hitOf({TokenSide::Rows, 8}, content.rowLabels[8]).text;
        QVERIFY2(next.startsWith(QStringLiteral("?: ")) && next.contains(QStringLiteral("\u201Ccat\u201D")),
                 qPrintable(next));
        QCOMPARE(content.inkOf({TokenSide::Rows, 8}, themeColors(Theme::Light)), themeColors(Theme::Light).muted);
        // The row of a step is that of the word that it writes, in lines and in the text, too.
        spec.currentStep = 3;
        QCOMPARE(heatmapContent(spec, trace).markedRow, 3);
        spec.currentStep = 8;
        QCOMPARE(heatmapContent(spec, trace).markedRow, 8);
        spec.currentStep.reset();
        for (const FigureKind* kind : {&arcsKind, &textKind}) {
            spec.kind = kind;
            const auto shown = layoutFigure(spec, trace, {760, 560});
            const QString tip = shown->table().tip({3, 2});
            QVERIFY2(tip.startsWith(QStringLiteral("time \u2190 upon ")), qPrintable(tip));
        }
    }

    // The row is in its place in each map, also where it is too low to be drawn around.
    void eachMapOfAllHeadsMarksTheChosenRow()
    {
        FigureSpec spec;
        spec.kind = &headGridKind;
        spec.site = {Stage::Decoder, 0};
        const QColor accent = themeColors(Theme::Light).accent;
        test::SampleRun longer = continuationRun();
        for (int word = 0; word < 90; ++word)
            longer.source.push_back("w" + std::to_string(word));
        for (const test::SampleRun& run : {continuationRun(), longer}) {
            const Trace trace = test::sampleContinuation(run);
            const int rows = trace.rowCount();
            spec.currentStep.reset();
            const QImage plain = test::painted(*layoutFigure(spec, trace, {900, 700}));
            for (const int step : {2, 6}) {
                spec.currentStep = step;
                const auto figure = layoutFigure(spec, trace, {900, 700});
                const QImage image = test::painted(*figure);
                for (const int head : {0, 1}) {
                    const QRectF tile = figure->cellRect(1, head);
                    const double height = tile.height() / rows;
                    const double scale = double(image.width()) / figure->size().width();
                    const auto around = [&](int row) {
                        const QRectF strip(tile.left() - 4, tile.top() + row * height - 1, tile.width() + 8,
                                           height + 2);
                        return QRectF(strip.topLeft() * scale, strip.size() * scale).toAlignedRect();
                    };
                    const auto marked = [&](int row) {
                        return countOf(image.copy(around(row)), accent) - countOf(plain.copy(around(row)), accent);
                    };
                    QVERIFY2(marked(step) >= 4, qPrintable(QString::number(marked(step))));
                    QCOMPARE(marked(step + (rows > 20 ? 4 : 2)), 0);
                }
            }
        }
    }

    // A word of the text is itself as what is written and as what is read.
    void aShadedTextThatGoesOnIsOneText()
    {
        const Trace trace = test::sampleContinuation(continuationRun());
        FigureSpec spec;
        spec.kind = &textKind;
        spec.site = {Stage::Decoder, 0};
        spec.shading = Shading::AttendedTo;
        const auto figure = layoutFigure(spec, trace, {760, 560});
        const auto* const tokens = dynamic_cast<const TokenFigure*>(figure.get());
        QCOMPARE(tokens->places().size(), std::size_t{10}); // nine words, and what comes next
        QVERIFY((tokens->places().front() == TokenPlace{TokenSide::Columns, 0})); // which no step writes
        for (int row = 0; row < 8; ++row)
            QCOMPARE(tokens->rectOf({TokenSide::Rows, row}), tokens->rectOf({TokenSide::Columns, row + 1}));
        QVERIFY(!tokens->rectOf({TokenSide::Rows, 8}).isNull());
    }

    void aStepOfAContinuationNamesItsToken()
    {
        const Trace trace = test::sampleContinuation(continuationRun());
        FigureSpec spec;
        spec.kind = &decodingKind;
        spec.site = {Stage::Decoder, 0};
        const auto description = [&](std::optional<int> step) {
            spec.currentStep = step;
            return layoutFigure(spec, trace, {760, 560})->description();
        };
        const QString prompt = description(3);
        QVERIFY2(prompt.contains(QStringLiteral("once upon a time")) && !prompt.contains(QStringLiteral("there")),
                 qPrintable(prompt));
        const QString newest = description({});
        QVERIFY(newest.contains(QStringLiteral("was a cat")));
        // Reading the prompt has a name of its own, which stands before the number of the step.
        const auto name = [](const QString& text) {
            return text.section(QRegularExpression(QStringLiteral("\\d")), 0, 0);
        };
        QCOMPARE(name(prompt), name(description(0)));
        QCOMPARE(name(newest), name(description(5)));
        QVERIFY(!name(prompt).isEmpty() && !name(newest).isEmpty() && name(prompt) != name(newest));
    }

    void whatComesNextIsAStepOfItsOwn()
    {
        const Trace trace = test::sampleContinuation(continuationRun());
        FigureSpec spec;
        spec.kind = &decodingKind;
        spec.site = {Stage::Decoder, 0};
        spec.currentStep = 8;
        const QString description = layoutFigure(spec, trace, {760, 560})->description();
        QVERIFY2(description.contains(QStringLiteral("was a cat ?")) && test::numbersIn(description).isEmpty(),
                 qPrintable(description));
    }

    void futureKeysStayBlankWithoutTheStartToken()
    {
        const Trace trace = test::sampleContinuation(continuationRun());
        FigureSpec spec;
        spec.kind = &headGridKind;
        spec.site = {Stage::Decoder, 0};
        spec.specials = SpecialTokens::Hidden;
        const auto thumbnails = headThumbnails(spec, trace);
        const PooledMap& tile = thumbnails->tiles.front().pooled;
        QCOMPARE(tile.numbers.rows, 9); // the start token is read, not written
        QCOMPARE(tile.numbers.columns, 8);
        QVERIFY(tile.numbers.at(3, 2) > 0);
        QVERIFY(tile.state(3, 3) == CellState::Blank);
    }

    void thumbnailsCanBeStopped()
    {
        std::stop_source source;
        source.request_stop();
        const Trace trace = test::sampleReading(test::pairRun());
        const ThreadStop stop(source.get_token());
        QVERIFY_THROWS_EXCEPTION(Error, (void)headThumbnails(encoderSpec(), trace));
    }

    void theGridFillsTallWindows()
    {
        test::SampleRun run = test::pairRun();
        run.encoderLayers = 3;
        run.heads = 8;
        FigureSpec spec = encoderSpec();
        spec.kind = &headGridKind;
        const auto figure = layoutFigure(spec, test::sampleReading(run), {700, 900});
        QRectF all;
        for (int layer = 0; layer < 3; ++layer)
            for (int head = 0; head < 8; ++head)
                all |= figure->cellRect(layer, head);
        QVERIFY2(all.bottom() > 750, qPrintable(QString::number(all.bottom())));
        QVERIFY(all.right() < 700);
        QVERIFY(figure->cellRect(0, 0).width() > 100); // in one line: 68
    }

    void aLargeGridIsLaidOutWithinAFrame()
    {
        test::SampleRun run;
        run.source = test::syllables(128);
        run.encoderLayers = 12;
        run.heads = 12;
        const Trace trace = test::sampleReading(run, false);
        FigureSpec spec = encoderSpec();
        spec.kind = &headGridKind;
        QCOMPARE(thumbnailCost(spec, trace), std::size_t{128 * 128 * 144});
        const auto thumbnails = headThumbnails(spec, trace);
        const auto figure = headGridFigure(spec, trace, thumbnails, headFacts(spec, trace), {900, 600});
        QRectF last;
        for (int head = 0; head < 12; ++head) {
            const QRectF tile = figure->cellRect(11, head);
            QVERIFY(tile.height() > 20 && tile.width() > 20 && !tile.intersects(last));
            QVERIFY(QRectF(QPointF(), figure->size()).contains(tile));
            last = tile;
        }
    }

    void everyKindOfRunSurvivesEveryFigure()
    {
        test::SampleRun one = continuationRun();
        one.source = {"<s>"};
        one.generated = 0;
        test::SampleRun nothing = test::pairRun();
        nothing.source = {};
        nothing.segments = {};
        nothing.encoderLayers = 0;
        const std::vector<Trace> traces = {test::sampleReading(test::pairRun()),
                                           test::sampleReading(test::pairRun(), false), test::sampleReading(nothing),
                                           test::sampleContinuation(continuationRun()), test::sampleContinuation(one)};
        for (const Trace& trace : traces) {
            for (const FigureKind* kind : {&heatmapKind, &headGridKind, &arcsKind, &decodingKind}) {
                for (const Stage stage : {Stage::Encoder, Stage::Decoder, Stage::Cross}) {
                    FigureSpec spec;
                    spec.kind = kind;
                    spec.site = {stage, 0};
                    spec.specials = SpecialTokens::HiddenRenormalized;
                    spec.pair = PairFilter::BToA;
                    for (const std::optional<int> step :
                         {std::optional<int>(), std::optional(0), std::optional(4), std::optional(100)}) {
                        spec.currentStep = step;
                        const auto figure = layoutFigure(spec, trace, {600, 400});
                        QVERIFY(!figure->description().isEmpty());
                        test::painted(*figure);
                    }
                }
            }
        }
    }
};

ATTN_GUI_TEST(TestModelKinds)
#include "tst_model_kinds.moc"
