// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/model_store.h"

#include <algorithm>

namespace attn::ui {

namespace {

constexpr std::size_t most = 6;
constexpr std::int64_t mostParameters = 250'000'000; // 1 GB as float32; the last used model stays whatever its size

std::int64_t parametersOf(const LoadedModel& model)
{
    return model.model->info().parameters;
}

} // namespace

std::shared_ptr<const LoadedModel> ModelStore::load(const std::string& nameOrPath, Engine& engine,
                                                    const ProgressCallback& progress, const std::stop_token& stop)
{
    const std::string key = modelPath(nameOrPath).string();
    const auto found = std::ranges::find(m_models, key, [](const auto& entry) { return entry.first; });
    auto model = found != m_models.end()
        ? found->second
        : std::make_shared<const LoadedModel>(loadModel(nameOrPath, engine, progress, stop));
    keep(nameOrPath, model);
    return model;
}

void ModelStore::keep(const std::string& nameOrPath, std::shared_ptr<const LoadedModel> model)
{
    const std::string key = modelPath(nameOrPath).string();
    std::erase_if(m_models, [&key](const auto& entry) { return entry.first == key; });
    m_models.emplace_front(key, std::move(model));
    std::int64_t parameters = 0;
    for (const auto& entry : m_models)
        parameters += parametersOf(*entry.second);
    while (m_models.size() > 1 && (m_models.size() > most || parameters > mostParameters)) {
        parameters -= parametersOf(*m_models.back().second);
        m_models.pop_back();
    }
}

bool ModelStore::holds(const SequenceModel& model) const
{
    return std::ranges::any_of(m_models, [&model](const auto& entry) { return entry.second->model.get() == &model; });
}

} // namespace attn::ui
