// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_input.h"
#include "inference/answer.h"
#include "io/json.h"
#include "loading/model_loader.h"
#include "models/families/family.h"
#include "nn/engine.h"
#include "support/tiny_models.h"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

constexpr std::uint64_t mostBytes = 64'000'000;

// The weights of one golden case of each type of model.
const std::map<std::string, std::shared_ptr<const attn::Checkpoint>>& checkpoints()
{
    static const auto all = [] {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(ATTN_TEST_DATA "/cases"))
            names.push_back(entry.path().filename().string());
        std::ranges::sort(names);
        std::map<std::string, std::shared_ptr<const attn::Checkpoint>> result;
        for (const std::string& name : names) {
            const attn::test::TinyModel tiny = attn::test::tinyCase(name);
            result.try_emplace(attn::JsonObject::parse(tiny.config, name).requireString("model_type"), tiny.checkpoint);
        }
        return result;
    }();
    return all;
}

void run(std::shared_ptr<const attn::SequenceModel> model, std::span<const std::string_view> edits,
         attn::Engine& engine)
{
    attn::Question question;
    question.sourceIds = {2, 1, 3};
    question.decoding.maxLength = 3;
    question.decoding.generate = 2;
    for (const std::string_view edit : edits) {
        if (!edit.empty())
            question.edits.emplace_back(edit);
    }
    attn::LoadedModel loaded;
    loaded.model = std::move(model);
    const attn::Trace trace = attn::answer(question, loaded, engine);
    attn::fuzz::require(trace.source().size() == 3 || trace.classification());
}

} // namespace

// A config.json and the edits of a run, with NUL characters between them.
ATTN_FUZZ_TARGET(model)
{
    return attn::fuzz::answer([&] {
        const auto given = attn::fuzz::parts(attn::fuzz::text(data, size), 5);
        const auto config = attn::JsonObject::parse(given[0], "config.json");
        const auto found = checkpoints().find(config.stringOr("model_type", {}));
        if (found == checkpoints().end())
            return;
        static attn::Engine engine(1);
        const auto enough = [](const attn::WeightMemory& needed) {
            if (needed.widened > mostBytes)
                throw attn::Error(attn::ErrorKind::Resource, "weights", "are too large to be tried");
            return attn::WeightStorage::Widened;
        };
        const attn::FamilyInput input{config, found->second, engine, {}, {}, enough};
        run(attn::familyOf(config).build(input).model, std::span(given).subspan(1), engine);
    });
}
