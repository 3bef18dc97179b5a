// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/progress.h"
#include "checkpoint/checkpoint.h"
#include "nn/embedding.h"
#include "nn/engine.h"
#include "nn/linear.h"
#include "nn/normalization.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace attn {

struct FamilyInput; // models/families/family.h
class WeightTable; // models/weight_table.h

// Reads the tensors that a family expects, each with its name from the checkpoint. Before anything is read all names
// and shapes are compared, every difference is listed in one Error{Format}, and the memory is asked for.
class WeightReader
{
public:
    // checkpoint: the input's, or the same under other names.
    WeightReader(const FamilyInput& input, std::shared_ptr<const Checkpoint> checkpoint, const WeightTable& table);

    // Each throws Error{Cancelled} when stopped.
    Tensor tensor(const std::string& name);
    Embedding embedding(const std::string& name);
    Linear linear(const std::string& weight, const std::string& bias); // bias may be empty: none
    LayerNorm layerNorm(const std::string& prefix, float epsilon); // prefix.weight and prefix.bias
    RmsNorm rmsNorm(const std::string& prefix, float epsilon); // prefix.weight
    // GPT-2's Conv1D: a weight [inputs, outputs] whose outputs are those of `parts` layers of equal size, one after the
    // other.
    std::vector<Linear> convolution(const std::string& weight, const std::string& bias, int parts);

    // Stored tensors that are not needed, by the names they have in the file, sorted.
    const std::vector<std::string>& ignored() const { return m_ignored; }
    // Values of the expected tensors.
    std::int64_t parameters() const { return m_parameters; }
    Engine& engine() { return m_engine; }
    // Type of most of the values, "f16".
    std::string storedDType() const;

private:
    void compare() const;
    std::vector<std::string> undescribed() const;
    void advance(const std::string& name);
    // Calls make with the stored matrix, which lives as long as the call.
    template<typename Make>
    void withMatrix(const std::string& name, Make make);

    Engine& m_engine;
    std::shared_ptr<const Checkpoint> m_checkpoint;
    std::map<std::string, Shape> m_expected;
    ProgressCallback m_progress;
    std::stop_token m_stop;
    std::vector<std::string> m_ignored;
    std::int64_t m_parameters = 0;
    std::set<std::string> m_read; // a tied table is read more than once
};

} // namespace attn
