// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/site.h"

namespace attn::test {

constexpr Site encoder0{Stage::Encoder, 0};
constexpr Site encoder1{Stage::Encoder, 1};
constexpr Site decoder0{Stage::Decoder, 0};
constexpr Site cross0{Stage::Cross, 0};

} // namespace attn::test
