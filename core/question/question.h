// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "base/half.h"
#include "base/option_row.h"
#include "decoding/options.h"
#include "models/model_info.h"
#include "trace/capture.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

enum class SpeechTask : std::uint8_t { Transcribe, Translate };

// Everything that a run depends on. Two equal questions to the same model have the same answer.
struct Question
{
    std::string model; // bundled name, checkpoint directory or file
    std::string text;
    std::optional<std::string> secondText; // of a sentence pair
    std::optional<std::string> sourceLanguage; // multilingual models; none: as the model's files say
    std::optional<std::string> targetLanguage;
    std::optional<std::vector<TokenId>> sourceIds; // instead of text; used as given
    std::optional<std::string> image; // the file of a picture, for models that read one
    std::optional<std::string> audio; // the file of a sound, for models that read one
    double start = 0; // second of the sound from which it is read
    SpeechTask task = SpeechTask::Transcribe; // of models that write down what they hear
    bool timestamps = false; // they write times, too
    std::vector<std::string> labelTexts; // that a picture is compared with, for models of pictures and texts
    std::vector<int> sourceSegments; // token types of sourceIds; empty: all 0
    std::optional<std::string> targetText; // force this output
    std::optional<std::vector<TokenId>> targetIds;
    std::optional<std::string> prefixText; // the output begins with it and goes on freely
    std::optional<std::vector<TokenId>> prefixIds;
    std::vector<std::string> edits; // what the run is made to do differently, as edits/edit.h reads them; in order
    DecodingOptions decoding;
    Precision precision = Precision::F32;
    Capture capture;
    bool withoutPositions = false; // the model runs without its positional encoding
    std::map<std::string, std::string> others; // fields of the text form that are not known here, as JSON

    friend bool operator==(const Question&, const Question&) = default;
};

// The fields besides the decoding options, which have their own rows.
std::span<const OptionRow<Question>> questionRows();
std::span<const OptionRow<Capture>> captureRows();

// Calls visit(row, owner) for every row of a question, const or not, and the part of it that the row is about.
template<class Asked, class Visit>
void visitRows(Asked& question, Visit visit)
{
    for (const auto& row : questionRows())
        visit(row, question);
    for (const auto& row : decodingRows())
        visit(row, question.decoding);
    for (const auto& row : captureRows())
        visit(row, question.capture);
}

// Where nothing else is asked: a translation with a turn in the order of its words, and how far a text is continued.
Question usualQuestion();

// The question without what such a model makes no use of.
Question fitted(Question question, const ModelInfo& info, bool readsText);

// Word of the provenance for following a given output instead of searching.
inline constexpr const char* followsOutput = "forced";

// The canonical text form: a JSON object with sorted keys, one per row that differs from its default. Bytes that are no
// UTF-8 are replaced.
std::string questionText(const Question& question);
// Fields that are missing have their defaults, unknown ones are kept. Throws Error{Format, Input} naming `where` and
// the field. With `refused`, a field that makes no sense keeps its default and its error is added there.
Question parseQuestion(std::string_view text, const std::string& where, std::vector<std::string>* refused = nullptr);

// Difference of one row in another question, as the row writes it; none: not given.
struct RowDifference
{
    const char* key = ""; // of the row
    std::optional<std::string> before;
    std::optional<std::string> after;

    friend bool operator==(const RowDifference& a, const RowDifference& b)
    {
        return std::string_view(a.key) == b.key && a.before == b.before && a.after == b.after;
    }
};

// Differences in the order of the rows; what is captured makes no difference to an answer. Empty: the same was asked.
using QuestionDifference = std::vector<RowDifference>;
QuestionDifference difference(const Question& before, const Question& after);

// Whether the same model is asked about the same text in the same languages, however it is asked.
bool sameSentence(const Question& a, const Question& b);

} // namespace attn
