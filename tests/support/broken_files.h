// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Files as strangers send them: built in code, one named malformation each.
namespace attn::test {

using Bytes = std::vector<std::byte>;

Bytes bytesOf(std::string_view text);
Bytes operator+(Bytes first, const Bytes& second);

template<class T>
Bytes littleEndian(T value)
{
    const auto bytes = std::as_bytes(std::span(&value, 1));
    return {bytes.begin(), bytes.end()};
}

struct BrokenFile
{
    std::string name;
    Bytes bytes;
    std::string expected; // part of the message
};

Bytes safetensors(std::string_view header, std::size_t valueBytes);
Bytes smallSafetensors(); // "a" f32 [2, 2], "b" f16 [3]
std::vector<BrokenFile> brokenSafetensors();

Bytes npy(std::string_view dictionary, std::size_t valueBytes, std::uint8_t version = 1);
std::vector<BrokenFile> brokenNpy();

std::vector<BrokenFile> brokenJson();

// Calls read with every truncation of `valid` and with copies in which one byte in `step` is changed. What read throws
// must be an Error; returns the first other outcome in words, empty when there is none.
std::string surviveDamage(const Bytes& valid, std::size_t step, const std::function<void(const Bytes&)>& read);

// The message with which `action` fails; empty when it succeeds.
std::string errorOf(const std::function<void()>& action);

} // namespace attn::test
