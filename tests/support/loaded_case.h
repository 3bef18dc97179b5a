// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loading/model_loader.h"
#include "support/golden_case.h"

#include <filesystem>
#include <string>

namespace attn::test {

// The model of a golden case, without tokenizers, as a question names it.
inline LoadedModel loadedCase(const std::string& name, Engine& engine)
{
    LoadedModel loaded;
    loaded.model = GoldenCase(std::filesystem::path(ATTN_TEST_DATA) / "cases" / name).model(engine);
    loaded.name = name;
    return loaded;
}

} // namespace attn::test
