// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/pickle.h"

#include "base/error.h"
#include "io/byte_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <unordered_map>

namespace attn {

namespace {

constexpr std::size_t mostValues = 4'000'000;
constexpr std::size_t mostInstructions = 16'000'000;
constexpr std::size_t deepestMarks = 256;
constexpr std::size_t longestName = 256;
constexpr int newestProtocol = 5;
constexpr auto damagedPickle = "the file is incomplete or damaged";

enum class Op : std::uint8_t {
    Mark = '(',
    Stop = '.',
    Pop = '0',
    PopMark = '1',
    Dup = '2',
    BinBytes = 'B',
    ShortBinBytes = 'C',
    BinFloat = 'G',
    BinInt = 'J',
    BinInt1 = 'K',
    BinInt2 = 'M',
    None = 'N',
    BinPersId = 'Q',
    Reduce = 'R',
    BinString = 'T',
    ShortBinString = 'U',
    BinUnicode = 'X',
    EmptyList = ']',
    Append = 'a',
    Build = 'b',
    Global = 'c',
    Dict = 'd',
    Appends = 'e',
    BinGet = 'h',
    LongBinGet = 'j',
    List = 'l',
    BinPut = 'q',
    LongBinPut = 'r',
    SetItem = 's',
    Tuple = 't',
    SetItems = 'u',
    EmptyTuple = ')',
    EmptyDict = '}',
    Proto = 0x80,
    NewObj = 0x81,
    Tuple1 = 0x85,
    Tuple2 = 0x86,
    Tuple3 = 0x87,
    NewTrue = 0x88,
    NewFalse = 0x89,
    Long1 = 0x8A,
    Long4 = 0x8B,
    ShortBinUnicode = 0x8C,
    BinUnicode8 = 0x8D,
    BinBytes8 = 0x8E,
    StackGlobal = 0x93,
    Memoize = 0x94,
    Frame = 0x95,
};

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

// What torch.save writes for tensors and the dictionaries around them.
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
        , m_reader(bytes, where)
        , m_where(where)
    {
    }

    void run()
    {
        for (std::size_t count = 0; count < mostInstructions; ++count) {
            const auto op = static_cast<Op>(m_reader.integer<std::uint8_t>());
            if (op == Op::Stop) {
                m_pickle.m_root = pop();
                m_pickle.m_length = m_reader.position();
                return;
            }
            if (!scalar(op) && !text(op) && !container(op) && !memo(op) && !structure(op))
                refuse(fmt::format("holds the pickle instruction 0x{:02x}, which no set of tensors needs",
                                   static_cast<unsigned>(op)));
        }
        refuse(fmt::format("has more than {} pickle instructions", mostInstructions));
    }

private:
    using Ref = PickleValue::Ref;

    [[noreturn]] void refuse(const std::string& problem) const
    {
        throw Error(ErrorKind::Format, m_where, problem, damagedPickle);
    }

    template<class T>
    void push(T value)
    {
        if (m_pickle.m_values.size() >= mostValues)
            refuse(fmt::format("holds more than {} values", mostValues));
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

    std::string takeText(std::uint64_t length)
    {
        const auto bytes = m_reader.take(length);
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

    std::string takeLine()
    {
        std::string line;
        while (true) {
            const auto c = static_cast<char>(m_reader.integer<std::uint8_t>());
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

    bool scalar(Op op)
    {
        switch (op) {
        case Op::None:
            push(PickleValue::None{});
            return true;
        case Op::NewTrue:
        case Op::NewFalse:
            push(op == Op::NewTrue);
            return true;
        case Op::BinInt:
            push(std::int64_t{m_reader.integer<std::int32_t>()});
            return true;
        case Op::BinInt1:
            push(std::int64_t{m_reader.integer<std::uint8_t>()});
            return true;
        case Op::BinInt2:
            push(std::int64_t{m_reader.integer<std::uint16_t>()});
            return true;
        case Op::Long1:
            pushLong(m_reader.integer<std::uint8_t>());
            return true;
        case Op::Long4:
            pushLong(m_reader.integer<std::uint32_t>());
            return true;
        case Op::BinFloat:
            push(std::bit_cast<double>(__builtin_bswap64(m_reader.integer<std::uint64_t>())));
            return true;
        default:
            return false;
        }
    }

    bool text(Op op)
    {
        switch (op) {
        case Op::BinUnicode:
        case Op::BinBytes:
        case Op::BinString:
            push(takeText(m_reader.integer<std::uint32_t>()));
            return true;
        case Op::ShortBinUnicode:
        case Op::ShortBinBytes:
        case Op::ShortBinString:
            push(takeText(m_reader.integer<std::uint8_t>()));
            return true;
        case Op::BinUnicode8:
        case Op::BinBytes8:
            push(takeText(m_reader.integer<std::uint64_t>()));
            return true;
        default:
            return false;
        }
    }

    void pushTuple(std::size_t count)
    {
        std::vector<Ref> items(count);
        for (std::size_t i = count; i > 0; --i)
            items[i - 1] = pop();
        push(PickleValue::Tuple{std::move(items)});
    }

    void setItems(Ref dictionary, const std::vector<Ref>& items)
    {
        auto& entries = value<PickleValue::Dictionary>(dictionary, "a dictionary").items;
        if (items.size() % 2 != 0)
            refuse("has a key without a value");
        m_entries += items.size();
        if (m_entries > mostInstructions)
            refuse("repeats dictionaries without end");
        for (std::size_t i = 0; i < items.size(); i += 2)
            entries.emplace_back(items[i], items[i + 1]);
    }

    void appendItems(Ref list, const std::vector<Ref>& items)
    {
        auto& entries = value<PickleValue::List>(list, "a list").items;
        entries.insert(entries.end(), items.begin(), items.end());
    }

    bool container(Op op)
    {
        switch (op) {
        case Op::EmptyDict:
            push(PickleValue::Dictionary{});
            return true;
        case Op::EmptyList:
            push(PickleValue::List{});
            return true;
        case Op::EmptyTuple:
        case Op::Tuple1:
        case Op::Tuple2:
        case Op::Tuple3:
            pushTuple(op == Op::EmptyTuple ? 0
                                           : static_cast<std::size_t>(op) - static_cast<std::size_t>(Op::Tuple1) + 1);
            return true;
        case Op::Tuple:
            push(PickleValue::Tuple{popToMark()});
            return true;
        case Op::List:
            push(PickleValue::List{popToMark()});
            return true;
        case Op::Dict: {
            const std::vector<Ref> items = popToMark();
            push(PickleValue::Dictionary{});
            setItems(top(), items);
            return true;
        }
        default:
            return fill(op);
        }
    }

    bool fill(Op op)
    {
        switch (op) {
        case Op::Append: {
            const Ref item = pop();
            appendItems(top(), {item});
            return true;
        }
        case Op::Appends: {
            const std::vector<Ref> items = popToMark();
            appendItems(top(), items);
            return true;
        }
        case Op::SetItem: {
            const Ref item = pop();
            const Ref key = pop();
            setItems(top(), {key, item});
            return true;
        }
        case Op::SetItems: {
            const std::vector<Ref> items = popToMark();
            setItems(top(), items);
            return true;
        }
        default:
            return false;
        }
    }

    void recall(std::uint32_t index)
    {
        const auto found = m_memo.find(index);
        if (found == m_memo.end())
            refuse(fmt::format("asks for value {}, which was not kept", index));
        m_stack.push_back(found->second);
    }

    bool memo(Op op)
    {
        switch (op) {
        case Op::BinPut:
            m_memo[m_reader.integer<std::uint8_t>()] = top();
            return true;
        case Op::LongBinPut:
            m_memo[m_reader.integer<std::uint32_t>()] = top();
            return true;
        case Op::Memoize:
            m_memo[static_cast<std::uint32_t>(m_memo.size())] = top();
            return true;
        case Op::BinGet:
            recall(m_reader.integer<std::uint8_t>());
            return true;
        case Op::LongBinGet:
            recall(m_reader.integer<std::uint32_t>());
            return true;
        default:
            return false;
        }
    }

    bool structure(Op op)
    {
        switch (op) {
        case Op::Proto:
            if (const int protocol = m_reader.integer<std::uint8_t>(); protocol < 2 || protocol > newestProtocol)
                refuse(fmt::format("is a pickle of protocol {}; 2 to {} are read", protocol, newestProtocol));
            return true;
        case Op::Frame:
            m_reader.integer<std::uint64_t>();
            return true;
        case Op::Mark:
            if (m_marks.size() >= deepestMarks)
                refuse(fmt::format("is nested deeper than {} levels", deepestMarks));
            m_marks.push_back(m_stack.size());
            return true;
        case Op::Pop:
            pop();
            return true;
        case Op::PopMark:
            popToMark();
            return true;
        case Op::Dup:
            m_stack.push_back(top());
            return true;
        default:
            return object(op);
        }
    }

    bool object(Op op)
    {
        switch (op) {
        case Op::Global: {
            const std::string module = takeLine();
            pushGlobal(module, takeLine());
            return true;
        }
        case Op::StackGlobal: {
            const std::string name = value<std::string>(pop(), "a name");
            pushGlobal(value<std::string>(pop(), "a name"), name);
            return true;
        }
        case Op::BinPersId:
            push(PickleValue::Persistent{pop()});
            return true;
        case Op::Reduce:
        case Op::NewObj:
            reduce();
            return true;
        case Op::Build: // only an OrderedDict's attributes (torch's _metadata), which hold no tensors
            pop();
            value<PickleValue::Dictionary>(top(), "an object whose state is set");
            return true;
        default:
            return false;
        }
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
        push(PickleValue::Dictionary{});
        setItems(top(), entries);
    }

    void appendPair(Ref pair, std::vector<Ref>& entries)
    {
        const auto* tuple = m_pickle.get<PickleValue::Tuple>(pair);
        const auto& items = tuple != nullptr ? tuple->items : value<PickleValue::List>(pair, "a pair").items;
        if (items.size() != 2)
            refuse("has a key without a value");
        entries.insert(entries.end(), items.begin(), items.end());
    }

    Pickle& m_pickle;
    ByteReader m_reader;
    const std::string& m_where;
    std::vector<Ref> m_stack;
    std::vector<std::size_t> m_marks; // stack sizes
    std::unordered_map<std::uint32_t, Ref> m_memo;
    std::size_t m_entries = 0; // of all dictionaries
};

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
