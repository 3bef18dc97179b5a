// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inference/kept_run.h"
#include "run/model_store.h"

#include <QtGlobal>

#include <memory>
#include <utility>
#include <vector>

namespace attn::ui {

// Results that finished runs left, by the numbers of their requests, for those that begin as they did. Used on the
// inference thread only.
class KeptRuns
{
public:
    static constexpr double mostBytes = 256e6; // estimated; the oldest go first

    void keep(quint64 number, std::shared_ptr<const KeptRun> run);
    // The first that there is; null: none.
    std::shared_ptr<const KeptRun> find(const std::vector<quint64>& numbers) const;
    // All others go, and those of models that are loaded no more.
    void retain(const std::vector<quint64>& numbers, const ModelStore& models);

private:
    std::vector<std::pair<quint64, std::shared_ptr<const KeptRun>>> m_runs; // the oldest first
};

} // namespace attn::ui
