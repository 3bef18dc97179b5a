// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/sound_player.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#ifdef ATTN_WITH_PLAYER
#include <QAudioFormat>
#include <QAudioSink>
#include <QBuffer>
#include <QMediaDevices>
#endif

namespace attn::ui {

#ifdef ATTN_WITH_PLAYER

// The device of the player's thread.
class Speaker final : public QObject
{
public:
    static bool hasDevice() { return !QMediaDevices::defaultAudioOutput().isNull(); }

    // `ended` is called once nothing is left to be heard.
    template<class Ended>
    void play(const QByteArray& bytes, int rate, Ended ended)
    {
        stop();
        QAudioFormat format;
        format.setSampleRate(rate);
        format.setChannelCount(1);
        format.setSampleFormat(QAudioFormat::Int16);
        m_buffer = std::make_unique<QBuffer>();
        m_buffer->setData(bytes);
        m_buffer->open(QIODevice::ReadOnly);
        m_sink = std::make_unique<QAudioSink>(QMediaDevices::defaultAudioOutput(), format);
        connect(m_sink.get(), &QAudioSink::stateChanged, this, [ended](QAudio::State state) {
            if (state == QAudio::IdleState || state == QAudio::StoppedState)
                ended();
        });
        m_sink->start(m_buffer.get());
    }

    void stop()
    {
        if (m_sink) {
            m_sink->disconnect(this);
            m_sink->reset();
        }
        m_sink.reset();
        m_buffer.reset();
    }

private:
    std::unique_ptr<QBuffer> m_buffer;
    std::unique_ptr<QAudioSink> m_sink;
};

#else

class Speaker final : public QObject
{
};

#endif

QByteArray pcmOf(const SourceMedia& media, const TimeSpan& span)
{
    if (!media.audio || media.rate <= 0 || !(span.begin < span.end))
        return {};
    constexpr double largest = 32767;
    const auto count = static_cast<double>(media.audio->size());
    const auto sampleAt = [&](float second) {
        return static_cast<std::ptrdiff_t>(
            std::clamp(std::round(static_cast<double>(second) * media.rate), 0.0, count));
    };
    std::vector<std::int16_t> samples;
    for (auto at = media.audio->begin() + sampleAt(span.begin); at != media.audio->begin() + sampleAt(span.end); ++at)
        samples.push_back(
            static_cast<std::int16_t>(std::lround(largest * std::clamp(static_cast<double>(*at), -1.0, 1.0))));
    return {reinterpret_cast<const char*>(samples.data()), // NOLINT: as devices take them
            static_cast<qsizetype>(samples.size() * sizeof(std::int16_t))};
}

SoundPlayer::SoundPlayer(QObject* parent)
    : QObject(parent)
{
    setObjectName(QStringLiteral("soundPlayer"));
}

SoundPlayer::~SoundPlayer()
{
    if (m_speaker)
        m_speaker.release()->deleteLater(); // on its thread
    m_thread.quit();
    m_thread.wait();
}

void SoundPlayer::prepare()
{
    if (std::exchange(m_prepared, true))
        return;
#ifdef ATTN_WITH_PLAYER
    m_speaker = std::make_unique<Speaker>();
    m_speaker->moveToThread(&m_thread);
    m_thread.start();
    QMetaObject::invokeMethod(m_speaker.get(), [this] {
        const QString problem = Speaker::hasDevice() ? QString() : tr("no audio device");
        QMetaObject::invokeMethod(this, [this, problem] { found(problem); });
    });
#else
    found(tr("built without Qt Multimedia"));
#endif
}

void SoundPlayer::found(const QString& problem)
{
    m_problem = problem;
    m_ready = problem.isEmpty();
    Q_EMIT changed();
}

void SoundPlayer::play(const SourceMedia& media, const TimeSpan& span)
{
    m_wanted = pcmOf(media, span);
    [[maybe_unused]] const quint64 number = ++m_number;
#ifdef ATTN_WITH_PLAYER
    if (m_ready) {
        QMetaObject::invokeMethod(
            m_speaker.get(), [this, speaker = m_speaker.get(), bytes = m_wanted, rate = media.rate, number] {
                if (bytes.isEmpty()) {
                    speaker->stop();
                    return;
                }
                speaker->play(bytes, rate,
                              [this, number] { QMetaObject::invokeMethod(this, [this, number] { ended(number); }); });
            });
    }
#endif
    Q_EMIT changed();
}

void SoundPlayer::stop()
{
    if (!m_wanted.isEmpty())
        play({}, {});
}

void SoundPlayer::ended(quint64 number)
{
    if (number == m_number)
        stop();
}

} // namespace attn::ui
