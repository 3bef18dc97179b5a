// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "io/json.h"
#include "io/zip_archive.h"
#include "session/session.h"
#include "trace/archive.h"
#include "trace/site.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace attn {

namespace {

constexpr int largestNumber = std::numeric_limits<int>::max();

OtherFields othersOf(const JsonObject& object, std::initializer_list<std::string_view> known)
{
    OtherFields others;
    for (const auto& [key, value] : object.json().items()) {
        if (std::find(known.begin(), known.end(), key) == known.end())
            others.emplace(key, value.dump());
    }
    return others;
}

// Whether a name could lead out of the archive if it were a path.
bool leadsOutside(std::string_view name)
{
    if (name.empty() || name.front() == '/' || name.find('\\') != std::string_view::npos
        || name.find('\0') != std::string_view::npos)
        return true;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('/', begin), name.size());
        if (name.substr(begin, end - begin) == "..")
            return true;
        begin = end + 1;
    }
    return false;
}

class SessionReader
{
public:
    explicit SessionReader(const std::filesystem::path& path)
        : m_where(path.filename().string())
        , m_zip(std::make_shared<const ZipReader>(path))
        , m_memory(m_where)
        , m_json(description())
    {
    }

    Session read()
    {
        checkFormat();
        Session session;
        session.program = m_json.stringOr("program", {});
        if (m_json.has("model"))
            session.model = model(m_json.requireObject("model"));
        const std::uint64_t most = limit(Limit::Runs);
        if (const std::size_t runs = m_json.requireList("runs").size(); runs > most)
            throw Error(ErrorKind::Format, m_where,
                        fmt::format("holds {} runs, more than the {} that are read", runs, most),
                        otherLimit(Limit::Runs));
        for (const JsonObject& run : m_json.requireObjects("runs", most))
            session.runs.push_back(readRun(run));
        checkParents(session.runs);
        if (m_json.has("shown"))
            session.shown = shown(m_json.requireObject("shown"));
        if (m_json.has("view"))
            session.view = writtenJson(m_json.requireObject("view").json());
        session.inputs = std::move(m_inputs);
        session.others = othersOf(m_json, {"format", "version", "program", "model", "runs", "shown", "view"});
        session.otherEntries = otherEntries();
        return session;
    }

private:
    // Entry of a run.
    struct Archive
    {
        SessionBytes bytes;
        Trace trace;
        std::uint64_t traceBytes = 0;
    };

    JsonObject description()
    {
        if (!m_zip->contains(sessionEntry))
            throw Error(ErrorKind::Format, m_where, fmt::format("holds no {}", sessionEntry),
                        "this is no session, or the file is damaged");
        const auto bytes = entry(sessionEntry, largestDescription);
        const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
        return JsonObject::parse(text, fmt::format("{}: {}", m_where, sessionEntry), {.uniqueKeys = true});
    }

    SessionBytes entry(std::string_view name, std::uint64_t most, const std::string& advice = {})
    {
        const ByteSource source = m_zip->open(name, most, advice);
        m_memory.addFile(source.size);
        auto bytes = std::make_shared<std::vector<std::byte>>(source.size);
        source.read(*bytes);
        return bytes;
    }

    void checkFormat() const
    {
        if (m_json.requireString("format") != sessionFormat)
            m_json.refuse("format", fmt::format("\"{}\"", sessionFormat));
        const Json* const version = m_json.find("version");
        if (version != nullptr && version->is_number() && version->get<double>() > sessionVersion)
            throw Error(
                ErrorKind::Unsupported, m_where,
                fmt::format("is a session of version {}, written by AttnScope {}; this program reads version {}",
                            version->dump(), m_json.stringOr("program", "of a later time"), sessionVersion),
                "open it with a newer AttnScope");
        (void)m_json.requireInt("version", 1, sessionVersion);
    }

    static SessionModel model(const JsonObject& object)
    {
        return {object.stringOr("name", {}), object.stringOr("path", {}), object.stringOr("kind", {}),
                object.stringOr("weights_sha256", {}), othersOf(object, {"name", "path", "kind", "weights_sha256"})};
    }

    static std::string written(const JsonObject& run, const char* key)
    {
        std::string text = run.stringOr(key, {});
        if (text.size() > longestRunText)
            run.refuse(key, fmt::format("at most {} bytes", longestRunText));
        return text;
    }

    SessionRun readRun(const JsonObject& object)
    {
        ThreadStop::check();
        SessionRun run;
        run.id = object.requireInt("id", 1, largestNumber);
        if (!m_ids.insert(run.id).second)
            throw Error(ErrorKind::Format, object.place(), fmt::format("has the id {} of an earlier run", run.id));
        run.parent = object.optionalInt("parent", 1, largestNumber);
        run.change = written(object, "change");
        run.note = written(object, "note");
        if (object.has("question"))
            run.question = question(object.requireObject("question"));
        const std::string name = object.requireString("archive");
        if (leadsOutside(name))
            object.refuse("archive", "the name of an entry of this file");
        if (!m_zip->contains(name))
            throw Error(ErrorKind::Format, object.place(), fmt::format("archive: the file holds no \"{}\"", name),
                        "it is incomplete or damaged");
        const Archive& read = archive(name);
        run.archive = read.bytes;
        run.trace = read.trace;
        run.others = othersOf(object, {"id", "parent", "change", "question", "archive", "note"});
        return run;
    }

    // Runs may share one. It counts for each of them: each is written with its own.
    const Archive& archive(const std::string& name)
    {
        if (const auto found = m_archives.find(name); found != m_archives.end()) {
            m_memory.addFile(found->second.bytes->size());
            m_memory.addTrace(found->second.traceBytes);
            return found->second;
        }
        Archive read;
        const std::uint64_t before = m_memory.traceBytes();
        read.bytes = entry(name, limit(Limit::Archive), otherLimit(Limit::Archive));
        read.trace = readArchive(*read.bytes, fmt::format("{}: {}", m_where, name), m_memory);
        read.traceBytes = m_memory.traceBytes() - before;
        return m_archives.emplace(name, std::move(read)).first->second;
    }

    std::optional<Question> question(const JsonObject& object)
    {
        if (object.json().empty())
            return std::nullopt;
        try {
            Json json = object.json();
            for (const char* const key : {"image", "audio"}) {
                if (const Json* const file = object.find(key); file != nullptr && file->is_object())
                    json[key] = input(object.requireObject(key));
            }
            return parseQuestion(writtenJson(json), object.place());
        } catch (const Error& error) { // whatever kind: this file is at fault
            if (error.kind() == ErrorKind::Cancelled)
                throw;
            throw Error(ErrorKind::Format, error.where(), error.problem(), error.advice());
        }
    }

    // The path of a picture's or a sound's file, whose bytes are taken where they are there.
    std::string input(const JsonObject& object)
    {
        constexpr std::size_t digits = 64;
        const std::string file = object.requireString("file");
        SessionInput found{object.stringOr("sha256", {})};
        const bool isHash =
            found.sha256.size() == digits && found.sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
        if (!found.sha256.empty() && !isHash)
            object.refuse("sha256", "64 hexadecimal digits");
        const std::string name = "inputs/" + found.sha256;
        if (isHash && !m_inputs.contains(file) && m_zip->contains(name)) {
            found.bytes = entry(name, largestInput, "the file is damaged");
            m_inputNames.insert(name);
        }
        m_inputs.try_emplace(file, std::move(found));
        return file;
    }

    // Every parent is there, and nothing descends from itself.
    void checkParents(const std::vector<SessionRun>& runs) const
    {
        std::map<int, std::optional<int>> parents;
        for (const SessionRun& run : runs)
            parents.emplace(run.id, run.parent);
        std::set<int> rooted; // they come from a run without a parent
        for (const SessionRun& run : runs) {
            std::set<int> line;
            std::optional<int> id = run.id;
            while (id && !rooted.contains(*id)) {
                if (!line.insert(*id).second)
                    refuseRun(run.id, fmt::format("comes from run {}, which comes from itself", *id));
                const std::optional<int> parent = parents.at(*id);
                if (parent && !parents.contains(*parent))
                    refuseRun(*id, fmt::format("comes from run {}, which is not in the file", *parent));
                id = parent;
            }
            rooted.merge(line);
        }
    }

    [[noreturn]] void refuseRun(int id, const std::string& problem) const
    {
        throw Error(ErrorKind::Format, fmt::format("{}: run {}", m_json.where(), id), problem);
    }

    std::optional<int> runOf(const JsonObject& object, const char* field) const
    {
        const auto id = object.optionalInt(field, 1, largestNumber);
        if (id && !m_ids.contains(*id))
            throw Error(ErrorKind::Format, object.place(), fmt::format("{}: run {} is not in the file", field, *id));
        return id;
    }

    SessionPlace shown(const JsonObject& object) const
    {
        SessionPlace place;
        place.run = runOf(object, "run");
        place.against = runOf(object, "against");
        place.step = object.optionalInt("step", 0, largestNumber);
        const std::string site = object.stringOr("site", {});
        try {
            if (!site.empty())
                place.site = parseSite(site, "site").site;
            if (const Json* const head = object.find("head"))
                place.head = parseHead(head->is_string() ? head->get<std::string>() : head->dump(), "head");
        } catch (const Error& error) {
            throw Error(ErrorKind::Format, object.place(), error.where() + ": " + error.problem(), error.advice());
        }
        place.others = othersOf(object, {"run", "against", "site", "head", "step"});
        return place;
    }

    OtherEntries otherEntries() const
    {
        OtherEntries others;
        for (const std::string& name : m_zip->names()) {
            if (leadsOutside(name))
                throw Error(ErrorKind::Format, m_where,
                            fmt::format("holds an entry \"{}\", which leads outside", name));
            if (name == sessionEntry || m_archives.contains(name) || m_inputNames.contains(name) || name.ends_with('/'))
                continue;
            (void)m_zip->open(name, limit(Limit::Archive), otherLimit(Limit::Archive)); // it could be unpacked
            others.names.push_back(name);
        }
        if (!others.names.empty())
            others.file = m_zip;
        return others;
    }

    std::string m_where; // the file's name
    std::shared_ptr<const ZipReader> m_zip;
    ArchiveMemory m_memory; // of all entries and their traces
    JsonObject m_json;
    std::set<int> m_ids;
    std::map<std::string, Archive> m_archives; // by entry
    SessionInputs m_inputs;
    std::set<std::string> m_inputNames; // their entries
};

} // namespace

Session readSession(const std::filesystem::path& path)
{
    return SessionReader(path).read();
}

} // namespace attn
