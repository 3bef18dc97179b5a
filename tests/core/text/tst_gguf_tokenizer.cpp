// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/gguf.h"
#include "support/gguf_writer.h"
#include "support/test_program.h"
#include "text/files/gguf_tokenizer.h"
#include "text/tokenizer.h"
#include "tokenizer_files.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace attn;
using namespace attn::test;

using Ids = std::vector<TokenId>;
using Texts = std::vector<std::string>;
using Words = std::vector<int>;
using W = GgufWriter;

namespace {

Bytes floats(const std::vector<float>& values)
{
    Bytes bytes;
    for (const float value : values)
        bytes = std::move(bytes) + littleEndian(value);
    return bytes;
}

Bytes integers(const std::vector<std::int32_t>& values)
{
    Bytes bytes;
    for (const std::int32_t value : values)
        bytes = std::move(bytes) + littleEndian(value);
    return bytes;
}

W& pieces(W& writer, const Texts& tokens, const std::vector<std::int32_t>& types)
{
    writer.list("tokenizer.ggml.tokens", tokens);
    return writer.list("tokenizer.ggml.token_type", W::i32, types.size(), integers(types));
}

// "▁ab" scores best, then "ab", "▁a", "bc".
W llama()
{
    W writer;
    writer.value("tokenizer.ggml.model", "llama");
    pieces(writer, {"<unk>", "<s>", "</s>", "▁", "a", "b", "c", "▁a", "ab", "▁ab", "bc", "<0x00>", "<0xC3>", "<0xA9>"},
           {2, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 6, 6, 6});
    writer.list("tokenizer.ggml.scores", W::f32, 14, floats({0, 0, 0, -9, -9, -9, -9, -3, -2, -1, -4, 0, 0, 0}));
    writer.value("tokenizer.ggml.bos_token_id", 1U).value("tokenizer.ggml.eos_token_id", 2U);
    writer.value("tokenizer.ggml.unknown_token_id", 0U);
    return writer;
}

W gpt2()
{
    W writer;
    writer.value("tokenizer.ggml.model", "gpt2").value("tokenizer.ggml.pre", "gpt-2");
    pieces(writer, {"a", "b", "Ġ", "Ġa", "ab", "<|end|>"}, {1, 1, 1, 1, 1, 3});
    writer.list("tokenizer.ggml.merges", {"a b", "Ġ a"});
    return writer.value("tokenizer.ggml.bos_token_id", 5U).value("tokenizer.ggml.eos_token_id", 5U);
}

W bert(const Texts& more = {})
{
    W writer;
    writer.value("tokenizer.ggml.model", "bert");
    Texts tokens{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "▁the", "▁un", "able", "▁,"};
    tokens.insert(tokens.end(), more.begin(), more.end());
    std::vector<std::int32_t> types(tokens.size(), 1);
    std::fill_n(types.begin(), 5, 3);
    pieces(writer, tokens, types);
    writer.value("tokenizer.ggml.unknown_token_id", 1U).value("tokenizer.ggml.cls_token_id", 2U);
    return writer.value("tokenizer.ggml.seperator_token_id", 3U).value("tokenizer.ggml.mask_token_id", 4U);
}

Tokenizers load(const W& writer)
{
    const Bytes bytes = writer.finish();
    return loadGgufTokenizers(GgufFile(bytes, "model.gguf"));
}

} // namespace

// Tokenizers inside GGUF files.
class TestGgufTokenizer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void llamaMergesByScore()
    {
        const auto tokenizer = load(llama()).source;
        const Encoding encoding = tokenizer->encode("abc abé");
        QCOMPARE(encoding.ids, (Ids{1, 9, 6, 9, 12, 13}));
        QCOMPARE(encoding.words, (Words{-1, 0, 0, 1, 1, 1}));
        QCOMPARE(encoding.spans, (std::vector<ByteSpan>{{0, 0}, {0, 2}, {2, 3}, {3, 6}, {6, 7}, {7, 8}}));
        QCOMPARE(encoding.labels.back(), std::string("é[2/2]"));
        QCOMPARE(tokenizer->decode(encoding.ids), std::string("abc abé"));
        QCOMPARE(tokenizer->encode("bca").ids, (Ids{1, 3, 10, 4})); // "▁b" is no piece, "bc" is
        const Ids control = tokenizer->encode("a</s>b").ids;
        QVERIFY(std::ranges::find(control, 2) == control.end()); // text does not become a control token
        QCOMPARE(tokenizer->encode("").ids, (Ids{1}));
        QCOMPARE(tokenizer->namedTokens().eos, std::optional<TokenId>(2));
        QCOMPARE(tokenizer->description(), std::string("SentencePiece BPE, 14 pieces (model.gguf)"));
    }

    void llamaKeepsToItsFlags()
    {
        W writer = llama();
        writer.flag("tokenizer.ggml.add_bos_token", false).flag("tokenizer.ggml.add_eos_token", true);
        writer.flag("tokenizer.ggml.add_space_prefix", false);
        QCOMPARE(load(writer).source->encode("ab").ids, (Ids{8, 2}));
    }

    void gpt2MergesByRank()
    {
        const auto tokenizer = load(gpt2()).source;
        QCOMPARE(tokenizer->encode("ab ab a<|end|>").ids, (Ids{4, 2, 4, 3, 5}));
        QCOMPARE(tokenizer->encode(" a").labels, (Texts{"▁a"}));
        W unknown;
        unknown.value("tokenizer.ggml.model", "gpt2").value("tokenizer.ggml.pre", "strange");
        pieces(unknown, {"a"}, {1}).list("tokenizer.ggml.merges", Texts{});
        QCOMPARE(errorOf([&] { (void)load(unknown); }),
                 std::string("model.gguf: tokenizer.ggml.pre: the pre-tokenizer \"strange\" is not known "
                             "(give ids with --source-ids)"));
    }

    void t5ChoosesByScore()
    {
        W writer;
        writer.value("tokenizer.ggml.model", "t5");
        pieces(writer, {"<pad>", "</s>", "<unk>", "▁", "a", "b", "ab", "▁a", "<x>", "▁ab"},
               {3, 3, 2, 1, 1, 1, 1, 1, 4, 5});
        writer.list("tokenizer.ggml.scores", W::f32, 10, floats({0, 0, 0, -2, -3, -3, -3.4F, -2.5F, 0, -0.1F}));
        writer.value("tokenizer.ggml.eos_token_id", 1U).value("tokenizer.ggml.unknown_token_id", 2U);
        const auto tokenizer = load(writer).source;
        QCOMPARE(tokenizer->encode("ab<x>z").ids, (Ids{3, 6, 8, 3, 2, 1}));
        QCOMPARE(tokenizer->decode(Ids{3, 6, 1}), std::string("ab"));
    }

    void bertPiecesHaveTheirMarksTurned()
    {
        const auto tokenizer = load(bert()).source;
        const Encoding encoding = tokenizer->encodePair("The unable,", "[MASK] x");
        QCOMPARE(encoding.ids, (Ids{2, 5, 6, 7, 8, 3, 4, 1, 3}));
        QCOMPARE(encoding.tokens, (Texts{"[CLS]", "the", "un", "##able", ",", "[SEP]", "[MASK]", "[UNK]", "[SEP]"}));
        QCOMPARE(encoding.segments, (Words{0, 0, 0, 0, 0, 0, 1, 1, 1}));
        QCOMPARE(tokenizer->maskToken(), std::optional<TokenId>(4));
    }

    void bertWithCapitalsKeepsThem()
    {
        QCOMPARE(load(bert({"▁The"})).source->encode("The the").ids,
                 (Ids{2, 5, 5, 3})); // none of one letter: lower case
        QCOMPARE(load(bert({"▁The", "▁A"})).source->encode("The the").ids, (Ids{2, 9, 5, 3}));
    }

    void filesWithoutATokenizer()
    {
        QVERIFY(load(W()).source == nullptr);
        W none;
        none.value("tokenizer.ggml.model", "none");
        QVERIFY(load(none).source == nullptr);
    }

    void brokenTokenizersAreNamed_data()
    {
        addColumns<QByteArray, QString>("file", "expected");
        const auto row = [](const char* name, const W& writer, const char* expected) {
            const Bytes bytes = writer.finish();
            QTest::newRow(name) << QByteArray(reinterpret_cast<const char*>(bytes.data()),
                                              static_cast<qsizetype>(bytes.size()))
                                << expected;
        };
        row("unknown kind", W().value("tokenizer.ggml.model", "rwkv"), "the tokenizer \"rwkv\" is not known");
        row("no pieces", W().value("tokenizer.ggml.model", "llama"), "the tokenizer has no pieces");
        row("a piece twice",
            W().value("tokenizer.ggml.model", "gpt2").list("tokenizer.ggml.tokens", Texts{"a", "", "b", "", "a"}),
            "tokenizer.ggml.tokens: the piece \"a\" stands there twice, as 0 and 4");
        row("no scores", W().value("tokenizer.ggml.model", "llama").list("tokenizer.ggml.tokens", Texts{"a"}),
            "tokenizer.ggml.scores");
        row("no merges", W().value("tokenizer.ggml.model", "gpt2").list("tokenizer.ggml.tokens", Texts{"a"}),
            "tokenizer.ggml.merges");
        row("fewer scores",
            W().value("tokenizer.ggml.model", "llama")
                .list("tokenizer.ggml.tokens", Texts{"a", "b"})
                .list("tokenizer.ggml.scores", W::f32, 1, floats({1})),
            "has 1 scores for 2 pieces");
        row("score no number",
            W().value("tokenizer.ggml.model", "llama")
                .list("tokenizer.ggml.tokens", Texts{"a"})
                .list("tokenizer.ggml.scores", W::f32, 1, floats({std::nanf("")})),
            "has a score that is NaN");
        row("fewer types",
            W().value("tokenizer.ggml.model", "llama")
                .list("tokenizer.ggml.tokens", Texts{"a"})
                .list("tokenizer.ggml.scores", W::f32, 1, floats({1}))
                .list("tokenizer.ggml.token_type", W::i32, 2, integers({1, 1})),
            "2 types for 1 pieces");
        row("unknown type",
            W().value("tokenizer.ggml.model", "llama")
                .list("tokenizer.ggml.tokens", Texts{"a", "b"})
                .list("tokenizer.ggml.scores", W::f32, 2, floats({1, 2}))
                .list("tokenizer.ggml.token_type", W::i32, 2, integers({1, 99})),
            "piece 1 has type 99, not one of 1 to 6");
        row("begin token outside",
            W().value("tokenizer.ggml.model", "llama")
                .list("tokenizer.ggml.tokens", Texts{"a"})
                .value("tokenizer.ggml.bos_token_id", 1U),
            "1 is not the id of a piece");
        row("merge of one",
            W().value("tokenizer.ggml.model", "gpt2")
                .list("tokenizer.ggml.tokens", Texts{"a"})
                .list("tokenizer.ggml.merges", Texts{"a"}),
            "merge 0 is not two pieces");
        row("merge of nothing",
            W().value("tokenizer.ggml.model", "gpt2")
                .list("tokenizer.ggml.tokens", Texts{"a"})
                .list("tokenizer.ggml.merges", Texts{"a b"}),
            "needs the piece \"b\"");
        row("BERT without its tokens",
            W().value("tokenizer.ggml.model", "bert").list("tokenizer.ggml.tokens", Texts{"a"}),
            "lacks [UNK], [SEP] or [CLS]");
    }

    void brokenTokenizersAreNamed()
    {
        QFETCH(QByteArray, file);
        QFETCH(QString, expected);
        const auto bytes = std::as_bytes(std::span(file.constData(), static_cast<std::size_t>(file.size())));
        const std::string message = errorOf([&] { (void)loadGgufTokenizers(GgufFile(bytes, "model.gguf")); });
        QVERIFY2(message.find(expected.toStdString()) != std::string::npos, message.c_str());
        QVERIFY2(message.starts_with("model.gguf"), message.c_str());
    }

    void damageIsAValueOrAnError()
    {
        for (const W& writer : {llama(), gpt2(), bert()}) {
            const std::string problem = surviveDamage(writer.finish(), 3, [](const Bytes& bytes) {
                if (const auto tokenizer = loadGgufTokenizers(GgufFile(bytes, "model.gguf")).source)
                    (void)tokenizer->describe(tokenizer->encode("ab The é unable,</s>").ids);
            });
            QVERIFY2(problem.empty(), problem.c_str());
        }
    }
};

ATTN_TEST(TestGgufTokenizer)
#include "tst_gguf_tokenizer.moc"
