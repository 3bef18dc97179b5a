// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/stored_rows.h"

#include "tensor/block_values.h"

#include <vector>

// Compiled once for each set of instructions, with ATTN_INSTRUCTIONS as its name; nothing here may be shared with other
// files but what is static in all of them.
namespace attn {

namespace {

constexpr std::int64_t lanes = 64;

// Asks for blocks that are read soon, into the first cache alone, and for numbers, of which more come in the same time,
// into the second; beyond the end for nothing.
static inline void fetchBlocks(const std::uint8_t* stored, int bytes)
{
    for (int line = 0; line < bytes; line += 64)
        __builtin_prefetch(stored + line + 2048, 0, 0);
}

static inline void fetchNumbers(const std::uint8_t* stored)
{
    __builtin_prefetch(stored + 8192, 0, 2);
}

// 64 sums side by side. Adds the products of weights and inputs, sixteen at a time, which belong to four fixed parts of
// the sums by their place. Their total is added in float64: what models amplify stays as small as with widened weights.
class Sums
{
public:
#if defined(__AVX512F__)
    struct Sixteen
    {
        __m512 values;
    };
    static Sixteen load(const float* values)
    {
        return {_mm512_loadu_ps(values)};
    }
    static Sixteen widened(blocks::Levels levels)
    {
        return {_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(reinterpret_cast<__m128i>(levels)))};
    }
    static Sixteen halves(const std::uint8_t* stored)
    {
        return {_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(stored)))};
    }
    static Sixteen scaled(Sixteen x, float d)
    {
        return {_mm512_mul_ps(x.values, _mm512_set1_ps(d))};
    }
    static Sixteen moved(Sixteen x, float m)
    {
        return {_mm512_add_ps(x.values, _mm512_set1_ps(m))};
    }
    // Values of a table that the low or high four bits of each byte choose.
    static Sixteen chosenByLow(blocks::Bytes bytes, Sixteen table)
    {
        return {_mm512_permutexvar_ps(_mm512_cvtepu8_epi32(reinterpret_cast<__m128i>(bytes)), table.values)};
    }
    static Sixteen chosenByHigh(blocks::Bytes bytes, Sixteen table)
    {
        const __m512i wide = _mm512_cvtepu8_epi32(reinterpret_cast<__m128i>(bytes));
        return {_mm512_permutexvar_ps(_mm512_srli_epi32(wide, 4), table.values)};
    }
    void add(int part, Sixteen weights, const float* x)
    {
        m_sums[part].values = _mm512_fmadd_ps(weights.values, _mm512_loadu_ps(x), m_sums[part].values);
    }
    static __m512d doubles(Sixteen x)
    {
        return _mm512_add_pd(_mm512_cvtps_pd(_mm512_castps512_ps256(x.values)),
                             _mm512_cvtps_pd(_mm512_extractf32x8_ps(x.values, 1)));
    }
    float total() const
    {
        const __m512d first = _mm512_add_pd(doubles(m_sums[0]), doubles(m_sums[1]));
        const __m512d second = _mm512_add_pd(doubles(m_sums[2]), doubles(m_sums[3]));
        return static_cast<float>(_mm512_reduce_add_pd(_mm512_add_pd(first, second)));
    }
#elif defined(__AVX2__)
    struct Sixteen
    {
        __m256 first;
        __m256 second;
    };
    static Sixteen load(const float* values)
    {
        return {_mm256_loadu_ps(values), _mm256_loadu_ps(values + 8)};
    }
    static Sixteen widened(blocks::Levels levels)
    {
        const auto bytes = reinterpret_cast<__m128i>(levels);
        return {_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)),
                _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_srli_si128(bytes, 8)))};
    }
    static Sixteen halves(const std::uint8_t* stored)
    {
        const auto* const both = reinterpret_cast<const __m128i*>(stored);
        return {_mm256_cvtph_ps(_mm_loadu_si128(both)), _mm256_cvtph_ps(_mm_loadu_si128(both + 1))};
    }
    static Sixteen scaled(Sixteen x, float d)
    {
        return {_mm256_mul_ps(x.first, _mm256_set1_ps(d)), _mm256_mul_ps(x.second, _mm256_set1_ps(d))};
    }
    static Sixteen moved(Sixteen x, float m)
    {
        return {_mm256_add_ps(x.first, _mm256_set1_ps(m)), _mm256_add_ps(x.second, _mm256_set1_ps(m))};
    }
    void add(int part, Sixteen weights, const float* x)
    {
        m_sums[part].first = _mm256_fmadd_ps(weights.first, _mm256_loadu_ps(x), m_sums[part].first);
        m_sums[part].second = _mm256_fmadd_ps(weights.second, _mm256_loadu_ps(x + 8), m_sums[part].second);
    }
    static __m256d doubles(__m256 x)
    {
        return _mm256_add_pd(_mm256_cvtps_pd(_mm256_castps256_ps128(x)), _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1)));
    }
    float total() const
    {
        __m256d all = _mm256_setzero_pd();
        for (const Sixteen& part : m_sums)
            all = _mm256_add_pd(all, _mm256_add_pd(doubles(part.first), doubles(part.second)));
        const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(all), _mm256_extractf128_pd(all, 1));
        return static_cast<float>(_mm_cvtsd_f64(two) + _mm_cvtsd_f64(_mm_unpackhi_pd(two, two)));
    }
#else
    struct Sixteen
    {
        float values[16] = {};
    };
    template<class Make>
    static Sixteen made(Make make)
    {
        Sixteen result;
        for (int i = 0; i < 16; ++i)
            result.values[i] = make(i);
        return result;
    }
    static Sixteen load(const float* values)
    {
        return made([&](int i) { return values[i]; });
    }
    static Sixteen widened(blocks::Levels levels)
    {
        return made([&](int i) { return static_cast<float>(levels[i]); });
    }
    static Sixteen halves(const std::uint8_t* stored)
    {
        return made([&](int i) { return blocks::half(stored + 2 * i); });
    }
    static Sixteen scaled(const Sixteen& x, float d)
    {
        return made([&](int i) { return x.values[i] * d; });
    }
    static Sixteen moved(const Sixteen& x, float m)
    {
        return made([&](int i) { return x.values[i] + m; });
    }
    void add(int part, const Sixteen& weights, const float* x)
    {
        for (int i = 0; i < 16; ++i)
            m_sums[part].values[i] += weights.values[i] * x[i];
    }
    float total() const
    {
        double all = 0;
        for (const Sixteen& part : m_sums)
            for (const float sum : part.values)
                all += static_cast<double>(sum);
        return static_cast<float>(all);
    }
#endif

private:
    Sixteen m_sums[4] = {};
};

// Takes the values of a block that begins at place `first` of the row.
struct Added
{
    Sums& sums;
    const float* x = nullptr; // that belong to the block
    int part = 0; // of the sums, where the block begins

    void operator()(int first, blocks::Levels levels, float d)
    {
        sums.add((part + first / 16) % 4, Sums::scaled(Sums::widened(levels), d), x + first);
    }
    void operator()(int first, blocks::Levels levels, float d, float m)
    {
        sums.add((part + first / 16) % 4, Sums::moved(Sums::scaled(Sums::widened(levels), d), m), x + first);
    }
#ifdef __AVX512F__
    void low(int first, blocks::Bytes bytes, blocks::Levels table, float d)
    {
        add(first, Sums::chosenByLow(bytes, Sums::scaled(Sums::widened(table), d)));
    }
    void low(int first, blocks::Bytes bytes, blocks::Levels table, float d, float m)
    {
        add(first, Sums::chosenByLow(bytes, Sums::moved(Sums::scaled(Sums::widened(table), d), m)));
    }
    void high(int first, blocks::Bytes bytes, blocks::Levels table, float d)
    {
        add(first, Sums::chosenByHigh(bytes, Sums::scaled(Sums::widened(table), d)));
    }
    void high(int first, blocks::Bytes bytes, blocks::Levels table, float d, float m)
    {
        add(first, Sums::chosenByHigh(bytes, Sums::moved(Sums::scaled(Sums::widened(table), d), m)));
    }
    void add(int first, Sums::Sixteen weights)
    {
        sums.add((part + first / 16) % 4, weights, x + first);
    }
#else
    template<class... Scale>
    void low(int first, blocks::Bytes bytes, blocks::Levels table, Scale... scale)
    {
        (*this)(first, blocks::lookedUp(blocks::low(bytes), table), scale...);
    }
    template<class... Scale>
    void high(int first, blocks::Bytes bytes, blocks::Levels table, Scale... scale)
    {
        (*this)(first, blocks::lookedUp(blocks::high(bytes), table), scale...);
    }
#endif
};

template<class Block>
void multiplyBlocks(const std::byte* rows, std::size_t rowBytes, std::int64_t count, std::int64_t inputs,
                    const float* x, float* y)
{
    constexpr int step = Block::values > lanes ? 1 : lanes / Block::values; // blocks whose parts are known beforehand
    for (std::int64_t row = 0; row < count; ++row) {
        const auto* block = reinterpret_cast<const std::uint8_t*>(rows) + static_cast<std::size_t>(row) * rowBytes;
        Sums sums;
        std::int64_t first = 0;
        const auto add = [&](int place) {
            Added added{sums, x + first, place * Block::values / 16};
            Block::read(block, added);
            first += Block::values;
            block += Block::bytes;
        };
        while (first + step * Block::values <= inputs) {
            fetchBlocks(block, step * Block::bytes);
            for (int place = 0; place < step; ++place)
                add(place);
        }
        if (first < inputs)
            add(0);
        y[row] = sums.total();
    }
}

// Types that have a value at a time. load(stored) gives sixteen of them.
template<int Bytes, class Load>
void multiplyNumbers(const std::byte* rows, std::size_t rowBytes, std::int64_t count, std::int64_t inputs,
                     const float* x, float* y, Load load)
{
    for (std::int64_t row = 0; row < count; ++row) {
        const auto* stored = reinterpret_cast<const std::uint8_t*>(rows) + static_cast<std::size_t>(row) * rowBytes;
        Sums sums;
        std::int64_t first = 0;
        for (; first + lanes <= inputs; first += lanes)
            for (int part = 0; part < 4; ++part, stored += 16 * Bytes) {
                fetchNumbers(stored);
                sums.add(part, load(stored), x + first + 16 * part);
            }
        const std::int64_t rest = inputs - first; // below 64
        std::uint8_t weights[lanes * Bytes] = {};
        float last[lanes] = {};
        std::memcpy(weights, stored, static_cast<std::size_t>(rest) * Bytes);
        std::memcpy(last, x + first, static_cast<std::size_t>(rest) * sizeof(float));
        for (int part = 0; part < 4 && 16 * part < rest; ++part)
            sums.add(part, load(weights + 16 * Bytes * part), last + 16 * part);
        y[row] = sums.total();
    }
}

void multiplyF32(const std::byte* rows, std::size_t rowBytes, std::int64_t count, std::int64_t inputs, const float* x,
                 float* y)
{
    multiplyNumbers<4>(rows, rowBytes, count, inputs, x, y,
                       [](const std::uint8_t* stored) { return Sums::load(reinterpret_cast<const float*>(stored)); });
}

void multiplyF16(const std::byte* rows, std::size_t rowBytes, std::int64_t count, std::int64_t inputs, const float* x,
                 float* y)
{
    multiplyNumbers<2>(rows, rowBytes, count, inputs, x, y,
                       [](const std::uint8_t* stored) { return Sums::halves(stored); });
}

void multiplyBf16(const std::byte* rows, std::size_t rowBytes, std::int64_t count, std::int64_t inputs, const float* x,
                  float* y)
{
    multiplyNumbers<2>(rows, rowBytes, count, inputs, x, y, [](const std::uint8_t* stored) {
        std::uint32_t bits[16];
        for (int i = 0; i < 16; ++i)
            bits[i] = static_cast<std::uint32_t>(stored[2 * i] | stored[2 * i + 1] << 8) << 16;
        float values[16];
        std::memcpy(values, bits, sizeof values);
        return Sums::load(values);
    });
}

#ifdef __AVX2__

struct RowSums
{
    __m256 sums = _mm256_setzero_ps();

    void add(__m256i wholes, float scale)
    {
        sums = _mm256_fmadd_ps(_mm256_cvtepi32_ps(wholes), _mm256_set1_ps(scale), sums);
    }
    float total() const
    {
        __m128 all = _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps(sums, 1));
        all = _mm_add_ps(all, _mm_movehl_ps(all, all));
        return _mm_cvtss_f32(_mm_add_ss(all, _mm_movehdup_ps(all)));
    }
};

static inline __m256i bytesAt(const void* bytes)
{
    return _mm256_loadu_si256(static_cast<const __m256i*>(bytes));
}

// Sums of four products each.
static inline __m256i fours(__m256i unsignedBytes, __m256i signedBytes)
{
    return _mm256_madd_epi16(_mm256_maddubs_epi16(unsignedBytes, signedBytes), _mm256_set1_epi16(1));
}

static inline __m256i lowBits(__m256i bytes, int shift, int mask)
{
    return _mm256_and_si256(_mm256_srli_epi16(bytes, shift), _mm256_set1_epi8(static_cast<char>(mask)));
}

struct RoundedQ8_0
{
    static constexpr int values = 32;
    static constexpr int bytes = 34;
    static void add(const std::uint8_t* block, const std::int8_t* x, const std::int16_t* /*sums*/, float scale,
                    RowSums& row)
    {
        const __m256i weights = bytesAt(block + 2);
        row.add(fours(_mm256_abs_epi8(weights), _mm256_sign_epi8(bytesAt(x), weights)), blocks::half(block) * scale);
    }
};

struct RoundedQ4_0
{
    static constexpr int values = 32;
    static constexpr int bytes = 18;
    static void add(const std::uint8_t* block, const std::int8_t* x, const std::int16_t* sums, float scale,
                    RowSums& row)
    {
        const __m128i stored = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 2));
        const __m256i weights = lowBits(_mm256_set_m128i(_mm_srli_epi16(stored, 4), stored), 0, 15); // 8 above theirs
        const __m256i eights = _mm256_castsi128_si256(_mm_cvtsi32_si128(-8 * (sums[0] + sums[1])));
        row.add(_mm256_add_epi32(fours(weights, bytesAt(x)), eights), blocks::half(block) * scale);
    }
};

struct RoundedQ4_K
{
    static constexpr int values = 256;
    static constexpr int bytes = 144;
    static void add(const std::uint8_t* block, const std::int8_t* x, const std::int16_t* sums, float scale,
                    RowSums& row)
    {
        const blocks::Bytes bits = blocks::sixBits(block + 4);
        __m256i all = _mm256_setzero_si256();
#pragma GCC unroll 8
        for (int group = 0; group < 8; ++group) {
            const __m256i weights = lowBits(bytesAt(block + 16 + group / 2 * 32), group % 2 * 4, 15);
            all = _mm256_add_epi32(all,
                                   _mm256_madd_epi16(_mm256_maddubs_epi16(weights, bytesAt(x + 32 * group)),
                                                     _mm256_set1_epi16(bits[group])));
        }
        row.add(all, blocks::half(block) * scale);
        const __m256i minima = _mm256_cvtepu8_epi32(_mm_srli_si128(reinterpret_cast<__m128i>(bits), 8));
        const __m256i ofGroups = _mm256_madd_epi16(bytesAt(sums), _mm256_set1_epi16(1));
        row.add(_mm256_mullo_epi32(minima, ofGroups), -blocks::half(block + 2) * scale);
    }
};

struct RoundedQ6_K
{
    static constexpr int values = 256;
    static constexpr int bytes = 210;
    static void add(const std::uint8_t* block, const std::int8_t* x, const std::int16_t* sums, float scale,
                    RowSums& row)
    {
        const auto* const scales = reinterpret_cast<const std::int8_t*>(block + 192);
        const __m256i wide = _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(scales)));
        const __m256i moved = _mm256_madd_epi16(wide, bytesAt(sums)); // weights are 32 below what is multiplied
        __m256i all = _mm256_slli_epi32(_mm256_sub_epi32(_mm256_setzero_si256(), moved), 5);
#pragma GCC unroll 8
        for (int part = 0; part < 8; ++part) { // of 32 values
            const int a = part / 4;
            const int b = part % 4;
            const __m256i high = _mm256_slli_epi16(lowBits(bytesAt(block + 128 + 32 * a), 2 * b, 3), 4);
            const __m256i weights = _mm256_or_si256(lowBits(bytesAt(block + 64 * a + b % 2 * 32), b / 2 * 4, 15), high);
            const __m256i each =
                _mm256_set_m128i(_mm_set1_epi16(scales[2 * part + 1]), _mm_set1_epi16(scales[2 * part]));
            all = _mm256_add_epi32(all, _mm256_madd_epi16(_mm256_maddubs_epi16(weights, bytesAt(x + 32 * part)), each));
        }
        row.add(all, blocks::half(block + 208) * scale);
    }
};

template<class Block>
void multiplyRounded(const std::byte* rows, std::size_t rowBytes, std::int64_t count, std::int64_t inputs,
                     RoundedView x, float* y)
{
    for (std::int64_t row = 0; row < count; ++row) {
        const auto* block = reinterpret_cast<const std::uint8_t*>(rows) + static_cast<std::size_t>(row) * rowBytes;
        RowSums sums;
        for (std::int64_t i = 0; i < inputs / Block::values; ++i, block += Block::bytes)
            Block::add(block, x.values + i * Block::values, x.sums + i * Block::values / 16, x.scales[i], sums);
        y[row] = sums.total();
    }
}

// multiplyRounded(), two blocks at a time.
void multiplyRoundedQ4_0(const std::byte* rows, std::size_t rowBytes, std::int64_t count, std::int64_t inputs,
                         RoundedView x, float* y)
{
    using Block = RoundedQ4_0;
    const std::int64_t blocks = inputs / Block::values;
    std::vector<float> eights(static_cast<std::size_t>(blocks)); // weights are 8 above theirs
    for (std::int64_t i = 0; i < blocks; ++i)
        eights[static_cast<std::size_t>(i)] = static_cast<float>(-8 * (x.sums[2 * i] + x.sums[2 * i + 1]));
    const auto two = [](const float* numbers) {
        return _mm_castsi128_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(numbers)));
    };
    const __m256i ofBlocks = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    for (std::int64_t row = 0; row < count; ++row) {
        const auto* block = reinterpret_cast<const std::uint8_t*>(rows) + static_cast<std::size_t>(row) * rowBytes;
        const auto bits = [&](int at) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + at)); };
        RowSums sums;
        __m128 moved = _mm_setzero_ps();
        std::int64_t i = 0;
        for (; i + 2 <= blocks; i += 2, block += 2 * Block::bytes) {
            const __m256i stored = _mm256_inserti128_si256(_mm256_castsi128_si256(bits(2)), bits(2 + Block::bytes), 1);
            const __m256i first = bytesAt(x.values + Block::values * i);
            const __m256i second = bytesAt(x.values + Block::values * (i + 1));
            const __m256i low =
                _mm256_maddubs_epi16(lowBits(stored, 0, 15), _mm256_permute2x128_si256(first, second, 0x20));
            const __m256i high =
                _mm256_maddubs_epi16(lowBits(stored, 4, 15), _mm256_permute2x128_si256(first, second, 0x31));
            const __m256i wholes = _mm256_madd_epi16(_mm256_add_epi16(low, high), _mm256_set1_epi16(1));
            const int halves = block[0] | block[1] << 8 | block[Block::bytes] << 16 | block[Block::bytes + 1] << 24;
            const __m128 scales = _mm_mul_ps(_mm_cvtph_ps(_mm_cvtsi32_si128(halves)), two(x.scales + i));
            moved = _mm_fmadd_ps(scales, two(&eights[static_cast<std::size_t>(i)]), moved);
            sums.sums = _mm256_fmadd_ps(_mm256_cvtepi32_ps(wholes),
                                        _mm256_permutevar8x32_ps(_mm256_castps128_ps256(scales), ofBlocks), sums.sums);
        }
        if (i < blocks)
            Block::add(block, x.values + Block::values * i, x.sums + 2 * i, x.scales[i], sums);
        y[row] = sums.total() + _mm_cvtss_f32(_mm_add_ss(moved, _mm_movehdup_ps(moved)));
    }
}

#endif

#ifdef __AVX512F__

// multiplyBlocks(), with the scale of 32 values taken out of their sum and the sums of inputs multiplied by the minima
// at once.
void multiplyQ4_K(const std::byte* rows, std::size_t rowBytes, std::int64_t count, std::int64_t inputs, const float* x,
                  float* y)
{
    using Block = blocks::Q4_K;
    constexpr std::int64_t group = 32;
    std::vector<float> sums(static_cast<std::size_t>(inputs / group));
    for (std::int64_t i = 0; i < inputs; i += group)
        sums[static_cast<std::size_t>(i / group)] =
            _mm512_reduce_add_ps(_mm512_add_ps(_mm512_loadu_ps(x + i), _mm512_loadu_ps(x + i + 16)));
    const auto low = [](__m512i bytes) { return _mm512_cvtepi32_ps(_mm512_and_si512(bytes, _mm512_set1_epi32(15))); };
    const auto high = [](__m512i bytes) { return _mm512_cvtepi32_ps(_mm512_srli_epi32(bytes, 4)); };
    for (std::int64_t row = 0; row < count; ++row) {
        const auto* block = reinterpret_cast<const std::uint8_t*>(rows) + static_cast<std::size_t>(row) * rowBytes;
        __m512 lower = _mm512_setzero_ps();
        __m512 upper = lower;
        __m256 minima = _mm256_setzero_ps();
        for (std::int64_t first = 0; first < inputs; first += Block::values, block += Block::bytes) {
            fetchBlocks(block, Block::bytes);
            const blocks::Scales groups(block);
            minima = _mm256_fmadd_ps(_mm256_loadu_ps(groups.minimum), _mm256_loadu_ps(&sums[first / group]), minima);
#pragma GCC unroll 4
            for (int pair = 0; pair < 4; ++pair) { // of groups in 32 bytes
                const float* const from = x + first + 64 * pair;
                const auto* const bytes = reinterpret_cast<const __m128i*>(block + 16 + 32 * pair);
                const __m512i one = _mm512_cvtepu8_epi32(_mm_loadu_si128(bytes));
                const __m512i two = _mm512_cvtepu8_epi32(_mm_loadu_si128(bytes + 1));
                const auto sum = [&](__m512 a, __m512 b, const float* with) {
                    return _mm512_fmadd_ps(b, _mm512_loadu_ps(with + 16), _mm512_mul_ps(a, _mm512_loadu_ps(with)));
                };
                lower = _mm512_fmadd_ps(sum(low(one), low(two), from), _mm512_set1_ps(groups.scale[2 * pair]), lower);
                upper = _mm512_fmadd_ps(sum(high(one), high(two), from + group),
                                        _mm512_set1_ps(groups.scale[2 * pair + 1]), upper);
            }
        }
        const __m512d all = _mm512_add_pd(Sums::doubles({lower}), Sums::doubles({upper}));
        y[row] = static_cast<float>(_mm512_reduce_add_pd(_mm512_add_pd(all, _mm512_cvtps_pd(minima))));
    }
}

// Sixteen stored rows side by side: levels, 128 above theirs, [inputs / 4][16] words of four, and, [inputs / 16][16],
// scales and minima. Takes the values of a block of row `output` that begins at place `base`.
struct Panel
{
    std::uint32_t* levels = nullptr;
    float* scales = nullptr;
    float* minima = nullptr;
    std::int64_t base = 0;
    int output = 0;

    Panel(std::byte* room, std::int64_t inputs)
        : levels(reinterpret_cast<std::uint32_t*>(room))
        , scales(reinterpret_cast<float*>(room + inputs * panelOutputs))
        , minima(scales + inputs / 16 * panelOutputs)
    {
    }
    void operator()(int first, blocks::Levels values, float d)
    {
        std::uint32_t words[4];
        const auto above = reinterpret_cast<blocks::Bytes>(values) ^ 128;
        std::memcpy(words, &above, sizeof words);
        std::uint32_t* const to = levels + (base + first) / 4 * panelOutputs + output;
        for (int i = 0; i < 4; ++i)
            to[i * panelOutputs] = words[i];
        scales[(base + first) / 16 * panelOutputs + output] = d;
    }
    void operator()(int first, blocks::Levels values, float d, float m)
    {
        (*this)(first, values, d);
        minima[(base + first) / 16 * panelOutputs + output] = m;
    }
    template<class... Scale>
    void low(int first, blocks::Bytes bytes, blocks::Levels table, Scale... scale)
    {
        (*this)(first, blocks::lookedUp(blocks::low(bytes), table), scale...);
    }
    template<class... Scale>
    void high(int first, blocks::Bytes bytes, blocks::Levels table, Scale... scale)
    {
        (*this)(first, blocks::lookedUp(blocks::high(bytes), table), scale...);
    }
};

template<class Block, int group, bool hasMinima>
__attribute__((target("avx512vnni"))) void multiplyPanel(const Panel& panel, std::int64_t inputs, RoundedPanelView x,
                                                         float* y)
{
    __m512 total[panelInputs];
    for (__m512& sum : total)
        sum = _mm512_setzero_ps();
    const std::uint32_t* levels = panel.levels;
    const std::uint32_t* values = x.values;
    for (std::int64_t first = 0; first < inputs; first += Block::values) {
        __m512 part[panelInputs];
        for (__m512& sum : part)
            sum = _mm512_setzero_ps();
        for (int inside = 0; inside < Block::values; inside += group) {
            __m512i whole[panelInputs];
            const std::int32_t* const sums = x.sums + (first + inside) / group * panelInputs;
#pragma GCC unroll 8
            for (int row = 0; row < panelInputs; ++row) // levels are 128 too large
                whole[row] = _mm512_slli_epi32(_mm512_set1_epi32(-sums[row]), 7);
#pragma GCC unroll 8
            for (int i = 0; i < group / 4; ++i, levels += panelOutputs, values += panelInputs) {
                const __m512i weights = _mm512_loadu_si512(levels);
#pragma GCC unroll 8
                for (int row = 0; row < panelInputs; ++row)
                    whole[row] = _mm512_dpbusd_epi32(whole[row], weights,
                                                     _mm512_set1_epi32(static_cast<std::int32_t>(values[row])));
            }
            const std::int64_t at = (first + inside) / 16 * panelOutputs;
            const __m512 scale = _mm512_loadu_ps(panel.scales + at);
#pragma GCC unroll 8
            for (int row = 0; row < panelInputs; ++row)
                part[row] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(whole[row]), scale, part[row]);
            if constexpr (hasMinima) {
                const __m512 minimum = _mm512_loadu_ps(panel.minima + at);
#pragma GCC unroll 8
                for (int row = 0; row < panelInputs; ++row)
                    part[row] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(_mm512_set1_epi32(sums[row])), minimum, part[row]);
            }
        }
        const float* const scales = x.scales + first / Block::values * panelInputs;
#pragma GCC unroll 8
        for (int row = 0; row < panelInputs; ++row)
            total[row] = _mm512_fmadd_ps(part[row], _mm512_set1_ps(scales[row]), total[row]);
    }
    for (int row = 0; row < panelInputs; ++row)
        _mm512_storeu_ps(y + row * panelOutputs, total[row]);
}

template<class Block, int group, bool hasMinima = false>
void multiplyPanels(const std::byte* rows, std::size_t rowBytes, int count, std::int64_t inputs,
                    std::span<const RoundedPanelView> x, std::byte* room, float* y)
{
    Panel panel(room, inputs);
    const auto* stored = reinterpret_cast<const std::uint8_t*>(rows);
    for (panel.base = 0; panel.base < inputs; panel.base += Block::values, stored += Block::bytes)
        for (panel.output = 0; panel.output < panelOutputs; ++panel.output) // the last one again where there are fewer
            Block::read(stored + static_cast<std::size_t>(panel.output < count ? panel.output : count - 1) * rowBytes,
                        panel);
    for (const RoundedPanelView& one : x) {
        multiplyPanel<Block, group, hasMinima>(panel, inputs, one, y);
        y += panelInputs * panelOutputs;
    }
}

#endif

} // namespace

namespace ATTN_INSTRUCTIONS {

RoundedRows roundedOfType([[maybe_unused]] DType type)
{
#ifdef __AVX2__
    switch (type) {
    case DType::Q8_0:
        return multiplyRounded<RoundedQ8_0>;
    case DType::Q4_0:
        return multiplyRoundedQ4_0;
    case DType::Q4_K:
        return multiplyRounded<RoundedQ4_K>;
    case DType::Q6_K:
        return multiplyRounded<RoundedQ6_K>;
    default:
        break;
    }
#endif
    return nullptr;
}

StoredRows rowsOfType(DType type)
{
    switch (type) {
    case DType::F32:
        return multiplyF32;
    case DType::F16:
        return multiplyF16;
    case DType::BF16:
        return multiplyBf16;
    case DType::Q8_0:
        return multiplyBlocks<blocks::Q8_0>;
    case DType::Q4_0:
        return multiplyBlocks<blocks::Q4_0>;
    case DType::Q4_1:
        return multiplyBlocks<blocks::Q4_1>;
    case DType::Q5_0:
        return multiplyBlocks<blocks::Q5_0>;
    case DType::Q5_1:
        return multiplyBlocks<blocks::Q5_1>;
    case DType::Q2_K:
        return multiplyBlocks<blocks::Q2_K>;
    case DType::Q3_K:
        return multiplyBlocks<blocks::Q3_K>;
    case DType::Q4_K:
#ifdef __AVX512F__
        return multiplyQ4_K;
#else
        return multiplyBlocks<blocks::Q4_K>;
#endif
    case DType::Q5_K:
        return multiplyBlocks<blocks::Q5_K>;
    case DType::Q6_K:
        return multiplyBlocks<blocks::Q6_K>;
    case DType::IQ4_NL:
        return multiplyBlocks<blocks::IQ4_NL>;
    case DType::IQ4_XS:
        return multiplyBlocks<blocks::IQ4_XS>;
    case DType::MXFP4:
        return multiplyBlocks<blocks::MXFP4>;
    default:
        return nullptr;
    }
}

#ifdef __AVX512F__
RoundedPanels panelsOfType(DType type)
{
    switch (type) {
    case DType::Q8_0:
        return multiplyPanels<blocks::Q8_0, panelGroup(DType::Q8_0)>;
    case DType::Q4_0:
        return multiplyPanels<blocks::Q4_0, panelGroup(DType::Q4_0)>;
    case DType::Q4_1:
        return multiplyPanels<blocks::Q4_1, panelGroup(DType::Q4_1), true>;
    case DType::Q5_0:
        return multiplyPanels<blocks::Q5_0, panelGroup(DType::Q5_0)>;
    case DType::Q5_1:
        return multiplyPanels<blocks::Q5_1, panelGroup(DType::Q5_1), true>;
    case DType::Q2_K:
        return multiplyPanels<blocks::Q2_K, panelGroup(DType::Q2_K), true>;
    case DType::Q3_K:
        return multiplyPanels<blocks::Q3_K, panelGroup(DType::Q3_K)>;
    case DType::Q4_K:
        return multiplyPanels<blocks::Q4_K, panelGroup(DType::Q4_K), true>;
    case DType::Q5_K:
        return multiplyPanels<blocks::Q5_K, panelGroup(DType::Q5_K), true>;
    case DType::Q6_K:
        return multiplyPanels<blocks::Q6_K, panelGroup(DType::Q6_K)>;
    case DType::IQ4_NL:
        return multiplyPanels<blocks::IQ4_NL, panelGroup(DType::IQ4_NL)>;
    case DType::IQ4_XS:
        return multiplyPanels<blocks::IQ4_XS, panelGroup(DType::IQ4_XS)>;
    case DType::MXFP4:
        return multiplyPanels<blocks::MXFP4, panelGroup(DType::MXFP4)>;
    default:
        return nullptr;
    }
}
#endif

} // namespace ATTN_INSTRUCTIONS

} // namespace attn
