// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/half.h"
#include "tensor/number_view.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace attn {

class PrimitiveCache; // nn/primitives.h, private to core/nn

// Cost of products.
struct ProductWork
{
    std::int64_t multiplyAdds = 0; // of matrix products and recurrent layers
    std::int64_t weightBytes = 0; // of the layers' weights, each time one was used

    friend ProductWork operator-(ProductWork a, ProductWork b)
    {
        return {a.multiplyAdds - b.multiplyAdds, a.weightBytes - b.weightBytes};
    }
};

// Where the weights of linear layers are: copied as float32 (or as they are stored where that is as fast) into the
// layout of the processor, or left where and as the file has them and widened as they are multiplied. Automatic: copied
// where half of the free memory holds them.
enum class WeightStorage : std::uint8_t { Automatic, Widened, AsStored };

// Engine of every operation of core/nn: oneDNN's CPU engine and stream, one growing scratchpad and a bounded cache
// of primitives. One Engine per inference thread; it may be made on another thread than the one that uses it, but never
// used by two at once.
class Engine
{
public:
    // threads 0: all physical cores, less one for the window when there are more than two, and fewer while other
    // programs hold some.
    // Throws Error{Unsupported} for bf16 on a processor that cannot multiply it.
    explicit Engine(int threads = 0, Precision precision = Precision::F32,
                    WeightStorage storage = WeightStorage::Automatic);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    Engine(Engine&&) = delete;
    Engine& operator=(Engine&&) = delete;

    // Layers take it over when they are made; they run on engines of the same precision.
    Precision precision() const { return m_precision; }
    WeightStorage storage() const { return m_storage; }
    // Number of primitives made since the engine exists. Decoding further steps must not make new ones.
    std::size_t primitivesCreated() const;
    int threads() const; // the most that it uses
    int freeThreads(); // what a large product would use now
    // Limit for what comes out the same on fewer threads: no more than so many, as if others held the rest.
    void useAtMost(int threads);
    ProductWork work() const; // since the engine exists
    std::size_t scratchpadBytes() const;

    // Forgets what oneDNN keeps for all engines of the process: what is made next takes as long as the first time.
    static void forgetKernels();

    PrimitiveCache& primitives() { return *m_primitives; }
    const PrimitiveCache& primitives() const { return *m_primitives; }

private:
    Precision m_precision;
    WeightStorage m_storage;
    std::unique_ptr<PrimitiveCache> m_primitives;
};

// A run on an engine, however it ends. Of the scratchpad that it needed 16 MiB stay at most.
class EngineUse
{
public:
    explicit EngineUse(Engine& engine)
        : m_engine(engine)
    {
    }
    ~EngineUse();
    EngineUse(const EngineUse&) = delete;
    EngineUse& operator=(const EngineUse&) = delete;
    EngineUse(EngineUse&&) = delete;
    EngineUse& operator=(EngineUse&&) = delete;

private:
    Engine& m_engine;
};

// Calls `body` with the number of each row, on as many threads as `work` is worth, which is counted in multiply-adds.
// The body throws nothing and uses no engine.
void eachRow(Engine& engine, Index rows, std::int64_t work, const std::function<void(Index row)>& body);

} // namespace attn
