// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/engine.h"

#include "base/error.h"
#include "base/index.h"
#include "nn/free_cores.h"
#include "nn/primitives.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <set>
#include <string>

namespace attn {

namespace {

constexpr int mostThreads = 1024;

// Cores that this process may use, hardware threads of one core counted once.
int physicalCores()
{
    std::set<std::string> cores;
    for (const int cpu : allowedProcessors()) {
        std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
        std::string siblings;
        if (!std::getline(file, siblings))
            siblings = fmt::format("cpu {}", cpu);
        cores.insert(siblings);
    }
    return std::max(1, indexSize(cores));
}

int threadsOrDefault(int threads)
{
    if (threads < 0 || threads > mostThreads)
        throw Error(ErrorKind::Input, "threads", fmt::format("{} is not a number of threads", threads),
                    fmt::format("use 1 to {}, or 0 for all cores", mostThreads));
    if (threads > 0)
        return threads;
    const int cores = physicalCores();
    return cores > 2 ? cores - 1 : cores;
}

} // namespace

Engine::Engine(int threads, Precision precision, WeightStorage storage)
    : m_precision(precision)
    , m_storage(storage)
    , m_primitives(std::make_unique<PrimitiveCache>(threadsOrDefault(threads), threads > 0))
{
    constexpr auto bf16 = dnnl::memory::data_type::bf16;
    if (precision == Precision::BF16 && !onednn::has(dnnl::cpu_isa::avx512_core)
        && onednn::readableWeights(bf16, onednn::vectorValues) != bf16)
        throw Error(ErrorKind::Unsupported, "precision", "bf16 needs a processor with AVX-512", "use f32");
}

Engine::~Engine() = default;

std::size_t Engine::primitivesCreated() const
{
    return m_primitives->created();
}

int Engine::threads() const
{
    return m_primitives->threads();
}

int Engine::freeThreads()
{
    return m_primitives->threadsFor(std::numeric_limits<std::int64_t>::max());
}

void Engine::useAtMost(int threads)
{
    m_primitives->useAtMost(threads);
}

void Engine::forgetKernels()
{
    const int capacity = dnnl::get_primitive_cache_capacity();
    dnnl::set_primitive_cache_capacity(0);
    dnnl::set_primitive_cache_capacity(capacity);
}

ProductWork Engine::work() const
{
    return m_primitives->work();
}

std::size_t Engine::scratchpadBytes() const
{
    return m_primitives->scratchpadBytes();
}

EngineUse::~EngineUse()
{
    m_engine.primitives().trimScratchpad();
}

void eachRow(Engine& engine, Index rows, std::int64_t work, const std::function<void(Index row)>& body)
{
    const PrimitiveCache& primitives = engine.primitives();
    primitives.guard({Operation::Softmax, engine.primitives().threadsFor(work), {rows}}, [&] {
#pragma omp parallel for schedule(static)
        for (Index row = 0; row < rows; ++row)
            body(row);
    });
}

} // namespace attn
