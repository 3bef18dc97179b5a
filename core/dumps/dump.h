// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/index.h"
#include "io/json.h"
#include "io/mapped_file.h"
#include "trace/site.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// The weights of one stage, [layers, heads, rows, columns].
struct DumpedMaps
{
    Index layers = 1;
    Index heads = 1;
    Index rows = 0;
    Index columns = 0;
    std::vector<float> weights = {};
};

// A sentence with its attention, as a file of another tool has it.
struct DumpedSentence
{
    std::string model = {}; // empty: the file's name
    std::string text = {}; // of the source, where it is known
    std::vector<std::string> source = {}; // tokens; none: positions, counted from 0
    std::vector<std::string> target = {}; // of the rows of cross attention
    std::vector<std::int64_t> sourceIds = {};
    std::size_t firstSegment = 0; // tokens of the first of two sentences; 0: there is one
    std::map<Stage, DumpedMaps> maps = {};
};

// A file as the readers of dumps see it.
class DumpFile
{
public:
    explicit DumpFile(const std::filesystem::path& path); // Throws Error{File}
    DumpFile(std::span<const std::byte> bytes, std::string where); // bytes outlive it

    const std::string& where() const { return m_where; } // the file's name
    std::span<const std::byte> bytes() const { return m_bytes; }
    // The first MiB; empty where that is no text. It tells what a file is at once, however long the file.
    std::string_view head() const { return m_head; }
    bool looksLikeJson() const; // by its first character
    bool looksLikePage() const;
    // All of it. Throws Error{Format} where it is more than Limit::Json, or not UTF-8.
    std::string_view text() const;
    Json json() const; // the same as JSON
    // A file of another ending beside it; none where there is none.
    std::optional<std::filesystem::path> companion(const char* extension) const;
    void requireUnchanged() const;

    [[noreturn]] void refuse(const std::string& place, const std::string& problem) const;

private:
    void lookAtHead();
    bool beginsWithOneOf(std::string_view characters) const; // after blanks

    std::filesystem::path m_path; // empty: bytes
    std::string m_where;
    std::unique_ptr<MappedFile> m_file;
    std::span<const std::byte> m_bytes;
    std::string_view m_head;
};
using SharedDumpFile = std::shared_ptr<const DumpFile>;

// Contents of a file. Sentences are made when they are asked for.
struct Dump
{
    std::size_t size = 0;
    std::function<DumpedSentence(std::size_t sentence)> sentence;
};

// A kind of file. The table of them asks in its order.
struct DumpKind
{
    const char* name;
    bool (*fits)(const DumpFile& file); // by its beginning, at once
    Dump (*read)(const SharedDumpFile& file); // Throws Error{Format, Unsupported, Resource}
};
extern const DumpKind headVis;
extern const DumpKind circuitsVis;
extern const DumpKind bertViz;
extern const DumpKind inseqAttribution;
extern const DumpKind whisperWords;
extern const DumpKind vllmHook;
extern const DumpKind namedTensors;
extern const DumpKind numpyMap;
extern const DumpKind alignmentMatrix;
extern const DumpKind fairseqOutput;
extern const DumpKind attentionTable;
extern const DumpKind alignmentLines;
extern const DumpKind csvMap;

inline bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}
// Whether a JSON text names a key.
bool namesKey(std::string_view text, std::string_view key);

// Nested lists of numbers as one array, null for NaN; all lists of a depth are of one length. Throws Error{Format}
// naming `where`.
struct NestedNumbers
{
    std::vector<std::int64_t> shape = {};
    std::vector<float> values = {};
};
NestedNumbers nestedNumbers(const Json& lists, const std::string& where);
// A list of texts, or of objects that have one under `key`.
std::vector<std::string> textsOf(const Json& list, const std::string& where, const char* key = "token");
// The object that begins at a brace of a page or program. Throws Error{Format} where it does not end.
Json objectAt(std::string_view text, std::size_t brace, const std::string& where);

// [rows, columns], [heads, rows, columns] or [layers, heads, rows, columns], with a batch of one before it. Throws
// Error{Format} for other shapes.
DumpedMaps shownRuns(NestedNumbers numbers, const std::string& where);
// The stage of maps of a text by itself: a decoder's never look ahead.
Stage ownStage(const DumpedMaps& maps);
// Zeros for so many weights, after a look at the memory for them. Throws Error{Resource, Format}.
DumpedMaps zeroMaps(Index layers, Index heads, std::uint64_t rows, std::uint64_t columns, const std::string& where);

} // namespace attn
