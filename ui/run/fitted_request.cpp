// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/fitted_request.h"

#include "base/error.h"

#include <QRegularExpression>
#include <QString>

#include <algorithm>

namespace attn::ui {

namespace {

// "5 9, 2" as ids.
std::vector<TokenId> idsOf(const std::string& text, const LoadedModel& model)
{
    static const QRegularExpression between(QStringLiteral("[\\s,;]+"));
    std::vector<TokenId> ids;
    for (const QString& number : QString::fromStdString(text).split(between, Qt::SkipEmptyParts)) {
        bool valid = false;
        ids.push_back(number.toInt(&valid));
        if (!valid)
            throw Error(ErrorKind::Input, model.name,
                        model.tokenizerProblem
                            ? std::string("reads numbers instead of text: ") + model.tokenizerProblem->what()
                            : "has no tokenizer files, so it reads numbers instead of text",
                        "type ids such as 5 9 2");
    }
    return ids;
}

// A language of another model is not asked for.
void fitLanguage(std::optional<std::string>& language, const std::optional<Languages>& known)
{
    if (!known || (language && std::ranges::find(known->codes, *language) == known->codes.end()))
        language.reset();
}

} // namespace

RunRequest fittedRequest(RunRequest request, const LoadedModel& model)
{
    fitLanguage(request.sourceLanguage, model.tokenizers.languages);
    fitLanguage(request.targetLanguage, model.tokenizers.languages);
    const ModelInfo& info = model.model->info();
    if (info.kind != ModelKind::EncoderDecoder)
        request.targetText.reset();
    if (info.kind != ModelKind::EncoderOnly || info.segments < 2 || !model.tokenizers.source)
        request.secondText.reset();
    if (!model.tokenizers.source && !request.sourceIds)
        request.sourceIds = idsOf(request.text, model);
    return request;
}

} // namespace attn::ui
