// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/pickle.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "io/byte_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <map>

namespace attn {

namespace {

constexpr std::size_t stepsBetweenChecks = 4096;
constexpr std::uint64_t instructionsOfValue = 4; // for as many values as there may be
constexpr std::uint64_t besideValue = 96; // bytes: its items elsewhere, and that it is kept to be recalled
constexpr std::size_t deepestMarks = 256;
constexpr std::size_t longestName = 256;
constexpr int newestProtocol = 5;
constexpr auto damagedPickle = "the file is incomplete or damaged";

bool isStorage(std::string_view name)
{
    constexpr std::array kinds = {"Float", "Half", "BFloat16", "Double", "Long",         "Int",
                                  "Short", "Char", "Byte",     "Bool",   "ComplexFloat", "ComplexDouble"};
    return std::ranges::any_of(kinds, [&](std::string_view kind) { return name == std::string(kind) + "Storage"; });
}

bool isDType(std::string_view name)
{
    constexpr std::array<std::string_view, 13> names = {"float32", "float16", "bfloat16", "float64", "int64",
                                                        "int32",   "int16",   "int8",     "uint8",   "bool",
                                                        "uint16",  "uint32",  "uint64"};
    return std::ranges::find(names, name) != names.end();
}

// True for the names that torch.save writes for tensors and the dictionaries around them.
bool isTensorVocabulary(std::string_view module, std::string_view name)
{
    constexpr std::array<std::string_view, 5> builders = {"_rebuild_tensor", "_rebuild_tensor_v2", "_rebuild_tensor_v3",
                                                          "_rebuild_parameter", "_rebuild_parameter_with_state"};
    if (module == "torch")
        return isStorage(name) || isDType(name) || name == "Size" || name == "device";
    if (module == "torch.cuda")
        return isStorage(name);
    if (module == "torch.storage")
        return name == "UntypedStorage" || name == "_UntypedStorage" || name == "TypedStorage";
    if (module == "torch._utils")
        return std::ranges::find(builders, name) != builders.end();
    return module == "collections" && name == "OrderedDict";
}

std::string inAscii(std::string_view text)
{
    std::string result(text.substr(0, longestName));
    std::ranges::replace_if(
        result, [](char c) { return c < ' ' || c > '~'; }, '?');
    return result;
}

} // namespace

// Carries out the instructions of one pickle.
class PickleMachine
{
public:
    PickleMachine(Pickle& pickle, std::span<const std::byte> bytes, const std::string& where)
        : m_pickle(pickle)
        , m_reader(bytes.first(std::min(bytes.size(), limit(Limit::Pickle))), where)
        , m_isCut(bytes.size() > limit(Limit::Pickle))
        , m_where(where)
    {
    }

    void run();

private:
    using Ref = PickleValue::Ref;

    [[noreturn]] void refuse(const std::string& problem) const
    {
        throw Error(ErrorKind::Format, m_where, problem, damagedPickle);
    }
    [[noreturn]] void refuseMany(const std::string& problem) const
    {
        throw Error(ErrorKind::Format, m_where, problem, otherLimit(Limit::PickleValues));
    }

    template<class T>
    void push(T value)
    {
        if (m_pickle.m_values.size() >= m_mostValues)
            refuseMany(fmt::format("holds more than {} values", m_mostValues));
        // Twice as many, beside the old ones.
        if (const std::size_t room = m_pickle.m_values.capacity(); m_pickle.m_values.size() == room)
            requireMemory(3 * room * (sizeof(PickleValue) + sizeof(Ref)) + 2 * room * besideValue, m_where);
        m_stack.push_back(static_cast<Ref>(m_pickle.m_values.size()));
        m_pickle.m_values.push_back({std::move(value)});
    }

    std::size_t floor() const { return m_marks.empty() ? 0 : m_marks.back(); }

    Ref top() const
    {
        if (m_stack.size() <= floor())
            refuse("takes a value from an empty stack");
        return m_stack.back();
    }

    Ref pop()
    {
        const Ref value = top();
        m_stack.pop_back();
        return value;
    }

    std::vector<Ref> popLast(std::size_t count)
    {
        std::vector<Ref> items(count);
        for (std::size_t i = count; i > 0; --i)
            items[i - 1] = pop();
        return items;
    }

    std::vector<Ref> popToMark()
    {
        if (m_marks.empty())
            refuse("closes a group that was not opened");
        const auto begin = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<Ref> items(begin, m_stack.end());
        m_stack.erase(begin, m_stack.end());
        m_marks.pop_back();
        return items;
    }

    template<class T>
    T& value(Ref ref, const char* expected)
    {
        T* found = std::get_if<T>(&m_pickle.m_values[ref].data);
        if (found == nullptr)
            refuse(fmt::format("uses something else as {}", expected));
        return *found;
    }

    void requireWithinLimit(std::uint64_t bytes) const
    {
        if (m_isCut && bytes > m_reader.remaining())
            throw Error(
                ErrorKind::Format, m_where,
                fmt::format("describes its tensors in more than the {} bytes that are read", limit(Limit::Pickle)),
                otherLimit(Limit::Pickle));
    }

    template<class Integer>
    Integer take()
    {
        requireWithinLimit(sizeof(Integer));
        return m_reader.integer<Integer>();
    }

    std::string takeText(std::uint64_t length)
    {
        requireWithinLimit(length);
        const auto bytes = m_reader.take(length);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

    std::string takeLine()
    {
        std::string line;
        while (true) {
            const auto c = static_cast<char>(take<std::uint8_t>());
            if (c == '\n')
                return line;
            if (line.size() >= longestName)
                refuse("has a name that is too long");
            line += c;
        }
    }

    void pushLong(std::uint64_t length)
    {
        std::string bytes = takeText(length);
        if (bytes.size() > sizeof(std::int64_t))
            return push(PickleValue::Large{std::move(bytes)});
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i)
            value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
        const bool negative = !bytes.empty() && (static_cast<unsigned char>(bytes.back()) & 0x80U) != 0;
        if (negative && bytes.size() < sizeof value)
            value |= ~std::uint64_t{0} << (8 * bytes.size());
        push(static_cast<std::int64_t>(value));
    }

    // Into the dictionary on top.
    void setItems(const std::vector<Ref>& items)
    {
        auto& entries = value<PickleValue::Dictionary>(top(), "a dictionary").items;
        if (items.size() % 2 != 0)
            refuse("has a key without a value");
        m_entries += items.size();
        if (m_entries / instructionsOfValue > m_mostValues)
            refuseMany("repeats dictionaries without end");
        for (std::size_t i = 0; i < items.size(); i += 2)
            entries.emplace_back(items[i], items[i + 1]);
    }

    // Appends to the list on top.
    void appendItems(const std::vector<Ref>& items)
    {
        auto& entries = value<PickleValue::List>(top(), "a list").items;
        entries.insert(entries.end(), items.begin(), items.end());
    }

    void pushDictionary(const std::vector<Ref>& items)
    {
        push(PickleValue::Dictionary{});
        setItems(items);
    }

    // The value on top, for recall(). What writes pickles keeps each value once.
    void keep(std::uint32_t index)
    {
        m_memo[index] = top();
        if (m_memo.size() > m_pickle.m_values.size())
            refuse("keeps more values than it has");
    }

    void recall(std::uint32_t index)
    {
        const auto found = m_memo.find(index);
        if (found == m_memo.end())
            refuse(fmt::format("asks for value {}, which was not kept", index));
        m_stack.push_back(found->second);
    }

    void mark()
    {
        if (m_marks.size() >= deepestMarks)
            refuse(fmt::format("is nested deeper than {} levels", deepestMarks));
        m_marks.push_back(m_stack.size());
    }

    void checkProtocol(int protocol) const
    {
        if (protocol < 2 || protocol > newestProtocol)
            refuse(fmt::format("is a pickle of protocol {}; 2 to {} are read", protocol, newestProtocol));
    }

    // Module and name, a line each.
    void pushGlobalOfLines()
    {
        const std::string module = takeLine();
        pushGlobal(module, takeLine());
    }

    void pushGlobalOfStack()
    {
        const std::string name = value<std::string>(pop(), "a name");
        pushGlobal(value<std::string>(pop(), "a name"), name);
    }

    // Only of an OrderedDict's attributes (torch's _metadata), which hold no tensors.
    void dropState()
    {
        pop();
        value<PickleValue::Dictionary>(top(), "an object whose state is set");
    }

    void pushGlobal(const std::string& module, const std::string& name)
    {
        if (!isTensorVocabulary(module, name))
            throw Error(ErrorKind::Unsupported, m_where,
                        fmt::format("refers to {}.{}, which no set of tensors needs (nothing of it was run)",
                                    inAscii(module), inAscii(name)),
                        "save only the tensors: torch.save(model.state_dict(), ...)");
        push(PickleValue::Global{module + '.' + name});
    }

    void reduce()
    {
        const Ref arguments = pop();
        const Ref function = pop();
        const auto& items = value<PickleValue::Tuple>(arguments, "arguments").items;
        if (value<PickleValue::Global>(function, "a function").name != "collections.OrderedDict")
            return push(PickleValue::Call{function, arguments});
        std::vector<Ref> entries;
        if (!items.empty())
            for (const Ref pair : std::vector(value<PickleValue::List>(items.front(), "a list of pairs").items))
                appendPair(pair, entries);
        pushDictionary(entries);
    }

    void appendPair(Ref pair, std::vector<Ref>& entries)
    {
        const auto* tuple = m_pickle.get<PickleValue::Tuple>(pair);
        const auto& items = tuple != nullptr ? tuple->items : value<PickleValue::List>(pair, "a pair").items;
        if (items.size() != 2)
            refuse("has a key without a value");
        entries.insert(entries.end(), items.begin(), items.end());
    }

    // One instruction, but the last.
    struct Instruction
    {
        unsigned char code;
        void (*carryOut)(PickleMachine& machine);
    };
    static const Instruction instructions[];

    Pickle& m_pickle;
    ByteReader m_reader;
    const bool m_isCut; // there are more bytes than the limit
    const std::string& m_where;
    std::vector<Ref> m_stack;
    std::vector<std::size_t> m_marks; // stack sizes
    std::map<std::uint32_t, Ref> m_memo; // ordered: a file could choose numbers that hash alike
    std::uint64_t m_entries = 0; // of all dictionaries
    const std::uint64_t m_mostValues = limit(Limit::PickleValues);
};

// Instructions that torch.save writes, by the names of Python's pickletools, but for STOP.
constexpr PickleMachine::Instruction PickleMachine::instructions[] = {
    {'N', [](PickleMachine& m) { m.push(PickleValue::None{}); }}, // NONE
    {0x88, [](PickleMachine& m) { m.push(true); }}, // NEWTRUE
    {0x89, [](PickleMachine& m) { m.push(false); }}, // NEWFALSE
    {'J', [](PickleMachine& m) { m.push(std::int64_t{m.take<std::int32_t>()}); }}, // BININT
    {'K', [](PickleMachine& m) { m.push(std::int64_t{m.take<std::uint8_t>()}); }}, // BININT1
    {'M', [](PickleMachine& m) { m.push(std::int64_t{m.take<std::uint16_t>()}); }}, // BININT2
    {0x8A, [](PickleMachine& m) { m.pushLong(m.take<std::uint8_t>()); }}, // LONG1
    {0x8B, [](PickleMachine& m) { m.pushLong(m.take<std::uint32_t>()); }}, // LONG4
    {'G',
     [](PickleMachine& m) { m.push(std::bit_cast<double>(__builtin_bswap64(m.take<std::uint64_t>()))); }}, // BINFLOAT

    {'X', [](PickleMachine& m) { m.push(m.takeText(m.take<std::uint32_t>())); }}, // BINUNICODE
    {'B', [](PickleMachine& m) { m.push(m.takeText(m.take<std::uint32_t>())); }}, // BINBYTES
    {'T', [](PickleMachine& m) { m.push(m.takeText(m.take<std::uint32_t>())); }}, // BINSTRING
    {0x8C, [](PickleMachine& m) { m.push(m.takeText(m.take<std::uint8_t>())); }}, // SHORT_BINUNICODE
    {'C', [](PickleMachine& m) { m.push(m.takeText(m.take<std::uint8_t>())); }}, // SHORT_BINBYTES
    {'U', [](PickleMachine& m) { m.push(m.takeText(m.take<std::uint8_t>())); }}, // SHORT_BINSTRING
    {0x8D, [](PickleMachine& m) { m.push(m.takeText(m.take<std::uint64_t>())); }}, // BINUNICODE8
    {0x8E, [](PickleMachine& m) { m.push(m.takeText(m.take<std::uint64_t>())); }}, // BINBYTES8

    {'}', [](PickleMachine& m) { m.push(PickleValue::Dictionary{}); }}, // EMPTY_DICT
    {']', [](PickleMachine& m) { m.push(PickleValue::List{}); }}, // EMPTY_LIST
    {')', [](PickleMachine& m) { m.push(PickleValue::Tuple{m.popLast(0)}); }}, // EMPTY_TUPLE
    {0x85, [](PickleMachine& m) { m.push(PickleValue::Tuple{m.popLast(1)}); }}, // TUPLE1
    {0x86, [](PickleMachine& m) { m.push(PickleValue::Tuple{m.popLast(2)}); }}, // TUPLE2
    {0x87, [](PickleMachine& m) { m.push(PickleValue::Tuple{m.popLast(3)}); }}, // TUPLE3
    {'t', [](PickleMachine& m) { m.push(PickleValue::Tuple{m.popToMark()}); }}, // TUPLE
    {'l', [](PickleMachine& m) { m.push(PickleValue::List{m.popToMark()}); }}, // LIST
    {'d', [](PickleMachine& m) { m.pushDictionary(m.popToMark()); }}, // DICT
    {'a', [](PickleMachine& m) { m.appendItems(m.popLast(1)); }}, // APPEND
    {'e', [](PickleMachine& m) { m.appendItems(m.popToMark()); }}, // APPENDS
    {'s', [](PickleMachine& m) { m.setItems(m.popLast(2)); }}, // SETITEM
    {'u', [](PickleMachine& m) { m.setItems(m.popToMark()); }}, // SETITEMS

    {'q', [](PickleMachine& m) { m.keep(m.take<std::uint8_t>()); }}, // BINPUT
    {'r', [](PickleMachine& m) { m.keep(m.take<std::uint32_t>()); }}, // LONG_BINPUT
    {0x94, [](PickleMachine& m) { m.keep(static_cast<std::uint32_t>(m.m_memo.size())); }}, // MEMOIZE
    {'h', [](PickleMachine& m) { m.recall(m.take<std::uint8_t>()); }}, // BINGET
    {'j', [](PickleMachine& m) { m.recall(m.take<std::uint32_t>()); }}, // LONG_BINGET

    {0x80, [](PickleMachine& m) { m.checkProtocol(m.take<std::uint8_t>()); }}, // PROTO
    {0x95, [](PickleMachine& m) { m.take<std::uint64_t>(); }}, // FRAME
    {'(', [](PickleMachine& m) { m.mark(); }}, // MARK
    {'0', [](PickleMachine& m) { m.pop(); }}, // POP
    {'1', [](PickleMachine& m) { m.popToMark(); }}, // POP_MARK
    {'2', [](PickleMachine& m) { m.m_stack.push_back(m.top()); }}, // DUP
    {'c', [](PickleMachine& m) { m.pushGlobalOfLines(); }}, // GLOBAL
    {0x93, [](PickleMachine& m) { m.pushGlobalOfStack(); }}, // STACK_GLOBAL
    {'Q', [](PickleMachine& m) { m.push(PickleValue::Persistent{m.pop()}); }}, // BINPERSID
    {'R', [](PickleMachine& m) { m.reduce(); }}, // REDUCE
    {0x81, [](PickleMachine& m) { m.reduce(); }}, // NEWOBJ
    {'b', [](PickleMachine& m) { m.dropState(); }}, // BUILD
};

void PickleMachine::run()
{
    std::array<void (*)(PickleMachine&), 256> byCode{};
    for (const auto& [code, carryOut] : instructions)
        byCode.at(code) = carryOut;
    for (std::uint64_t count = 0; count / instructionsOfValue < m_mostValues; ++count) {
        if (count % stepsBetweenChecks == 0)
            ThreadStop::check();
        const auto code = take<std::uint8_t>();
        if (code == '.') { // STOP
            m_pickle.m_root = pop();
            m_pickle.m_length = m_reader.position();
            return;
        }
        if (byCode.at(code) == nullptr)
            refuse(fmt::format("holds the pickle instruction 0x{:02x}, which no set of tensors needs", code));
        byCode.at(code)(*this);
    }
    refuseMany(
        fmt::format("has more than {} pickle instructions for each of {} values", instructionsOfValue, m_mostValues));
}

Pickle::Pickle(std::span<const std::byte> bytes, const std::string& where)
{
    PickleMachine(*this, bytes, where).run();
}

std::optional<Pickle::Ref> Pickle::find(const PickleValue::Dictionary& dictionary, std::string_view key) const
{
    for (const auto& [name, item] : dictionary.items)
        if (const auto* text = get<std::string>(name); text != nullptr && *text == key)
            return item;
    return std::nullopt;
}

std::string_view Pickle::globalName(Ref value) const
{
    const auto* global = get<PickleValue::Global>(value);
    return global == nullptr ? std::string_view() : std::string_view(global->name);
}

} // namespace attn
