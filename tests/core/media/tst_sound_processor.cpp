// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "media/sound_processor.h"
#include "support/test_program.h"
#include "support/wav_bytes.h"

#include <QTest>

#include <algorithm>
#include <vector>

using namespace attn;
using namespace attn::test;

namespace {

SoundProcessor oneSecond()
{
    SoundProcessor processor;
    processor.seconds = 1;
    return processor;
}

// The loudest band in the middle of a tone.
Index loudestBand(double frequency)
{
    const std::vector<double> samples = tone(frequency, 1, 16000);
    const Numbers features = logMelSpectrogram(oneSecond(), std::vector<float>(samples.begin(), samples.end()));
    Index best = 0;
    for (Index band = 1; band < features.rows; ++band)
        best = features.at(band, 50) > features.at(best, 50) ? band : best;
    return best;
}

} // namespace

// Its numbers are held against PyTorch's by tst_cli_sounds.
class TestSoundProcessor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void silenceIsLevel()
    {
        const Numbers features = logMelSpectrogram(oneSecond(), std::vector<float>(16000));
        QCOMPARE(features.rows, 80);
        QCOMPARE(features.columns, 100);
        QVERIFY(std::ranges::all_of(features.values, [](float value) { return value == -1.5F; }));
    }

    void bandsAreEvenBelow1000Hertz()
    {
        const Index low = loudestBand(300);
        const Index middle = loudestBand(600);
        const Index high = loudestBand(900);
        QVERIFY(std::abs((middle - low) - (high - middle)) <= 1);
        QVERIFY(loudestBand(4000) - loudestBand(2000) == loudestBand(2000) - loudestBand(1000)
                || std::abs(loudestBand(4000) - 2 * loudestBand(2000) + loudestBand(1000)) <= 1);
    }

    void nothingIsMoreThanEightPowersOfTenBelowTheLoudest()
    {
        const std::vector<double> samples = tone(440, 0.5, 16000);
        const Numbers features = logMelSpectrogram(oneSecond(), std::vector<float>(samples.begin(), samples.end()));
        const auto [least, most] = std::ranges::minmax(features.values);
        QVERIFY(std::abs(most - least - 2) < 1e-6F);
    }

    void columnsFollowOneAnother()
    {
        const Encoding tokens = soundTokens(oneSecond());
        QCOMPARE(tokens.size(), std::size_t{50});
        QCOMPARE(tokens.tokens[3], std::string("0.06"));
        for (std::size_t i = 1; i < tokens.size(); ++i)
            QCOMPARE(tokens.times[i].begin, tokens.times[i - 1].end);
        QCOMPARE(tokens.times.back().end, 1.0F);
        QCOMPARE(oneSecond().columnsOf(160), 1);
        QCOMPARE(oneSecond().columnsOf(8000), 25);
        QCOMPARE(oneSecond().columnsOf(1'000'000), 50);
    }

    void settingsAreRead()
    {
        const auto read = [](const char* text) {
            const JsonObject file = JsonObject::parse(text, "preprocessor_config.json");
            return readSoundProcessor(&file, 80);
        };
        const SoundProcessor processor =
            read(R"({"feature_size": 80, "sampling_rate": 8000, "hop_length": 80, "n_fft": 200, "chunk_length": 2})");
        QCOMPARE(processor.frames(), 200);
        QVERIFY(!processor.assumed && readSoundProcessor(nullptr, 80).assumed);
        for (const char* text :
             {R"({"feature_size": 128})", R"({"n_fft": 0})", R"({"hop_length": -1})", R"({"chunk_length": 1e9})",
              R"({"sampling_rate": 300, "n_fft": 60000, "chunk_length": 1})"})
            QVERIFY_THROWS_EXCEPTION(Error, read(text));
    }
};

ATTN_TEST(TestSoundProcessor)
#include "tst_sound_processor.moc"
