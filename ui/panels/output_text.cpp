// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/output_text.h"

#include "base/index.h"
#include "base/special_tokens.h"

#include <QStringList>

namespace attn::ui {

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

} // namespace attn::ui
