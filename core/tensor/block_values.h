// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#ifdef __F16C__
#include <immintrin.h>
#endif

// Blocks of ggml's quantised types: what their bytes stand for. Formulas and the order of their operations are those of
// ggml, whose float32 values are the same bit for bit. Everything is static, since these functions are also compiled
// for processors that the rest of the program must not ask for: the linker could take such a copy for all.

namespace attn::blocks {

// halfToFloat() of base/half.h, without branches.
static inline float half(const std::uint8_t* bytes)
{
#ifdef __F16C__
    std::uint16_t stored = 0;
    std::memcpy(&stored, bytes, sizeof stored);
    return _cvtsh_ss(stored);
#else
    const std::uint32_t bits = static_cast<std::uint32_t>(bytes[0] | bytes[1] << 8);
    const std::uint32_t magnitude = (bits & 0x7FFFU) << 13;
    float value = 0;
    std::memcpy(&value, &magnitude, sizeof value);
    value *= 0x1p112F; // the difference of the exponents' biases; exact, for subnormals too
    std::uint32_t whole = 0;
    std::memcpy(&whole, &value, sizeof whole);
    whole |= (bits & 0x7C00U) == 0x7C00U ? 0x7F800000U | magnitude : 0U; // infinity and NaN
    whole |= (bits & 0x8000U) << 16;
    std::memcpy(&value, &whole, sizeof value);
    return value;
#endif
}

static inline float number(int value)
{
    return static_cast<float>(value);
}

static inline std::uint32_t word(const std::uint8_t* bytes)
{
    std::uint32_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

// Sixteen levels side by side, in the vectors that GCC and clang have; 16 bytes are a register on every processor.
typedef std::int8_t Levels __attribute__((vector_size(16)));
typedef std::uint8_t Bytes __attribute__((vector_size(16)));

// Levels that four bits stand for: plain numbers, those around zero, IQ4_NL's and IQ4_XS's, and twice those of FP4
// (E2M1).
static constexpr Levels numbers4 = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static constexpr Levels around0 = {-8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7};
static constexpr Levels codebook = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
static constexpr Levels doubledFp4 = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

static inline Bytes sixteen(const std::uint8_t* bytes)
{
    Bytes result;
    std::memcpy(&result, bytes, sizeof result);
    return result;
}

static inline Levels low(Bytes bytes)
{
    return reinterpret_cast<Levels>(bytes & 15);
}
static inline Levels high(Bytes bytes)
{
    return reinterpret_cast<Levels>(bytes >> 4);
}
// Bits `shift` and the next.
static inline Levels pair(Bytes bytes, int shift)
{
    return reinterpret_cast<Levels>(bytes >> static_cast<std::uint8_t>(shift) & 3);
}
// 16 where the bit is set, else 0.
static inline Levels fifth(Bytes bytes, int bit)
{
    return reinterpret_cast<Levels>((bytes >> static_cast<std::uint8_t>(bit) & 1) << 4);
}
// The same for bits first, first + 1, ... of a word.
static inline Levels fifthOfWord(std::uint32_t bits, int first)
{
    const std::uint16_t these = static_cast<std::uint16_t>(bits >> first);
    const auto lower = static_cast<std::uint8_t>(these & 255);
    const auto upper = static_cast<std::uint8_t>(these >> 8);
    const Bytes masks = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const Bytes bytes = {lower, lower, lower, lower, lower, lower, lower, lower,
                         upper, upper, upper, upper, upper, upper, upper, upper};
    return reinterpret_cast<Levels>(((bytes & masks) == masks)) & 16;
}

typedef char PackedChars __attribute__((vector_size(16)));
static inline Levels lookedUp(Levels levels, Levels table)
{
#ifdef __SSSE3__
    return reinterpret_cast<Levels>(
        __builtin_ia32_pshufb128(reinterpret_cast<PackedChars>(table), reinterpret_cast<PackedChars>(levels)));
#else
    Levels result;
    for (int i = 0; i < 16; ++i)
        result[i] = table[levels[i]];
    return result;
#endif
}

// Each struct: values and bytes of a block, and what calls put(first, levels, d) or put(first, levels, d, m) for the
// values first to first + 15, which are d levels or d levels + m; put.low(first, bytes, table, d), with or without m,
// where the levels are what the table has for the low four bits of each byte, and put.high for the high ones.

struct Q8_0
{
    static constexpr int values = 32;
    static constexpr int bytes = 34;
    template<class Put>
    static inline void read(const std::uint8_t* block, Put& put)
    {
        const float d = half(block);
        put(0, reinterpret_cast<Levels>(sixteen(block + 2)), d);
        put(16, reinterpret_cast<Levels>(sixteen(block + 18)), d);
    }
};

// Four bits a value, which stand for the levels of a table.
template<const Levels& table>
struct FourBits
{
    static constexpr int values = 32;
    static constexpr int bytes = 18;
    template<class Put>
    static inline void read(const std::uint8_t* block, Put& put)
    {
        const float d = half(block);
        const Bytes q = sixteen(block + 2);
        put.low(0, q, table, d);
        put.high(16, q, table, d);
    }
};

struct Q4_0 : FourBits<around0>
{
};

struct IQ4_NL : FourBits<codebook>
{
};

struct Q4_1
{
    static constexpr int values = 32;
    static constexpr int bytes = 20;
    template<class Put>
    static inline void read(const std::uint8_t* block, Put& put)
    {
        const float d = half(block);
        const float m = half(block + 2);
        const Bytes q = sixteen(block + 4);
        put.low(0, q, numbers4, d, m);
        put.high(16, q, numbers4, d, m);
    }
};

struct Q5_0
{
    static constexpr int values = 32;
    static constexpr int bytes = 22;
    template<class Put>
    static inline void read(const std::uint8_t* block, Put& put)
    {
        const float d = half(block);
        const std::uint32_t bits = word(block + 2);
        const Bytes q = sixteen(block + 6);
        put(0, (low(q) | fifthOfWord(bits, 0)) - 16, d);
        put(16, (high(q) | fifthOfWord(bits, 16)) - 16, d);
    }
};

struct Q5_1
{
    static constexpr int values = 32;
    static constexpr int bytes = 24;
    template<class Put>
    static inline void read(const std::uint8_t* block, Put& put)
    {
        const float d = half(block);
        const float m = half(block + 2);
        const std::uint32_t bits = word(block + 4);
        const Bytes q = sixteen(block + 8);
        put(0, low(q) | fifthOfWord(bits, 0), d, m);
        put(16, high(q) | fifthOfWord(bits, 16), d, m);
    }
};

struct MXFP4
{
    static constexpr int values = 32;
    static constexpr int bytes = 17;
    template<class Put>
    static inline void read(const std::uint8_t* block, Put& put)
    {
        // 2 to the power of block[0] - 128, the two smallest as subnormals
        const std::uint32_t bits = block[0] < 2 ? 0x00200000U << block[0] : (block[0] - 1U) << 23;
        float d = 0;
        std::memcpy(&d, &bits, sizeof d);
        const Bytes q = sixteen(block + 1);
        put.low(0, q, doubledFp4, d);
        put.high(16, q, doubledFp4, d);
    }
};

// Value 128 a + 32 b + c of Q2_K, Q3_K and Q6_K lies in bits 2 b of byte 32 a + c, and in group 8 a + 2 b + c / 16.

struct Q2_K
{
    static constexpr int values = 256;
    static constexpr int bytes = 84;
    template<class Put>
    static inline void read(const std::uint8_t* block, Put& put)
    {
        const float d = half(block + 80);
        const float m = half(block + 82);
#pragma GCC unroll 16
        for (int group = 0; group < 16; ++group) {
            const Bytes q = sixteen(block + 16 + group / 8 * 32 + group % 2 * 16);
            put(16 * group, pair(q, group % 8 / 2 * 2), d * number(block[group] & 15),
                -(m * number(block[group] >> 4)));
        }
    }
};

struct Q3_K
{
    static constexpr int values = 256;
    static constexpr int bytes = 110;
    template<class Put>
    static inline void read(const std::uint8_t* block, Put& put)
    {
        const std::uint8_t* const s = block + 96;
        const float d = half(block + 108);
#pragma GCC unroll 16
        for (int group = 0; group < 16; ++group) {
            const int scale = (s[group % 8] >> group / 8 * 4 & 15) | (s[8 + group % 4] >> group / 4 * 2 & 3) << 4;
            const Bytes q = sixteen(block + 32 + group / 8 * 32 + group % 2 * 16);
            const Bytes bits = sixteen(block + group % 2 * 16); // 4 is subtracted where the bit is zero
            put(16 * group, pair(q, group % 8 / 2 * 2) + fifth(bits, group / 2) / 4 - 4, d * number(scale - 32));
        }
    }
};

// Eight scales and eight minima of groups of 32 values, six bits each in twelve bytes, of which four more can be read.
static inline Bytes sixBits(const std::uint8_t* stored)
{
    typedef std::uint32_t Words __attribute__((vector_size(16)));
    const auto words = reinterpret_cast<Words>(sixteen(stored)); // scales, minima, high bits of both
    const Words shifts = {0, 4, 0, 4};
    const Words last = __builtin_shuffle(words, Words{2, 2, 2, 2}) >> shifts;
    const Words first = words & 0x3F3F3F3FU;
    const Words second = (last & 0x0F0F0F0FU) | (words >> 2 & 0x30303030U);
    return reinterpret_cast<Bytes>(__builtin_shuffle(first, second, Words{0, 4, 1, 5}));
}

// Scales and offsets of a block, times d and m.
struct Scales
{
    float scale[8];
    float minimum[8]; // negative

    explicit Scales(const std::uint8_t* block)
    {
        const float d = half(block);
        const float m = half(block + 2);
        const Bytes bytes = sixBits(block + 4);
#ifdef __AVX2__
        const auto whole = reinterpret_cast<__m128i>(bytes);
        const auto numbers = [](__m128i eight) { return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight)); };
        _mm256_storeu_ps(scale, numbers(whole) * d);
        _mm256_storeu_ps(minimum, -(numbers(_mm_srli_si128(whole, 8)) * m));
        asm("" : "+m"(scale), "+m"(minimum)); // each is loaded into all lanes, which is faster than to shuffle them
#else
        for (int group = 0; group < 8; ++group) {
            scale[group] = d * number(bytes[group]);
            minimum[group] = -(m * number(bytes[group + 8]));
        }
#endif
    }
};

struct Q4_K
{
    static constexpr int values = 256;
    static constexpr int bytes = 144;
    template<class Put>
    static inline void read(const std::uint8_t* block, Put& put)
    {
        const Scales groups(block);
#pragma GCC unroll 8
        for (int part = 0; part < 8; ++part) { // of 16 bytes
            const Bytes q = sixteen(block + 16 + 16 * part);
            const int group = part / 2 * 2;
            const int to = 32 * group + part % 2 * 16;
            put.low(to, q, numbers4, groups.scale[group], groups.minimum[group]);
            put.high(to + 32, q, numbers4, groups.scale[group + 1], groups.minimum[group + 1]);
        }
    }
};

struct Q5_K
{
    static constexpr int values = 256;
    static constexpr int bytes = 176;
    template<class Put>
    static inline void read(const std::uint8_t* block, Put& put)
    {
        const Scales groups(block);
#pragma GCC unroll 8
        for (int part = 0; part < 8; ++part) { // of 16 bytes
            const Bytes q = sixteen(block + 48 + 16 * part);
            const Bytes bits = sixteen(block + 16 + part % 2 * 16);
            const int group = part / 2 * 2;
            const int to = 32 * group + part % 2 * 16;
            put(to, low(q) | fifth(bits, group), groups.scale[group], groups.minimum[group]);
            put(to + 32, high(q) | fifth(bits, group + 1), groups.scale[group + 1], groups.minimum[group + 1]);
        }
    }
};

struct Q6_K
{
    static constexpr int values = 256;
    static constexpr int bytes = 210;
    template<class Put>
    static inline void read(const std::uint8_t* block, Put& put)
    {
        const float d = half(block + 208);
        const auto bytes = reinterpret_cast<Levels>(sixteen(block + 192));
        float scales[16];
#ifdef __AVX2__
        const auto whole = reinterpret_cast<__m128i>(bytes);
        const auto numbers = [](__m128i eight) { return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(eight)); };
        _mm256_storeu_ps(scales, numbers(whole) * d);
        _mm256_storeu_ps(scales + 8, numbers(_mm_srli_si128(whole, 8)) * d);
        asm("" : "+m"(scales)); // as above
#else
        for (int group = 0; group < 16; ++group)
            scales[group] = d * number(bytes[group]);
#endif
#pragma GCC unroll 16
        for (int group = 0; group < 16; ++group) {
            const int part = group % 8 / 2; // b
            const Bytes q = sixteen(block + group / 8 * 64 + part % 2 * 32 + group % 2 * 16);
            const Bytes bits = sixteen(block + 128 + group / 8 * 32 + group % 2 * 16);
            const Levels levels = (part < 2 ? low(q) : high(q)) | pair(bits, 2 * part) << 4;
            put(16 * group, levels - 32, scales[group]);
        }
    }
};

struct IQ4_XS
{
    static constexpr int values = 256;
    static constexpr int bytes = 136;
    template<class Put>
    static inline void read(const std::uint8_t* block, Put& put)
    {
        const float d = half(block);
        const int bits = block[2] | block[3] << 8;
#pragma GCC unroll 8
        for (int group = 0; group < 8; ++group) {
            const int scale = (block[4 + group / 2] >> group % 2 * 4 & 15) | (bits >> 2 * group & 3) << 4;
            const Bytes q = sixteen(block + 8 + 16 * group);
            put.low(32 * group, q, codebook, d * number(scale - 32));
            put.high(32 * group + 16, q, codebook, d * number(scale - 32));
        }
    }
};

} // namespace attn::blocks
