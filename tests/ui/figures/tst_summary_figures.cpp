// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_kinds.h"
#include "figures/look/token_label.h"
#include "sample_traces.h"
#include "support/test_program.h"
#include "trace/trace_builder.h"
#include "ui/figures/figure_areas.h"
#include "ui/figures/figure_texts.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::ui;

namespace {

// "Go. Home" in two sentences; of a classifier where there are classes.
Trace sample(const std::vector<std::string>& classes = {})
{
    Encoding source;
    source.ids = {4, 3, 5};
    source.tokens = {"Go.", "</s>", "Home"};
    source.text = "Go. Home";
    source.spans = {{0, 3}, {3, 3}, {4, 8}};
    source.words = {0, -1, 1};
    source.special = {false, true, false};
    Provenance provenance;
    provenance.kind = ModelKind::EncoderOnly;
    TraceBuilder builder(std::move(source), nullptr, std::move(provenance));
    builder.begun(std::vector<TokenId>{4, 3, 5}, {});
    const NumberVector<float> words{0.25F, 0.75F, 0, 0, 0, 1};
    const NumberVector<float> sentences{0.125F, 0.875F};
    AttentionBlock block{{Stage::Encoder, 0}, 0, 0, {words.data(), 2, 3}, {}};
    block.rowAxis = AttentionAxis::Sentences;
    builder.attention(block);
    block = {{Stage::Encoder, 1}, 0, 0, {sentences.data(), 1, 2}, {}};
    block.rowAxis = AttentionAxis::Text;
    block.columnAxis = AttentionAxis::Sentences;
    builder.attention(block);
    if (!classes.empty()) {
        NumberVector<float> logits(classes.size(), 0);
        logits.back() = std::log(3.0F);
        builder.classified(classification(classes, logits));
    }
    builder.finished({});
    return builder.snapshot();
}

// What a figure writes that is wide enough to break no line.
QSet<QString> tokenTexts(const FigureSpec& spec, const Trace& trace)
{
    return test::textsOf(*layoutFigure(spec, trace, {1600, 500}));
}

bool says(const QSet<QString>& texts, const QString& part)
{
    return std::ranges::any_of(texts, [&part](const QString& text) { return text.contains(part); });
}

MatrixContent contentOf(Site site, const Trace& trace)
{
    FigureSpec spec;
    spec.site = site;
    return heatmapContent(spec, trace);
}

FigureSpec tokenSpec(int token)
{
    FigureSpec spec;
    spec.kind = &decodingKind;
    spec.site = {Stage::Encoder, 0};
    spec.currentStep = token;
    return spec;
}

} // namespace

// Figures of attention whose rows are no tokens.
class TestSummaryFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsAreSentences_data()
    {
        QTest::addColumn<bool>("words");
        QTest::newRow("tokens") << false;
        QTest::newRow("words") << true;
    }
    void rowsAreSentences()
    {
        QFETCH(const bool, words);
        FigureSpec spec;
        spec.site = {Stage::Encoder, 0};
        spec.words = words;
        const MatrixContent content = heatmapContent(spec, sample());
        QCOMPARE(content.rowLabels, (QStringList{QStringLiteral("0: Go."), QStringLiteral("1: Home")}));
        QCOMPARE(content.rowAxis, contentOf({Stage::Encoder, 1}, sample()).columnAxis); // sentences there
        QCOMPARE(content.columnAxis,
                 contentOf({Stage::Encoder, 0}, test::sampleReading(test::pairRun())).columnAxis); // tokens
        QVERIFY(content.rowAxis != content.columnAxis);
        QCOMPARE(content.map.numbers.rows, 2);
        QCOMPARE(content.map.numbers.columns, 3);
        QVERIFY(!content.map.rows.token(1));
        QCOMPARE(content.map.columns.token(2), 2);
    }

    void placesThatAreNoTokensAreNamed()
    {
        FigureSpec spec;
        spec.site = {Stage::Encoder, 1};
        const MatrixContent content = heatmapContent(spec, sample());
        QCOMPARE(content.rowLabels.size(), 1);
        QVERIFY(!content.rowLabels[0].isEmpty() && !content.rowLabels[0].contains(QStringLiteral("Go.")));
        QCOMPARE(content.columnLabels, (QStringList{QStringLiteral("0: Go."), QStringLiteral("1: Home")}));
        const QString hop = QString::fromStdString(placeName(AttentionAxis::Hops, 2, {}));
        const QString sentence = QString::fromStdString(placeName(AttentionAxis::Sentences, 2, {}));
        QVERIFY(hop != sentence);
        for (const QString& name : {hop, sentence})
            QCOMPARE(test::numbersIn(name), QStringList{QStringLiteral("2")});
    }

    void hiddenSpecialTokensAreColumnsOnly()
    {
        FigureSpec spec;
        spec.site = {Stage::Encoder, 0};
        spec.specials = SpecialTokens::Hidden;
        const MatrixContent content = heatmapContent(spec, sample());
        QCOMPARE(content.map.numbers.rows, 2);
        QCOMPARE(content.columnLabels, (QStringList{QStringLiteral("Go."), QStringLiteral("Home")}));
    }

    void aTokenIsShownWithTheSentenceThatReadsIt_data()
    {
        test::addColumns<int, QString, QString>("token", "row", "other");
        QTest::newRow("first") << 0 << QStringLiteral("0: Go.") << QStringLiteral("1: Home");
        QTest::newRow("special") << 1 << QStringLiteral("0: Go.") << QStringLiteral("1: Home");
        QTest::newRow("last") << 2 << QStringLiteral("1: Home") << QStringLiteral("0: Go.");
    }
    void aTokenIsShownWithTheSentenceThatReadsIt()
    {
        QFETCH(const int, token);
        QFETCH(const QString, row);
        QFETCH(const QString, other);
        const QSet<QString> texts = tokenTexts(tokenSpec(token), sample());
        QVERIFY(says(texts, row) && !says(texts, other));
    }

    void aTokenStandsInItsWholeText()
    {
        const QString before = QStringLiteral("Go. </s>");
        const QString after = QStringLiteral("</s> Home");
        QVERIFY(says(tokenTexts(tokenSpec(0), sample()), after));
        const QSet<QString> last = tokenTexts(tokenSpec(2), sample());
        QVERIFY(says(last, before) && !says(last, after));
    }

    void classifiersShowTheirClasses()
    {
        const Trace trace = sample({"place", "number"});
        const QSet<QString> texts = tokenTexts(tokenSpec(0), trace);
        const QSet<QString> masked = tokenTexts(tokenSpec(0), sample());
        QSet<QString> classes{QStringLiteral("place"), QStringLiteral("number"), QStringLiteral("0.750"),
                              QStringLiteral("0.250")};
        QVERIFY(texts.contains(classes));
        QCOMPARE((texts - masked - classes).size(), 1); // the bars have a title of their own,
        QCOMPARE((masked - texts).size(), 2); // in place of the title of tokens and of why there are none
        const auto figure = layoutFigure(tokenSpec(0), trace, {600, 400});
        const auto bar = [&figure](int place) {
            return test::areaOf(*figure, [place](const FigureHit& hit) {
                return hit.part == FigureHit::Part::Candidate && hit.column == place;
            });
        };
        QVERIFY(figure->hitTest(bar(0).center()).text.startsWith(QStringLiteral("number"))); // the most probable first
        QVERIFY(figure->hitTest(bar(1).center()).text.startsWith(QStringLiteral("place")));
        QVERIFY(bar(0).bottom() <= bar(1).top());
        QVERIFY(figure->description().contains(QStringLiteral("number"))
                && !figure->description().contains(QStringLiteral("place")));
    }

    void whatIsMissingIsMissingInAModelOrAnArchive()
    {
        FigureSpec spec = tokenSpec(0);
        const QSet<QString> ofModel = tokenTexts(spec, sample());
        spec.archive = true;
        const QSet<QString> ofArchive = tokenTexts(spec, sample());
        QCOMPARE((ofModel - ofArchive).size(), 1);
        QCOMPARE((ofArchive - ofModel).size(), 1);
    }

    void oneRowOverSentences()
    {
        FigureSpec spec;
        spec.site = {Stage::Encoder, 1};
        const MatrixContent content = heatmapContent(spec, sample());
        QCOMPARE(content.rowLabels, QStringList{QString::fromStdString(placeName(AttentionAxis::Text, 0, {}))});
        QCOMPARE(content.columnLabels, (QStringList{QStringLiteral("0: Go."), QStringLiteral("1: Home")}));
        QCOMPARE(content.columnAxis, contentOf({Stage::Encoder, 0}, sample()).rowAxis);
        QVERIFY(content.rowAxis != content.columnAxis);
        QVERIFY(!content.map.columns.token(1));
        QCOMPARE(content.map.numbers.values, (NumberVector<float>{0.125F, 0.875F}));
    }
};

ATTN_GUI_TEST(TestSummaryFigures)

#include "tst_summary_figures.moc"
