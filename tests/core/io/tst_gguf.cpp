// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/gguf.h"
#include "support/broken_files.h"
#include "support/gguf_writer.h"
#include "support/test_program.h"

#include <QtTest>

using namespace attn;
using namespace attn::test;

namespace {

using W = GgufWriter;

Bytes smallFile()
{
    W writer;
    writer.value("general.architecture", "llama")
        .value("a.u8", W::u8, littleEndian(std::uint8_t{200}))
        .value("a.i8", W::i8, littleEndian(std::int8_t{-3}))
        .value("a.u16", W::u16, littleEndian(std::uint16_t{60'000}))
        .value("a.i16", W::i16, littleEndian(std::int16_t{-30'000}))
        .value("a.u32", std::uint32_t{4'000'000'000})
        .value("a.i32", W::i32, littleEndian(std::int32_t{-7}))
        .value("a.u64", W::u64, littleEndian(std::uint64_t{1} << 40))
        .value("a.i64", W::i64, littleEndian(std::int64_t{-1}))
        .value("a.f32", 0.5F)
        .value("a.f64", W::f64, littleEndian(0.25))
        .flag("a.bool", true)
        .list("words", {"<s>", "", "\xC3\xA9"})
        .list("scores", W::f32, 2, littleEndian(1.5F) + littleEndian(-2.0F))
        .list("types", W::i32, 2, littleEndian(std::int32_t{1}) + littleEndian(std::int32_t{6}))
        .list("nested", W::array, 1, littleEndian(W::u8) + littleEndian(std::uint64_t{2}) + Bytes(2, std::byte{1}))
        .list("none", W::u32, 0, {});
    writer.tensor("t", {2, 3}, W::tensorF32, Bytes(24, std::byte{0}));
    writer.tensor("u", {4}, W::tensorF16, Bytes(8, std::byte{1}));
    return writer.finish();
}

} // namespace

class TestGguf : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("ATTNSCOPE_LIMITS", "memory=20M"); }

    void readsEveryTypeOfValue()
    {
        const Bytes bytes = smallFile();
        const GgufFile file(bytes, "small.gguf");
        QCOMPARE(file.text("general.architecture").value(), std::string("llama"));
        QCOMPARE(file.integer("a.u8").value(), 200);
        QCOMPARE(file.integer("a.i8").value(), -3);
        QCOMPARE(file.integer("a.u16").value(), 60'000);
        QCOMPARE(file.integer("a.i16").value(), -30'000);
        QCOMPARE(file.integer("a.u32").value(), 4'000'000'000);
        QCOMPARE(file.integer("a.i32").value(), -7);
        QCOMPARE(file.integer("a.u64").value(), std::int64_t{1} << 40);
        QCOMPARE(file.integer("a.i64").value(), -1);
        QCOMPARE(file.number("a.f32").value(), 0.5);
        QCOMPARE(file.number("a.f64").value(), 0.25);
        QCOMPARE(file.number("a.i32").value(), -7.0);
        QCOMPARE(file.boolean("a.bool").value(), true);
        QCOMPARE(file.texts("words").value(), (std::vector<std::string>{"<s>", "", "\xC3\xA9"}));
        QCOMPARE(file.numbers("scores").value(), (std::vector<float>{1.5F, -2.0F}));
        QCOMPARE(file.integers("types").value(), (std::vector<std::int64_t>{1, 6}));
        QVERIFY(file.integers("none").value().empty());
        QVERIFY(file.has("nested") && !file.has("absent"));
        QVERIFY(!file.text("absent") && !file.integer("absent") && !file.number("absent") && !file.boolean("absent"));
        QVERIFY(!file.texts("absent") && !file.integers("absent") && !file.numbers("absent"));
        QCOMPARE(file.keys().size(), std::size_t{17});
    }

    void readsTensors()
    {
        const Bytes bytes = smallFile();
        const GgufFile file(bytes, "small.gguf");
        QCOMPARE(file.tensors().size(), std::size_t{2});
        QCOMPARE(file.tensors()[0].name, std::string("t"));
        QCOMPARE(file.tensors()[0].shape, (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(file.tensors()[0].type, W::tensorF32);
        QCOMPARE(file.tensors()[1].type, W::tensorF16);
        QCOMPARE(file.tensors()[1].bytes.size(), std::size_t{32});
        QCOMPARE(file.tensors()[1].bytes.front(), std::byte{1});
        QVERIFY(GgufFile(W().finish(), "empty").tensors().empty());
    }

    void aValueOfAnotherTypeIsRefusedByKey()
    {
        const Bytes bytes = smallFile();
        const GgufFile file(bytes, "small.gguf");
        const auto refused = [](const std::string& expected, const std::function<void()>& action) {
            const std::string message = errorOf(action);
            QVERIFY2(message.starts_with(expected), message.c_str());
        };
        refused("small.gguf: a.u8: ", [&] { (void)file.text("a.u8"); });
        refused("small.gguf: a.f32: ", [&] { (void)file.integer("a.f32"); });
        refused("small.gguf: a.bool: ", [&] { (void)file.integer("a.bool"); });
        refused("small.gguf: words: ", [&] { (void)file.number("words"); });
        refused("small.gguf: a.u8: ", [&] { (void)file.boolean("a.u8"); });
        refused("small.gguf: scores: ", [&] { (void)file.texts("scores"); });
        refused("small.gguf: scores: ", [&] { (void)file.integers("scores"); });
        refused("small.gguf: words: ", [&] { (void)file.numbers("words"); });
        refused("small.gguf: a.i8: ", [&] { (void)file.texts("a.i8"); });
    }

    void tablesThatMemoryDoesNotHoldAreRefused_data()
    {
        addColumns<quint64, quint64>("tensors", "values");
        QTest::newRow("tensors") << quint64{100'000} << quint64{0};
        QTest::newRow("values") << quint64{0} << quint64{190'000};
    }

    // Before they are read: the file is long enough for so many.
    void tablesThatMemoryDoesNotHoldAreRefused()
    {
        QFETCH(quint64, tensors);
        QFETCH(quint64, values);
        W writer;
        writer.tensorCount = tensors;
        writer.valueCount = values;
        const Bytes bytes = writer.finish() + Bytes(2'500'000);
        const std::string message = errorOf([&] { const GgufFile opened(bytes, "w.gguf"); });
        QVERIFY2(message.starts_with("w.gguf: needs about 2") && message.find("21.0 MB are free") != std::string::npos,
                 message.c_str());
    }

    void brokenFilesAreRefused_data()
    {
        constexpr std::uint64_t huge = std::uint64_t{1} << 62;
        const auto with = [](const std::function<void(W&)>& change) {
            W writer;
            change(writer);
            return writer.finish();
        };
        const Bytes one(32, std::byte{0});
        QTest::addColumn<BrokenFile>("file");
        const std::vector<BrokenFile> files = {
            {"empty", {}, "is not a GGUF file"},
            {"other magic", bytesOf("GGML...."), "is not a GGUF file"},
            {"only magic", bytesOf("GGUF"), "ends too early"},
            {"version 1", with([](W& w) { w.version = 1; }), "is GGUF version 1"},
            {"version 4", with([](W& w) { w.version = 4; }), "is GGUF version 4"},
            {"big-endian", with([](W& w) { w.version = 0x03000000; }), "big-endian"},
            {"huge tensor count", with([](W& w) { w.tensorCount = huge; }), "more than fit"},
            {"huge value count", with([](W& w) { w.valueCount = huge; }), "more than fit"},
            {"one value too many", with([](W& w) { w.value("a", 1U).valueCount = 2; }), "entry 1 has no key"},
            {"key twice", with([](W& w) { w.value("a", 1U).value("a", 2U); }), "a: stands in the file twice"},
            {"key of kilobytes", with([](W& w) { w.value(std::string(5000, 'k'), 1U); }), "text of 5000 bytes"},
            {"unknown type", with([](W& w) { w.value("a", 13, Bytes(8)); }), "a: has the unknown type 13"},
            {"unknown element type", with([](W& w) { w.list("a", 99, 0, {}); }), "a: has the unknown type 99"},
            {"huge text", with([](W& w) { w.value("a", W::text, littleEndian(huge)); }), "a: has a text of"},
            {"text beyond the file", with([](W& w) { w.value("a", W::text, littleEndian(std::uint64_t{1000})); }),
             "ends too early"},
            {"huge list", with([](W& w) { w.list("a", W::u32, huge, {}); }), "more than fit"},
            {"huge list of texts", with([](W& w) { w.list("a", W::text, huge / 4, {}); }), "more than fit"},
            {"deep lists", with([](W& w) {
                 Bytes inner = littleEndian(W::u8) + littleEndian(std::uint64_t{0});
                 for (int i = 0; i < 10; ++i)
                     inner = littleEndian(W::array) + littleEndian(std::uint64_t{1}) + inner;
                 w.value("a", W::array, inner);
             }),
             "nested deeper than 4"},
            {"tensor twice", with([&](W& w) { w.tensor("t", {1}, 0, one).tensor("t", {1}, 0, one); }),
             "t: is the name of two"},
            {"five dimensions", with([&](W& w) {
                 w.tensor("t", {1, 1, 1, 1, 1}, 0, one);
             }),
             "t: has 5 dimensions"},
            {"empty dimension", with([&](W& w) { w.tensor("t", {0}, 0, one); }), "t: has a dimension of 0"},
            {"shape overflows", with([&](W& w) {
                 w.tensor("t", {huge, 4}, 0, one);
             }),
             "t: has a shape too large"},
            {"offset beyond the file", with([](W& w) { w.entry("t", {1}, 0, 64).tensor("u", {1}, 0, Bytes(4)); }),
             "t: lies at byte 64, but the file holds 32"},
            {"offset overflows",
             with([](W& w) { w.entry("t", {1}, 0, ~std::uint64_t{31}).tensor("u", {1}, 0, Bytes(4)); }),
             "t: lies at byte"},
            {"offset not aligned", with([&](W& w) { w.entry("t", {1}, 0, 4).tensor("u", {1}, 0, one); }),
             "not at a multiple of 32"},
            {"alignment of 0", with([](W& w) { w.value("general.alignment", 0U); }), "not a power of two"},
            {"alignment of 12", with([](W& w) { w.value("general.alignment", 12U); }), "not a power of two"},
            {"alignment of text", with([](W& w) { w.value("general.alignment", "32"); }), "expected an integer"},
        };
        for (const BrokenFile& file : files)
            QTest::newRow(file.name.c_str()) << file;
    }

    void brokenFilesAreRefused()
    {
        QFETCH(BrokenFile, file);
        const std::string message = errorOf([&] { const GgufFile opened(file.bytes, "w.gguf"); });
        QVERIFY2(message.starts_with("w.gguf: "), message.c_str());
        QVERIFY2(message.find(file.expected) != std::string::npos, message.c_str());
    }

    void damageIsAValueOrAnError()
    {
        const std::string problem = surviveDamage(smallFile(), 1, [](const Bytes& bytes) {
            const GgufFile file(bytes, "damaged");
            for (const std::string& key : file.keys()) {
                errorOf([&] { (void)file.text(key); });
                errorOf([&] { (void)file.number(key); });
                errorOf([&] { (void)file.texts(key); });
                errorOf([&] { (void)file.numbers(key); });
                errorOf([&] { (void)file.integers(key); });
            }
        });
        QVERIFY2(problem.empty(), problem.c_str());
    }
};

ATTN_TEST(TestGguf)
#include "tst_gguf.moc"
