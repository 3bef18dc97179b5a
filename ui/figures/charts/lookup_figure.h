// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/scores.h"
#include "figures/figure.h"

#include <QByteArray>
#include <QStringList>

#include <optional>
#include <span>
#include <vector>

namespace attn::ui {

// A soft lookup with all that went into it.
struct LookupContent
{
    QStringList names; // one per entry
    std::vector<LookupEntry> entries;
    std::vector<float> query;
    float sharpness = 1;
    std::optional<std::size_t> exact; // what an ordinary table answers
    SoftLookup answer;

    float part(int row) const { return answer.weights[row] * entries[row].value; } // of the result
};

// A row per entry: key, score, weight as a coloured bar, value and what it contributes; their sum beneath.
std::unique_ptr<const Figure> lookupFigure(const FigureSpec& spec, const LookupContent& content, QSizeF size);

// "(0.9, 0.4)"
QString lookupVector(std::span<const float> components);
// A line per entry with all its numbers, then the query and the sums (RFC 4180).
QByteArray lookupCsv(const LookupContent& content);

} // namespace attn::ui
