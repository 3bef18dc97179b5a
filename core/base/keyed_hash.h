// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>

namespace attn {

// Hashes with a secret of this process. Whoever writes a file knows the standard library's hashes, and could choose
// keys that all have the same one.

struct HashKey
{
    std::uint64_t first = 0;
    std::uint64_t second = 0;
};

inline const HashKey& hashKey()
{
    static const HashKey key = [] {
        std::random_device source;
        const auto number = [&] { return std::uint64_t{source()} << 32U | source(); };
        const std::uint64_t first = number();
        return HashKey{first, number()};
    }();
    return key;
}

// SipHash (Aumasson and Bernstein 2012) with this many rounds for each word of the text, and at its end.
template<int Compression, int Finalization>
std::uint64_t sipHash(std::string_view text, HashKey key)
{
    std::uint64_t a = key.first ^ 0x736f6d6570736575U;
    std::uint64_t b = key.second ^ 0x646f72616e646f6dU;
    std::uint64_t c = key.first ^ 0x6c7967656e657261U;
    std::uint64_t d = key.second ^ 0x7465646279746573U;
    const auto mix = [&](int rounds) {
        for (int round = 0; round < rounds; ++round) {
            a += b;
            b = std::rotl(b, 13) ^ a;
            a = std::rotl(a, 32);
            c += d;
            d = std::rotl(d, 16) ^ c;
            a += d;
            d = std::rotl(d, 21) ^ a;
            c += b;
            b = std::rotl(b, 17) ^ c;
            c = std::rotl(c, 32);
        }
    };
    const auto add = [&](std::uint64_t word) {
        d ^= word;
        mix(Compression);
        a ^= word;
    };
    constexpr std::size_t wordBytes = 8;
    const std::uint64_t length = std::uint64_t{text.size()} << 56U;
    for (; text.size() >= wordBytes; text.remove_prefix(wordBytes)) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data(), wordBytes);
        add(word);
    }
    std::uint64_t last = 0;
    if (!text.empty())
        std::memcpy(&last, text.data(), text.size());
    add(last | length);
    c ^= 0xFFU;
    mix(Finalization);
    return a ^ b ^ c ^ d;
}

struct KeyedHash
{
    std::size_t operator()(std::string_view text) const { return sipHash<1, 3>(text, hashKey()); }
    std::size_t operator()(std::uint64_t number) const
    {
        number = (number + hashKey().first) * (hashKey().second | 1U);
        number ^= number >> 32U;
        number *= hashKey().first | 1U;
        return number ^ number >> 29U;
    }
};

} // namespace attn
