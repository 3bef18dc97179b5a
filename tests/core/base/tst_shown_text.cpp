// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/plain_text.h"
#include "support/test_program.h"

#include <QTest>

#include <string>

using namespace attn;

class TestShownText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void commandsAreSpelledOut()
    {
        QCOMPARE(escaped("caf\u00e9 \u05e9\u05dc\u05d5\u05dd"), std::string("caf\u00e9 \u05e9\u05dc\u05d5\u05dd"));
        QCOMPARE(escaped(std::string("a\0\n\x1b[31m\x7f", 9)), std::string("a\\x00\\x0a\\x1b[31m\\x7f"));
        QCOMPARE(escaped("\u009b\u202egpj\u2066\u200f\u061c"), std::string("\\x9b\\u202egpj\\u2066\\u200f\\u061c"));
        QCOMPARE(escaped("a\xff\xe2\x80"), std::string("a\\xff\\xe2\\x80"));
        QCOMPARE(escaped("\ufffd"), std::string("\ufffd"));
        QCOMPARE(escaped("\ufeffa\uffff"), std::string("\\ufeffa\\uffff"));
    }

    void commandsInJsonAreReadBack()
    {
        QCOMPARE(escapedJson("{\n \"caf\u00e9\": \"\u05e9\\u001b\"}"),
                 std::string("{\n \"caf\u00e9\": \"\u05e9\\u001b\"}"));
        QCOMPARE(escapedJson("\"\x7f\u0080\u009b\u009f\""), std::string(R"("\u007f\u0080\u009b\u009f")"));
        QCOMPARE(escapedJson("\"\u061c\u200e\u200f\u202a\u202e\u2066\u2069\""),
                 std::string(R"("\u061c\u200e\u200f\u202a\u202e\u2066\u2069")"));
        for (const char* other : {"\u00a0", "\u200d", "\u2029", "\u202f", "\u2065", "\u206a", "\ufffd", "\xff"})
            QCOMPARE(escapedJson(other), std::string(other));
    }

    void longWordsLoseTheirMiddle()
    {
        QCOMPARE(shown("aaaabbbb", 8), std::string("aaaabbbb"));
        QCOMPARE(shown("one aaaaabbbb  \u00e9\u00e9\u00e9\u00e9xyz\u00e9\u00e9 ", 8),
                 std::string("one aaaa\u2026bbb  \u00e9\u00e9\u00e9\u00e9\u2026z\u00e9\u00e9 "));
        const std::string once = shown(std::string(100'000, 'x') + "\x1b", 50);
        QCOMPARE(shown(once, 50), once);
    }

    void errorsShowWhatTheyAreGiven()
    {
        const Error error(ErrorKind::Format, "model\n.safetensors", "holds " + std::string(1'000'000, 'x'),
                          "\u202eask");
        QCOMPARE(error.where(), std::string("model\\x0a.safetensors"));
        QCOMPARE(error.advice(), std::string("\\u202eask"));
        QVERIFY(error.problem().starts_with("holds xxx") && error.problem().size() < 200);
        std::string many;
        for (int i = 0; i < 10'000; ++i)
            many += "\u00e9t\u00e9 ";
        QVERIFY(std::string(Error(ErrorKind::Format, "x", many).what()).size() < 5000);
    }
};

ATTN_TEST(TestShownText)
#include "tst_shown_text.moc"
