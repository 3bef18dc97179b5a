// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Private to core/nn: the only header that shows oneDNN.

#include "nn/aligned_buffer.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace attn {

enum class Operation : std::uint8_t { Linear, MatMul, Softmax, LayerNorm, Activation, Binary, Recurrent };

// What makes two primitives the same: the operation and its shapes and options.
struct PrimitiveKey
{
    Operation operation = Operation::Linear;
    std::array<std::int64_t, 12> values{};

    friend bool operator==(const PrimitiveKey&, const PrimitiveKey&) = default;
    std::string describe() const; // "linear 4x256x8000" for messages
};

struct PrimitiveKeyHash
{
    std::size_t operator()(const PrimitiveKey& key) const noexcept;
};

// A memory argument of a primitive: which one, its layout, and where the data is.
struct Argument
{
    int which = 0; // DNNL_ARG_*
    const void* data = nullptr;
};

// A primitive with the memory objects that it was made for; their addresses are set before each execution.
struct CachedPrimitive
{
    dnnl::primitive primitive;
    std::unordered_map<int, dnnl::memory> arguments;
    std::size_t scratchpadBytes = 0;
};

// What a maker returns: a primitive descriptor's parts.
struct PrimitiveParts
{
    dnnl::primitive primitive;
    std::vector<std::pair<int, dnnl::memory::desc>> arguments;
    dnnl::memory::desc scratchpad;
};

class PrimitiveCache
{
public:
    explicit PrimitiveCache(int threads);

    int threads() const { return m_threads; }
    std::size_t created() const { return m_created; }
    const dnnl::engine& engine() const { return m_engine; }
    dnnl::stream& stream() { return m_stream; }

    // The primitive for `key`, made by `make` when it is not there yet. The least recently used one goes when there
    // are too many. The reference is valid until the next call.
    CachedPrimitive& get(const PrimitiveKey& key, const std::function<PrimitiveParts()>& make);
    // Runs on the addresses in `arguments`, which must name all of the primitive's arguments.
    void execute(CachedPrimitive& cached, const PrimitiveKey& key, std::span<const Argument> arguments);
    // Runs with memory objects of the call's own shapes, for primitives with runtime dimensions.
    void execute(CachedPrimitive& cached, const PrimitiveKey& key, std::unordered_map<int, dnnl::memory> arguments);

    // Calls `body` and turns oneDNN's exceptions into attn::Error that names `key`.
    void guard(const PrimitiveKey& key, const std::function<void()>& body) const;
    // Attributes that every primitive must be made with: the caller brings the scratchpad, so that a primitive may run
    // on another thread than the one that made it.
    static dnnl::primitive_attr attributes();

private:
    struct Entry
    {
        PrimitiveKey key;
        CachedPrimitive cached;
    };

    void prepareThread() const;
    dnnl::memory scratchpad(const CachedPrimitive& cached, const dnnl::memory::desc& desc);

    int m_threads;
    dnnl::engine m_engine;
    dnnl::stream m_stream;
    AlignedBuffer m_scratchpad;
    std::list<Entry> m_entries; // most recently used first
    std::unordered_map<PrimitiveKey, std::list<Entry>::iterator, PrimitiveKeyHash> m_index;
    std::size_t m_created = 0;
};

} // namespace attn
