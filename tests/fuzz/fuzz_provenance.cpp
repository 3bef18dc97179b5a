// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/provenance.h"
#include "fuzz_input.h"

#include <QByteArray>
#include <QString>

#include <array>
#include <string_view>

// The first byte chooses the form. What was found can be written, and is found again as it was written.
ATTN_FUZZ_TARGET(provenance)
{
    constexpr std::array forms = {"png", "svg", "pdf", "tex", "html", "gif"};
    if (size == 0)
        return 0;
    const QString form = QLatin1String(forms[data[0] % forms.size()]);
    const auto found = attn::ui::parseProvenance(attn::fuzz::text(data, size).substr(1), form);
    if (!found)
        return 0;
    const QByteArray lines = attn::ui::provenanceLines(*found, "% ");
    const std::string_view written(lines.constData(), static_cast<std::size_t>(lines.size()));
    const auto again = attn::ui::parseProvenance(written, QStringLiteral("tex"));
    attn::fuzz::require(again && attn::ui::provenanceLines(*again, "% ") == lines);
    return 0;
}
