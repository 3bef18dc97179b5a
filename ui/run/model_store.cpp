// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/model_store.h"

#include <algorithm>
#include <utility>

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
                                                    const ProgressCallback& progress, const std::stop_token& stop,
                                                    Reuse reuse)
{
    const Entry* const found = find(nameOrPath);
    const bool isReused = found != nullptr && (reuse == Reuse::Always || found->model->files == modelFiles(nameOrPath));
    if (isReused)
        put({nameOrPath, found->path, found->model});
    else
        keep(nameOrPath, std::make_shared<const LoadedModel>(loadModel(nameOrPath, engine, progress, stop)));
    return m_models.front().model;
}

void ModelStore::keep(const std::string& nameOrPath, std::shared_ptr<const LoadedModel> model)
{
    put({nameOrPath, modelPath(nameOrPath).string(), std::move(model)});
}

// By its name also where there is nothing any more.
const ModelStore::Entry* ModelStore::find(const std::string& nameOrPath) const
{
    auto found = std::ranges::find(m_models, nameOrPath, &Entry::name);
    if (found == m_models.end())
        found = std::ranges::find(m_models, modelPath(nameOrPath).string(), &Entry::path);
    return found == m_models.end() ? nullptr : &*found;
}

void ModelStore::put(Entry entry)
{
    std::erase_if(m_models,
                  [&entry](const Entry& other) { return other.path == entry.path || other.name == entry.name; });
    m_models.push_front(std::move(entry));
    std::int64_t parameters = 0;
    for (const Entry& kept : m_models)
        parameters += parametersOf(*kept.model);
    while (m_models.size() > 1 && (m_models.size() > most || parameters > mostParameters)) {
        parameters -= parametersOf(*m_models.back().model);
        m_models.pop_back();
    }
}

bool ModelStore::holds(const SequenceModel& model) const
{
    return std::ranges::any_of(m_models, [&model](const Entry& entry) { return entry.model->model.get() == &model; });
}

} // namespace attn::ui
