// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/token_label.h"
#include "panels/input_panel.h"
#include "support/test_program.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include <utility>

using namespace attn;
using namespace attn::ui;

namespace {

const QString en = QStringLiteral("en");
const QString fr = QStringLiteral("fr");
const QString de = QStringLiteral("de");

struct Panel
{
    Panel() { panel.show(); }

    void open(const QStringList& codes, const QString& source, const QString& target)
    {
        ModelSummary model;
        model.path = QStringLiteral("model");
        model.languages = codes;
        model.sourceLanguage = source;
        model.targetLanguage = target;
        study.setModel(model);
    }
    TextLine* text() const { return panel.findChild<TextLine*>(QStringLiteral("sentence")); }
    QComboBox* source() const { return panel.findChild<QComboBox*>(QStringLiteral("sourceLanguage")); }
    QComboBox* target() const { return panel.findChild<QComboBox*>(QStringLiteral("targetLanguage")); }

    Study study;
    Selection selection;
    InputPanel panel{study, selection};
};

} // namespace

class TestInputPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theRowIsThereForMultilingualModelsOnly()
    {
        Panel panel;
        QVERIFY(!panel.target()->isVisible());
        panel.open({en, fr}, en, {});
        QVERIFY(panel.target()->isVisible());
        QCOMPARE(panel.source()->currentData().toString(), en);
        QCOMPARE(panel.target()->currentIndex(), -1);
        QVERIFY(!panel.study.question().targetLanguage);
        panel.open({}, {}, {});
        QVERIFY(!panel.target()->isVisible());
    }

    void aLongTextIsEditedWhole()
    {
        Panel panel;
        const std::string text(100'000, 'a');
        panel.study.edit([&text](Question& question) { question.text = text; });
        QCOMPARE(panel.text()->text().size(), qsizetype{100'000});
        panel.text()->setFocus();
        QTest::keyClick(panel.text(), Qt::Key_End);
        QTest::keyClick(panel.text(), Qt::Key_Backspace);
        QCOMPARE(panel.study.question().text, text.substr(1));
    }

    void whatIsTooLongForALineStaysAsItIs()
    {
        Panel panel;
        const std::string text = std::string(TextLine::longest, 'a') + "b";
        panel.study.edit([&text](Question& question) { question.text = text; });
        QCOMPARE(panel.study.question().text, text);
        QVERIFY(!panel.text()->isWhole() && panel.text()->text().size() < 2000);
        const auto* said = panel.panel.findChild<QLabel*>(QStringLiteral("missingCharacters"));
        QVERIFY(said->isVisible());
        panel.text()->setFocus();
        QTest::keyClick(panel.text(), Qt::Key_End);
        QTest::keyClick(panel.text(), Qt::Key_Backspace);
        QTest::keyClicks(panel.text(), QStringLiteral("c"));
        QTest::keyClick(panel.text(), Qt::Key_Up); // nothing of the history
        QCOMPARE(panel.study.question().text, text);
        panel.text()->actions().constLast()->trigger();
        QVERIFY(panel.study.question().text.empty());
        QVERIFY(panel.text()->isWhole() && !said->isVisible());
        QTest::keyClicks(panel.text(), QStringLiteral("d"));
        QCOMPARE(panel.study.question().text, std::string("d"));
    }

    void whatIsLeftOutOfAPasteIsSaid()
    {
        Panel panel;
        const QSignalSpy said(&panel.panel, &InputPanel::tooLong);
        panel.text()->setFocus();
        panel.text()->insert(QString(TextLine::longest, QLatin1Char('a')));
        QCOMPARE(said.count(), 0);
        QCOMPARE(panel.study.question().text.size(), std::size_t{TextLine::longest});
        panel.text()->insert(QStringLiteral("bc"));
        QCOMPARE(said.count(), 1);
    }

    // The name of a picture's file is no text to take away.
    void whatCannotBeTypedCannotBeCleared()
    {
        TextLine line;
        line.makeClearable(QStringLiteral("Clear"));
        line.setText(QStringLiteral("scene.png"));
        QVERIFY(line.actions().constLast()->isVisible());
        line.setEnabled(false);
        QVERIFY(!line.actions().constLast()->isVisible());
        line.setEnabled(true);
        QVERIFY(line.actions().constLast()->isVisible());
    }

    void choosingALanguageAsksForIt()
    {
        Panel panel;
        panel.open({en, fr}, en, {});
        const QSignalSpy runs(&panel.panel, &InputPanel::runRequested);
        panel.target()->setFocus();
        QTest::keyClick(panel.target(), Qt::Key_End);
        QCOMPARE(runs.count(), 1);
        QCOMPARE(panel.study.question().targetLanguage, fr.toStdString());
    }

    void whatWasChosenStaysWhereTheNextModelHasIt()
    {
        Panel panel;
        panel.open({en, fr, de}, en, fr);
        QTest::keyClick(panel.target(), Qt::Key_End);
        QCOMPARE(panel.target()->currentData().toString(), de);
        panel.open({de, fr, en}, fr, en);
        QCOMPARE(panel.target()->currentData().toString(), de);
        QCOMPARE(panel.source()->currentData().toString(), en);
        panel.open({fr}, fr, fr);
        QCOMPARE(panel.target()->currentData().toString(), fr);
    }

    void namesAreReadable()
    {
        Panel panel;
        panel.open({QStringLiteral("fr_XX"), QStringLiteral("xx")}, QStringLiteral("fr_XX"), {});
        QCOMPARE(panel.source()->itemText(0), QStringLiteral("fr_XX – French"));
        QCOMPARE(panel.source()->itemText(1), QStringLiteral("xx"));
    }

    void whatNoFontHasIsSaidBelowTheText()
    {
        Panel panel;
        auto* text = panel.panel.findChild<QLineEdit*>(QStringLiteral("sentence"));
        auto* missing = panel.panel.findChild<QLabel*>(QStringLiteral("missingCharacters"));
        text->setText(QStringLiteral("caf\u00E9"));
        QVERIFY(!missing->isVisible());
        text->insert(QString(QChar(0xE123)).repeated(3));
        QVERIFY(missing->isVisible());
        QCOMPARE(missing->text().count(QStringLiteral("\u27E6E123\u27E7")), 1);
        QVERIFY(!missing->text().contains(QStringLiteral("fonts-"))); // of characters that are nobody's
        QTest::keyClick(text, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(!missing->isVisible());
        for (const auto& [written, package] :
             {std::pair("\u4F60", "fonts-noto-cjk"),
              {"\U0001F642", "fonts-noto-color-emoji"},
              {"\U00012000", "fonts-noto-core"}}) { // what these fonts are for, whether they are here or not
            text->setText(QString::fromUtf8(written));
            QCOMPARE(missing->isVisible(), !isDrawable(written));
            QVERIFY(isDrawable(written) || missing->text().contains(QLatin1String(package)));
        }
    }
};

ATTN_GUI_TEST(TestInputPanel)

#include "tst_input_panel.moc"
