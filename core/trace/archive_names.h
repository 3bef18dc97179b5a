// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace attn {

inline constexpr std::string_view metadataName = "metadata";

// All that an archive can hold (formats.md section 4). Other arrays that a dump brings along are left alone.
inline constexpr std::string_view archiveNames[] = {"source_ids",
                                                    "source_segments",
                                                    "target_ids",
                                                    "source_tokens",
                                                    "target_tokens",
                                                    "encoder_attentions",
                                                    "decoder_attentions",
                                                    "cross_attentions",
                                                    "encoder_scores",
                                                    "decoder_scores",
                                                    "cross_scores",
                                                    "summary_attentions",
                                                    "summary_scores",
                                                    "sentence_attentions",
                                                    "sentence_scores",
                                                    "class_logits",
                                                    "class_names",
                                                    "logprobs",
                                                    "logits",
                                                    "hidden_states",
                                                    "encoder_hidden_states",
                                                    metadataName};

} // namespace attn
