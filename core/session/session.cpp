// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/version.h"
#include "io/json.h"
#include "io/zip_archive.h"
#include "trace/archive.h"
#include "trace/site.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace attn {

namespace {

std::string archiveName(int id)
{
    return fmt::format("runs/{}.npz", id);
}

Json started(const OtherFields& others)
{
    Json json = Json::object();
    for (const auto& [key, value] : others)
        json[key] = Json::parse(value, nullptr, false);
    return json;
}

template<class Value>
Json orNull(const std::optional<Value>& value)
{
    return value ? Json(*value) : Json();
}

Json textOrNull(const std::string& text)
{
    return text.empty() ? Json() : Json(text);
}

Json modelJson(const SessionModel& model)
{
    Json json = started(model.others);
    json["name"] = textOrNull(model.name);
    json["path"] = textOrNull(model.path);
    json["kind"] = textOrNull(model.kind);
    json["weights_sha256"] = textOrNull(model.weightsSha256);
    return json;
}

std::string inputName(const SessionInput& input)
{
    return "inputs/" + input.sha256;
}

// The file that a run has read; null: none.
const std::string* pathOf(const SessionRun& run)
{
    if (!run.question)
        return nullptr;
    const auto& path = run.question->audio ? run.question->audio : run.question->image;
    return path ? &*path : nullptr;
}

// Null: the run has read none, or one of which nothing is known.
const SessionInput* inputOf(const SessionRun& run, const SessionInputs& inputs)
{
    const std::string* const path = pathOf(run);
    const auto found = path != nullptr ? inputs.find(*path) : inputs.end();
    return found == inputs.end() ? nullptr : &found->second;
}

Json questionJson(const SessionRun& run, const SessionInputs& inputs)
{
    if (!run.question)
        return Json::object();
    Json json = Json::parse(questionText(*run.question));
    if (const SessionInput* const input = inputOf(run, inputs))
        json[run.question->audio ? "audio" : "image"] = {{"file", *pathOf(run)}, {"sha256", input->sha256}};
    return json;
}

Json runJson(const SessionRun& run, const SessionInputs& inputs)
{
    Json json = started(run.others);
    json["id"] = run.id;
    json["parent"] = orNull(run.parent);
    json["change"] = run.change;
    json["question"] = questionJson(run, inputs);
    json["archive"] = archiveName(run.id);
    json["note"] = run.note;
    return json;
}

Json headJson(const std::optional<HeadReading>& head)
{
    if (!head)
        return {};
    return head->head() ? Json(*head->head()) : Json(headText(*head));
}

Json shownJson(const SessionPlace& shown)
{
    Json json = started(shown.others);
    json["run"] = orNull(shown.run);
    json["against"] = orNull(shown.against);
    json["site"] = shown.site ? Json(siteText(*shown.site)) : Json();
    json["head"] = headJson(shown.head);
    json["step"] = orNull(shown.step);
    return json;
}

std::vector<std::byte> bytesOf(const std::string& text)
{
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

// A run is not written that could not be read again.
void checkSize(const SessionRun& run)
{
    std::uint64_t bytes = 0;
    for (const Site& site : run.trace.sites()) {
        for (const MapPart part : {MapPart::Weights, MapPart::Scores}) {
            const MatrixShape shape = run.trace.shape(site, {}, part);
            bytes += sizeof(float) * static_cast<std::uint64_t>(run.trace.heads(site))
                * static_cast<std::uint64_t>(shape.rows) * static_cast<std::uint64_t>(shape.columns);
        }
    }
    constexpr std::uint64_t eighth = 8; // for what else there is of it
    if (bytes > limit(Limit::Archive) - limit(Limit::Archive) / eighth)
        throw Error(ErrorKind::Resource, fmt::format("run {}", run.id),
                    fmt::format("its maps take {}, more than the {} that are read again", byteText(bytes),
                                byteText(limit(Limit::Archive))),
                    "remove it from the runs; " + otherLimit(Limit::Archive));
}

void checkTexts(const SessionRun& run)
{
    for (const std::string* text : {&run.change, &run.note}) {
        if (text->size() > longestRunText)
            throw Error(ErrorKind::Resource, fmt::format("run {}", run.id),
                        fmt::format("its {} takes {} bytes, more than the {} that are read again",
                                    text == &run.note ? "note" : "name", text->size(), longestRunText),
                        "shorten it");
    }
}

void checkCounts(const Session& session)
{
    const auto check = [](std::size_t count, const char* what, Limit most, const char* remedy) {
        if (count > limit(most))
            throw Error(ErrorKind::Resource, "session",
                        fmt::format("has {} {}, more than the {} that are read again", count, what, limit(most)),
                        remedy + otherLimit(most));
    };
    check(session.runs.size(), "runs", Limit::Runs, "remove some; ");
    check(1 + session.runs.size() + session.inputs.size() + session.otherEntries.names.size(), "entries",
          Limit::ZipEntries, "remove some runs; ");
}

void checkDescription(const std::string& description)
{
    const std::uint64_t most = std::min(largestDescription, limit(Limit::Json));
    if (description.size() > most)
        throw Error(
            ErrorKind::Resource, sessionEntry,
            fmt::format("takes {}, more than the {} that are read again", byteText(description.size()), byteText(most)),
            "remove runs of long texts");
}

} // namespace

bool isSessionPath(const std::filesystem::path& path)
{
    std::string extension = path.extension().string();
    std::ranges::transform(extension, extension.begin(),
                           [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
    return extension == sessionEnding;
}

void writeSession(const std::filesystem::path& path, const Session& session)
{
    checkCounts(session);
    for (const SessionRun& run : session.runs) {
        checkTexts(run);
        if (!run.archive)
            checkSize(run);
    }
    Json json = started(session.others);
    json["format"] = sessionFormat;
    json["version"] = sessionVersion;
    json["program"] = programVersion;
    json["model"] = modelJson(session.model);
    json["runs"] = Json::array();
    for (const SessionRun& run : session.runs)
        json["runs"].push_back(runJson(run, session.inputs));
    json["shown"] = shownJson(session.shown);
    json["view"] = Json::parse(session.view, nullptr, false);
    const std::string description = writtenJson(json);
    checkDescription(description);
    ZipWriter zip(Compression::Stored); // archives are compressed already
    zip.add(sessionEntry, bytesOf(description));
    const std::filesystem::path folder = path.parent_path();
    for (const SessionRun& run : session.runs) {
        if (run.archive)
            zip.add(archiveName(run.id), *run.archive);
        else
            zip.add(archiveName(run.id),
                    archiveSource(run.trace, {.scores = true, .hidden = true, .logits = true}, folder), {});
    }
    std::set<std::string> kept; // several runs may have read one
    for (const SessionRun& run : session.runs) {
        const SessionInput* const input = inputOf(run, session.inputs);
        if (input != nullptr && input->bytes && input->bytes->size() <= largestInput
            && kept.insert(inputName(*input)).second)
            zip.add(inputName(*input), *input->bytes);
    }
    for (const std::string& name : session.otherEntries.names) {
        if (kept.contains(name))
            continue;
        const auto taken = [&name](const SessionRun& run) { return archiveName(run.id) == name; };
        if (std::none_of(session.runs.begin(), session.runs.end(), taken))
            zip.copy(name, session.otherEntries.file);
    }
    zip.save(path, Readers::Owner);
}

const SessionRun* findRun(const Session& session, std::optional<int> id)
{
    const auto found = std::ranges::find_if(session.runs, [id](const SessionRun& run) { return run.id == id; });
    return found == session.runs.end() ? nullptr : &*found;
}

} // namespace attn
