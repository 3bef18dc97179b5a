// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/site.h"

#include <string>
#include <string_view>

namespace attn {

// As commands, settings and archives write them: "encoder", "cross:2".
const char* stageText(Stage stage);
std::string siteText(Site site);
// Names of an attention, its rows and its columns, for translation in the context "attn::ui".
struct AttentionNames
{
    const char* name; // "encoder-decoder attention"
    const char* rows; // "target (the step that writes it)"
    const char* columns; // "source (input)"
};
const AttentionNames& attentionNames(Stage stage, ModelKind kind);
const char* kindText(ModelKind kind); // "encoder-decoder", "encoder-only", "decoder-only"

// Throws Error{Input} that names `where`.
Stage parseStage(std::string_view text, const std::string& where);

} // namespace attn
