// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/atomic_file.h"
#include "io/npz.h"
#include "support/broken_files.h"
#include "support/test_program.h"
#include "support/verify_error.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <random>
#include <span>

using namespace attn;
using namespace attn::test;

namespace {

NpzWriter smallNpzWriter(Compression compression)
{
    NpzWriter writer(compression);
    std::vector<float> values(64, 0.5F);
    values[3] = -1;
    writer.add("weights", NpyArray::fromFloats({8, 8}, values));
    writer.add("text", NpyArray::fromText("▁a"));
    return writer;
}

Bytes smallNpz(Compression compression)
{
    return smallNpzWriter(compression).finish();
}

void readAll(const Bytes& bytes)
{
    const NpzReader reader(bytes, "x.npz");
    for (const std::string& name : reader.names())
        (void)reader.find(name);
}

// Where the central directory's record of the first entry starts.
std::size_t directoryRecord(const Bytes& archive)
{
    const Bytes mark = bytesOf("PK\x01\x02");
    return static_cast<std::size_t>(std::search(archive.begin(), archive.end(), mark.begin(), mark.end())
                                    - archive.begin());
}

// How the number of entries is stored.
enum class EndForm : std::uint8_t { Usual, Wide };

template<class Count, class Offset>
Bytes counted(std::uint64_t entries, std::uint64_t bytes, std::uint64_t offset)
{
    const auto count = littleEndian(static_cast<Count>(entries));
    return count + count + littleEndian(static_cast<Offset>(bytes)) + littleEndian(static_cast<Offset>(offset));
}

// An archive of empty entries.
Bytes zipOf(std::uint64_t entries, EndForm form)
{
    const Bytes local = bytesOf("PK\x03\x04") + Bytes(22) + littleEndian(std::uint16_t{1}) + Bytes(2) + bytesOf("a");
    Bytes archive = local;
    for (std::uint64_t i = 0; i < entries; ++i) {
        const std::string name = std::to_string(i);
        const Bytes entry = bytesOf("PK\x01\x02") + Bytes(24) + littleEndian(static_cast<std::uint16_t>(name.size()))
            + Bytes(16) + bytesOf(name);
        archive.insert(archive.end(), entry.begin(), entry.end());
    }
    const std::uint64_t end = archive.size();
    const std::uint64_t bytes = end - local.size();
    if (form == EndForm::Wide)
        archive = std::move(archive) + bytesOf("PK\x06\x06") + littleEndian(std::uint64_t{44}) + Bytes(12)
            + counted<std::uint64_t, std::uint64_t>(entries, bytes, local.size()) + bytesOf("PK\x06\x07") + Bytes(4)
            + littleEndian(end) + littleEndian(std::uint32_t{1});
    archive = std::move(archive) + bytesOf("PK\x05\x06") + Bytes(4)
        + (form == EndForm::Wide ? Bytes(12, std::byte{0xFF})
                                 : counted<std::uint16_t, std::uint32_t>(entries, bytes, local.size()))
        + Bytes(2);
    return archive;
}

} // namespace

class TestNpz : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void arraysSurviveTheRoundTrip_data()
    {
        QTest::addColumn<Compression>("compression");
        QTest::newRow("stored") << Compression::Stored;
        QTest::newRow("deflated") << Compression::Deflated;
    }

    void arraysSurviveTheRoundTrip()
    {
        QFETCH(Compression, compression);
        const QTemporaryDir directory;
        const std::filesystem::path path = directory.filePath("x.npz").toStdString();
        NpzWriter writer(compression);
        const std::vector<std::int64_t> ids = {5, -1, 7};
        const std::vector<float> weights(1000, 0.25F);
        writer.add("ids", NpyArray::fromIntegers({3}, ids));
        writer.add("weights", NpyArray::fromFloats({10, 100}, weights));
        writer.save(path);

        const NpzReader reader(path);
        QCOMPARE(reader.names(), (std::vector<std::string>{"ids", "weights"}));
        QCOMPARE(reader.find("ids")->integers(), ids);
        QCOMPARE(reader.find("weights")->floats(), weights);
        QCOMPARE(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}), std::ptrdiff_t{1});
    }

    void partsAreAnArray_data() { arraysSurviveTheRoundTrip_data(); }

    // In a file, an unnamed one and memory, to the same bytes as an array that is there.
    void partsAreAnArray()
    {
        QFETCH(Compression, compression);
        const QTemporaryDir directory;
        const std::filesystem::path path = directory.filePath("x.npz").toStdString();
        std::vector<float> numbers(700'000);
        std::iota(numbers.begin(), numbers.end(), 0.5F);
        const auto written = [&] {
            NpzWriter writer(compression);
            writer.add(
                "weights", {7, 100'000},
                [&, part = std::size_t{0}]() mutable {
                    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(part++ * 100'000);
                    return NumberVector<float>(begin, begin + 100'000);
                },
                numbers);
            writer.add("ids", NpyArray::fromIntegers({1}, std::vector<std::int64_t>{5}));
            return writer;
        };
        NpzWriter whole(compression);
        whole.add("weights", NpyArray::fromFloats({7, 100'000}, numbers));
        whole.add("ids", NpyArray::fromIntegers({1}, std::vector<std::int64_t>{5}));
        const Bytes expected = whole.finish();
        QVERIFY(written().finish() == expected);
        ByteSource spooled = written().spool(path.parent_path());
        Bytes bytes(spooled.size);
        spooled.read(bytes);
        QVERIFY(bytes == expected);
        written().save(path);
        QCOMPARE(std::filesystem::file_size(path), std::uintmax_t{expected.size()});
        QCOMPARE(NpzReader(path).find("weights")->floats(), numbers);
        QCOMPARE(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}), std::ptrdiff_t{1});
    }

    void whatFailsOnTheWayLeavesTheOldFile()
    {
        const QTemporaryDir directory;
        const std::filesystem::path path = directory.filePath("x.npz").toStdString();
        smallNpzWriter(Compression::Deflated).save(path);
        const auto size = std::filesystem::file_size(path);
        NpzWriter failing;
        failing.add("weights", {2, 400'000},
                    [part = 0]() mutable {
                        if (part++ > 0)
                            throw Error(ErrorKind::Cancelled, "archive", "was stopped");
                        return NumberVector<float>(400'000, 0.5F);
                    },
                    {});
        test::verifyError(ErrorKind::Cancelled, {}, [&] { failing.save(path); });
        QCOMPARE(std::filesystem::file_size(path), size);
        QCOMPARE(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}), std::ptrdiff_t{1});
        NpzWriter incomplete;
        incomplete.add("weights", {2, 4}, [] { return NumberVector<float>(); }, {});
        QVERIFY(!errorOf([&] { (void)incomplete.finish(); }).empty());
    }

    void entriesHaveNoClock()
    {
        NpzWriter writer;
        writer.add("ids", NpyArray::fromIntegers({1}, std::vector<std::int64_t>{5}));
        const Bytes bytes = writer.finish();
        const Bytes midnight = littleEndian(std::uint16_t{0}) + littleEndian(std::uint16_t{0x21}); // 1980-01-01
        QVERIFY(std::equal(midnight.begin(), midnight.end(), bytes.begin() + 10));
    }

    void entriesAreReadAlternately_data() { arraysSurviveTheRoundTrip_data(); }

    void entriesAreReadAlternately()
    {
        QFETCH(Compression, compression);
        const QTemporaryDir directory;
        const std::filesystem::path path = directory.filePath("x.npz").toStdString();
        NpzWriter writer(compression);
        std::vector<float> weights(300'000);
        std::iota(weights.begin(), weights.end(), 0.0F);
        const std::vector<float> scores(weights.rbegin(), weights.rend());
        writer.add("weights", NpyArray::fromFloats({300'000}, weights));
        writer.add("scores", NpyArray::fromFloats({300'000}, scores));
        writer.save(path);

        const NpzReader reader(path);
        auto first = reader.open("weights");
        auto second = reader.open("scores");
        for (std::size_t part = 0; part < 3; ++part) {
            const std::size_t begin = part * 100'000;
            QVERIFY(std::ranges::equal(first->floats(100'000), std::span(weights).subspan(begin, 100'000)));
            QVERIFY(std::ranges::equal(second->floats(100'000), std::span(scores).subspan(begin, 100'000)));
        }
    }

    void aShrinkingFileIsAnError()
    {
        const QTemporaryDir directory;
        const std::filesystem::path path = directory.filePath("x.npz").toStdString();
        NpzWriter writer(Compression::Stored);
        writer.add("weights", NpyArray::fromFloats({1'000'000}, std::vector<float>(1'000'000, 0.5F)));
        writer.save(path);
        const NpzReader reader(path);
        auto weights = reader.open("weights");
        (void)weights->floats(1000);
        std::filesystem::resize_file(path, 100'000);
        QVERIFY(!errorOf([&] { (void)weights->floats(999'000); }).empty());
    }

    void missingNamesAreNoError()
    {
        const Bytes bytes = smallNpz(Compression::Stored);
        const NpzReader reader(bytes, "x.npz");
        QVERIFY(!reader.contains("absent"));
        QVERIFY(!reader.find("absent").has_value());
        const ZipReader zip(bytes, "x.npz");
        QVERIFY(errorOf([&] { zip.open("absent", 10); }).find("\"absent\"") != std::string::npos);
        QVERIFY(errorOf([&] { zip.open("weights.npy", 10); }).find(" 10") != std::string::npos);
    }

    void sameNameTwiceIsRefused()
    {
        NpzWriter writer;
        writer.add("a", NpyArray::fromText("1"));
        QVERIFY(!errorOf([&] { writer.add("a", NpyArray::fromText("2")); }).empty());
    }

    void encryptedEntriesAreRefused()
    {
        Bytes bytes = smallNpz(Compression::Stored);
        bytes[directoryRecord(bytes) + 8] |= std::byte{1}; // general purpose flag: encrypted
        bytes[6] |= std::byte{1};
        const std::string message = errorOf([&] { readAll(bytes); });
        QVERIFY2(message.find("encrypted") != std::string::npos, message.c_str());
    }

    void lyingSizesAreRefused()
    {
        Bytes bytes = smallNpz(Compression::Deflated);
        const std::size_t sizeField = directoryRecord(bytes) + 24;
        for (std::size_t i = 0; i < 4; ++i)
            bytes[sizeField + i] = i == 3 ? std::byte{0x0F} : std::byte{0xFF}; // 256 MB from a few hundred bytes
        const std::string message = errorOf([&] { readAll(bytes); });
        QVERIFY2(message.find("compressed ones") != std::string::npos, message.c_str());
    }

    void wrongChecksumIsRefused()
    {
        Bytes bytes = smallNpz(Compression::Stored);
        const Bytes value = littleEndian(-1.0F);
        const auto place = std::search(bytes.begin(), bytes.end(), value.begin(), value.end());
        QVERIFY(place != bytes.end());
        *place = std::byte{0x55};
        const std::string message = errorOf([&] { readAll(bytes); });
        QVERIFY2(message.find("CRC") != std::string::npos, message.c_str());
    }

    void directoriesOfTooManyEntriesAreRefused_data()
    {
        addColumns<quint64, EndForm>("entries", "form");
        QTest::addColumn<QString>("expected"); // none: it is read
        constexpr quint64 most = 12'000;
        const QString tooMany =
            QStringLiteral("holds 12001 entries, more than the 12000 that are read (ATTNSCOPE_LIMITS=zip");
        QTest::newRow("most") << most << EndForm::Usual << QString();
        QTest::newRow("one more") << most + 1 << EndForm::Usual << tooMany;
        QTest::newRow("a large archive") << most + 1 << EndForm::Wide << tooMany;
        QTest::newRow("modulo 65536") << quint64{65536} << EndForm::Usual << QStringLiteral("has a directory of more");
    }

    void directoriesOfTooManyEntriesAreRefused()
    {
        QFETCH(quint64, entries);
        QFETCH(EndForm, form);
        QFETCH(QString, expected);
        const Bytes bytes = zipOf(entries, form);
        const QTemporaryDir directory;
        const std::filesystem::path path = directory.filePath("x.npz").toStdString();
        AtomicFile file(path);
        file.write(bytes);
        file.commit();
        for (const bool inMemory : {true, false}) {
            const std::string message = errorOf([&] {
                const ZipReader reader = inMemory ? ZipReader(bytes, path.string()) : ZipReader(path);
                QCOMPARE(reader.names().size(), std::size_t{entries});
            });
            if (expected.isEmpty())
                QCOMPARE(message, std::string());
            else
                QVERIFY2(message.starts_with(path.string() + ": " + expected.toStdString()), message.c_str());
        }
    }

    // Archives inside an archive have records of their own.
    void archivesInsideAreNotTakenForTheArchive()
    {
        ZipWriter writer(Compression::Stored);
        for (int i = 0; i < 50; ++i)
            writer.add(std::to_string(i), smallNpz(Compression::Stored));
        QCOMPARE(ZipReader(writer.finish(), "x.zip").names().size(), std::size_t{50});
    }

    void otherFilesAreRefused()
    {
        for (const Bytes& bytes : {Bytes{}, bytesOf("PK\x03\x04"), bytesOf("some text"), Bytes(1000, std::byte{0})}) {
            const std::string message = errorOf([&] { readAll(bytes); });
            QVERIFY2(message.starts_with("x.npz: "), message.c_str());
            QVERIFY2(message.find("zip archive, probably") == std::string::npos, message.c_str());
        }
        QCOMPARE(
            errorOf([] { readAll(bytesOf("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")); }),
            std::string("x.npz: is a Git LFS pointer, not the file itself (run 'git lfs pull' in its folder)"));
        QVERIFY(errorOf([] { readAll(bytesOf("<!DOCTYPE html>")); }).find(" is a web page") != std::string::npos);
        const QTemporaryDir directory;
        const std::string path = directory.path().toStdString();
        QVERIFY(errorOf([&] { NpzReader reader{std::filesystem::path(path)}; }).starts_with(path + ": "));
        QVERIFY(errorOf([&] {
                    NpzReader reader{std::filesystem::path(path) / "absent.npz"};
                }).starts_with(path + "/absent.npz: "));
    }

    void damageIsAValueOrAnError()
    {
        for (const Compression compression : {Compression::Stored, Compression::Deflated}) {
            const std::string problem = surviveDamage(smallNpz(compression), 1, readAll);
            QVERIFY2(problem.empty(), problem.c_str());
        }
    }

    void writesTensOfMegabytes()
    {
        std::vector<float> values(4'000'000);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = 1.0F / static_cast<float>(1 + i % 977);
        for (const Compression compression : {Compression::Stored, Compression::Deflated}) {
            NpzWriter writer(compression);
            writer.add("logits", NpyArray::fromFloats({500, 8000}, values));
            const Bytes bytes = writer.finish();
            QCOMPARE(NpzReader(bytes, "large").find("logits")->floats(), values);
        }
    }

    // The last bits of weights are as good as chance; maps that are half empty are another matter.
    void onlyWhatShrinksIsDeflated()
    {
        std::mt19937 chance(1);
        std::uniform_real_distribution<float> weight(0.001F, 1);
        std::vector<float> values(200'000);
        const auto sizeOf = [&values] {
            NpzWriter writer(Compression::Deflated);
            writer.add("encoder_attentions", NpyArray::fromFloats({400, 500}, values));
            const Bytes bytes = writer.finish();
            [&] { QCOMPARE(NpzReader(bytes, "maps").find("encoder_attentions")->floats(), values); }();
            return bytes.size();
        };
        for (float& value : values)
            value = weight(chance);
        const std::size_t stored = values.size() * sizeof(float);
        QVERIFY(sizeOf() > stored);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = i % 500 > i / 500 ? 0 : values[i];
        QVERIFY(sizeOf() < stored * 3 / 4);
    }
};

ATTN_TEST(TestNpz)
#include "tst_npz.moc"
