// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_kinds.h"
#include "figure_texts.h"
#include "figures/kinds/edit_words.h"
#include "figures/look/theme.h"
#include "figures/parts/cell_marks.h"
#include "figures/parts/exportable.h"
#include "figures/parts/matrix_figure.h"
#include "sample_traces.h"
#include "support/test_program.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace attn;
using namespace attn::test;
using namespace attn::ui;

namespace {

Trace edited(std::vector<std::string> edits)
{
    SampleRun run = shortRun();
    run.edits = std::move(edits);
    return sampleTrace(run);
}

QImage drawn(const Figure& figure)
{
    QImage image(figure.size().toSize(), QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    figure.paint(painter);
    return image;
}

std::unique_ptr<const Figure> markedFigure(const FigureKind& kind, const Trace& trace, Theme theme = Theme::Light,
                                           QSizeF size = {700, 500})
{
    FigureSpec spec;
    spec.kind = &kind;
    spec.theme = theme;
    spec.currentStep = 1;
    return layoutFigure(spec, trace, size);
}

bool differs(const QImage& a, const QImage& b, const QRectF& where)
{
    const QRect box = where.toAlignedRect();
    return a.copy(box) != b.copy(box);
}

} // namespace

// Edited and hidden cells are told apart, in every kind of figure, in both themes and in files.
class TestEditMarks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void editsAreSaidInWords()
    {
        const Trace trace = sampleTrace(shortRun());
        const auto at = [](const Encoding& text, int token) {
            return QString::fromStdString(text.tokens[static_cast<std::size_t>(token)]);
        };
        const QString key = at(trace.source(), 2);
        const QString query = at(trace.target(), 1);
        const auto words = [&](const char* edit) { return editInWords(edit, trace); };
        QCOMPARE(words("cross:0:0:1:2=set:0.446"), QStringLiteral("%1 = 0.45 for %2").arg(key, query));
        QCOMPARE(words("cross:0:0:*:2=hide"), QStringLiteral("%1 hidden").arg(key));
        QCOMPARE(words("cross:0:0:1=scale:2"), QStringLiteral("everything \u00D7 2.00 for %1").arg(query));
        QCOMPARE(words("source:2=hide"), QStringLiteral("%1 hidden").arg(key));
        QCOMPARE(words("source:2=word:house"), QStringLiteral("house instead of %1").arg(key));
        QCOMPARE(words("cross:0:0=zero"), QStringLiteral("head 0 off"));
        for (const char* other : {"cross:0:0:1:99=hide", "encoder:0:0=zero", "source:99=hide", "nonsense"})
            QCOMPARE(words(other), QLatin1String(other)); // the run has no such place
        SampleRun several = shortRun();
        several.crossLayers = 2;
        several.heads = 3;
        several.encoderLayers = 1;
        QCOMPARE(editInWords("cross:1:2:1:2=zero", sampleTrace(several)),
                 QStringLiteral("%1 = 0 for %2 (cross, layer 1, head 2)").arg(key, query));
    }

    // The words of the hypothesis that is shown; one that ends before has none there.
    void anEditIsSaidInWordsOfTheHypothesis()
    {
        const Trace trace = sampleBeam({.steps = 14});
        int shorter = 0;
        std::vector<int> lengths;
        for (const Hypothesis& found : trace.summary()->hypotheses)
            lengths.push_back(trace.steps(found.step));
        const int last = std::ranges::max(lengths) - 1;
        for (const Hypothesis& found : trace.summary()->hypotheses) {
            const auto words = [&](int row) {
                return editInWords("cross:0:0:" + std::to_string(row) + ":2=set:0.446", trace, found.step);
            };
            const Encoding target = trace.target(found.step);
            QCOMPARE(words(1), QStringLiteral("in2 = 0.45 for %1").arg(QString::fromStdString(target.tokens.at(1))));
            if (trace.steps(found.step) > last)
                continue;
            ++shorter;
            QCOMPARE(words(last), QStringLiteral("in2 = 0.45 at step %1").arg(last));
        }
        QVERIFY(shorter > 0);
    }

    void cellsAreMarked_data()
    {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << int(Theme::Light);
        QTest::newRow("dark") << int(Theme::Dark);
    }

    void cellsAreMarked()
    {
        QFETCH(const int, theme);
        const auto look = static_cast<Theme>(theme);
        const auto plain = markedFigure(heatmapKind, edited({}), look);
        const auto marked = markedFigure(heatmapKind, edited({"cross:0:0:0:0=hide", "cross:0:0:1:1=scale:1"}), look);
        const QImage before = drawn(*plain);
        const QImage after = drawn(*marked);
        const auto cell = [&](int row, int column) { return marked->cellRect(row, column).adjusted(2, 2, -2, -2); };
        QCOMPARE(marked->cellRect(0, 0), plain->cellRect(0, 0));
        QVERIFY(differs(before, after, cell(0, 0)));
        QVERIFY(differs(before, after, cell(1, 1)));
        QVERIFY(!differs(before, after, cell(0, 1)));
        QVERIFY(!differs(before, after, cell(1, 0)));
        // The corner of what was changed is seen on its colour; the middle stays what it was.
        const QRectF changed = marked->cellRect(1, 1);
        const QColor ground = after.pixelColor((changed.center() - QPointF(changed.width() / 2 - 4, 0)).toPoint());
        QVERIFY(contrast(after.pixelColor((changed.topRight() + QPointF(-2, 2)).toPoint()), ground) >= 3);
        const auto hit = [&](int row, int column) {
            return marked->hitTest(marked->cellRect(row, column).center()).text;
        };
        QVERIFY(hit(0, 0).contains(markName(CellMark::Hidden)));
        QVERIFY(hit(1, 1).contains(markName(CellMark::Changed)));
        QVERIFY(!hit(0, 1).contains(markName(CellMark::Changed)));
    }

    // A disc stands in the middle of the cell, a ring around it.
    void linksByHandAreMarked()
    {
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            MatrixContent content;
            content.map.numbers = {2, 2, {0.9F, 0.1F, 0.2F, 0.8F}};
            content.rowLabels = content.columnLabels = {QStringLiteral("a"), QStringLiteral("b")};
            FigureSpec spec;
            spec.theme = theme;
            spec.numbers = CellNumbers::Off; // the middle is the cell's colour
            const MatrixFigure plain(spec, content, {500, 400});
            content.links = {{0, 0, true}, {0, 1, true}, {1, 1, false}};
            const MatrixFigure marked(spec, content, {500, 400});
            const QImage before = drawn(plain);
            const QImage after = drawn(marked);
            const auto middle = [&](const QImage& image, int row, int column) {
                return image.pixelColor(marked.cellRect(row, column).center().toPoint());
            };
            for (const int column : {0, 1})
                QVERIFY(contrast(middle(after, 0, column), middle(before, 0, column)) >= 3);
            QCOMPARE(middle(after, 1, 1), middle(before, 1, 1));
            QVERIFY(differs(before, after, marked.cellRect(1, 1)));
            QVERIFY(!differs(before, after, marked.cellRect(1, 0).adjusted(2, 2, -2, -2)));
            const auto said = [&](int row, int column) {
                return marked.hitTest(marked.cellRect(row, column).center()).text;
            };
            QVERIFY(said(0, 0).contains(QStringLiteral("sure link")));
            QVERIFY(said(1, 1).contains(QStringLiteral("possible link")));
            QVERIFY(!said(1, 0).contains(QStringLiteral("link")));
            const QSet<QString> texts = textsOf(marked);
            QVERIFY(texts.contains(QStringLiteral("sure link")) && texts.contains(QStringLiteral("possible link")));
        }
    }

    void theLegendSaysWhatTheMarksMean()
    {
        for (const FigureKind* kind : {&heatmapKind, &arcsKind}) {
            const auto texts = [&](const std::vector<std::string>& edits) {
                return textsOf(*markedFigure(*kind, edited(edits)));
            };
            QVERIFY(!texts({}).contains(markName(CellMark::Changed)));
            QVERIFY(texts({"cross:0:0:1:1=scale:1"}).contains(markName(CellMark::Changed)));
            QVERIFY(!texts({"cross:0:0:1:1=scale:1"}).contains(markName(CellMark::Hidden)));
            QVERIFY(texts({"cross:0:0:1:1=hide"}).contains(markName(CellMark::Hidden)));
        }
        QVERIFY(textsOf(*markedFigure(headGridKind, edited({"cross:0:0=zero"}))).contains(markName(CellMark::Changed)));
        QVERIFY(textsOf(*markedFigure(decodingKind, edited({"cross:0:0:1=scale:1"})))
                    .contains(markName(CellMark::Changed)));
        QVERIFY(!textsOf(*markedFigure(decodingKind, edited({"cross:0:0:2=scale:1"})))
                     .contains(markName(CellMark::Changed)));
    }

    void whatIsNotOfThisHeadIsNotMarked()
    {
        QVERIFY(drawn(*markedFigure(heatmapKind, edited({"cross:7:0=zero"}))).copy(0, 100, 700, 400)
                == drawn(*markedFigure(heatmapKind, edited({"source:1=token:3"}))).copy(0, 100, 700, 400));
    }

    // Many small cells are marked by a line around them, and nothing takes long.
    void smallCellsAreMarked()
    {
        SampleRun run = shortRun();
        run.source = run.target = syllables(100);
        const auto plain = markedFigure(heatmapKind, sampleTrace(run));
        run.edits = {"cross:0:0:20-40:30-60=zero", "cross:0:0:70-80:10-20=hide"};
        const auto marked = markedFigure(heatmapKind, sampleTrace(run));
        const QImage before = drawn(*plain);
        const QImage after = drawn(*marked);
        QVERIFY(differs(before, after, marked->cellRect(20, 40)));
        QVERIFY(differs(before, after, marked->cellRect(75, 15)));
        QVERIFY(!differs(before, after, marked->cellRect(90, 90)));
    }

    void mergedCellsAreHiddenOnlyWhole()
    {
        SampleRun run = shortRun();
        run.wordMarks = true;
        run.source = {"▁un", "der", "▁way"};
        run.edits = {"cross:0:0:0:0=hide", "cross:0:0:1:0-1=hide"};
        FigureSpec spec;
        spec.words = true;
        const MatrixContent content = heatmapContent(spec, sampleTrace(run));
        QCOMPARE(content.map.numbers.columns, 2);
        QVERIFY(content.map.mark(0, 0) == CellMark::Changed);
        QVERIFY(content.map.mark(0, 1) == CellMark::Unedited);
        QVERIFY(content.map.mark(1, 0) == CellMark::Hidden);
    }

    void whatNobodyCanReadMarksNothing()
    {
        FigureSpec spec;
        QVERIFY(heatmapContent(spec, edited({"nonsense", "cross:0:0:0:0=", "cross:9=zero"})).map.marks().empty());
    }
};

ATTN_GUI_TEST(TestEditMarks)
#include "tst_edit_marks.moc"
