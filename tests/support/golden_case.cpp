// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/golden_case.h"

#include "checkpoint/checkpoint.h"
#include "io/json.h"
#include "models/families/family.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace attn::test {

namespace fs = std::filesystem;

GoldenCase::GoldenCase(fs::path directory)
    : m_directory(std::move(directory))
    , m_expected(m_directory / "expected.npz")
    , m_sourceIds(ids("source_ids"))
{
    if (m_expected.contains("source_segments"))
        m_segments = ids("source_segments");
}

std::vector<fs::path> GoldenCase::directories()
{
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(ATTN_TEST_DATA) / "cases")) {
        if (fs::exists(entry.path() / "case.json"))
            found.push_back(entry.path());
    }
    std::ranges::sort(found);
    return found;
}

std::shared_ptr<const SequenceModel> GoldenCase::model(Engine& engine, WeightStorage storage) const
{
    const auto checkpoint = openCheckpoint(m_directory, ggufLayouts());
    const JsonObject config =
        checkpoint->config() != nullptr ? *checkpoint->config() : JsonObject(m_directory / "config.json");
    return familyOf(config)
        .build({config, checkpoint, engine, {}, {}, [storage](const WeightMemory&) { return storage; }})
        .model;
}

std::vector<std::int64_t> GoldenCase::shape(const std::string& array) const
{
    return m_expected.find(array).value().shape();
}

std::vector<float> GoldenCase::floats(const std::string& array) const
{
    return m_expected.find(array).value().floats();
}

std::vector<TokenId> GoldenCase::ids(const std::string& array) const
{
    const auto integers = m_expected.find(array).value().integers();
    std::vector<TokenId> result;
    std::ranges::transform(integers, std::back_inserter(result), [](auto id) { return static_cast<TokenId>(id); });
    return result;
}

std::string GoldenCase::argument(const std::string& run, const std::string& option) const
{
    const Json file = readJson(m_directory / "case.json");
    const auto arguments = file.at("arguments").at(run).get<std::vector<std::string>>();
    const auto found = std::ranges::find(arguments, option);
    if (found == arguments.end() || found + 1 == arguments.end())
        throw std::runtime_error(name() + " has no " + option);
    return *(found + 1);
}

} // namespace attn::test
