// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <string>
#include <string_view>

namespace attn {

// One attention of a model, and which head of it.
struct SiteChoice
{
    Site site;
    HeadChoice head;
};

// As commands, settings and archives write them: "encoder", "cross:2", "3" or "mean", "cross:2:mean".
const char* stageText(Stage stage);
std::string siteText(Site site);
std::string headText(HeadChoice head);
std::string siteText(const SiteChoice& choice);
const char* kindText(ModelKind kind); // "encoder-decoder", "encoder-only", "decoder-only"

// What is missing is layer 0 or head 0. Each throws Error{Input} that names `where`, or the part of it.
SiteChoice parseSite(std::string_view text, const std::string& where);
HeadChoice parseHead(std::string_view text, const std::string& where);

} // namespace attn
