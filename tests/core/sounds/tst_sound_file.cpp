// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "sounds/sound_file.h"
#include "support/test_program.h"
#include "support/wav_bytes.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace attn;
using namespace attn::test;

namespace {

constexpr SoundExcerpt wholeSound{16000, 0, 1'000'000};

double largestDifference(std::span<const float> found, std::span<const double> expected)
{
    double largest = found.size() == expected.size() ? 0 : std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i)
        largest = std::max(largest, std::abs(double{found[i]} - expected[i]));
    return largest;
}

// A FLAC file of one channel at 16 kHz that holds none of the samples that it promises.
std::vector<std::byte> flacHeader(std::uint64_t samples)
{
    std::vector<std::byte> bytes;
    const auto put = [&](std::uint64_t value, int count) {
        for (int i = count - 1; i >= 0; --i)
            bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
    };
    put(0x664C6143, 4); // fLaC
    put(0x80000022, 4); // the last block of metadata, 34 bytes
    put(0x10001000, 4); // samples of a block
    put(0, 6); // bytes of a frame are not known
    put(std::uint64_t{16000} << 44U | std::uint64_t{15} << 36U | samples, 8);
    put(0, 16); // nor is the sum
    return bytes;
}

} // namespace

// Sounds made here, so that every sample is known.
class TestSoundFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void samplesAreFractionsOfTheLargest_data()
    {
        QTest::addColumn<int>("bits");
        for (const int bits : {8, 16, 24, 32, -32})
            QTest::addRow("%d bits", bits) << bits;
    }
    void samplesAreFractionsOfTheLargest()
    {
        QFETCH(int, bits);
        const std::vector<double> samples{0, 0.5, -0.5, -1, 0.25, -0.125};
        const SoundFile read = decodeSound(wavBytes(samples, {.bits = bits}), wholeSound, "x.wav");
        QCOMPARE(largestDifference(read.samples, samples), 0.0);
        QCOMPARE(read.total, 6);
        QCOMPARE(read.rate, 16000);
    }

    void loudFloatsAndNaNAreTakenAsTheyAre()
    {
        const SoundFile read =
            decodeSound(wavBytes(std::vector<double>{3, std::nan(""), -2}, {.bits = -32}), wholeSound, "x.wav");
        QCOMPARE(read.samples[0], 3.0F);
        QVERIFY(std::isnan(read.samples[1]));
        QCOMPARE(read.samples[2], -2.0F);
    }

    void channelsAreAveraged()
    {
        const std::vector<double> frame{0.5, 0, 0, 0, 0, 0, 0.25, 0, 0, 0.5, 0, 0, 0, -0.5};
        const SoundFile read = decodeSound(wavBytes(frame, {.channels = 7}), wholeSound, "x.wav");
        QCOMPARE(read.channels, 7);
        QCOMPARE(read.samples.size(), std::size_t{2});
        QVERIFY(std::abs(read.samples[0] - 0.75F / 7) < 1e-6F);
        QVERIFY(std::abs(read.samples[1]) < 1e-6F);
    }

    void aToneStaysThatToneAtAnotherRate_data()
    {
        QTest::addColumn<int>("rate");
        for (const int rate : {8000, 11025, 44100, 48000, 192000})
            QTest::addRow("%d", rate) << rate;
    }
    void aToneStaysThatToneAtAnotherRate()
    {
        QFETCH(int, rate);
        const SoundFile read =
            decodeSound(wavBytes(tone(440, 1, rate), {.rate = rate, .bits = -32}), wholeSound, "x.wav");
        QCOMPARE(read.total, 16000);
        QCOMPARE(read.samples.size(), std::size_t{16000});
        const std::vector<double> expected = tone(440, 1, 16000);
        constexpr std::size_t edge = 800; // where the tone begins and ends of a sudden
        QVERIFY(largestDifference(std::span(read.samples).subspan(edge, 16000 - 2 * edge),
                                  std::span(expected).subspan(edge, 16000 - 2 * edge))
                < 1e-3);
    }

    void whatIsAboveTheNewRateIsLeftOut()
    {
        const SoundFile read = decodeSound(wavBytes(tone(12000, 1, 48000), {.rate = 48000}), wholeSound, "x.wav");
        const std::span<const float> middle = std::span(read.samples).subspan(800, 14400);
        QVERIFY(std::ranges::max(middle) < 1e-3F);
    }

    void anExcerptIsThePartOfTheWhole_data()
    {
        addColumns<int, int>("rate", "first");
        for (const int rate : {16000, 44100}) {
            for (const int first : {0, 1, 15999, 16000, 40001})
                QTest::addRow("%d from %d", rate, first) << rate << first;
        }
    }
    void anExcerptIsThePartOfTheWhole()
    {
        QFETCH(int, rate);
        QFETCH(int, first);
        const auto bytes = wavBytes(tone(313, 4, rate), {.rate = rate});
        const SoundFile whole = decodeSound(bytes, wholeSound, "x.wav");
        const SoundFile part = decodeSound(bytes, {16000, first, 9000}, "x.wav");
        const auto expected = std::span(whole.samples).subspan(static_cast<std::size_t>(first), 9000);
        QCOMPARE(part.samples.size(), std::size_t{9000});
        QVERIFY(largestDifference(part.samples, std::vector<double>(expected.begin(), expected.end())) < 1e-5);
        QCOMPARE(part.total, whole.total);
    }

    void anExcerptEndsWithTheSound()
    {
        const auto bytes = wavBytes(tone(313, 1, 16000), {});
        QCOMPARE(decodeSound(bytes, {16000, 15000, 9000}, "x").samples.size(), std::size_t{1000});
        QVERIFY(decodeSound(bytes, {16000, 16000, 9000}, "x").samples.empty());
        const SoundFile known = decodeSound(bytes, {16000, 0, 0}, "x");
        QVERIFY(known.samples.empty());
        QCOMPARE(known.total, 16000);
    }

    void aHeaderThatLiesChangesNothing_data()
    {
        QTest::addColumn<quint32>("claimed");
        QTest::newRow("twice as much") << 64000U;
        QTest::newRow("as much as there can be") << 0xFFFFFFFFU;
    }
    void aHeaderThatLiesChangesNothing()
    {
        QFETCH(quint32, claimed);
        const auto bytes = wavBytes(tone(313, 1, 16000), {.claimedBytes = claimed});
        const SoundFile read = decodeSound(bytes, wholeSound, "x.wav");
        QCOMPARE(read.samples.size(), std::size_t{16000});
        QCOMPARE(read.total, 16000);
    }

    void whatIsNoSoundIsRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("a text") << QByteArray("four three three one\n");
        QTest::newRow("a picture") << QByteArray("\x89PNG\r\n\x1A\n....");
        QTest::newRow("a header alone") << QByteArray("RIFF\xFF\0\0\0WAVE", 12);
        const auto slow = wavBytes(std::vector<double>(10), {.rate = 1});
        QTest::newRow("one sample a second")
            << QByteArray(reinterpret_cast<const char*>(slow.data()), std::ssize(slow));
    }
    void whatIsNoSoundIsRefused()
    {
        QFETCH(QByteArray, bytes);
        try {
            (void)decodeSound(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))),
                              wholeSound, "x.wav");
            QFAIL("is read");
        } catch (const Error& error) {
            QVERIFY(error.kind() == ErrorKind::Format || error.kind() == ErrorKind::Input);
            QCOMPARE(QByteArray::fromStdString(error.where()), QByteArray("x.wav"));
        }
    }

    void moreThanADayIsRefusedByItsHeader()
    {
        QVERIFY_THROWS_EXCEPTION(Error,
                                 decodeSound(flacHeader(std::uint64_t{16000} * 3600 * 25), wholeSound, "x.flac"));
    }

    void aSoundWithoutSamplesHasNone()
    {
        const SoundFile read = decodeSound(wavBytes({}, {}), wholeSound, "x.wav");
        QCOMPARE(read.total, 0);
        QVERIFY(read.samples.empty());
    }
};

ATTN_TEST(TestSoundFile)
#include "tst_sound_file.moc"
