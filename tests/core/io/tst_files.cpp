// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.h"
#include "io/atomic_file.h"
#include "io/byte_reader.h"
#include "io/mapped_file.h"
#include "support/broken_files.h"
#include "support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stop_token>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace attn;
using namespace attn::test;
namespace fs = std::filesystem;

class TestFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        std::ofstream(path("old")) << "old text";
    }

    void committedFileReplacesTheOld()
    {
        AtomicFile file(path("old"));
        file.write("new ");
        file.write(std::span<const std::byte>(bytesOf("text")));
        QCOMPARE(content(path("old")), std::string("old text"));
        file.commit();
        QCOMPARE(content(path("old")), std::string("new text"));
        QCOMPARE(fileCount(), std::ptrdiff_t{1});
    }

    void withoutCommitNothingChanges()
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

    void linksAreFollowed()
    {
        fs::create_symlink(path("old"), path("link"));
        AtomicFile file(path("link"));
        file.write("through");
        file.commit();
        QVERIFY(fs::is_symlink(path("link")));
        QCOMPARE(content(path("old")), std::string("through"));
    }

    void linksToFilesThatAreNotThereAreFollowed()
    {
        fs::create_directory(path("folder"));
        fs::create_symlink("folder/second", path("first"));
        fs::create_symlink("new", path("folder/second")); // from its own folder
        AtomicFile file(path("first"));
        file.write("through");
        file.commit();
        QVERIFY(fs::is_symlink(path("first")) && fs::is_symlink(path("folder/second")));
        QCOMPARE(content(path("folder/new")), std::string("through"));
        QCOMPARE(unfinishedPath(path("first")), path("folder/new.part"));
    }

    void linksThatLeadNowhereAreNamed()
    {
        fs::create_symlink("absent/new", path("link"));
        fs::create_symlink("circle", path("circle"));
        const std::string absent = errorOf([&] { AtomicFile file(path("link")); });
        QVERIFY2(absent.starts_with(path("link").string() + ": ") && absent.find("absent/new") != std::string::npos,
                 absent.c_str());
        const std::string circle = errorOf([&] { AtomicFile file(path("circle")); });
        QVERIFY2(circle.find(std::strerror(ELOOP)) != std::string::npos, circle.c_str());
        QVERIFY(fs::is_symlink(path("link")) && fs::is_symlink(path("circle")));
    }

    void descriptorsAreWrittenWhereTheyStand()
    {
        const int opened = ::open(path("old").c_str(), O_WRONLY | O_CLOEXEC);
        QCOMPARE(::lseek(opened, 4, SEEK_SET), off_t{4});
        const fs::path descriptor = fs::path("/dev/fd") / std::to_string(opened);
        fs::create_symlink(descriptor, path("link"));
        for (const fs::path& name : {descriptor, path("link")}) {
            AtomicFile file(name, 0);
            file.write("new");
            QVERIFY(!file.goesBack());
            file.commit();
        }
        { // given up
            AtomicFile file(descriptor, 0);
            file.write(", ");
        }
        QCOMPARE(::write(opened, "half", 4), ssize_t{4});
        ::close(opened);
        QCOMPARE(content(path("old")), std::string("old newnew, half"));
        QCOMPARE(fileCount(), std::ptrdiff_t{2});
    }

    void permissionsStay()
    {
        for (const auto mode : {fs::perms{0600}, fs::perms{0640}, fs::perms{0755}}) {
            fs::permissions(path("old"), mode);
            AtomicFile file(path("old"));
            file.write("new");
            file.commit();
            QCOMPARE(fs::status(path("old")).permissions(), mode);
        }
    }

    void unfinishedLinesAreKept()
    {
        {
            AtomicFile file(path("old"), 0);
            file.write("one\ntw");
            QVERIFY(errorOf([&] { AtomicFile other(path("old"), 0); }).find("another program") != std::string::npos);
        }
        QCOMPARE(content(path("old")), std::string("old text"));
        QCOMPARE(content(unfinishedPath(path("old"))), std::string("one\ntw"));
        AtomicFile file(path("old"), 4);
        file.write("two\n");
        file.commit();
        QCOMPARE(content(path("old")), std::string("one\ntwo\n"));
        {
            const AtomicFile nothing(path("new"), 0);
        }
        QCOMPARE(fileCount(), std::ptrdiff_t{1});
    }

    void unfinishedLinesAreAFileOfTheirOwn()
    {
        const fs::path unfinished = unfinishedPath(path("new"));
        const auto refused = [&](std::string_view why) {
            const std::string message = errorOf([&] { AtomicFile file(path("new"), 0); });
            return message.starts_with(unfinished.string() + ": ") && message.find(why) != std::string::npos;
        };
        fs::create_symlink("old", unfinished);
        QVERIFY(refused(std::strerror(ELOOP)));
        fs::remove(unfinished);
        QCOMPARE(::mkfifo(unfinished.c_str(), 0600), 0);
        QVERIFY(refused("no file of unfinished lines") || refused("cannot be written"));
        fs::remove(unfinished);
        QCOMPARE(content(path("old")), std::string("old text"));
        QVERIFY(!fs::exists(path("new")));
    }

    void twoFilesAreCommittedTogether()
    {
        {
            AtomicFile links(path("old"), 0);
            AtomicFile answers(path("answers"), 0);
            links.write("0-0\n");
            answers.write("{}\n");
            fs::create_directory(path("answers"));
            QVERIFY(!errorOf([&] { AtomicFile::commit(links, answers); }).empty());
        }
        QCOMPARE(content(path("old")), std::string("0-0\n"));
        QCOMPARE(content(unfinishedPath(path("answers"))), std::string("{}\n"));
        fs::remove(path("answers"));
        AtomicFile links(path("old"), 0);
        AtomicFile answers(path("answers"), 3);
        links.write("1-1\n");
        AtomicFile::commit(links, answers);
        QCOMPARE(content(path("old")), std::string("1-1\n"));
        QCOMPARE(content(path("answers")), std::string("{}\n"));
        QCOMPARE(fileCount(), std::ptrdiff_t{2});
    }

    void aPipeIsWaitedFor()
    {
        QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
        const std::string text(std::size_t{1} << 20U, 'x'); // more than a pipe holds
        std::string got;
        std::jthread reader([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            std::ifstream pipe(path("pipe"));
            got.assign(std::istreambuf_iterator<char>(pipe), {});
        });
        {
            AtomicFile file(path("pipe"));
            file.write(text);
            file.commit();
        }
        reader.join();
        QVERIFY(got == text);
    }

    void waitingForAPipeEnds()
    {
        QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
        const auto stopped = [](const auto& action) {
            std::stop_source stop;
            const ThreadStop ofThis(stop.get_token());
            std::jthread user([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                stop.request_stop();
            });
            const std::string message = errorOf(action);
            user.join();
            return message.find("cancelled") != std::string::npos;
        };
        QVERIFY(stopped([&] { AtomicFile file(path("pipe")); })); // nobody reads it

        const int idle = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        QVERIFY(idle >= 0);
        QVERIFY(stopped([&] {
            AtomicFile file(path("pipe"));
            file.write(std::string(std::size_t{1} << 20U, 'x'));
        }));
        ::close(idle);
    }

    void devicesAreWrittenDirectly()
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

    void unwritablePlacesAreNamed()
    {
        const fs::path missing = path("absent") / "x.npz";
        QVERIFY(errorOf([&] { AtomicFile file(missing); }).starts_with(missing.string() + ": "));
        QVERIFY(errorOf([&] { AtomicFile file(path("")); }).starts_with(path("").string() + ": "));
        QVERIFY(!errorOf([&] { AtomicFile file(path("absent/")); }).empty());
        QVERIFY(!errorOf([] { AtomicFile file(""); }).empty());
    }

    void filesOfTheirOwnerAreNobodyElses()
    {
        const auto others = fs::perms::group_all | fs::perms::others_all;
        const mode_t before = ::umask(0);
        for (const Readers readers : {Readers::Usual, Readers::Owner}) {
            fs::remove(path("own"));
            AtomicFile file(path("own"), readers);
            file.write("text");
            file.commit();
            const bool isOwn = (fs::status(path("own")).permissions() & others) == fs::perms::none;
            QCOMPARE(isOwn, readers == Readers::Owner);
        }
        ::umask(before);
    }

    void mappedFilesHoldTheBytes()
    {
        const MappedFile file(path("old"));
        QVERIFY(Bytes(file.bytes().begin(), file.bytes().end()) == bytesOf("old text"));
        file.requireUnchanged();
        std::ofstream(path("empty")).flush();
        QVERIFY(MappedFile(path("empty")).bytes().empty());
    }

    void filesCutShortReadAsZeros()
    {
        constexpr std::size_t size = 1'000'000;
        std::ofstream(path("large")) << std::string(size, 'x');
        const MappedFile file(path("large"));
        const MappedFile other(path("old"));
        QCOMPARE(std::to_integer<int>(file.bytes()[size / 2]), int{'x'});
        fs::resize_file(path("large"), size / 4);
        std::size_t zeros = 0;
        std::thread([&] { zeros = static_cast<std::size_t>(std::ranges::count(file.bytes(), std::byte{0})); }).join();
        QVERIFY(zeros > size / 2 && zeros <= size - size / 4);
        const std::string message = errorOf([&] { file.requireUnchanged(); });
        QVERIFY2(message.starts_with(path("large").string() + ": has been changed"), message.c_str());
        std::ofstream(path("large"), std::ios::app) << std::string(size, 'y'); // what has been read is still lost
        QVERIFY(!errorOf([&] { file.requireUnchanged(); }).empty());
        other.requireUnchanged();
    }

    void filesWrittenToAreNoticed()
    {
        const MappedFile file(path("old"));
        fs::resize_file(path("old"), 4); // inside the last page: no signal comes
        QVERIFY(!errorOf([&] { file.requireUnchanged(); }).empty());
        const auto overwrite = [this](const char* name) {
            std::fstream(path(name), std::ios::in | std::ios::out) << "NEW";
        };
        const std::function<void()> deeds[] = {[&] { overwrite("new"); },
                                               [&] { // and the time of that is put back
                                                   const auto time = fs::last_write_time(path("new"));
                                                   overwrite("new");
                                                   fs::last_write_time(path("new"), time);
                                               },
                                               [&] { // under a name that is another file's by now
                                                   overwrite("new");
                                                   fs::rename(path("old"), path("new"));
                                               },
                                               [&] {
                                                   overwrite("new");
                                                   fs::remove(path("new"));
                                               }};
        for (const auto& deed : deeds) {
            std::ofstream(path("old")) << "old text";
            std::ofstream(path("new")) << "new text";
            const MappedFile kept(path("new"));
            kept.requireUnchanged();
            std::this_thread::sleep_for(std::chrono::milliseconds(20)); // the clock of files ticks
            deed();
            const std::string message = errorOf([&] { kept.requireUnchanged(); });
            QVERIFY2(message.starts_with(path("new").string() + ": has been changed"), message.c_str());
        }
        std::ofstream(path("old")) << "old text";
        std::ofstream(path("new")) << "new text";
        const MappedFile kept(path("new"));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        fs::rename(path("old"), path("new")); // what is mapped is still there
        kept.requireUnchanged();
        QVERIFY(Bytes(kept.bytes().begin(), kept.bytes().end()) == bytesOf("new text"));
    }

    void unreadableFilesAreNamed()
    {
        QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
        for (const fs::path& place : {path("absent"), path(""), fs::path("/dev/zero"), path("pipe")}) {
            const std::string message = errorOf([&] { MappedFile file(place); });
            QVERIFY2(message.starts_with(place.string() + ": "), message.c_str());
        }
    }

    void byteReaderChecksBeforeItReads()
    {
        const Bytes bytes = littleEndian(std::uint32_t{0x01020304}) + littleEndian(std::uint32_t{3}) + Bytes(10);
        ByteReader reader(bytes, "file");
        QCOMPARE(reader.integer<std::uint32_t>(), std::uint32_t{0x01020304});
        ByteReader counted = reader;
        QCOMPARE(counted.count<std::uint32_t>(3), std::uint32_t{3});
        const std::string tooMany = errorOf([&] { reader.count<std::uint32_t>(4); });
        QVERIFY2(tooMany.starts_with("file: ") && tooMany.find(" 3 ") != std::string::npos, tooMany.c_str());
        const std::string tooFar = errorOf([&] { reader.take(std::numeric_limits<std::uint64_t>::max()); });
        QVERIFY2(tooFar.find("byte 8") != std::string::npos && tooFar.find(" 10 ") != std::string::npos,
                 tooFar.c_str());
        QCOMPARE(reader.take(10).size(), std::size_t{10});
        QCOMPARE(reader.remaining(), std::size_t{0});
    }

private:
    fs::path path(const char* name) const { return fs::path(m_directory->path().toStdString()) / name; }
    static std::string content(const fs::path& file) { return readWholeFile(file); }
    std::ptrdiff_t fileCount() const { return std::distance(fs::directory_iterator(path(".")), {}); }

    std::unique_ptr<QTemporaryDir> m_directory;
};

ATTN_TEST(TestFiles)
#include "tst_files.moc"
