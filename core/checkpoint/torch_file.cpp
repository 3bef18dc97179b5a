// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/torch_file.h"

#include "base/error.h"
#include "checkpoint/pickle.h"
#include "checkpoint/torch_tensors.h"
#include "io/byte_reader.h"
#include "io/stored_zip.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
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
constexpr std::size_t longestPickle = std::size_t{256} << 20;
constexpr auto description = "data.pkl"sv;
constexpr auto damagedTorchFile = "the file is incomplete or damaged";

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
std::string topFolder(const StoredZip& zip, const std::string& where)
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

StoredTensors readZip(std::span<const std::byte> file, const std::string& where)
{
    const StoredZip zip(file, where);
    const std::string folder = topFolder(zip, where);
    if (zip.contains(folder + "constants.pkl"))
        throw Error(ErrorKind::Unsupported, where, "is a TorchScript program, not a set of tensors",
                    "save the tensors with torch.save(model.state_dict(), ...)");
    if (zip.contains(folder + "byteorder") && textOf(zip.entry(folder + "byteorder")) != "little")
        throw Error(ErrorKind::Unsupported, where, "was written on a big-endian machine", "save it on another one");
    const auto bytes = zip.entry(folder + std::string(description));
    if (bytes.size() > longestPickle)
        throw Error(ErrorKind::Format, where,
                    fmt::format("describes its tensors in {} bytes, more than the {} that are read", bytes.size(),
                                longestPickle),
                    damagedTorchFile);
    const Pickle pickle(bytes, where);
    return torchTensors(pickle, where, [&](const TorchStorage& storage) {
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

    StoredTensors read()
    {
        checkHeader();
        const Pickle tensors = next();
        readStorages(tensors, next());
        return torchTensors(tensors, m_where, [&](const TorchStorage& storage) {
            return checkedStorage(m_storages.at(storage.key), storage, m_where);
        });
    }

private:
    Pickle next()
    {
        Pickle pickle(m_rest.first(std::min(m_rest.size(), longestPickle)), m_where);
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

} // namespace

bool isTorchFile(std::span<const std::byte> file)
{
    const std::string_view text = textOf(file);
    return text.starts_with(zipStart) || text.starts_with(pickleStart);
}

StoredTensors readTorchFile(std::span<const std::byte> file, const std::string& where)
{
    return textOf(file).starts_with(zipStart) ? readZip(file, where) : LegacyFile(file, where).read();
}

} // namespace attn
