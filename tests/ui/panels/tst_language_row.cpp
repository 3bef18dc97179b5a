// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/input_panel.h"

#include <QSignalSpy>
#include <QTest>

using namespace attn;
using namespace attn::ui;

// Choosing languages in the input panel of a multilingual model.
class TestLanguageRow : public QObject
{
    Q_OBJECT

private:
    static InputMode multilingual(const QStringList& codes, const QString& source, const QString& target)
    {
        InputMode mode;
        mode.languages = codes;
        mode.sourceLanguage = source;
        mode.targetLanguage = target;
        return mode;
    }

    static QComboBox* box(const InputPanel& panel, const char* name)
    {
        return panel.findChild<QComboBox*>(QLatin1String(name));
    }

private Q_SLOTS:
    void theRowIsThereForMultilingualModelsOnly()
    {
        InputPanel panel;
        panel.show();
        QVERIFY(!box(panel, "targetLanguage")->isVisible());
        panel.setMode(multilingual({QStringLiteral("en"), QStringLiteral("fr")}, QStringLiteral("en"), {}));
        QVERIFY(box(panel, "targetLanguage")->isVisible());
        QCOMPARE(panel.languages().source(), QStringLiteral("en"));
        QVERIFY(panel.languages().target().isEmpty());
        panel.setMode({});
        QVERIFY(!box(panel, "targetLanguage")->isVisible());
    }

    void choosingALanguageRunsTheModel()
    {
        InputPanel panel;
        panel.show();
        panel.setMode(multilingual({QStringLiteral("en"), QStringLiteral("fr")}, QStringLiteral("en"), {}));
        QSignalSpy runs(&panel, &InputPanel::runRequested);
        QComboBox* target = box(panel, "targetLanguage");
        target->setFocus();
        QTest::keyClick(target, Qt::Key_End);
        QCOMPARE(runs.count(), 1);
        QCOMPARE(panel.languages().target(), QStringLiteral("fr"));
    }

    void whatWasChosenStaysWhereTheNextModelHasIt()
    {
        InputPanel panel;
        panel.show();
        const QString en = QStringLiteral("en");
        const QString fr = QStringLiteral("fr");
        const QString de = QStringLiteral("de");
        panel.setMode(multilingual({en, fr, de}, en, fr));
        QTest::keyClick(box(panel, "targetLanguage"), Qt::Key_End);
        QCOMPARE(panel.languages().target(), de);
        panel.setMode(multilingual({de, fr, en}, fr, en));
        QCOMPARE(panel.languages().target(), de);
        QCOMPARE(panel.languages().source(), en);
        panel.setMode(multilingual({fr}, fr, fr));
        QCOMPARE(panel.languages().target(), fr);
    }

    void namesAreReadable()
    {
        InputPanel panel;
        panel.setMode(multilingual({QStringLiteral("fr_XX"), QStringLiteral("xx")}, QStringLiteral("fr_XX"), {}));
        QCOMPARE(box(panel, "sourceLanguage")->itemText(0), QStringLiteral("fr_XX – French"));
        QCOMPARE(box(panel, "sourceLanguage")->itemText(1), QStringLiteral("xx"));
    }
};

QTEST_MAIN(TestLanguageRow)

#include "tst_language_row.moc"
