// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>

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

} // namespace attn::ui
