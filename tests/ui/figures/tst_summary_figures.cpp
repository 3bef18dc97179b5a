// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figure_kinds.h"
#include "figures/export/figure_export.h"
#include "figures/look/token_label.h"
#include "trace/trace_builder.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

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
    const std::vector<float> words{0.25F, 0.75F, 0, 0, 0, 1};
    const std::vector<float> sentences{0.125F, 0.875F};
    AttentionBlock block{{Stage::Encoder, 0}, 0, 0, {words.data(), 2, 3}, {}};
    block.rowAxis = AttentionAxis::Sentences;
    builder.attention(block);
    block = {{Stage::Encoder, 1}, 0, 0, {sentences.data(), 1, 2}, {}};
    block.rowAxis = AttentionAxis::Text;
    block.columnAxis = AttentionAxis::Sentences;
    builder.attention(block);
    if (!classes.empty()) {
        std::vector<float> logits(classes.size(), 0);
        logits.back() = std::log(3.0F);
        builder.classified(classification(classes, logits));
    }
    builder.finished({});
    return builder.snapshot();
}

QByteArray tokenPicture(const FigureSpec& spec, const Trace& trace)
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("token.svg"));
    exportFigure(path, exportable(spec, trace));
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
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
        QCOMPARE(content.rowAxis, QStringLiteral("sentence"));
        QCOMPARE(content.columnAxis, QStringLiteral("key"));
        QCOMPARE(content.matrix.rows, 2);
        QCOMPARE(content.matrix.columns, 3);
        QVERIFY(!content.rowToken(1));
        QCOMPARE(content.columnToken(2), 2);
    }

    void placesThatAreNoTokensAreNamed()
    {
        FigureSpec spec;
        spec.site = {Stage::Encoder, 1};
        const MatrixContent content = heatmapContent(spec, sample());
        QCOMPARE(content.rowLabels, QStringList{QStringLiteral("text")});
        QCOMPARE(content.columnLabels, (QStringList{QStringLiteral("0: Go."), QStringLiteral("1: Home")}));
        QCOMPARE(placeName(AttentionAxis::Hops, 2, {}), std::string("hop 2"));
        QCOMPARE(placeName(AttentionAxis::Sentences, 1, {}), std::string("sentence 1"));
    }

    void hiddenSpecialTokensAreColumnsOnly()
    {
        FigureSpec spec;
        spec.site = {Stage::Encoder, 0};
        spec.specials = SpecialTokens::Hidden;
        const MatrixContent content = heatmapContent(spec, sample());
        QCOMPARE(content.matrix.rows, 2);
        QCOMPARE(content.columnLabels, (QStringList{QStringLiteral("Go."), QStringLiteral("Home")}));
    }

    void aTokenIsShownWithTheSentenceThatReadsIt_data()
    {
        QTest::addColumn<int>("token");
        QTest::addColumn<QByteArray>("row");
        QTest::newRow("first") << 0 << QByteArray("attention of \u201C0: Go.\u201D over the text");
        QTest::newRow("special") << 1 << QByteArray("attention of \u201C0: Go.\u201D over the text");
        QTest::newRow("last") << 2 << QByteArray("attention of \u201C1: Home\u201D over the text");
    }
    void aTokenIsShownWithTheSentenceThatReadsIt()
    {
        QFETCH(const int, token);
        QFETCH(const QByteArray, row);
        QVERIFY(tokenPicture(tokenSpec(token), sample()).contains(row));
    }

    void aTokenStandsInItsWholeText()
    {
        const QByteArray first = tokenPicture(tokenSpec(0), sample());
        QVERIFY(first.contains("&lt;/s&gt; Home"));
        const QByteArray last = tokenPicture(tokenSpec(2), sample());
        QVERIFY(last.contains("Go. &lt;/s&gt;") && !last.contains("&lt;/s&gt; Home"));
    }

    void classifiersShowTheirClasses()
    {
        const QByteArray picture = tokenPicture(tokenSpec(0), sample({"place", "number"}));
        QVERIFY(picture.contains("probability of the class"));
        QVERIFY(!picture.contains("probability of the token") && !picture.contains("masked-token"));
        QVERIFY(picture.contains("0.750") && picture.contains("0.250"));
        QVERIFY(picture.indexOf(">number<") < picture.indexOf(">place<")); // the most probable first
        QVERIFY(layoutFigure(tokenSpec(0), sample({"place", "number"}), {600, 400})
                    ->description()
                    .contains(QStringLiteral("Class: number")));
    }

    void whatIsMissingIsMissingInAModelOrAnArchive()
    {
        FigureSpec spec = tokenSpec(0);
        QVERIFY(tokenPicture(spec, sample()).contains("This model has no masked-token predictions"));
        spec.archive = true;
        QVERIFY(tokenPicture(spec, sample()).contains("This archive holds no masked-token predictions"));
    }

    void oneRowOverSentences()
    {
        FigureSpec spec;
        spec.site = {Stage::Encoder, 1};
        const MatrixContent content = heatmapContent(spec, sample());
        QCOMPARE(content.rowLabels, QStringList{QStringLiteral("text")});
        QCOMPARE(content.columnLabels, (QStringList{QStringLiteral("0: Go."), QStringLiteral("1: Home")}));
        QCOMPARE(content.columnAxis, QStringLiteral("sentence"));
        QVERIFY(!content.columnToken(1));
        QCOMPARE(content.matrix.values, (std::vector<float>{0.125F, 0.875F}));
    }
};

QTEST_MAIN(TestSummaryFigures)

#include "tst_summary_figures.moc"
