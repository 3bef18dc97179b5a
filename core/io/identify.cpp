// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "io/identify.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <string_view>

namespace attn {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t inspected = 512;

struct Signature
{
    std::string_view start;
    const char* what;
    const char* advice;
};

constexpr auto anotherDownload = "download the file itself again";
constexpr auto others = "checkpoints, archives of attention, sessions, texts, pictures and sounds are read";
constexpr auto convert = "convert it to safetensors";
constexpr auto torchName = "call it pytorch_model.bin";

constexpr std::array signatures = {
    Signature{"version https://git-lfs"sv, "is a Git LFS pointer, not the file itself",
              "run 'git lfs pull' in its folder"},
    Signature{"PK\x03\x04"sv, "is a zip archive, probably weights saved by PyTorch (torch.save)", torchName},
    Signature{"GGUF"sv, "is a GGUF file", "call it model.gguf"},
    Signature{"lmgg"sv, "is a model of whisper.cpp (ggml), which is not read",
              "get the model's folder from Hugging Face"},
    Signature{"\x1F\x8B"sv, "is compressed with gzip", "unpack it"},
    Signature{"\xFD"
              "7zXZ"sv,
              "is compressed with xz", "unpack it"},
    Signature{"\x28\xB5\x2F\xFD"sv, "is compressed with zstd", "unpack it"},
    Signature{"BZh"sv, "is compressed with bzip2", "unpack it"},
    Signature{"\x80\x02"sv, "is a Python pickle, probably weights saved by an old PyTorch", torchName},
    Signature{"\x80\x03"sv, "is a Python pickle", convert},
    Signature{"\x80\x04"sv, "is a Python pickle", convert},
    Signature{"\x80\x05"sv, "is a Python pickle", convert},
    Signature{"\x89HDF\r\n\x1A\n"sv, "is an HDF5 file, probably Keras weights", convert},
    Signature{"\x93NUMPY"sv, "is a single NumPy array", convert},
    Signature{"\x89PNG"sv, "is a PNG picture", anotherDownload},
    Signature{"\xFF\xD8\xFF"sv, "is a JPEG picture", anotherDownload},
    Signature{"%PDF"sv, "is a PDF document", others},
    Signature{"\x7F"
              "ELF"sv,
              "is a program or library", others},
    Signature{"#!"sv, "is a script", others},
};

bool startsWithIgnoringCase(std::string_view text, std::string_view start)
{
    return text.size() >= start.size() && std::equal(start.begin(), start.end(), text.begin(), [](char a, char b) {
               return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
           });
}

std::string_view headOf(std::span<const std::byte> file)
{
    return {reinterpret_cast<const char*>(file.data()), std::min(file.size(), inspected)};
}

std::string_view withoutBlanks(std::string_view text)
{
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

bool isPlainText(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return (byte >= 0x20 && byte < 0x7F) || c == '\n' || c == '\r' || c == '\t';
    });
}

// The first function that a pickle of protocol 0 asks for, "os.system": lines "c" module and name. Empty where there is
// none, and for what is no such pickle.
std::string firstGlobal(std::string_view text)
{
    const auto isName = [](std::string_view name) {
        return !name.empty() && std::ranges::all_of(name, [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
        });
    };
    constexpr std::string_view opensContainer = "(dl";
    std::string module;
    for (bool isFirst = true; !text.empty(); isFirst = false) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        if (!module.empty())
            return isName(line) ? module + '.' + std::string(line) : std::string();
        const std::size_t begin = std::min(line.find_first_not_of(opensContainer), line.size());
        if (line.substr(begin).starts_with('c') && isName(line.substr(begin + 1)) && end != std::string_view::npos)
            module = line.substr(begin + 1);
        else if (isFirst && !line.starts_with('('))
            return {};
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return {};
}

} // namespace

std::optional<ForeignFile> identifyByStart(std::span<const std::byte> file)
{
    if (file.empty())
        return ForeignFile{"is empty", anotherDownload};
    const std::string_view head = headOf(file);
    for (const Signature& signature : signatures)
        if (head.starts_with(signature.start))
            return ForeignFile{signature.what, signature.advice};
    if (head.find_first_not_of('\0') == std::string_view::npos)
        return ForeignFile{"holds only zeros", anotherDownload};
    const std::string_view text = withoutBlanks(head);
    if (startsWithIgnoringCase(text, "<!doctype html") || startsWithIgnoringCase(text, "<html"))
        return ForeignFile{"is a web page, not the file behind the link", anotherDownload};
    if (text.starts_with("<?xml"))
        return ForeignFile{"is an XML document", anotherDownload};
    return std::nullopt;
}

void refuseByStart(std::span<const std::byte> file, const std::string& where)
{
    if (const auto foreign = identifyByStart(file))
        throw Error(ErrorKind::Format, where, foreign->what, foreign->advice);
}

std::optional<ForeignFile> identifyForeign(std::span<const std::byte> file)
{
    if (auto known = identifyByStart(file))
        return known;
    const std::string_view head = headOf(file);
    const std::string_view text = withoutBlanks(head);
    if (const std::string function = isPlainText(head) ? firstGlobal(head) : std::string(); !function.empty())
        return ForeignFile{
            fmt::format("is a Python pickle of the old protocol 0, which is not read; it asks for {}", function),
            convert};
    if (isPlainText(head))
        return ForeignFile{text.starts_with('{') ? "is a JSON document" : "is plain text", anotherDownload};
    return std::nullopt;
}

} // namespace attn
