// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "trace/source_media.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QThread>

#include <memory>

namespace attn::ui {

class Speaker;

// Samples of a span, of one channel, 16 bits each in the machine's order; those that there are.
QByteArray pcmOf(const SourceMedia& media, const TimeSpan& span);

// Plays parts of a sound, on a thread of its own, by Qt Multimedia where the program was built with it. Nothing of that
// is touched before prepare().
class SoundPlayer final : public QObject
{
    Q_OBJECT

public:
    explicit SoundPlayer(QObject* parent = nullptr);
    ~SoundPlayer() override;

    void prepare(); // looks for a device, the first time; what is found is told by changed()
    bool ready() const { return m_ready; }
    const QString& problem() const { return m_problem; } // why nothing can be heard; empty: none is known
    // Bytes that play, or would with a device; empty: none.
    const QByteArray& wanted() const { return m_wanted; }

public Q_SLOTS:
    void play(const attn::SourceMedia& media, const attn::TimeSpan& span); // in place of what plays
    void stop();

Q_SIGNALS:
    void changed();

private:
    void found(const QString& problem);
    void ended(quint64 number);

    QThread m_thread;
    std::unique_ptr<Speaker> m_speaker; // lives there
    QByteArray m_wanted;
    quint64 m_number = 0; // of what was asked for last
    QString m_problem;
    bool m_prepared = false;
    bool m_ready = false;
};

} // namespace attn::ui
