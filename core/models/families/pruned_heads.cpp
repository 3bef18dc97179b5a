// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/plain_text.h"
#include "models/families/layer_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace attn {

namespace {

constexpr auto prunedField = "pruned_heads";

// An axis of a tensor along which heads' features lie, once or (queries, keys and values) several times.
struct HeadAxis
{
    std::size_t axis = 0;
    int parts = 1;
    int width = 0; // of a head
    std::vector<bool> isStored; // by head

    std::int64_t storedSize() const { return parts * std::ranges::count(isStored, true) * width; }
    std::int64_t wholeSize() const { return parts * std::ssize(isStored) * width; }

    Shape whole(Shape stored) const
    {
        if (stored.size() > axis && stored[axis] == storedSize())
            stored[axis] = wholeSize();
        return stored;
    }

    Tensor spread(const Tensor& stored) const
    {
        const Shape shape = whole(stored.shape());
        if (shape == stored.shape())
            return stored;
        Tensor result(shape);
        const auto split = static_cast<std::ptrdiff_t>(axis);
        const std::int64_t before = elementCount(std::span(shape).first(split)) * parts;
        const std::int64_t ofHead = elementCount(std::span(shape).subspan(split + 1)) * width;
        const float* from = stored.data();
        float* to = result.data();
        for (std::int64_t i = 0; i < before; ++i) {
            for (const bool copies : isStored) {
                if (copies) {
                    std::copy_n(from, ofHead, to);
                    from += ofHead;
                }
                to += ofHead;
            }
        }
        return result;
    }
};

class WholeCheckpoint final : public Checkpoint
{
public:
    WholeCheckpoint(std::shared_ptr<const Checkpoint> stored, const LayerPlan& plan)
        : m_stored(std::move(stored))
    {
        const AttentionNames& names = plan.names.self;
        const int parts = names.key.empty() ? 3 : 1; // of the matrix that `query` names
        for (Index layer = 0; layer < indexSize(plan.pruned); ++layer) {
            HeadAxis heads{0, parts, plan.shape.width, std::vector<bool>(plan.shape.heads, true)};
            for (const Index head : plan.pruned[layer])
                heads.isStored[head] = false;
            const std::string prefix = fmt::format("{}{}.", plan.prefix, layer);
            for (const std::string& name : {names.query, names.key, names.value}) {
                if (name.empty())
                    continue;
                heads.axis = 0;
                m_axes[prefix + name + ".bias"] = heads;
                heads.axis = plan.convolutions ? 1 : 0;
                m_axes[weightOf(prefix + name)] = heads;
            }
            heads.axis = plan.convolutions ? 0 : 1;
            heads.parts = 1;
            m_axes[weightOf(prefix + names.output)] = heads;
        }
    }

    std::string name() const override { return m_stored->name(); }
    const JsonObject* config() const override { return m_stored->config(); }
    std::vector<std::string> tensorNames() const override { return m_stored->tensorNames(); }
    std::string problemOf(std::string_view tensor) const override { return m_stored->problemOf(tensor); }
    std::string storedName(std::string_view tensor) const override { return m_stored->storedName(tensor); }
    void requireUnchanged(std::string_view tensor) const override { m_stored->requireUnchanged(tensor); }
    void release(std::string_view tensor, std::span<const std::byte> part) const override
    {
        m_stored->release(tensor, part);
    }
    std::optional<TensorView> find(std::string_view tensor) const override
    {
        const auto view = m_stored->find(tensor);
        const auto heads = m_axes.find(tensor);
        return view && heads != m_axes.end() ? TensorView{view->dtype, heads->second.whole(view->shape), {}} : view;
    }
    Tensor load(std::string_view tensor, const Shape& shape) const override
    {
        const auto heads = m_axes.find(tensor);
        const auto view = m_stored->find(tensor);
        return view && heads != m_axes.end() ? heads->second.spread(m_stored->load(tensor, view->shape))
                                             : m_stored->load(tensor, shape);
    }

private:
    std::shared_ptr<const Checkpoint> m_stored;
    std::map<std::string, HeadAxis, std::less<>> m_axes; // by the name of the tensor
};

} // namespace

std::vector<std::vector<Index>> readPrunedHeads(const JsonObject& config, int layers, int heads)
{
    if (!config.has(prunedField))
        return {};
    const JsonObject pruned = config.requireObject(prunedField);
    std::vector<std::vector<Index>> result(layers);
    bool arePruned = false;
    for (const std::string& field : pruned.fields()) {
        const auto layer = parsedNumber<int>(field);
        if (!layer || *layer < 0 || *layer >= layers)
            config.refuse(prunedField, fmt::format("layers from 0 to {}", layers - 1));
        for (const Json& head : pruned.requireList(field)) {
            const auto index = indexIn(head, heads - 1);
            if (!index)
                pruned.refuse(field, fmt::format("heads from 0 to {}", heads - 1));
            result[*layer].push_back(*index);
            arePruned = true;
        }
    }
    return arePruned ? result : std::vector<std::vector<Index>>();
}

std::shared_ptr<const Checkpoint> withAllHeads(std::shared_ptr<const Checkpoint> stored, const LayerPlan& plan)
{
    return plan.pruned.empty() ? stored : std::make_shared<const WholeCheckpoint>(std::move(stored), plan);
}

} // namespace attn
