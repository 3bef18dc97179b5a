// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "question/question.h"
#include "readings/head_reading.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn {

class ZipReader;

// Sessions (resources/documentation/formats.md section 6): a study's runs in one file.

using SessionBytes = std::shared_ptr<const std::vector<std::byte>>;
// Fields that are not known here, as JSON: they are kept.
using OtherFields = std::map<std::string, std::string>;

// Length of what people write about a run, its name or a note on it.
constexpr std::size_t longestRunText = 1 << 20; // bytes

// A run, and what it came from.
struct SessionRun
{
    int id = 0; // from 1
    std::optional<int> parent = {}; // none: it began something
    std::string change = {}; // what it is called: what differs from the parent
    std::optional<Question> question = {}; // none: an archive
    Trace trace = {};
    std::string note = {};
    SessionBytes archive = {}; // the trace as it was read, written again as it is; null: the trace is written
    OtherFields others = {};
};

// File of a picture or a sound that runs have read, so that they can be made again where it is not.
struct SessionInput
{
    std::string sha256; // of the file, in hexadecimal digits
    SessionBytes bytes = {}; // null: they are not kept
};
using SessionInputs = std::map<std::string, SessionInput>; // by Question::image or audio
inline constexpr std::size_t largestInput = std::size_t{20} << 20U; // bytes of one that is kept

// Model that the runs were made with, as far as it is known.
struct SessionModel
{
    std::string name;
    std::string path; // what opens it again
    std::string kind; // as kindText() says it
    std::string weightsSha256; // of the weight files, one after the other, in hexadecimal digits
    OtherFields others = {};
};

// Place that was looked at.
struct SessionPlace
{
    std::optional<int> run; // its id
    std::optional<int> against; // of the one that it is compared with
    std::optional<Site> site;
    std::optional<HeadReading> head;
    std::optional<int> step;
    OtherFields others = {};
};

// Entries of a session's file that are not known here. They are kept, but never unpacked: they are copied from that
// file when the session is written.
struct OtherEntries
{
    std::vector<std::string> names;
    std::shared_ptr<const ZipReader> file = {}; // null where there are none
};

struct Session
{
    std::string program; // version of the one that wrote the file
    SessionModel model;
    std::vector<SessionRun> runs;
    SessionInputs inputs = {}; // of runs, and maybe others
    SessionPlace shown;
    std::string view = "{}"; // how it was looked at: a JSON object, the window's own
    OtherFields others = {};
    OtherEntries otherEntries;
};

inline constexpr auto sessionEnding = ".attnscope";

// Whether a path is one by its name.
bool isSessionPath(const std::filesystem::path& path);

// Every size and reference is checked. Throws Error{File, Format, Unsupported} naming file and field; a newer version
// is refused by its name.
Session readSession(const std::filesystem::path& path);

// Writes to a temporary name beside `path` and renames; a new file is its owner's alone. Throws Error{File} when
// writing fails; an existing file then stays as it was.
void writeSession(const std::filesystem::path& path, const Session& session);

// The run with this id; null when there is none.
const SessionRun* findRun(const Session& session, std::optional<int> id);

inline constexpr auto sessionFormat = "attnscope-session";
inline constexpr int sessionVersion = 1;
inline constexpr auto sessionEntry = "session.json"; // of the zip archive
inline constexpr std::uint64_t largestDescription = std::uint64_t{64} << 20U; // bytes of that

} // namespace attn
