// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/edit_list.h"
#include "support/test_program.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace attn;
using namespace attn::ui;

namespace {

using Texts = std::vector<std::string>;

struct Desk
{
    Study study;
    EditList list{study};
    QAbstractItemModelTester tester{&list, QAbstractItemModelTester::FailureReportingMode::QtTest};
    QSignalSpy asked{&list, &EditList::appliedChanged};

    const Texts& applied() const { return study.edited().edits; }
    Texts all() const
    {
        Texts texts;
        for (const EditList::Entry& entry : list.entries())
            texts.push_back(entry.text);
        return texts;
    }
    void ask(const Texts& edits)
    {
        study.edit([&edits](Question& question) { question.edits = edits; });
    }
};

} // namespace

class TestEditList : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsTickedAndRightApplies()
    {
        Desk desk;
        desk.list.add({"cross=zero", "cross:0:0=sero", "source:1=hide"});
        QCOMPARE(desk.applied(), (Texts{"cross=zero", "source:1=hide"}));
        QVERIFY(!desk.list.entries().at(1).problem.isEmpty());
        desk.list.setOn(0, false);
        QCOMPARE(desk.applied(), (Texts{"source:1=hide"}));
        QCOMPARE(desk.asked.size(), 2);
        desk.list.setOn(1, false); // applied neither before nor now
        QCOMPARE(desk.asked.size(), 2);
        desk.list.setText(1, QStringLiteral("cross:0:0=zero"));
        desk.list.setOn(1, true);
        QCOMPARE(desk.applied(), (Texts{"cross:0:0=zero", "source:1=hide"}));
    }

    void theOrderCounts()
    {
        Desk desk;
        desk.list.add({"cross=zero", "cross=set:1", "cross=scale:2"});
        desk.list.move(0, 2);
        QCOMPARE(desk.applied(), (Texts{"cross=set:1", "cross=scale:2", "cross=zero"}));
        desk.list.move(2, 1);
        QCOMPARE(desk.applied(), (Texts{"cross=set:1", "cross=zero", "cross=scale:2"}));
        QVERIFY(!desk.list.moveRows({}, 0, 1, {}, 1)); // stays where it is
        QVERIFY(!desk.list.moveRows({}, 0, 4, {}, 4));
        QVERIFY(desk.list.moveRows({}, 0, 2, {}, 3));
        QCOMPARE(desk.applied(), (Texts{"cross=scale:2", "cross=set:1", "cross=zero"}));
    }

    void everyChangeIsUndone()
    {
        Desk desk;
        std::vector<EditList::Entries> states{desk.list.entries()};
        const auto did = [&] { states.push_back(desk.list.entries()); };
        desk.list.add({"cross=zero", "bad", "cross=set:1"});
        did();
        desk.list.move(0, 2);
        did();
        desk.list.setOn(0, false);
        did();
        desk.list.setText(0, QStringLiteral("source:0=hide"));
        did();
        desk.list.removeAll({0, 2});
        did();
        desk.list.toggle({"source:3=hide", "source:4=hide"});
        did();
        desk.list.toggle({"source:3=hide", "source:4=hide"});
        did();
        for (auto state = states.rbegin(); state != states.rend(); ++state) {
            QVERIFY(desk.list.entries() == *state);
            QCOMPARE(desk.applied(), desk.list.applied());
            desk.list.history().undo();
        }
        for (const EditList::Entries& state : states) {
            QVERIFY(desk.list.entries() == state);
            desk.list.history().redo();
        }
    }

    void aValueThatSlidesIsOneStep()
    {
        Desk desk;
        desk.list.add({"source:0=hide"});
        std::string last;
        for (const char* value : {"0.1", "0.2", "0.7"}) {
            const std::string next = std::string("cross:0:0:1:2=set:") + value;
            desk.list.slide(1, last, next);
            last = next;
        }
        QCOMPARE(desk.applied(), (Texts{"source:0=hide", "cross:0:0:1:2=set:0.7"}));
        desk.list.history().undo();
        QCOMPARE(desk.applied(), (Texts{"source:0=hide"}));
        desk.list.slide(2, {}, "cross=set:1");
        desk.list.slide(3, "cross=set:1", "cross=set:2");
        desk.list.history().undo();
        QCOMPARE(desk.applied(), (Texts{"source:0=hide", "cross=set:1"}));
    }

    void anotherRunsEditsAreTheTickedOnes()
    {
        Desk desk;
        desk.list.add({"cross=zero", "cross=set:1", "cross=scale:2", "source:1=hide"});
        desk.list.setOn(1, false);
        desk.asked.clear();
        desk.ask({"cross=scale:2", "cross=uniform"});
        QCOMPARE(desk.all(), (Texts{"cross=set:1", "cross=scale:2", "cross=uniform"}));
        QCOMPARE(desk.list.applied(), desk.applied());
        QVERIFY(!desk.list.entries().front().on);
        desk.ask({});
        QCOMPARE(desk.all(), (Texts{"cross=set:1"}));
        QVERIFY(desk.asked.isEmpty()); // nobody changed anything here
    }

    void whatDoesNotFitIsLeftOutUntilItIsTriedAgain()
    {
        Desk desk;
        desk.list.add({"source:9=hide", "cross=zero", "source:9=hide", "source:8=hide"});
        desk.asked.clear();
        desk.list.refuse(desk.applied(), {{2, "there is no 9"}, {3, "there is no 8"}});
        QCOMPARE(desk.applied(), (Texts{"source:9=hide", "cross=zero"}));
        QCOMPARE(desk.list.entries().at(2).problem, QStringLiteral("there is no 9"));
        desk.list.refuse({"another=list"}, {{0, "no"}}); // of a list that is no more
        QCOMPARE(desk.applied().size(), std::size_t{2});
        desk.list.retry();
        QCOMPARE(desk.applied().size(), std::size_t{4});
        QVERIFY(desk.asked.isEmpty());
    }

    void linesAreEdits()
    {
        QCOMPARE(EditList::textsIn(QStringLiteral("  cross=zero \n\n--edit source:1=hide\r\n--edit 'cross=set:1'")),
                 (Texts{"cross=zero", "source:1=hide", "cross=set:1"}));
        Desk desk;
        desk.list.add({"cross=zero", "source:1=hide", "bad"});
        desk.list.setOn(0, false);
        QCOMPARE(EditList::textsIn(desk.list.text(true)), (Texts{"source:1=hide"}));
        QCOMPARE(EditList::textsIn(desk.list.text(false)), desk.all());
    }

    void whatIsKeptComesBack()
    {
        Desk desk;
        desk.list.add({"cross=zero", "bad", "source:1=hide"});
        desk.list.setOn(0, false);
        const QJsonArray kept = desk.list.kept();
        Desk other;
        other.ask(desk.applied());
        other.list.restore(kept);
        QVERIFY(other.list.entries() == desk.list.entries());
        QCOMPARE(other.applied(), desk.applied());
        Desk without; // of a session that another program wrote
        without.ask({"cross=zero"});
        without.list.restore({QJsonValue(3), QJsonObject(), QJsonArray()});
        QCOMPARE(without.all(), (Texts{"cross=zero"}));
    }

    void aThousandEdits()
    {
        Desk desk;
        Texts texts;
        for (int i = 0; i < 1000; ++i)
            texts.push_back("cross:0:0:" + std::to_string(i) + "=zero");
        desk.list.add(texts);
        QCOMPARE(desk.applied(), texts);
        for (int i = 0; i < 100; ++i)
            desk.list.setOn(i * 7, false);
        QCOMPARE(desk.applied().size(), std::size_t{900});
        for (int i = 0; i < 100; ++i)
            desk.list.history().undo();
        QCOMPARE(desk.applied(), texts);
        desk.list.removeAll({999, 0});
        QCOMPARE(desk.applied().size(), std::size_t{998});
    }

    void tenMegabytesOfTextAreOneProblem()
    {
        Desk desk;
        desk.list.add({std::string(10'000'000, 'x')});
        QVERIFY(desk.applied().empty());
        const QString problem = desk.list.index(0).data(EditList::ProblemRole).toString();
        QVERIFY(!problem.isEmpty() && problem.size() < 300 && !problem.contains(QLatin1Char('\n')));
    }
};

ATTN_GUI_TEST(TestEditList)
#include "tst_edit_list.moc"
