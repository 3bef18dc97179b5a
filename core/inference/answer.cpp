// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/answer.h"

#include "analysis/token_times.h"
#include "base/error.h"
#include "base/index.h"
#include "base/memory.h"
#include "base/plain_text.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "base/version.h"
#include "decoding/decode.h"
#include "edits/attention_edits.h"
#include "inference/map_memory.h"
#include "inference/run_edits.h"
#include "inference/source_input.h"
#include "inference/speech_run.h"
#include "models/run_checks.h"
#include "models/sequence_model.h"
#include "models/speech.h"
#include "models/text_model.h"
#include "nn/engine.h"
#include "text/word_pieces.h"
#include "trace/trace_builder.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace attn {

namespace {

// A decoder that predicts no tokens.
bool onlyReads(const ModelInfo& info)
{
    return info.kind != ModelKind::EncoderOnly && !info.predictsTokens;
}

// The tokenizers for the languages that are asked for; the output begins with the target's token.
Tokenizers tokenizersFor(const LoadedModel& model, Question& question)
{
    const auto& known = model.tokenizers.languages;
    if (model.model->info().speech)
        return model.tokenizers;
    if (!known) {
        if (question.sourceLanguage || question.targetLanguage)
            throw Error(ErrorKind::Input, "language", "this model has no languages to choose from", "leave it out");
        return model.tokenizers;
    }
    Tokenizers chosen = model.tokenizers;
    if (question.sourceLanguage || question.targetLanguage)
        chosen = chooseLanguages(model.tokenizers, question.sourceLanguage.value_or(known->source),
                                 question.targetLanguage.value_or(known->target));
    if (chosen.languages->target.empty() && !question.sourceIds && !question.targetIds)
        throw Error(ErrorKind::Input, "target language", "is not chosen, and the model's files name none",
                    "choose one, such as " + (known->codes.empty() ? std::string("fr") : known->codes.front()));
    if (!question.sourceIds) {
        question.decoding.start = chosen.languages->decoderStart;
        question.decoding.firstToken = chosen.languages->forcedFirst;
    }
    return chosen;
}

const Tokenizer& requireTokenizer(const std::shared_ptr<const Tokenizer>& tokenizer, const LoadedModel& model,
                                  const char* idsOption)
{
    if (!tokenizer && model.tokenizerProblem)
        throw Error(*model.tokenizerProblem);
    if (!tokenizer)
        throw Error(ErrorKind::Input, model.name, "has no tokenizer files, so it cannot read text",
                    fmt::format("give ids with {}", idsOption));
    return *tokenizer;
}

Encoding sourceOf(const LoadedModel& model, const Tokenizers& tokenizers, const Question& question)
{
    if (question.sourceIds) {
        Encoding given =
            tokenizers.source ? tokenizers.source->describe(*question.sourceIds) : plainEncoding(*question.sourceIds);
        given.segments = question.sourceSegments;
        return given;
    }
    const Tokenizer& tokenizer = requireTokenizer(tokenizers.source, model, "--source-ids");
    const ModelInfo& info = model.model->info();
    const bool startsFromNothing = info.kind == ModelKind::DecoderOnly && info.decoderStart;
    if (question.secondText) {
        if (info.segments < 2)
            throw Error(ErrorKind::Input, "second text", "this model reads one text, not a pair", "leave it out");
        return tokenizer.encodePair(question.text, *question.secondText);
    }
    Encoding source = tokenizer.encode(question.text);
    if (source.ids.empty() && startsFromNothing)
        source = tokenizer.describe({&*info.decoderStart, 1});
    if (source.ids.empty())
        throw Error(ErrorKind::Input, "text", "holds nothing that the tokenizer makes a token of", "type a sentence");
    return source;
}

// A text beside a picture, as such models read it.
std::vector<TokenId> textBeside(const LoadedModel& model, const Tokenizers& tokenizers, const std::string& text)
{
    const ModelInfo& info = model.model->info();
    const Tokenizer& tokenizer = requireTokenizer(tokenizers.target, model, "--target-ids");
    std::vector<TokenId> ids = tokenizer.encode(info.plainWords ? plainWords(text) : text).ids;
    if (info.padsText)
        ids.resize(std::max(ids.size(), static_cast<std::size_t>(info.maximumLength.value_or(0))), *info.endToken);
    return ids;
}

// A decoder has its own start token; one that the tokenizer puts before every text is not written.
void removeStart(std::vector<TokenId>& ids, const Tokenizer& tokenizer)
{
    if (const auto first = tokenizer.namedTokens().cls; first && !ids.empty() && ids.front() == *first)
        ids.erase(ids.begin());
}

std::optional<std::vector<TokenId>> targetOf(const LoadedModel& model, const Tokenizers& tokenizers,
                                             const Question& question)
{
    if (question.targetIds)
        return question.targetIds;
    if (model.model->info().input == InputKind::PictureAndText) {
        const std::string& text = question.targetText.value_or(question.text);
        return text.empty() ? std::nullopt : std::optional(textBeside(model, tokenizers, text));
    }
    if (!question.targetText)
        return std::nullopt;
    const Tokenizer& tokenizer = requireTokenizer(tokenizers.target, model, "--target-ids");
    if (const auto& speech = model.model->info().speech) {
        std::vector<TokenId> spoken = spokenTokens(tokenizer, *question.targetText);
        spoken.push_back(speech->textEnd);
        return spoken;
    }
    std::vector<TokenId> ids = tokenizer.encode(*question.targetText).ids;
    if (model.model->info().input != InputKind::Text)
        removeStart(ids, *tokenizers.target);
    return ids;
}

// Texts that a picture is compared with.
std::vector<std::vector<TokenId>> labelsOf(const LoadedModel& model, const Tokenizers& tokenizers,
                                           const Question& question)
{
    std::vector<std::vector<TokenId>> labels;
    for (const std::string& text : question.labelTexts)
        labels.push_back(textBeside(model, tokenizers, text));
    return labels;
}

// End of an encoding that belongs to every text: the end token, and what may follow it.
void removeEnd(std::vector<TokenId>& ids, const std::vector<TokenId>& ofNothing, const ModelInfo& info)
{
    const auto [own, common] = std::mismatch(ids.rbegin(), ids.rend(), ofNothing.rbegin(), ofNothing.rend());
    const auto end = std::find_if(own.base(), ids.end(), [&](TokenId id) { return info.ends(id); });
    ids.erase(end, ids.end());
}

// Ids of a prefix, read as a forced output is, without the end token; one that follows a prompt has no start token
// either.
std::vector<TokenId> prefixOf(const LoadedModel& model, const Tokenizers& tokenizers, const Question& question)
{
    if (question.prefixText && question.prefixIds)
        throw Error(ErrorKind::Input, "prefix", "is given as a text and as ids", "leave one of the two out");
    if (question.prefixIds || !question.prefixText)
        return question.prefixIds.value_or(std::vector<TokenId>());
    const ModelInfo& info = model.model->info();
    const bool oneText = info.kind != ModelKind::EncoderDecoder;
    const Tokenizer& tokenizer =
        requireTokenizer(oneText ? tokenizers.source : tokenizers.target, model, "--prefix-ids");
    if (info.speech)
        return spokenTokens(tokenizer, *question.prefixText);
    std::vector<TokenId> ids = tokenizer.encode(*question.prefixText).ids;
    const std::vector<TokenId> ofNothing = tokenizer.encode("").ids;
    removeEnd(ids, ofNothing, info);
    if (info.input != InputKind::Text)
        removeStart(ids, tokenizer);
    if (info.kind == ModelKind::DecoderOnly) {
        const auto [own, common] = std::mismatch(ids.begin(), ids.end(), ofNothing.begin(), ofNothing.end());
        ids.erase(ids.begin(), own);
    }
    return ids;
}

void checkSource(const Encoding& source, const ModelInfo& info)
{
    if (source.ids.empty())
        throw Error(ErrorKind::Input, "source", "is empty", "give at least one token");
    if (info.maximumLength && source.size() > static_cast<std::size_t>(*info.maximumLength))
        throw Error(ErrorKind::Input, "text",
                    fmt::format("has {} tokens, this model reads at most {}", source.size(), *info.maximumLength),
                    "shorten it");
}

// An output's limit is often far beyond what is written: that is counted on which is likely for a translation.
std::uint64_t likelySteps(std::uint64_t most, const ModelInfo& info, Index source)
{
    constexpr std::uint64_t few = 64;
    const bool continues = info.kind == ModelKind::DecoderOnly; // as many as are asked for
    return continues ? most : std::min(most, few + 2 * static_cast<std::uint64_t>(source));
}

RunLength lengthOf(const ModelInfo& info, const Question& question, std::span<const TokenId> ids,
                   const GivenOutput& given)
{
    const Index source = indexSize(ids);
    RunLength length;
    length.source = ids.size();
    if (info.architecture.form == Architecture::Form::Hierarchical && info.endToken)
        length.sentences = sentenceStarts(ids, *info.endToken).size();
    length.given = given.whole ? given.whole->size() : given.prefix.size();
    if (onlyReads(info) && info.input != InputKind::PictureAndText)
        length.given = ids.size();
    if (!info.writes() || given.whole)
        return length;
    const int prompt = info.kind == ModelKind::DecoderOnly ? source : 0;
    const auto limit = static_cast<std::uint64_t>(std::max(0, outputLimit(info, question.decoding, prompt)));
    const std::uint64_t most = limit - std::min<std::uint64_t>(limit, given.prefix.size());
    length.steps = likelySteps(most, info, source);
    length.given += static_cast<std::uint64_t>(prompt);
    if (question.decoding.search == Search::Beam)
        length.hypotheses = static_cast<std::uint64_t>(std::max(1, question.decoding.beamSize));
    return length;
}

// Form in which the maps of a run are kept. What could not fit is refused before anything is computed.
MapForm checkMemory(const SequenceModel& model, const Question& question, const RunLength& length,
                    const AttentionEdits& edits, const Engine& engine, std::uint64_t mapBytes)
{
    const MapPlan plan = planMaps(model.info(), length, question.capture, edits, engine.threads(), mapBytes);
    requireMemory(plan.kept + plan.atOnce + workBytes(model, length, question.capture, engine),
                  fmt::format("a run of {} tokens", std::max(length.source, length.given + length.steps)));
    return plan.form;
}

Provenance provenanceOf(const LoadedModel& model, const Question& asked, const GivenOutput& given)
{
    Provenance result;
    result.kind = model.model->info().kind;
    result.model = model.name;
    result.modelType = model.model->info().family;
    result.towers = model.model->info().input == InputKind::PictureAndText;
    result.text = asked.text;
    result.secondText = asked.secondText;
    result.decoding = onlyReads(model.model->info()) ? std::string(readOnly)
        : given.whole                                ? followsOutput
                                                     : asked.decoding.describe();
    result.precision = optionText(optionRow(questionRows(), "precision"), asked).value();
    result.seed = asked.decoding.seed;
    result.programVersion = programVersion;
    result.edits = asked.edits;
    result.question = questionText(asked);
    result.prefixIds = given.prefix;
    return result;
}

// The source as the edits leave it, after a look at whether they fit.
Encoding editedSource(Encoding source, const RunEdits& edits, const ModelInfo& info, const Tokenizer* tokenizer,
                      EditsFit fit)
{
    EditExtent given = editExtent(info);
    if (fit == EditsFit::Required)
        given.source = indexSize(source.ids);
    edits.check(given);
    return edits.applied(std::move(source), tokenizer);
}

// Tokens that the decoder's maps count, where they are given.
std::optional<Index> givenOutput(const Question& question, const ModelInfo& info, Index source,
                                 const std::optional<std::vector<TokenId>>& target)
{
    if (onlyReads(info) && info.input != InputKind::PictureAndText)
        return source;
    if (info.kind == ModelKind::DecoderOnly)
        return question.decoding.generate == 0 ? std::optional(source) : std::nullopt;
    return target ? std::optional(indexSize(*target)) : std::nullopt;
}

// "5 9, 2" as ids.
std::vector<TokenId> idsOf(std::string_view text, const LoadedModel& model)
{
    constexpr std::string_view between = " \t\r\n,;";
    std::vector<TokenId> ids;
    for (std::size_t begin = 0; (begin = text.find_first_not_of(between, begin)) != std::string::npos;) {
        const std::size_t end = std::min(text.find_first_of(between, begin), text.size());
        const auto id = parsedNumber<TokenId>(text.substr(begin, end - begin));
        if (!id)
            throw Error(ErrorKind::Input, model.name,
                        model.tokenizerProblem
                            ? std::string("reads numbers instead of text: ") + model.tokenizerProblem->problem()
                            : "has no tokenizer files, so it reads numbers instead of text",
                        "type ids such as 5 9 2");
        ids.push_back(*id);
        begin = end;
    }
    return ids;
}

// Adds when each token of a transcript was said.
void addTimes(const LoadedModel& model, const SpeechPrompt& prompt, TraceBuilder& builder)
{
    const Speech& speech = *model.model->info().speech;
    const SoundProcessor& processor = model.sounds.value();
    const Trace trace = builder.snapshot();
    const TokenTiming timing{speech.alignmentHeads, speech.medianWidth, prompt.length,
                             processor.columnsOf(indexSize(*trace.media()->audio)), processor.columnSeconds()};
    for (const Hypothesis& hypothesis : trace.summary()->hypotheses) {
        if (hypothesis.step)
            builder.setTimes(*hypothesis.step, tokenTimes(trace, timing, hypothesis.step));
    }
}

// A language of another model is not asked for.
void fitLanguage(std::optional<std::string>& language, const std::optional<Languages>& known)
{
    if (!known || (language && std::ranges::find(known->codes, *language) == known->codes.end()))
        language.reset();
}

} // namespace

Question fitted(Question question, const LoadedModel& model)
{
    if (const auto& speech = model.model->info().speech) {
        if (question.sourceLanguage && !speech->languages.contains(*question.sourceLanguage))
            question.sourceLanguage.reset();
    } else {
        fitLanguage(question.sourceLanguage, model.tokenizers.languages);
    }
    fitLanguage(question.targetLanguage, model.tokenizers.languages);
    question = fitted(std::move(question), model.model->info(), model.tokenizers.source != nullptr);
    const bool isText = model.model->info().input == InputKind::Text;
    if (isText && !model.tokenizers.source && !question.sourceIds)
        question.sourceIds = idsOf(question.text, model);
    if (question.targetText && !model.tokenizers.target && !question.targetIds)
        question.targetIds = idsOf(*std::exchange(question.targetText, {}), model);
    return question;
}

void checkEdits(const Question& question, const LoadedModel& model)
{
    RunEdits(question.edits).check(editExtent(model.model->info()));
}

std::vector<EditProblem> editProblems(const Question& asked, const LoadedModel& model)
{
    Question question = asked;
    const Tokenizers tokenizers = tokenizersFor(model, question);
    const ModelInfo& info = model.model->info();
    const Encoding source = info.input == InputKind::Text ? sourceOf(model, tokenizers, question) : Encoding();
    const auto output = givenOutput(question, info, indexSize(source.ids), targetOf(model, tokenizers, question));
    std::vector<EditProblem> problems;
    for (Index i = 0; i < indexSize(asked.edits); ++i) {
        try {
            const RunEdits one(std::span(asked.edits).subspan(i, 1));
            const Encoding edited = editedSource(source, one, info, tokenizers.source.get(), EditsFit::Required);
            one.check(editExtent(info, edited.ids, output));
        } catch (const EditError& error) {
            problems.push_back({i, withoutEdit(error)});
        }
    }
    return problems;
}

std::optional<TextBeginning> readableBeginning(const Question& asked, const LoadedModel& model)
{
    Question question = asked;
    const Tokenizers tokenizers = tokenizersFor(model, question);
    const std::optional<int> most = model.model->info().maximumLength;
    if (!most || question.sourceIds || model.model->info().input != InputKind::Text)
        return std::nullopt;
    const Encoding whole = sourceOf(model, tokenizers, question);
    Index excess = indexSize(whole.ids) - *most;
    if (excess <= 0)
        return std::nullopt;
    const std::size_t second = question.secondText ? question.text.size() + 1 : whole.text.size(); // begins there
    std::array<std::vector<std::size_t>, 2> ends; // of the tokens that stand for some of each text
    for (const ByteSpan& span : whole.spans) {
        std::vector<std::size_t>& own = ends[span.begin < second ? 0 : 1];
        if (span.end > span.begin && (own.empty() || span.end > own.back()))
            own.push_back(span.end);
    }
    const auto beginning = [&](std::size_t from, const std::vector<std::size_t>& until) {
        std::string text = whole.text.substr(from, until.empty() ? 0 : until.back() - from);
        text.resize(validUtf8Prefix(text));
        return text;
    };
    while (excess > 0) { // a text that is cut may fall into more tokens
        for (; excess > 0; --excess) {
            std::vector<std::size_t>& longer = ends[0].size() > ends[1].size() ? ends[0] : ends[1];
            if (ends[0].size() + ends[1].size() < 2) // nothing would be left
                return std::nullopt;
            longer.pop_back();
        }
        question.text = beginning(0, ends[0]);
        if (question.secondText)
            question.secondText = beginning(second, ends[1]);
        excess = indexSize(sourceOf(model, tokenizers, question).ids) - *most;
    }
    return TextBeginning{question.text, question.secondText, excess + *most};
}

Trace answer(const Question& asked, const LoadedModel& model, Engine& engine, const RunObserver& observer, EditsFit fit)
{
    if (engine.precision() != asked.precision)
        throw Error(ErrorKind::Input, "precision", "is not what this engine computes in");
    const ThreadStop ofTexts(observer.stop);
    Question question = asked;
    const Tokenizers tokenizers = tokenizersFor(model, question);
    const ModelInfo& info = model.model->info();
    checkInputKind(question, info);
    checkSpeech(question, info);
    SourceInput media =
        info.input == InputKind::Text ? SourceInput() : readSource(question, model, {observer.picture, observer.sound});
    Encoding source = info.input == InputKind::Text ? sourceOf(model, tokenizers, question) : std::move(media.tokens);
    if (info.input == InputKind::Text)
        checkSource(source, info);
    const RunEdits edits(question.edits);
    if (!question.edits.empty())
        source = editedSource(std::move(source), edits, info, tokenizers.source.get(), fit);
    const std::vector<TokenId> ids = source.ids;
    const std::vector<int> segments = source.segments;
    greyPatches(edits.greyed(), info.patches, source, media.values);
    const auto kept = keptMedia(std::move(media), observer.media.get());
    GivenOutput given{targetOf(model, tokenizers, question), prefixOf(model, tokenizers, question),
                      labelsOf(model, tokenizers, question), question.labelTexts};
    if (info.speech)
        addPrompt(question, *info.speech, given);
    AttentionEdits changes;
    if (!question.edits.empty()) {
        if (fit == EditsFit::Required)
            edits.check(editExtent(info, ids, givenOutput(question, info, indexSize(ids), given.whole)));
        changes = AttentionEdits(edits.edits(), editExtent(info).maps);
    }
    const RunLength length = lengthOf(info, question, ids, given);
    const EngineUse use(engine);
    const MapForm maps =
        checkMemory(*model.model, question, length, changes, engine, observer.mapBytes.value_or(limit(Limit::Maps)));
    const bool oneText = info.kind != ModelKind::EncoderDecoder;
    const auto tokenizer = oneText ? tokenizers.source : tokenizers.target;
    std::shared_ptr<const TokenDescriber> describer =
        observer.naming && tokenizer ? observer.naming(tokenizer) : tokenizer;
    if (info.speech && describer)
        describer = withTimeNames(std::move(describer), info.speech);
    const auto builder = std::make_shared<TraceBuilder>(std::move(source), describer, provenanceOf(model, asked, given),
                                                        observer.changed);
    builder->setMedia(kept);
    if (observer.started)
        observer.started(builder);
    RunContext context{engine, *builder, question.capture, observer.stop, !question.withoutPositions, {}};
    if (question.decoding.sampleHardAttention)
        context.hardSeed = question.decoding.seed;
    if (!changes.empty())
        context.edits = &changes;
    context.maps = maps;
    context.outputRoom = length.given + length.steps;
    decode(*model.model, {ids, segments, kept ? kept->input->view() : NumberView()}, given, question.decoding, context);
    if (info.speech)
        addTimes(model, given.prompt, *builder);
    return builder->snapshot();
}

} // namespace attn
