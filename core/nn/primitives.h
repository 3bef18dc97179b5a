// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/engine.h"
#include "nn/free_cores.h"
#include "nn/onednn.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

// Private to core/nn: shows oneDNN.

namespace attn {

// Uninitialised bytes aligned to a cache line.
class AlignedBuffer
{
public:
    AlignedBuffer() = default;
    explicit AlignedBuffer(std::size_t bytes)
        : m_data(bytes == 0 ? nullptr : static_cast<std::byte*>(::operator new(bytes, alignment)))
        , m_bytes(bytes)
    {
    }

    std::byte* data() const { return m_data.get(); }
    std::size_t size() const { return m_bytes; }

private:
    static constexpr std::align_val_t alignment{64};
    struct Release
    {
        void operator()(std::byte* data) const noexcept { ::operator delete(data, alignment); }
    };

    std::unique_ptr<std::byte, Release> m_data;
    std::size_t m_bytes = 0;
};

enum class Activation : std::uint8_t; // nn/elementwise.h

// oneDNN's form of it.
struct ActivationParts
{
    dnnl::algorithm algorithm = dnnl::algorithm::undef;
    float alpha = 0;
    bool ofNumbersOnly = false; // makes a number of NaN
};
ActivationParts partsOf(Activation activation);

enum class Operation : std::uint8_t {
    Linear,
    MatMul,
    Softmax,
    Exponential,
    LayerNorm,
    Activation,
    ActivationGradient,
    Binary,
    Gru,
    Lstm,
    Reorder,
    Convolution
};

// Key by which two primitives are the same: the operation, the threads it may use, its shapes and options.
struct PrimitiveKey
{
    Operation operation = Operation::Linear;
    int threads = 1;
    std::array<std::int64_t, 10> values{};

    friend bool operator==(const PrimitiveKey&, const PrimitiveKey&) = default;
    std::string describe() const; // "linear 4 256 8000" for messages
};

struct PrimitiveKeyHash
{
    std::size_t operator()(const PrimitiveKey& key) const noexcept;
};

// A memory argument of one execution. layout is set only where the primitive was made with runtime dimensions.
struct Argument
{
    int which = 0; // DNNL_ARG_*
    const void* data = nullptr;
    const dnnl::memory::desc* layout = nullptr;
};

// Bytes that are asked for where a primitive needs so many bytes of scratchpad, so that a longer input fits, too.
constexpr std::size_t scratchpadRoom(std::size_t bytes)
{
    return bytes + bytes / 2;
}

// Parts of a primitive: itself, the layout of its arguments (empty for runtime dimensions) and of its scratchpad.
struct PrimitiveParts
{
    dnnl::primitive primitive;
    std::vector<std::pair<int, dnnl::memory::desc>> arguments;
    dnnl::memory::desc scratchpad;
};

// The most of `threads` that can do as many of the parts each.
int evenTeam(std::int64_t parts, int threads);

// oneDNN's engine and stream, the scratchpad and the primitives made so far.
class PrimitiveCache
{
public:
    using Maker = std::function<PrimitiveParts(const dnnl::engine&, const dnnl::primitive_attr&)>;

    // fixed: always as many threads, however busy the machine is.
    PrimitiveCache(int threads, bool fixed);

    std::size_t created() const { return m_created; }
    int threads() const { return m_threads; }
    void useAtMost(int threads) { m_most = threads; }
    ProductWork work() const { return m_work; }
    // Called by products, with what one of them costs.
    void count(std::int64_t multiplyAdds, std::size_t weightBytes = 0)
    {
        m_work.multiplyAdds += multiplyAdds;
        m_work.weightBytes += static_cast<std::int64_t>(weightBytes);
    }
    const dnnl::engine& engine() const { return m_engine; }
    std::size_t scratchpadBytes() const { return m_scratchpad.size(); }
    // Gives it back where it is larger than is worth keeping.
    void trimScratchpad();

    // Threads worth waking for this many multiply-adds, for what comes out the same on any number of threads. Little
    // work stays on the calling thread: it is done before a team has met at its barrier. Where other programs hold
    // cores, the team is the smaller for it: at the barrier it would wait for a scheduler's time slice.
    int threadsFor(std::int64_t multiplyAdds);
    // Threads for what comes out the same where each thread does as many whole parts.
    int threadsFor(std::int64_t multiplyAdds, std::int64_t parts);
    // Threads for what adds in another order on another number of them: the same however busy the machine is.
    int fixedThreadsFor(std::int64_t multiplyAdds) const;

    // Runs the primitive for `key`, made by `make` when it is not there yet; the least recently used one goes when
    // there are too many. oneDNN's exceptions become attn::Error. The attributes given to `make` ask for a scratchpad
    // brought by the caller: without it a primitive crashes on another thread than its maker's.
    void run(const PrimitiveKey& key, const Maker& make, const std::vector<Argument>& arguments);

    // Calls `body` with the number of threads set and turns oneDNN's exceptions into attn::Error that names `key`.
    void guard(const PrimitiveKey& key, const std::function<void()>& body) const;

private:
    struct Entry
    {
        PrimitiveKey key;
        dnnl::primitive primitive;
        std::unordered_map<int, dnnl::memory> arguments;
        std::size_t scratchpadBytes = 0;
    };

    Entry& entry(const PrimitiveKey& key, const Maker& make);
    void execute(Entry& entry, const std::vector<Argument>& arguments);

    int m_threads;
    int m_most;
    std::optional<FreeCores> m_free; // none: fixed
    dnnl::engine m_engine;
    dnnl::stream m_stream;
    AlignedBuffer m_scratchpad;
    std::list<Entry> m_entries; // most recently used first
    std::unordered_map<PrimitiveKey, std::list<Entry>::iterator, PrimitiveKeyHash> m_index;
    std::size_t m_created = 0;
    ProductWork m_work;
};

// Row-major [d0, d1, ...] of float32.
dnnl::memory::desc rowMajor(const dnnl::memory::dims& dims);

} // namespace attn
