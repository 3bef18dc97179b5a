// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/npy.h"
#include "support/broken_files.h"
#include "support/npy_bytes.h"
#include "support/test_program.h"

#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

using namespace attn;
using namespace attn::test;

namespace {

Bytes header(std::string_view type, bool fortran, std::string_view shape)
{
    return npy("{'descr': '" + std::string(type) + "', 'fortran_order': " + (fortran ? "True" : "False")
                   + ", 'shape': " + std::string(shape) + ", }\n",
               0);
}

template<class T>
Bytes stored(std::initializer_list<T> values, bool bigEndian)
{
    Bytes bytes;
    for (const T value : values) {
        Bytes item = littleEndian(value);
        if (bigEndian)
            std::reverse(item.begin(), item.end());
        bytes = std::move(bytes) + item;
    }
    return bytes;
}

template<class T>
void addType(const char* type, std::initializer_list<T> values, const std::vector<float>& expected)
{
    for (const bool big : {false, true}) {
        const std::string name = (big ? ">" : "<") + std::string(type);
        QTest::newRow(name.c_str()) << (header(name, false, "(3,)") + stored(values, big)) << expected;
    }
}

} // namespace

class TestNpy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyNumberType_data()
    {
        addColumns<Bytes, std::vector<float>>("file", "expected");
        addType<std::int8_t>("i1", {-128, 0, 127}, {-128, 0, 127});
        addType<std::int16_t>("i2", {-300, 0, 300}, {-300, 0, 300});
        addType<std::int32_t>("i4", {-70000, 0, 70000}, {-70000, 0, 70000});
        addType<std::int64_t>("i8", {-5, 0, 5}, {-5, 0, 5});
        addType<std::uint8_t>("u1", {0, 1, 255}, {0, 1, 255});
        addType<std::uint16_t>("u2", {0, 1, 65535}, {0, 1, 65535});
        addType<std::uint32_t>("u4", {0, 1, 65536}, {0, 1, 65536});
        addType<std::uint64_t>("u8", {0, 1, 2}, {0, 1, 2});
        addType<std::uint16_t>("f2", {0x3C00, 0xC000, 0x3555}, {1, -2, 0.333251953125F});
        addType<float>("f4", {0.25F, -1.5F, 3e-45F}, {0.25F, -1.5F, 3e-45F});
        addType<double>("f8", {0.25, -1.5, 1e30}, {0.25F, -1.5F, 1e30F});
        QTest::newRow("bool") << (header("|b1", false, "(3,)") + stored<std::uint8_t>({0, 1, 2}, false))
                              << std::vector<float>{0, 1, 1};
    }

    void everyNumberType()
    {
        QFETCH(Bytes, file);
        QFETCH(std::vector<float>, expected);
        const NpyArray array = readNpy(file, "array");
        QCOMPARE(array.shape(), (NpyArray::Shape{3}));
        QCOMPARE(array.floats(), expected);
        NpyStream stream = npyStream(file, "array");
        const auto first = stream.floats(1);
        const auto others = stream.floats(2);
        QCOMPARE((std::vector<float>{first[0], others[0], others[1]}), expected);
        QVERIFY(!errorOf([&] { (void)stream.floats(1); }).empty());
        if (array.kind() != NpyKind::Float) {
            const std::vector<std::int64_t> integers = array.integers();
            for (std::size_t i = 0; i < expected.size(); ++i)
                QCOMPARE(static_cast<float>(integers[i]), expected[i]);
        }
        const NpyArray again = readNpy(writeNpy(array), "again");
        QCOMPARE(again.floats(), expected);
        QCOMPARE(again.kind(), array.kind());
    }

    void fortranOrderIsTurnedAround()
    {
        // a[i][j][k] = 100 i + 10 j + k with shape (2, 3, 2), stored with the first index fastest.
        Bytes values;
        for (int k = 0; k < 2; ++k)
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 2; ++i)
                    values = std::move(values) + littleEndian(static_cast<std::int32_t>(100 * i + 10 * j + k));
        const NpyArray array = readNpy(header("<i4", true, "(2, 3, 2)") + values, "array");
        QCOMPARE(array.integers(), (std::vector<std::int64_t>{0, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121}));
    }

    void numbersAreReadInParts()
    {
        // More than one part in memory at a time, in the order of the last index whatever the file's.
        const std::vector<std::int64_t> shape{3, 70'000};
        std::vector<float> values(210'000);
        std::iota(values.begin(), values.end(), 0.0F);
        Bytes columns(values.size() * sizeof(float));
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t place = i % 70'000 * 3 + i / 70'000;
            std::memcpy(columns.data() + place * sizeof(float), &values[i], sizeof(float));
        }
        for (const Bytes& file :
             {Bytes(writeNpy(NpyArray::fromFloats(shape, values))), header("<f4", true, "(3, 70000)") + columns}) {
            NpyStream stream = npyStream(file, "array");
            QCOMPARE(stream.shape(), shape);
            std::vector<float> read;
            for (const std::size_t count :
                 {std::size_t{1}, std::size_t{139'999}, std::size_t{0}, std::size_t{70'000}}) {
                const auto part = stream.floats(count);
                QCOMPARE(part.size(), count);
                read.insert(read.end(), part.begin(), part.end());
            }
            QCOMPARE(read, values);
        }
        NpyStream text(NpyArray::fromText("a"));
        QVERIFY(!errorOf([&] { (void)text.floats(1); }).empty());
    }

    void bigEndianTexts()
    {
        const Bytes file =
            header(">U2", true, "(2, 1)") + stored<char32_t>({U'a', U'\0', U'\u2581', U'\U0001F600'}, true);
        QCOMPARE(readNpy(file, "array").texts(), (std::vector<std::string>{"a", "▁😀"}));
    }

    void textsSurviveTheRoundTrip()
    {
        const std::vector<std::string> texts = {"▁house", "", "é😀", "x"};
        const NpyArray array = readNpy(writeNpy(NpyArray::fromTexts({2, 2}, texts)), "texts");
        QCOMPARE(array.shape(), (NpyArray::Shape{2, 2}));
        QCOMPARE(array.texts(), texts);
        const NpyArray single = readNpy(writeNpy(NpyArray::fromText("{\"a\": 1}")), "text");
        QVERIFY(single.shape().empty());
        QCOMPARE(single.texts(), (std::vector<std::string>{"{\"a\": 1}"}));
        const std::vector<std::string> broken = {"a\xFFz"};
        QCOMPARE(NpyArray::fromTexts({1}, broken).texts(), (std::vector<std::string>{"a\uFFFDz"}));
    }

    void floatsSurviveTheRoundTrip()
    {
        const float infinity = std::numeric_limits<float>::infinity();
        const std::vector<float> values = {0.1F, -infinity, infinity, -0.0F, 1e-45F, 3.4e38F};
        const auto file = writeNpy(NpyArray::fromFloats({1, 3, 2}, values));
        QCOMPARE(file.size(), std::size_t{128 + 24});
        const NpyArray array = readNpy(file, "array");
        QCOMPARE(array.shape(), (NpyArray::Shape{1, 3, 2}));
        QVERIFY(std::memcmp(array.floats().data(), values.data(), values.size() * sizeof(float)) == 0);
        QVERIFY(!errorOf([&] { NpyArray::fromFloats({7}, values); }).empty());
    }

    void emptyAndZeroDimensionalArrays()
    {
        const NpyArray scalar = readNpy(header("<i8", false, "()") + littleEndian(std::int64_t{-7}), "scalar");
        QVERIFY(scalar.shape().empty());
        QCOMPARE(scalar.integers(), (std::vector<std::int64_t>{-7}));
        const NpyArray empty = readNpy(header("<f4", true, "(0, 9223372036854775807)"), "empty");
        QCOMPARE(empty.size(), std::size_t{0});
        QVERIFY(empty.floats().empty());
        QVERIFY(readNpy(writeNpy(NpyArray::fromTexts({0}, {})), "none").texts().empty());
        QCOMPARE(readNpy(header("<U0", false, "(2,)"), "blank").texts(), (std::vector<std::string>{"", ""}));
    }

    void laterVersionsAndOldSpelling()
    {
        constexpr auto dictionary = "{\"shape\": (2L, 1L), \"descr\": \"|u1\", \"fortran_order\": False}";
        for (const std::uint8_t version : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{3}})
            QCOMPARE(readNpy(npy(dictionary, 2, version), "array").integers(), (std::vector<std::int64_t>{0, 0}));
    }

    void textsOfTheHeaderAreTakenAsTheyAre()
    {
        const auto read = [](const std::string& dictionary) {
            return errorOf([&] { readNpy(npy(dictionary, 4), "array"); });
        };
        const auto typed = [](const std::string& type) {
            return "{'descr': " + type + ", 'fortran_order': False, 'shape': (1,), }";
        };
        QVERIFY(read(typed("'<f4'")).empty());
        QVERIFY(read(typed("'<fL4'")).find("<fL4") != std::string::npos);
        QVERIFY(read(typed("[('a', [('x', '<f4'), ('\xE9', '<f4')])]")).find("records") != std::string::npos);
        QVERIFY(!read(typed("'<f4'") + '\0').empty());
        QVERIFY(!read("{'descr': '<f4', 'fortran_orderL': False, 'shape': (1,), }").empty());
    }

    void wrongKindsAreRefused()
    {
        const std::vector<float> values = {1};
        const NpyArray floats = readNpy(writeNpy(NpyArray::fromFloats({1}, values)), "x.npz: ids");
        const std::string message = errorOf([&] { (void)floats.integers(); });
        QVERIFY2(message.starts_with("x.npz: ids: ") && message.find("\"<f4\"") != std::string::npos, message.c_str());
        QVERIFY(!errorOf([&] { (void)floats.texts(); }).empty());
        QVERIFY(!errorOf([&] { (void)NpyArray::fromText("a").floats(); }).empty());
        const NpyArray large = readNpy(header("<u8", false, "(1,)") + littleEndian(~std::uint64_t{0}), "large");
        QVERIFY(!errorOf([&] { (void)large.integers(); }).empty());
    }

    void brokenFilesAreRefused_data()
    {
        QTest::addColumn<BrokenFile>("file");
        for (const BrokenFile& file : brokenNpy())
            QTest::newRow(file.name.c_str()) << file;
    }

    void brokenFilesAreRefused()
    {
        QFETCH(BrokenFile, file);
        const std::string message = errorOf([&] { readNpy(file.bytes, "x.npy"); });
        QVERIFY2(message.starts_with("x.npy: "), message.c_str());
        QVERIFY2(message.find(file.expected) != std::string::npos, message.c_str());
    }

    void damageIsAValueOrAnError()
    {
        const std::vector<std::string> texts = {"a", "bc"};
        for (const Bytes& valid : {header("<f2", true, "(2, 3)") + Bytes(12, std::byte{1}),
                                   Bytes(writeNpy(NpyArray::fromTexts({2}, texts)))}) {
            const std::string problem = surviveDamage(valid, 1, [](const Bytes& bytes) {
                const NpyArray array = readNpy(bytes, "damaged");
                array.kind() == NpyKind::Text ? (void)array.texts() : (void)array.floats();
            });
            QVERIFY2(problem.empty(), problem.c_str());
        }
    }
};

ATTN_TEST(TestNpy)
#include "tst_npy.moc"
