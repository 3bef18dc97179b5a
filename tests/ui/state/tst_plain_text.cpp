// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/strings.h"
#include "support/test_program.h"

#include <QTest>
#include <QTextDocument>

#include <memory>

using namespace attn::ui;

class TestPlainText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLabelObeysNoMarkup()
    {
        const QString name = QStringLiteral("<b>bold</b>");
        const std::unique_ptr<QLabel> label(plainLabel(name));
        const std::unique_ptr<QLabel> same(plainLabel());
        same->setText(name);
        QCOMPARE(label->textFormat(), Qt::PlainText);
        QCOMPARE(label->sizeHint(), same->sizeHint());
        label->setText(QStringLiteral("bold"));
        QVERIFY(label->sizeHint().width() < same->sizeHint().width());
    }

    void aTipObeysNoMarkup()
    {
        QCOMPARE(plainTip({}), QString());
        QCOMPARE(plainTip(QStringLiteral("\"a\" & b\nc")), QStringLiteral("\"a\" & b\nc"));
        QTextDocument shown;
        shown.setHtml(plainTip(QStringLiteral("<b>x</b> &amp;\ny")));
        QCOMPARE(shown.toPlainText(), QStringLiteral("<b>x</b> &amp;\ny"));
        QVERIFY(plainTip(QString(20'000'000, QLatin1Char('x'))).size() < 10'000);
    }

    void aMenuShowsATextAsItIs()
    {
        QCOMPARE(menuText(QStringLiteral("R&D")), QStringLiteral("R&&D"));
        QVERIFY(!menuText(QStringLiteral("a\tb\nc")).contains(QLatin1Char('\t')));
        QVERIFY(!menuText(QStringLiteral("a\u202Eb")).contains(QChar(0x202E)));
    }

    void whatIsCutEndsBetweenCharacters()
    {
        QCOMPARE(shortened(QStringLiteral("short")), QStringLiteral("short"));
        QString astral;
        for (int i = 0; i < 5000; ++i)
            astral += QString::fromUcs4(U"\U0001F600", 1);
        for (const QString& text : QStringList{astral, QLatin1Char('x') + astral}) {
            const QString cut = shortened(text);
            QVERIFY(cut.endsWith(QChar(0x2026)) && cut.size() < 2000);
            QVERIFY(!cut[cut.size() - 2].isHighSurrogate());
        }
    }
};

ATTN_GUI_TEST(TestPlainText)
#include "tst_plain_text.moc"
