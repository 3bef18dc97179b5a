// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "edits/edit.h"
#include "edits/edit_check.h"
#include "support/test_program.h"

#include <QTest>

#include <array>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace attn;

namespace {

// Two layers of three heads read seven tokens, one layer of four heads writes; what it writes still grows.
EditExtent growing()
{
    return {{{{Stage::Encoder, 0}, 3, 7, 7, true},
             {{Stage::Encoder, 1}, 3, 7, 7, true},
             {{Stage::Decoder, 0}, 4, {}, {}, false},
             {{Stage::Cross, 0}, 4, {}, 7, true}},
            7,
            100};
}

// The output is five tokens that are given.
EditExtent forced()
{
    EditExtent extent = growing();
    extent.maps[2].rows = extent.maps[2].columns = extent.maps[3].rows = 5;
    return extent;
}

// Sixty words in three sentences.
EditExtent hierarchical()
{
    return {{{{Stage::Encoder, 0}, 1, 3, 60, true}, {{Stage::Encoder, 1}, 1, 1, 3, false}}, 60, 100};
}

// What is wrong with a text; empty when nothing is.
QByteArray problemOf(std::string_view spec, const std::optional<EditExtent>& extent = {})
{
    try {
        const Edit edit = parseEdit(spec);
        if (extent)
            checkEdit(edit, spec, *extent);
    } catch (const EditError& error) {
        return error.what();
    }
    return {};
}

class RandomEdits
{
public:
    explicit RandomEdits(unsigned seed)
        : m_generator(seed)
    {
    }

    Edit edit()
    {
        if (upTo(4) == 0) {
            static const char* const words[] = {"a", "été", "x=y:z", "New York", "=", "'"};
            const auto change = static_cast<SourceChange>(upTo(2));
            return SourceEdit{upTo(99), change, change == SourceChange::Token ? upTo(9999) : 0,
                              change == SourceChange::Word ? words[upTo(5)] : ""};
        }
        AttentionEdit edit{upTo(3) == 0 ? std::nullopt : std::optional(static_cast<Stage>(upTo(2))),
                           set(),
                           set(),
                           set(),
                           set(),
                           static_cast<AttentionChange>(upTo(5))};
        if (edit.change == AttentionChange::Set || edit.change == AttentionChange::Scale)
            edit.value = std::uniform_real_distribution(-10.0F, 10.0F)(m_generator);
        return edit;
    }

private:
    int upTo(int most) { return std::uniform_int_distribution(0, most)(m_generator); }

    IndexSet set()
    {
        std::vector<IndexRange> ranges;
        for (int i = upTo(3); i > 0; --i) {
            const int first = upTo(20);
            ranges.push_back({first, first + upTo(5)});
        }
        return ranges.empty() ? IndexSet() : IndexSet(ranges);
    }

    std::mt19937 m_generator;
};

} // namespace

class TestEdit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anEditIsWhatItSays()
    {
        const auto edit = std::get<AttentionEdit>(parseEdit("cross:0,3,7-9:*:2-5=scale:-0.5"));
        QVERIFY(edit.stage == Stage::Cross);
        QVERIFY((edit.layers == IndexSet({{0, 0}, {3, 3}, {7, 9}})));
        QVERIFY(edit.heads.isAll() && edit.columns.isAll());
        QVERIFY((edit.rows == IndexSet({{2, 5}})));
        QVERIFY(edit.change == AttentionChange::Scale);
        QCOMPARE(edit.value, -0.5F);
        QVERIFY(!std::get<AttentionEdit>(parseEdit("*=hide")).stage);
        QVERIFY((std::get<SourceEdit>(parseEdit("source:4=token:17")) == SourceEdit{4, SourceChange::Token, 17, ""}));
        QVERIFY((std::get<SourceEdit>(parseEdit("source:0=hide")) == SourceEdit{0, SourceChange::Hide, 0, ""}));
        // The first "=" cuts; what a word may hold is the tokenizer's matter.
        QVERIFY((std::get<SourceEdit>(parseEdit("source:1=word:A=b: c"))
                 == SourceEdit{1, SourceChange::Word, 0, "A=b: c"}));
    }

    void theCanonicalTextSaysTheSame_data()
    {
        test::addColumns<QByteArray, QByteArray>("text", "canonical");
        for (const auto& [text, canonical] : std::vector<std::pair<const char*, const char*>>{
                 {"encoder=hide", "encoder=hide"},
                 {"encoder:*:*:*:*=zero", "encoder=zero"},
                 {"decoder:1:*:2:*=uniform", "decoder:1:*:2=uniform"},
                 {"*:3,1,2,2=renormalize", "*:1-3=renormalize"},
                 {"cross:0:7-9,0,8-12:007=set:0.50", "cross:0:0,7-12:7=set:0.5"},
                 {"cross=scale:1e3", "cross=scale:1000"},
                 {"cross=set:-2", "cross=set:-2"},
                 {"cross=set:3.4028235e38", "cross=set:3.4028235e+38"},
                 {"cross=set:1e-400", "cross=set:0"},
                 {"source:012=token:05", "source:12=token:5"},
                 {"source:1=word:Haus", "source:1=word:Haus"},
                 {"source:1=hide", "source:1=hide"}})
            QTest::newRow(text) << QByteArray(text) << QByteArray(canonical);
    }
    void theCanonicalTextSaysTheSame()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, canonical);
        const Edit edit = parseEdit(text.toStdString());
        QCOMPARE(QByteArray::fromStdString(editText(edit)), canonical);
        QVERIFY(parseEdit(canonical.toStdString()) == edit);
    }

    void anyEditIsReadAsItIsWritten()
    {
        for (unsigned seed = 0; seed < 3000; ++seed) {
            const Edit edit = RandomEdits(seed).edit();
            const std::string text = editText(edit);
            QVERIFY2(parseEdit(text) == edit, text.c_str());
            QCOMPARE(editText(parseEdit(text)), text);
        }
    }

    // Each with what of it the error names.
    void whatIsNoEditIsNamed_data()
    {
        test::addColumns<QByteArray, QByteArray>("text", "named");
        for (const auto& [text, named] :
             std::vector<std::pair<const char*, const char*>>{{"", "'='"},
                                                              {"encoder", "'='"},
                                                              {"encoder:zero", "'='"},
                                                              {"=zero", "before"},
                                                              {"encoder=", "behind"},
                                                              {":0=zero", "stage"},
                                                              {"side=zero", "'side'"},
                                                              {"Encoder=zero", "'Encoder'"},
                                                              {"encoder,cross=zero", "'encoder,cross'"},
                                                              {" encoder=zero", "' encoder'"},
                                                              {"encoder:=zero", "layer"},
                                                              {"encoder::1=zero", "layer"},
                                                              {"encoder:0:=zero", "head"},
                                                              {"encoder:0:1:2:=zero", "column"},
                                                              {"encoder:0,=zero", "layer"},
                                                              {"encoder:,0=zero", "layer"},
                                                              {"encoder:0:1,,2=zero", "head"},
                                                              {"encoder:5-2=zero", "'5-2'"},
                                                              {"encoder:-2=zero", "'-2'"},
                                                              {"encoder:2-=zero", "'2-'"},
                                                              {"encoder:1-2-3=zero", "'1-2-3'"},
                                                              {"encoder:+1=zero", "'+1'"},
                                                              {"encoder:0: 1=zero", "head ' 1'"},
                                                              {"encoder:0:x=zero", "head 'x'"},
                                                              {"encoder:0:0:1.5=zero", "row '1.5'"},
                                                              {"encoder:0:0:*,1=zero", "row '*'"},
                                                              {"encoder:0:0:0:0:0=zero", "five"},
                                                              {"encoder:0=blank", "'blank'"},
                                                              {"encoder:0=Zero", "'Zero'"},
                                                              {"encoder:0= zero", "' zero'"},
                                                              {"encoder:0=zero ", "'zero '"},
                                                              {"encoder:0=zero:1", "zero"},
                                                              {"encoder:0=hide:", "hide"},
                                                              {"encoder:0=set", "set:V"},
                                                              {"encoder:0=set:", "set:V"},
                                                              {"encoder:0=scale:", "scale:V"},
                                                              {"encoder:0=scale:x", "'x'"},
                                                              {"encoder:0=scale:1,5", "'1,5'"},
                                                              {"encoder:0=set:nan", "'nan'"},
                                                              {"encoder:0=set:inf", "'inf'"},
                                                              {"encoder:0=set:-infinity", "'-infinity'"},
                                                              {"encoder:0=set:0x10", "'0x10'"},
                                                              {"encoder:0=set:1e39", "'1e39'"},
                                                              {"encoder:0=token:5", "'token:5'"},
                                                              {"source=hide", "position"},
                                                              {"source:=hide", "position"},
                                                              {"source:*=hide", "'*'"},
                                                              {"source:1-2=hide", "'1-2'"},
                                                              {"source:1,2=hide", "'1,2'"},
                                                              {"source:1:2=hide", "position"},
                                                              {"source:1=zero", "'zero'"},
                                                              {"source:1=hide:2", "hide"},
                                                              {"source:1=token", "token:ID"},
                                                              {"source:1=token:-1", "'-1'"},
                                                              {"source:1=token:x", "'x'"},
                                                              {"source:1=word:", "word:TEXT"},
                                                              {"source:1=word:\xFF", "UTF-8"}})
            QTest::newRow(text) << QByteArray(text) << QByteArray(named);
    }
    void whatIsNoEditIsNamed()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, named);
        const QByteArray problem = problemOf(text.toStdString());
        QVERIFY2(problem.startsWith("edit '") && problem.contains(named), problem.constData());
    }

    void aLongTextHasAShortProblem()
    {
        constexpr std::size_t size = 10'000'000;
        for (const std::string& text :
             {std::string(size, 'x'), std::string(size, ':'), std::string(size, '\n'),
              "encoder:" + std::string(size, '9'), std::string("encoder:0=") + std::string(size, 'z'),
              "encoder:" + std::string(size, ',') + "=zero", "encoder:0=set:" + std::string(size, '-'),
              "source:0=token:" + std::string(size, 'x')}) {
            const QByteArray problem = problemOf(text);
            QVERIFY(!problem.isEmpty());
            QVERIFY2(problem.size() < 400 && !problem.contains('\n'), problem.constData());
        }
    }

    void aLongListIsReadAndMerged()
    {
        std::string list = "0";
        for (int number = 1; number < 500'000; ++number)
            list += ',' + std::to_string(number);
        const auto edit = std::get<AttentionEdit>(parseEdit("cross:0:0:" + list + "=zero"));
        QVERIFY((edit.rows == IndexSet({{0, 499'999}})));
    }

    void aSetHoldsItsNumbers()
    {
        const IndexSet set({{7, 9}, {2, 3}, {3, 4}, {12, std::numeric_limits<Index>::max()}});
        const auto within = [&](Index first, Index last) {
            std::vector<Index> found;
            set.forEach(first, last, [&](Index index) { found.push_back(index); });
            return found;
        };
        QCOMPARE(within(0, 12), (std::vector<Index>{2, 3, 4, 7, 8, 9, 12}));
        QCOMPARE(within(4, 7), (std::vector<Index>{4, 7}));
        QVERIFY(within(5, 6).empty() && within(3, 2).empty());
        for (Index index = 0; index < 20; ++index)
            QCOMPARE(set.contains(index), !within(index, index).empty());
        std::vector<Index> all;
        IndexSet().forEach(3, [&](Index index) { all.push_back(index); });
        QCOMPARE(all, (std::vector<Index>{0, 1, 2}));
    }

    void whatAModelHasIsAccepted_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* text :
             {"*=hide", "*:1=zero", "encoder:1:2:6:6=hide", "decoder:0:3:99:99=hide", "cross:0:3:99:6=hide",
              "*:0:3=hide", "*:*:*:*:99=hide", "*:0-1:0-2=hide", "decoder:0:0:99999999999999999999=hide",
              "source:6=token:99", "source:6=hide", "source:0=word:anything"})
            QTest::newRow(text) << QByteArray(text);
    }
    void whatAModelHasIsAccepted()
    {
        QFETCH(const QByteArray, text);
        QCOMPARE(problemOf(text.toStdString(), growing()), QByteArray());
    }

    // Each with the place and the range that the error names.
    void whatIsNotThereIsNamed_data()
    {
        test::addColumns<QByteArray, QByteArray, QByteArray>("text", "place", "range");
        for (const auto& [text, place, range] :
             std::vector<std::array<const char*, 3>>{{"encoder:2=hide", "layer 2", "0 to 1"},
                                                     {"encoder:99999999999999999999=hide", "layer", "0 to 1"},
                                                     {"encoder:0-2=hide", "layer 2", "0 to 1"},
                                                     {"decoder:1=hide", "layer 1", "only layer 0"},
                                                     {"encoder:0:3=hide", "head 3", "0 to 2"},
                                                     {"encoder:0:0,99=hide", "head 99", "0 to 2"},
                                                     {"*:0:4=hide", "head 4", "0 to 3"},
                                                     {"*:1:3=hide", "head 3", "0 to 2"},
                                                     {"*:0-1:3=hide", "layer 1", "only layer 0"}, // three heads there
                                                     {"encoder:9:9:9:9=hide", "layer 9", "0 to 1"},
                                                     {"encoder:0:0:7=hide", "row 7", "0 to 6"},
                                                     {"encoder:0:0:0:7=hide", "column 7", "0 to 6"},
                                                     {"cross:0:0:0:5-7=hide", "column 7", "0 to 6"},
                                                     {"cross:0:0:5=hide", "row 5", "0 to 4"},
                                                     {"decoder:0:0:0:5=hide", "column 5", "0 to 4"},
                                                     {"*:0:0:7=hide", "row 7", "0 to 6"},
                                                     {"*:0:3:5=hide", "row 5", "0 to 4"}, // no head 3 in the encoder
                                                     {"source:7=hide", "position 7", "0 to 6"},
                                                     {"source:7=token:0", "position 7", "0 to 6"},
                                                     {"source:0=token:100", "token 100", "0 to 99"}})
            QTest::newRow(text) << QByteArray(text) << QByteArray(place) << QByteArray(range);
    }
    void whatIsNotThereIsNamed()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, place);
        QFETCH(const QByteArray, range);
        const QByteArray problem = problemOf(text.toStdString(), forced());
        QVERIFY2(problem.contains(place) && problem.contains(range), problem.constData());
    }

    void aModelWithoutAStageSaysWhichItHas()
    {
        const QByteArray problem = problemOf("cross:0=hide", hierarchical());
        QVERIFY2(problem.contains("cross") && problem.contains("encoder"), problem.constData());
        // "*" is every stage that there is, none here.
        QCOMPARE(problemOf("*=hide", EditExtent{}), QByteArray());
        QVERIFY(!problemOf("*:0=hide", EditExtent{}).isEmpty());
        QVERIFY(!problemOf("encoder=hide", EditExtent{}).isEmpty());
    }

    // Words and sentences are counted by maps of their own.
    void numbersAreThoseOfTheMapsThatTheOthersName()
    {
        QCOMPARE(problemOf("encoder:0:0:2:59=hide", hierarchical()), QByteArray());
        QCOMPARE(problemOf("encoder:1:0:0:2=hide", hierarchical()), QByteArray());
        QCOMPARE(problemOf("encoder:*:0:*:59=hide", hierarchical()), QByteArray());
        QVERIFY(problemOf("encoder:1:0:1=hide", hierarchical()).contains("only row 0"));
        QVERIFY(problemOf("encoder:1:0:0:3=hide", hierarchical()).contains("0 to 2"));
        QVERIFY(problemOf("encoder:0:0:3=hide", hierarchical()).contains("0 to 2"));
        QVERIFY(problemOf("encoder:0:0:0:60=hide", hierarchical()).contains("0 to 59"));
    }

    // Of several sentences only what they have in common is looked at.
    void whatDiffersFromSentenceToSentenceIsLetThrough()
    {
        EditExtent any = growing();
        any.source.reset();
        for (MapExtent& map : any.maps)
            map.rows = map.columns = std::nullopt;
        for (const char* text : {"encoder:1:2:99:99=hide", "source:99=hide", "source:99=token:5"})
            QCOMPARE(problemOf(text, any), QByteArray());
        for (const char* text : {"encoder:2=hide", "encoder:0:9=hide", "source:0=token:100"})
            QVERIFY(!problemOf(text, any).isEmpty());
    }
};

ATTN_TEST(TestEdit)

#include "tst_edit.moc"
