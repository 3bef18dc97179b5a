// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/plain_text.h"
#include "support/test_program.h"

#include <QtTest>

#include <memory>

using namespace attn;

namespace {

// At the end of its memory, where AddressSanitizer sees what reads on.
template<class Number>
std::optional<Number> parsed(std::string_view text)
{
    const auto bytes = std::make_unique<char[]>(text.size());
    text.copy(bytes.get(), text.size());
    return parsedNumber<Number>({bytes.get(), text.size()});
}

} // namespace

class TestParsedNumber : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void numbersAreRead()
    {
        QCOMPARE(parsed<int>("-12"), -12);
        QCOMPARE(parsed<unsigned>("12"), 12U);
        QCOMPARE(parsed<double>("-.5"), -0.5);
        QCOMPARE(parsed<double>("1e3"), 1000.0);
        QVERIFY(parsed<long double>("1e-400").value() > 0);
    }

    void whatIsNoNumberIsNone_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"",     "-",   "--1",  "+1",     " 1",  "1 ",  "1x",   "x",        ".", "-.", "e5",
                                 "0x10", "nan", "-nan", "NAN(1)", "N.5", "inf", "-inf", "Infinity", "i", "-n"})
            QTest::newRow(text) << QByteArray(text);
    }
    void whatIsNoNumberIsNone()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!parsed<int>(text.toStdString()));
        QVERIFY(!parsed<float>(text.toStdString()));
        QVERIFY(!parsed<double>(text.toStdString()));
        QVERIFY(!parsed<long double>(text.toStdString()));
    }

    void whatDoesNotFitIsNone()
    {
        QVERIFY(!parsed<int>("99999999999"));
        QVERIFY(!parsed<unsigned>("-1"));
        QVERIFY(!parsed<float>("1e40"));
    }
};

ATTN_TEST(TestParsedNumber)
#include "tst_parsed_number.moc"
