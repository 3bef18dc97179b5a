// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/memory.h"
#include "edits/edit.h"
#include "experiments/sentences.h"
#include "fuzz_input.h"
#include "io/json.h"
#include "io/model_config.h"
#include "loading/model_card.h"
#include "loading/model_loader.h"
#include "question/question.h"

#include <string>
#include <string_view>
#include <vector>

ATTN_FUZZ_TARGET(json)
{
    return attn::fuzz::answer([&] {
        const auto object =
            attn::JsonObject::parse(attn::fuzz::text(data, size), "input", {.bytes = 1 << 20, .uniqueKeys = true});
        for (const std::string& field : object.fields()) {
            attn::fuzz::answer([&] { (void)object.requireInt(field, -5, 5); });
            attn::fuzz::answer([&] { (void)object.numberOr(field, 1); });
            attn::fuzz::answer([&] { (void)object.stringOr(field, {}); });
            attn::fuzz::answer([&] { (void)object.requireObject(field).fields(); });
        }
    });
}

ATTN_FUZZ_TARGET(model_card)
{
    constexpr std::size_t longest = 2000;
    const auto text = attn::fuzz::text(data, size);
    return attn::fuzz::answer([&] {
        const attn::ModelCard card = attn::parseModelCard(text);
        for (const attn::ModelExample& example : card.examples)
            for (const std::string& said : {example.text, example.output})
                attn::fuzz::require(said.size() <= longest && said.find('\n') == std::string::npos);
        attn::BundledModel model;
        attn::describe(model, text);
        attn::fuzz::require(model.summary.size() <= text.size() && model.languages.size() <= longest);
        (void)attn::languagesText(model);
    });
}

ATTN_FUZZ_TARGET(model_config)
{
    static const attn::fuzz::Folder folder("model-config");
    const auto files = attn::fuzz::parts(attn::fuzz::text(data, size), 2);
    folder.put("config.json", files[0]);
    folder.put("generation_config.json", files[1]);
    return attn::fuzz::answer([] { (void)attn::readModelConfig(folder.path()); });
}

ATTN_FUZZ_TARGET(scores)
{
    static const attn::fuzz::Folder folder("scores");
    folder.put("scores.json", attn::fuzz::text(data, size));
    return attn::fuzz::answer([] { (void)attn::readLengthScores(folder.path()); });
}

ATTN_FUZZ_TARGET(question)
{
    const auto text = attn::fuzz::text(data, size);
    std::vector<std::string> refused;
    attn::fuzz::answer([&] { (void)attn::parseQuestion(text, "input", &refused); });
    return attn::fuzz::answer([&] {
        const attn::Question question = attn::parseQuestion(text, "input");
        attn::fuzz::require(attn::parseQuestion(attn::questionText(question), "again") == question);
    });
}

ATTN_FUZZ_TARGET(edit)
{
    return attn::fuzz::answer([&] {
        const attn::Edit edit = attn::parseEdit(attn::fuzz::text(data, size));
        attn::fuzz::require(attn::parseEdit(attn::editText(edit)) == edit);
    });
}

ATTN_FUZZ_TARGET(sentences)
{
    const std::string_view text = attn::fuzz::text(data, size);
    attn::fuzz::answer([&] {
        const auto sentences = attn::parseSentences(text);
        attn::fuzz::require(!sentences.empty() && sentences.size() <= attn::limit(attn::Limit::Sentences));
        std::string again = "\n"; // a mark at the beginning is none of the text
        for (const std::string& sentence : sentences)
            again += sentence + '\n';
        attn::fuzz::require(attn::parseSentences(again) == sentences);
    });
    return attn::fuzz::answer([&] {
        const auto pairs = attn::parseSentencePairs(text);
        attn::fuzz::require(!pairs.empty() && pairs.size() <= attn::limit(attn::Limit::Sentences));
        std::string again = "\n";
        for (const attn::SentencePair& pair : pairs) {
            attn::fuzz::require(!pair.source.empty() && !pair.reference.empty());
            again += pair.source + '\t' + pair.reference + '\n';
        }
        attn::fuzz::require(attn::parseSentencePairs(again).size() == pairs.size());
    });
}
