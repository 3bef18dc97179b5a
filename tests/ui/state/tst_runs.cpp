// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/run_words.h"
#include "state/study.h"
#include "support/test_program.h"
#include "trace/trace_builder.h"

#include <QSignalSpy>
#include <QTest>

#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

using namespace attn;
using namespace attn::ui;

namespace {

ModelSummary model(const char* name, ModelKind kind = ModelKind::EncoderDecoder)
{
    ModelSummary summary;
    summary.name = QLatin1String(name);
    summary.path = QLatin1String(name);
    summary.info.kind = kind;
    return summary;
}

Question asking(const char* text, const char* model = "model")
{
    Question question;
    question.model = model;
    question.text = text;
    return question;
}

Question withBeam(Question question, int size)
{
    question.decoding.search = Search::Beam;
    question.decoding.beamSize = size;
    return question;
}

// Reads one word, and has come to its end or not.
Trace reading(const char* word, bool finished = true)
{
    Encoding source;
    source.ids = {1};
    source.tokens = {word};
    source.text = word;
    Provenance provenance;
    provenance.text = word;
    TraceBuilder builder(source, nullptr, provenance);
    if (finished)
        builder.finished({});
    return builder.snapshot();
}

// As long as a long text, without the numbers.
Trace large()
{
    Encoding source;
    source.ids.assign(9000, 1);
    TraceBuilder builder(source, nullptr, {});
    builder.stored({{Stage::Encoder, 0}, 0, Numbers::zeros(1, 1, 1), {}});
    builder.finished({});
    return builder.snapshot();
}

// A search that kept many hypotheses of one token.
Trace wide()
{
    Encoding source;
    source.ids.assign(10, 1);
    TraceBuilder builder(source, nullptr, {});
    builder.stored({{Stage::Cross, 0}, 0, Numbers::zeros(64, 1, 10), {}});
    RunSummary summary;
    for (int i = 0; i < 2000; ++i) {
        DecodingStep step;
        step.index = StepId{i};
        builder.stepped(step);
        summary.hypotheses.push_back({step.index, 0, 0, true});
    }
    builder.finished(summary);
    return builder.snapshot();
}

// An output of an encoder-decoder model, or a continued prompt, the first tokens of which were given.
Trace producing(const std::vector<TokenId>& output, std::vector<TokenId> prefix = {},
                const std::optional<std::vector<TokenId>>& prompt = {})
{
    Provenance provenance;
    provenance.kind = prompt ? ModelKind::DecoderOnly : ModelKind::EncoderDecoder;
    provenance.prefixIds = std::move(prefix);
    TraceBuilder builder(plainEncoding(prompt.value_or(std::vector<TokenId>{1})), nullptr, provenance);
    std::vector<TokenId> steps =
        prompt ? std::vector<TokenId>(prompt->begin() + 1, prompt->end()) : std::vector<TokenId>();
    steps.insert(steps.end(), output.begin(), output.end());
    for (int i = 0; i < static_cast<int>(steps.size()); ++i) {
        DecodingStep step;
        step.index = StepId{i};
        step.parent = i > 0 ? std::optional(StepId{i - 1}) : std::nullopt;
        step.position = i;
        step.token = steps[static_cast<std::size_t>(i)];
        builder.stepped(step);
    }
    const auto last = steps.empty() ? std::nullopt : std::optional(StepId{static_cast<int>(steps.size()) - 1});
    builder.finished({{{last}}, 0});
    return builder.snapshot();
}

Question beginning(Question question, std::vector<TokenId> prefix)
{
    question.prefixIds = std::move(prefix);
    return question;
}

int run(Study& study, const Question& question, const Trace& trace)
{
    study.begin(question);
    study.replaceTrace(trace, false);
    study.end();
    return *study.shown();
}

int run(Study& study, const Question& question)
{
    return run(study, question, reading(question.text.c_str()));
}

QString nameOf(const Study& study, int id)
{
    return runName(study.runs(), *study.runs().find(id));
}

std::optional<int> parentOf(const Study& study, int id)
{
    return study.runs().find(id)->parent;
}

} // namespace

class TestRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachRunComesFromTheOneItDiffersFromLeast()
    {
        Study study;
        study.setModel(model("model"));
        const int first = run(study, asking("one"));
        const int other = run(study, asking("two"));
        const int third = run(study, asking("three")); // as far from the first
        const int beam = run(study, withBeam(asking("three"), 8));
        const int wider = run(study, withBeam(asking("three"), 16));
        QCOMPARE(parentOf(study, first), std::nullopt);
        QCOMPARE(parentOf(study, other), std::optional(first));
        QCOMPARE(parentOf(study, third), std::optional(first));
        QCOMPARE(parentOf(study, beam), std::optional(third));
        QCOMPARE(parentOf(study, wider), std::optional(beam));
        QVERIFY(nameOf(study, third).contains(QLatin1String("three")));
        QVERIFY(nameOf(study, beam).contains(QLatin1Char('8'))
                && !nameOf(study, beam).contains(QLatin1String("three")));
    }

    void theSameQuestionIsTheSameRun()
    {
        Study study;
        study.setModel(model("model"));
        const int first = run(study, asking("one"));
        run(study, withBeam(asking("one"), 8));
        Question again = asking("one");
        again.decoding.beamSize = 5; // of no beam search
        QCOMPARE(run(study, again), first);
        QCOMPARE(study.runs().runs().size(), std::size_t{2});
    }

    void whatIsCutShortGivesItsPlaceBack()
    {
        Study study;
        study.setModel(model("model"));
        const int first = run(study, asking("one"), reading("whole"));
        study.begin(asking("one"));
        study.replaceTrace(reading("part", false), true);
        QCOMPARE(study.trace().source().text, std::string("part"));
        study.end(); // cancelled
        QCOMPARE(study.trace().source().text, std::string("whole"));
        QCOMPARE(study.shown(), std::optional(first));
    }

    void aTextThatGoesOnIsOneRun()
    {
        Study study;
        study.setModel(model("model", ModelKind::DecoderOnly));
        Question question = asking("I");
        question.decoding.generate = 1;
        const int first = run(study, question);
        question.decoding.generate = 2;
        QCOMPARE(run(study, question), first);
        question = withBeam(question, 2);
        const int beam = run(study, question);
        question.decoding.generate = 3; // another search from the start
        QVERIFY(run(study, question) != beam);
    }

    void aBranchComesFromTheRunThatItGoesOnFrom()
    {
        Study study;
        study.setModel(model("model"));
        const Question plain = asking("one");
        const int root = run(study, plain, producing({5, 6, 7}));
        const int child = run(study, beginning(plain, {5, 8}), producing({5, 8, 9}, {5, 8}));
        QCOMPARE(parentOf(study, child), std::optional(root));
        QCOMPARE(nameOf(study, child), QStringLiteral("took “<8>” at step 1"));
        // What the child has taken is not taken again; what it shares with its parent is that one's.
        const int below = run(study, beginning(plain, {5, 8, 4}), producing({5, 8, 4}, {5, 8, 4}));
        QCOMPARE(parentOf(study, below), std::optional(child));
        QCOMPARE(nameOf(study, below), QStringLiteral("took “<4>” at step 2"));
        const int beside = run(study, beginning(plain, {4}), producing({4, 4}, {4}));
        QCOMPARE(parentOf(study, beside), std::optional(root));
        // The same again is the same run, wherever it is asked.
        study.show(root);
        QCOMPARE(run(study, beginning(plain, {5, 8}), producing({5, 8, 9}, {5, 8})), child);
        QCOMPARE(study.runs().runs().size(), std::size_t{4});
        study.show(child);
        const int free = run(study, plain, producing({5, 6, 7}));
        QCOMPARE(free, root);
    }

    void aCutPromptIsABranch()
    {
        Study study;
        study.setModel(model("model", ModelKind::DecoderOnly));
        Question question = asking("a b c");
        const int read = run(study, question, producing({}, {}, {{1, 2, 3}}));
        question.text = "a b";
        question.decoding.generate = 20;
        const int cut = run(study, beginning(question, {9}), producing({9, 4}, {9}, {{1, 2}}));
        QCOMPARE(parentOf(study, cut), std::optional(read));
        QCOMPARE(nameOf(study, cut), QStringLiteral("took “<9>” at step 1"));
        const int other = run(study, beginning(question, {9, 8}), producing({9, 8}, {9, 8}, {{1, 2}}));
        QCOMPARE(parentOf(study, other), std::optional(cut));
        QCOMPARE(nameOf(study, other), QStringLiteral("took “<8>” at step 2"));
    }

    void whatIsDrawnAgainStandsBeside()
    {
        Study study;
        study.setModel(model("model"));
        const int root = run(study, asking("one"));
        Question drawn = asking("one");
        drawn.decoding.search = Search::Sampling;
        const int first = run(study, drawn);
        drawn.decoding.seed = 1;
        const int second = run(study, drawn);
        QCOMPARE(parentOf(study, first), std::optional(root));
        QCOMPARE(parentOf(study, second), std::optional(root));
        Study other;
        other.setModel(model("model"));
        drawn.decoding.seed = 0;
        const int begun = run(other, drawn);
        drawn.decoding.seed = 1;
        const int child = run(other, drawn);
        QCOMPARE(parentOf(other, child), std::optional(begun)); // there is nothing to stand below
        drawn.decoding.seed = 2;
        QCOMPARE(parentOf(other, run(other, drawn)), std::optional(begun));
    }

    void whatWasOnShowComesBack()
    {
        Study study;
        study.setModel(model("model"));
        QVERIFY(!study.earlier() && !study.later());
        const int first = run(study, asking("one"));
        const int second = run(study, asking("two"));
        const int third = run(study, asking("three"));
        study.showEarlier();
        QCOMPARE(study.shown(), std::optional(second));
        QCOMPARE(study.edited().text, std::string("two"));
        study.showEarlier();
        QCOMPARE(study.shown(), std::optional(first));
        QVERIFY(!study.earlier());
        study.showLater();
        study.remove(second); // goes to its parent
        QCOMPARE(study.shown(), std::optional(first));
        study.show(third);
        QVERIFY(!study.later());
        study.showEarlier();
        QCOMPARE(study.shown(), std::optional(first));
        study.showLater();
        QCOMPARE(study.shown(), std::optional(third));
    }

    void anotherTextBeginsFreely()
    {
        Study study;
        Question question = beginning(asking("one"), {5});
        question.sourceIds = std::vector<TokenId>{1, 2};
        study.setEdited(question);
        study.edit([](Question& edited) { edited.decoding.beamSize = 7; });
        QVERIFY(study.edited().prefixIds && study.edited().sourceIds);
        study.edit([](Question& edited) { edited.targetLanguage = "fr"; });
        QVERIFY(!study.edited().prefixIds && study.edited().sourceIds);
        study.setEdited(question);
        study.edit([](Question& edited) { edited.text = "two"; });
        QVERIFY(!study.edited().prefixIds && !study.edited().sourceIds);
    }

    void aRunIsShownWithoutRunning()
    {
        Study study;
        study.setModel(model("first"));
        const int first = run(study, asking("one", "first"));
        study.setModel(model("second"));
        const int second = run(study, withBeam(asking("two", "second"), 8));
        const QSignalSpy replaced(&study, &Study::traceReplaced);
        const QSignalSpy opened(&study, &Study::modelChanged);
        const QSignalSpy began(&study, &Study::runBegan);
        study.show(first);
        QCOMPARE(study.trace().source().text, std::string("one"));
        QCOMPARE(study.model()->name, QStringLiteral("first"));
        QCOMPARE(study.edited().text, std::string("one"));
        QCOMPARE(study.edited().model, std::string("first"));
        QVERIFY(study.edited().decoding.search == Search::Greedy);
        QCOMPARE(study.age(), Age::Current);
        QCOMPARE(replaced.count(), 1);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(began.count(), 0);
        study.show(first);
        study.show(99);
        QCOMPARE(replaced.count(), 1);
        QVERIFY(nameOf(study, second).contains(QLatin1String("second")));
    }

    void anotherRunIsShownWhileOneGrows()
    {
        Study study;
        study.setModel(model("model"));
        const int first = run(study, asking("one"));
        study.begin(asking("two"));
        study.replaceTrace(reading("two", false), true);
        const int second = *study.shown();
        study.show(first);
        QVERIFY(!study.running());
        study.growTrace(reading("two, more", false), true);
        QCOMPARE(study.trace().source().text, std::string("one"));
        study.remove(second); // it grows
        QVERIFY(study.runs().find(second) != nullptr);
        study.show(second);
        QVERIFY(study.running());
        QCOMPARE(study.trace().source().text, std::string("two, more"));
        study.show(first);
        study.growTrace(reading("two, all"), false);
        study.end();
        QCOMPARE(study.trace().source().text, std::string("one"));
        QCOMPARE(study.runs().find(second)->trace.source().text, std::string("two, all"));
    }

    void namesAndNotesAreOnesOwn()
    {
        Study study;
        study.setModel(model("model"));
        const int first = run(study, asking("one"));
        const QString plain = nameOf(study, first);
        const QSignalSpy changed(&study, &Study::runsChanged);
        study.rename(first, plain); // as it is called anyhow
        study.annotate(first, QString());
        QCOMPARE(changed.count(), 0);
        study.rename(first, QStringLiteral("  the plain one "));
        study.annotate(first, QStringLiteral("why?"));
        QCOMPARE(changed.count(), 2);
        QCOMPARE(nameOf(study, first), QStringLiteral("the plain one"));
        QCOMPARE(study.runs().find(first)->note, std::string("why?"));
        study.rename(first, QString());
        QCOMPARE(nameOf(study, first), plain);
    }

    void whatComesFromARunThatGoesComesFromItsParent()
    {
        Study study;
        study.setModel(model("model"));
        const int first = run(study, asking("one"));
        const int beam = run(study, withBeam(asking("one"), 8));
        Question other = withBeam(asking("one"), 8);
        other.precision = Precision::BF16;
        const int below = run(study, other);
        QCOMPARE(parentOf(study, below), std::optional(beam));
        study.compareAgainst(beam);
        study.remove(beam);
        QCOMPARE(parentOf(study, below), std::optional(first));
        QVERIFY(nameOf(study, below).contains(QLatin1Char('8')));
        QVERIFY(!study.against());
        QCOMPARE(study.shown(), std::optional(below));
        study.remove(below);
        QCOMPARE(study.shown(), std::optional(first));
        study.remove(first);
        QVERIFY(!study.shown() && study.trace().source().size() == 0);
    }

    void whatIsComparedIsOneOfTheRuns()
    {
        Study study;
        const int first = run(study, asking("one"));
        const QSignalSpy changed(&study, &Study::shownRunChanged);
        study.compareAgainst(first);
        study.compareAgainst(first);
        study.compareAgainst(99);
        QCOMPARE(study.against(), std::optional(first));
        study.compareAgainst({});
        QCOMPARE(changed.count(), 2);
    }

    void theOldestGoWhenThereAreTooMany()
    {
        Study study;
        const int named = run(study, asking("named"));
        study.rename(named, QStringLiteral("mine"));
        const auto another = [](int number) { // of one sentence: what is compared ends with it
            Question question = asking("compared");
            question.decoding.maxLength = 1 + number;
            return question;
        };
        const int compared = run(study, another(0));
        study.compareAgainst(compared);
        const auto most = static_cast<int>(RunTree::mostRuns);
        const int oldest = run(study, another(most));
        for (int i = 2; i < most; ++i)
            run(study, another(i));
        QCOMPARE(study.dropped(), 0);
        run(study, another(1));
        QCOMPARE(study.against(), std::optional(compared));
        QCOMPARE(study.dropped(), 1);
        QCOMPARE(study.runs().runs().size(), RunTree::mostRuns + 1); // a named one does not count
        QVERIFY(study.runs().find(oldest) == nullptr);
        QVERIFY(study.runs().find(named) != nullptr && study.runs().find(compared) != nullptr);
    }

    void largeRunsGoSooner()
    {
        Study study;
        const int first = run(study, asking("one"), large());
        QCOMPARE(study.dropped(), 0); // it is on show
        run(study, asking("two"));
        QCOMPARE(study.dropped(), 1);
        QVERIFY(study.runs().find(first) == nullptr);
    }

    void aWideSearchTakesNoOtherRunAway()
    {
        Study study;
        run(study, asking("one"));
        run(study, withBeam(asking("one"), 64), wide());
        run(study, asking("two"));
        QCOMPARE(study.dropped(), 0);
        QCOMPARE(study.runs().runs().size(), std::size_t{3});
    }

    void whatIsNamedNotedOrReadStays()
    {
        RunTree tree;
        std::vector<Run> runs(3 * RunTree::mostRuns);
        for (std::size_t i = 0; i < runs.size(); ++i) {
            runs[i].id = static_cast<int>(i) + 1;
            runs[i].change = i % 3 == 0 ? "name" : "";
            runs[i].note = i % 3 == 1 ? "note" : "";
            if (i % 3 == 2)
                runs[i].archive = std::make_shared<const std::vector<std::byte>>();
        }
        tree.replace(runs);
        QCOMPARE(tree.removeOldest({}, {}), 0);
        QCOMPARE(tree.runs().size(), runs.size());
    }

    void aRunAfterTheLargestNumberHasAFreeOne()
    {
        RunTree tree;
        std::vector<Run> runs(2);
        runs[0].id = 1;
        runs[1].id = std::numeric_limits<int>::max();
        tree.replace(runs);
        QCOMPARE(tree.add({}), 2);
        QVERIFY(tree.find(2) != nullptr);
    }

    void anArchiveIsARunOfItsOwn()
    {
        Study study;
        study.setModel(model("model"));
        const int first = run(study, asking("one"));
        study.begin({});
        study.setArchive(QStringLiteral("/a/b.npz"));
        study.replaceTrace(reading("stored"), false);
        study.end();
        const int stored = *study.shown();
        QCOMPARE(parentOf(study, stored), std::nullopt);
        QCOMPARE(nameOf(study, stored), QStringLiteral("b.npz"));
        study.show(first);
        QVERIFY(!study.showsArchive());
        study.show(stored);
        QVERIFY(study.showsArchive());
        QCOMPARE(study.opened(), QStringLiteral("/a/b.npz"));
    }

    void aSessionHoldsAllOfIt()
    {
        Study study;
        study.setModel(model("model"));
        const int first = run(study, asking("one"));
        const int beam = run(study, withBeam(asking("one"), 8));
        study.annotate(beam, QStringLiteral("wider"));
        study.show(first);
        study.compareAgainst(beam);
        QVERIFY(study.unsaved());
        Session session = study.session();
        QCOMPARE(session.model.path, std::string("model"));
        QCOMPARE(session.shown.run, std::optional(first));
        QVERIFY(!findRun(session, beam)->change.empty());
        session.others = {{"later", "1"}};

        Study other;
        other.setModel(model("another"));
        run(other, asking("gone"));
        other.restore(session, QStringLiteral("/x.attnscope"), QStringLiteral("/x.attnscope"));
        QCOMPARE(other.file(), QStringLiteral("/x.attnscope"));
        QVERIFY(!other.unsaved());
        QVERIFY(!other.model() && other.showsArchive()); // until it is there
        QCOMPARE(other.shown(), std::optional(first));
        QCOMPARE(other.against(), std::optional(beam));
        QCOMPARE(other.trace().source().text, std::string("one"));
        QCOMPARE(other.runs().runs().size(), std::size_t{2});
        QCOMPARE(parentOf(other, beam), std::optional(first));
        other.setModelOfRuns(model("model"));
        QVERIFY(!other.unsaved());
        QCOMPARE(other.model()->name, QStringLiteral("model"));
        QCOMPARE(other.edited().text, std::string("one"));
        other.annotate(first, QStringLiteral("!"));
        QVERIFY(other.unsaved());
        QCOMPARE(other.session().others, session.others);
        other.setSaved(QStringLiteral("/y.attnscope"), other.changes());
        QVERIFY(!other.unsaved());
        QCOMPARE(run(other, asking("new")), beam + 1);
    }

    void anEmptySessionShowsNothing()
    {
        Study study;
        study.setModel(model("model"));
        run(study, asking("one"));
        study.restore({}, QStringLiteral("/x.attnscope"), QStringLiteral("/x.attnscope"));
        QVERIFY(!study.shown() && study.trace().source().size() == 0 && study.runs().runs().empty());
    }

    void differencesAreSaidInWords_data()
    {
        QTest::addColumn<QString>("after"); // a question's text form
        QTest::addColumn<QString>("words");
        const auto row = [](const char* name, const char* after, const char* words) {
            QTest::newRow(name) << QString::fromUtf8(after) << QString::fromUtf8(words);
        };
        row("beam", R"({"decode":"beam","beam":8})", "beam 8");
        row("usual beam", R"({"decode":"beam"})", "beam 4");
        row("sampling", R"({"decode":"sample","seed":7})", "sampling, seed 7");
        row("precision", R"({"precision":"bf16"})", "bf16");
        row("text", R"({"text":"a dog\nsat"})", "other sentence: a dog sat");
        row("output", R"({"target":"un chien"})", "output given: un chien");
        row("nothing", "{}", "asked again");
    }

    void differencesAreSaidInWords()
    {
        QFETCH(QString, after);
        QFETCH(QString, words);
        Run run;
        run.question = parseQuestion(after.toStdString(), "test");
        QCOMPARE(differenceText(attn::difference(Question(), *run.question), run), words);
    }

    void aSentenceThatIsGoneIsSaid()
    {
        Run run;
        run.question = Question();
        Question before;
        before.text = "a dog";
        QCOMPARE(differenceText(attn::difference(before, *run.question), run), QStringLiteral("no sentence"));
    }
};

ATTN_TEST(TestRuns)
#include "tst_runs.moc"
