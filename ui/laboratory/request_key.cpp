// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/request_key.h"

namespace attn::ui {

QString requestKey(const QString& model, const RunRequest& request)
{
    const auto part = [](const std::optional<std::string>& text) {
        return text ? QLatin1Char('=') + QString::fromStdString(*text) : QString();
    };
    const DecodingOptions& decoding = request.decoding;
    const QStringList parts{model,
                            QString::fromStdString(request.text),
                            part(request.secondText),
                            part(request.sourceLanguage),
                            part(request.targetLanguage),
                            part(request.targetText),
                            QString::fromStdString(decoding.describe()),
                            QString::number(decoding.seed),
                            QString::number(decoding.temperature, 'g', 17),
                            QString::number(decoding.topK),
                            QString::number(decoding.topP, 'g', 17),
                            QString::number(decoding.maxLength),
                            QString::number(decoding.generate),
                            QString::number(decoding.sampleHardAttention ? 1 : 0)};
    return parts.join(QChar(0x1F)); // a separator that no text line has
}

} // namespace attn::ui
