// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/stop.h"
#include "io/json.h"
#include "trace/archive.h"
#include "trace/archive_parts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <utility>

namespace attn {

namespace {

// The double with the fewest digits that reads back as this float.
double shortest(float value)
{
    char digits[32];
    const auto written = std::to_chars(digits, digits + sizeof digits, value);
    double result = 0;
    std::from_chars(digits, written.ptr, result);
    return result;
}

Json jsonOf(float value)
{
    return std::isfinite(value) ? Json(shortest(value)) : Json();
}

using Write = std::function<void(std::string_view text)>;

// Values of a list that are spelled together: a tree of all would take many times what the list does.
constexpr std::size_t spelledTogether = 4096;

// As a list. element(i): the value there.
template<typename Element>
void writeList(std::size_t size, const Element& element, const std::stop_token& stop, const Write& write)
{
    Json part = Json::array();
    const TreeEnd withoutMemory{part};
    write("[");
    for (std::size_t first = 0; first < size; first += spelledTogether) {
        throwIfStopped(stop);
        part.clear();
        for (std::size_t i = first; i < std::min(size, first + spelledTogether); ++i)
            part.push_back(element(i));
        std::string text = writtenJson(part);
        text.pop_back();
        text.front() = ',';
        write(std::string_view(text).substr(first == 0 ? 1 : 0));
    }
    write("]");
}

// As nested lists, of values from `position` on.
template<typename Element>
void writeNested(std::span<const std::int64_t> shape, std::size_t& position, const Element& element,
                 const std::stop_token& stop, const Write& write)
{
    if (shape.empty()) {
        write(writtenJson(element(position++)));
        return;
    }
    if (shape.size() == 1) {
        const auto size = static_cast<std::size_t>(shape.front());
        writeList(
            size, [&](std::size_t i) { return element(position + i); }, stop, write);
        position += size;
        return;
    }
    write("[");
    for (std::int64_t i = 0; i < shape.front(); ++i) {
        if (i > 0)
            write(",");
        writeNested(shape.subspan(1), position, element, stop, write);
    }
    write("]");
}

void writeWhole(const NpyArray& array, const std::stop_token& stop, const Write& write)
{
    std::size_t position = 0;
    const auto writeAll = [&](const auto& values, const auto& jsonOfValue) {
        writeNested(
            array.shape(), position, [&](std::size_t i) { return jsonOfValue(values[i]); }, stop, write);
    };
    if (array.kind() == NpyKind::Text)
        writeAll(array.texts(), [](const std::string& text) { return Json(text); });
    else if (array.kind() == NpyKind::Bool)
        writeAll(array.integers(), [](std::int64_t number) { return Json(number != 0); });
    else if (array.kind() != NpyKind::Float)
        writeAll(array.integers(), [](std::int64_t number) { return Json(number); });
    else
        writeAll(array.floats(), jsonOf);
}

// How many lists of rows, of lists of rows ... have an end before the row.
std::size_t listsEndingBefore(const NpyArray::Shape& shape, std::int64_t row)
{
    std::size_t lists = 0;
    std::int64_t rows = 1;
    for (std::size_t axis = shape.size() - 1; axis-- > 0; ++lists) {
        rows *= shape[axis];
        if (row % rows != 0)
            break;
    }
    return lists;
}

// As nested lists.
void writeParts(const WrittenArray& array, const std::stop_token& stop, const Write& write)
{
    const auto columns = static_cast<std::size_t>(array.shape.back());
    std::int64_t rows = 1;
    for (std::size_t axis = 0; axis + 1 < array.shape.size(); ++axis)
        rows *= array.shape[axis];
    const NumberParts next = array.parts();
    for (std::int64_t row = 0; row < rows;) {
        throwIfStopped(stop);
        const NumberVector<float> part = next();
        if (part.empty() || part.size() % columns != 0)
            throw Error(ErrorKind::Input, "array", "has other rows than its shape");
        for (auto left = std::span(part); !left.empty(); left = left.subspan(columns), ++row) {
            const std::size_t lists = listsEndingBefore(array.shape, row);
            write((row == 0 ? std::string() : std::string(lists, ']') + ',') + std::string(lists, '['));
            writeList(
                columns, [&](std::size_t i) { return jsonOf(left[i]); }, stop, write);
        }
    }
    write(std::string(array.shape.size() - 1, ']'));
}

// What an archive has under one name, while it is read.
class ArchiveValue : public JsonVisitor
{
public:
    // Once it has been read. Throws Error{Format} for lists of another kind, and Error{Resource}.
    virtual NpyArray array(ArchiveMemory& memory) = 0;
};

// A number, or one of those that parseJson gives as texts.
std::optional<float> numberOf(const Json& leaf)
{
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr std::pair<std::string_view, float> words[] = {
        {"NaN", std::numeric_limits<float>::quiet_NaN()}, {"Infinity", infinity}, {"-Infinity", -infinity}};
    if (leaf.is_number())
        return leaf.get<float>();
    const auto word = std::ranges::find_if(words, [&](const auto& known) { return leaf == known.first; });
    return word == std::end(words) ? std::nullopt : std::optional(word->second);
}

// Nested lists whose shape must be regular. What is wrong with one is said when all of the text has been read, which
// may be none.
class NestedLists final : public ArchiveValue
{
public:
    NestedLists(std::string where, std::string name)
        : m_where(std::move(where))
        , m_name(std::move(name))
    {
        const auto isOneOf = [&](std::initializer_list<std::string_view> endings) {
            return std::ranges::any_of(endings, [&](std::string_view ending) { return m_name.ends_with(ending); });
        };
        if (isOneOf({"_tokens", "_labels", "_text", "_names"}))
            m_kind = NpyKind::Text;
        else if (isOneOf({"_ids", "_segments", "_words", "_special", "_offsets"}))
            m_kind = NpyKind::Signed;
        else if (m_name.ends_with("_scores") || m_name == "logits")
            m_missing = -std::numeric_limits<float>::infinity();
    }

    void startList() override
    {
        if (m_skipped > 0) {
            ++m_skipped;
            return;
        }
        count();
        if (m_hasShape && m_open.size() == m_shape.size()) {
            refuseLater(m_position, "has lists of different depths");
            m_skipped = 1;
            return;
        }
        m_open.push_back({m_position, 0});
    }

    void startObject() override
    {
        if (m_skipped++ == 0)
            addLeaf(nullptr);
    }

    void key(const std::string& /*name*/) override { }

    void value(Json& value) override
    {
        if (m_skipped == 0)
            addLeaf(&value);
    }

    void end() override
    {
        if (m_skipped > 0) {
            --m_skipped;
            return;
        }
        beginShape();
        const List list = m_open.back();
        m_open.pop_back();
        std::int64_t& size = m_shape[m_open.size()];
        if (size == unknown)
            size = list.size;
        else if (size != list.size)
            refuseLater(list.position, "has lists of different lengths");
    }

    NpyArray array(ArchiveMemory& memory) override
    {
        if (m_problem != nullptr)
            refuse(m_problem);
        if (m_kind == NpyKind::Text) {
            if (m_hasOthers)
                refuse("must hold texts");
            std::size_t longest = 0;
            for (const std::string& text : m_texts)
                longest = std::max(longest, text.size());
            memory.addTrace(textBytes(m_texts.size(), longest * sizeof(char32_t)));
            return NpyArray::fromTexts(m_shape, m_texts);
        }
        if (m_kind == NpyKind::Signed) {
            if (m_hasOthers)
                refuse("must hold whole numbers");
            requireMemory(m_integers.size() * sizeof(std::int64_t), m_where);
            return NpyArray::fromIntegers(m_shape, m_integers);
        }
        if (m_hasOthers)
            refuse("must hold numbers or null");
        requireMemory(m_floats.size() * sizeof(float), m_where);
        return NpyArray::fromFloats(m_shape, m_floats);
    }

private:
    static constexpr std::int64_t unknown = -1;

    struct List
    {
        std::uint64_t position = 0;
        std::int64_t size = 0;
    };

    void count()
    {
        ++m_position;
        if (!m_open.empty())
            ++m_open.back().size;
    }

    // As deep as the first value, or the first list without any.
    void beginShape()
    {
        if (!std::exchange(m_hasShape, true))
            m_shape.assign(m_open.size(), unknown);
    }

    // Null: an object.
    void addLeaf(Json* leaf)
    {
        count();
        beginShape();
        if (m_open.size() < m_shape.size())
            refuseLater(m_position, "has lists of different lengths");
        else if (leaf == nullptr || !add(*leaf))
            m_hasOthers = true;
    }

    // False for what has no place in such an array.
    bool add(Json& leaf)
    {
        if (m_kind == NpyKind::Text) {
            if (leaf.is_string())
                append(m_texts, std::move(leaf.get_ref<std::string&>()));
            return leaf.is_string();
        }
        if (m_kind == NpyKind::Signed) {
            if (leaf.is_boolean())
                append(m_integers, std::int64_t{leaf.get<bool>()});
            else if (leaf.is_number_integer())
                append(m_integers, leaf.get<std::int64_t>());
            return leaf.is_number_integer() || leaf.is_boolean();
        }
        const std::optional<float> number = leaf.is_null() ? m_missing : numberOf(leaf);
        if (number)
            append(m_floats, *number);
        return number.has_value();
    }

    template<typename Value>
    void append(std::vector<Value>& values, Value value)
    {
        constexpr std::size_t first = 1024;
        if (values.size() == values.capacity()) {
            const std::size_t room = std::max(first, 2 * values.capacity());
            requireMemory(room * sizeof(Value), m_where);
            values.reserve(room);
        }
        values.push_back(std::move(value));
    }

    void refuseLater(std::uint64_t position, const char* problem)
    {
        if (m_problem != nullptr && m_problemPosition < position)
            return;
        m_problem = problem;
        m_problemPosition = position;
    }

    [[noreturn]] void refuse(const char* problem) const
    {
        throw Error(ErrorKind::Format, m_where + ": " + m_name, problem);
    }

    std::string m_where; // the file's name
    std::string m_name;
    NpyKind m_kind = NpyKind::Float;
    float m_missing = std::numeric_limits<float>::quiet_NaN(); // for null
    std::vector<std::string> m_texts; // of the kind, one of these
    std::vector<std::int64_t> m_integers;
    std::vector<float> m_floats;
    bool m_hasOthers = false;
    bool m_hasShape = false;
    NpyArray::Shape m_shape; // as far as it is known
    std::vector<List> m_open; // the innermost last
    std::size_t m_skipped = 0; // lists and objects that are open inside a value that is not looked into
    std::uint64_t m_position = 0; // lists and values up to now
    const char* m_problem = nullptr;
    std::uint64_t m_problemPosition = 0; // the first one counts, a list before what is in it
};

// Metadata: a text, or JSON that becomes one. Of more than is read of such a text the rest is left out.
class MetadataText final : public ArchiveValue
{
public:
    void startList() override { open("[", ']'); }
    void startObject() override { open("{", '}'); }
    void key(const std::string& name) override { add(writtenJson(Json(name)) + ':'); }
    void value(Json& value) override
    {
        if (m_closing.empty() && value.is_string())
            m_text = value.get<std::string>();
        else
            add(writtenJson(value));
    }
    void end() override
    {
        m_text += m_closing.back();
        m_closing.pop_back();
    }

    NpyArray array(ArchiveMemory& memory) override
    {
        memory.addTrace(textBytes(1, m_text.size() * sizeof(char32_t)));
        return NpyArray::fromText(m_text);
    }

private:
    void open(std::string_view bracket, char closing)
    {
        add(bracket);
        m_closing += closing;
    }

    void add(std::string_view text)
    {
        if (m_text.size() > limit(Limit::Json))
            return;
        if (!m_text.empty() && std::string_view("[{:").find(m_text.back()) == std::string_view::npos)
            m_text += ',';
        m_text += text;
    }

    std::string m_text;
    std::string m_closing; // brackets, the innermost last
};

// The arrays of a JSON archive. Other members are left alone; of a name that comes twice, the last counts.
class ArchiveText final : public JsonVisitor
{
public:
    explicit ArchiveText(std::string where)
        : m_where(std::move(where))
    {
    }

    void begin() override
    {
        m_values.clear();
        m_current = nullptr;
        m_depth = 0;
        m_size = 0;
    }
    void startList() override
    {
        enter(Json::array());
        if (m_current != nullptr)
            m_current->startList();
    }
    void startObject() override
    {
        enter(Json::object());
        if (m_current != nullptr)
            m_current->startObject();
    }
    void key(const std::string& name) override
    {
        if (m_depth == 1)
            m_current = started(name);
        else if (m_current != nullptr)
            m_current->key(name);
    }
    void value(Json& value) override
    {
        if (m_depth == 0) {
            m_root = std::move(value);
            return;
        }
        if (m_depth == 1)
            ++m_size;
        if (m_current == nullptr)
            return;
        if (m_depth == 1 && value.is_null()) { // as if it were missing
            m_values.erase(m_name);
            m_current = nullptr;
            return;
        }
        m_current->value(value);
    }
    void end() override
    {
        --m_depth;
        if (m_depth > 0 && m_current != nullptr)
            m_current->end();
    }

    NamedArrays arrays(ArchiveMemory& memory)
    {
        requireObject();
        NamedArrays arrays;
        for (const std::string_view name : archiveNames) {
            if (auto value = m_values.extract(std::string(name)); !value.empty())
                arrays.emplace(name, value.mapped()->array(memory));
        }
        return arrays;
    }

private:
    void enter(Json ofRoot)
    {
        if (m_depth == 0)
            m_root = std::move(ofRoot);
        else if (m_depth == 1)
            ++m_size;
        ++m_depth;
    }

    // Null for what is left alone.
    ArchiveValue* started(const std::string& name)
    {
        if (std::ranges::find(archiveNames, name) == std::end(archiveNames))
            return nullptr;
        m_name = name;
        std::unique_ptr<ArchiveValue>& value = m_values[name];
        if (name == metadataName)
            value = std::make_unique<MetadataText>();
        else
            value = std::make_unique<NestedLists>(m_where, name);
        return value.get();
    }

    void requireObject() const
    {
        if (m_root.is_array())
            throw Error(ErrorKind::Format, m_where, fmt::format("expected a JSON object, found a list of {}", m_size));
        (void)JsonObject(m_root, m_where);
    }

    std::string m_where; // the file's name
    std::map<std::string, std::unique_ptr<ArchiveValue>> m_values;
    std::string m_name; // of what is read now
    ArchiveValue* m_current = nullptr; // null: it is left alone
    std::size_t m_depth = 0;
    Json m_root; // empty, or a value
    std::size_t m_size = 0; // of the root
};

} // namespace

void writeJson(const WrittenArrays& arrays, const std::stop_token& stop,
               const std::function<void(std::string_view text)>& write)
{
    char before = '{';
    for (const auto& [name, written] : arrays) {
        throwIfStopped(stop);
        write(std::exchange(before, ',') + writtenJson(Json(name)) + ':');
        if (!written.array)
            writeParts(written, stop, write);
        else if (name == metadataName)
            write(writtenJson(JsonObject::parse(written.array->texts().front(), name).json()));
        else
            writeWhole(*written.array, stop, write);
    }
    write("}\n");
}

NamedArrays arraysFromJson(const std::filesystem::path& path)
{
    const std::string where = path.filename().string();
    ArchiveText text(where);
    visitJson(path, {.most = Limit::ArchiveFile, .depth = 16}, text);
    ArchiveMemory memory(where);
    return text.arrays(memory);
}

} // namespace attn
