// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/run_words.h"

#include "analysis/output_change.h"
#include "analysis/words.h"
#include "base/encoding.h"
#include "base/index.h"
#include "figures/kinds/edit_words.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/decimal.h"
#include "figures/look/language.h"
#include "figures/look/token_label.h"
#include "state/strings.h"
#include "state/study.h"
#include "text/tokenizer.h"
#include "trace/trace.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <variant>
#include <vector>

namespace attn::ui {

namespace {

// Text cut to what a line has room for.
QString oneLine(const std::optional<std::string>& utf8)
{
    constexpr std::size_t enough = 8192; // bytes
    return utf8 ? shortened(text(utf8->substr(0, enough)).simplified()) : QString();
}

QString modelName(const Run& run)
{
    return run.model ? run.model->name : QFileInfo(text(run.question->model)).fileName();
}

bool differsIn(const QuestionDifference& difference, std::string_view key)
{
    return std::any_of(difference.begin(), difference.end(),
                       [key](const RowDifference& row) { return row.key == key; });
}

const DecodingRow* optionOf(const RowDifference& row)
{
    const auto options = decodingRows();
    const auto found = std::find_if(options.begin(), options.end(), [&row](const DecodingRow& option) {
        return std::string_view(option.key) == row.key;
    });
    return found == options.end() ? nullptr : &*found;
}

QString valueWords(const DecodingRow& option, const RowDifference& row)
{
    const auto* const member = std::get_if<ChoiceMember<DecodingOptions>>(&option.member);
    if (std::holds_alternative<double DecodingOptions::*>(option.member))
        return oneLine(row.after).replace(QLatin1Char('.'), QLocale().decimalPoint());
    if (member == nullptr)
        return oneLine(row.after);
    const auto chosen = std::find_if(member->choices.begin(), member->choices.end(),
                                     [&row](const OptionChoice& choice) { return choice.name == row.after; });
    return chosen == member->choices.end() ? oneLine(row.after)
                                           : QCoreApplication::translate("options", chosen->label).toLower();
}

// "seed 7": as the row is called in the window.
QString optionWords(const DecodingRow& option, const RowDifference& row)
{
    QString label = option.label == nullptr ? QString(QLatin1String(row.key))
                                            : QCoreApplication::translate("options", option.label).toLower();
    label.remove(QLatin1Char('&'));
    return label + QLatin1Char(' ') + valueWords(option, row);
}

QString givenOutput(const RowDifference& row, const Run& /*run*/)
{
    return row.after ? Study::tr("output given: ") + oneLine(row.after) : Study::tr("output not given");
}

// Lines that are in the first text and not in the second.
QStringList linesOnlyIn(const std::optional<std::string>& first, const std::optional<std::string>& second)
{
    QStringList lines = text(first.value_or(std::string())).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString& line : text(second.value_or(std::string())).split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        lines.removeOne(line);
    return lines;
}

QString editWords(const RowDifference& row, const Trace& trace)
{
    const QStringList come = linesOnlyIn(row.after, row.before);
    const QStringList gone = linesOnlyIn(row.before, row.after);
    const auto named = [&trace](const QStringList& edits) {
        constexpr qsizetype mostNamed = 2;
        QStringList names;
        for (const QString& edit : edits.first(std::min(edits.size(), mostNamed)))
            names << editInWords(edit.toStdString(), trace);
        if (edits.size() > mostNamed)
            names << Study::tr("%1 more").arg(edits.size() - mostNamed);
        return names.join(QStringLiteral(", "));
    };
    if (!come.isEmpty())
        return named(come);
    if (!row.after || row.after->empty())
        return Study::tr("without edits");
    return gone.isEmpty() ? Study::tr("edits in another order") : Study::tr("without ") + named(gone);
}

// Words for a row's difference; null parts fall away.
struct Words
{
    const char* key;
    QString (*say)(const RowDifference& row, const Run& run);
};

constexpr Words words[] = {
    {"model", [](const RowDifference&, const Run& run) -> QString { return modelName(run); }},
    {"text",
     [](const RowDifference& row, const Run&) -> QString {
         const QString sentence = oneLine(row.after);
         return sentence.isEmpty() ? Study::tr("no sentence") : Study::tr("other sentence: ") + sentence;
     }},
    {"image",
     [](const RowDifference& row, const Run&) -> QString {
         return Study::tr("other picture: ") + QFileInfo(text(row.after.value_or(std::string()))).fileName();
     }},
    {"audio",
     [](const RowDifference& row, const Run&) -> QString {
         return Study::tr("other sound: ") + QFileInfo(text(row.after.value_or(std::string()))).fileName();
     }},
    {"text-pair",
     [](const RowDifference& row, const Run&) -> QString {
         return row.after ? Study::tr("second sentence: ") + oneLine(row.after) : Study::tr("no second sentence");
     }},
    {"source-ids",
     [](const RowDifference& row, const Run&) -> QString { return Study::tr("other ids: ") + oneLine(row.after); }},
    {"source-segments",
     [](const RowDifference&, const Run&) -> QString { return Study::tr("other sentences of the ids"); }},
    {"target", givenOutput},
    {"target-ids", givenOutput},
    {"source-language",
     [](const RowDifference& row, const Run&) -> QString { return Study::tr("from ") + oneLine(row.after); }},
    {"target-language",
     [](const RowDifference& row, const Run&) -> QString { return Study::tr("into ") + oneLine(row.after); }},
    {"precision", [](const RowDifference& row, const Run&) -> QString { return oneLine(row.after); }},
    {"without-positions",
     [](const RowDifference&, const Run& run) -> QString {
         return run.question->withoutPositions ? Study::tr("without positions") : Study::tr("with positions");
     }},
    {"decode",
     [](const RowDifference& row, const Run& run) -> QString {
         const DecodingOptions& decoding = run.question->decoding;
         return decoding.search == Search::Beam ? Study::tr("beam %1").arg(decoding.beamSize)
                                                : valueWords(*optionOf(row), row);
     }},
    {"generate", [](const RowDifference& row, const Run&) -> QString {
         return row.after == "0" ? Study::tr("only read") : Study::tr("continued by %1").arg(oneLine(row.after));
     }}};

QString rowWords(const RowDifference& row, const Run& run)
{
    const auto* const found = std::find_if(std::begin(words), std::end(words),
                                           [&row](const Words& one) { return one.key == std::string_view(row.key); });
    if (found != std::end(words))
        return found->say(row, run);
    if (const DecodingRow* const option = optionOf(row))
        return optionWords(*option, row);
    return QLatin1String(row.key) + QLatin1Char(' ') + oneLine(row.after);
}

// The text of tokens, or else their pieces.
QString wordsOf(const std::vector<TokenId>& tokens, const Run& run)
{
    Encoding read = run.model && run.model->writes ? run.model->writes->describe(tokens) : plainEncoding(tokens);
    QString written = text(read.text).simplified();
    if (!written.isEmpty() && !written.contains(QChar::ReplacementCharacter))
        return written;
    QStringList pieces;
    for (const std::string& piece : read.labels.empty() ? read.tokens : read.labels)
        pieces << pieceText(piece);
    return pieces.join(QLatin1Char(' '));
}

// Tokens that the run was made to go on with: of those that it was to begin with those that the other did not produce.
QString takenWords(const Run& run, const Run* before)
{
    const std::vector<TokenId> given = givenTokens(run.trace);
    if (run.trace.provenance().prefixIds.empty())
        return Study::tr("begins freely");
    std::size_t shared = given.size() - 1;
    if (before != nullptr)
        shared = std::min(shared, stepsAlong(before->trace, given).size());
    const std::vector<TokenId> taken(given.begin() + static_cast<std::ptrdiff_t>(shared), given.end());
    return Study::tr("took “") + wordsOf(taken, run) + Study::tr("” at step %1").arg(shared);
}

// Rows that say no more than what was taken: of a prompt that is cut there, and of how far it is continued.
bool saidByTaking(std::string_view key, const Run& run, const Run* before)
{
    if (before == nullptr || run.trace.kind() != ModelKind::DecoderOnly)
        return false;
    if (key == "generate")
        return true;
    const std::vector<TokenId>& read = run.trace.source().ids;
    const std::vector<TokenId>& other = before->trace.source().ids;
    return (key == "text" || key == "source-ids" || key == "source-segments") && read.size() <= other.size()
        && std::equal(read.begin(), read.end(), other.begin());
}

// Words that a masked-token head puts in the place of the masks.
QString expectedWords(const Trace& trace)
{
    QStringList found;
    const auto& tokens = trace.source().tokens;
    for (const auto& prediction : trace.predictions()) {
        const auto position = static_cast<std::size_t>(prediction->prediction.position);
        if (position < tokens.size() && isMaskPiece(tokens[position]) && !prediction->candidateTexts.empty())
            found << pieceText(prediction->candidateTexts.front());
    }
    return found.join(QStringLiteral(", "));
}

QString foundAnswer(const TokenPredictions& predictions, const Encoding& source)
{
    const auto span = bestSpan(predictions, source);
    return span ? oneLine(textOf(source, *span)) : QString();
}

// The label of each token.
QString labelsOf(const TokenPredictions& predictions)
{
    QStringList labels;
    for (Index token = 0; token < predictions.logits.rows; ++token) {
        const Classification one = predictions.ofToken(token);
        labels << text(one.labels.at(static_cast<std::size_t>(one.best())));
    }
    return labels.join(QLatin1Char(' '));
}

QString readable(const Encoding& encoding)
{
    if (!encoding.text.empty())
        return oneLine(encoding.text);
    QStringList pieces;
    for (const std::string& token : encoding.tokens)
        pieces << text(token);
    return pieces.join(QLatin1Char(' '));
}

} // namespace

QString differenceText(const QuestionDifference& difference, const Run& run, const Run* before)
{
    QStringList parts;
    const bool takes = differsIn(difference, "prefix") || differsIn(difference, "prefix-ids");
    if (takes)
        parts << takenWords(run, before);
    for (const RowDifference& row : difference) {
        const std::string_view key = row.key;
        if (takes && (key == "prefix" || key == "prefix-ids" || saidByTaking(key, run, before)))
            continue;
        if (std::string_view(row.key) == "beam" && differsIn(difference, "decode"))
            continue; // said with the search
        parts << (key == "edit" ? editWords(row, (before == nullptr ? run : *before).trace) : rowWords(row, run));
    }
    return parts.isEmpty() ? Study::tr("asked again") : parts.join(QStringLiteral(", "));
}

QString runName(const RunTree& runs, const Run& run)
{
    if (!run.change.empty())
        return readableToken(shortened(text(run.change)).toStdString());
    if (const Run* const parent = runs.find(run.parent)) {
        if (const auto differs = difference(*parent, run))
            return differenceText(*differs, run, parent);
    }
    if (!run.question)
        return QFileInfo(run.opened).fileName();
    const Question& asked = *run.question;
    const auto& file = asked.audio ? asked.audio : asked.image;
    const QString read = file ? QFileInfo(text(*file)).fileName() : QString();
    return modelName(run) + QStringLiteral(": ")
        + (read.isEmpty() ? oneLine(asked.text) : readableToken(read.toStdString()));
}

QString runOutput(const Trace& trace)
{
    if (const auto& classes = trace.classification()) {
        const auto best = static_cast<std::size_t>(classes->best());
        const QString label = text(classes->labels.at(best));
        return classes->reading == ClassReading::Value
            ? label + QLatin1Char(' ') + decimal(classes->probabilities.at(best), 4)
            : label;
    }
    if (const auto& match = trace.match(); match && match->similarity)
        return Study::tr("similarity %1").arg(decimal(static_cast<double>(*match->similarity), 2));
    if (const auto& labelled = trace.tokenPredictions())
        return labelled->task == TaskHead::Span ? foundAnswer(*labelled, trace.source()) : labelsOf(*labelled);
    if (trace.kind() == ModelKind::EncoderOnly)
        return expectedWords(trace);
    return readable(trace.kind() == ModelKind::DecoderOnly ? trace.sequence() : trace.target());
}

std::optional<double> runLogProbability(const Trace& trace)
{
    if (const auto& classes = trace.classification()) {
        const double best = classes->probabilities.at(static_cast<std::size_t>(classes->best()));
        return classes->reading == ClassReading::Value ? std::nullopt : std::optional(std::log(best));
    }
    const Trace::Path path = trace.path();
    if (path.empty())
        return std::nullopt;
    double sum = 0;
    for (const auto& step : path)
        sum += step->step.logProbability;
    return std::isfinite(sum) ? std::optional(sum) : std::nullopt;
}

bool isMarked(const Run& run)
{
    return !run.note.empty() || (!run.change.empty() && !run.archive);
}

QString logProbabilityText(double value)
{
    return decimal(value, 2);
}

QString writtenText(const Trace& trace, std::optional<StepId> leaf)
{
    if (trace.kind() == ModelKind::EncoderOnly || !trace.has(leaf))
        return {};
    const bool continues = trace.kind() == ModelKind::DecoderOnly;
    const Trace::Path path = trace.path(leaf);
    if (indexSize(path) <= (continues ? trace.givenSteps() : 0))
        return {};
    const Encoding tokens = continues ? trace.sequence(leaf) : trace.target(leaf);
    if (!tokens.text.empty())
        return QString::fromStdString(tokens.text).trimmed();
    QStringList pieces; // of a model without a tokenizer
    for (int token = 0; token < indexSize(tokens.tokens); ++token) {
        if (!isSpecial(tokens, token))
            pieces << QString::fromStdString(tokens.tokens[token]);
    }
    return pieces.join(QLatin1Char(' '));
}

std::optional<MaskedWord> maskedWord(const Study& study, std::optional<int> token)
{
    const Encoding& source = study.trace().source();
    const auto index = static_cast<std::size_t>(token.value_or(0));
    if (!token || !study.model() || study.model()->maskToken.isEmpty() || index >= source.size()
        || source.spans.size() != source.size() || index >= source.tokens.size())
        return std::nullopt;
    const std::vector<int> words = textWords(source);
    if (index >= words.size() || words[index] == noWord)
        return std::nullopt;
    const int word = words[index];
    const auto isOther = [word](int other) { return other != word; };
    const auto at = words.begin() + *token;
    const auto last = static_cast<std::size_t>(std::find_if(at, words.end(), isOther) - words.begin()) - 1;
    const auto first = static_cast<std::size_t>(
        std::find_if(std::make_reverse_iterator(at), words.rend(), isOther).base() - words.begin());
    if (isMaskPiece(source.tokens[first]) || source.spans[first].begin >= source.spans[last].end
        || source.spans[last].end > source.text.size())
        return std::nullopt;
    // Spans of a pair lie in both texts with a line feed between.
    const std::size_t firstLength = study.trace().provenance().text.size();
    MaskedWord masked;
    masked.inSecond = first < source.segments.size() && source.segments[first] > 0;
    const std::size_t begin = masked.inSecond ? firstLength + 1 : 0;
    const std::size_t end = masked.inSecond || source.segments.empty() ? source.text.size() : firstLength;
    masked.text = source.text.substr(begin, end - begin);
    masked.text.replace(source.spans[first].begin - begin, source.spans[last].end - source.spans[first].begin,
                        study.model()->maskToken.toStdString());
    masked.masksBefore = static_cast<int>(
        std::count_if(source.tokens.begin(), source.tokens.begin() + static_cast<std::ptrdiff_t>(first), isMaskPiece));
    return masked;
}

} // namespace attn::ui
