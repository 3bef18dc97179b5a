// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/exit_status.h"
#include "base/error.h"
#include "base/plain_text.h"
#include "base/utf8.h"
#include "commands/commands.h"
#include "commands/options.h"
#include "loading/model_loader.h"
#include "text/tokenizer.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <iostream>
#include <memory>
#include <string_view>

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

// "ids":[7,2], put together piece by piece: the whole line as one value would take twenty times its tokens' memory.
template<class Text>
void printJsonList(std::string_view key, const Encoding& encoding, const Text& text)
{
    std::cout << '"' << key << "\":[";
    for (std::size_t i = 0; i < encoding.size(); ++i)
        std::cout << (i == 0 ? "" : ",") << text(i);
    std::cout << ']';
}

void printEncodingJson(const Encoding& encoding)
{
    const auto quoted = [&](std::size_t i) { return jsonText(encoding.tokens[i]); };
    std::cout << '{';
    printJsonList("ids", encoding, [&](std::size_t i) { return encoding.ids[i]; });
    std::cout << ',';
    printJsonList("tokens", encoding, quoted);
    std::cout << ',';
    printJsonList("spans", encoding, [&](std::size_t i) {
        return fmt::format("[{},{}]", encoding.spans[i].begin, encoding.spans[i].end);
    });
    std::cout << ',';
    printJsonList("words", encoding, [&](std::size_t i) { return encoding.words[i]; });
    std::cout << ',';
    printJsonList("special", encoding, [&](std::size_t i) { return encoding.special[i] ? "true" : "false"; });
    std::cout << "}\n";
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
    requireUtf8Option("text", arguments.text.value_or(std::string()));
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
