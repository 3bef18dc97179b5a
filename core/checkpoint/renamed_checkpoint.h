// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/checkpoint.h"

namespace attn {

// A checkpoint under the names of its architecture: without the base model's prefix, where the file has one, and with
// normalisation tensors called weight and bias, not gamma and beta.
class RenamedCheckpoint final : public Checkpoint
{
public:
    // prefix: "bert."; may be empty. outside: beginnings of names that never have it ("cls.").
    RenamedCheckpoint(std::shared_ptr<const Checkpoint> stored, std::string prefix, std::vector<std::string> outside);

    std::string name() const override { return m_stored->name(); }
    const JsonObject* config() const override { return m_stored->config(); }
    std::vector<std::string> tensorNames() const override;
    std::optional<TensorView> find(std::string_view tensor) const override;
    std::string problemOf(std::string_view tensor) const override { return m_stored->problemOf(storedName(tensor)); }
    Tensor load(std::string_view tensor, const Shape& shape) const override;
    void release(std::string_view tensor, std::span<const std::byte> part) const override
    {
        m_stored->release(storedName(tensor), part);
    }
    std::string storedName(std::string_view tensor) const override;

private:
    std::shared_ptr<const Checkpoint> m_stored;
    std::string m_prefix; // of the file; empty when it has none
    std::vector<std::string> m_outside;
    std::map<std::string, std::string, std::less<>> m_names; // to the stored ones
};

} // namespace attn
