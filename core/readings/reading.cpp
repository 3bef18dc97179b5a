// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "readings/reading.h"

namespace attn {

extern const Reading attentionRollout;

std::span<const Reading* const> readings()
{
    static constexpr const Reading* rows[] = {&oneHead, &meanOfHeads, &maximumOfHeads, &attentionRollout};
    return rows;
}

} // namespace attn
