// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <Qt>

namespace attn::ui {

// A painter is as it was once this ends, also where painting was stopped.
class SavedPainter
{
public:
    explicit SavedPainter(QPainter& painter)
        : m_painter(painter)
    {
        m_painter.save();
    }
    ~SavedPainter() { m_painter.restore(); }
    SavedPainter(const SavedPainter&) = delete;
    SavedPainter& operator=(const SavedPainter&) = delete;

private:
    QPainter& m_painter;
};

// A paint device whose letters may be of another width than Qt's: it wants to know which point of a text is fixed.
class AlignedDevice
{
public:
    virtual ~AlignedDevice() = default;
    virtual void alignNext(Qt::AlignmentFlag side) = 0; // of the text that is drawn next
};

} // namespace attn::ui
