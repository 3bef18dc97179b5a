// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace attn::ui {

// A word of the field.
struct Term
{
    const char* name; // for translated()
    const char* meaning; // in one line, for the same
    const char* paper; // authors, year, title: where it comes from, or is explained best
};

// In the order of their English names.
std::span<const Term> glossary();

} // namespace attn::ui
