// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/embedding.h"

#include "base/error.h"

#include <utility>

namespace attn {

Embedding::Embedding(TensorView view, std::shared_ptr<const void> owner)
    : m_view(std::move(view))
    , m_owner(std::move(owner))
{
    if (width() % static_cast<int>(valuesPerBlock(m_view.dtype)) != 0
        || m_view.bytes.size() != storedBytes(m_view.dtype, static_cast<std::size_t>(elementCount(m_view.shape))))
        throw Error(ErrorKind::Unsupported, "embedding", "its rows do not lie in the file one after the other");
}

Tensor Embedding::rows(std::span<const TokenId> ids, float scale) const
{
    const auto columns = static_cast<std::size_t>(width());
    const std::size_t rowBytes = storedBytes(m_view.dtype, columns);
    Tensor result({static_cast<std::int64_t>(ids.size()), width()});
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto row = result.values().subspan(i * columns, columns);
        toFloat32(m_view.dtype, m_view.bytes.subspan(static_cast<std::size_t>(ids[i]) * rowBytes, rowBytes), row);
        for (float& value : row)
            value *= scale;
    }
    return result;
}

} // namespace attn
