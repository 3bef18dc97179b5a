// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

class ByteReader;
class MappedFile;

// One tensor's entry in a GGUF file.
struct GgufTensor
{
    std::string name;
    std::vector<std::int64_t> shape; // outermost first, the reverse of the stored order; the product fits
    std::uint32_t type = 0; // ggml's number: 0 f32, 1 f16, 8 q8_0, 30 bf16, ...
    std::span<const std::byte> bytes; // from its first value to the end of the file
};

// A GGUF file (versions 2 and 3, little-endian): typed metadata and tensors. Every count and length is checked against
// the file before use. Throws Error{File, Format, Unsupported}; a getter gives none for an absent key and throws
// Error{Format} naming file and key for a value of another type.
class GgufFile
{
public:
    explicit GgufFile(const std::filesystem::path& path);
    GgufFile(std::span<const std::byte> bytes, std::string where); // bytes outlive the file
    ~GgufFile();
    GgufFile(GgufFile&&) noexcept;
    GgufFile& operator=(GgufFile&&) noexcept;

    const std::string& where() const { return m_where; }
    std::vector<std::string> keys() const; // sorted
    bool has(std::string_view key) const { return find(key) != nullptr; }
    bool isList(std::string_view key) const { return has(key) && find(key)->type == Type::Array; }
    std::optional<std::string> text(std::string_view key) const;
    std::optional<std::int64_t> integer(std::string_view key) const; // any integer type
    std::optional<double> number(std::string_view key) const; // any integer or floating type
    std::optional<bool> boolean(std::string_view key) const;
    std::optional<std::vector<std::string>> texts(std::string_view key) const;
    std::optional<std::vector<std::int64_t>> integers(std::string_view key) const; // integers or truth values
    std::optional<std::vector<float>> numbers(std::string_view key) const;

    const std::vector<GgufTensor>& tensors() const { return m_tensors; } // in file order

    [[noreturn]] void refuse(std::string_view key, const std::string& problem) const;

private:
    enum class Type : std::uint32_t { U8, I8, U16, I16, U32, I32, F32, Bool, Text, Array, U64, I64, F64 };

    struct Value
    {
        Type type = Type::U8;
        Type element = Type::U8; // of an array
        std::uint64_t count = 1; // of an array
        std::span<const std::byte> bytes; // the value, or an array's elements
    };

    void parse(std::span<const std::byte> bytes);
    void parseMetadata(ByteReader& reader, std::uint64_t count);
    void parseTensors(ByteReader& reader, std::uint64_t count);
    GgufTensor parseTensor(ByteReader& reader, std::uint64_t& offset) const;
    void locateTensors(std::span<const std::byte> bytes, std::size_t headerEnd,
                       const std::vector<std::uint64_t>& offsets);
    Type readType(ByteReader& reader, std::string_view key) const;
    std::uint64_t readCount(ByteReader& reader, Type element, std::string_view key) const; // of a list
    Value readValue(ByteReader& reader, std::span<const std::byte> bytes, std::string_view key) const;
    void skip(ByteReader& reader, Type type, std::uint64_t count, std::string_view key, int depth) const;
    void requireUnchanged() const;
    const Value* find(std::string_view key) const;
    template<class Read>
    auto scalar(std::string_view key, std::string_view expected, Read read) const;
    template<class Item, class Read>
    std::optional<std::vector<Item>> list(std::string_view key, std::string_view expected, Read read) const;
    [[noreturn]] void refuseType(std::string_view key, std::string_view expected, const Value& value) const;

    static std::size_t smallestSize(Type type);
    static std::string_view typeName(Type type);
    static std::string describe(const Value& value);
    std::optional<std::string> textOf(Type type, ByteReader& reader) const;
    static std::optional<std::int64_t> integerOf(Type type, ByteReader& reader);
    static std::optional<double> numberOf(Type type, ByteReader& reader);

    std::string m_where;
    std::unique_ptr<MappedFile> m_file;
    std::span<const std::byte> m_bytes;
    std::map<std::string, Value, std::less<>> m_values;
    std::vector<GgufTensor> m_tensors;
};

} // namespace attn
