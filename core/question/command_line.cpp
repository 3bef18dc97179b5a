// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "question/command_line.h"

#include "base/error.h"
#include "base/plain_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <type_traits>
#include <utility>

namespace attn {

namespace {

// Letters of ASCII that no shell takes for anything else.
bool isPlain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
        || std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
}

// Bytes that would not survive in a line of text, spelled out.
std::string spelledWord(std::string_view text)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string word = "$'";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\'' || c == '\\')
            word += std::string("\\") + c;
        else if (byte < 0x20 || byte >= 0x7F)
            word += std::string("\\x") + digits[byte >> 4U] + digits[byte & 0xFU];
        else
            word += c;
        if (byte < 0x20 || byte >= 0x7F) // what follows may be a digit
            word += "'$'";
    }
    return word + '\'';
}

// "beam:4": of a choice that has an argument, which is the row of its name.
std::string searchText(const DecodingOptions& options)
{
    const auto& row = optionRow(decodingRows(), "decode");
    std::string name = *optionText(row, options);
    for (const OptionChoice& choice : std::get<ChoiceMember<DecodingOptions>>(row.member).choices) {
        if (choice.name == name && choice.argument != nullptr)
            return name + ':' + *optionText(optionRow(decodingRows(), name), options);
    }
    return name;
}

} // namespace

std::string shellWord(std::string_view text)
{
    if (!text.empty() && std::all_of(text.begin(), text.end(), isPlain))
        return std::string(text);
    if (escaped(text) != text)
        return spelledWord(text);
    std::string word = "'";
    for (const char c : text) {
        if (c == '\'')
            word += "'\\''";
        else if ((c == '>' || c == '!') && word.ends_with("--"))
            word += std::string("''") + c; // nothing, between two quoted parts
        else
            word += c;
    }
    return word + '\'';
}

std::vector<std::string> shellWords(std::string_view line, const std::string& where)
{
    const auto refuse = [&]() { throw Error(ErrorKind::Format, where, "names a command that is not understood"); };
    const auto next = [&](std::size_t& at) {
        if (++at >= line.size())
            refuse();
        return line[at];
    };
    std::vector<std::string> words;
    bool inWord = false;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == ' ') {
            inWord = false;
            continue;
        }
        if (!std::exchange(inWord, true))
            words.emplace_back();
        std::string& word = words.back();
        if (line[at] == '\'') {
            while (next(at) != '\'')
                word += line[at];
        } else if (line[at] == '\\') {
            word += next(at);
        } else if (line[at] == '$' && at + 1 < line.size() && line[at + 1] == '\'') {
            ++at;
            while (next(at) != '\'') {
                if (line[at] != '\\') {
                    word += line[at];
                } else if (next(at) == 'x') {
                    unsigned char byte = 0;
                    const std::string_view digits = line.substr(std::min(at + 1, line.size()), 2);
                    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
                    if (problem != std::errc() || digits.size() != 2 || end != digits.data() + 2)
                        refuse();
                    word += static_cast<char>(byte);
                    at += 2;
                } else {
                    word += line[at];
                }
            }
        } else if (std::string_view("\"`;&|<>(){}*?~#\n").find(line[at]) != std::string_view::npos) {
            refuse();
        } else {
            word += line[at];
        }
    }
    return words;
}

CommandLine::CommandLine(std::string_view command, std::string_view model)
    : m_text("attnscope " + std::string(command) + ' ' + shellWord(model))
{
}

void CommandLine::add(const std::string& key, const std::string& value)
{
    const bool isOption = value.starts_with('-');
    m_text += " --" + key + (isOption ? '=' : ' ') + shellWord(value);
}

void CommandLine::add(const std::string& key, const std::optional<std::string>& value)
{
    if (value)
        add(key, *value);
}

void CommandLine::add(const std::string& key, const std::optional<int>& value)
{
    if (value)
        add(key, std::to_string(*value));
}

void CommandLine::addFlag(std::string_view key)
{
    m_text += " --" + std::string(key);
}

void CommandLine::addQuestion(const Question& question)
{
    if (!question.sourceIds && !((question.image || question.audio) && question.text.empty()))
        add("text", question.text);
    visitRows(question, [&](const auto& row, const auto& owner) {
        using Owner = std::remove_cvref_t<decltype(owner)>;
        const std::string_view key = row.key;
        if (row.group == OptionGroup::None || row.group == OptionGroup::Capture || key == "text")
            return;
        if constexpr (std::is_same_v<Owner, DecodingOptions>) {
            if (key == "decode" && !isDefault(row, owner))
                return add(row.key, searchText(owner));
        }
        addRow(row, owner);
    });
}

void CommandLine::addRun(const RunOrigin& origin)
{
    if (origin.question)
        addQuestion(*origin.question);
    add("run", origin.run);
}

bool isBeyondOptions(const Question& question)
{
    bool beyond = false;
    visitRows(question, [&](const auto& row, const auto& owner) {
        constexpr std::array<std::string_view, 2> elsewhere = {"model", "beam"};
        const bool said = std::find(elsewhere.begin(), elsewhere.end(), row.key) != elsewhere.end();
        beyond = beyond
            || (row.group == OptionGroup::None && !said && !isDefault(row, owner)
                && std::string_view(row.key) != "attention" && std::string_view(row.key) != "inside");
    });
    return beyond;
}

std::string traceCommand(const RunOrigin& origin, std::optional<StepId> leaf, ArchiveForm form)
{
    CommandLine command("trace", origin.model);
    command.addRun(origin);
    for (const auto& row : captureRows()) {
        if (row.group == OptionGroup::Capture)
            command.addRow(row, origin.capture);
    }
    if (leaf)
        command.add("leaf", std::to_string(numberOf(*leaf)));
    if (origin.threads != 0)
        command.add("threads", std::to_string(origin.threads));
    command.add("output", std::string(form == ArchiveForm::Npz ? "run.npz" : "run.json"));
    return command.text();
}

} // namespace attn
