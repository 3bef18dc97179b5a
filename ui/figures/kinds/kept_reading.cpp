// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/kept_reading.h"

#include "figures/figure.h"
#include "figures/look/token_label.h"
#include "figures/look/translated.h"
#include "trace/kept_readings.h"

namespace attn::ui {

bool hasReading(const Trace& trace, const char* method)
{
    return trace.readings() && !trace.readings()->lacks.contains(method);
}

QString withModel(const Trace& trace, const QString& text)
{
    const std::string& model = trace.provenance().model;
    return model.empty() ? text : readableToken(model) + QStringLiteral(" \u00B7 ") + text;
}

QString whyNotKept(const char* method, const Trace& trace)
{
    const auto& kept = trace.readings();
    if (!kept || !kept->lacks.contains(method))
        return Figure::tr("Not computed yet: it needs a finished run of the model");
    return Figure::tr("Not here: %1.").arg(translated(kept->lacks.at(method).c_str()));
}

} // namespace attn::ui
