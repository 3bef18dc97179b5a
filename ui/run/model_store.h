// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loading/model_loader.h"

#include <deque>
#include <memory>
#include <string>
#include <utility>

namespace attn::ui {

// The last few models that were loaded, as far as they are small, so that going back to one costs nothing. Used on the
// inference thread only.
class ModelStore
{
public:
    std::shared_ptr<const LoadedModel> load(const std::string& nameOrPath, Engine& engine,
                                            const ProgressCallback& progress, const std::stop_token& stop);
    // In the place of what is loaded by this name.
    void keep(const std::string& nameOrPath, std::shared_ptr<const LoadedModel> model);
    bool holds(const SequenceModel& model) const;

private:
    std::deque<std::pair<std::string, std::shared_ptr<const LoadedModel>>> m_models; // most recent first
};

} // namespace attn::ui
