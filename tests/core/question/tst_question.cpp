// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "question/question.h"
#include "support/test_program.h"
#include "support/verify_error.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <set>

using namespace attn;

namespace {

// Values of every type, within a row's limits, sometimes at them.
class RandomValues
{
public:
    explicit RandomValues(unsigned seed)
        : m_generator(seed)
    {
    }

    int upTo(int most) { return std::uniform_int_distribution(0, most)(m_generator); }

    void set(const NumberLimits&, bool& value) { value = upTo(1) == 1; }
    void set(const NumberLimits& limits, int& value)
    {
        const double places[] = {limits.least, limits.most, std::min(limits.most, limits.least + upTo(1000))};
        value = static_cast<int>(places[upTo(2)]);
    }
    void set(const NumberLimits&, std::uint64_t& value) { value = upTo(3) == 0 ? ~std::uint64_t{0} : m_generator(); }
    void set(const NumberLimits& limits, double& value)
    {
        value =
            std::uniform_real_distribution(limits.least, upTo(1) == 0 ? limits.most : limits.least + 1)(m_generator);
        value = std::clamp(value, limits.least, limits.most);
    }
    void set(const NumberLimits&, std::string& value)
    {
        static const char* const pieces[] = {"a", " ", "\"", "\\", "\n", "é", "漢", "😀", "\x01", "{", ":", ",", "5"};
        value.clear();
        for (int i = upTo(8); i > 0; --i)
            value += pieces[upTo(static_cast<int>(std::size(pieces)) - 1)];
    }
    void set(const NumberLimits&, std::vector<int>& value)
    {
        value.resize(static_cast<std::size_t>(upTo(5)));
        for (int& id : value)
            id = upTo(100'000);
    }
    void set(const NumberLimits&, std::vector<std::string>& value)
    {
        static const char* const edits[] = {"cross=zero", "source:1=word:a \"b\"", "*:2:0-3,5=scale:0.5", "cross=zero"};
        for (int i = upTo(4); i > 0; --i)
            value.emplace_back(edits[upTo(3)]);
    }
    template<class Value>
    void set(const NumberLimits& limits, std::optional<Value>& value)
    {
        set(limits, value.emplace());
    }

    Question question()
    {
        Question question;
        visitRows(question, [&](const auto& row, auto& owner) {
            if (upTo(2) == 0)
                return; // as it is by default
            visitOption(row, owner, [&](auto& value) {
                if constexpr (requires { value.choices; })
                    value.set(owner, upTo(static_cast<int>(value.choices.size()) - 1));
                else if constexpr (requires { value.text; })
                    value.set(owner, "cross:" + std::to_string(upTo(5)) + ":1:" + std::to_string(upTo(90)) + ":0");
                else
                    set(row.limits, value);
            });
        });
        if (upTo(3) == 0)
            question.others = {{"later", R"({"a":[1,2.5,null]})"}, {"zoom", "3"}};
        return question;
    }

private:
    std::mt19937_64 m_generator;
};

} // namespace

class TestQuestion : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aQuestionIsReadAsItWasWritten()
    {
        std::set<std::string> seen;
        for (unsigned seed = 0; seed < 2000; ++seed) {
            const Question question = RandomValues(seed).question();
            const std::string text = questionText(question);
            const Question read = parseQuestion(text, "question");
            QVERIFY2(read == question, text.c_str());
            QCOMPARE(questionText(read), text);
            seen.insert(text);
        }
        QVERIFY(seen.size() > 1900);
    }

    void unequalQuestionsHaveUnequalTexts()
    {
        std::vector<Question> all{Question{}};
        for (unsigned seed = 0; seed < 60; ++seed)
            all.push_back(RandomValues(seed).question());
        for (const Question& one : all) {
            for (const Question& other : all)
                QCOMPARE(questionText(one) == questionText(other), one == other);
        }
    }

    void theTextIsCanonical()
    {
        QCOMPARE(questionText({}), std::string("{}"));
        const std::string loose = R"( { "top-p" : 0.50, "beam": 4, "decode":"sample", "zoom": [ 1, 2 ],
                                        "text":"\u0061", "seed":18446744073709551615, "target": null } )";
        const std::string expected =
            R"({"decode":"sample","seed":18446744073709551615,"text":"a","top-p":0.5,"zoom":[1,2]})";
        QCOMPARE(questionText(parseQuestion(loose, "question")), expected);
        QCOMPARE(questionText(parseQuestion(expected, "question")), expected);
        const std::string edited = R"({"edit":["cross:0=zero","*=scale:1","cross:0=zero"]})";
        QCOMPARE(questionText(parseQuestion(edited, "question")), edited); // as given, in order
    }

    void anEmptyTextIsNotALeftOutOne()
    {
        Question question;
        question.targetText = "";
        question.sourceIds.emplace();
        const Question read = parseQuestion(questionText(question), "question");
        QVERIFY(read.targetText && read.sourceIds && !read.targetIds);
        QVERIFY(!(read == Question{}));
    }

    void keysAreUnique()
    {
        std::set<std::string> keys;
        Question question;
        visitRows(question, [&](const auto& row, const auto&) { QVERIFY2(keys.insert(row.key).second, row.key); });
        QVERIFY(keys.size() > 20);
    }

    void defaultsAreWithinTheirLimits() { checkDecoding(DecodingOptions()); }

    void whatMakesNoSenseIsNamed_data()
    {
        test::addColumns<QByteArray, QByteArray>("text", "named");
        for (const auto& [text, named] :
             std::vector<std::pair<const char*, const char*>>{{R"({"top-p": 1.5})", "top-p"},
                                                              {R"({"top-p": 0})", "top-p"},
                                                              {R"({"top-p": "0.5"})", "top-p"},
                                                              {R"({"temperature": 0})", "temperature"},
                                                              {R"({"temperature": -1})", "temperature"},
                                                              {R"({"beam": 257})", "beam"},
                                                              {R"({"beam": 2.5})", "beam"},
                                                              {R"({"beam": true})", "beam"},
                                                              {R"({"decode": "best"})", "greedy"},
                                                              {R"({"decode": 1})", "decode"},
                                                              {R"({"seed": -1})", "seed"},
                                                              {R"({"text": 5})", "text"},
                                                              {R"({"source-ids": [1, -2]})", "source-ids"},
                                                              {R"({"source-ids": ["a"]})", "source-ids"},
                                                              {R"({"source-ids": 5})", "source-ids"},
                                                              {R"({"hidden": 1})", "hidden"},
                                                              {R"({"precision": "f16"})", "bf16"},
                                                              {R"({"inside": "cross:1"})", "HYPOTHESIS"},
                                                              {R"({"inside": "side:0:0:0:0"})", "inside"},
                                                              {R"({"edit": "cross=zero"})", "a list"},
                                                              {R"({"edit": [5]})", "a list"},
                                                              {R"({"edit": ["cross=zero", "cross=blank"]})", "blank"},
                                                              {R"([1])", "a file"},
                                                              {R"({"text": )", "a file"}})
            QTest::newRow(text) << QByteArray(text) << QByteArray(named);
    }
    void whatMakesNoSenseIsNamed()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, named);
        test::verifyError({named.toStdString(), "a file"}, [&] { (void)parseQuestion(text.toStdString(), "a file"); });
    }

    void whatMakesNoSenseCanBeLeftOut()
    {
        std::vector<std::string> refused;
        const Question read = parseQuestion(R"({"beam": "many", "text": "kept", "top-k": 7, "seed": null, "top-p": 2})",
                                            "settings", &refused);
        QCOMPARE(refused.size(), std::size_t{2});
        QCOMPARE(read.text, std::string("kept"));
        QCOMPARE(read.decoding.topK, 7);
        QCOMPARE(read.decoding.beamSize, DecodingOptions().beamSize);
    }
};

ATTN_TEST(TestQuestion)

#include "tst_question.moc"
