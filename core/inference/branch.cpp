// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "base/utf8.h"
#include "inference/forced_output.h"

#include <algorithm>
#include <string>
#include <utility>

namespace attn {

namespace {

std::string spelledIds(const std::vector<TokenId>& ids)
{
    std::string text;
    for (const TokenId id : ids)
        text += (text.empty() ? "" : " ") + std::to_string(id);
    return text;
}

// The prompt's first `count` tokens as all that is read.
void cutPrompt(Question& question, const Encoding& prompt, int count, const Tokenizer* tokenizer)
{
    std::vector<TokenId> ids(prompt.ids.begin(), prompt.ids.begin() + count);
    if (tokenizer == nullptr && !question.sourceIds) {
        question.text = spelledIds(ids);
        return;
    }
    const bool spelled = prompt.spans.size() == prompt.ids.size();
    std::string text = spelled ? prompt.text.substr(0, prompt.spans[count - 1].end) : std::string();
    text.resize(validUtf8Prefix(text)); // a token may be a part of a character
    const bool same = tokenizer != nullptr && spelled && tokenizer->encode(text).ids == ids;
    if (spelled)
        question.text = text;
    question.sourceIds.reset();
    question.sourceSegments.clear();
    if (!same)
        question.sourceIds = std::move(ids);
}

} // namespace

Question branched(Question asked, const Trace& trace, const Branch& branch, const Tokenizer* tokenizer)
{
    const Trace::Path path = trace.path(branch.leaf);
    const bool decoderOnly = trace.kind() == ModelKind::DecoderOnly;
    const int prompt = decoderOnly ? indexSize(trace.source()) - 1 : 0;
    if (decoderOnly && branch.step < prompt)
        cutPrompt(asked, trace.source(), branch.step + 1, tokenizer);
    std::vector<TokenId> prefix;
    for (int step = prompt; step < std::min(branch.step, indexSize(path)); ++step)
        prefix.push_back(path[step]->step.token);
    prefix.insert(prefix.end(), branch.tokens.begin(), branch.tokens.end());
    if (decoderOnly)
        asked.decoding.generate = std::max(asked.decoding.generate, indexSize(prefix) + 1);
    asked.prefixText.reset();
    asked.prefixIds = std::move(prefix);
    asked.targetText.reset();
    asked.targetIds.reset();
    return asked;
}

} // namespace attn
