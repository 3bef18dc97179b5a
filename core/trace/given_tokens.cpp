// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/given_tokens.h"

#include "base/index.h"

#include <optional>

namespace attn {

std::vector<TokenId> givenTokens(const Trace& trace)
{
    std::vector<TokenId> tokens;
    const std::vector<TokenId>& prompt = trace.source().ids;
    if (trace.kind() == ModelKind::DecoderOnly && !prompt.empty())
        tokens.assign(prompt.begin() + 1, prompt.end());
    const std::vector<TokenId>& prefix = trace.provenance().prefixIds;
    tokens.insert(tokens.end(), prefix.begin(), prefix.end());
    return tokens;
}

Trace::Path stepsAlong(const Trace& trace, std::span<const TokenId> tokens)
{
    std::optional<StepId> last;
    for (int index = 0, found = 0; index < trace.stepCount() && found < indexSize(tokens); ++index) {
        const DecodingStep& step = trace.step(StepId{index}).step;
        if (step.parent == last && step.token == tokens[found]) {
            last = step.index;
            ++found;
        }
    }
    return last ? trace.path(last) : Trace::Path();
}

} // namespace attn
