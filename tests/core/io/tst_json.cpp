// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/progress.h"
#include "io/json.h"
#include "support/broken_files.h"
#include "support/compare.h"
#include "support/memory_used.h"
#include "support/test_program.h"
#include "support/verify_error.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <optional>
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
    void aTreeOfVeryManyValuesIsRefused();
    void readingEndsWhenItIsToStop();
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
          std::pair("{\"a\": ", "is not valid JSON"), std::pair("words", "is not valid JSON"),
          std::pair("{\"a\": nan}", "nan at byte 7"), std::pair("[1, -inf, 2]", "inf at byte 6"),
          std::pair("{\"a\": NaN, \"b\": Nan}", "Nan at byte 17"), std::pair("[infinite]", "(byte ")}) {
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
    addColumns<Access, QString>("access", "field");
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

void TestJson::readingEndsWhenItIsToStop()
{
    std::stop_source stop;
    const ThreadStop ofThisThread(stop.get_token());
    QCOMPARE(parseJson("[1]", "x").size(), std::size_t{1});
    stop.request_stop();
    test::verifyError(ErrorKind::Cancelled, {}, [&] { parseJson("[1]", "x"); });
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
