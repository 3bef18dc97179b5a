// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/runs_panel.h"
#include "sample_traces.h"
#include "support/test_program.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTest>
#include <QTimer>

#include <functional>

using namespace attn;
using namespace attn::ui;

namespace {

Question asking(const char* text, int beam = 0)
{
    Question question;
    question.model = "model";
    question.text = text;
    if (beam > 0) {
        question.decoding.search = Search::Beam;
        question.decoding.beamSize = beam;
    }
    return question;
}

} // namespace

class TestRunsPanel : public QObject
{
    Q_OBJECT

private:
    // Three runs: "one", with a beam below it and another sentence.
    struct Desk
    {
        Desk()
        {
            ModelSummary model;
            model.name = model.path = QStringLiteral("model");
            study.setModel(model);
            first = run(asking("one"));
            beam = run(asking("one", 8));
            study.show(first);
            other = run(asking("two"));
            panel.resize(300, 400);
            panel.show();
            panel.activateWindow();
            if (!QTest::qWaitForWindowActive(&panel))
                qFatal("the panel has no focus");
            tree = panel.findChild<QTreeView*>(QStringLiteral("runsTree"));
        }

        int run(const Question& question)
        {
            study.begin(question);
            study.replaceTrace(test::sampleTrace(test::shortRun()), false);
            study.end();
            return *study.shown();
        }

        RunsModel& model() const { return *static_cast<RunsModel*>(tree->model()); }
        QPoint place(int id) const { return tree->visualRect(model().indexOf(id)).center(); }
        void click(int id, Qt::KeyboardModifiers keys = {}) const
        {
            QTest::mouseClick(tree->viewport(), Qt::LeftButton, keys, place(id));
        }
        void key(Qt::Key key, Qt::KeyboardModifiers keys = {}) const { QTest::keyClick(tree, key, keys); }
        QString text(int id, int role = Qt::DisplayRole) const { return model().indexOf(id).data(role).toString(); }
        QLineEdit* editor(const char* name) const { return panel.findChild<QLineEdit*>(QLatin1String(name)); }

        Study study;
        int first = 0;
        int beam = 0;
        int other = 0;
        RunsPanel panel{study};
        QTreeView* tree = nullptr;
    };

private Q_SLOTS:
    void withoutRunsItSaysWhatComesHere()
    {
        Study study;
        RunsPanel panel(study);
        panel.show();
        const auto* none = panel.findChild<QLabel*>(QStringLiteral("noRuns"));
        QVERIFY(none->isVisible() && !none->text().isEmpty());
        Desk desk;
        QVERIFY(!desk.panel.findChild<QLabel*>(QStringLiteral("noRuns"))->isVisible());
    }

    void theTreeIsAModel()
    {
        Desk desk;
        const QAbstractItemModelTester tester(&desk.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(desk.model().rowCount(), 1);
        QCOMPARE(desk.model().rowCount(desk.model().indexOf(desk.first)), 2);
        desk.run(asking("three"));
        QCOMPARE(desk.model().rowCount(desk.model().indexOf(desk.first)), 3);
        desk.study.annotate(desk.beam, QStringLiteral("note"));
        desk.study.remove(desk.first);
        QCOMPARE(desk.model().rowCount(), 3);
    }

    void aRowSaysWhatARunIsAndWhatCameOfIt()
    {
        Desk desk;
        QVERIFY(desk.text(desk.beam).contains(QLatin1Char('8')));
        QVERIFY(desk.text(desk.first).contains(QLatin1String("one")));
        QVERIFY(!desk.text(desk.first, RunsModel::OutputRole).isEmpty());
        const QVariant log = desk.model().indexOf(desk.first).data(RunsModel::LogProbabilityRole);
        QVERIFY(log.toDouble() < 0);
        desk.study.compareAgainst(desk.first);
        const QString said = desk.text(desk.first, Qt::AccessibleTextRole);
        for (const int role : {int(Qt::DisplayRole), int(RunsModel::OutputRole)})
            QVERIFY(said.contains(desk.text(desk.first, role)));
        QVERIFY(desk.model().indexOf(desk.first).data(RunsModel::AgainstRole).toBool());
        QVERIFY(!desk.tree->accessibleName().isEmpty());
    }

    void aClickShowsARun()
    {
        Desk desk;
        QCOMPARE(RunsModel::runAt(desk.tree->currentIndex()), std::optional(desk.other)); // which is on show
        desk.click(desk.beam);
        QCOMPARE(desk.study.shown(), std::optional(desk.beam));
        QCOMPARE(desk.study.runs().runs().size(), std::size_t{3});
    }

    void controlAndAClickCompares()
    {
        Desk desk;
        desk.click(desk.beam, Qt::ControlModifier);
        QCOMPARE(desk.study.against(), std::optional(desk.beam));
        QCOMPARE(desk.study.shown(), std::optional(desk.other));
        QCOMPARE(RunsModel::runAt(desk.tree->currentIndex()), std::optional(desk.other));
        desk.click(desk.beam, Qt::ControlModifier);
        QVERIFY(!desk.study.against());
    }

    void theKeyboardDoesAllOfIt()
    {
        Desk desk;
        desk.tree->setFocus();
        desk.key(Qt::Key_Up);
        QCOMPARE(desk.study.shown(), std::optional(desk.beam));
        desk.key(Qt::Key_Up);
        QCOMPARE(desk.study.shown(), std::optional(desk.first));
        desk.key(Qt::Key_P, Qt::ControlModifier);
        QCOMPARE(desk.study.against(), std::optional(desk.first));
        desk.key(Qt::Key_Left); // collapses
        QVERIFY(!desk.tree->isExpanded(desk.model().indexOf(desk.first)));
        desk.study.remove(desk.beam);
        QVERIFY(!desk.tree->isExpanded(desk.model().indexOf(desk.first)));
        desk.run(asking("three")); // what is on show is seen
        QVERIFY(desk.tree->isExpanded(desk.model().indexOf(desk.first)));
    }

    void aNameIsEditedInPlace()
    {
        Desk desk;
        desk.tree->setFocus();
        desk.key(Qt::Key_F2);
        QLineEdit* editor = desk.editor("runNameEditor");
        QVERIFY(editor != nullptr);
        QCOMPARE(editor->text(), desk.text(desk.other));
        QTest::keyClicks(editor, QStringLiteral("mine"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(desk.text(desk.other), QStringLiteral("mine"));
        QTRY_VERIFY(desk.editor("runNameEditor") == nullptr);
        desk.key(Qt::Key_F2);
        editor = desk.editor("runNameEditor");
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, QStringLiteral("not this"));
        QTest::keyClick(editor, Qt::Key_Escape);
        QCOMPARE(desk.text(desk.other), QStringLiteral("mine"));
    }

    void aNoteIsEditedInPlace()
    {
        Desk desk;
        const int before = desk.tree->visualRect(desk.model().indexOf(desk.other)).height();
        desk.tree->setFocus();
        desk.key(Qt::Key_F2, Qt::ShiftModifier);
        QLineEdit* editor = desk.editor("runNoteEditor");
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, QStringLiteral("why?"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(desk.study.runs().find(desk.other)->note, std::string("why?"));
        QTRY_VERIFY(desk.tree->visualRect(desk.model().indexOf(desk.other)).height() > before);
    }

    // No session has names as long as these.
    void aNameOfAnyLengthIsShownInPart()
    {
        Desk desk;
        desk.study.rename(desk.other, QString(20'000'000, QLatin1Char('x')));
        desk.study.annotate(desk.other, QString(20'000'000, QLatin1Char('y')));
        QVERIFY(!desk.panel.grab().isNull());
        QVERIFY(desk.text(desk.other, Qt::ToolTipRole).size() < 10'000);
    }

    void aNameIsShownWithItsCharactersSpelledOut()
    {
        Desk desk;
        const QString name = QStringLiteral("a\u202Eb");
        desk.study.rename(desk.other, name);
        QCOMPARE(desk.text(desk.other), QStringLiteral("a<U+202E>b"));
        QCOMPARE(desk.text(desk.other, Qt::EditRole), name);
        const auto changes = desk.study.changes();
        desk.tree->setFocus();
        desk.key(Qt::Key_F2);
        QTest::keyClick(desk.editor("runNameEditor"), Qt::Key_Return);
        QCOMPARE(desk.study.runs().find(desk.other)->change, name.toStdString());
        QCOMPARE(desk.study.changes(), changes);
    }

    void whatIsBeingTypedStaysAndIsGivenWhenItIsAskedFor()
    {
        Desk desk;
        desk.tree->setFocus();
        desk.key(Qt::Key_F2, Qt::ShiftModifier);
        QLineEdit* editor = desk.editor("runNoteEditor");
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, QStringLiteral("half a no"));
        desk.study.annotate(desk.first, QStringLiteral("another"));
        desk.study.compareAgainst(desk.first);
        QCOMPARE(desk.editor("runNoteEditor"), editor);
        QCOMPARE(editor->text(), QStringLiteral("half a no"));
        desk.study.gather();
        QCOMPARE(desk.study.runs().find(desk.other)->note, std::string("half a no"));
        QTRY_VERIFY(desk.editor("runNoteEditor") == nullptr);
        desk.study.gather(); // there is nothing more
    }

    // Of another session, whose runs may have the same numbers.
    void whatIsBeingTypedIsOfNoOtherRun()
    {
        Desk desk;
        desk.study.annotate(desk.other, QStringLiteral("mine"));
        Session session = desk.study.session();
        for (SessionRun& run : session.runs)
            run.note = "theirs";
        session.shown.run = desk.first;
        desk.tree->setFocus();
        desk.key(Qt::Key_F2, Qt::ShiftModifier);
        QTest::keyClicks(desk.editor("runNoteEditor"), QStringLiteral("half a no"));
        desk.study.restore(session, QStringLiteral("x.attnscope"), {});
        QTRY_VERIFY(desk.editor("runNoteEditor") == nullptr);
        for (const Run& run : desk.study.runs().runs())
            QCOMPARE(run.note, std::string("theirs"));
        QVERIFY(!desk.study.unsaved());
    }

    void deleteTakesARunAway()
    {
        Desk desk;
        desk.tree->setFocus();
        desk.key(Qt::Key_Delete);
        QVERIFY(desk.study.runs().find(desk.other) == nullptr);
        QCOMPARE(desk.study.shown(), std::optional(desk.first));
        QCOMPARE(RunsModel::runAt(desk.tree->currentIndex()), std::optional(desk.first));
    }

    void whatSomebodyNotedIsTakenAwayOnRequest()
    {
        Desk desk;
        desk.study.annotate(desk.other, QStringLiteral("mine"));
        const auto answer = [&](
                                QMessageBox::StandardButton button, const std::function<void()>& before = [] {}) {
            desk.panel.activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(&desk.panel));
            desk.tree->setFocus();
            QTimer::singleShot(0, &desk.panel, [button, before] {
                before();
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                QVERIFY(box != nullptr);
                QTest::mouseClick(box->button(button), Qt::LeftButton);
            });
            desk.key(Qt::Key_Delete);
        };
        answer(QMessageBox::Cancel);
        QVERIFY(desk.study.runs().find(desk.other) != nullptr);
        answer(QMessageBox::Yes, [&] { desk.study.restore(desk.study.session(), {}, {}); }); // it is another's now
        QVERIFY(desk.study.runs().find(desk.other) != nullptr);
        answer(QMessageBox::Yes);
        QVERIFY(desk.study.runs().find(desk.other) == nullptr);
    }

    void aRunThatGrowsStays()
    {
        Desk desk;
        desk.study.begin(asking("four"));
        desk.study.replaceTrace(test::sampleTrace(test::shortRun()), true);
        desk.tree->setFocus();
        desk.key(Qt::Key_Delete);
        QCOMPARE(desk.study.runs().runs().size(), std::size_t{4});
        QVERIFY(!desk.tree->findChild<QAction*>(QStringLiteral("removeRunAction"))->isEnabled());
        desk.study.end();
        QVERIFY(desk.tree->findChild<QAction*>(QStringLiteral("removeRunAction"))->isEnabled());
    }

    void whatWentIsSaid()
    {
        Desk desk;
        const auto* said = desk.panel.findChild<QLabel*>(QStringLiteral("droppedRuns"));
        QVERIFY(!said->isVisible());
        for (std::size_t i = 0; i < RunTree::mostRuns; ++i)
            desk.run(asking(std::to_string(i).c_str()));
        QVERIFY(desk.study.dropped() > 0);
        QVERIFY(said->isVisible());
        QVERIFY(said->text().contains(QString::number(desk.study.dropped())));
        QVERIFY(said->text().contains(QString::number(RunTree::mostRuns)));
    }
};

ATTN_GUI_TEST(TestRunsPanel)
#include "tst_runs_panel.moc"
