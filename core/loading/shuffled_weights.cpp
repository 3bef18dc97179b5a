// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/plain_text.h"
#include "loading/model_loader.h"

#include <map>
#include <random>
#include <utility>
#include <vector>

namespace attn {

namespace {

class ShuffledCheckpoint final : public Checkpoint
{
public:
    explicit ShuffledCheckpoint(std::shared_ptr<const Checkpoint> stored)
        : m_stored(std::move(stored))
    {
        for (const std::string& name : m_stored->tensorNames()) {
            const TensorView view = m_stored->find(name).value();
            if (!isWidened(view.dtype))
                continue;
            Tensor values = m_stored->load(name, view.shape);
            std::mt19937_64 generator(fnv1a(name));
            for (std::size_t i = values.size(); i > 1; --i)
                std::swap(values.data()[i - 1], values.data()[generator() % i]);
            m_shuffled.emplace(name, std::move(values));
        }
    }

    std::string name() const override { return m_stored->name(); }
    const JsonObject* config() const override { return m_stored->config(); }
    std::vector<std::string> tensorNames() const override { return m_stored->tensorNames(); }
    std::optional<TensorView> find(std::string_view tensor) const override
    {
        const auto found = m_shuffled.find(tensor);
        if (found == m_shuffled.end())
            return m_stored->find(tensor);
        return TensorView{DType::F32, found->second.shape(), std::as_bytes(found->second.values())};
    }
    std::string problemOf(std::string_view tensor) const override { return m_stored->problemOf(tensor); }
    std::string storedName(std::string_view tensor) const override { return m_stored->storedName(tensor); }

private:
    std::shared_ptr<const Checkpoint> m_stored;
    std::map<std::string, Tensor, std::less<>> m_shuffled;
};

} // namespace

std::shared_ptr<const Checkpoint> shuffledWeights(std::shared_ptr<const Checkpoint> checkpoint)
{
    return std::make_shared<const ShuffledCheckpoint>(std::move(checkpoint));
}

} // namespace attn
