// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/forced_output.h"
#include "support/test_program.h"
#include "text/word_pieces.h"
#include "trace/trace.h"
#include "trace/trace_builder.h"

#include <QTest>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

using namespace attn;

namespace {

using Tokens = std::vector<TokenId>;

// Each letter is its token; a blank before a letter belongs to it (its id is 100 more). "~" is read together with what
// stands before it.
class LetterTokenizer final : public Tokenizer
{
public:
    explicit LetterTokenizer(bool ends = false)
        : m_ends(ends)
    {
    }

    Encoding encode(std::string_view text) const override
    {
        Encoding read;
        read.text = text;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool blank = text[i] == ' ' && i + 1 < text.size();
            const std::size_t begin = i;
            i += blank ? 1 : 0;
            TokenId id = text[i] + (blank ? 100 : 0);
            if (i + 1 < text.size() && text[i + 1] == '~') {
                id = 500;
                ++i;
            }
            read.ids.push_back(id);
            read.spans.push_back({begin, i + 1});
            read.tokens.emplace_back(text.substr(begin, i + 1 - begin));
        }
        if (m_ends) {
            read.ids.push_back(1);
            read.spans.push_back({});
            read.tokens.emplace_back("</s>");
        }
        return read;
    }
    Encoding encodePair(std::string_view, std::string_view) const override { return {}; }
    Encoding describe(std::span<const TokenId> ids) const override { return plainEncoding({ids.begin(), ids.end()}); }
    std::string description() const override { return "letters"; }
    NamedTokens namedTokens() const override { return {}; }

private:
    bool m_ends;
};

DecodingStep step(int index, int parent, TokenId token, int position)
{
    DecodingStep made;
    made.index = StepId{index};
    if (parent >= 0)
        made.parent = StepId{parent};
    made.token = token;
    made.position = position;
    return made;
}

// Two outputs that part after the first token: 5 6 7, the best, and 5 8.
Trace translation()
{
    TraceBuilder builder(plainEncoding({9, 9}), nullptr, {});
    builder.stepped(step(0, -1, 5, 0));
    builder.stepped(step(1, 0, 6, 1));
    builder.stepped(step(2, 0, 8, 1));
    builder.stepped(step(3, 1, 7, 2));
    builder.finished({{{StepId{3}}, {StepId{2}}}, 0});
    return builder.snapshot();
}

// "a b c", as far as it is a prompt, goes on with 50 51.
Trace continuation(Encoding prompt)
{
    Provenance provenance;
    provenance.kind = ModelKind::DecoderOnly;
    provenance.text = prompt.text;
    const Tokens ids = prompt.ids;
    TraceBuilder builder(std::move(prompt), nullptr, provenance);
    int index = 0;
    for (std::size_t i = 1; i < ids.size(); ++i, ++index)
        builder.stepped(step(index, index - 1, ids[i], index));
    builder.stepped(step(index, index - 1, 50, index));
    builder.stepped(step(index + 1, index, 51, index + 1));
    builder.finished({{{StepId{index + 1}}}, 0});
    return builder.snapshot();
}

} // namespace

// The question that makes a run go on otherwise.
class TestBranch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anOutputKeepsWhatStandsBefore()
    {
        Question asked;
        asked.text = "text";
        asked.decoding.maxLength = 7;
        const Question first = branched(asked, translation(), {{}, 0, {4}}, nullptr);
        QVERIFY(first.prefixIds == Tokens{4});
        QCOMPARE(first.text, asked.text);
        QCOMPARE(first.decoding, asked.decoding);
        QVERIFY(branched(asked, translation(), {{}, 2, {4, 3}}, nullptr).prefixIds == (Tokens{5, 6, 4, 3}));
        QVERIFY(branched(asked, translation(), {StepId{2}, 1, {4}}, nullptr).prefixIds == (Tokens{5, 4}));
    }

    void whatWasGivenBeforeGoes()
    {
        Question asked;
        asked.targetText = "given";
        asked.prefixText = "begun";
        const Question next = branched(asked, translation(), {{}, 1, {4}}, nullptr);
        QVERIFY(!next.targetText && !next.prefixText && next.prefixIds == (Tokens{5, 4}));
        asked.targetText.reset();
        asked.targetIds = Tokens{5, 6, 7};
        QVERIFY(!branched(asked, translation(), {{}, 1, {4}}, nullptr).targetIds);
    }

    void aContinuationKeepsItsPrompt()
    {
        const LetterTokenizer letters;
        Question asked;
        asked.text = "a b c";
        asked.decoding.generate = 2;
        const Trace trace = continuation(letters.encode(asked.text));
        const Question first = branched(asked, trace, {{}, 2, {4}}, &letters);
        QCOMPARE(first.text, asked.text);
        QVERIFY(first.prefixIds == Tokens{4});
        QCOMPARE(first.decoding.generate, 2);
        const Question last = branched(asked, trace, {{}, 3, {4}}, &letters);
        QVERIFY(last.prefixIds == (Tokens{50, 4}));
        QCOMPARE(last.decoding.generate, 3); // something follows
    }

    void aPromptIsCut()
    {
        const LetterTokenizer letters;
        Question asked;
        asked.text = "a b c";
        asked.decoding.generate = 9;
        const Trace trace = continuation(letters.encode(asked.text));
        const Question first = branched(asked, trace, {{}, 0, {4}}, &letters);
        QCOMPARE(first.text, std::string("a"));
        QVERIFY(first.prefixIds == Tokens{4} && !first.sourceIds);
        QCOMPARE(first.decoding.generate, 9);
        QCOMPARE(branched(asked, trace, {{}, 1, {4}}, &letters).text, std::string("a b"));
    }

    void aTextThatIsReadOtherwiseIsCutAsIds()
    {
        const LetterTokenizer letters;
        Question asked;
        asked.text = "a b~c";
        Encoding read = letters.encode(asked.text);
        read.spans[1].end = 3; // a token that ends before what changed it
        const Question cut = branched(asked, continuation(read), {{}, 1, {4}}, &letters);
        QVERIFY(cut.sourceIds == (Tokens{'a', 500}));
        QCOMPARE(cut.text, std::string("a b"));
        read = letters.encode("a b c");
        read.text = "a \xC3\xA9 c"; // one letter is a part of a character
        const Question torn = branched(asked, continuation(read), {{}, 1, {4}}, &letters);
        QVERIFY(torn.sourceIds == (Tokens{'a', 'b' + 100}));
    }

    void withoutATokenizerIdsAreTyped()
    {
        Question asked;
        asked.text = "5 9, 2";
        const Question typed = branched(asked, continuation(plainEncoding({5, 9, 2})), {{}, 1, {4}}, nullptr);
        QCOMPARE(typed.text, std::string("5 9"));
        QVERIFY(!typed.sourceIds);
        asked.sourceIds = Tokens{5, 9, 2};
        asked.text.clear();
        const Question given = branched(asked, continuation(plainEncoding({5, 9, 2})), {{}, 1, {4}}, nullptr);
        QVERIFY(given.sourceIds == (Tokens{5, 9}));
    }

    void givenTokensAreFoundAgain()
    {
        const LetterTokenizer letters;
        const Trace trace = continuation(letters.encode("a b c"));
        QCOMPARE(givenTokens(trace), (Tokens{'b' + 100, 'c' + 100}));
        QCOMPARE(stepsAlong(trace, givenTokens(trace)).size(), std::size_t{2});
        QCOMPARE(stepsAlong(trace, Tokens{'b' + 100, 'x'}).size(), std::size_t{1});
        QVERIFY(stepsAlong(trace, Tokens{'x'}).empty());
        QCOMPARE(stepsAlong(translation(), Tokens{5, 8}).back()->step.index, StepId{2});
        QVERIFY(givenTokens(translation()).empty());
    }

    void aWordIsWhatItAdds()
    {
        for (const bool ends : {false, true}) {
            const LetterTokenizer letters(ends);
            QCOMPARE(wordPieces(letters, "xy", Joint::Beginning).ids, (Tokens{'x', 'y'}));
            QCOMPARE(wordPieces(letters, "xy", Joint::Blank).ids, (Tokens{'x' + 100, 'y'}));
            QCOMPARE(wordPieces(letters, "xy", Joint::Direct).ids, (Tokens{'x', 'y'}));
            QCOMPARE(wordPieces(letters, "xy", Joint::Blank).tokens, (std::vector<std::string>{" x", "y"}));
            QVERIFY(wordPieces(letters, "", Joint::Beginning).ids.empty());
        }
        QCOMPARE(jointOf("word", true), Joint::Beginning);
        QCOMPARE(jointOf("word", false), Joint::Blank);
        QCOMPARE(jointOf(",", false), Joint::Direct);
        QCOMPARE(jointOf("(", false), Joint::Blank);
    }
};

ATTN_TEST(TestBranch)
#include "tst_branch.moc"
