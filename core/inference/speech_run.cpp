// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/speech_run.h"

#include "base/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace attn {

namespace {

std::string taskName(const Question& question)
{
    return optionText(optionRow(questionRows(), "task"), question).value();
}

bool hearsLanguage(const Question& question)
{
    return question.sourceLanguage.value_or(heardLanguage) == heardLanguage;
}

std::string namesOf(const std::map<std::string, TokenId>& tokens)
{
    std::vector<std::string> names;
    for (const auto& [name, id] : tokens)
        names.push_back(name);
    return fmt::format("{}", fmt::join(names, ", "));
}

TokenId require(const std::map<std::string, TokenId>& tokens, const std::string& name, const char* what)
{
    const auto found = tokens.find(name);
    if (found == tokens.end())
        throw Error(ErrorKind::Input, what, fmt::format("this model knows no '{}'", name),
                    tokens.empty() ? "get its generation_config.json" : "it knows " + namesOf(tokens));
    return found->second;
}

std::vector<TokenId> promptTokens(const Question& question, const Speech& speech)
{
    std::vector<TokenId> prompt;
    if (speech.multilingual) {
        const auto& languages = speech.languages;
        prompt.push_back(hearsLanguage(question) && !languages.empty()
                             ? languages.begin()->second // until it is heard
                             : require(languages, question.sourceLanguage.value_or(heardLanguage), "source-language"));
        prompt.push_back(require(speech.tasks, taskName(question), "task"));
    }
    if (!question.timestamps)
        prompt.push_back(speech.withoutTimes);
    return prompt;
}

class TimeNames final : public TokenDescriber
{
public:
    TimeNames(std::shared_ptr<const TokenDescriber> tokenizer, std::shared_ptr<const Speech> speech)
        : m_tokenizer(std::move(tokenizer))
        , m_speech(std::move(speech))
    {
    }

    Encoding describe(std::span<const TokenId> ids) const override
    {
        std::vector<TokenId> known(ids.begin(), ids.end());
        std::ranges::replace_if(
            known, [this](TokenId id) { return m_speech->isTime(id); }, m_speech->textEnd);
        Encoding result = m_tokenizer->describe(known);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (!m_speech->isTime(ids[i]))
                continue;
            result.ids[i] = ids[i];
            for (auto* const names : {&result.tokens, &result.labels}) {
                if (!names->empty())
                    (*names)[i] = fmt::format("<|{:.2f}|>", m_speech->seconds(ids[i]));
            }
        }
        return result;
    }

private:
    std::shared_ptr<const TokenDescriber> m_tokenizer;
    std::shared_ptr<const Speech> m_speech;
};

} // namespace

void checkSpeech(const Question& question, const ModelInfo& info)
{
    const auto refuse = [](const char* option, const char* problem) {
        throw Error(ErrorKind::Input, option, problem, "leave it out");
    };
    const bool translates = question.task != SpeechTask::Transcribe;
    if (!info.speech) {
        if (translates)
            refuse("task", "this model has no tasks to choose from");
        if (question.timestamps)
            refuse("timestamps", "this model writes no times");
        return;
    }
    if (question.targetLanguage)
        refuse("target-language", "a transcript is in the language of the sound, a translation in English");
    if (!info.speech->multilingual && !hearsLanguage(question))
        refuse("source-language", "this model has no languages to choose from");
    if (!info.speech->multilingual && translates)
        refuse("task", "this model only transcribes");
    (void)promptTokens(question, *info.speech);
}

std::vector<TokenId> spokenTokens(const Tokenizer& tokenizer, const std::string& text)
{
    const Encoding whole = tokenizer.encode(text);
    std::vector<TokenId> tokens;
    for (std::size_t i = 0; i < whole.ids.size(); ++i) {
        if (!whole.special[i])
            tokens.push_back(whole.ids[i]);
    }
    return tokens;
}

void addPrompt(const Question& question, const Speech& speech, GivenOutput& given)
{
    given.prompt.withTimes = question.timestamps;
    const auto& ids = question.targetIds ? question.targetIds : question.prefixIds;
    given.prompt.length = ids ? speech.promptLength(*ids) : 0;
    if (question.targetIds || given.prompt.length > 0)
        return;
    const std::vector<TokenId> prompt = promptTokens(question, speech);
    std::vector<TokenId>& output = given.whole ? *given.whole : given.prefix;
    output.insert(output.begin(), prompt.begin(), prompt.end());
    given.prompt.length = static_cast<int>(prompt.size());
    given.prompt.heard = speech.multilingual && hearsLanguage(question);
}

std::shared_ptr<const TokenDescriber> withTimeNames(std::shared_ptr<const TokenDescriber> tokenizer,
                                                    std::shared_ptr<const Speech> speech)
{
    return std::make_shared<const TimeNames>(std::move(tokenizer), std::move(speech));
}

} // namespace attn
