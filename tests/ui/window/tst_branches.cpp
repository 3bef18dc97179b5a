// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/answer.h"
#include "nn/engine.h"
#include "state/run_words.h"
#include "support/test_program.h"
#include "ui/window/window_fixture.h"
#include "views/number_box.h"

#include <QDir>
#include <QDockWidget>
#include <QTimer>
#include <QTreeView>

#include <cmath>
#include <cstdint>
#include <optional>
#include <set>

using namespace attn;
using namespace attn::ui;
using attn::test::trainedModels;
using attn::test::WindowFixture;
using Tokens = std::vector<TokenId>;

namespace {

// A window on one model, whose runs are gone on from by real events.
class BranchDesk : public WindowFixture
{
public:
    explicit BranchDesk(const QString& model = QStringLiteral("recurrent"),
                        const QString& text = QStringLiteral("s4 s5 s6 s7"))
    {
        show(model, text);
        settle();
    }

    const Run& shown() const { return *study().runs().find(study().shown()); }
    QString name() const { return runName(study().runs(), shown()); }
    CandidatesPanel& panel() const { return *find<CandidatesPanel>("candidatesPanel"); }
    FigureCanvas& bars() const { return *find<FigureCanvas>("candidatesChart"); }
    std::optional<StepId> leaf() const { return window->selection().leaf(); }

    void lookAt(int step) const
    {
        window->selection().setStep(step);
        const TokenId token = study().trace().path(leaf())[static_cast<std::size_t>(step)]->step.token;
        QTRY_VERIFY(std::ranges::any_of(panel().candidates(),
                                        [token](const auto& entry) { return entry.taken && entry.id == token; }));
        waitForBars();
    }
    void waitForBars() const
    {
        QTRY_VERIFY(!panel().findChild<QTimer*>()->isActive());
        bars().grab(); // lays them out
    }

    // The first candidate of the step on show that was not taken and does not end; its line.
    int otherLine() const
    {
        const auto& entries = panel().candidates();
        for (int line = 0; line < static_cast<int>(entries.size()); ++line) {
            const auto& entry = entries[static_cast<std::size_t>(line)];
            if (!entry.taken && !study().model()->info.ends(entry.id))
                return line;
        }
        return -1;
    }

    // Returns the token.
    TokenId clickOther() const
    {
        const int line = otherLine();
        const TokenId token = panel().candidates()[static_cast<std::size_t>(line)].id;
        clickCell(bars(), line, 0);
        return token;
    }

    Tokens tokens(const Trace& trace, std::optional<StepId> of = {}) const
    {
        Tokens ids;
        for (const auto& step : trace.path(of))
            ids.push_back(step->step.token);
        return ids;
    }

    // What the same question gives from its beginning, as the command line asks it.
    void compareWithRunFromScratch() const
    {
        Engine engine;
        const LoadedModel model = loadModel(study().model()->path.toStdString(), engine);
        const Trace fresh = answer(fitted(*shown().question, model), model, engine);
        const Trace& trace = study().trace();
        QCOMPARE(tokens(trace), tokens(fresh));
        QVERIFY(trace.sites() == fresh.sites());
        const Trace::Path here = trace.path();
        const Trace::Path there = fresh.path();
        for (std::size_t i = 0; i < here.size(); ++i)
            QVERIFY(std::abs(here[i]->step.logProbability - there[i]->step.logProbability) < 1e-4);
        for (const Site& site : fresh.sites()) {
            const Numbers left = trace.matrix(site, 0);
            const Numbers right = fresh.matrix(site, 0);
            QCOMPARE(left.rows, right.rows);
            QCOMPARE(left.columns, right.columns);
            for (std::size_t i = 0; i < left.values.size(); ++i)
                QVERIFY(std::abs(left.values[i] - right.values[i]) < 1e-5);
        }
    }
};

} // namespace

// A run is gone on from at any step, with any word.
class TestBranches : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aClickedCandidateIsGoneOnFrom_data()
    {
        QTest::addColumn<QString>("model");
        QTest::newRow("recurrent") << QStringLiteral("recurrent");
        QTest::newRow("transformer") << QStringLiteral("transformer");
    }
    void aClickedCandidateIsGoneOnFrom()
    {
        QFETCH(QString, model);
        const BranchDesk desk(model);
        const int parent = *desk.study().shown();
        const Tokens before = desk.tokens(desk.study().trace());
        QVERIFY(before.size() > 2);
        desk.lookAt(2);
        const TokenId token = desk.clickOther();
        desk.settle();
        QVERIFY(*desk.study().shown() != parent);
        QCOMPARE(desk.shown().parent, std::optional(parent));
        const Tokens after = desk.tokens(desk.study().trace());
        QVERIFY(after[0] == before[0] && after[1] == before[1]);
        QCOMPARE(after[2], token);
        QVERIFY(desk.shown().question->prefixIds == (Tokens{before[0], before[1], token}));
        QCOMPARE(desk.study().age(), Age::Current);
        QCOMPARE(desk.window->selection().step(), std::optional(2));
        QVERIFY2(desk.name().contains(QStringLiteral("“t%1”").arg(token))
                     && desk.name().endsWith(QLatin1String("step 2")),
                 qPrintable(desk.name()));
        desk.compareWithRunFromScratch();
    }

    void enterTakesACandidate()
    {
        const BranchDesk desk;
        desk.lookAt(1);
        desk.bars().setFocus();
        const int line = desk.otherLine();
        const TokenId token = desk.panel().candidates()[static_cast<std::size_t>(line)].id;
        QTest::keyClick(&desk.bars(), Qt::Key_Home); // shows where the keyboard is
        for (int i = 0; i < line; ++i)
            QTest::keyClick(&desk.bars(), Qt::Key_Down);
        QTest::keyClick(&desk.bars(), Qt::Key_Return);
        desk.settle();
        QCOMPARE(desk.tokens(desk.study().trace())[1], token);
    }

    void whatWasTakenOrEndsIsNotTaken()
    {
        const BranchDesk desk;
        const int shown = *desk.study().shown();
        for (int step = 0; step < 2; ++step) {
            desk.lookAt(step);
            const auto entries = desk.panel().candidates();
            for (int line = 0; line < desk.bars().figure()->rows(); ++line) {
                const auto& entry = entries[static_cast<std::size_t>(line)];
                if (entry.taken || desk.study().model()->info.ends(entry.id))
                    desk.clickCell(desk.bars(), line, 0);
            }
        }
        QVERIFY(!desk.window->controller().busy());
        QCOMPARE(desk.study().shown(), std::optional(shown));
    }

    void aTypedWordIsGoneOnFrom()
    {
        const BranchDesk desk;
        desk.lookAt(1);
        const auto* pieces = desk.find<QLabel>("wordPieces");
        auto* word = desk.find<QLineEdit>("anotherWord");
        QVERIFY(!pieces->isVisible());
        QTest::keyClick(desk.window.get(), Qt::Key_B, Qt::ControlModifier);
        QTRY_VERIFY(word->hasFocus());
        const std::size_t runs = desk.study().runs().runs().size();
        QTest::keyClicks(word, QStringLiteral("nothing"));
        QVERIFY(pieces->isVisible());
        const QString refused = pieces->text();
        QTest::keyClick(word, Qt::Key_Return);
        QVERIFY(!desk.window->controller().busy());
        QCOMPARE(word->text(), QStringLiteral("nothing"));
        word->selectAll();
        QTest::keyClicks(word, QStringLiteral("t6 t8"));
        QVERIFY(pieces->isVisible() && pieces->text() != refused);
        QVERIFY(pieces->text().contains(QLatin1String("t6")) && pieces->text().contains(QLatin1String("t8")));
        QTest::keyClick(word, Qt::Key_Return);
        desk.settle();
        QCOMPARE(desk.study().runs().runs().size(), runs + 1);
        const Tokens after = desk.tokens(desk.study().trace());
        QVERIFY(after[1] == 6 && after[2] == 8);
        QVERIFY2(desk.name().contains(QLatin1String("t6 t8")), qPrintable(desk.name()));
        QVERIFY(word->text().isEmpty());
        desk.compareWithRunFromScratch();
    }

    void undoGoesBackToTheRunBefore()
    {
        const BranchDesk desk;
        const int parent = *desk.study().shown();
        QVERIFY(!desk.action("undoAction")->isEnabled());
        desk.lookAt(1);
        desk.clickOther();
        desk.settle();
        const int child = *desk.study().shown();
        desk.bars().setFocus();
        QTest::keyClick(&desk.bars(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(desk.study().shown(), std::optional(parent));
        QVERIFY(!desk.study().edited().prefixIds);
        QTest::keySequence(&desk.bars(), QKeySequence::Redo);
        QCOMPARE(desk.study().shown(), std::optional(child));
        QVERIFY(desk.study().edited().prefixIds);
        // The same candidate again is the same run.
        QTest::keyClick(&desk.bars(), Qt::Key_Z, Qt::ControlModifier);
        desk.lookAt(1);
        desk.clickOther();
        desk.settle();
        QCOMPARE(desk.study().shown(), std::optional(child));
        QCOMPARE(desk.study().runs().runs().size(), std::size_t{2});
    }

    void whatTheOutputBeginsWithIsSaidAndDropped()
    {
        const BranchDesk desk;
        const auto* begins = desk.find<QLineEdit>("beginsWith");
        QVERIFY(!begins->isVisible());
        const Tokens before = desk.tokens(desk.study().trace());
        desk.lookAt(1);
        const TokenId token = desk.clickOther();
        desk.settle();
        QVERIFY(begins->isVisible());
        QCOMPARE(begins->text(), QStringLiteral("t%1 t%2").arg(before[0]).arg(token));
        desk.click("beginFreely");
        QVERIFY(!begins->isVisible());
        QCOMPARE(desk.study().age(), Age::OlderThanChoices);
        desk.click("runButton");
        desk.settle();
        QCOMPARE(desk.tokens(desk.study().trace()), before);
        QCOMPARE(desk.study().runs().runs().size(), std::size_t{2});
    }

    void anotherSentenceBeginsFreely()
    {
        const BranchDesk desk;
        desk.lookAt(1);
        desk.clickOther();
        desk.settle();
        desk.run(QStringLiteral("s9 s8"));
        QVERIFY(!desk.shown().question->prefixIds);
    }

    void theHypothesisOnShowIsGoneOnFrom()
    {
        const BranchDesk desk(QStringLiteral("transformer"));
        desk.choose("decode", "beam");
        QTest::keyClick(desk.find<QWidget>("decode"), Qt::Key_Return);
        desk.settle();
        const auto hypotheses = desk.study().trace().summary()->hypotheses;
        QVERIFY(hypotheses.size() > 1);
        const Tokens best = desk.tokens(desk.study().trace());
        std::optional<StepId> other;
        std::size_t differs = 0;
        for (const Hypothesis& hypothesis : hypotheses) {
            const Tokens found = desk.tokens(desk.study().trace(), hypothesis.step);
            const auto parts = std::ranges::mismatch(best, found);
            differs = static_cast<std::size_t>(parts.in2 - found.begin());
            if (parts.in2 != found.end() && differs + 1 < found.size()) {
                other = hypothesis.step;
                break;
            }
        }
        QVERIFY(other);
        const Tokens found = desk.tokens(desk.study().trace(), other);
        desk.window->selection().setLeaf(other);
        desk.lookAt(static_cast<int>(differs) + 1);
        const TokenId token = desk.clickOther();
        desk.settle();
        Tokens prefix(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(differs) + 1);
        prefix.push_back(token);
        QVERIFY(desk.shown().question->prefixIds == prefix);
        QVERIFY(desk.shown().question->decoding.search == Search::Beam);
        desk.compareWithRunFromScratch();
    }

    void samplesAreDrawnAgain()
    {
        const BranchDesk desk;
        QVERIFY(!desk.action("drawAgainAction")->isEnabled());
        QVERIFY(!desk.find<QWidget>("drawAgain")->isVisible());
        const int root = *desk.study().shown();
        desk.choose("decode", "sample");
        QVERIFY(desk.find<QWidget>("drawAgain")->isVisible());
        QTest::keyClick(desk.find<QWidget>("decode"), Qt::Key_Return);
        desk.settle();
        const int first = *desk.study().shown();
        desk.click("drawAgain");
        desk.settle();
        const int second = *desk.study().shown();
        QVERIFY(second != first);
        QCOMPARE(desk.shown().parent, std::optional(root));
        desk.bars().setFocus();
        QTest::keyClick(&desk.bars(), Qt::Key_D, Qt::ControlModifier);
        desk.settle();
        QVERIFY(*desk.study().shown() != second);
        QCOMPARE(desk.shown().parent, std::optional(root));
        std::set<std::uint64_t> seeds;
        for (const Run& run : desk.study().runs().runs())
            seeds.insert(run.question->decoding.seed);
        QCOMPARE(seeds.size(), std::size_t{3}); // the greedy run has the first one's
        desk.compareWithRunFromScratch();
    }

    void samplingIsForeseen()
    {
        const BranchDesk desk;
        desk.lookAt(1);
        const auto drawn = [&desk] { return desk.panel().candidates().front().drawn; };
        QVERIFY(!drawn());
        const std::size_t runs = desk.study().runs().runs().size();
        desk.choose("decode", "sample");
        auto* most = desk.find<QSpinBox>("top-k");
        most->setFocus();
        QTest::keyClick(most, Qt::Key_Up); // of the best only
        QTRY_VERIFY(drawn());
        QCOMPARE(*drawn(), 1.0);
        QTRY_COMPARE(desk.panel().candidates()[1].drawn, std::optional(0.0));
        QVERIFY(desk.find<QLabel>("drawnNote")->isVisible());
        QTest::keyClick(most, Qt::Key_Up);
        QTRY_VERIFY(*drawn() < 1);
        const auto& two = desk.panel().candidates();
        QTRY_VERIFY(two[1].drawn && *two[1].drawn > 0);
        const double best = std::exp(0.0) * two[0].value / (two[0].value + two[1].value);
        QVERIFY(std::abs(*drawn() - best) < 1e-4);
        desk.lookAt(2); // another step
        QTRY_VERIFY(drawn());
        QCOMPARE(desk.study().runs().runs().size(), runs); // nothing was run
        desk.choose("decode", "greedy");
        QTRY_VERIFY(!drawn());
    }

    void aRunThatGoesOnIsGoneOnFrom()
    {
        const BranchDesk desk;
        desk.find<QSpinBox>("max-length")->setValue(100'000);
        desk.window->open(QStringLiteral("endless"));
        QTRY_VERIFY(desk.study().running() && desk.study().trace().stepCount() > 3);
        const int parent = *desk.study().shown();
        desk.find<QSpinBox>("max-length")->setValue(12);
        const Tokens before = desk.tokens(desk.study().trace());
        Q_EMIT desk.panel().taken(2, {7});
        desk.settle();
        QVERIFY(*desk.study().shown() != parent);
        const Tokens after = desk.tokens(desk.study().trace());
        QCOMPARE(after.size(), std::size_t{12});
        QVERIFY(after[0] == before[0] && after[1] == before[1] && after[2] == 7);
    }

    void aPromptIsCutAtAnyWord()
    {
        const QString model = trainedModels + QStringLiteral("gpt-small-en");
        if (!QDir(model).exists())
            QSKIP("the language model is not in this tree");
        const BranchDesk desk(model, QStringLiteral("Tom went to the garden"));
        const int parent = *desk.study().shown();
        const Tokens prompt = desk.study().trace().source().ids;
        const int step = 2;
        desk.lookAt(step);
        auto* word = desk.find<QLineEdit>("anotherWord");
        word->setFocus();
        QTest::keyClicks(word, QStringLiteral("but"));
        QVERIFY(desk.find<QLabel>("wordPieces")->isVisible());
        QTest::keyClick(word, Qt::Key_Return);
        desk.settle();
        QCOMPARE(desk.shown().parent, std::optional(parent));
        const Tokens read = desk.study().trace().source().ids;
        QCOMPARE(read, Tokens(prompt.begin(), prompt.begin() + step + 1));
        QVERIFY(!desk.shown().question->sourceIds);
        const QString text = desk.find<QLineEdit>("sentence")->text();
        QVERIFY2(!text.isEmpty() && QStringLiteral("Tom went to the garden").startsWith(text), qPrintable(text));
        QVERIFY(desk.study().trace().path().size() > static_cast<std::size_t>(step) + 3); // it went on
        QVERIFY2(desk.name().contains(QStringLiteral("“but”")) && desk.name().endsWith(QLatin1String("step 2")),
                 qPrintable(desk.name()));
        QCOMPARE(desk.study().age(), Age::Current);
        desk.compareWithRunFromScratch();
        // What it wrote is gone on from, too, as far as before.
        const int generated = desk.shown().question->decoding.generate;
        const int child = *desk.study().shown();
        desk.lookAt(step + 3);
        desk.clickOther();
        desk.settle();
        QCOMPARE(desk.shown().parent, std::optional(child));
        QCOMPARE(desk.shown().question->decoding.generate, generated);
        QCOMPARE(desk.study().trace().source().ids, read);
        desk.compareWithRunFromScratch();
    }

    void aModelThatWritesNothingOffersNothing()
    {
        const QString model = trainedModels + QStringLiteral("bert-small-en");
        if (!QDir(model).exists())
            QSKIP("the language model is not in this tree");
        const BranchDesk desk(model, QStringLiteral("The cat sat."));
        desk.window->selection().setStep(2);
        QTRY_VERIFY(!desk.panel().candidates().empty());
        desk.waitForBars();
        QVERIFY(!desk.find<QLineEdit>("anotherWord")->isVisible());
        QVERIFY(!desk.action("anotherWordAction")->isEnabled());
        desk.clickCell(desk.bars(), 1, 0);
        QVERIFY(!desk.window->controller().busy());
    }
};

ATTN_GUI_TEST(TestBranches)
#include "tst_branches.moc"
