// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/embedding.h"

#include <algorithm>
#include <utility>

namespace attn {

Embedding::Embedding(TensorView view, std::shared_ptr<const void> owner)
    : m_view(std::move(view))
    , m_owner(std::move(owner))
{
}

Tensor Embedding::rows(std::span<const TokenId> ids, float scale) const
{
    const auto columns = static_cast<std::size_t>(width());
    const std::size_t rowBytes = columns * byteSize(m_view.dtype);
    Tensor result({static_cast<std::int64_t>(ids.size()), width()});
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const TensorView row{
            m_view.dtype, {width()}, m_view.bytes.subspan(static_cast<std::size_t>(ids[i]) * rowBytes, rowBytes)};
        const Tensor wide = toFloat32(row);
        std::ranges::transform(wide.values(), result.values().subspan(i * columns, columns).begin(),
                               [scale](float value) { return value * scale; });
    }
    return result;
}

} // namespace attn
