// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/primitives.h"

#include "base/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

namespace attn {

namespace {

constexpr std::size_t mostPrimitives = 512;
constexpr std::size_t mostSpare = std::size_t{16} << 20;
constexpr std::int64_t worthATeam = 500'000;
constexpr std::int64_t worthAFixedTeam = 16'000'000;

constexpr std::array<const char*, 12> operationNames{"linear",
                                                     "matrix product",
                                                     "softmax",
                                                     "exponential",
                                                     "layer normalisation",
                                                     "activation",
                                                     "gradient of an activation",
                                                     "element-wise operation",
                                                     "GRU",
                                                     "LSTM",
                                                     "reorder",
                                                     "convolution"};

// Number of threads of a team that is asked for so many: OMP_THREAD_LIMIT, OMP_MAX_ACTIVE_LEVELS and a team around this
// thread allow fewer. oneDNN divides work by what it asks for, so that a smaller team would leave some of it undone.
int teamOf(int threads)
{
    const bool isAlone = omp_in_parallel() != 0 || omp_get_max_active_levels() < 1;
    return isAlone ? 1 : std::clamp(threads, 1, omp_get_thread_limit());
}

} // namespace

std::string PrimitiveKey::describe() const
{
    const auto last = std::find_if(values.rbegin(), values.rend(), [](auto value) { return value != 0; });
    return fmt::format("{} {}", operationNames.at(static_cast<std::size_t>(operation)),
                       fmt::join(values.begin(), last.base(), " "));
}

std::size_t PrimitiveKeyHash::operator()(const PrimitiveKey& key) const noexcept
{
    std::uint64_t hash = static_cast<std::uint64_t>(key.operation) * 31 + static_cast<std::uint64_t>(key.threads);
    for (const std::int64_t value : key.values)
        hash = (hash ^ static_cast<std::uint64_t>(value)) * 0x100000001b3ULL + (hash >> 29);
    return static_cast<std::size_t>(hash);
}

int evenTeam(std::int64_t parts, int threads)
{
    std::int64_t team = std::clamp<std::int64_t>(threads, 1, parts);
    while (parts % team != 0)
        --team;
    return static_cast<int>(team);
}

PrimitiveCache::PrimitiveCache(int threads, bool fixed)
    : m_threads(teamOf(threads))
    , m_most(m_threads)
    , m_free(fixed ? std::nullopt : std::optional<FreeCores>(m_threads))
    , m_engine(dnnl::engine::kind::cpu, 0)
    , m_stream(m_engine)
{
}

int PrimitiveCache::threadsFor(std::int64_t multiplyAdds)
{
    if (multiplyAdds < worthATeam)
        return 1;
    return teamOf(std::min(m_free ? m_free->count() : m_threads, m_most));
}

int PrimitiveCache::threadsFor(std::int64_t multiplyAdds, std::int64_t parts)
{
    return parts == 1 ? fixedThreadsFor(multiplyAdds) : evenTeam(parts, threadsFor(multiplyAdds));
}

int PrimitiveCache::fixedThreadsFor(std::int64_t multiplyAdds) const
{
    return multiplyAdds < worthAFixedTeam ? 1 : teamOf(m_threads);
}

void PrimitiveCache::guard(const PrimitiveKey& key, const std::function<void()>& body) const
{
    omp_set_dynamic(0); // OMP_DYNAMIC makes teams smaller at any time
    omp_set_num_threads(key.threads);
    try {
        body();
    } catch (const dnnl::error& error) {
        if (error.status == dnnl_out_of_memory)
            throw Error(ErrorKind::Resource, key.describe(), "not enough memory", "use a shorter text");
        throw Error(error.status == dnnl_unimplemented ? ErrorKind::Unsupported : ErrorKind::Resource, key.describe(),
                    fmt::format("oneDNN refused it: {}", error.what()));
    }
}

PrimitiveCache::Entry& PrimitiveCache::entry(const PrimitiveKey& key, const Maker& make)
{
    if (const auto found = m_index.find(key); found != m_index.end()) {
        m_entries.splice(m_entries.begin(), m_entries, found->second);
        return m_entries.front();
    }
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    PrimitiveParts parts = make(m_engine, attributes);
    ++m_created;

    Entry made{key, std::move(parts.primitive), {}, parts.scratchpad.get_size()};
    for (const auto& [which, layout] : parts.arguments)
        made.arguments.emplace(which, dnnl::memory(layout, m_engine, nullptr));
    made.arguments.emplace(DNNL_ARG_SCRATCHPAD, dnnl::memory(parts.scratchpad, m_engine, nullptr));
    m_entries.push_front(std::move(made));
    m_index[key] = m_entries.begin();
    if (m_entries.size() > mostPrimitives) {
        m_index.erase(m_entries.back().key);
        m_entries.pop_back();
    }
    return m_entries.front();
}

void PrimitiveCache::execute(Entry& entry, const std::vector<Argument>& arguments)
{
    if (entry.scratchpadBytes > m_scratchpad.size())
        m_scratchpad = AlignedBuffer(scratchpadRoom(entry.scratchpadBytes));
    entry.arguments.at(DNNL_ARG_SCRATCHPAD).set_data_handle(m_scratchpad.data());
    for (const Argument& argument : arguments) {
        void* data = const_cast<void*>(argument.data); // oneDNN has one handle type for inputs and outputs
        if (argument.layout != nullptr)
            entry.arguments[argument.which] = dnnl::memory(*argument.layout, m_engine, data);
        else
            entry.arguments.at(argument.which).set_data_handle(data);
    }
    entry.primitive.execute(m_stream, entry.arguments);
    m_stream.wait();
}

void PrimitiveCache::trimScratchpad()
{
    if (m_scratchpad.size() > mostSpare)
        m_scratchpad = {};
}

void PrimitiveCache::run(const PrimitiveKey& key, const Maker& make, const std::vector<Argument>& arguments)
{
    guard(key, [&] { execute(entry(key, make), arguments); });
}

dnnl::memory::desc rowMajor(const dnnl::memory::dims& dims)
{
    dnnl::memory::dims strides(dims.size(), 1);
    for (std::size_t axis = dims.size() - 1; axis > 0; --axis)
        strides[axis - 1] = strides[axis] * std::max<dnnl::memory::dim>(dims[axis], 1);
    return {dims, dnnl::memory::data_type::f32, strides};
}

} // namespace attn
