// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure_recipe.h"

#include "base/shown_text.h"
#include "base/version.h"
#include "trace/site_text.h"
#include "views/view_rows.h"

#include <QStringList>

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <variant>

namespace attn::ui {

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

// Options of a command line, one after the other.
class Options
{
public:
    void add(const std::string& key, const std::string& value)
    {
        const bool isOption = value.starts_with('-');
        m_text += " --" + key + (isOption ? '=' : ' ') + shellWord(value);
    }
    void add(const std::string& key, const std::optional<std::string>& value)
    {
        if (value)
            add(key, *value);
    }
    void addFlag(const std::string& key) { m_text += " --" + key; }

    // Of a row that has not its usual value.
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
    std::string m_text;
};

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

void addQuestion(Options& options, const Question& question)
{
    if (!question.sourceIds)
        options.add("text", question.text);
    visitRows(question, [&](const auto& row, const auto& owner) {
        using Owner = std::remove_cvref_t<decltype(owner)>;
        const std::string_view key = row.key;
        if (row.group == OptionGroup::None || row.group == OptionGroup::Capture || key == "text")
            return;
        if constexpr (std::is_same_v<Owner, DecodingOptions>) {
            if (key == "decode" && !isDefault(row, owner))
                return options.add(row.key, searchText(owner));
        }
        options.addRow(row, owner);
    });
}

// What a question has that no option of the command line says.
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

void addSpec(Options& options, const FigureSpec& spec, const Trace& trace)
{
    const auto rows = viewRows();
    const auto view =
        std::find_if(rows.begin(), rows.end(), [&](const ViewRow& row) { return row.figure == spec.kind; });
    if (view != rows.begin() && view != rows.end())
        options.add("view", std::string(view->id));
    if (!spec.kind->drawsPositions && trace.heads(spec.site) > 0)
        options.add("site", siteText({spec.site, spec.head}));
    if (spec.leaf)
        options.add("leaf", std::to_string(numberOf(*spec.leaf)));
    std::vector<int> refolded;
    for (const StepId step : spec.refolded)
        refolded.push_back(numberOf(step));
    if (!refolded.empty())
        options.add("refold", option::written(refolded));
    for (const auto& row : figureRows())
        options.addRow(row, static_cast<const FigureChoices&>(spec));
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

FigureProvenance figureProvenance(const FigureSpec& spec, const Trace& trace, const FigureOrigin& origin,
                                  const QString& file, const ExportOptions& options)
{
    const Provenance& run = trace.provenance();
    FigureProvenance made;
    made.program = QStringLiteral("AttnScope ") + QString::fromUtf8(programVersion);
    const bool ofModel = spec.kind->drawsPositions;
    made.model = QString::fromStdString(ofModel || run.model.empty() ? origin.model : run.model);
    if (origin.weightsSha256)
        made.weightsSha256 = origin.weightsSha256(options.stop);
    if (!ofModel) {
        const std::uint64_t seed = origin.question ? origin.question->decoding.seed : run.seed;
        const auto& second = origin.question ? origin.question->secondText : run.secondText;
        made.text = QString::fromStdString(run.text);
        made.secondText = QString::fromStdString(second.value_or(std::string()));
        made.decoding = QString::fromStdString(run.decoding);
        made.seed = QString::number(seed);
        QStringList edits;
        for (const std::string& edit : run.edits)
            edits << QString::fromStdString(edit);
        made.edits = edits.join(QLatin1Char(' '));
    }
    made.obstacle = origin.obstacle;
    if (made.obstacle.isEmpty() && origin.question && isBeyondOptions(*origin.question))
        made.obstacle = Figure::tr("the run was asked for something that the command line has no option for");
    if (!made.obstacle.isEmpty())
        return made;
    Options words;
    if (origin.question && !ofModel)
        addQuestion(words, *origin.question);
    if (origin.run)
        words.add("run", std::to_string(*origin.run));
    addSpec(words, spec, trace);
    words.add("against", origin.against);
    if (origin.againstRun)
        words.add("against-run", std::to_string(*origin.againstRun));
    words.add("against-edit", origin.againstEdit);
    if (origin.threads != 0)
        words.add("threads", std::to_string(origin.threads));
    for (const auto& row : exportRows())
        words.addRow(row, options);
    words.add("output", file.toStdString());
    made.command = QString::fromStdString("attnscope figure " + shellWord(origin.model) + words.text());
    return made;
}

} // namespace attn::ui
