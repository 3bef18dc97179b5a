// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_areas.h"
#include "figure_kinds.h"
#include "figure_texts.h"
#include "figures/export/copied_text.h"
#include "figures/kinds/lines_content.h"
#include "figures/look/decimal.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/parts/token_figure.h"
#include "sample_traces.h"
#include "support/test_program.h"

#include <QFontMetrics>
#include <QPainter>
#include <QTest>
#include <QTextBoundaryFinder>
#include <QThread>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

using namespace attn;
using namespace attn::ui;
using attn::test::painted;

namespace {

using Side = TokenSide;

constexpr char32_t withoutGlyph = 0xE123; // for private use: no font has it

FigureSpec specOf(const FigureKind& kind)
{
    FigureSpec spec;
    spec.kind = &kind;
    return spec;
}

struct Drawn
{
    std::unique_ptr<const Figure> figure;
    const TokenFigure& tokens() const { return dynamic_cast<const TokenFigure&>(*figure); }
    const Figure* operator->() const { return figure.get(); }
};

Drawn draw(const FigureSpec& spec, const Trace& trace, QSizeF size = {800, 560})
{
    return {layoutFigure(spec, trace, size)};
}

int near(const QImage& image, const QColor& color, const QRectF& part)
{
    int found = 0;
    for (int y = static_cast<int>(part.top()); y < static_cast<int>(part.bottom()); ++y) {
        for (int x = static_cast<int>(part.left()); x < static_cast<int>(part.right()); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            const int differs = std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green())
                + std::abs(pixel.blue() - color.blue());
            found += differs < 40 ? 1 : 0;
        }
    }
    return found;
}

// Pixels of a colour's hue, however faint.
int hued(const QImage& image, const QColor& color, const QRectF& part)
{
    int found = 0;
    for (int y = static_cast<int>(part.top()); y < static_cast<int>(part.bottom()); ++y) {
        for (int x = static_cast<int>(part.left()); x < static_cast<int>(part.right()); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            const int differs = std::abs(pixel.hsvHue() - color.hsvHue());
            found += pixel.hsvSaturation() > 60 && std::min(differs, 360 - differs) < 8 ? 1 : 0;
        }
    }
    return found;
}

test::SampleRun headsRun()
{
    test::SampleRun run = test::shortRun();
    run.heads = 4;
    return run;
}

// A text with the place of every token in it.
Encoding encoded(const std::vector<std::string>& tokens)
{
    Encoding encoding;
    for (const std::string& token : tokens) {
        encoding.ids.push_back(static_cast<TokenId>(encoding.ids.size()));
        encoding.tokens.push_back(token);
        encoding.spans.push_back({encoding.text.size(), encoding.text.size() + token.size()});
        encoding.text += token;
    }
    return encoding;
}

RunningText textOf(const std::vector<std::string>& tokens, double width = 600)
{
    const Encoding encoding = encoded(tokens);
    return RunningText(textPieces(encoding, tokenAxis(encoding)), figureFont(9), width);
}

bool isWhole(const QString& text, qsizetype end)
{
    QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, text);
    finder.setPosition(end);
    return finder.isAtBoundary();
}

} // namespace

class TestTokenFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aThresholdThatNothingReachesIsSaid()
    {
        FigureSpec spec = specOf(arcsKind);
        const Trace trace = test::sampleTrace(test::shortRun());
        const QString usual = draw(spec, trace)->description();
        spec.threshold = 2;
        const Drawn none = draw(spec, trace);
        QVERIFY2(none->description().contains(decimal(2, 3)), qPrintable(none->description()));
        QVERIFY(!usual.contains(QStringLiteral("No line")));
        // In the middle, where the lines would be.
        const QImage image = painted(*none.figure);
        QVERIFY(near(image, themeColors(Theme::Light).muted, QRectF(300, 200, 200, 200)) > 20);
    }

    void aLongTextHasItsStrongestLines()
    {
        test::SampleRun run = test::shortRun();
        run.source.assign(240, "word");
        run.target.assign(240, "mot");
        run.weight = [](Site, int, int row, int column, float) {
            return 0.002F + 0.00004F * static_cast<float>((31 * row + 17 * column) % 101);
        };
        const FigureSpec spec = specOf(arcsKind);
        const Drawn drawn = draw(spec, test::sampleTrace(run));
        QVERIFY2(drawn->description().contains(grouped(qint64{240} * 240)), qPrintable(drawn->description()));
        // Between the lists there is paper to be seen.
        const QImage image = painted(*drawn.figure);
        const QColor ground = themeColors(Theme::Light).background;
        const QRectF middle(380, 120, 40, 400);
        QVERIFY(near(image, ground, middle) > 0.5 * middle.width() * middle.height());
        QVERIFY(!draw(spec, test::sampleTrace(test::shortRun()))->description().contains(QStringLiteral("strongest")));
    }

    void wordsThatRepeatInALongTextHavePositions()
    {
        for (const int columns : {300, 30}) {
            test::SampleRun run = test::longRun(8, columns);
            run.source[10] = run.source[20] = "the";
            const Drawn lines = draw(specOf(arcsKind), test::sampleTrace(run));
            QStringList labels;
            for (int column = 0; column < lines->columns(); ++column)
                labels << lines->table().text({FigureTable::header, column});
            QCOMPARE(labels.contains(QStringLiteral("the #20")), columns == 300);
            QCOMPARE(labels.contains(QStringLiteral("the")), columns == 30);
        }
    }

    void theChosenWordsLinesStandOutOfALongText()
    {
        test::SampleRun run = test::shortRun();
        run.source.assign(240, "word");
        run.target.assign(240, "mot");
        run.weight = [](Site, int, int row, int column, float) {
            return 0.002F + 0.00004F * static_cast<float>((31 * row + 17 * column) % 101);
        };
        const Trace trace = test::sampleTrace(run);
        FigureSpec spec = specOf(arcsKind);
        const auto ink = [&] {
            const QImage image = painted(*draw(spec, trace).figure);
            const QColor ground = themeColors(Theme::Light).background;
            double sum = 0; // darker than paper, below the chosen word's lines
            for (int y = 380; y < 520; ++y) {
                for (int x = 300; x < 330; ++x)
                    sum += std::max(0, ground.lightness() - image.pixelColor(x, y).lightness());
            }
            return sum;
        };
        spec.noMark = true;
        const double all = ink();
        spec.noMark = false;
        spec.currentStep = 3;
        QVERIFY(all > 0);
        QVERIFY2(ink() < 0.8 * all, qPrintable(QString::number(ink() / all))); // the others are hushed
    }

    // --- which weights have a line

    void thresholdAndTopMassChooseTheLargest()
    {
        const std::vector<float> row{0.1F, 0.5F, 0.05F, 0.3F, 0.05F};
        QCOMPARE(drawnColumns(row, 0, 1), (std::vector<int>{1, 3, 0, 2, 4}));
        QCOMPARE(drawnColumns(row, 0.1, 1), (std::vector<int>{1, 3, 0}));
        QCOMPARE(drawnColumns(row, 0, 0.8), (std::vector<int>{1, 3}));
        QCOMPARE(drawnColumns(row, 0, 0.81), (std::vector<int>{1, 3, 0}));
        QCOMPARE(drawnColumns(row, 0.4, 0.81), (std::vector<int>{1}));
        QVERIFY(drawnColumns(row, 0, 0).empty());
        QVERIFY(drawnColumns(std::vector<float>{0, NAN}, 0, 1).empty());
        QCOMPARE(drawnColumns(std::vector<float>{-0.4F, 0.1F}, 0.2, 1), (std::vector<int>{0})); // of a difference
    }

    void aHigherThresholdDrawsLess()
    {
        const Trace trace = test::sampleTrace(test::shortRun());
        FigureSpec spec = specOf(arcsKind);
        const QImage all = painted(*draw(spec, trace).figure);
        spec.threshold = 0.9;
        const QImage few = painted(*draw(spec, trace).figure);
        spec.topMass = 0;
        const QImage none = painted(*draw(spec, trace).figure);
        const auto ink = [](const QImage& image) { // where nothing but lines is
            return image.width() * 400 - near(image, Qt::white, QRectF(0, 100, image.width(), 400));
        };
        QVERIFY(ink(all) > ink(few) + 1000);
        QVERIFY(ink(few) > 0);
        QVERIFY(ink(none) <= ink(few));
    }

    // --- several heads

    void onlyHeadsThatThereAreAreDrawn()
    {
        const Trace trace = test::sampleTrace(headsRun());
        FigureSpec spec = specOf(arcsKind);
        spec.heads.ofLayer = {2, 9, 0, 2, -1};
        QCOMPARE(drawnHeads(spec, trace), (std::vector<int>{0, 2}));
        spec.heads.ofLayer = {7};
        QVERIFY(drawnHeads(spec, trace).empty());
    }

    void eachHeadHasItsColourAndTheTitleNamesThem()
    {
        const Trace trace = test::sampleTrace(headsRun());
        FigureSpec spec = specOf(arcsKind);
        spec.heads.ofLayer = {0, 2};
        spec.picked = {1};
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            spec.theme = theme;
            const Drawn drawn = draw(spec, trace);
            const QImage image = painted(*drawn.figure);
            const QRectF lines(0, 90, image.width(), image.height() - 90);
            for (const int head : {0, 2})
                QVERIFY(hued(image, headColor(head, theme), lines) > 20);
            QCOMPARE(hued(image, headColor(3, theme), lines), 0);
            const QSet<QString> texts = test::textsOf(*drawn.figure);
            QVERIFY(texts.contains(QStringLiteral("0")) && texts.contains(QStringLiteral("2"))); // the legend
            spec.noLegend = true;
            QVERIFY(!test::textsOf(*draw(spec, trace).figure).contains(QStringLiteral("2")));
            spec.noLegend = false;
        }
        const Numbers first = trace.matrix({Stage::Cross, 0}, 0);
        const QString said = draw(spec, trace).tokens().hitOf(TokenPlace{Side::Columns, 2}).text;
        QVERIFY2(said.contains(QString::number(static_cast<double>(first.at(1, 2)), 'f', 3)), qPrintable(said));
    }

    // --- picked tokens

    void aPickedTokenStandsAlone()
    {
        const Trace trace = test::sampleTrace(test::shortRun());
        FigureSpec spec = specOf(arcsKind);
        const Drawn all = draw(spec, trace);
        spec.picked = {2};
        const Drawn drawn = draw(spec, trace);
        const auto starts = [&](const QImage& image, int row) { // right of the label
            const QRectF label = drawn.tokens().rectOf({Side::Rows, row});
            return 4 * 12 - near(image, Qt::white, {label.right() + 12, label.center().y() - 6, 4, 12});
        };
        const QImage image = painted(*drawn.figure);
        QVERIFY(starts(image, 2) > 4);
        QCOMPARE(starts(image, 5), 0);
        QVERIFY(starts(painted(*all.figure), 5) > 4);
        // Another one that is pointed at comes to it; on the other side nothing changes.
        Highlight pointed;
        pointed.row = 5;
        QVERIFY(starts(painted(*drawn.figure, pointed), 5) > 4);
        spec.shading = Shading::Attending; // the third of the columns
        QVERIFY(painted(*draw(spec, trace).figure) != image);
    }

    void whatIsNoTokenIsNotPicked()
    {
        const Trace trace = test::sampleTrace(test::shortRun());
        for (const FigureKind* kind : {&arcsKind, &textKind}) {
            FigureSpec spec = specOf(*kind);
            const QImage plain = painted(*draw(spec, trace).figure);
            spec.picked = {99, -3};
            QCOMPARE(painted(*draw(spec, trace).figure), plain);
        }
    }

    // --- as running text

    void textsStandAboveEachOther()
    {
        const Trace trace = test::sampleTrace(test::shortRun());
        FigureSpec spec = specOf(arcsKind);
        spec.linesLayout = LinesLayout::Rows;
        for (const QSizeF size : {QSizeF(800, 560), QSizeF(600, 0)}) {
            const Drawn drawn = draw(spec, trace, size);
            for (const TokenPlace& place : drawn.tokens().places()) {
                const QRectF box = drawn.tokens().rectOf(place);
                QVERIFY(QRectF(QPointF(), drawn->size()).contains(box));
                QCOMPARE(TokenFigure::placeOf(drawn->hitTest(box.center())), std::optional(place));
                const QRectF other = drawn.tokens().rectOf({opposite(place.side), 0});
                QCOMPARE(box.bottom() < other.top(), place.side == Side::Rows);
            }
        }
        QCOMPARE(draw(spec, trace, {200, 130}).tokens().places().size(), draw(spec, trace).tokens().places().size());
    }

    void allOf300WordsCanBeRead()
    {
        test::SampleRun run;
        run.source = test::syllables(300);
        run.target = test::syllables(300, 4);
        run.heads = 4;
        const Trace trace = test::sampleTrace(run);
        FigureSpec spec = specOf(arcsKind);
        spec.heads.ofLayer = {0, 1, 2, 3};
        spec.linesLayout = LinesLayout::Rows;
        const Drawn drawn = draw(spec, trace, {1000, 700});
        QSet<QString> words;
        for (const QString& line : test::textsOf(*drawn.figure))
            for (const QString& word : line.split(QLatin1Char(' '), Qt::SkipEmptyParts))
                words.insert(word);
        for (const std::string& token : run.source)
            QVERIFY2(words.contains(QString::fromStdString(token)), token.c_str());
    }

    // --- the text view

    void textIsShadedByWhatIsPicked()
    {
        const Trace trace = test::sampleTrace(test::shortRun());
        const Numbers matrix = trace.matrix({Stage::Cross, 0}, 0);
        FigureSpec spec = specOf(textKind);
        const auto value = [&](TokenPlace place) {
            const QString said = draw(spec, trace).tokens().hitOf(place).text;
            return said.section(QStringLiteral("   "), 1).toDouble();
        };
        double mean = 0;
        for (int row = 0; row < matrix.rows; ++row)
            mean += static_cast<double>(matrix.at(row, 3)) / matrix.rows;
        QVERIFY(std::abs(value({Side::Columns, 3}) - mean) < 6e-5);
        spec.currentStep = 4;
        QVERIFY(std::abs(value({Side::Columns, 3}) - static_cast<double>(matrix.at(4, 3))) < 6e-5);
        spec.picked = {2};
        QVERIFY(std::abs(value({Side::Columns, 3}) - static_cast<double>(matrix.at(2, 3))) < 6e-5);
        spec.picked = {2, 5};
        QVERIFY(std::abs(value({Side::Columns, 3}) - static_cast<double>(matrix.at(2, 3) + matrix.at(5, 3))) < 6e-5);
        spec.shading = Shading::Attending;
        QVERIFY(std::abs(value({Side::Rows, 3}) - static_cast<double>(matrix.at(3, 2) + matrix.at(3, 5))) < 6e-5);
    }

    void lettersOfAShortTextGrowWithTheRoom()
    {
        const FigureSpec spec = specOf(textKind);
        const auto height = [&spec](const Trace& trace, QSizeF size) {
            return draw(spec, trace, size).tokens().rectOf({Side::Rows, 0}).height();
        };
        const Trace few = test::sampleTrace(test::shortRun());
        const double least = height(few, {800, 0});
        QVERIFY(height(few, {800, 560}) > 1.5 * least);
        QVERIFY(height(few, {2000, 1400}) < 3 * least);
        test::SampleRun run;
        run.source = test::syllables(600);
        run.target = test::syllables(8, 4);
        const Trace many = test::sampleTrace(run);
        QCOMPARE(height(many, {800, 560}), height(many, {800, 0}));
    }

    void groundsAreAsStrongAsTheWeights()
    {
        const Trace trace = test::sampleTrace(test::shortRun());
        const Numbers matrix = trace.matrix({Stage::Cross, 0}, 0);
        FigureSpec spec = specOf(textKind);
        spec.picked = {3};
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            spec.theme = theme;
            const Drawn drawn = draw(spec, trace);
            const QImage image = painted(*drawn.figure);
            const ThemeColors colors = themeColors(theme);
            int most = 0;
            int least = 0;
            for (int column = 0; column < matrix.columns; ++column) {
                most = matrix.at(3, column) > matrix.at(3, most) ? column : most;
                least = matrix.at(3, column) < matrix.at(3, least) ? column : least;
            }
            const auto ground = [&](int column) {
                const QRectF box = drawn.tokens().rectOf({Side::Columns, column});
                return image.pixelColor((box.topLeft() + QPointF(1.5, 1.5)).toPoint());
            };
            QVERIFY(contrast(ground(most), colors.background) > contrast(ground(least), colors.background) + 0.3);
            QVERIFY(contrast(ground(most), colors.ink) >= 4.5); // letters are read on it
        }
    }

    // A text that attends to itself stands there once, and is picked from on one side.
    void oneTextStandsThereOnce()
    {
        const Trace trace = test::sampleReading(test::pairRun());
        FigureSpec spec = specOf(textKind);
        spec.site = {Stage::Encoder, 0};
        for (const Shading shading : {Shading::AttendedTo, Shading::Attending}) {
            spec.shading = shading;
            const Drawn drawn = draw(spec, trace);
            const auto places = drawn.tokens().places();
            QCOMPARE(static_cast<int>(places.size()), drawn->rows());
            for (const TokenPlace& place : places)
                QCOMPARE(place.side, TokenFigure::pickSide(shading));
        }
        // The second sentence begins a line.
        spec.shading = Shading::AttendedTo;
        const Drawn drawn = draw(spec, trace);
        QCOMPARE(drawn.tokens().rectOf({Side::Rows, 5}).left(), drawn.tokens().rectOf({Side::Rows, 0}).left());
        QVERIFY(drawn.tokens().rectOf({Side::Rows, 5}).top() > drawn.tokens().rectOf({Side::Rows, 4}).bottom());
        spec.pair = PairFilter::AToB; // queries of the first, keys of the second
        for (const TokenPlace& place : draw(spec, trace).tokens().places())
            QCOMPARE(place.side == Side::Rows, place.index < 5 && place.side == Side::Rows);
    }

    void longTextsAreMoved()
    {
        test::SampleRun run;
        run.source = test::syllables(600);
        run.target = test::syllables(8, 4);
        const Trace trace = test::sampleTrace(run);
        FigureSpec spec = specOf(textKind);
        const Drawn top = draw(spec, trace, {500, 300});
        QVERIFY(top.tokens().scrollRange() > 300);
        spec.visible = QRectF(0, 100, 1, 1);
        const Drawn moved = draw(spec, trace, {500, 300});
        const TokenPlace place{Side::Rows, 2};
        QCOMPARE(moved.tokens().rectOf(place).top(), top.tokens().rectOf(place).top() - 100);
        spec.visible = {};
        const Drawn page = draw(spec, trace, {500, 0}); // on paper everything is there
        QCOMPARE(page.tokens().scrollRange(), 0.0);
        QVERIFY(page->size().height() > 900);
    }

    // --- arrow keys

    void arrowsLeadToTheNextToken()
    {
        const Trace trace = test::sampleTrace(test::shortRun());
        FigureSpec spec = specOf(arcsKind);
        const Drawn lists = draw(spec, trace);
        const auto from = [](const Drawn& drawn, TokenPlace place, QPoint toward) {
            return drawn.tokens().neighbour(place, toward);
        };
        QCOMPARE(lists.tokens().neighbour({}, {0, 1}), std::optional(TokenPlace{Side::Rows, 0}));
        QCOMPARE(from(lists, {Side::Rows, 2}, {0, 1}), std::optional(TokenPlace{Side::Rows, 3}));
        QCOMPARE(from(lists, {Side::Rows, 2}, {0, -1}), std::optional(TokenPlace{Side::Rows, 1}));
        QCOMPARE(from(lists, {Side::Rows, 2}, {1, 0})->side, Side::Columns);
        QCOMPARE(from(lists, {Side::Rows, 2}, {-1, 0}), std::optional(TokenPlace{Side::Rows, 2}));
        QCOMPARE(from(lists, {Side::Columns, 2}, {-1, 0})->side, Side::Rows);
        spec.kind = &textKind;
        const Drawn text = draw(spec, trace, {120, 500}); // several lines
        for (int column = 0; column + 1 < text->columns(); ++column)
            QCOMPARE(from(text, {Side::Columns, column}, {1, 0}), std::optional(TokenPlace{Side::Columns, column + 1}));
        QCOMPARE(from(text, {Side::Rows, 0}, {-1, 0}), std::optional(TokenPlace{Side::Rows, 0}));
        const auto below = from(text, {Side::Columns, 0}, {0, 1});
        QVERIFY(below && text.tokens().rectOf(*below).top() > text.tokens().rectOf({Side::Columns, 0}).bottom() - 3);
    }

    // --- scripts

    void piecesGiveTheTextBack()
    {
        const std::vector<std::string> tokens{"The",         " walk", "ing",     " cat", "'s",
                                              " na\u00EFve", ",",     " \u732B", "\n",   "end"};
        const Encoding encoding = encoded(tokens);
        QString all;
        for (const TextPiece& piece : textPieces(encoding, tokenAxis(encoding)))
            all += piece.before + piece.text;
        QVERIFY(all.startsWith(QStringLiteral("The walking cat's na\u00EFve, ")));
        QVERIFY(all.contains(QChar(QChar::LineSeparator)));
        Encoding special = encoded({"a", " b"});
        special.ids.push_back(9);
        special.tokens.emplace_back("</s>");
        special.spans.push_back({special.text.size(), special.text.size()});
        special.special = {false, false, true};
        const auto pieces = textPieces(special, tokenAxis(special));
        QCOMPARE(pieces.back().before + pieces.back().text, QStringLiteral(" </s>"));
        QVERIFY(!pieces.back().spelled);
    }

    void lettersJoinAcrossPieces()
    {
        const RunningText whole = textOf({"\u0627\u0644\u0633\u0644\u0627\u0645"}); // Arabic: as one token
        const RunningText pieces = textOf({"\u0627\u0644", "\u0633\u0644", "\u0627\u0645"});
        QVERIFY(whole.isRightToLeft() && pieces.isRightToLeft());
        QCOMPARE(pieces.text(), whole.text());
        QVERIFY(std::abs(pieces.naturalWidth() - whole.naturalWidth()) < 0.01);
        // The first stands rightmost, they touch, and together they are the word.
        double sum = 0;
        for (int piece = 0; piece < 3; ++piece) {
            QCOMPARE(pieces.rects(piece).size(), std::size_t{1});
            sum += pieces.rects(piece).front().width();
            if (piece > 0)
                QVERIFY(std::abs(pieces.rects(piece).front().right() - pieces.rects(piece - 1).front().left()) < 0.6);
        }
        QVERIFY(std::abs(sum - whole.rects(0).front().width()) < 1);
    }

    void theDirectionIsThatOfMostLetters()
    {
        const RunningText hebrew = textOf({"\u05E9\u05DC\u05D5\u05DD", " Qt", " \u05E2\u05D5\u05DC\u05DD", "!"});
        QVERIFY(hebrew.isRightToLeft());
        const auto left = [&](int piece) { return hebrew.rects(piece).front().left(); };
        QVERIFY(left(0) > left(1) && left(1) > left(2) && left(2) > left(3)); // the mark is the leftmost
        const RunningText english = textOf({"see", " \u05E9\u05DC\u05D5\u05DD", " there"});
        QVERIFY(!english.isRightToLeft());
        QVERIFY(english.rects(0).front().left() < english.rects(1).front().left());
        QVERIFY(english.rects(1).front().left() < english.rects(2).front().left());
    }

    void partsOfACharacterShareItsPlace()
    {
        Encoding encoding = encoded({"caf", "\u00E9"});
        encoding.ids.push_back(2); // a second token of the same character
        encoding.tokens.emplace_back("\u00E9[2/2]");
        encoding.spans.push_back(encoding.spans.back());
        const RunningText text(textPieces(encoding, tokenAxis(encoding)), figureFont(9), 400);
        QCOMPARE(text.text(), QStringLiteral("caf\u00E9"));
        QCOMPARE(text.rects(2).front(), text.rects(1).front());
        Encoding bytes = encoded({"a\xE6", "\x97", "\xA5", "b"}); // of a byte-level vocabulary
        const RunningText split(textPieces(bytes, tokenAxis(bytes)), figureFont(9), 400);
        QCOMPARE(split.text(), readableText("a\u65E5b"));
        QCOMPARE(split.rects(1).front(), split.rects(0).front());
        const RunningText accent = textOf({"e", "\u0301", "x"}); // a mark of its own
        QVERIFY(accent.rects(1).front().width() > 0);
        QCOMPARE(accent.text().size(), 3);
    }

    // One word a line.
    void anyNumberOfLinesIsPlaced()
    {
        constexpr int count = 40'000;
        const Encoding encoding = encoded(std::vector<std::string>(count, " a"));
        const std::vector<TextPiece> pieces = textPieces(encoding, tokenAxis(encoding));
        const RunningText text(pieces, figureFont(9), 10);
        QCOMPARE(text.count(), count);
        for (int piece = 1; piece < count; ++piece)
            QVERIFY(text.rects(piece).front().top() > text.rects(piece - 1).front().top());
    }

    void labelsAreCutBetweenWholeCharacters()
    {
        const QString family = QStringLiteral("\U0001F468\u200D\U0001F469\u200D\U0001F467");
        const QFontMetricsF metrics(figureFont(9));
        for (const QString& text :
             {QString(), QString(family + family + family), QStringLiteral("e\u0301e\u0301e\u0301e\u0301"),
              QString(60, QLatin1Char('w')), QString(family.repeated(60))}) {
            for (double width = 0; width < 200; width += 7) {
                const QString cut = elided(text, metrics, width);
                if (!cut.endsWith(QChar(0x2026)))
                    continue;
                const qsizetype kept = cut.size() - 1;
                QCOMPARE(cut.left(kept), text.left(kept));
                QVERIFY2(isWhole(text, kept), qPrintable(cut));
            }
        }
    }

    void whatNoFontHasIsABoxWithItsCode()
    {
        const std::string missing = QString::fromUcs4(&withoutGlyph, 1).toStdString();
        QCOMPARE(readableToken("a" + missing), QStringLiteral("a\u27E6E123\u27E7"));
        QVERIFY(!isDrawable(missing));
        for (const char* known : {"chat", "\u00E9", "\u03B1", "\u0441", "\u05E9", "\n", "e\u0301"})
            QVERIFY2(isDrawable(known), known);
        QCOMPARE(readableToken("a\u200Db"), QStringLiteral("a\u200Db")); // joins, and has no shape of its own
        test::SampleRun run = test::shortRun();
        FigureSpec spec;
        const QString before = heatmapContent(spec, test::sampleTrace(run)).title.subtitle;
        run.source.front() = missing;
        const QString after = heatmapContent(spec, test::sampleTrace(run)).title.subtitle;
        QVERIFY(after.size() > before.size() && after.contains(QChar(0x27E6))); // it is explained
    }

    void longWordsStayInTheirRoom()
    {
        test::SampleRun run = test::shortRun();
        run.source[2] = std::string(60, 'w');
        run.target[1] = std::string(60, 'm');
        const Trace trace = test::sampleTrace(run);
        for (const LinesLayout layout : {LinesLayout::Columns, LinesLayout::Rows}) {
            for (const FigureKind* kind : {&arcsKind, &textKind}) {
                FigureSpec spec = specOf(*kind);
                spec.linesLayout = layout;
                const Drawn drawn = draw(spec, trace, {320, 500});
                for (const TokenPlace& place : drawn.tokens().places())
                    QVERIFY(QRectF(QPointF(), drawn->size()).contains(drawn.tokens().rectOf(place)));
            }
        }
    }

    // --- numbers to be pasted

    void numbersAreCopiedForSpreadsheets()
    {
        const Trace trace = test::sampleTrace(test::shortRun());
        const Numbers matrix = trace.matrix({Stage::Cross, 0}, 0);
        FigureSpec spec;
        const auto figure = layoutFigure(spec, trace, {700, 500});
        const FigureHit cell = figure->hitTest(figure->cellRect(2, 3).center());
        using What = CopyRow::What;
        QCOMPARE(meantBy(spec, cell), What::Value);
        QCOMPARE(copiedText(spec, trace, cell, What::Value).toFloat(), matrix.at(2, 3));
        const QStringList row = copiedText(spec, trace, cell, What::Row).split(QLatin1Char('\n'));
        QCOMPARE(row.at(0).split(QLatin1Char('\t')).size(), matrix.columns + 1);
        QCOMPARE(row.at(1).split(QLatin1Char('\t')).at(4).toFloat(), matrix.at(2, 3));
        const QStringList table = copiedText(spec, trace, {}, What::Table).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(table.size(), matrix.rows + 1);
        for (int i = 0; i < matrix.rows; ++i)
            QCOMPARE(table.at(i + 1).split(QLatin1Char('\t')).at(4).toFloat(), matrix.at(i, 3));
        QCOMPARE(copiedText(spec, trace, cell, What::Column)
                     .split(QLatin1Char('\n'))
                     .at(3)
                     .split(QLatin1Char('\t'))
                     .at(1)
                     .toFloat(),
                 matrix.at(2, 3));
        QCOMPARE(meantBy(spec, {}), What::Table);
        FigureHit gone = cell; // of a run that is no more
        gone.row = 700;
        QCOMPARE(copiedText(spec, trace, gone, What::Value), QString());
    }

    void textIsTextInVectorFiles()
    {
        const Trace trace = test::sampleTrace(test::shortRun());
        for (const FigureKind* kind : {&arcsKind, &textKind}) {
            FigureSpec spec = specOf(*kind);
            spec.linesLayout = LinesLayout::Rows;
            spec.picked = {1};
            const QString all =
                QStringList(test::textsOf(*draw(spec, trace, {600, 0}).figure).values()).join(QLatin1Char(' '));
            for (const char* word : {"cat", "mat", "chat"})
                QVERIFY2(all.contains(QLatin1String(word)), word);
        }
    }
};

ATTN_GUI_TEST(TestTokenFigures)
#include "tst_token_figures.moc"
