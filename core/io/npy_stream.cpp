// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/npy_stream.h"

#include "base/encoding.h"
#include "base/error.h"
#include "base/progress.h"
#include "io/byte_reader.h"
#include "io/json.h"
#include "io/npy.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <utility>

namespace attn {

namespace {

// Texts of no characters take no bytes, so that the file's length does not bound their number.
constexpr std::size_t mostEmptyTexts = std::size_t{1} << 20;
// Values are read in parts that stay in a processor's cache; memory is used as they come, whatever the header claims.
constexpr std::size_t partBytes = std::size_t{256} << 10;

constexpr std::size_t elementsPerLook = std::size_t{1} << 16; // whether to stop

constexpr std::size_t longestHeader = std::size_t{1} << 20;
constexpr std::size_t mostDimensions = 32;

// The header's Python dictionary as JSON: with other quotes, brackets and truth values, without the comma in front of a
// closing bracket and the L behind Python 2's integers. Characters of texts that are not ASCII are not looked at.
std::string asJson(std::string_view python)
{
    constexpr std::pair<std::string_view, std::string_view> words[] = {
        {"(", "["}, {")", "]"}, {"True", "true"}, {"False", "false"}};
    const auto isAscii = [](char c) { return static_cast<signed char>(c) > 0; };
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    std::string json;
    while (!python.empty()) {
        const char c = python.front();
        const auto word = std::ranges::find_if(words, [&](const auto& row) { return python.starts_with(row.first); });
        std::size_t length = word == std::end(words) ? 1 : word->first.size();
        const std::string_view added = word == std::end(words) ? python.substr(0, 1) : word->second;
        if (c == '\'' || c == '"') {
            length = std::min(python.find(c, 1), python.size() - 1) + 1;
            json += '"';
            for (const char inside : python.substr(1, length - 2))
                json += isAscii(inside) && inside != '"' ? inside : '?';
            json += '"';
        } else if (c != 'L' || json.empty() || !isDigit(json.back())) {
            if (added == "]" || added == "}")
                if (const std::size_t last = json.find_last_not_of(" \t\r\n");
                    last != std::string::npos && json[last] == ',')
                    json.erase(last);
            json += c == '\0' ? "?" : added; // the parser would stop there
        }
        python.remove_prefix(length);
    }
    return json;
}

bool setType(NpyHeader& header, char kind, std::size_t width)
{
    const auto oneOf = [width](auto... sizes) { return ((width == sizes) || ...); };
    header.itemSize = width;
    switch (kind) {
    case 'b':
        header.kind = NpyKind::Bool;
        return width == 1;
    case 'i':
        header.kind = NpyKind::Signed;
        return oneOf(1U, 2U, 4U, 8U);
    case 'u':
        header.kind = NpyKind::Unsigned;
        return oneOf(1U, 2U, 4U, 8U);
    case 'f':
        header.kind = NpyKind::Float;
        return oneOf(2U, 4U, 8U);
    case 'U':
        header.kind = NpyKind::Text;
        header.itemSize = width * sizeof(char32_t);
        return width <= std::numeric_limits<std::uint32_t>::max();
    default:
        return false;
    }
}

// "<f4", "|b1", ">U12".
void readType(const JsonObject& dictionary, const std::string& where, NpyHeader& header)
{
    if (const Json* type = dictionary.find("descr"); type != nullptr && type->is_array())
        throw Error(ErrorKind::Unsupported, where, "holds records", "save each field as an array of its own");
    const std::string type = dictionary.requireString("descr");
    std::string_view rest = type;
    if (!rest.empty() && std::string_view("<>=|").find(rest.front()) != std::string_view::npos) {
        header.bigEndian = rest.front() == '>';
        rest.remove_prefix(1);
    }
    const char kind = rest.empty() ? '\0' : rest.front();
    if (kind == 'O')
        throw Error(ErrorKind::Unsupported, where, "holds pickled Python objects, which are never read",
                    "save it as numbers or as text (dtype str)");
    std::size_t width = 0;
    const char* const last = rest.data() + rest.size();
    const auto [end, status] = std::from_chars(rest.data() + (rest.empty() ? 0 : 1), last, width);
    if (status != std::errc{} || end != last || !setType(header, kind, width))
        throw Error(ErrorKind::Unsupported, where, fmt::format("has the unknown type \"{}\"", type),
                    "save it as integers, f16, f32, f64 or text");
}

// Three known keys: a text, a truth value and a tuple of integers.
NpyHeader readDictionary(std::string_view text, const std::string& where)
{
    const auto dictionary = JsonObject::parse(asJson(text), where + ": header", {.uniqueKeys = true});
    NpyHeader header;
    for (const std::string& key : dictionary.fields())
        if (key != "descr" && key != "fortran_order" && key != "shape")
            throw Error(ErrorKind::Format, where, fmt::format("has an unexpected key \"{}\" in its header", key));
    readType(dictionary, where, header);
    if (!dictionary.has("fortran_order"))
        dictionary.refuse("fortran_order", "True or False");
    header.fortranOrder = dictionary.boolOr("fortran_order", false);
    const Json& shape = dictionary.requireList("shape", "a tuple of whole numbers from 0");
    if (shape.size() > mostDimensions)
        throw Error(ErrorKind::Format, where, fmt::format("has more than {} dimensions", mostDimensions));
    for (const Json& value : shape) {
        const auto dimension = indexIn(value, std::numeric_limits<std::int64_t>::max());
        if (!dimension)
            dictionary.refuse("shape", "a tuple of whole numbers from 0");
        header.shape.push_back(*dimension);
    }
    return header;
}

// Checked product of the dimensions, so that size * itemSize can be computed.
std::size_t checkedSize(const NpyHeader& header, const std::string& where)
{
    if (std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end())
        return 0;
    constexpr std::size_t most = std::numeric_limits<std::int64_t>::max();
    const std::size_t limit = most / std::max<std::size_t>(header.itemSize, 4);
    std::size_t size = 1;
    for (const std::size_t dimension : header.shape) {
        if (dimension > limit / size)
            throw Error(ErrorKind::Format, where, "has a shape too large for any memory");
        size *= dimension;
    }
    return size;
}

// Where the dictionary stands.
ByteSpan dictionaryIn(std::span<const std::byte> file, const std::string& where)
{
    ByteReader reader(file, where);
    const auto start = reader.take(std::min(npyMagic.size(), file.size()));
    if (!std::ranges::equal(start, std::as_bytes(std::span(npyMagic))))
        throw Error(ErrorKind::Format, where, "is not an array in NumPy's .npy format");
    const auto major = reader.integer<std::uint8_t>();
    reader.integer<std::uint8_t>(); // minor version
    if (major < 1 || major > 3)
        throw Error(ErrorKind::Unsupported, where, fmt::format("is a .npy file of the unknown version {}", major));
    const std::size_t length =
        major == 1 ? std::size_t{reader.integer<std::uint16_t>()} : std::size_t{reader.integer<std::uint32_t>()};
    if (length > longestHeader)
        throw Error(ErrorKind::Format, where, fmt::format("claims a header of {} bytes", length));
    return {reader.position(), reader.position() + length};
}

void swapBytes(std::span<std::byte> bytes, std::size_t width)
{
    for (std::size_t unit = 0; unit < bytes.size(); unit += width)
        std::ranges::reverse(bytes.subspan(unit, width));
}

// Bytes of a number, or of a character.
std::size_t unitBytes(const NpyHeader& header)
{
    return header.kind == NpyKind::Text ? sizeof(char32_t) : header.itemSize;
}

bool isColumnMajor(const NpyHeader& header)
{
    return header.fortranOrder && header.shape.size() > 1;
}

// Column-major to row-major.
std::vector<std::byte> rowMajor(std::span<const std::byte> bytes, const NpyHeader& header)
{
    std::vector<std::size_t> strides(header.shape.size(), 1); // in elements, of the column-major source
    for (std::size_t axis = 1; axis < strides.size(); ++axis)
        strides[axis] = strides[axis - 1] * header.shape[axis - 1];
    std::vector<std::int64_t> index(header.shape.size(), 0);
    std::vector<std::byte> ordered(bytes.size());
    std::size_t source = 0;
    for (std::size_t target = 0; target < header.size; ++target) {
        if (target % elementsPerLook == 0)
            ThreadStop::check();
        std::memcpy(ordered.data() + target * header.itemSize, bytes.data() + source * header.itemSize,
                    header.itemSize);
        for (std::size_t axis = index.size(); axis-- > 0;) {
            source += strides[axis];
            if (++index[axis] < header.shape[axis])
                break;
            source -= strides[axis] * header.shape[axis];
            index[axis] = 0;
        }
    }
    return ordered;
}

NpyHeader readHeader(const ByteSource& file, const std::string& where)
{
    constexpr std::size_t longestPreamble = 12; // magic, version, length
    std::vector<std::byte> start(std::min(longestPreamble, file.size));
    file.read(start);
    const std::size_t preamble = start.size();
    const ByteSpan range = dictionaryIn(start, where);
    start.resize(std::clamp(range.end, preamble, file.size));
    file.read(std::span(start).subspan(preamble));
    ByteReader reader(start, where);
    reader.take(range.begin);
    const auto text = reader.take(range.end - range.begin);
    NpyHeader header = readDictionary({reinterpret_cast<const char*>(text.data()), text.size()}, where);
    header.size = checkedSize(header, where);
    const std::size_t values = file.size - range.end;
    if (header.size * header.itemSize != values)
        throw Error(ErrorKind::Format, where,
                    fmt::format("should hold {} bytes of values, holds {}", header.size * header.itemSize, values),
                    "the file is incomplete or damaged");
    if (header.itemSize == 0 && header.size > mostEmptyTexts)
        throw Error(ErrorKind::Format, where, fmt::format("claims {} texts of no characters", header.size));
    return header;
}

} // namespace

NpyStream::NpyStream(ByteSource file, std::string where)
    : m_header(readHeader(file, where))
    , m_file(std::move(file))
    , m_where(std::move(where))
{
}

NpyStream::NpyStream(NpyArray array)
    : m_header{array.kind(), array.itemSize(), false, false, array.shape(), array.size()}
    , m_array(std::move(array))
{
}

std::size_t NpyStream::heldBytes() const
{
    const std::size_t bytes = m_header.size * m_header.itemSize;
    return m_array ? bytes : isColumnMajor(m_header) ? 2 * bytes : 0;
}

// Little-endian.
std::vector<std::byte> NpyStream::read(std::size_t items)
{
    const std::size_t unit = unitBytes(m_header);
    const std::size_t total = items * m_header.itemSize;
    std::vector<std::byte> bytes;
    bytes.reserve(total);
    while (bytes.size() < total) {
        ThreadStop::check();
        const std::size_t done = bytes.size();
        bytes.resize(std::min(total, done + partBytes));
        m_file.read(std::span(bytes).subspan(done));
    }
    if (m_header.bigEndian && unit > 1)
        swapBytes(bytes, unit);
    return bytes;
}

NpyArray NpyStream::all()
{
    if (m_array)
        return *m_array;
    NpyArray array(m_header.shape, m_header.kind, m_header.itemSize, m_header.size);
    array.m_where = m_where;
    array.m_bytes = read(m_header.size);
    if (isColumnMajor(m_header))
        array.m_bytes = rowMajor(array.m_bytes, m_header);
    return array;
}

NumberVector<float> NpyStream::floats(std::size_t count)
{
    if (isColumnMajor(m_header) && !m_array)
        m_array = all();
    if (m_header.kind == NpyKind::Text)
        throw Error(ErrorKind::Format, m_where, "holds text where numbers are expected");
    if (count > m_header.size - m_read)
        throw Error(ErrorKind::Input, m_where,
                    fmt::format("has {} numbers left, not {}", m_header.size - m_read, count));
    const std::size_t first = std::exchange(m_read, m_read + count);
    if (m_array) {
        NumberVector<float> values(count);
        m_array->floats(first, values);
        return values;
    }
    const bool asStored = m_header.kind == NpyKind::Float && m_header.itemSize == sizeof(float) && !m_header.bigEndian;
    const std::size_t part = partBytes / sizeof(float);
    NumberVector<float> values;
    values.reserve(count);
    while (values.size() < count) {
        ThreadStop::check();
        const std::size_t done = values.size();
        values.resize(std::min(count, done + part));
        const auto next = std::span(values).subspan(done);
        if (asStored)
            m_file.read(std::as_writable_bytes(next));
        else
            forEachNumber(m_header.kind, m_header.itemSize, read(next.size()),
                          [&](std::size_t i, auto value) { next[i] = static_cast<float>(value); });
    }
    return values;
}

} // namespace attn
