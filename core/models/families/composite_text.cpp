// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/families/composite_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace attn {

namespace {

JsonObject textConfig(const JsonObject& whole, const Json& defaults)
{
    Json text = whole.requireObject("text_config").json();
    const auto fill = [&](std::string_view field, const Json& value) {
        if (!text.contains(field) || text[std::string(field)].is_null())
            text[std::string(field)] = value;
    };
    for (const char* field : {"architectures", "bos_token_id", "eos_token_id", "id2label", "pad_token_id",
                              "problem_type", "tie_word_embeddings"}) {
        if (const Json* const value = whole.find(field))
            fill(field, *value);
    }
    for (const auto& [field, value] : defaults.items())
        fill(field, value);
    return {std::move(text), whole.where() + ": text_config"};
}

// "language_model.model." and "language_model.lm_head.", or "model.language_model." and "lm_head.".
std::shared_ptr<const Checkpoint> textTensors(std::shared_ptr<const Checkpoint> whole)
{
    constexpr auto newer = "model.language_model.";
    const auto names = whole->tensorNames();
    const bool isNewer = std::ranges::any_of(names, [](const std::string& name) { return name.starts_with(newer); });
    return std::make_shared<RenamedCheckpoint>(std::move(whole), isNewer ? newer : "language_model.",
                                               std::vector<std::string>{"lm_head."});
}

} // namespace

CompositeText::CompositeText(const FamilyInput& input, const Json& defaults)
    : m_whole(input)
    , m_config(textConfig(input.config, defaults))
    , m_checkpoint(textTensors(input.checkpoint))
{
}

FamilyInput CompositeText::input() const
{
    return {m_config, m_checkpoint, m_whole.engine, m_whole.progress, m_whole.stop, m_whole.chooseStorage};
}

} // namespace attn
