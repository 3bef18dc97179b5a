// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_kinds.h"
#include "figure_texts.h"
#include "figures/kinds/shown_step.h"
#include "figures/look/decimal.h"
#include "sample_traces.h"
#include "support/test_program.h"

#include <QTest>

#include <cmath>
#include <memory>

using namespace attn;
using namespace attn::ui;
using attn::test::painted;

namespace attn::ui {

extern const FigureKind stageKind;

} // namespace attn::ui

namespace {

std::unique_ptr<const Figure> stageOf(const Trace& trace, int step, std::optional<double> moment = {},
                                      double width = 1000)
{
    FigureSpec spec;
    spec.kind = &stageKind;
    spec.currentStep = step;
    spec.untilStep = moment.has_value();
    spec.moment = moment;
    return layoutFigure(spec, trace, {width, 0});
}

FigureHit hitAt(const Figure& stage, int word)
{
    return stage.hitTest(stage.cellRect(word, 0).center());
}

std::optional<int> wordCalled(const Figure& stage, const QString& label, int from = 0)
{
    for (int word = from; word < stage.rows(); ++word) {
        if (stage.table().text({word, FigureTable::header}) == label)
            return word;
    }
    return std::nullopt;
}

} // namespace

// The sentences over the views: which words stand where, what they say, and a word that comes to be written.
class TestStageFigure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wordsOfBothTextsAreThere()
    {
        const attn::test::SampleRun run = attn::test::shortRun();
        const Trace trace = sampleTrace(run);
        const auto stage = stageOf(trace, 1);
        const FigureTable table = stage->table();
        // Special tokens are no words.
        const auto isWord = [](const std::string& token) { return token.front() != '<'; };
        const auto read = std::ranges::count_if(run.source, isWord);
        QCOMPARE(stage->rows(), read + std::ranges::count_if(run.target, isWord));
        for (int word = 0; word < stage->rows(); ++word) {
            const bool written = word >= read;
            QCOMPARE(hitAt(*stage, word).part, written ? FigureHit::Part::RowLabel : FigureHit::Part::ColumnLabel);
            QCOMPARE(hitAt(*stage, word).rowToken.has_value(), written);
            QVERIFY(stage->cellRect(word, 0).right() <= stage->size().width());
            QCOMPARE(stage->cellRect(word, 0).top() > stage->cellRect(0, 0).bottom(), written);
        }
        QCOMPARE(table.chosenRows, (std::vector<int>{static_cast<int>(read) + 1}));
    }

    // The numbers are those of the matrix: of the chosen row, and where a word is pointed at of the one that looks at
    // it most, whose line is drawn then.
    void aWordSaysItsWeight()
    {
        const Trace trace = sampleTrace(attn::test::shortRun());
        const Numbers matrix = trace.matrix({Stage::Cross, 0}, 0);
        for (const int step : {0, 2}) {
            const auto stage = stageOf(trace, step);
            for (int word = 0; word < 4; ++word) {
                const FigureHit hit = hitAt(*stage, word);
                QVERIFY(hit.columnToken);
                const QString tip = stage->table().tip({word, 0});
                QVERIFY2(tip.endsWith(decimal(static_cast<double>(matrix.at(step, *hit.columnToken)), 4)),
                         qPrintable(tip));
                float most = 0;
                for (int row = 0; row + 1 < matrix.rows; ++row) // the last ends the sentence, and is no word
                    most = std::max(most, matrix.at(row, *hit.columnToken));
                QVERIFY2(hit.text.endsWith(decimal(static_cast<double>(most), 4)), qPrintable(hit.text));
            }
        }
    }

    // Neither by the matrix, of which the first row is no exception, nor by the bars of the step.
    void nothingIsToldOfAWordThatComes()
    {
        attn::test::SampleRun run;
        run.source = {"\u2581a", "\u2581cat"};
        run.target = {"\u2581chat", "\u2581in", "croyable", "\u2581la"};
        run.wordMarks = true;
        const Trace trace = sampleTrace(run);
        FigureSpec spec;
        spec.words = true;
        spec.untilStep = true;
        for (const auto& [step, row] : {std::pair(0, 0), std::pair(2, 1), std::pair(3, 2)}) {
            spec.currentStep = step;
            for (const bool comes : {false, true}) {
                spec.moment = comes ? std::optional(0.0) : std::nullopt;
                spec.kind = &heatmapKind;
                spec.noMark = true;
                const auto matrix = layoutFigure(spec, trace, {600, 400});
                const QImage picture = painted(*matrix);
                const auto isBlank = [&](int of) {
                    const QPoint dot = matrix->cellRect(of, 0).topLeft().toPoint() + QPoint(8, 8);
                    return picture.pixelColor(dot) == themeColors(Theme::Light).background;
                };
                QCOMPARE(isBlank(row), comes);
                QVERIFY(row == 0 || !isBlank(row - 1));
                spec.kind = &decodingKind;
                QCOMPARE(layoutFigure(spec, trace, {600, 400})->cellRect(0, 0).isNull(), comes);
            }
        }
    }

    // Which may be longer than the word.
    void aGlossStandsBelowAWord()
    {
        const Trace trace = sampleTrace(attn::test::shortRun());
        FigureSpec spec;
        spec.kind = &stageKind;
        const auto plain = layoutFigure(spec, trace, {1000, 0});
        spec.gloss = [](const QString& word) -> QString { return word + QStringLiteral(" in other words"); };
        const auto glossed = layoutFigure(spec, trace, {1000, 0});
        int written = 0;
        for (int word = 0; word < glossed->rows(); ++word) {
            const bool isWritten = hitAt(*glossed, word).part == FigureHit::Part::RowLabel;
            QCOMPARE(hitAt(*glossed, word).text.contains(QStringLiteral("in other words")), isWritten);
            QCOMPARE(glossed->cellRect(word, 0).width() > plain->cellRect(word, 0).width() + 20, isWritten);
            QVERIFY(!glossed->cellRect(word, 0).isNull());
            written += isWritten ? 1 : 0;
        }
        QVERIFY(written > 1);
        // One alone says little.
        spec.gloss = [](const QString& word) { return word == QLatin1String("chat") ? word : QString(); };
        const auto lone = layoutFigure(spec, trace, {1000, 0});
        for (int word = 0; word < lone->rows(); ++word)
            QVERIFY(!hitAt(*lone, word).text.contains(QLatin1Char('(')));
    }

    void subwordsAreOneWord()
    {
        attn::test::SampleRun run;
        run.source = {"\u2581un", "believ", "able", "\u2581cat"};
        run.target = {"\u2581chat", "\u2581in", "croyable"};
        run.wordMarks = true;
        const Trace trace = sampleTrace(run);
        const Numbers matrix = trace.matrix({Stage::Cross, 0}, 0);
        const auto stage = stageOf(trace, 2); // the second token of its word
        QCOMPARE(stage->rows(), 4);
        const auto first = wordCalled(*stage, QStringLiteral("unbelievable"));
        QVERIFY(first);
        const double sum = static_cast<double>(matrix.at(2, 0)) + static_cast<double>(matrix.at(2, 1))
            + static_cast<double>(matrix.at(2, 2));
        const QString tip = stage->table().tip({*first, 0});
        QVERIFY2(tip.endsWith(decimal(sum, 4)), qPrintable(tip));
        QCOMPARE(stage->table().chosenRows, (std::vector<int>{3}));
    }

    // A model that only reads has one line; its words are chosen there.
    void aTextThatIsReadHasOneLine()
    {
        const Trace trace = sampleReading(attn::test::pairRun());
        const auto stage = stageOf(trace, 2);
        const auto both = stageOf(sampleTrace(attn::test::shortRun()), 1);
        QVERIFY(stage->size().height() < both->size().height() / 1.5);
        const auto mask = wordCalled(*stage, QStringLiteral("[MASK]"));
        QVERIFY(mask); // what is asked about
        QVERIFY(!wordCalled(*stage, QStringLiteral("[CLS]")));
        QCOMPARE(trace.source().tokens[static_cast<std::size_t>(*hitAt(*stage, *mask).rowToken)],
                 std::string("[MASK]"));
    }

    void aContinuationIsWrittenBelow()
    {
        attn::test::SampleRun run = attn::test::shortRun();
        run.generated = 3;
        const Trace trace = sampleContinuation(run);
        const auto stage = stageOf(trace, 1);
        int written = 0;
        for (int word = 0; word < stage->rows(); ++word)
            written += hitAt(*stage, word).part == FigureHit::Part::RowLabel ? 1 : 0;
        QVERIFY(written >= 2 && written <= 3);
    }

    // A step is about the word that it writes: light comes from all words before it, of both lines, and what comes
    // after it is not there yet.
    void aContinuationIsSeenBeingWritten()
    {
        attn::test::SampleRun run = attn::test::shortRun();
        run.generated = 5;
        run.decoderLayers = 1;
        run.weight = [](Site, int, int, int, float) { return 1.0F; };
        const Trace trace = sampleContinuation(run);
        FigureSpec spec;
        spec.kind = &stageKind;
        spec.site = {Stage::Decoder, 0};
        spec.untilStep = true;
        const auto words = indexSize(run.source) - 1; // without the end
        const int word = words - 2;
        spec.currentStep = word - 1;
        spec.moment = 0.0;
        const auto dark = layoutFigure(spec, trace, {1000, 0});
        QCOMPARE(dark->rows(), words);
        QCOMPARE(dark->table().chosenRows, std::vector{word});
        for (int other = 0; other < words; ++other)
            QCOMPARE(hitAt(*dark, other).part != FigureHit::Part::Nothing, other < word);
        spec.moment = 0.5;
        const auto lit = layoutFigure(spec, trace, {1000, 0});
        const QImage before = painted(*dark);
        const QImage after = painted(*lit);
        for (const int looked : {1, words - 3}) { // read, and written
            const QRectF box = lit->cellRect(looked, 0);
            const bool isRead = looked == 1;
            const QRect beside =
                QRectF(box.center().x() - 6, isRead ? box.bottom() + 16 : box.top() - 6, 12, 5).toRect();
            QVERIFY2(before.copy(beside) != after.copy(beside), qPrintable(QString::number(looked)));
        }
        spec.currentStep = 1; // of the prompt, which was there
        const auto given = layoutFigure(spec, trace, {1000, 0});
        QVERIFY(hitAt(*given, 2).part != FigureHit::Part::Nothing);
    }

    // Nothing of what the word looks at is seen through the race.
    void noLineCrossesTheRace()
    {
        attn::test::SampleRun run = attn::test::shortRun();
        QImage first;
        for (const int looked : {0, 5}) {
            run.weight = [looked](Site, int, int, int column, float) { return column == looked ? 1.0F : 0.0F; };
            const QImage race = painted(*stageOf(sampleTrace(run), 0, 0.71));
            const auto stage = stageOf(sampleTrace(run), 0, 0.71);
            const QRectF read = stage->cellRect(0, 0);
            const QRectF born = stage->cellRect(*wordCalled(*stage, QStringLiteral("le")), 0);
            const QImage between = race.copy(
                QRectF(born.center().x() + 18, read.bottom() + 4, 60, born.top() - read.bottom() - 10).toRect());
            if (!first.isNull())
                QCOMPARE(between, first);
            first = between;
        }
    }

    // A picture stands where words would, and lines come from the patches that are looked at.
    void lightPoursFromAPicture()
    {
        attn::test::SampleRun run = attn::test::pictureRun();
        std::vector<QImage> seen;
        for (const int looked : {1, 18}) { // the first patch of the first and of the last line
            run.weight = [looked](Site, int, int, int column, float) { return column == looked ? 1.0F : 0.0F; };
            const Trace trace = sampleTrace(run);
            const auto stage = stageOf(trace, 1, 0.5);
            QVERIFY(attn::test::textsOf(*stage).contains(QStringLiteral("READS")));
            QCOMPARE(stage->rows(), 3); // the words alone
            const QRectF born = stage->cellRect(1, 0);
            const QImage before = painted(*stageOf(trace, 1, 0.0));
            const QImage now = painted(*stage);
            const QRect above(born.toRect().left() - 40, 0, born.toRect().width() + 80, born.toRect().top() - 4);
            QVERIFY(before.copy(above) != now.copy(above));
            seen.push_back(now);
        }
        QVERIFY(seen[0] != seen[1]);
        // A picture without its pixels leaves the words alone, as before.
        run.picture.reset();
        QVERIFY(!attn::test::textsOf(*stageOf(sampleTrace(run), 1)).contains(QStringLiteral("READS")));
    }

    // Until it goes on there is nothing that is written.
    void aPromptHasOneLine()
    {
        attn::test::SampleRun run = attn::test::shortRun();
        const auto prompt = stageOf(sampleContinuation(run), 1);
        run.generated = 3;
        const auto goesOn = stageOf(sampleContinuation(run), 1);
        QVERIFY(prompt->size().height() < goesOn->size().height() / 1.5);
        QVERIFY(!attn::test::textsOf(*prompt).contains(QStringLiteral("WRITES")));
        QVERIFY(attn::test::textsOf(*goesOn).contains(QStringLiteral("WRITES")));
    }

    void aLowStageHasSmallerLetters()
    {
        const Trace trace = sampleTrace(attn::test::shortRun());
        FigureSpec spec;
        spec.kind = &stageKind;
        spec.currentStep = 1;
        const auto high = layoutFigure(spec, trace, {1000, 0});
        for (const double share : {1.0, 0.7}) {
            const double height = high->size().height() * share;
            const auto stage = layoutFigure(spec, trace, {1000, height});
            const int last = stage->rows() - 1;
            QCOMPARE(stage->cellRect(0, 0).height() < high->cellRect(0, 0).height() - 2, share < 1);
            QVERIFY(stage->cellRect(last, 0).bottom() <= height - 8);
            QVERIFY(stage->cellRect(last, 0).top() > stage->cellRect(0, 0).bottom() + 25); // room for lines
            QVERIFY(stage->cellRect(0, 0).height() > 18);
        }
    }

    // Below words there are numbers, and no lines.
    void numbersAreClearOfLines()
    {
        attn::test::SampleRun run = attn::test::shortRun();
        run.weight = [](Site, int, int, int column, float) { return column == 5 ? 0.8F : 0.05F; };
        const Trace trace = sampleTrace(run);
        const auto stage = stageOf(trace, 1);
        const QImage picture = painted(*stage);
        const QColor ground = themeColors(Theme::Light).background;
        for (const int word : {0, 1, 2}) {
            const QRectF box = stage->cellRect(word, 0);
            const QPoint below(static_cast<int>(box.center().x()), static_cast<int>(box.bottom()));
            int lined = 0;
            for (int x = -3; x <= 3; ++x) {
                QCOMPARE(picture.pixelColor(below + QPoint(x, 7)), ground);
                lined += picture.pixelColor(below + QPoint(x, 18)) != ground ? 1 : 0;
            }
            QVERIFY(lined > 0);
        }
    }

    // While a word is written, it is not there yet, and the ones after it are not either.
    void aWordComesToBeWritten()
    {
        const Trace trace = sampleTrace(attn::test::shortRun());
        const int chosen = stageOf(trace, 2)->table().chosenRows.front();
        const auto begins = stageOf(trace, 2, 0.0);
        const auto races = stageOf(trace, 2, 0.7);
        QCOMPARE(hitAt(*begins, chosen - 1).row, chosen - 1);
        QCOMPARE(hitAt(*begins, chosen).part, FigureHit::Part::Nothing);
        QCOMPARE(hitAt(*begins, chosen + 1).part, FigureHit::Part::Nothing);
        QCOMPARE(hitAt(*stageOf(trace, 2), chosen + 1).row, chosen + 1);
        const QRectF between(0, begins->cellRect(0, 0).bottom() + 2, 1000,
                             begins->cellRect(chosen, 0).top() - begins->cellRect(0, 0).bottom() - 10);
        const QImage dark = painted(*begins);
        const QImage light = painted(*races);
        int lit = 0;
        for (int y = static_cast<int>(between.top()); y < static_cast<int>(between.bottom()); ++y) {
            for (int x = 0; x < light.width(); ++x)
                lit += light.pixel(x, y) != dark.pixel(x, y) ? 1 : 0;
        }
        QVERIFY2(lit > 400, qPrintable(QString::number(lit)));
    }

    // Of what does not fit, the part around the word, whatever that is.
    void longTextsAreShownAroundTheWord()
    {
        const Trace trace = sampleTrace(attn::test::longRun(300, 280));
        for (const int step : {0, 150, 298}) {
            const auto stage = stageOf(trace, step, {}, 700);
            const int chosen = stage->table().chosenRows.empty() ? -1 : stage->table().chosenRows.front();
            QVERIFY(chosen >= 0);
            QVERIFY(!stage->cellRect(chosen, 0).isNull());
            for (int word = 0; word < stage->rows(); ++word) {
                const QRectF box = stage->cellRect(word, 0);
                QVERIFY(box.isNull() || (box.left() >= 0 && box.right() <= 700));
            }
            QVERIFY(stage->cellRect(step == 0 ? stage->rows() - 1 : 0, 0).isNull() || step == 150);
        }
    }

    // NaN is said, and has no line.
    void noNumberIsSaid()
    {
        attn::test::SampleRun run = attn::test::shortRun();
        run.weight = [](Site, int, int row, int column, float weight) {
            return row == 1 && column == 2 ? std::numeric_limits<float>::quiet_NaN() : weight;
        };
        const Trace trace = sampleTrace(run);
        const auto stage = stageOf(trace, 1);
        const QString tip = stage->table().tip({2, 0});
        QVERIFY2(tip.contains(QLatin1String("NaN")), qPrintable(tip));
        QVERIFY(!painted(*stage).isNull());
    }

    void withoutAttentionWordsStand()
    {
        attn::test::SampleRun run = attn::test::shortRun();
        run.crossLayers = 0;
        const auto stage = stageOf(sampleTrace(run), 1);
        QVERIFY(stage->rows() > 8);
        QVERIFY(!painted(*stage).isNull());
        QVERIFY(stageOf(Trace(), 0)->rows() == 0);
    }
};

ATTN_GUI_TEST(TestStageFigure)
#include "tst_stage_figure.moc"
