// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/model_summary.h"

namespace attn::ui {

namespace {

std::optional<std::string> effectiveLanguage(const std::optional<std::string>& asked, const QString& own,
                                             const QStringList& codes)
{
    if (codes.isEmpty())
        return std::nullopt;
    return asked && codes.contains(QString::fromStdString(*asked)) ? asked : own.toStdString();
}

DecodingOptions effectiveDecoding(const DecodingOptions& asked, bool forced, const ModelInfo& info)
{
    DecodingOptions options = asked;
    const bool searches = !forced
        && (info.kind == ModelKind::EncoderDecoder || (info.kind == ModelKind::DecoderOnly && asked.generate > 0));
    if (!searches) {
        options = {};
        options.sampleHardAttention = asked.sampleHardAttention && info.hardAttention;
        options.seed = asked.seed;
    }
    for (const DecodingRow& row : decodingRows()) {
        if (isUsed(row, options))
            continue;
        if (const auto usual = optionText(row, DecodingOptions()))
            setOption(row, options, *usual);
    }
    return options;
}

} // namespace

Question effectiveQuestion(Question question, const ModelSummary& model)
{
    question = fitted(std::move(question), model.info, model.readsText);
    question.model.clear();
    question.sourceLanguage = effectiveLanguage(question.sourceLanguage, model.sourceLanguage, model.languages);
    question.targetLanguage = effectiveLanguage(question.targetLanguage, model.targetLanguage, model.languages);
    question.decoding = effectiveDecoding(question.decoding, question.targetText.has_value(), model.info);
    return question;
}

} // namespace attn::ui
