// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"

#include <QString>

#include <cstdint>
#include <span>
#include <stop_token>

namespace attn::ui {

// Parts of the numbers of a figure that can be copied: cells of a line are parted by tabs, as spreadsheets take them.
struct CopyRow
{
    enum class What : std::uint8_t { Value, Row, Column, Table };
    const char* id; // its action's name
    const char* title; // for translated()
    What what;

    bool fits(const FigureSpec& spec, const FigureHit& hit) const;
};
std::span<const CopyRow> copyRows();

// Text in full precision, rows and columns with their labels. Empty: there is nothing. Throws attn::Error{Cancelled}.
QString copiedText(const FigureSpec& spec, const Trace& trace, const FigureHit& hit, CopyRow::What what,
                   const std::stop_token& stop = {});
// The part that is meant without saying it: the value of a cell, the row or column of a label, or else the table.
CopyRow::What meantBy(const FigureSpec& spec, const FigureHit& hit);

} // namespace attn::ui
