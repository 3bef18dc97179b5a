// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "io/npz.h"
#include "loading/model_loader.h"
#include "models/sequence_model.h"
#include "nn/engine.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace attn::test {

// Largest absolute differences that a golden case allows (tests/data/cases).
inline constexpr double attentionTolerance = 1e-5;
inline constexpr double valueTolerance = 1e-4; // logits, log probabilities, scores, hidden states

// A directory with a small checkpoint and what an independent computation makes of it.
class GoldenCase
{
public:
    explicit GoldenCase(std::filesystem::path directory);

    // Every directory below tests/data/cases that has a case.json, sorted.
    static std::vector<std::filesystem::path> directories();

    std::string name() const { return m_directory.filename().string(); }
    const std::filesystem::path& directory() const { return m_directory; }
    std::shared_ptr<const SequenceModel> model(Engine& engine, WeightStorage storage = WeightStorage::Widened) const;

    bool has(const std::string& array) const { return m_expected.contains(array); }
    std::vector<std::int64_t> shape(const std::string& array) const;
    std::vector<float> floats(const std::string& array) const;
    std::vector<TokenId> ids(const std::string& array) const;
    const std::vector<TokenId>& sourceIds() const { return m_sourceIds; }
    const std::vector<int>& segments() const { return m_segments; } // empty: one text
    // What follows `option` in the arguments of a run ("greedy", "beam4") in case.json.
    std::string argument(const std::string& run, const std::string& option) const;

private:
    std::filesystem::path m_directory;
    NpzReader m_expected;
    std::vector<TokenId> m_sourceIds;
    std::vector<int> m_segments;
};

// The model of a golden case, without tokenizers, as a question names it.
inline LoadedModel loadedCase(const std::string& name, Engine& engine)
{
    LoadedModel loaded;
    loaded.model = GoldenCase(std::filesystem::path(ATTN_TEST_DATA) / "cases" / name).model(engine);
    loaded.name = name;
    return loaded;
}

} // namespace attn::test
