// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/run_words.h"
#include "state/study.h"
#include "support/test_program.h"
#include "trace/trace_builder.h"

#include <QSignalSpy>
#include <QTest>

using namespace attn;
using namespace attn::ui;

namespace {

ModelSummary model(ModelKind kind, const char* path = "model")
{
    ModelSummary summary;
    summary.path = QLatin1String(path);
    summary.info.kind = kind;
    return summary;
}

Question questionOf(const char* text)
{
    Question question;
    question.model = "model";
    question.text = text;
    return question;
}

// One token a word.
Encoding words(const std::vector<std::string>& tokens)
{
    Encoding encoding;
    for (const std::string& token : tokens) {
        const std::size_t begin = encoding.text.empty() ? 0 : encoding.text.size() + 1;
        encoding.text += (begin > 0 ? " " : "") + token;
        encoding.ids.push_back(static_cast<TokenId>(encoding.ids.size()));
        encoding.tokens.push_back(token);
        encoding.spans.push_back({begin, begin + token.size()});
        encoding.words.push_back(static_cast<int>(encoding.words.size()));
        encoding.special.push_back(false);
    }
    return encoding;
}

Trace readingOf(const Encoding& source, ModelKind kind = ModelKind::EncoderOnly, int maps = 0)
{
    Provenance provenance;
    provenance.kind = kind;
    provenance.text = source.text;
    TraceBuilder builder(source, nullptr, provenance);
    const int size = static_cast<int>(source.size());
    for (int layer = 0; layer < maps; ++layer)
        builder.stored({{Stage::Encoder, layer}, 0, Numbers::zeros(1, size, size), {}});
    return builder.snapshot();
}

Trace readingOf(const char* word)
{
    return readingOf(words({word}));
}

void runOf(Study& study, const Question& question, Trace trace)
{
    study.begin(question);
    study.replaceTrace(std::move(trace), false);
    study.end();
}

} // namespace

class TestStudy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsEditedIsToldOnce()
    {
        Study study;
        const QSignalSpy changed(&study, &Study::questionChanged);
        study.edit([](Question& question) { question.text = "a cat"; });
        study.edit([](Question& question) { question.text = "a cat"; });
        study.edit([](Question&) {});
        QCOMPARE(changed.count(), 1);
        QCOMPARE(study.edited().text, std::string("a cat"));
    }

    void whatIsAskedIsWhatIsEditedAndCanBeAsked()
    {
        Study study;
        study.edit([](Question& question) {
            question = questionOf("a cat");
            question.model = "being opened";
            question.decoding.generate = 20; // how far a text is continued at once
            question.targetText = ""; // not typed yet
        });
        QCOMPARE(study.question().decoding.generate, 0);
        QCOMPARE(study.question(3).decoding.generate, 3);
        QCOMPARE(study.question().model, std::string("being opened"));
        QVERIFY(!study.question().targetText);
        QVERIFY(study.questionToModel().model.empty()); // nothing can be run
        study.setModel(model(ModelKind::EncoderDecoder, "open"));
        QCOMPARE(study.questionToModel().model, std::string("open"));
        study.setArchive(QStringLiteral("/a.npz"));
        QVERIFY(study.showsArchive() && study.questionToModel().model.empty());
    }

    void theAgeIsThatOfTheResult()
    {
        Study study;
        study.edit([](Question& question) { question = questionOf("a cat"); });
        study.setModel(model(ModelKind::EncoderDecoder));
        QCOMPARE(study.age(), Age::Current); // there is no result
        runOf(study, study.question(), readingOf("a"));
        QCOMPARE(study.age(), Age::Current);
        study.edit([](Question& question) { question.decoding.beamSize = 9; }); // of no beam search
        QCOMPARE(study.age(), Age::Current);
        study.edit([](Question& question) { question.decoding.search = Search::Beam; });
        QCOMPARE(study.age(), Age::OlderThanChoices);
        study.edit([](Question& question) { question.text = "a dog"; });
        QCOMPARE(study.age(), Age::OlderThanText);
        study.begin(study.question()); // on its way
        QCOMPARE(study.age(), Age::Current);
        study.end(); // without a result
        QCOMPARE(study.age(), Age::OlderThanText);
        study.setArchive(QStringLiteral("/a.npz"));
        QCOMPARE(study.age(), Age::Current);
    }

    void aGrowingResultIsOneRun()
    {
        Study study;
        study.begin(questionOf("one"));
        study.replaceTrace(readingOf("one"), true);
        const quint64 before = study.revision();
        study.growTrace(readingOf("one"), true);
        QVERIFY(study.revision() != before && study.running());
        study.end();
        QVERIFY(!study.running());
        QCOMPARE(study.runs().runs().size(), std::size_t{1});
    }

    void aRunThatFailsLeavesWhatIsOnShow()
    {
        Study study;
        study.setModel(model(ModelKind::EncoderOnly));
        runOf(study, questionOf("one"), readingOf("one"));
        study.begin(questionOf("three")); // fails
        QCOMPARE(study.asked()->text, std::string("three"));
        study.end();
        QCOMPARE(study.asked()->text, std::string("one"));
        study.clearTrace();
        QVERIFY(!study.asked() && study.trace().source().size() == 0 && !study.shown());
        QCOMPARE(study.runs().runs().size(), std::size_t{1});
    }

    void onlyWhatWasWrittenOnThisTextIsContinued()
    {
        Study study;
        study.setModel(model(ModelKind::DecoderOnly));
        const Encoding prompt = words({"I", "think"});
        Provenance provenance;
        provenance.kind = ModelKind::DecoderOnly;
        provenance.text = prompt.text;
        TraceBuilder builder(prompt, nullptr, provenance);
        builder.begun(prompt.ids, 0);
        std::optional<StepId> parent;
        for (int index = 0; index < 3; ++index) { // the prompt's second token, and two more
            DecodingStep step;
            step.index = StepId{index};
            step.parent = parent;
            step.token = index + 1;
            builder.stepped(step);
            parent = step.index;
        }
        RunSummary summary;
        Hypothesis best;
        best.step = parent;
        best.ended = true;
        summary.hypotheses = {best};
        builder.finished(summary);
        study.edit([&](Question& question) { question = questionOf(prompt.text.c_str()); });
        runOf(study, study.question(2), builder.snapshot());
        QCOMPARE(study.written(), 2);
        QVERIFY(study.ended());
        study.edit([](Question& question) { question.text += " that"; });
        QCOMPARE(study.written(), 0);
        QVERIFY(!study.ended());
        study.edit([&](Question& question) { question = questionOf(prompt.text.c_str()); });
        QCOMPARE(study.written(), 2);
        study.edit([](Question& question) { question.model = "another"; });
        QCOMPARE(study.written(), 0);
    }

    void aMaskTakesThePlaceOfAWord()
    {
        Study study;
        ModelSummary masking = model(ModelKind::EncoderOnly);
        study.setModel(masking);
        runOf(study, questionOf("The [MASK] sat here"), readingOf(words({"The", "[MASK]", "sat", "here"})));
        QVERIFY(!maskedWord(study, 2)); // this model predicts none
        masking.maskToken = QStringLiteral("[MASK]");
        study.setModel(masking);
        const auto masked = maskedWord(study, 2);
        QVERIFY(masked);
        QCOMPARE(masked->text, std::string("The [MASK] [MASK] here"));
        QCOMPARE(masked->masksBefore, 1);
        QVERIFY(!masked->inSecond);
        for (const int token : {-1, 1, 4}) // none, a mask, beyond the text
            QVERIFY(!maskedWord(study, token));
    }

    void recentModelsAreToldOnce()
    {
        Study study;
        const QSignalSpy changed(&study, &Study::recentChanged);
        study.setRecent({QStringLiteral("/a")});
        study.setRecent({QStringLiteral("/a")});
        QCOMPARE(changed.count(), 1);
    }
};

ATTN_TEST(TestStudy)
#include "tst_study.moc"
