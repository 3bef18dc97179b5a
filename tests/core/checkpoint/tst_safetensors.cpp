// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "checkpoint/checkpoint.h"
#include "checkpoint/stored_tensor.h"
#include "stored_files.h"
#include "support/broken_files.h"
#include "support/compare.h"
#include "support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>

using namespace attn;
using namespace attn::test;

namespace {

} // namespace

class TestSafetensors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsTensorsOfSeveralTypes()
    {
        const Bytes file = smallSafetensors();
        const StoredTensors tensors = readSafetensors(file, "small");
        QCOMPARE(tensors.size(), std::size_t{2});
        const Tensor a = toFloat32(tensors.at("a"));
        QCOMPARE(a.shape(), (Shape{2, 2}));
        QCOMPARE(std::vector<float>(a.values().begin(), a.values().end()), (std::vector<float>{1, -2, 0.5F, 4}));
        const Tensor b = toFloat32(tensors.at("b"));
        QCOMPARE(std::vector<float>(b.values().begin(), b.values().end()),
                 (std::vector<float>{1, -2, std::ldexp(1.0F, -24)}));
    }

    void emptyTensorsAndScalars()
    {
        const Bytes file = safetensors(R"({"empty":{"dtype":"F32","shape":[0,5],"data_offsets":[0,0]},)"
                                       R"("scalar":{"dtype":"F64","shape":[],"data_offsets":[0,8]}}  )",
                                       8);
        const StoredTensors tensors = readSafetensors(file, "file");
        QCOMPARE(toFloat32(tensors.at("empty")).size(), std::size_t{0});
        QCOMPARE(toFloat32(tensors.at("scalar")).size(), std::size_t{1});
        const Bytes none = safetensors("{}", 0);
        QVERIFY(readSafetensors(none, "file").empty());
    }

    void tensorsOfUnknownTypesAreThereButNotRead()
    {
        const QTemporaryDir directory;
        const std::filesystem::path path = directory.path().toStdString();
        write(path / "model.safetensors",
              safetensors(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                          R"("f8":{"dtype":"F8_E8M0","shape":[2],"data_offsets":[4,6]},)"
                          R"("i16":{"dtype":"I16","shape":[1],"data_offsets":[6,8]}})",
                          8));
        const auto checkpoint = openCheckpoint(path);
        QCOMPARE(checkpoint->tensorNames(), (std::vector<std::string>{"a", "f8", "i16"}));
        QCOMPARE(checkpoint->load("a", {1}).size(), std::size_t{1});
        QVERIFY(checkpoint->problemOf("a").empty());
        QVERIFY(namesAll(checkpoint->problemOf("i16"), {"i16"}));
        const std::string message = errorOf([&] { (void)checkpoint->load("f8", {2}); });
        QVERIFY2(namesAll(message, {"model.safetensors: f8: ", "F8_E8M0"}), message.c_str());
    }

    void brokenFilesAreRefused_data()
    {
        QTest::addColumn<BrokenFile>("file");
        for (const BrokenFile& file : brokenSafetensors())
            QTest::newRow(file.name.c_str()) << file;
    }

    void brokenFilesAreRefused()
    {
        QFETCH(BrokenFile, file);
        const std::string message = errorOf([&] { readSafetensors(file.bytes, "w.safetensors"); });
        QVERIFY2(message.starts_with("w.safetensors: "), message.c_str());
        QVERIFY2(message.find(file.expected) != std::string::npos, message.c_str());
    }

    void damageIsAValueOrAnError()
    {
        const std::string problem = surviveDamage(smallSafetensors(), 1, [](const Bytes& bytes) {
            for (const auto& [name, tensor] : readSafetensors(bytes, "damaged"))
                toFloat32(tensor);
        });
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void loadNamesWhatDoesNotFit()
    {
        const QTemporaryDir directory;
        const std::filesystem::path path = directory.path().toStdString();
        write(path / "model.safetensors", smallSafetensors());
        const auto checkpoint = openCheckpoint(path);
        QCOMPARE(checkpoint->tensorNames(), (std::vector<std::string>{"a", "b"}));
        QCOMPARE(checkpoint->load("a", {2, 2}).size(), std::size_t{4});
        QVERIFY(!checkpoint->find("c").has_value());
        const std::string wrong = errorOf([&] { (void)checkpoint->load("a", {4}); });
        const std::string file = (path / "model.safetensors").string();
        QVERIFY2(wrong.starts_with(file + ": a: ") && namesAll(wrong, {"[4]", "config.json", "[2, 2]"}), wrong.c_str());
        const std::string missing = errorOf([&] { (void)checkpoint->load("c", {4, 1}); });
        QVERIFY2(missing.starts_with(file + ": c: ") && namesAll(missing, {"config.json", "[4, 1]"}), missing.c_str());
        QVERIFY(!namesAll(missing, {"[2, 2]"})); // there is none
    }

    void namesWhatADirectoryHolds()
    {
        const QTemporaryDir directory;
        const std::filesystem::path path = directory.path().toStdString();
        QVERIFY(namesAll(errorOf([&] { openCheckpoint(path); }), {path.string(), "model.safetensors"}));
        QVERIFY(namesAll(errorOf([&] { openCheckpoint(path / "absent"); }), {"absent"}));
        write(path / "pytorch_model.bin", bytesOf("PK"));
        const std::string plain = errorOf([&] { openCheckpoint(path); });
        QVERIFY2(namesAll(plain, {"pytorch_model.bin: "}), plain.c_str());
        write(path / "pytorch_model.bin", Bytes(3, std::byte{0xA7}));
        const std::string neither = errorOf([&] { openCheckpoint(path); });
        QVERIFY2(namesAll(neither, {"pytorch_model.bin: ", " 3 bytes"}), neither.c_str());
        QVERIFY(!namesAll(plain, {" bytes"})); // a text is told as such
        write(path / "model.safetensors", bytesOf("version https://git-lfs.github.com/spec/v1\n"));
        const std::string pointer = errorOf([&] { openCheckpoint(path); });
        QVERIFY2(namesAll(pointer, {"model.safetensors: ", "Git LFS"}), pointer.c_str());
    }

    // A header's length may begin like a pickle.
    void anyHeaderLengthIsTold()
    {
        const QTemporaryDir directory;
        const std::filesystem::path path = directory.path().toStdString();
        for (std::size_t length = 0x78; length <= 0x580; length += 8) {
            std::string header = R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
            header.resize(length, ' ');
            write(path / "model.safetensors", safetensors(header, 4));
            QCOMPARE(openCheckpoint(path)->tensorNames(), std::vector<std::string>{"a"});
        }
        QVERIFY(!isSafetensors(bytesOf("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46{")));
    }
};

ATTN_TEST(TestSafetensors)
#include "tst_safetensors.moc"
