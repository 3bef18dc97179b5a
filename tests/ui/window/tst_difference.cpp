// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_difference.h"
#include "panels/runs_model.h"
#include "support/test_program.h"
#include "ui/window/window_fixture.h"

#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::ui;

namespace {

// Two sentences were run; the second is on show.
struct ComparedDesk : test::WindowFixture
{
    ComparedDesk()
    {
        open();
        run(QStringLiteral("s4 s6 s7"));
        activate();
        find<QDockWidget>("runsDock")->raise();
        first = window->study().runs().runs().at(0).id;
        second = window->study().runs().runs().at(1).id;
    }

    std::shared_ptr<const ReferenceRun> against() const { return window->heatmap().spec().against; }

    void click(int run, Qt::KeyboardModifiers keys = {}) const
    {
        auto* tree = find<QTreeView>("runsTree");
        const auto& model = static_cast<const RunsModel&>(*tree->model());
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, keys, tree->visualRect(model.indexOf(run)).center());
    }
    void compare(int run) const { click(run, Qt::ControlModifier); }
    void pair(const char* id) const { find<QMenu>("pairingMenu")->findChild<QAction*>(QLatin1String(id))->trigger(); }

    int first = 0;
    int second = 0;
};

} // namespace

// Two runs of the window, one less the other.
class TestDifference : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void controlAndAClickShowsTheDifference()
    {
        ComparedDesk desk;
        QVERIFY(!desk.against());
        auto* button = desk.find<QToolButton>("differenceButton");
        QVERIFY(!button->isVisible());
        const QImage plain = desk.window->heatmap().grab().toImage();
        desk.compare(desk.first);
        QVERIFY(desk.against());
        QCOMPARE(desk.against()->trace.source().size(), desk.study().runs().find(desk.first)->trace.source().size());
        QVERIFY(button->isVisible() && button->isChecked());
        QVERIFY(desk.window->heatmap().grab().toImage() != plain);
        QTest::mouseClick(button, Qt::LeftButton, {}, QPoint(8, button->height() / 2));
        QVERIFY(!desk.against() && !button->isChecked() && button->isVisible());
        QCOMPARE(desk.window->heatmap().grab().toImage(), plain);
        QTest::keyClick(desk.window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(desk.against());
        desk.compare(desk.first); // no more
        QVERIFY(!desk.against() && !button->isVisible());
        QCOMPARE(desk.window->heatmap().grab().toImage(), plain);
    }

    // Without a run to compare with, it is the one that the run on show came from.
    void theKeyComparesWithTheRunBefore()
    {
        ComparedDesk desk;
        desk.click(desk.first);
        QVERIFY(!desk.action("differenceAction")->isEnabled());
        desk.click(desk.second);
        QTest::keyClick(desk.window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(desk.against());
        QCOMPARE(desk.study().against(), std::optional(desk.first));
        QTest::keyClick(desk.window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!desk.against());
    }

    void anotherRunIsComparedWithTheSame()
    {
        ComparedDesk desk;
        desk.compare(desk.second); // with itself: nothing
        QVERIFY(!desk.against() && !desk.find<QToolButton>("differenceButton")->isVisible());
        desk.click(desk.first);
        QVERIFY(desk.against());
        QCOMPARE(desk.study().shown(), std::optional(desk.first));
        desk.click(desk.second);
        QVERIFY(!desk.against());
    }

    void aNewPinIsSeenAtOnce()
    {
        ComparedDesk desk;
        desk.compare(desk.first);
        QTest::keyClick(desk.window.get(), Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!desk.against());
        desk.compare(desk.first);
        desk.compare(desk.first);
        QVERIFY(desk.against());
    }

    void howTheyPairIsChosen()
    {
        ComparedDesk desk;
        desk.showTokens();
        desk.compare(desk.first);
        const auto columns = [&] {
            desk.window->heatmap().grab();
            return desk.window->heatmap().figure()->columns();
        };
        const int byWord = columns();
        desk.pair("position");
        QCOMPARE(desk.window->heatmap().spec().pairing, Pairing::Position);
        const auto most = std::max(desk.against()->trace.source().size(), desk.trace().source().size());
        QCOMPARE(columns(), static_cast<int>(most));
        QVERIFY(byWord >= columns());
    }

    void everyViewShowsIt()
    {
        ComparedDesk desk;
        desk.compare(desk.first);
        const auto [one, other] = comparedNames(desk.window->heatmap().spec(), desk.trace());
        for (const char* id : {"heatmap", "grid", "arcs", "decoding"}) {
            desk.showTab(id);
            FigureView& view = desk.inFront();
            view.grab();
            QTRY_VERIFY(view.figure() != nullptr);
            const QString said = view.figure()->description();
            QVERIFY2(said.contains(one) && said.contains(other), qPrintable(said));
        }
    }

    void outputsAreSeenByEachOthersQuestion()
    {
        ComparedDesk desk;
        desk.compare(desk.first);
        QTRY_VERIFY(desk.against() && !desk.against()->shownUnderIt.tokens.empty());
        QTRY_VERIFY(!desk.against()->itUnderShown.tokens.empty());
        const auto shared = desk.against();
        QCOMPARE(shared->shownUnderIt.tokens.size(), desk.trace().path().size());
        QCOMPARE(shared->itUnderShown.tokens.size(), shared->trace.path().size());
        for (const OutputScore* score : {&shared->shownUnderIt, &shared->itUnderShown})
            QVERIFY(std::ranges::none_of(score->tokens, [](double value) { return std::isnan(value) || value > 0; }));
        desk.click(desk.first); // the other way round: what is known stays known
        desk.compare(desk.second);
        QCOMPARE(desk.against()->shownUnderIt.tokens, shared->itUnderShown.tokens);
    }

    void aRunGoesBeforeTheScores()
    {
        ComparedDesk desk;
        desk.compare(desk.first);
        desk.choose("decode", "beam"); // of the same sentence
        desk.action("runAction")->trigger();
        desk.settle();
        QCOMPARE(desk.study().runs().runs().size(), std::size_t(3));
        QVERIFY(desk.against());
        QTRY_VERIFY(!desk.against()->shownUnderIt.tokens.empty());
    }

    void exportsAreOfTheDifference()
    {
        ComparedDesk desk;
        desk.compare(desk.first);
        desk.pair("position");
        desk.answers->choice = ExportChoice{desk.path(QStringLiteral("figure.csv")), {}};
        desk.action("exportAction")->trigger();
        const QByteArray csv = desk.answers->exported.csv();
        QVERIFY2(csv.contains(",-") && csv.contains(",,"), csv.constData());
    }
};

ATTN_GUI_TEST(TestDifference)

#include "tst_difference.moc"
