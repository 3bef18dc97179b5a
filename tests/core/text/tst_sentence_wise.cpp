// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "loading/model_loader.h"
#include "support/test_program.h"
#include "text/steps/steps.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace attn;

namespace {

QStringList split(const char* text)
{
    const std::string_view whole(text);
    QStringList found;
    for (const ByteSpan span : sentencesOf(whole))
        found.append(QString::fromUtf8(whole.data() + span.begin, static_cast<qsizetype>(span.end - span.begin)));
    return found;
}

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

} // namespace

class TestSentenceWise : public QObject
{
    Q_OBJECT

private:
    // Ids: 0 <pad>, 1 <unk>, 2 <s>, 3 </s>, 4 go, 5 home, 6 now.
    static Tokenizers load(const QTemporaryDir& folder, const QByteArray& type, const QByteArray& more = {})
    {
        write(folder.filePath(QStringLiteral("config.json")),
              R"({"model_type": ")" + type + R"(", "vocab_size": 7, "pad_token_id": 0, "unk_token_id": 1,
                  "bos_token_id": 2, "eos_token_id": 3)"
                  + more + "}");
        write(folder.filePath(QStringLiteral("source.vocab")), "<pad>\n<unk>\n<s>\n</s>\ngo\nhome\nnow\n");
        return loadTokenizers(folder.path().toStdString());
    }

private Q_SLOTS:
    void sentencesEndAtMarksAndLines_data()
    {
        test::addColumns<QByteArray, QStringList>("text", "sentences");
        QTest::newRow("none") << QByteArray("") << QStringList{};
        QTest::newRow("white space") << QByteArray(" \n\t ") << QStringList{};
        QTest::newRow("one") << QByteArray("Come home") << QStringList{QStringLiteral("Come home")};
        QTest::newRow("marks") << QByteArray("Come home! Now?  Yes.")
                               << QStringList{QStringLiteral("Come home!"), QStringLiteral("Now?"),
                                              QStringLiteral("Yes.")};
        QTest::newRow("inside a word") << QByteArray("Version 1.2 of x.y")
                                       << QStringList{QStringLiteral("Version 1.2 of x.y")};
        QTest::newRow("several marks") << QByteArray("What?! Oh... Well")
                                       << QStringList{QStringLiteral("What?!"), QStringLiteral("Oh..."),
                                                      QStringLiteral("Well")};
        QTest::newRow("quote") << QByteArray("\"Go.\" He went.")
                               << QStringList{QStringLiteral("\"Go.\""), QStringLiteral("He went.")};
        QTest::newRow("lines") << QByteArray("no mark\r\n\nanother one \n")
                               << QStringList{QStringLiteral("no mark"), QStringLiteral("another one")};
        QTest::newRow("ellipsis") << QByteArray("Well\u2026 go")
                                  << QStringList{QStringLiteral("Well\u2026"), QStringLiteral("go")};
        QTest::newRow("marks only") << QByteArray("... !") << QStringList{QStringLiteral("..."), QStringLiteral("!")};
    }
    void sentencesEndAtMarksAndLines()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QStringList, sentences);
        QCOMPARE(split(text.constData()), sentences);
    }

    void everySentenceHasItsEndToken()
    {
        const QTemporaryDir folder;
        const Tokenizers tokenizers = load(folder, "hierarchical_attention");
        QVERIFY(tokenizers.source);
        const Encoding found = tokenizers.source->encode("go home\n now go");
        QCOMPARE(found.ids, (std::vector<TokenId>{4, 5, 3, 6, 4, 3}));
        QCOMPARE(found.words, (std::vector<int>{0, 1, -1, 2, 3, -1}));
        QCOMPARE(found.special, (std::vector<bool>{false, false, true, false, false, true}));
        QCOMPARE(found.text, std::string("go home\n now go"));
        QVERIFY((found.spans[3] == ByteSpan{9, 12}));
        QCOMPARE(found.spans[5].begin, found.spans[5].end);
        QCOMPARE(tokenizers.source->decode(found.ids), std::string("go home now go"));
        QVERIFY(tokenizers.source->encode(" \n").ids.empty());
        QVERIFY_EXCEPTION_THROWN((void)tokenizers.source->encodePair("go", "home"), Error);
    }

    void otherTextModelsReadTheWholeText()
    {
        for (const char* type : {"attention_pooling", "structured_self_attention", "lstmn"}) {
            const QTemporaryDir folder;
            QCOMPARE(load(folder, type).source->encode("go home\nnow").ids, (std::vector<TokenId>{4, 5, 6, 3}));
            const QTemporaryDir plain;
            QCOMPARE(load(plain, type, R"(, "source_eos": false)").source->encode("go").ids, (std::vector<TokenId>{4}));
        }
    }
};

ATTN_TEST(TestSentenceWise)

#include "tst_sentence_wise.moc"
