// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "dumps/attention_file.h"

#include "base/error.h"
#include "base/plain_text.h"
#include "dumps/dump.h"
#include "io/identify.h"
#include "io/npy.h"
#include "trace/archive.h"
#include "trace/archive_parts.h"
#include "trace/site.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

namespace attn {

namespace {

// Kinds that a few bytes tell come before those that any text could be.
const DumpKind* const dumpKinds[] = {&numpyMap,     &vllmHook,       &namedTensors,  &headVis,       &inseqAttribution,
                                     &whisperWords, &circuitsVis,    &bertViz,       &fairseqOutput, &alignmentMatrix,
                                     &csvMap,       &alignmentLines, &attentionTable};

// A file that begins like one of a kind, and is damaged where that is looked up, is of none.
const DumpKind* kindOf(const DumpFile& file)
{
    const auto fits = [&](const DumpKind* kind) {
        try {
            return kind->fits(file);
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::Cancelled)
                throw;
            return false;
        }
    };
    const auto* const found = std::ranges::find_if(dumpKinds, fits);
    return found == std::end(dumpKinds) ? nullptr : *found;
}

NpyArray textsArray(const std::vector<std::string>& texts)
{
    return NpyArray::fromTexts({std::ssize(texts)}, texts);
}

// Tokens that are not named are called by their position; of texts without their end token it is added.
std::vector<std::string> tokensFor(std::vector<std::string> tokens, Index size, const char* side,
                                   const std::string& where)
{
    if (tokens.empty()) {
        for (Index i = 0; i < size; ++i)
            tokens.push_back(std::to_string(i));
    }
    if (indexSize(tokens) != size)
        throw Error(ErrorKind::Format, where,
                    fmt::format("names {} tokens for maps of {} {}", tokens.size(), size, side));
    return tokens;
}

NamedArrays arraysOf(DumpedSentence sentence, const std::string& where)
{
    NamedArrays arrays;
    if (sentence.maps.empty())
        throw Error(ErrorKind::Format, where, "holds no attention weights");
    const auto cross = sentence.maps.find(Stage::Cross);
    const bool hasCross = cross != sentence.maps.end();
    const DumpedMaps& first = hasCross ? cross->second : sentence.maps.begin()->second;
    if (!sentence.sourceIds.empty())
        arrays.emplace("source_ids", NpyArray::fromIntegers({first.columns}, sentence.sourceIds));
    if (sentence.sourceIds.empty() || !sentence.source.empty())
        arrays.emplace("source_tokens",
                       textsArray(tokensFor(std::move(sentence.source), first.columns, "columns", where)));
    if (sentence.firstSegment > 0) {
        std::vector<std::int64_t> segments(static_cast<std::size_t>(first.columns), 1);
        std::fill_n(segments.begin(), std::min(sentence.firstSegment, segments.size()), 0);
        arrays.emplace("source_segments", NpyArray::fromIntegers({first.columns}, segments));
    }
    if (hasCross)
        arrays.emplace("target_tokens", textsArray(tokensFor(std::move(sentence.target), first.rows, "rows", where)));
    for (auto& [stage, maps] : sentence.maps) {
        const std::vector<float> weights = std::move(maps.weights);
        arrays.emplace(fmt::format("{}_attentions", stageText(stage)),
                       NpyArray::fromFloats({maps.layers, maps.heads, maps.rows, maps.columns}, weights));
    }
    const Json metadata{{"model", sentence.model.empty() ? where : sentence.model}, {"text", sentence.text}};
    arrays.emplace(metadataName, NpyArray::fromText(writtenJson(metadata)));
    return arrays;
}

AttentionFile opened(const SharedDumpFile& file, const DumpKind& kind)
{
    Dump dump = kind.read(file);
    if (dump.size == 0)
        file->refuse({}, fmt::format("looks like {}, but holds no sentence", kind.name));
    const auto trace = [file, dump](std::size_t number) {
        DumpedSentence sentence = dump.sentence(number);
        file->requireUnchanged();
        return traceOf(arraysOf(std::move(sentence), file->where()), file->where());
    };
    return {kind.name, dump.size, 0, trace};
}

// "is a JSON document with "config", "layers", ..."
std::string seenIn(const DumpFile& file)
{
    const auto foreign = identifyForeign(file.bytes());
    std::string seen = foreign ? foreign->what : "is of no known kind";
    try {
        constexpr std::size_t most = 5;
        std::string keys;
        for (const std::string& key : JsonObject(file.json(), file.where()).fields() | std::views::take(most))
            keys += fmt::format("{}\"{}\"", keys.empty() ? " with " : ", ", key);
        seen += keys;
    } catch (const Error& error) { // what is no JSON has no keys
        if (error.kind() == ErrorKind::Cancelled)
            throw;
    }
    return seen;
}

[[noreturn]] void refuse(const DumpFile& file)
{
    throw Error(ErrorKind::Format, file.where(), seenIn(file) + "; no attention is found in it",
                "what is read: " + acceptedFiles());
}

bool namesArrays(const DumpFile& file)
{
    return std::ranges::any_of(archiveNames, [&](std::string_view name) { return namesKey(file.head(), name); });
}

struct NamedSentence
{
    std::filesystem::path file;
    std::size_t number = 1;
};

// A file may have a name that ends like this itself.
NamedSentence sentenceOf(const std::filesystem::path& path)
{
    std::error_code ignored;
    const std::string text = path.string();
    const std::size_t mark = text.rfind('#');
    if (mark == std::string::npos || std::filesystem::exists(path, ignored))
        return {path};
    const auto number = parsedNumber<std::size_t>(std::string_view(text).substr(mark + 1));
    return number ? NamedSentence{text.substr(0, mark), *number} : NamedSentence{path};
}

} // namespace

std::filesystem::path sentencePath(const std::filesystem::path& file, std::size_t number)
{
    return fmt::format("{}#{}", file.string(), number);
}

bool isAttentionFile(const std::filesystem::path& path)
{
    if (isArchivePath(path))
        return true;
    std::error_code ignored;
    const std::filesystem::path file = sentenceOf(path).file;
    if (!std::filesystem::is_regular_file(file, ignored))
        return false;
    try {
        return kindOf(DumpFile(file)) != nullptr;
    } catch (const Error&) { // whoever opens it says why
        return false;
    }
}

AttentionFile openAttentionFile(const std::filesystem::path& path)
{
    const auto& [named, number] = sentenceOf(path);
    const auto file = std::make_shared<const DumpFile>(named);
    if (const DumpKind* const kind = kindOf(*file)) {
        AttentionFile result = opened(file, *kind);
        if (number < 1 || number > result.size)
            throw Error(ErrorKind::Input, path.filename().string(),
                        fmt::format("names no sentence, the file has 1 to {}", result.size));
        result.named = number - 1;
        return result;
    }
    const bool isText = archiveForm(path) == ArchiveForm::JsonText;
    if (!isArchivePath(path) || (isText && file->bytes().size() == file->head().size() && !namesArrays(*file)))
        refuse(*file);
    return {"attention archive", 1, 0, [path](std::size_t) { return readArchive(path); }};
}

AttentionFile openAttentionFile(std::span<const std::byte> bytes, const std::string& where)
{
    const auto file = std::make_shared<const DumpFile>(bytes, where);
    const DumpKind* const kind = kindOf(*file);
    if (kind == nullptr)
        refuse(*file);
    return opened(file, *kind);
}

Trace readAttentionFile(const std::filesystem::path& path)
{
    const AttentionFile file = openAttentionFile(path);
    return file.trace(file.named);
}

std::string acceptedFiles()
{
    std::string list = "attention archives (.npz, .json)";
    for (const DumpKind* const kind : dumpKinds)
        list += std::string(", ") + kind->name;
    return list;
}

} // namespace attn
