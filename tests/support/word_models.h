// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace attn::test {

// Tiny checkpoints with word lists, made of the golden cases' weights: source words are s4, s5 ..., target words t4,
// t5 ... Each call writes to a directory of its own inside `folder` and returns it.
QString recurrentModel(const QString& folder); // one cross site with one head
QString endlessModel(const QString& folder); // recurrent, never produces its end token
QString transformerModel(const QString& folder); // 2 encoder layers, 1 decoder layer, 2 heads, at most 64 tokens
QString blindModel(const QString& folder); // recurrent, without attention
QString hardModel(const QString& folder); // recurrent, all the weight at one word
QString lostModel(const QString& folder); // transformer, the vector of s6 holds no number
QString brokenModel(const QString& folder); // model.safetensors ends too early

} // namespace attn::test
