// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/thread_stop.h"
#include "io/json.h"
#include "support/broken_files.h"
#include "support/memory_used.h"
#include "support/names_all.h"
#include "support/sanitizers.h"
#include "support/test_program.h"

#include <nlohmann/json.hpp>

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <random>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

using namespace attn;
using namespace attn::test;

class TestJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void gettersReadWhatIsThere();
    void gettersNameFileAndField_data();
    void gettersNameFileAndField();
    void brokenFilesAreRefused_data();
    void brokenFilesAreRefused();
    void numbersThatAreNoneHarmNobodyWhoDoesNotReadThem();
    void otherFilesAreCalledWhatTheyAre();
    void limitsHold();
    void theLastOfANameCounts();
    void aTreeEndsWhereNoMemoryIsLeft();
    void aTreeOfVeryManyValuesIsRefused();
    void aVisitorIsToldEverythingInOrder();
    void readingEndsWhenItIsToStop();
    void namesWithAlikeHashesTakeNoLonger();
    void bracketsInTextsAreNoDepth();
    void damageIsAValueOrAnError();
};

void TestJson::otherFilesAreCalledWhatTheyAre()
{
    const QTemporaryDir directory;
    const std::filesystem::path path = directory.filePath("config.json").toStdString();
    for (const auto& [content, expected] :
         {std::pair("", "is empty"), std::pair("version https://git-lfs.github.com/spec/v1\noid", "Git LFS pointer"),
          std::pair("\n <!DOCTYPE html><html>", "is a web page"), std::pair("<?xml version", "is an XML document"),
          std::pair("{\"a\": ", "is not valid JSON"), std::pair("words", "is not valid JSON")}) {
        std::ofstream(path) << content;
        const std::string message = errorOf([&] { readJson(path); });
        QVERIFY2(message.starts_with(path.string() + ": ") && message.find(expected) != std::string::npos,
                 message.c_str());
    }
}

namespace {

constexpr auto config = R"({"layers": 3, "rate": 0.5, "large": 18446744073709551615, "name": "gru", "tied": true,
                            "nothing": null, "list": [1], "encoder": {"size": "big", "inner": {"depth": -1}}})";

JsonObject parsed()
{
    return JsonObject::parse(config, "config.json");
}

} // namespace

void TestJson::gettersReadWhatIsThere()
{
    const JsonObject object = parsed();
    QCOMPARE(object.requireInt("layers", 1, 3), 3);
    QVERIFY(!object.optionalInt("absent", 0, 1).has_value());
    QVERIFY(!object.has("nothing"));
    QCOMPARE(object.numberOr("rate", 1), 0.5);
    QCOMPARE(object.numberOr("layers", 1), 3.0);
    QCOMPARE(object.numberOr("absent", 1.5), 1.5);
    QCOMPARE(object.boolOr("tied", false), true);
    QCOMPARE(object.boolOr("nothing", true), true);
    QCOMPARE(object.requireString("name"), std::string("gru"));
    QCOMPARE(object.stringOr("absent", "x"), std::string("x"));
    QCOMPARE(object.requireObject("encoder").requireObject("inner").requireInt("depth", -1, 0), -1);
}

void TestJson::gettersNameFileAndField_data()
{
    using Access = std::function<void(const JsonObject&)>;
    QTest::addColumn<Access>("access");
    QTest::addColumn<QString>("field");
    QTest::addColumn<QStringList>("values"); // that are asked for, and what was found
    const auto row = [](const char* name, Access access, const char* field, std::initializer_list<const char*> values) {
        QStringList named;
        for (const char* value : values)
            named << QString::fromLatin1(value);
        QTest::newRow(name) << std::move(access) << QString::fromLatin1(field) << named;
    };
    row("too large", [](const auto& o) { o.requireInt("layers", 1, 2); }, "layers", {"1", "2", "3"});
    row("beyond int64", [](const auto& o) { o.requireInt("large", 1, INT64_MAX); }, "large",
        {"1", "9223372036854775807", "18446744073709551615"});
    row("not whole", [](const auto& o) { o.requireInt("rate", 0, 2); }, "rate", {"0", "2", "0.5"});
    row("true is no number", [](const auto& o) { o.requireInt("tied", 0, 2); }, "tied", {"0", "2", "true"});
    row("missing", [](const auto& o) { o.requireInt("absent", 0, 2); }, "absent", {"0", "2"});
    row("nested", [](const auto& o) { o.requireObject("encoder").requireInt("size", 0, 2); }, "encoder.size",
        {"0", "2", "\"big\""});
    row("twice nested", [](const auto& o) { o.requireObject("encoder").requireObject("inner").requireString("depth"); },
        "encoder.inner.depth", {"-1"});
    row("not an object", [](const auto& o) { o.requireObject("list"); }, "list", {"1"});
    row("not a number", [](const auto& o) { o.numberOr("name", 1); }, "name", {"\"gru\""});
    row("not a truth value", [](const auto& o) { o.boolOr("layers", true); }, "layers", {"3"});
}

void TestJson::gettersNameFileAndField()
{
    QFETCH(std::function<void(const JsonObject&)>, access);
    QFETCH(QString, field);
    QFETCH(QStringList, values);
    const QString message = QString::fromStdString(errorOf([&] { access(parsed()); }));
    const QString where = QStringLiteral("config.json: %1: ").arg(field);
    QVERIFY2(message.startsWith(where), qPrintable(message));
    for (const QString& value : values)
        QVERIFY2(message.mid(where.size()).contains(value), qPrintable(message));
}

void TestJson::brokenFilesAreRefused_data()
{
    QTest::addColumn<BrokenFile>("file");
    for (const BrokenFile& file : brokenJson())
        QTest::newRow(file.name.c_str()) << file;
}

void TestJson::brokenFilesAreRefused()
{
    QFETCH(BrokenFile, file);
    const std::string_view text(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
    const std::string message = errorOf([&] { JsonObject::parse(text, "config.json"); });
    QVERIFY2(message.starts_with("config.json: "), message.c_str());
    QVERIFY2(message.find(file.expected) != std::string::npos, message.c_str());
}

void TestJson::numbersThatAreNoneHarmNobodyWhoDoesNotReadThem()
{
    const JsonObject object = JsonObject::parse(
        R"({"a": NaN, "b": [-Infinity, Infinity], "text": "NaN \" NaN\\", "c": 3, "Infinity": -Infinity})",
        "config.json", {.uniqueKeys = true});
    QCOMPARE(object.requireInt("c", 0, 9), 3);
    QCOMPARE(object.requireString("text"), std::string("NaN \" NaN\\"));
    QVERIFY(object.has("Infinity"));
    QCOMPARE(errorOf([&] { (void)object.numberOr("a", 1); }),
             std::string("config.json: a: expected a number, found \"NaN\""));
}

void TestJson::limitsHold()
{
    QVERIFY(!errorOf([] { parseJson("[1, 2, 3]", "x", {.bytes = 5}); }).empty());
    QVERIFY(!errorOf([] { parseJson("[[1]]", "x", {.depth = 1}); }).empty());
    QCOMPARE(parseJson("[[1]]", "x", {.depth = 2}).size(), std::size_t{1});
    constexpr auto twice = "{\"a\":{\"b\":1,\"b\":2}}";
    constexpr auto once = "{\"a\":{\"b\":1},\"c\":{\"b\":2}}";
    QVERIFY(!errorOf([] { parseJson(twice, "x", {.uniqueKeys = true}); }).empty());
    QVERIFY(errorOf([] { parseJson(once, "x", {.uniqueKeys = true}); }).empty());
    // Time grows with the text: were it with its square, this would not end.
    std::string many = "{";
    for (int i = 0; i < 200'000; ++i)
        many += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":{}";
    QCOMPARE(parseJson(many + "}", "x", {.uniqueKeys = true}).size(), std::size_t{200'000});
}

void TestJson::theLastOfANameCounts()
{
    const JsonObject object = JsonObject::parse(R"({"a": [1, [2]], "b": 1, "a": {"c": 3}, "b": null})", "x");
    QCOMPARE(object.requireObject("a").requireInt("c", 0, 9), 3);
    QVERIFY(!object.has("b"));
}

namespace {

// What it is told, in words.
class Listener final : public JsonVisitor
{
public:
    void begin() override { told.clear(); }
    void startList() override { told += "[ "; }
    void startObject() override { told += "{ "; }
    void key(const std::string& name) override { told += name + ": "; }
    void value(Json& value) override { told += value.dump() + ' '; }
    void end() override { told += ") "; }

    std::string told;
};

} // namespace

// The library's destructor of a list asks for as much memory again.
void TestJson::aTreeEndsWhereNoMemoryIsLeft()
{
    if (hasAddressSanitizer() || hasThreadSanitizer())
        QSKIP("a sanitizer has addresses of its own");
    constexpr std::size_t count = 5'000'000; // more than the C library keeps
    std::string text = R"({"a":[)";
    for (std::size_t i = 0; i < count; ++i)
        text += i == 0 ? "1" : ",1";
    std::optional<JsonObject> object = JsonObject::parse(text + "]}", "x");
    QCOMPARE(object->requireList("a").size(), count);
    const test::LittleMemory little(std::size_t{1} << 20U);
    object.reset();
}

void TestJson::aTreeOfVeryManyValuesIsRefused()
{
    constexpr std::size_t count = 4'500'000;
    std::string text = "{\"unknown\":[";
    for (std::size_t i = 0; i < count; ++i)
        text += i == 0 ? "{}" : ",{}";
    text += "]}";
    std::string message;
    const auto most = test::mostMemoryOf([&] { message = errorOf([&] { (void)parseJson(text, "x.json"); }); });
    QVERIFY2(namesAll(message, {"x.json: ", "8000000 values", "json-values="}), message.c_str());
    QVERIFY2(most.value_or(0) < 8e6, qPrintable(QString::number(most.value_or(0))));
}

void TestJson::aVisitorIsToldEverythingInOrder()
{
    const QTemporaryDir directory;
    const std::filesystem::path path = directory.filePath("x.json").toStdString();
    Listener listener;
    std::ofstream(path) << R"({"a": [1, -2, 0.5, {"b": "c"}], "a": null, "d": true})";
    visitJson(path, {}, listener);
    QCOMPARE(listener.told, std::string(R"({ a: [ 1 -2 0.5 { b: "c" ) ) a: null d: true ) )"));
    std::ofstream(path) << R"([1, NaN])"; // Python's, which are found late
    visitJson(path, {}, listener);
    QCOMPARE(listener.told, std::string(R"([ 1 "NaN" ) )"));
    std::ofstream(path) << R"([1, 2)";
    QCOMPARE(errorOf([&] { visitJson(path, {}, listener); }), path.string() + ": is not valid JSON (byte 6)");
}

void TestJson::readingEndsWhenItIsToStop()
{
    std::stop_source stop;
    const ThreadStop ofThisThread(stop.get_token());
    QCOMPARE(parseJson("[1]", "x").size(), std::size_t{1});
    stop.request_stop();
    try {
        parseJson("[1]", "x");
        QFAIL("it was read");
    } catch (const Error& error) {
        QCOMPARE(error.kind(), ErrorKind::Cancelled);
    }
}

namespace {

constexpr std::uint64_t hashFactor = 0xc6a4a7935bd1e995;

std::uint64_t mixed(std::uint64_t block)
{
    const std::uint64_t product = block * hashFactor;
    return (product ^ (product >> 47)) * hashFactor;
}

std::uint64_t unmixed(std::uint64_t value)
{
    std::uint64_t inverse = 1; // of the odd factor, twice as many bits right each time
    for (int i = 0; i < 6; ++i)
        inverse *= 2 - hashFactor * inverse;
    const std::uint64_t product = value * inverse;
    return (product ^ (product >> 47)) * inverse;
}

std::string lettersOf(std::uint64_t block)
{
    return {reinterpret_cast<const char*>(&block), sizeof block};
}

// Pairs of 16 letters after each of which libstdc++'s std::hash of a text (MurmurHash64A with its fixed seed) stands
// where it does after the other: with n of them, 2^n texts of one hash.
std::vector<std::array<std::string, 2>> alikePairs(std::size_t count)
{
    std::mt19937_64 chance(1);
    const auto word = [&chance] {
        std::string letters(8, ' ');
        std::ranges::generate(letters, [&] { return static_cast<char>('a' + chance() % 26); });
        std::uint64_t block = 0;
        std::memcpy(&block, letters.data(), sizeof block);
        return block;
    };
    std::vector<std::array<std::string, 2>> pairs;
    std::uint64_t hash = 0xc70f6907U ^ (16 * count * hashFactor);
    while (pairs.size() < count) {
        const std::uint64_t first = word();
        const std::uint64_t other = word();
        const std::uint64_t afterFirst = (hash ^ mixed(first)) * hashFactor;
        const std::uint64_t afterOther = (hash ^ mixed(other)) * hashFactor;
        std::uint64_t second = 0;
        std::string closing;
        do {
            second = word();
            closing = lettersOf(unmixed(mixed(second) ^ afterFirst ^ afterOther));
        } while (!std::ranges::all_of(closing, [](char c) { return c > '"' && c < '\x7f' && c != '\\'; }));
        pairs.push_back({lettersOf(first) + lettersOf(second), lettersOf(other) + closing});
        hash = (afterFirst ^ mixed(second)) * hashFactor;
    }
    return pairs;
}

} // namespace

void TestJson::namesWithAlikeHashesTakeNoLonger()
{
    constexpr std::size_t count = 15;
    const auto pairs = alikePairs(count);
    std::string text = "{";
    for (std::size_t which = 0; which < std::size_t{1} << count; ++which) {
        text += which == 0 ? "\"" : ",\"";
        for (std::size_t i = 0; i < count; ++i)
            text += pairs[i].at(which >> i & 1U);
        text += "\":0";
    }
    QElapsedTimer clock;
    clock.start();
    QCOMPARE(parseJson(text + "}", "x", {.uniqueKeys = true}).size(), std::size_t{1} << count);
    QVERIFY2(clock.elapsed() < 1000 * slowdown(), qPrintable(QString::number(clock.elapsed())));
}

void TestJson::bracketsInTextsAreNoDepth()
{
    constexpr auto text = "[\"[[[{{{\\\"[[\"]";
    QCOMPARE(parseJson(text, "x", {.depth = 1}).size(), std::size_t{1});
}

void TestJson::damageIsAValueOrAnError()
{
    const std::string problem = surviveDamage(bytesOf(config), 1, [](const Bytes& bytes) {
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        for (const std::string& field : JsonObject::parse(text, "x").fields())
            (void)JsonObject::parse(text, "x").numberOr(field, 1);
    });
    QVERIFY2(problem.empty(), problem.c_str());
}

ATTN_TEST(TestJson)
#include "tst_json.moc"
