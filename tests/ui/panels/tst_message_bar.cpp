// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/message_bar.h"
#include "support/test_program.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QTest>

using namespace attn;
using namespace attn::ui;

class TestMessageBar : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void problemsAreSentences_data()
    {
        test::addColumns<QString, QString, QString, QString>("where", "problem", "advice", "expected");
        const auto add = [](const char* where, const char* problem, const char* advice, const char* expected) {
            QTest::newRow(expected) << QString::fromUtf8(where) << QString::fromUtf8(problem)
                                    << QString::fromUtf8(advice) << QString::fromUtf8(expected);
        };
        add("text", "is empty", "type a sentence", "The text is empty. Type a sentence.");
        add("second text", "this model reads one text, not a pair", "leave it out",
            "The second text: this model reads one text, not a pair. Leave it out.");
        add("/tmp/model", "has no config.json", "", "/tmp/model has no config.json.");
        add("gpt-tiny", "line 3 is not two pieces", "", "gpt-tiny: line 3 is not two pieces.");
        add("memory", "there is not enough of it for this", "close other programs",
            "The memory: there is not enough of it for this. Close other programs.");
        add("", "There is nothing here", "", "There is nothing here.");
        add("x.npz", "is cut off!", "--force writes it anyway", "x.npz is cut off! --force writes it anyway.");
    }

    void problemsAreSentences()
    {
        QFETCH(const QString, where);
        QFETCH(const QString, problem);
        QFETCH(const QString, advice);
        QFETCH(const QString, expected);
        MessageBar bar;
        bar.show(UserMessage{where, problem, advice});
        QCOMPARE(bar.text(), expected);
    }

    void aLongNameIsWholeInTheTipAndWhenCopied()
    {
        const std::string name = std::string(300, 'n') + "\x1b" + std::string(300, 'm');
        const Error error(ErrorKind::Format, "model", "has no tensor " + name, "get it again");
        MessageBar bar;
        bar.show(userMessage(error));
        auto* text = bar.findChild<QLabel*>(QStringLiteral("messageText"));
        const QString all = QString(300, QLatin1Char('n')) + QStringLiteral("\\x1b") + QString(300, QLatin1Char('m'));
        QVERIFY(!text->text().contains(all) && text->text().contains(QStringLiteral("nnn\u2026mmm")));
        QVERIFY(text->toolTip().contains(all));
        bar.findChild<QToolButton*>(QStringLiteral("copyMessage"))->click();
        QVERIFY(QGuiApplication::clipboard()->text().contains(all));
        bar.showNote(QStringLiteral("nothing can be run"));
        QVERIFY(text->toolTip().isEmpty());
        bar.findChild<QToolButton*>(QStringLiteral("copyMessage"))->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("nothing can be run"));
    }

    void aNoteStaysAsItIs()
    {
        MessageBar bar;
        bar.showNote(QStringLiteral("nothing can be run"));
        QCOMPARE(bar.text(), QStringLiteral("nothing can be run"));
    }

    void whatNoFontHasIsReadable()
    {
        MessageBar bar;
        const QString said = QStringLiteral("no file is called ") + QChar(0xE123);
        bar.showNote(said);
        QCOMPARE(bar.findChild<QLabel*>(QStringLiteral("messageText"))->text(),
                 QStringLiteral("no file is called \u27E6E123\u27E7"));
        QTest::mouseClick(bar.findChild<QToolButton*>(QStringLiteral("copyMessage")), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), said);
    }

    void whatCanBeDoneIsAButton()
    {
        MessageBar bar;
        int done = 0;
        const auto next = [&] {
            bar.offer(QStringLiteral("sure?"), {{"yes", QStringLiteral("Yes"), [&] { done += 10; }}});
        };
        bar.offer(QStringLiteral("again?"), {{"yes", QStringLiteral("Yes"), [&] {
                                                  ++done;
                                                  next();
                                              }}});
        bar.window()->resize(500, 50);
        const auto click = [&bar] {
            QTRY_COMPARE(bar.findChildren<QToolButton*>(QStringLiteral("yes")).size(), 1);
            QTest::mouseClick(bar.findChild<QToolButton*>(QStringLiteral("yes")), Qt::LeftButton);
        };
        click();
        QCOMPARE(bar.text(), QStringLiteral("sure?"));
        click();
        QCOMPARE(done, 11);
    }
};

ATTN_GUI_TEST(TestMessageBar)
#include "tst_message_bar.moc"
