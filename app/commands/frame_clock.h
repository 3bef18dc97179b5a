// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commands/bench_run.h"

#include <QApplication>
#include <QKeyEvent>
#include <QString>
#include <QTimer>

#include <chrono>
#include <functional>
#include <stop_token>
#include <vector>

namespace attn::app {

// A key that is posted from another thread, and when.
class PostedKey final : public QKeyEvent
{
public:
    PostedKey(int key, const QString& letter)
        : QKeyEvent(QEvent::KeyPress, key, Qt::NoModifier, letter)
    {
    }

    const BenchClock::time_point posted = BenchClock::now();
};

// Times what the window's thread does: all events go through it. A frame is the processor time of the thread between
// one picture and the next; a stall is a single event, during which nothing else is answered.
class FrameClock final : public QApplication
{
public:
    FrameClock(int& argumentCount, char** arguments, std::stop_token stop);

    bool notify(QObject* receiver, QEvent* event) override;

    // Forgets what was timed.
    void begin();
    // Handles events until so many pictures more were painted, or `patience` is over. Throws Error{Cancelled}, as what
    // follows.
    void paint(int pictures, std::chrono::milliseconds patience = std::chrono::milliseconds(500));
    // Handles events until this is so.
    void wait(const std::function<bool()>& done);

    const std::vector<double>& frames() const { return m_frames; } // milliseconds of the processor
    const std::vector<double>& keys() const { return m_keys; } // from when a key was posted until it was dealt with
    double stall() const { return m_stall; } // the longest

    // The picture that counts was painted.
    void painted() { m_painted = true; }

private:
    std::stop_token m_stop;
    QTimer m_heartbeat; // so that to be stopped is noticed
    int m_depth = 0;
    bool m_painted = false; // by the event that is being handled
    double m_busy = 0; // since the last picture
    double m_stall = 0;
    std::vector<double> m_frames;
    std::vector<double> m_keys;
};

} // namespace attn::app
