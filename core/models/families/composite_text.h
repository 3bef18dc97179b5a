// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/json.h"
#include "models/families/family.h"

#include <memory>

namespace attn {

// The text part of a model that reads pictures, too: what text_config says, and the tensors under the names that a text
// model has.
class CompositeText
{
public:
    // defaults: what counts where text_config does not say; of the whole model's fields those about tokens and heads
    // do before. Throws Error{Format}.
    CompositeText(const FamilyInput& input, const Json& defaults);

    const JsonObject& config() const { return m_config; }
    FamilyInput input() const; // lives as long as this

private:
    const FamilyInput& m_whole;
    JsonObject m_config;
    std::shared_ptr<const Checkpoint> m_checkpoint;
};

} // namespace attn
