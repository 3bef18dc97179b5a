// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/utf8.h"
#include "support/test_program.h"

#include <QtTest>

using namespace attn;

class TestUtf8 : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCodePointSurvivesTheRoundTrip()
    {
        for (char32_t c = 0; c <= 0x110000; ++c) {
            std::string text;
            appendUtf8(text, c);
            const bool valid = c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
            std::size_t position = 0;
            QVERIFY(nextCodePoint(text, position) == (valid ? c : replacementCharacter));
            QCOMPARE(position, text.size());
        }
    }

    void malformedBytesAreReplaced_data()
    {
        test::addColumns<QByteArray, int>("text", "replacements");
        QTest::newRow("continuation alone") << QByteArray("\x80") << 1;
        QTest::newRow("overlong") << QByteArray("\xC0\x80") << 2;
        QTest::newRow("overlong of three") << QByteArray("\xE0\x80\x80") << 3;
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << 3;
        QTest::newRow("beyond Unicode") << QByteArray("\xF4\x90\x80\x80") << 4;
        QTest::newRow("cut") << QByteArray("\xE2\x96") << 2;
        QTest::newRow("in between") << QByteArray("a\xFF") << 1;
    }

    void malformedBytesAreReplaced()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, replacements);
        const std::string_view bytes(text.constData(), static_cast<std::size_t>(text.size()));
        int found = 0;
        for (std::size_t position = 0; position < bytes.size();)
            found += nextCodePoint(bytes, position) == replacementCharacter ? 1 : 0;
        QCOMPARE(found, replacements);
    }
};

ATTN_TEST(TestUtf8)
#include "tst_utf8.moc"
