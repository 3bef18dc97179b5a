// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/memory.h"
#include "base/plain_text.h"
#include "checkpoint/pickle.h"
#include "checkpoint/stored_tensor.h"
#include "io/byte_reader.h"
#include "io/zip_archive.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

namespace {

using namespace std::string_view_literals;

constexpr auto zipStart = "PK\x03\x04"sv;
constexpr char pickleStart = '\x80';
constexpr auto legacyMagic = "\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19"sv; // a number, as torch writes it
constexpr std::int64_t legacyProtocol = 1001;
constexpr auto description = "data.pkl"sv;
constexpr auto damagedTorchFile = "the file is incomplete or damaged";

// A block of values that tensors of a torch.save file lie in.
struct TorchStorage
{
    std::string key;
    std::string type; // "FloatStorage"
    DType dtype = DType::F32; // U8 for an untyped one, Other for one that is not read
    std::size_t elementBytes = 4;
    std::int64_t elements = 0; // of the whole storage, or of the view into it
    std::int64_t viewOffset = 0; // first element of the view
};

// The bytes of a whole storage.
using StorageBytes = std::function<std::span<const std::byte>(const TorchStorage& storage)>;

using Ref = PickleValue::Ref;
using Dictionary = PickleValue::Dictionary;

constexpr std::size_t mostDimensions = 16;
constexpr int deepestWrapping = 3; // a parameter around a tensor
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void refuse(const std::string& where, const std::string& problem)
{
    throw Error(ErrorKind::Format, where, problem, damagedTorchFile);
}

std::optional<DType> dtypeOfStorage(std::string_view type)
{
    constexpr std::array<std::pair<std::string_view, DType>, 22> types = {
        {{"FloatStorage", DType::F32},  {"HalfStorage", DType::F16},   {"BFloat16Storage", DType::BF16},
         {"DoubleStorage", DType::F64}, {"LongStorage", DType::I64},   {"IntStorage", DType::I32},
         {"ShortStorage", DType::I16},  {"CharStorage", DType::I8},    {"ByteStorage", DType::U8},
         {"BoolStorage", DType::Bool},  {"UntypedStorage", DType::U8}, {"_UntypedStorage", DType::U8},
         {"float32", DType::F32},       {"float16", DType::F16},       {"bfloat16", DType::BF16},
         {"float64", DType::F64},       {"int64", DType::I64},         {"int32", DType::I32},
         {"int16", DType::I16},         {"int8", DType::I8},           {"uint8", DType::U8},
         {"bool", DType::Bool}}};
    const auto* const found = std::ranges::find(types, type, &std::pair<std::string_view, DType>::first);
    return found == types.end() ? std::nullopt : std::optional(found->second);
}

// Bytes of one value of a storage whose type is not read, but known.
std::optional<std::size_t> unreadBytes(std::string_view type)
{
    constexpr std::array<std::pair<std::string_view, std::size_t>, 7> types = {{{"ComplexFloatStorage", 8},
                                                                                {"ComplexDoubleStorage", 16},
                                                                                {"QInt8Storage", 1},
                                                                                {"QUInt8Storage", 1},
                                                                                {"QUInt4x2Storage", 1},
                                                                                {"QUInt2x4Storage", 1},
                                                                                {"QInt32Storage", 4}}};
    const auto* const found = std::ranges::find(types, type, &std::pair<std::string_view, std::size_t>::first);
    return found == types.end() ? std::nullopt : std::optional(found->second);
}

std::string_view lastPart(std::string_view name)
{
    return name.substr(name.rfind('.') + 1);
}

// Storage that a persistent id in `pickle` names. Throws Error{Format, Unsupported}.
TorchStorage torchStorage(const Pickle& pickle, Ref id, const std::string& where)
{
    const auto* tuple = pickle.get<PickleValue::Tuple>(id);
    if (tuple == nullptr || tuple->items.size() < 5)
        refuse(where, "refers to something that is not a storage");
    const auto& items = tuple->items;
    const auto* kind = pickle.get<std::string>(items[0]);
    const auto* key = pickle.get<std::string>(items[2]);
    const auto* elements = pickle.get<std::int64_t>(items[4]);
    if (kind == nullptr || *kind != "storage" || key == nullptr || elements == nullptr || *elements < 0)
        refuse(where, "refers to something that is not a storage");
    TorchStorage storage{*key, std::string(lastPart(pickle.globalName(items[1]))), DType::Other, 0, *elements, 0};
    if (const auto dtype = dtypeOfStorage(storage.type)) {
        storage.dtype = *dtype;
        storage.elementBytes = blockBytes(*dtype);
    } else if (const auto bytes = unreadBytes(storage.type)) {
        storage.elementBytes = *bytes;
    } else {
        throw Error(ErrorKind::Unsupported, where, fmt::format("lies in a {}, which is not read", storage.type));
    }
    if (storage.elements > largest / static_cast<std::int64_t>(storage.elementBytes))
        refuse(where, "lies in a storage too large for any memory");
    const auto* view = items.size() > 5 ? pickle.get<PickleValue::Tuple>(items[5]) : nullptr;
    if (view != nullptr) { // key of the view, first element, elements
        const auto* offset = view->items.size() == 3 ? pickle.get<std::int64_t>(view->items[1]) : nullptr;
        const auto* size = view->items.size() == 3 ? pickle.get<std::int64_t>(view->items[2]) : nullptr;
        if (offset == nullptr || size == nullptr || *offset < 0 || *size < 0 || *offset > storage.elements
            || *size > storage.elements - *offset)
            refuse(where, "lies in a view outside its storage");
        storage.viewOffset = *offset;
        storage.elements = *size;
    }
    return storage;
}

// Reads the arguments with which torch would build one tensor.
class TensorBuilder
{
public:
    TensorBuilder(const Pickle& pickle, std::string where, const StorageBytes& bytes)
        : m_pickle(pickle)
        , m_where(std::move(where))
        , m_bytes(bytes)
    {
    }

    StoredTensor build(Ref value) const
    {
        for (int depth = 0; depth < deepestWrapping; ++depth) {
            const auto& call = *m_pickle.get<PickleValue::Call>(value);
            const auto& arguments = m_pickle.get<PickleValue::Tuple>(call.arguments)->items;
            const std::string_view function = m_pickle.globalName(call.function);
            if (function.starts_with("torch._utils._rebuild_tensor"))
                return tensor(arguments, function.ends_with("_v3"));
            if (!function.starts_with("torch._utils._rebuild_parameter") || arguments.empty()
                || m_pickle.get<PickleValue::Call>(arguments.front()) == nullptr)
                refuse(m_where, "is a parameter without a tensor");
            value = arguments.front();
        }
        refuse(m_where, "is wrapped too often");
    }

private:
    StoredTensor tensor(const std::vector<Ref>& arguments, bool namesType) const
    {
        constexpr std::size_t typeArgument = 6;
        if (arguments.size() < (namesType ? typeArgument + 1 : 4))
            refuse(m_where, "is built from too few arguments");
        const auto* persistent = m_pickle.get<PickleValue::Persistent>(arguments[0]);
        if (persistent == nullptr)
            refuse(m_where, "lies in no storage");
        TorchStorage storage = torchStorage(m_pickle, persistent->id, m_where);
        const auto whole = m_bytes(storage);
        const auto named = namesType ? dtypeOfStorage(typeName(arguments[typeArgument])) : storage.dtype;
        if (!named || *named == DType::Other)
            return unread(arguments, named ? storage.type : typeName(arguments[typeArgument]));
        const DType dtype = *named;
        if (!namesType && storage.type.ends_with("UntypedStorage"))
            refuse(m_where, "lies in a storage without a type");
        const auto elementBytes = static_cast<std::int64_t>(blockBytes(dtype));
        const auto scale = static_cast<std::int64_t>(storage.elementBytes);
        const std::int64_t begin = storage.viewOffset * scale;
        const std::int64_t available = storage.elements * scale / elementBytes;
        return place(dtype, arguments, whole.subspan(begin, storage.elements * scale), available);
    }

    std::string_view typeName(Ref value) const { return lastPart(m_pickle.globalName(value)); }

    StoredTensor unread(const std::vector<Ref>& arguments, std::string_view type) const
    {
        return {{DType::Other, numbers(arguments[2], "a size"), {}},
                {},
                fmt::format("is stored as {}, which is not read", type)};
    }

    std::int64_t number(Ref value, const char* what) const
    {
        const auto* found = m_pickle.get<std::int64_t>(value);
        if (found == nullptr || *found < 0)
            refuse(m_where, fmt::format("needs {} from 0", what));
        return *found;
    }

    // A tuple, a list, or torch.Size of one.
    std::vector<std::int64_t> numbers(Ref value, const char* what) const
    {
        if (const auto* call = m_pickle.get<PickleValue::Call>(value)) {
            const auto& arguments = m_pickle.get<PickleValue::Tuple>(call->arguments)->items;
            if (m_pickle.globalName(call->function) == "torch.Size" && arguments.size() == 1)
                value = arguments.front();
        }
        const auto* tuple = m_pickle.get<PickleValue::Tuple>(value);
        const auto* list = m_pickle.get<PickleValue::List>(value);
        if (tuple == nullptr && list == nullptr)
            refuse(m_where, fmt::format("needs a list as {}", what));
        const std::vector<Ref>& items = tuple != nullptr ? tuple->items : list->items;
        if (items.size() > mostDimensions)
            refuse(m_where, fmt::format("has more than {} dimensions", mostDimensions));
        std::vector<std::int64_t> result;
        for (const Ref item : items)
            result.push_back(number(item, what));
        return result;
    }

    // Checks that every value lies inside the storage, and views it in place.
    StoredTensor place(DType dtype, const std::vector<Ref>& arguments, std::span<const std::byte> storage,
                       std::int64_t available) const
    {
        const std::int64_t offset = number(arguments[1], "an offset");
        StoredTensor result{{dtype, numbers(arguments[2], "a size"), {}}, {}, {}};
        const Shape& shape = result.view.shape;
        const Shape strides = numbers(arguments[3], "a stride");
        if (strides.size() != shape.size())
            refuse(m_where, "has not as many strides as dimensions");
        if (std::ranges::find(shape, 0) != shape.end())
            return result;
        std::int64_t elements = 1;
        std::int64_t last = offset;
        bool contiguous = true;
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            const std::int64_t size = shape[axis];
            if (size > 1 && (strides[axis] > available / (size - 1) || last > available))
                refuseExtent(shape, strides, offset, available);
            last += (size - 1) * (size > 1 ? strides[axis] : 0);
            contiguous = contiguous && (size == 1 || strides[axis] == elements);
            if (size > largest / elements)
                refuseExtent(shape, strides, offset, available);
            elements *= size;
        }
        if (last >= available)
            refuseExtent(shape, strides, offset, available);
        if (elements > available) { // an expanded tensor: few stored values could ask for any memory
            result.view.dtype = DType::Other;
            result.problem = fmt::format("repeats its values (shape [{}], strides [{}])", fmt::join(shape, ", "),
                                         fmt::join(strides, ", "));
            return result;
        }
        const auto bytes = static_cast<std::int64_t>(blockBytes(dtype));
        result.view.bytes = storage.subspan(offset * bytes, (last - offset + 1) * bytes);
        for (std::size_t axis = 0; !contiguous && axis < shape.size(); ++axis)
            result.axes.push_back({shape[axis], strides[axis]});
        return result;
    }

    [[noreturn]] void refuseExtent(const Shape& shape, const Shape& strides, std::int64_t offset,
                                   std::int64_t available) const
    {
        refuse(m_where,
               fmt::format("of shape [{}], strides [{}], from value {} does not fit into its storage of {} values",
                           fmt::join(shape, ", "), fmt::join(strides, ", "), offset, available));
    }

    const Pickle& m_pickle;
    std::string m_where;
    const StorageBytes& m_bytes;
};

bool isTensor(const Pickle& pickle, Ref value)
{
    const auto* call = pickle.get<PickleValue::Call>(value);
    return call != nullptr && pickle.globalName(call->function).starts_with("torch._utils._rebuild_");
}

std::ptrdiff_t tensorsIn(const Pickle& pickle, const Dictionary& dictionary)
{
    return std::ranges::count_if(dictionary.items, [&](const auto& entry) { return isTensor(pickle, entry.second); });
}

// "model, average, ..."
std::string namedList(const std::vector<std::string_view>& names)
{
    constexpr std::size_t most = 4;
    constexpr std::size_t longest = 64; // letters
    std::string list;
    for (const std::string_view name : std::span(names).first(std::min(names.size(), most)))
        list += (list.empty() ? "" : ", ") + shown(name.substr(0, 4 * longest), longest);
    return names.size() > most ? list + ", ..." : list;
}

struct NamedDictionary
{
    std::string_view name;
    const Dictionary* dictionary;
    std::ptrdiff_t tensors;
};

// The dictionaries one level inside these.
std::vector<NamedDictionary> dictionariesIn(const Pickle& pickle, std::span<const NamedDictionary> level)
{
    std::vector<NamedDictionary> result;
    std::map<Ref, std::ptrdiff_t> counted; // many names may share one dictionary
    std::set<const Dictionary*> opened;
    for (const NamedDictionary& outer : level) {
        if (!opened.insert(outer.dictionary).second)
            continue;
        for (const auto& [key, item] : outer.dictionary->items) {
            const auto* name = pickle.get<std::string>(key);
            const auto* inner = pickle.get<Dictionary>(item);
            if (name == nullptr || inner == nullptr)
                continue;
            const auto [known, isNew] = counted.try_emplace(item, 0);
            if (isNew)
                known->second = tensorsIn(pickle, *inner);
            result.push_back({*name, inner, known->second});
        }
    }
    return result;
}

// Objects that hold tensors; one that holds a single tensor is no network beside one that holds more.
std::vector<NamedDictionary> networksOf(std::span<const NamedDictionary> level)
{
    const bool several = std::ranges::any_of(level, [](const NamedDictionary& each) { return each.tensors > 1; });
    std::vector<NamedDictionary> result;
    std::ranges::copy_if(level, std::back_inserter(result),
                         [&](const NamedDictionary& each) { return each.tensors > (several ? 1 : 0); });
    return result;
}

// The dictionary of tensors: the whole, or the nearest one inside it that holds more.
const Dictionary& tensorDictionary(const Pickle& pickle, const std::string& where)
{
    constexpr int deepest = 3;
    const auto* root = pickle.get<Dictionary>(pickle.root());
    if (root == nullptr)
        throw Error(ErrorKind::Unsupported, where, "does not hold a dictionary of tensors",
                    "save one: torch.save(model.state_dict(), ...)");
    const std::ptrdiff_t outside = tensorsIn(pickle, *root);
    std::vector<NamedDictionary> level{{"", root, outside}};
    for (int depth = 0; depth < deepest; ++depth) {
        level = dictionariesIn(pickle, level);
        const std::vector<NamedDictionary> networks = networksOf(level);
        if (std::ranges::none_of(networks, [&](const NamedDictionary& each) { return each.tensors > outside; }))
            continue;
        if (networks.size() == 1)
            return *networks.front().dictionary;
        std::vector<std::string_view> names;
        for (const NamedDictionary& each : networks)
            names.push_back(each.name);
        throw Error(ErrorKind::Unsupported, where,
                    fmt::format("holds several dictionaries of tensors: {}", namedList(names)),
                    "save one of them alone");
    }
    return *root;
}

TorchContent tensorsByName(const Pickle& pickle, const std::string& where, const StorageBytes& bytes)
{
    StoredTensors tensors;
    for (const auto& [key, item] : tensorDictionary(pickle, where).items) {
        const auto* name = pickle.get<std::string>(key);
        if (name == nullptr || !isTensor(pickle, item))
            continue;
        const std::string place = fmt::format("{}: {}", where, *name);
        if (!tensors.emplace(*name, TensorBuilder(pickle, place, bytes).build(item)).second)
            refuse(place, "is there twice");
    }
    if (tensors.empty())
        throw Error(ErrorKind::Unsupported, where, "holds no tensors",
                    "save them: torch.save(model.state_dict(), ...)");
    return {std::move(tensors), {}};
}

// Values of a pickle are shared and circular at will, so that the way down is limited.
class ContentReader
{
public:
    ContentReader(const Pickle& pickle, std::string where, const StorageBytes& bytes)
        : m_pickle(pickle)
        , m_where(std::move(where))
        , m_bytes(bytes)
    {
    }

    TorchContent read()
    {
        visit(m_pickle.root(), {}, 0);
        return std::move(m_content);
    }

private:
    void visit(Ref value, const std::string& name, int depth)
    {
        constexpr int deepest = 8;
        constexpr int most = 100'000; // values
        if (depth > deepest || ++m_visited > most)
            throw Error(ErrorKind::Unsupported, m_where, "is nested too deeply, or holds too many values",
                        "save a dictionary of tensors");
        const std::string before = name.empty() ? name : name + '/';
        const auto visitItems = [&](const std::vector<Ref>& items) {
            for (std::size_t i = 0; i < items.size(); ++i)
                visit(items[i], before + std::to_string(i), depth + 1);
        };
        if (isTensor(m_pickle, value)) {
            const std::string place = name.empty() ? m_where : fmt::format("{}: {}", m_where, name);
            if (!m_content.tensors.emplace(name, TensorBuilder(m_pickle, place, m_bytes).build(value)).second)
                refuse(place, "is there twice");
        } else if (const auto* list = m_pickle.get<PickleValue::List>(value)) {
            visitItems(list->items);
        } else if (const auto* tuple = m_pickle.get<PickleValue::Tuple>(value)) {
            visitItems(tuple->items);
        } else if (const auto* dictionary = m_pickle.get<Dictionary>(value)) {
            for (const auto& [key, item] : dictionary->items) {
                if (const auto* text = m_pickle.get<std::string>(key))
                    visit(item, before + *text, depth + 1);
                else if (const auto* number = m_pickle.get<std::int64_t>(key))
                    visit(item, before + std::to_string(*number), depth + 1);
            }
        } else if (const auto* whole = m_pickle.get<std::int64_t>(value)) {
            m_content.numbers.emplace(name, static_cast<double>(*whole));
        } else if (const auto* number = m_pickle.get<double>(value)) {
            m_content.numbers.emplace(name, *number);
        }
    }

    const Pickle& m_pickle;
    std::string m_where;
    const StorageBytes& m_bytes;
    TorchContent m_content;
    int m_visited = 0;
};

TorchContent wholeContent(const Pickle& pickle, const std::string& where, const StorageBytes& bytes)
{
    return ContentReader(pickle, where, bytes).read();
}

using TakeContent = TorchContent (*)(const Pickle& pickle, const std::string& where, const StorageBytes& bytes);

std::string_view textOf(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::int64_t wholeElements(const TorchStorage& storage, std::size_t bytes)
{
    return static_cast<std::int64_t>(bytes / storage.elementBytes);
}

std::span<const std::byte> checkedStorage(std::span<const std::byte> bytes, const TorchStorage& storage,
                                          const std::string& where)
{
    if (storage.viewOffset + storage.elements > wholeElements(storage, bytes.size()))
        throw Error(ErrorKind::Format, fmt::format("{}: storage {}", where, storage.key),
                    fmt::format("should hold {} values of {}, holds {} bytes", storage.elements,
                                storage.dtype == DType::Other ? storage.type : name(storage.dtype), bytes.size()),
                    damagedTorchFile);
    return bytes;
}

// "folder/" of the only description in the archive.
std::string topFolder(const ZipReader& zip, const std::string& where)
{
    std::vector<std::string> folders;
    for (const std::string& entry : zip.names())
        if (entry == description || entry.ends_with("/data.pkl"))
            folders.push_back(entry.substr(0, entry.size() - description.size()));
    if (folders.size() != 1)
        throw Error(ErrorKind::Format, where,
                    folders.empty() ? "is a zip archive, but not one that torch.save wrote (no data.pkl)"
                                    : "holds more than one data.pkl",
                    "save the tensors with torch.save(model.state_dict(), ...)");
    return folders.front();
}

TorchContent readZip(std::span<const std::byte> file, const std::string& where, TakeContent take)
{
    const ZipReader zip(file, where);
    const std::string folder = topFolder(zip, where);
    if (zip.contains(folder + "constants.pkl"))
        throw Error(ErrorKind::Unsupported, where, "is a TorchScript program, not a set of tensors",
                    "save the tensors with torch.save(model.state_dict(), ...)");
    if (zip.contains(folder + "byteorder") && textOf(zip.entry(folder + "byteorder")) != "little")
        throw Error(ErrorKind::Unsupported, where, "was written on a big-endian machine", "save it on another one");
    const std::string entry = folder + std::string(description);
    const auto bytes = zip.entry(entry);
    if (bytes.size() > limit(Limit::Pickle))
        throw Error(ErrorKind::Format, where,
                    fmt::format("describes its tensors in {} bytes, more than the {} that are read", bytes.size(),
                                limit(Limit::Pickle)),
                    otherLimit(Limit::Pickle));
    const Pickle pickle(zip.verifiedEntry(entry), where);
    return take(pickle, where, [&](const TorchStorage& storage) {
        return checkedStorage(zip.entry(folder + "data/" + storage.key), storage, where);
    });
}

// The form before PyTorch 1.6: five pickles (magic number, protocol, machine, description, storage keys), then each
// storage as its number of values and the values.
class LegacyFile
{
public:
    LegacyFile(std::span<const std::byte> file, const std::string& where)
        : m_rest(file)
        , m_where(where)
    {
    }

    TorchContent read(TakeContent take)
    {
        checkHeader();
        const Pickle tensors = next();
        readStorages(tensors, next());
        return take(tensors, m_where, [&](const TorchStorage& storage) {
            return checkedStorage(m_storages.at(storage.key), storage, m_where);
        });
    }

private:
    Pickle next()
    {
        Pickle pickle(m_rest, m_where);
        m_rest = m_rest.subspan(pickle.length());
        return pickle;
    }

    void checkHeader()
    {
        const Pickle magic = next();
        const auto* number = magic.get<PickleValue::Large>(magic.root());
        if (number == nullptr || number->bytes != legacyMagic)
            throw Error(ErrorKind::Unsupported, m_where, "is a Python pickle, but not one that torch.save wrote",
                        "save the tensors with torch.save(model.state_dict(), ...)");
        const Pickle protocol = next();
        const auto* version = protocol.get<std::int64_t>(protocol.root());
        if (version == nullptr || *version != legacyProtocol)
            throw Error(ErrorKind::Unsupported, m_where, "is an unknown version of torch.save's old format");
        const Pickle machine = next();
        const auto* facts = machine.get<PickleValue::Dictionary>(machine.root());
        const auto little = facts != nullptr ? machine.find(*facts, "little_endian") : std::nullopt;
        const bool* isLittle = little ? machine.get<bool>(*little) : nullptr;
        if (isLittle == nullptr || !*isLittle)
            throw Error(ErrorKind::Unsupported, m_where, "was written on a big-endian machine",
                        "save it on another one");
    }

    void readStorages(const Pickle& tensors, const Pickle& keys)
    {
        std::map<std::string, TorchStorage> types;
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            const auto* persistent = tensors.get<PickleValue::Persistent>(static_cast<PickleValue::Ref>(i));
            if (persistent == nullptr)
                continue;
            const TorchStorage storage = torchStorage(tensors, persistent->id, m_where);
            const auto type = types.emplace(storage.key, storage).first;
            if (type->second.type != storage.type)
                refuseStorage(storage.key, "has two types");
        }
        const auto* list = keys.get<PickleValue::List>(keys.root());
        ByteReader reader(m_rest, m_where);
        for (const PickleValue::Ref item : list != nullptr ? list->items : std::vector<PickleValue::Ref>()) {
            const auto* key = keys.get<std::string>(item);
            const auto type = key != nullptr ? types.find(*key) : types.end();
            if (type == types.end())
                refuseStorage(key != nullptr ? *key : "?", "belongs to no tensor");
            const std::size_t width = type->second.elementBytes;
            const auto count = reader.count<std::uint64_t>(width);
            if (!m_storages.emplace(*key, reader.take(count * width)).second)
                refuseStorage(*key, "is there twice");
            types.erase(type);
        }
        if (!types.empty())
            refuseStorage(types.begin()->first, "is missing");
    }

    [[noreturn]] void refuseStorage(const std::string& key, const std::string& problem) const
    {
        throw Error(ErrorKind::Format, fmt::format("{}: storage {}", m_where, key), problem, damagedTorchFile);
    }

    std::span<const std::byte> m_rest;
    const std::string& m_where;
    std::map<std::string, std::span<const std::byte>> m_storages;
};

TorchContent read(std::span<const std::byte> file, const std::string& where, TakeContent take)
{
    return textOf(file).starts_with(zipStart) ? readZip(file, where, take) : LegacyFile(file, where).read(take);
}

} // namespace

bool isTorchFile(std::span<const std::byte> file)
{
    const std::string_view text = textOf(file);
    return text.starts_with(zipStart) || text.starts_with(pickleStart);
}

StoredTensors readTorchFile(std::span<const std::byte> file, const std::string& where)
{
    return read(file, where, tensorsByName).tensors;
}

TorchContent readTorchContent(std::span<const std::byte> file, const std::string& where)
{
    return read(file, where, wholeContent);
}

} // namespace attn
