// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoding/options.h"
#include "loading/model_loader.h"
#include "trace/attention_probe.h"
#include "trace/capture.h"
#include "trace/trace.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attn {

class TraceBuilder;

// What a person asks of a model: text or ids, perhaps a forced output.
struct RunRequest
{
    std::string text;
    std::optional<std::string> secondText; // of a sentence pair
    std::optional<std::string>
        sourceLanguage; // multilingual models: one of Tokenizers::languages; none: as the files say
    std::optional<std::string> targetLanguage;
    std::optional<std::vector<TokenId>> sourceIds; // instead of text; used as given
    std::vector<int> sourceSegments; // token types of sourceIds; empty: all 0
    std::optional<std::string> targetText; // force this output
    std::optional<std::vector<TokenId>> targetIds;
    DecodingOptions decoding;
    Capture capture;
    bool withoutPositions = false; // run the model without its positional encoding
    std::shared_ptr<AttentionProbe> probe; // filled by the run; may be null
};

// Text in, trace out. Makes the TraceBuilder (so that tokens have names), hands it to `started` before the model runs
// so that a window can take snapshots, runs, and returns the final trace. Used by the window, the command line and the
// tests alike.
Trace run(const LoadedModel& model, const RunRequest& request, Engine& engine, const std::stop_token& stop = {},
          const std::function<void()>& changed = {},
          const std::function<void(std::shared_ptr<const TraceBuilder>)>& started = {});

} // namespace attn
