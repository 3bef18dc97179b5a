// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/renamed_checkpoint.h"

#include <algorithm>
#include <utility>

namespace attn {

namespace {

std::string withoutOldNames(std::string name)
{
    constexpr std::pair<std::string_view, std::string_view> old[] = {{".gamma", ".weight"}, {".beta", ".bias"}};
    for (const auto& [from, to] : old) {
        if (name.ends_with(from))
            name.replace(name.size() - from.size(), from.size(), to);
    }
    return name;
}

} // namespace

RenamedCheckpoint::RenamedCheckpoint(std::shared_ptr<const Checkpoint> stored, std::string prefix,
                                     std::vector<std::string> outside)
    : m_stored(std::move(stored))
    , m_outside(std::move(outside))
{
    const auto all = m_stored->tensorNames();
    if (!prefix.empty() && std::ranges::any_of(all, [&](const std::string& name) { return name.starts_with(prefix); }))
        m_prefix = std::move(prefix);
    for (const std::string& name : all) {
        const bool prefixed = !m_prefix.empty() && name.starts_with(m_prefix);
        std::string plain = withoutOldNames(prefixed ? name.substr(m_prefix.size()) : name);
        if (prefixed)
            m_names.insert_or_assign(std::move(plain), name);
        else
            m_names.try_emplace(std::move(plain), name);
    }
}

std::vector<std::string> RenamedCheckpoint::tensorNames() const
{
    std::vector<std::string> names;
    names.reserve(m_names.size());
    for (const auto& [plain, stored] : m_names)
        names.push_back(plain);
    return names;
}

std::optional<TensorView> RenamedCheckpoint::find(std::string_view tensor) const
{
    const auto found = m_names.find(tensor);
    return found == m_names.end() ? std::nullopt : m_stored->find(found->second);
}

Tensor RenamedCheckpoint::load(std::string_view tensor, const Shape& shape) const
{
    return m_stored->load(storedName(tensor), shape);
}

std::string RenamedCheckpoint::storedName(std::string_view tensor) const
{
    if (const auto found = m_names.find(tensor); found != m_names.end())
        return found->second;
    const bool outside =
        std::ranges::any_of(m_outside, [&](const std::string& start) { return tensor.starts_with(start); });
    return outside ? std::string(tensor) : m_prefix + std::string(tensor);
}

} // namespace attn
