// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exit_status.h"
#include "base/error.h"
#include "base/shown_text.h"
#include "base/utf8.h"
#include "commands/commands.h"
#include "commands/options.h"
#include "loading/model_loader.h"
#include "text/tokenizer.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <iostream>
#include <memory>

namespace attn::app {

namespace {

struct TokenizeArguments
{
    std::string model;
    std::optional<std::string> text;
    std::optional<std::string> lines;
    bool target = false;
    bool json = false;
};

void printEncodingJson(const Encoding& encoding)
{
    nlohmann::ordered_json line{{"ids", encoding.ids}, {"tokens", encoding.tokens}};
    line["spans"] = nlohmann::ordered_json::array();
    for (const ByteSpan& span : encoding.spans)
        line["spans"].push_back({span.begin, span.end});
    line["words"] = encoding.words;
    line["special"] = encoding.special;
    std::cout << line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

void printEncodingTable(const Encoding& encoding)
{
    std::cout << fmt::format("{:>8}  {:>11}  {:>5}  {}\n", "id", "bytes", "word", "token");
    for (std::size_t i = 0; i < encoding.size(); ++i) {
        const auto& names = encoding.labels.empty() ? encoding.tokens : encoding.labels;
        const std::string word = encoding.words[i] == noWord ? "-" : std::to_string(encoding.words[i]);
        std::cout << fmt::format("{:>8}  {:>5}-{:<5}  {:>5}  {}\n", encoding.ids[i], encoding.spans[i].begin,
                                 encoding.spans[i].end, word, escaped(names[i]));
    }
}

void tokenize(const TokenizeArguments& arguments)
{
    if (arguments.text.has_value() == arguments.lines.has_value())
        throw UsageError("give exactly one of --text and --lines");
    const Tokenizers tokenizers = loadTokenizers(tokenizerPath(arguments.model));
    const auto& tokenizer = arguments.target ? tokenizers.target : tokenizers.source;
    if (!tokenizer)
        throw Error(
            ErrorKind::File, arguments.model, "has no tokenizer files",
            "expected tokenizer.json, vocab.txt, vocab.json with merges.txt, a SentencePiece model, or word lists");
    const auto texts = arguments.lines ? readLines(*arguments.lines) : std::vector<std::string>{*arguments.text};
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (arguments.lines)
            requireUtf8(texts[i], fmt::format("{}: line {}", *arguments.lines, i + 1));
        const Encoding encoding = tokenizer->encode(texts[i]);
        if (arguments.json)
            printEncodingJson(encoding);
        else
            printEncodingTable(encoding);
    }
}

} // namespace

void addTokenizeCommand(CLI::App& app)
{
    auto* command = app.add_subcommand("tokenize", "show ids, tokens, byte spans and words of a text");
    auto arguments = std::make_shared<TokenizeArguments>();
    addModel(*command, arguments->model, "bundled name, or a directory or file with a tokenizer");
    addText(*command, "--text", arguments->text, "the text")->type_name("TEXT");
    addText(*command, "--lines", arguments->lines, "a text a line")->type_name("FILE");
    command->add_flag("--target", arguments->target, "use the tokenizer of the output side");
    command->add_flag("--json", arguments->json, "a JSON object a line");
    command->callback([arguments] { tokenize(*arguments); });
}

} // namespace attn::app
