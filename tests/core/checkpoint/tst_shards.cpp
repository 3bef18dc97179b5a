// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/checkpoint.h"
#include "checkpoint/stored_tensor.h"
#include "stored_files.h"
#include "support/broken_files.h"
#include "support/compare.h"
#include "support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <sys/stat.h>

using namespace attn;
using namespace attn::test;

namespace fs = std::filesystem;

namespace {

// One f32 scalar-like tensor [1].
Bytes shard(const std::string& tensor, float value)
{
    return safetensors(R"({")" + tensor + R"(":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 0)
        + littleEndian(value);
}

constexpr auto indexName = "model.safetensors.index.json";

class TwoShards
{
public:
    explicit TwoShards(const std::string& index)
    {
        write(path() / "one.safetensors", shard("a", 1));
        write(path() / "two.safetensors", shard("b", 2));
        write(path() / indexName, bytesOf(index));
    }
    fs::path path() const { return m_directory.path().toStdString(); }

private:
    QTemporaryDir m_directory;
};

constexpr auto goodIndex =
    R"({"metadata": {"total_size": 8}, "weight_map": {"a": "one.safetensors", "b": "two.safetensors"}})";

} // namespace

class TestShards : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTensorsOfAllShards()
    {
        const TwoShards shards(goodIndex);
        for (const fs::path& path : {shards.path(), shards.path() / indexName}) {
            const auto checkpoint = openCheckpoint(path);
            QCOMPARE(checkpoint->name(), (shards.path() / indexName).string());
            QCOMPARE(checkpoint->tensorNames(), (std::vector<std::string>{"a", "b"}));
            QCOMPARE(checkpoint->load("a", {1}).values()[0], 1.0F);
            QCOMPARE(checkpoint->load("b", {1}).values()[0], 2.0F);
            const auto files = checkpoint->files();
            QCOMPARE(files.size(), std::size_t{2});
            QCOMPARE(files[0].name, std::string("one.safetensors"));
            QCOMPARE(files[1].tensors, std::size_t{1});
            QCOMPARE(files[1].bytes, std::uint64_t{shard("b", 2).size()});
            QCOMPARE(files[1].dtypes, (std::vector<DType>{DType::F32}));
            QVERIFY(checkpoint->config() == nullptr);
        }
    }

    void brokenIndicesAreRefused_data()
    {
        const auto map = [](const std::string& entries) { return R"({"weight_map": {)" + entries + "}}"; };
        addColumns<QString, QString>("index", "expected");
        const auto row = [](const char* name, const std::string& index, const char* expected) {
            QTest::newRow(name) << QString::fromStdString(index) << QString(expected);
        };
        row("not json", "weights", "not valid JSON");
        row("no map", R"({"metadata": {}})", "weight_map: expected an object");
        row("empty map", map(""), "weight_map is empty");
        row("number", map(R"("a": 1)"), "weight_map.a: expected a text");
        row("upwards", map(R"("a": "../one.safetensors")"), "not a plain file name");
        row("absolute", map(R"("a": "/etc/passwd")"), "not a plain file name");
        row("backslash", map(R"("a": "..\\one.safetensors")"), "not a plain file name");
        row("zero byte", map(R"("a": "one.safetensors\u0000x")"),
            "names the shard \"one.safetensors\\x00x\", which is not a plain file name");
        row("dots", map(R"("a": "..")"), "not a plain file name");
        row("nameless", map(R"("a": "")"), "not a plain file name");
        row("shard missing", map(R"("a": "one.safetensors", "c": "three.safetensors")"),
            "three.safetensors: is missing; model.safetensors.index.json needs it");
        row("tensor elsewhere", map(R"("b": "one.safetensors", "a": "two.safetensors")"), "does not hold the tensor a");
        row("tensor twice", map(R"("a": "one.safetensors", "a": "two.safetensors")"), "names \"a\" twice");
        row("the index itself", map(R"("a": "model.safetensors.index.json")"), "is a JSON document");
    }

    void brokenIndicesAreRefused()
    {
        QFETCH(QString, index);
        QFETCH(QString, expected);
        const TwoShards shards(index.toStdString());
        const std::string message = errorOf([&] { openCheckpoint(shards.path()); });
        QVERIFY2(message.find(expected.toStdString()) != std::string::npos, message.c_str());
    }

    void aListedTensorMayBeInNoShard()
    {
        const TwoShards shards(
            R"({"weight_map": {"a": "one.safetensors", "b": "two.safetensors", "lm_head.weight": "two.safetensors",
                           "shared.weight": "one.safetensors"}})");
        const auto checkpoint = openCheckpoint(shards.path());
        QCOMPARE(checkpoint->tensorNames(), (std::vector<std::string>{"a", "b"}));
        QVERIFY(!checkpoint->find("lm_head.weight"));
        const std::string message = errorOf([&] { (void)checkpoint->load("lm_head.weight", {2, 3}); });
        QVERIFY2(namesAll(message, {"lm_head.weight: ", "config.json", "[2, 3]"}), message.c_str());
    }

    void aTensorInTwoShardsIsRefused()
    {
        const TwoShards shards(goodIndex);
        write(shards.path() / "two.safetensors", shard("a", 3));
        const std::string message = errorOf([&] { openCheckpoint(shards.path()); });
        QVERIFY2(namesAll(message, {"two.safetensors: ", "one.safetensors"}), message.c_str());
    }

    void choosesTheWeightsOfADirectory()
    {
        const TwoShards shards(goodIndex);
        write(shards.path() / "model.safetensors", shard("whole", 5));
        QCOMPARE(openCheckpoint(shards.path())->tensorNames(), (std::vector<std::string>{"whole"}));
        QCOMPARE(openCheckpoint(shards.path() / "two.safetensors")->tensorNames(), (std::vector<std::string>{"b"}));

        const QTemporaryDir other;
        const fs::path path = other.path().toStdString();
        QVERIFY(namesAll(errorOf([&] { weightsPath(path); }), {"model.safetensors", "pytorch_model.bin", "GGUF"}));
        write(path / "q8.gguf", {});
        QCOMPARE(weightsPath(path), path / "q8.gguf");
        write(path / "f16.gguf", {});
        QVERIFY(namesAll(errorOf([&] { weightsPath(path); }), {path.string(), " 2 GGUF"}));
        write(path / "pytorch_model.bin", {});
        QCOMPARE(weightsPath(path), path / "pytorch_model.bin");
    }

    void whatIsNoRegularFileIsRefusedUnread_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"model.safetensors", "pytorch_model.bin", "model.safetensors.index.json", "model.gguf"})
            QTest::newRow(name) << name;
    }

    // Opening a pipe without a writer never returns.
    void whatIsNoRegularFileIsRefusedUnread()
    {
        QFETCH(QString, name);
        const QTemporaryDir directory;
        const fs::path folder = directory.path().toStdString();
        const fs::path path = folder / name.toStdString();
        const auto verifyRefused = [&] {
            QVERIFY(!isGgufFile(path));
            for (const fs::path& given : {path, folder}) {
                const std::string message = errorOf([&] { openCheckpoint(given); });
                QVERIFY2(message.starts_with(path.string() + ": "), message.c_str());
            }
        };
        QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
        verifyRefused();
        fs::remove(path);
        fs::create_symlink("/dev/zero", path);
        verifyRefused();
        fs::remove(path);
        fs::create_directory(path);
        QVERIFY(!isGgufFile(path));
        const std::string message = errorOf([&] { openCheckpoint(folder); });
        QVERIFY2(message.starts_with(path.string() + ": "), message.c_str());
    }

    void aShardMeansTheIndexBesideIt_data()
    {
        addColumns<QString, bool>("file", "isShard");
        QTest::newRow("shard") << "model-00002-of-00003.safetensors" << true;
        QTest::newRow("dashes") << "model-00002-of-00003-of-00004.safetensors" << false;
        QTest::newRow("short number") << "model-0002-of-00003.safetensors" << false;
        QTest::newRow("letters") << "model-0000a-of-00003.safetensors" << false;
        QTest::newRow("no name") << "-00002-of-00003.safetensors" << false;
        QTest::newRow("other words") << "model-00002_of-00003.safetensors" << false;
        QTest::newRow("other ending") << "model-00002-of-00003.bin" << false;
    }

    void aShardMeansTheIndexBesideIt()
    {
        QFETCH(const QString, file);
        QFETCH(const bool, isShard);
        const TwoShards shards(goodIndex);
        const fs::path given = shards.path() / file.toStdString();
        write(given, {});
        QCOMPARE(weightsPath(given), isShard ? shards.path() / indexName : given);
    }

    void readsValuesInAnotherOrder()
    {
        Bytes bytes;
        for (int i = 0; i < 12; ++i)
            bytes = std::move(bytes) + littleEndian(static_cast<float>(i));
        const auto read = [&](const Shape& shape, const std::vector<Axis>& axes) {
            const Tensor tensor = toFloat32(StoredTensor{{DType::F32, shape, bytes}, axes, {}});
            return std::vector<float>(tensor.values().begin(), tensor.values().end());
        };
        QCOMPARE(read({4, 3}, {{4, 1}, {3, 4}}), (std::vector<float>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
        // Two heads of three pairs to two halves: rows of two values.
        QCOMPARE(read({6, 2}, {{1, 12}, {2, 2}, {3, 4}, {2, 1}}),
                 (std::vector<float>{0, 1, 4, 5, 8, 9, 2, 3, 6, 7, 10, 11}));
        QCOMPARE(read({3}, {{3, 4}}), (std::vector<float>{0, 4, 8}));
        QCOMPARE(read({2, 3}, {{2, 0}, {3, 1}}), (std::vector<float>{0, 1, 2, 0, 1, 2}));
    }
};

ATTN_TEST(TestShards)
#include "tst_shards.moc"
