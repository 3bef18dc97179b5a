// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.h"
#include "base/token_text.h"
#include "base/utf8.h"
#include "trace/archive_parts.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace attn {

namespace {

constexpr std::int64_t noPlace = -1;

// Labels lose the mark of a word's start, which the token itself has.
bool isMarked(std::string_view piece)
{
    const std::string_view blank = "\u0120"; // GPT-2's
    return (piece.starts_with(wordStartMark) && piece.size() > wordStartMark.size())
        || (piece.starts_with(blank) && piece.size() > blank.size());
}

NpyArray labelsOf(const Encoding& encoding)
{
    std::vector<std::string> labels;
    for (std::size_t token = 0; token < encoding.size(); ++token)
        labels.push_back(tokenLabel(encoding, token));
    return NpyArray::fromTexts({std::ssize(labels)}, labels);
}

// NumPy keeps no zeros at the end of a text.
std::string_view keptText(std::string_view text)
{
    return text.substr(0, text.find_last_not_of('\0') + 1);
}

NpyArray offsetsOf(const Encoding& encoding)
{
    const std::size_t end = keptText(encoding.text).size();
    std::vector<std::int64_t> offsets;
    for (std::size_t token = 0; token < encoding.size(); ++token) {
        const ByteSpan span = encoding.spans[token];
        const bool isNowhere = span.begin >= span.end && token < encoding.special.size() && encoding.special[token];
        offsets.push_back(isNowhere ? noPlace : static_cast<std::int64_t>(std::min(span.begin, end)));
        offsets.push_back(isNowhere ? noPlace : static_cast<std::int64_t>(std::min(span.end, end)));
    }
    return NpyArray::fromIntegers({std::ssize(encoding.ids), 2}, offsets);
}

class SideReader
{
public:
    SideReader(ArchiveArrays& arrays, ArchiveSide side)
        : m_arrays(arrays)
        , m_side(side)
    {
    }

    std::optional<Encoding> read()
    {
        NpyStream* const ids = m_arrays.find(name("ids"), {"tokens"});
        NpyStream* const tokens = ids != nullptr ? m_arrays.find(name("tokens"), {ids->shape().front()})
                                                 : m_arrays.find(name("tokens"), {"tokens"});
        if (ids == nullptr && tokens == nullptr) {
            requireNoOthers();
            return std::nullopt;
        }
        m_size = (ids != nullptr ? ids : tokens)->shape().front();
        std::vector<TokenId> numbers = ids != nullptr
            ? integers<TokenId>(name("ids"), *ids, std::numeric_limits<TokenId>::min(),
                                std::numeric_limits<TokenId>::max())
            : std::vector<TokenId>(m_size, noTokenId);
        std::vector<std::string> pieces = tokens != nullptr ? tokens->all().texts() : std::vector<std::string>{};
        for (std::size_t i = pieces.size(); i < numbers.size(); ++i) {
            ThreadStop::check();
            pieces.push_back(unknownPiece(numbers[i]));
        }
        m_encoding = encodingOfPieces(std::move(numbers), std::move(pieces), special());
        readLabels();
        if (NpyStream* const words = m_arrays.find(name("words"), {m_size}))
            m_encoding.words = integers<int>(name("words"), *words, noWord, m_size - 1);
        readText();
        return std::move(m_encoding);
    }

private:
    std::string name(std::string_view part) const { return arrayName(m_side, part); }

    void requireNoOthers()
    {
        for (const char* const part : {"labels", "words", "special", "offsets", "text"}) {
            if (m_arrays.find(name(part)) != nullptr)
                m_arrays.refuse(name(part), fmt::format("is of tokens that are missing"),
                                fmt::format("add {} or {}", name("ids"), name("tokens")));
        }
    }

    template<class Value>
    std::vector<Value> integers(const std::string& of, NpyStream& array, std::int64_t least, std::int64_t most)
    {
        std::vector<Value> values;
        for (const std::int64_t value : array.all().integers()) {
            ThreadStop::check();
            if (value < least || value > most)
                m_arrays.refuse(of, fmt::format("holds {}, expected {} to {}", value, least, most));
            values.push_back(static_cast<Value>(value));
        }
        return values;
    }

    std::optional<std::vector<bool>> special()
    {
        NpyStream* const array = m_arrays.find(name("special"), {m_size});
        return array == nullptr ? std::nullopt : std::optional(integers<bool>(name("special"), *array, 0, 1));
    }

    void readLabels()
    {
        NpyStream* const array = m_arrays.find(name("labels"), {m_size});
        if (array == nullptr)
            return;
        m_encoding.labels = array->all().texts();
        for (std::size_t token = 0; token < m_encoding.size(); ++token) {
            if (isMarked(m_encoding.tokens[token]))
                m_encoding.labels[token].insert(0, wordStartMark);
        }
        if (m_encoding.labels == m_encoding.tokens)
            m_encoding.labels.clear();
    }

    void readText()
    {
        NpyStream* const array = m_arrays.find(name("text"), {});
        NpyStream* const offsets = m_arrays.find(name("offsets"), {m_size, 2});
        if (array == nullptr && offsets != nullptr)
            m_arrays.refuse(name("offsets"), "are places in a text that is missing", "add " + name("text"));
        if (array == nullptr)
            return;
        std::string text = array->all().texts().front();
        const std::optional<std::vector<ByteSpan>> spans = offsets != nullptr ? spansOf(*offsets, text) : foundIn(text);
        if (!spans)
            return;
        m_encoding.text = std::move(text);
        m_encoding.spans = *spans;
    }

    std::vector<ByteSpan> spansOf(NpyStream& offsets, const std::string& text)
    {
        const auto values = integers<std::int64_t>(name("offsets"), offsets, noPlace, std::ssize(text));
        std::vector<ByteSpan> spans;
        ByteSpan last;
        for (std::size_t i = 0; i < values.size(); i += 2) {
            const bool isNowhere = values[i] == noPlace && values[i + 1] == noPlace;
            const ByteSpan span{static_cast<std::size_t>(values[i]), static_cast<std::size_t>(values[i + 1])};
            const bool ascends = span.begin >= last.begin && span.end >= last.end;
            if (!isNowhere && (values[i] == noPlace || span.begin > span.end || !ascends))
                m_arrays.refuse(name("offsets"),
                                fmt::format("holds [{}, {}] for token {}, expected bytes that begin and end in "
                                            "ascending order, or [-1, -1]",
                                            values[i], values[i + 1], i / 2));
            spans.push_back(isNowhere ? ByteSpan{last.end, last.end} : span);
            last = spans.back();
        }
        return spans;
    }

    // Where what the tokens spell stands in the text; nothing where it does not.
    std::optional<std::vector<ByteSpan>> foundIn(const std::string& text) const
    {
        std::vector<ByteSpan> spans;
        std::size_t end = 0;
        for (const ByteSpan span : m_encoding.spans) {
            ThreadStop::check();
            const auto letters = std::string_view(m_encoding.text).substr(span.begin, span.end - span.begin);
            const std::size_t begin = letters.empty() ? end : text.find(letters, end);
            if (begin == std::string::npos || text.find_first_not_of(" \t\r\n", end) < begin)
                return std::nullopt;
            end = begin + letters.size();
            spans.push_back({begin, end});
        }
        return spans;
    }

    ArchiveArrays& m_arrays;
    ArchiveSide m_side;
    std::int64_t m_size = 0;
    Encoding m_encoding;
};

} // namespace

std::string arrayName(ArchiveSide side, std::string_view part)
{
    return fmt::format("{}_{}", side == ArchiveSide::Source ? "source" : "target", part);
}

void addTokens(WrittenArrays& arrays, ArchiveSide side, const Encoding& encoding)
{
    const auto add = [&](std::string_view part, NpyArray array) {
        arrays.emplace(arrayName(side, part), std::move(array));
    };
    const auto addIntegers = [&](std::string_view part, const auto& values) {
        const std::vector<std::int64_t> integers(values.begin(), values.end());
        add(part, NpyArray::fromIntegers({std::ssize(integers)}, integers));
    };
    const std::size_t size = encoding.size();
    addIntegers("ids", encoding.ids);
    if (encoding.tokens.empty())
        return;
    add("tokens", NpyArray::fromTexts({std::ssize(encoding.tokens)}, encoding.tokens));
    add("labels", labelsOf(encoding));
    if (encoding.words.size() == size)
        addIntegers("words", encoding.words);
    if (encoding.special.size() == size)
        add("special", NpyArray::fromBooleans({std::ssize(encoding.ids)}, encoding.special));
    if (encoding.spans.size() == size) {
        add("text", NpyArray::fromText(keptText(encoding.text)));
        add("offsets", offsetsOf(encoding));
    }
}

std::optional<Encoding> readTokens(ArchiveArrays& arrays, ArchiveSide side)
{
    return SideReader(arrays, side).read();
}

} // namespace attn
