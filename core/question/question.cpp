// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "question/question.h"

#include "base/error.h"
#include "edits/edit.h"
#include "io/json.h"
#include "readings/head_reading.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <type_traits>
#include <utility>

namespace attn {

namespace {

// STAGE:LAYER:HEAD:ROW:HYPOTHESIS
std::optional<std::string> insideText(const Capture& capture)
{
    if (!capture.inside)
        return std::nullopt;
    const auto& [site, head, row, hypothesis] = *capture.inside;
    return siteText({site, head}) + ':' + std::to_string(row) + ':' + std::to_string(hypothesis);
}

void setInside(Capture& capture, std::string_view text)
{
    const auto refuse = [] { throw Error(ErrorKind::Input, "inside", "is not STAGE:LAYER:HEAD:ROW:HYPOTHESIS"); };
    if (std::ranges::count(text, ':') != 4)
        refuse();
    const std::size_t end = text.rfind(':', text.rfind(':') - 1);
    const auto [site, head] = parseSite(text.substr(0, end), "inside");
    std::string numbers(text.substr(end + 1));
    std::ranges::replace(numbers, ':', ',');
    std::vector<int> parts;
    option::read("inside", numbers, {}, parts);
    if (!head.head() || parts.size() != 2)
        refuse();
    capture.inside = CellAddress{site, *head.head(), parts[0], parts[1]};
}

void addEdit(Question& question, std::string_view text)
{
    (void)parseEdit(text); // throws for what is none
    question.edits.emplace_back(text);
}

void addLabel(Question& question, std::string_view text)
{
    question.labelTexts.emplace_back(text);
}

constexpr OptionChoice tasks[] = {{"transcribe"}, {"translate"}};
constexpr OptionChoice precisions[] = {{"f32"}, {"bf16"}, {"q8"}};

const OptionRow<Question> rows[] = {
    {.key = "model", .member = &Question::model},
    {.key = "text",
     .member = &Question::text,
     .group = OptionGroup::Input,
     .value = "TEXT",
     .help = ATTN_TRANSLATE_NOOP("options", "the sentence to read")},
    {.key = "text-pair",
     .member = &Question::secondText,
     .group = OptionGroup::Input,
     .value = "TEXT",
     .help = ATTN_TRANSLATE_NOOP("options", "encoder-only models: the second sentence of a pair")},
    {.key = "source-ids",
     .member = &Question::sourceIds,
     .group = OptionGroup::Input,
     .value = "5,9,2",
     .help = ATTN_TRANSLATE_NOOP("options", "token ids instead of a text, used as given")},
    {.key = "source-segments",
     .member = &Question::sourceSegments,
     .group = OptionGroup::Input,
     .value = "0,0,1",
     .help = ATTN_TRANSLATE_NOOP("options", "which text of a pair each of the ids belongs to")},
    {.key = "image",
     .member = &Question::image,
     .group = OptionGroup::Input,
     .value = "FILE",
     .help = ATTN_TRANSLATE_NOOP("options", "models that read pictures: PNG, JPEG, WebP, GIF, BMP or PNM")},
    {.key = "audio",
     .member = &Question::audio,
     .group = OptionGroup::Input,
     .value = "FILE",
     .help = ATTN_TRANSLATE_NOOP("options", "models that read sound: WAV, FLAC, Ogg Vorbis, Opus, MP3 or AIFF")},
    {.key = "start",
     .member = &Question::start,
     .limits = {.most = 86400},
     .group = OptionGroup::Input,
     .value = "SECONDS",
     .help = ATTN_TRANSLATE_NOOP("options", "where in the sound to begin")},
    {.key = "label",
     .member = &Question::labelTexts,
     .group = OptionGroup::Input,
     .value = "TEXT",
     .help = ATTN_TRANSLATE_NOOP("options",
                                 "repeatable: a text to choose from, of models that compare a picture with texts"),
     .parse = addLabel},
    {.key = "target",
     .member = &Question::targetText,
     .group = OptionGroup::Input,
     .value = "TEXT",
     .help = ATTN_TRANSLATE_NOOP("options", "follow this output instead of decoding")},
    {.key = "target-ids",
     .member = &Question::targetIds,
     .group = OptionGroup::Input,
     .value = "4,8,3",
     .help = ATTN_TRANSLATE_NOOP("options", "the same as token ids")},
    {.key = "prefix",
     .member = &Question::prefixText,
     .group = OptionGroup::Run,
     .value = "TEXT",
     .help = ATTN_TRANSLATE_NOOP("options", "the output begins with this and goes on freely")},
    {.key = "prefix-ids",
     .member = &Question::prefixIds,
     .group = OptionGroup::Run,
     .value = "4,8",
     .help = ATTN_TRANSLATE_NOOP("options", "the same as token ids")},
    {.key = "edit",
     .member = &Question::edits,
     .group = OptionGroup::Edits,
     .value = "WHERE=WHAT",
     .help = ATTN_TRANSLATE_NOOP("options", "repeatable: change the run, as in cross:0:2=zero or source:3=word:house"),
     .parse = addEdit},
    {.key = "source-language",
     .member = &Question::sourceLanguage,
     .group = OptionGroup::Run,
     .value = "CODE",
     .help = ATTN_TRANSLATE_NOOP("options",
                                 "multilingual models: what the text is written in, or what is spoken; auto: what a "
                                 "model hears")},
    {.key = "target-language",
     .member = &Question::targetLanguage,
     .group = OptionGroup::Run,
     .value = "CODE",
     .help = ATTN_TRANSLATE_NOOP("options", "multilingual models: what to translate into")},
    {.key = "task",
     .member = choiceMember<&Question::task>(tasks),
     .group = OptionGroup::Run,
     .help = ATTN_TRANSLATE_NOOP("options", "models of speech: write down what is said, or translate it into English")},
    {.key = "timestamps",
     .member = &Question::timestamps,
     .group = OptionGroup::Run,
     .help = ATTN_TRANSLATE_NOOP("options", "models of speech: write when it is said, too")},
    {.key = "precision",
     .member = choiceMember<&Question::precision>(precisions),
     .group = OptionGroup::Run,
     .help = ATTN_TRANSLATE_NOOP("options", "in what linear layers compute")},
    {.key = "without-positions", .member = &Question::withoutPositions},
};

const OptionRow<Capture> captures[] = {
    {.key = "attention", .member = &Capture::attention},
    {.key = "logits",
     .member = &Capture::logits,
     .group = OptionGroup::Capture,
     .help = ATTN_TRANSLATE_NOOP("options", "add logits")},
    {.key = "hidden",
     .member = &Capture::hidden,
     .group = OptionGroup::Capture,
     .help = ATTN_TRANSLATE_NOOP("options", "add hidden states")},
    {.key = "scores",
     .member = &Capture::scores,
     .group = OptionGroup::Capture,
     .help = ATTN_TRANSLATE_NOOP("options", "add the scores before the softmax")},
    {.key = "inside", .member = TextMember<Capture>{insideText, setInside}},
};

template<class Owner>
Json jsonOf(const OptionRow<Owner>& row, const Owner& owner)
{
    return visitOption(row, owner, [&](const auto& value) -> Json {
        if constexpr (requires { value.set; })
            return optionText(row, owner).value();
        else if constexpr (requires { value.has_value(); })
            return value ? Json(*value) : Json();
        else
            return value;
    });
}

// "5,9,2", "0.5": a value as the command line has it.
std::string commandText(const Json& json)
{
    if (json.is_string())
        return json.get<std::string>();
    const std::string text = json.dump();
    return json.is_array() ? text.substr(1, text.size() - 2) : text;
}

template<class Owner>
void readField(const OptionRow<Owner>& row, Owner& owner, const JsonObject& question)
{
    const Json& json = *question.find(row.key);
    const auto expect = [&](bool found, const char* expected) {
        if (!found)
            question.refuse(row.key, expected);
    };
    visitOption(row, owner, [&](auto& value) {
        using Value = std::remove_cv_t<std::remove_reference_t<decltype(value)>>;
        if constexpr (std::is_same_v<Value, bool>) {
            expect(json.is_boolean(), "true or false");
        } else if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::optional<int>>) {
            expect(json.is_number(), "a number");
        } else if constexpr (std::is_assignable_v<Value&, std::vector<int>>) {
            expect(json.is_array(), "a list of numbers");
            if (json.empty())
                return void(value = std::vector<int>());
        } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
            expect(json.is_array(), "a list of texts");
            for (const Json& text : json)
                expect(text.is_string(), "a list of texts");
        } else {
            expect(json.is_string(), "a text");
        }
        try {
            if (!row.isRepeated())
                return setOption(row, owner, commandText(json));
            Owner changed = owner;
            for (const Json& text : json)
                row.parse(changed, text.template get<std::string>());
            owner = std::move(changed);
        } catch (const Error& error) {
            throw Error(error.kind(), question.where(), error.where() + ": " + error.problem(), error.advice());
        }
    });
}

} // namespace

std::span<const OptionRow<Question>> questionRows()
{
    return rows;
}

std::span<const OptionRow<Capture>> captureRows()
{
    return captures;
}

Question fitted(Question question, const ModelInfo& info, bool readsText)
{
    question.decoding = fitted(question.decoding, info.kind, info.hardAttention);
    const bool takesTarget = info.predictsTokens || info.input == InputKind::PictureAndText;
    if (!info.predictsTokens) {
        question.decoding.generate = 0;
        question.decoding.search = Search::Greedy;
    }
    if (!takesTarget)
        question.targetIds.reset();
    if (info.kind != ModelKind::EncoderDecoder || !takesTarget)
        question.targetText.reset();
    const bool writes = info.writes() && (info.kind == ModelKind::EncoderDecoder || question.decoding.generate > 0);
    if (!writes || question.targetText || question.targetIds) {
        question.prefixText.reset();
        question.prefixIds.reset();
    }
    if (!info.readsPictures())
        question.image.reset();
    if (info.input != InputKind::Sound) {
        question.audio.reset();
        question.start = 0;
    }
    if (!info.speech) {
        question.task = SpeechTask::Transcribe;
        question.timestamps = false;
    }
    if (info.input == InputKind::Picture || info.input == InputKind::Sound) {
        question.text.clear();
        question.sourceIds.reset();
        question.sourceSegments.clear();
    }
    if (info.input != InputKind::PictureAndText)
        question.labelTexts.clear();
    if (!info.readsPairs() || !readsText)
        question.secondText.reset();
    return question;
}

Question usualQuestion()
{
    Question question;
    question.model = "rnnsearch-en-fr";
    question.text = "I don't think that she will come back home tonight.";
    question.decoding.generate = 20;
    return question;
}

std::string questionText(const Question& question)
{
    Json json = Json::object();
    for (const auto& [key, value] : question.others)
        json[key] = Json::parse(value, nullptr, false);
    visitRows(question, [&](const auto& row, const auto& owner) {
        if (!isDefault(row, owner))
            json[row.key] = jsonOf(row, owner);
    });
    return writtenJson(json);
}

Question parseQuestion(std::string_view text, const std::string& where, std::vector<std::string>* refused)
{
    const auto fields = JsonObject::parse(text, where);
    Question question;
    std::set<std::string_view> known;
    visitRows(question, [&](const auto& row, auto& owner) {
        known.insert(row.key);
        try {
            if (fields.has(row.key))
                readField(row, owner, fields);
        } catch (const Error& error) {
            if (refused == nullptr)
                throw;
            refused->emplace_back(error.what());
        }
    });
    for (const auto& [key, value] : fields.json().items()) {
        if (!known.contains(key))
            question.others.emplace(key, value.dump());
    }
    return question;
}

namespace {

template<class Owner>
void compareRows(std::span<const OptionRow<Owner>> rows, const Owner& before, const Owner& after,
                 QuestionDifference& found)
{
    for (const OptionRow<Owner>& row : rows) {
        auto then = optionText(row, before);
        auto now = optionText(row, after);
        if (then != now)
            found.push_back({row.key, std::move(then), std::move(now)});
    }
}

} // namespace

QuestionDifference difference(const Question& before, const Question& after)
{
    QuestionDifference found;
    compareRows(questionRows(), before, after, found);
    compareRows(decodingRows(), before.decoding, after.decoding, found);
    return found;
}

bool sameSentence(const Question& a, const Question& b)
{
    return a.model == b.model && a.text == b.text && a.secondText == b.secondText && a.sourceIds == b.sourceIds
        && a.image == b.image && a.audio == b.audio && a.start == b.start && a.sourceLanguage == b.sourceLanguage
        && a.targetLanguage == b.targetLanguage;
}

} // namespace attn
