// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/atomic_file.h"
#include "io/byte_reader.h"
#include "io/mapped_file.h"
#include "support/broken_files.h"

#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>

using namespace attn;
using namespace attn::test;
namespace fs = std::filesystem;

class TestFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void committedFileReplacesTheOld();
    void withoutCommitNothingChanges();
    void linksAreFollowed();
    void devicesAreWrittenDirectly();
    void unwritablePlacesAreNamed();
    void mappedFilesHoldTheBytes();
    void unreadableFilesAreNamed();
    void byteReaderChecksBeforeItReads();

private:
    fs::path path(const char* name) const { return fs::path(m_directory->path().toStdString()) / name; }
    static std::string content(const fs::path& file) { return std::string(MappedFile(file).text()); }
    std::ptrdiff_t fileCount() const { return std::distance(fs::directory_iterator(path(".")), {}); }

    std::unique_ptr<QTemporaryDir> m_directory;
};

void TestFiles::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    std::ofstream(path("old")) << "old text";
}

void TestFiles::committedFileReplacesTheOld()
{
    AtomicFile file(path("old"));
    file.write("new ");
    file.write(std::span<const std::byte>(bytesOf("text")));
    QCOMPARE(content(path("old")), std::string("old text"));
    file.commit();
    QCOMPARE(content(path("old")), std::string("new text"));
    QCOMPARE(fileCount(), std::ptrdiff_t{1});
}

void TestFiles::withoutCommitNothingChanges()
{
    {
        AtomicFile file(path("old"));
        file.write("half");
        AtomicFile other(path("new"));
        QCOMPARE(fileCount(), std::ptrdiff_t{3});
    }
    QCOMPARE(content(path("old")), std::string("old text"));
    QCOMPARE(fileCount(), std::ptrdiff_t{1});
}

void TestFiles::linksAreFollowed()
{
    fs::create_symlink(path("old"), path("link"));
    AtomicFile file(path("link"));
    file.write("through");
    file.commit();
    QVERIFY(fs::is_symlink(path("link")));
    QCOMPARE(content(path("old")), std::string("through"));
}

void TestFiles::devicesAreWrittenDirectly()
{
    AtomicFile file("/dev/null");
    file.write("gone");
    file.commit();
    QVERIFY(fs::is_character_file("/dev/null"));
    const std::string message = errorOf([] {
        AtomicFile full("/dev/full");
        full.write("text");
        full.commit();
    });
    QVERIFY2(message.starts_with("/dev/full: "), message.c_str());
}

void TestFiles::unwritablePlacesAreNamed()
{
    const fs::path missing = path("absent") / "x.npz";
    QVERIFY(errorOf([&] { AtomicFile file(missing); }).starts_with(missing.string() + ": "));
    QVERIFY(errorOf([&] { AtomicFile file(path("")); }).starts_with(path("").string() + ": "));
}

void TestFiles::mappedFilesHoldTheBytes()
{
    const MappedFile file(path("old"));
    QCOMPARE(file.text(), std::string_view("old text"));
    QCOMPARE(file.bytes().size(), std::size_t{8});
    std::ofstream(path("empty")).flush();
    QVERIFY(MappedFile(path("empty")).bytes().empty());
}

void TestFiles::unreadableFilesAreNamed()
{
    QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
    for (const fs::path& place : {path("absent"), path(""), fs::path("/dev/zero"), path("pipe")}) {
        const std::string message = errorOf([&] { MappedFile file(place); });
        QVERIFY2(message.starts_with(place.string() + ": "), message.c_str());
    }
}

void TestFiles::byteReaderChecksBeforeItReads()
{
    const Bytes bytes = littleEndian(std::uint32_t{0x01020304}) + littleEndian(std::uint32_t{3}) + Bytes(10);
    ByteReader reader(bytes, "file");
    QCOMPARE(reader.integer<std::uint32_t>(), std::uint32_t{0x01020304});
    ByteReader counted = reader;
    QCOMPARE(counted.count<std::uint32_t>(3), std::uint32_t{3});
    const std::string tooMany = errorOf([&] { reader.count<std::uint32_t>(4); });
    QVERIFY2(tooMany.starts_with("file: ") && tooMany.find(" 3 ") != std::string::npos, tooMany.c_str());
    const std::string tooFar = errorOf([&] { reader.take(std::numeric_limits<std::uint64_t>::max()); });
    QVERIFY2(tooFar.find("byte 8") != std::string::npos && tooFar.find(" 10 ") != std::string::npos, tooFar.c_str());
    QCOMPARE(reader.take(10).size(), std::size_t{10});
    QCOMPARE(reader.remaining(), std::size_t{0});
}

QTEST_GUILESS_MAIN(TestFiles)
#include "tst_files.moc"
