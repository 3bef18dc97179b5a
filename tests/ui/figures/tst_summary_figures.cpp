// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/figure_export.h"
#include "figures/heatmap.h"
#include "trace/trace_builder.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace attn;
using namespace attn::ui;

namespace {

// "Go. Home" in two sentences.
Trace sample()
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
    builder.begun(std::vector<TokenId>{4, 3, 5}, -1);
    const std::vector<float> words{0.25F, 0.75F, 0, 0, 0, 1};
    const std::vector<float> sentences{0.125F, 0.875F};
    AttentionBlock block{{Stage::Encoder, 0}, 0, 0, 1, 2, 3, words, {}};
    block.rowAxis = AttentionAxis::Sentences;
    builder.attention(block);
    block = {{Stage::Encoder, 1}, 0, 0, 1, 1, 2, sentences, {}};
    block.rowAxis = AttentionAxis::Text;
    block.columnAxis = AttentionAxis::Sentences;
    builder.attention(block);
    builder.finished({});
    return builder.snapshot();
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
        QCOMPARE(content.rowToken(1), -1);
        QCOMPARE(content.columnToken(2), 2);
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
        QTest::newRow("first") << 0 << QByteArray("attention of 0: Go. over the text");
        QTest::newRow("special") << 1 << QByteArray("attention of 0: Go. over the text");
        QTest::newRow("last") << 2 << QByteArray("attention of 1: Home over the text");
    }
    void aTokenIsShownWithTheSentenceThatReadsIt()
    {
        QFETCH(const int, token);
        QFETCH(const QByteArray, row);
        FigureSpec spec;
        spec.kind = FigureKind::Decoding;
        spec.site = {Stage::Encoder, 0};
        spec.currentStep = token;
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("token.svg"));
        exportFigure(path, spec, sample());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains(row));
    }

    void oneRowOverSentences()
    {
        FigureSpec spec;
        spec.site = {Stage::Encoder, 1};
        const MatrixContent content = heatmapContent(spec, sample());
        QCOMPARE(content.rowLabels, QStringList{QStringLiteral("text")});
        QCOMPARE(content.columnLabels, (QStringList{QStringLiteral("0: Go."), QStringLiteral("1: Home")}));
        QCOMPARE(content.columnAxis, QStringLiteral("sentence"));
        QCOMPARE(content.columnToken(1), -1);
        QCOMPARE(content.matrix.values, (std::vector<float>{0.125F, 0.875F}));
    }
};

QTEST_MAIN(TestSummaryFigures)

#include "tst_summary_figures.moc"
