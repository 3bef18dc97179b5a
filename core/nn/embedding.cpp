// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/embedding.h"

#include "base/error.h"

#include <iterator>
#include <utility>

namespace attn {

Embedding::Embedding(TensorView view, std::shared_ptr<const void> owner, std::function<void()> check)
    : m_view(std::move(view))
    , m_owner(std::move(owner))
    , m_check(std::move(check))
{
    if (width() % valuesPerBlock(m_view.dtype) != 0
        || m_view.bytes.size() != storedBytes(m_view.dtype, elementCount(m_view.shape)))
        throw Error(ErrorKind::Unsupported, "embedding", "its rows do not lie in the file one after the other");
}

Tensor Embedding::rows(std::span<const TokenId> ids, float scale) const
{
    const std::size_t rowBytes = storedBytes(m_view.dtype, width());
    Tensor result({std::ssize(ids), width()});
    for (Index i = 0; i < indexSize(ids); ++i) {
        const auto row = result.matrix().row(i);
        toFloat32(m_view.dtype, m_view.bytes.subspan(ids[i] * rowBytes, rowBytes), row);
        for (float& value : row)
            value *= scale;
    }
    if (m_check)
        m_check();
    return result;
}

} // namespace attn
