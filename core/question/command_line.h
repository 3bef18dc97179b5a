// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/option_row.h"
#include "question/question.h"
#include "trace/archive.h"
#include "trace/trace.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace attn {

// One word of a POSIX shell's command line, and nothing that ends a comment in HTML.
std::string shellWord(std::string_view text);
// The words of a line that is put together of such, to be compared with what is known and never given to a shell.
// Throws Error{Format} naming `where` for what shellWord() does not write: another escape, an open quotation mark.
std::vector<std::string> shellWords(std::string_view line, const std::string& where);

// Where a run comes from, as the command line is told.
struct RunOrigin
{
    std::string model; // as it is taken from anywhere: a bundled name, or the path of what is opened
    std::optional<Question> question; // that was asked of it; none: it holds runs
    std::optional<int> run; // of a session
    Capture capture = {}; // what is written of the run besides its attention
    int threads = 0;
};

// Whether something was asked that the command line has no option for.
bool isBeyondOptions(const Question& question);

// A command of this program, put together option by option.
class CommandLine
{
public:
    CommandLine(std::string_view command, std::string_view model);

    void add(const std::string& key, const std::string& value);
    void add(const std::string& key, const std::optional<std::string>& value);
    void add(const std::string& key, const std::optional<int>& value);
    void addRun(const RunOrigin& origin); // what was asked, and which of a session's runs is meant

    // Text of a row that has not its usual value.
    template<class Owner>
    void addRow(const OptionRow<Owner>& row, const Owner& owner)
    {
        if (isDefault(row, owner))
            return;
        if (row.isFlag())
            return addFlag(row.key);
        if (const auto* texts = std::get_if<std::vector<std::string> Owner::*>(&row.member)) {
            for (const std::string& text : owner.**texts)
                add(row.key, text);
            return;
        }
        add(row.key, optionText(row, owner));
    }

    const std::string& text() const { return m_text; }

private:
    void addFlag(std::string_view key);
    void addQuestion(const Question& question);

    std::string m_text;
};

// Command that writes the archive of a run again; `leaf` is the last step of the hypothesis in it, none: the best.
// Whatever the archive is called, its command names a file run.npz or run.json, so that the same run gives the same
// bytes.
std::string traceCommand(const RunOrigin& origin, std::optional<StepId> leaf, ArchiveForm form);

} // namespace attn
