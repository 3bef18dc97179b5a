// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "io/json.h"
#include "trace/archive.h"
#include "trace/archive_parts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <limits>
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
using NextValue = std::function<Json()>;

// Nested lists of the next values, a list of the innermost at a time.
void writeNested(std::span<const std::int64_t> shape, const NextValue& next, const std::stop_token& stop,
                 const Write& write)
{
    if (shape.empty())
        return write(writtenJson(next()));
    if (shape.size() == 1) {
        throwIfStopped(stop);
        Json list = Json::array();
        for (std::int64_t i = 0; i < shape.front(); ++i)
            list.push_back(next());
        return write(writtenJson(list));
    }
    for (std::int64_t i = 0; i < shape.front(); ++i) {
        write(i == 0 ? "[" : ",");
        writeNested(shape.subspan(1), next, stop, write);
    }
    write(shape.front() == 0 ? "[]" : "]");
}

template<typename Value, typename ToJson>
NextValue valuesOf(std::vector<Value> values, const ToJson& toJson)
{
    return [values = std::move(values), toJson, i = std::size_t{0}]() mutable { return Json(toJson(values[i++])); };
}

NextValue valuesOf(const WrittenArray& written)
{
    if (!written.array) {
        return [next = written.parts(), part = NumberVector<float>(), i = std::size_t{0}]() mutable {
            if (i == part.size()) {
                part = next();
                i = 0;
            }
            if (part.empty())
                throw Error(ErrorKind::Input, "array", "has fewer rows than its shape");
            return jsonOf(part[i++]);
        };
    }
    const NpyArray& array = *written.array;
    if (array.kind() == NpyKind::Text)
        return valuesOf(array.texts(), [](const std::string& text) { return text; });
    if (array.kind() == NpyKind::Bool)
        return valuesOf(array.integers(), [](std::int64_t number) { return number != 0; });
    if (array.kind() == NpyKind::Float)
        return valuesOf(array.floats(), jsonOf);
    return valuesOf(array.integers(), [](std::int64_t number) { return number; });
}

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

// The array in nested lists, whose shape must be regular.
class NestedLists
{
public:
    // where: the array's name in errors.
    NestedLists(const Json& lists, std::string_view name, std::string where)
        : m_where(std::move(where))
    {
        const auto isOneOf = [&](std::initializer_list<std::string_view> endings) {
            return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
        };
        if (isOneOf({"_tokens", "_labels", "_text", "_names"}))
            m_kind = NpyKind::Text;
        else if (isOneOf({"_ids", "_segments", "_words", "_special", "_offsets"}))
            m_kind = NpyKind::Signed;
        else if (name.ends_with("_scores") || name == "logits")
            m_missing = -std::numeric_limits<float>::infinity();
        const Json* first = &lists;
        for (; first->is_array(); first = &first->front()) {
            m_shape.push_back(std::ssize(*first));
            if (first->empty())
                break;
        }
        add(lists, 0);
    }

    // Throws Error{Resource}.
    NpyArray array(ArchiveMemory& memory) const
    {
        if (m_kind == NpyKind::Signed)
            return NpyArray::fromIntegers(m_shape, m_integers);
        if (m_kind == NpyKind::Float)
            return NpyArray::fromFloats(m_shape, m_floats);
        std::size_t longest = 0;
        for (const std::string& text : m_texts)
            longest = std::max(longest, text.size());
        memory.addTrace(textBytes(m_texts.size(), longest * sizeof(char32_t)));
        return NpyArray::fromTexts(m_shape, m_texts);
    }

private:
    void add(const Json& value, std::size_t depth)
    {
        if (depth == m_shape.size())
            return addLeaf(value);
        if (!value.is_array() || std::ssize(value) != m_shape[depth])
            refuse("has lists of different lengths");
        ThreadStop::check();
        for (const Json& element : value)
            add(element, depth + 1);
    }

    void addLeaf(const Json& leaf)
    {
        if (leaf.is_array())
            refuse("has lists of different depths");
        if (m_kind == NpyKind::Text) {
            if (!leaf.is_string())
                refuse("must hold texts");
            m_texts.push_back(leaf.get<std::string>());
        } else if (m_kind == NpyKind::Signed) {
            if (!leaf.is_number_integer() && !leaf.is_boolean())
                refuse("must hold whole numbers");
            m_integers.push_back(leaf.is_boolean() ? std::int64_t{leaf.get<bool>()} : leaf.get<std::int64_t>());
        } else {
            const std::optional<float> number = leaf.is_null() ? m_missing : numberOf(leaf);
            if (!number)
                refuse("must hold numbers or null");
            m_floats.push_back(*number);
        }
    }

    [[noreturn]] void refuse(const char* problem) const { throw Error(ErrorKind::Format, m_where, problem); }

    std::string m_where;
    NpyKind m_kind = NpyKind::Float;
    float m_missing = std::numeric_limits<float>::quiet_NaN(); // for null
    NpyArray::Shape m_shape; // that of the first element of each list
    std::vector<std::string> m_texts; // one of these three, by the kind
    std::vector<std::int64_t> m_integers;
    std::vector<float> m_floats;
};

} // namespace

void writeJson(const WrittenArrays& arrays, const std::stop_token& stop,
               const std::function<void(std::string_view text)>& write)
{
    char before = '{';
    for (const auto& [name, written] : arrays) {
        write(std::exchange(before, ',') + writtenJson(Json(name)) + ':');
        if (name == metadataName)
            write(writtenJson(JsonObject::parse(written.array->texts().front(), name).json()));
        else
            writeNested(written.array ? written.array->shape() : written.shape, valuesOf(written), stop, write);
    }
    write("}\n");
}

NamedArrays arraysFromJson(const std::filesystem::path& path)
{
    const std::string where = path.filename().string();
    const JsonObject archive(readJson(path, {.most = Limit::ArchiveFile, .values = {}, .depth = 16}), where);
    ArchiveMemory memory(where);
    NamedArrays arrays;
    for (const auto& [name, field] : archive.json().items()) {
        const Json* const value = archive.find(name);
        if (value == nullptr || !isArchiveName(name))
            continue;
        if (name == metadataName) {
            const std::string text = value->is_string() ? value->get<std::string>() : writtenJson(*value);
            memory.addTrace(textBytes(1, text.size() * sizeof(char32_t)));
            arrays.emplace(name, NpyArray::fromText(text));
        } else {
            arrays.emplace(name, NestedLists(*value, name, where + ": " + name).array(memory));
        }
    }
    return arrays;
}

} // namespace attn
