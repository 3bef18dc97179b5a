// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "tensor/tensor.h"

#include <functional>
#include <memory>
#include <span>

namespace attn {

// Rows of a table by id. The table stays where and as it is stored; rows are widened when they are asked for.
class Embedding
{
public:
    // view: [vocabulary, width], valid as long as `owner` lives. check is called after rows have been read, and throws
    // when they may not be what was stored.
    Embedding(TensorView view, std::shared_ptr<const void> owner, std::function<void()> check = {});

    int vocabulary() const { return static_cast<int>(m_view.shape.at(0)); }
    int width() const { return static_cast<int>(m_view.shape.at(1)); }

    // [ids, width], each value times `scale`. The caller has checked the ids. Throws what `check` throws.
    Tensor rows(std::span<const TokenId> ids, float scale = 1.0F) const;

private:
    TensorView m_view;
    std::shared_ptr<const void> m_owner;
    std::function<void()> m_check;
};

} // namespace attn
