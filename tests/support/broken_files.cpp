// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/broken_files.h"

#include <array>

namespace attn::test {

Bytes bytesOf(std::string_view text)
{
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

Bytes operator+(Bytes first, const Bytes& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

Bytes safetensors(std::string_view header, std::size_t valueBytes)
{
    return littleEndian(std::uint64_t{header.size()}) + bytesOf(header) + Bytes(valueBytes, std::byte{0});
}

Bytes smallSafetensors()
{
    constexpr std::array<float, 4> matrix = {1, -2, 0.5F, 4};
    constexpr std::array<std::uint16_t, 3> halves = {0x3C00, 0xC000, 0x0001}; // 1, -2, the smallest subnormal
    Bytes file = safetensors(R"({"__metadata__":{"format":"pt"},)"
                             R"("b":{"dtype":"F16","shape":[3],"data_offsets":[16,22]},)"
                             R"("a":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}})",
                             0);
    for (const float value : matrix)
        file = std::move(file) + littleEndian(value);
    for (const std::uint16_t value : halves)
        file = std::move(file) + littleEndian(value);
    return file;
}

std::vector<BrokenFile> brokenSafetensors()
{
    const auto entry = [](std::string_view body, std::size_t valueBytes) {
        return safetensors("{\"a\":" + std::string(body) + "}", valueBytes);
    };
    const auto lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1000\n";
    return {
        {"empty", {}, "is empty"},
        {"git lfs pointer", bytesOf(lfs), "is a Git LFS pointer, not the file itself (run 'git lfs pull'"},
        {"web page", bytesOf("\n<!DOCTYPE html><html><body>404</body></html>"), "is a web page"},
        {"torch file", bytesOf(std::string("PK\x03\x04\0\0\b\b\0\0archive/data.pkl", 26)), "torch.save"},
        {"pickle", bytesOf("\x80\x02}q\x01(X\x05weigh"), "pickle"},
        {"gguf", bytesOf(std::string("GGUF\x03\0\0\0\0\0\0\0", 12)), "GGUF"},
        {"gzip", bytesOf(std::string("\x1f\x8b\x08\0\0\0\0\0\0\0", 10)), "gzip"},
        {"picture", bytesOf("\x89PNG\r\n\x1a\n....."), "PNG"},
        {"hdf5", bytesOf("\x89HDF\r\n\x1a\n....."), "HDF5"},
        {"plain json", bytesOf("{\"weight_map\": {\"a\": \"b\"}}"), "is a JSON document"},
        {"plain text", bytesOf("Not found, sorry"), "is plain text"},
        {"text like a pickle", bytesOf("cat\nnot found\n"), "is plain text"},
        {"old pickle", bytesOf("cos\nsystem\n(S'ls'\ntR."), "protocol 0, which is not read; it asks for os.system"},
        {"old pickle of a state", bytesOf("(dp0\nS'a'\np1\nctorch._utils\n_rebuild_tensor_v2\np2\n."),
         "it asks for torch._utils._rebuild_tensor_v2"},
        {"only zeros", Bytes(64, std::byte{0}), "only zeros"},
        {"shorter than the length", bytesOf("\x01\x02\x03"), "header of 0 bytes"},
        {"header longer than the file", littleEndian(std::uint64_t{1000}) + bytesOf("{}"), "claims a header of 1000"},
        {"header length overflows", littleEndian(~std::uint64_t{0}) + bytesOf("{}"), "claims a header"},
        {"header not JSON", safetensors("{\"a\":", 0), "not valid JSON"},
        {"header nested", safetensors("{\"a\":[[[[[[]]]]]]}", 0), "nested deeper"},
        {"entry not an object", entry("5", 0), "a: expected"},
        {"no dtype", entry(R"({"shape":[1],"data_offsets":[0,4]})", 4), "a.dtype: expected"},
        {"unknown dtype outside", entry(R"({"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,2]})", 1),
         "bytes of values"},
        {"no shape", entry(R"({"dtype":"F32","data_offsets":[0,4]})", 4), "a.shape: expected"},
        {"negative dimension", entry(R"({"dtype":"F32","shape":[-1],"data_offsets":[0,4]})", 4), "a.shape: expected"},
        {"fractional dimension", entry(R"({"dtype":"F32","shape":[1.5],"data_offsets":[0,4]})", 4),
         "a.shape: expected"},
        {"dimension beyond int64", entry(R"({"dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,4]})", 4),
         "a.shape: expected"},
        {"product overflows", entry(R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]})", 0),
         "too large"},
        {"product overflows to the right size",
         entry(R"({"dtype":"U8","shape":[4611686018427387904,4,1],"data_offsets":[0,0]})", 0), "too large"},
        {"one offset", entry(R"({"dtype":"F32","shape":[1],"data_offsets":[0]})", 4), "a.data_offsets: expected"},
        {"offsets reversed", entry(R"({"dtype":"F32","shape":[1],"data_offsets":[4,0]})", 4), "lies at bytes 4 to 0"},
        {"offset outside", entry(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})", 3), "file holds 3 bytes"},
        {"size does not fit the shape", entry(R"({"dtype":"F32","shape":[2],"data_offsets":[0,4]})", 4),
         "needs 8 bytes, has 4"},
        {"bytes behind the last", entry(R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})", 9),
         "holds 5 bytes behind"},
        {"hole in front", entry(R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})", 8), "gap before it"},
        {"overlap",
         safetensors(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                     R"("b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}})",
                     6),
         "overlaps"},
        {"duplicate name",
         safetensors(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                     R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                     8),
         "names \"a\" twice"},
    };
}

Bytes npy(std::string_view dictionary, std::size_t valueBytes, std::uint8_t version)
{
    Bytes file = bytesOf("\x93NUMPY") + littleEndian(version) + littleEndian(std::uint8_t{0});
    file = version == 1 ? std::move(file) + littleEndian(static_cast<std::uint16_t>(dictionary.size()))
                        : std::move(file) + littleEndian(static_cast<std::uint32_t>(dictionary.size()));
    return std::move(file) + bytesOf(dictionary) + Bytes(valueBytes, std::byte{0});
}

std::vector<BrokenFile> brokenNpy()
{
    const auto header = [](std::string_view type, std::string_view shape, std::size_t valueBytes) {
        return npy("{'descr': '" + std::string(type) + "', 'fortran_order': False, 'shape': " + std::string(shape)
                       + ", }\n",
                   valueBytes);
    };
    return {
        {"empty", {}, "not an array"},
        {"other magic", bytesOf("PK\x03\x04...."), "not an array"},
        {"only magic", bytesOf("\x93NUMPY"), "ends too early"},
        {"version 4", npy("{}", 0, 4), "unknown version 4"},
        {"header longer than the file", bytesOf("\x93NUMPY\x01") + Bytes(1, std::byte{0}) + bytesOf("\xff\xff{"),
         "ends too early"},
        {"header of gigabytes", bytesOf("\x93NUMPY\x02") + Bytes(1, std::byte{0}) + bytesOf("\xff\xff\xff\xff{"),
         "claims a header"},
        {"empty dictionary", npy("{}", 0), "descr: expected a text, found nothing"},
        {"unclosed dictionary", npy("{'descr': '<f4'", 0), "is not valid JSON"},
        {"trailing expression", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}; exit()", 4),
         "is not valid JSON"},
        {"call instead of a tuple", npy("{'descr': '<f4', 'fortran_order': False, 'shape': range(3)}", 4),
         "is not valid JSON"},
        {"unknown key", npy("{'descr': '<f4', 'order': 'C'}", 0), "unexpected key \"order\""},
        {"key twice", npy("{'descr': '<f4', 'descr': '<f8'}", 0), "names \"descr\" twice"},
        {"order not a truth value", npy("{'descr': '<f4', 'fortran_order': 1}", 0), "expected true or false"},
        {"objects", header("|O", "(1,)", 8), "pickled Python objects"},
        {"records", npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", 4), "holds records"},
        {"complex numbers", header("<c8", "(1,)", 8), "unknown type \"<c8\""},
        {"three-byte integers", header("<i3", "(1,)", 3), "unknown type"},
        {"no type", header("", "(1,)", 3), "unknown type"},
        {"type without width", header("<f", "(1,)", 3), "unknown type"},
        {"text of absurd width", header("<U99999999999999999999", "(1,)", 3), "unknown type"},
        {"negative dimension", header("<f4", "(-1,)", 4), "expected a tuple of whole numbers"},
        {"dimension with a sign", header("<f4", "(+1,)", 4), "is not valid JSON"},
        {"dimension beyond int64", header("<f4", "(9223372036854775808,)", 4), "expected a tuple of whole numbers"},
        {"product overflows", header("<f4", "(4294967296, 4294967296)", 0), "too large"},
        {"bytes overflow", header("<f8", "(2305843009213693952,)", 0), "too large"},
        {"forty dimensions",
         header("<f4", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)", 4),
         "more than 32"},
        {"too few values", header("<f4", "(3,)", 8), "should hold 12 bytes of values, holds 8"},
        {"too many values", header("<f4", "(3,)", 16), "should hold 12 bytes of values, holds 16"},
        {"endless empty texts", header("<U0", "(1000000000000,)", 0), "texts of no characters"},
    };
}

std::vector<BrokenFile> brokenJson()
{
    std::string deepObjects;
    for (int level = 0; level < 200; ++level)
        deepObjects += "{\"a\":";
    return {
        {"empty", {}, "not valid JSON"},
        {"open object", bytesOf("{"), "not valid JSON"},
        {"trailing text", bytesOf("{} x"), "not valid JSON (byte 4)"},
        {"single quotes", bytesOf("{'a': 1}"), "not valid JSON"},
        {"bare word", bytesOf("{\"a\": NaN, \"b\": none}"), "not valid JSON (byte 18)"},
        {"word that goes on", bytesOf("{\"a\": NaNo}"), "not valid JSON (byte 10)"},
        {"number beyond double", bytesOf("{\"a\": 1e999}"), "it holds a number too large for a double"},
        {"number beyond double and NaN", bytesOf("{\"a\": NaN, \"b\": 1e999}"), "a number too large for a double"},
        {"not UTF-8", bytesOf("{\"a\": \"\xff\"}"), "not valid JSON"},
        {"zero byte", Bytes(4, std::byte{0}), "not valid JSON"},
        {"deep lists", bytesOf(std::string(100'000, '[')), "nested deeper than 64 levels"},
        {"deep objects", bytesOf(deepObjects), "nested deeper than 64 levels"},
        {"a list", bytesOf("[1, 2]"), "expected a JSON object, found a list of 2"},
        {"a text", bytesOf("\"text\""), "expected a JSON object, found \"text\""},
    };
}

std::string errorOf(const std::function<void()>& action)
{
    try {
        action();
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

std::string surviveDamage(const Bytes& valid, std::size_t step, const std::function<void(const Bytes&)>& read)
{
    const auto survive = [&read](const Bytes& damaged, const std::string& what) -> std::string {
        try {
            errorOf([&] { read(damaged); });
            return {};
        } catch (const std::exception& error) {
            return what + ": " + error.what();
        }
    };
    for (std::size_t length = 0; length < valid.size(); length += step)
        if (auto problem = survive({valid.begin(), valid.begin() + static_cast<std::ptrdiff_t>(length)},
                                   "cut to " + std::to_string(length));
            !problem.empty())
            return problem;
    constexpr std::array masks = {std::byte{0x01}, std::byte{0x20}, std::byte{0x80}, std::byte{0xFF}};
    for (std::size_t position = 0; position < valid.size(); position += step)
        for (const std::byte mask : masks) {
            Bytes damaged = valid;
            damaged[position] ^= mask;
            if (auto problem = survive(damaged, "changed at " + std::to_string(position)); !problem.empty())
                return problem;
        }
    return {};
}

} // namespace attn::test
