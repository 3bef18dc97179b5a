// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/npy_header.h"

#include "base/encoding.h"
#include "base/error.h"
#include "io/byte_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <limits>

namespace attn {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longestHeader = std::size_t{1} << 20;
constexpr std::size_t mostDimensions = 32;
constexpr std::size_t alignment = 64;

// Reads the Python dictionary of a header: three known keys with a text, a truth value and a tuple of integers.
class DictionaryParser
{
public:
    DictionaryParser(std::string_view text, const std::string& where)
        : m_text(text)
        , m_where(where)
    {
    }

    NpyHeader parse()
    {
        bool seenType = false;
        bool seenOrder = false;
        bool seenShape = false;
        expect('{');
        while (!accept('}')) {
            const std::string_view key = text();
            expect(':');
            if (key == "descr" && !seenType)
                seenType = parseType();
            else if (key == "fortran_order" && !seenOrder)
                seenOrder = parseOrder();
            else if (key == "shape" && !seenShape)
                seenShape = parseShape();
            else
                fail(fmt::format("has an unexpected key \"{}\" in its header", key));
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        skipSpace();
        if (!m_text.empty() || !seenType || !seenOrder || !seenShape)
            fail("has an incomplete header");
        return m_header;
    }

private:
    [[noreturn]] void fail(const std::string& problem) const { throw Error(ErrorKind::Format, m_where, problem); }

    void skipSpace() { m_text.remove_prefix(std::min(m_text.find_first_not_of(" \t\r\n"), m_text.size())); }

    bool accept(char c)
    {
        skipSpace();
        if (m_text.empty() || m_text.front() != c)
            return false;
        m_text.remove_prefix(1);
        return true;
    }

    void expect(char c)
    {
        if (!accept(c))
            fail(fmt::format("has no '{}' where its header needs one", c));
    }

    std::string_view text()
    {
        skipSpace();
        const char quote = m_text.empty() ? '\0' : m_text.front();
        const std::size_t end = quote == '\'' || quote == '"' ? m_text.find(quote, 1) : std::string_view::npos;
        if (end == std::string_view::npos)
            fail("has no text where its header needs one");
        const std::string_view value = m_text.substr(1, end - 1);
        m_text.remove_prefix(end + 1);
        return value;
    }

    bool acceptWord(std::string_view word)
    {
        skipSpace();
        if (!m_text.starts_with(word))
            return false;
        m_text.remove_prefix(word.size());
        return true;
    }

    bool parseOrder()
    {
        m_header.fortranOrder = acceptWord("True");
        if (!m_header.fortranOrder && !acceptWord("False"))
            fail("has neither True nor False as fortran_order");
        return true;
    }

    bool parseShape()
    {
        expect('(');
        while (!accept(')')) {
            skipSpace();
            std::int64_t dimension = 0;
            const auto [end, status] = std::from_chars(m_text.data(), m_text.data() + m_text.size(), dimension);
            if (status != std::errc{} || dimension < 0)
                fail("has a dimension that is not a number from 0");
            m_text.remove_prefix(end - m_text.data());
            acceptWord("L"); // written by Python 2
            m_header.shape.push_back(dimension);
            if (m_header.shape.size() > mostDimensions)
                fail(fmt::format("has more than {} dimensions", mostDimensions));
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return true;
    }

    bool parseType()
    {
        if (accept('['))
            throw Error(ErrorKind::Unsupported, m_where, "holds records", "save each field as an array of its own");
        const std::string_view type = text();
        std::string_view rest = type;
        if (!rest.empty() && std::string_view("<>=|").find(rest.front()) != std::string_view::npos) {
            m_header.bigEndian = rest.front() == '>';
            rest.remove_prefix(1);
        }
        const char kind = rest.empty() ? '\0' : rest.front();
        if (kind == 'O')
            throw Error(ErrorKind::Unsupported, m_where, "holds pickled Python objects, which are never read",
                        "save it as numbers or as text (dtype str)");
        std::size_t width = 0;
        const char* const last = rest.data() + rest.size();
        const auto [end, status] = std::from_chars(rest.data() + (rest.empty() ? 0 : 1), last, width);
        if (status != std::errc{} || end != last || !setType(kind, width))
            throw Error(ErrorKind::Unsupported, m_where, fmt::format("has the unknown type \"{}\"", type),
                        "save it as integers, f16, f32, f64 or text");
        return true;
    }

    bool setType(char kind, std::size_t width)
    {
        const auto oneOf = [width](auto... sizes) { return ((width == sizes) || ...); };
        m_header.itemSize = width;
        switch (kind) {
        case 'b':
            m_header.kind = NpyKind::Bool;
            return width == 1;
        case 'i':
            m_header.kind = NpyKind::Signed;
            return oneOf(1U, 2U, 4U, 8U);
        case 'u':
            m_header.kind = NpyKind::Unsigned;
            return oneOf(1U, 2U, 4U, 8U);
        case 'f':
            m_header.kind = NpyKind::Float;
            return oneOf(2U, 4U, 8U);
        case 'U':
            m_header.kind = NpyKind::Text;
            m_header.itemSize = width * sizeof(char32_t);
            return width <= std::numeric_limits<std::uint32_t>::max();
        default:
            return false;
        }
    }

    std::string_view m_text;
    const std::string& m_where;
    NpyHeader m_header;
};

// Checked product of the dimensions, so that size * itemSize can be computed.
std::size_t checkedSize(const NpyHeader& header, const std::string& where)
{
    if (std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end())
        return 0;
    const std::size_t limit =
        static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max()) / std::max<std::size_t>(header.itemSize, 4);
    std::size_t size = 1;
    for (const std::int64_t dimension : header.shape) {
        if (static_cast<std::size_t>(dimension) > limit / size)
            throw Error(ErrorKind::Format, where, "has a shape too large for any memory");
        size *= static_cast<std::size_t>(dimension);
    }
    return size;
}

// Where the dictionary stands.
ByteSpan dictionaryIn(std::span<const std::byte> file, const std::string& where)
{
    ByteReader reader(file, where);
    const auto start = reader.take(std::min(magic.size(), file.size()));
    if (!std::ranges::equal(start, std::as_bytes(std::span(magic))))
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

} // namespace

std::size_t npyHeaderSize(std::span<const std::byte> start, const std::string& where)
{
    return dictionaryIn(start, where).end;
}

NpyHeader parseNpyHeader(std::span<const std::byte> file, const std::string& where)
{
    const ByteSpan range = dictionaryIn(file, where);
    ByteReader reader(file, where);
    reader.take(range.begin);
    const auto text = reader.take(range.end - range.begin);
    NpyHeader header = DictionaryParser({reinterpret_cast<const char*>(text.data()), text.size()}, where).parse();
    header.dataOffset = range.end;
    header.size = checkedSize(header, where);
    return header;
}

std::string formatNpyHeader(std::string_view descriptor, std::span<const std::int64_t> shape)
{
    std::string dimensions = fmt::format("{}", fmt::join(shape, ", "));
    if (shape.size() == 1)
        dimensions += ',';
    std::string dictionary =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descriptor, dimensions);
    constexpr std::size_t preamble = 10; // magic, version, length
    dictionary.append(alignment - 1 - (preamble + dictionary.size()) % alignment, ' ');
    dictionary += '\n';
    std::string header(magic);
    header += '\x01';
    header += '\0';
    header += static_cast<char>(dictionary.size() & 0xFF);
    header += static_cast<char>(dictionary.size() >> 8);
    return header + dictionary;
}

} // namespace attn
