// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "edits/edit.h"
#include "figures/figure_spec.h"
#include "trace/trace.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attn::ui {

// Place of an edit that is made in a view.
struct EditPlace
{
    std::optional<AttentionEdit> cells; // with its stage and layer
    // Cells that are shown as one: a merged word's weight is shared by its columns.
    int columns = 1;
    float value = 0; // shown there
    bool isCell = false;
    std::vector<Index> tokens; // of the given input that stand there
    bool isText = true; // that input is, and no picture or sound
    bool isPatch = false; // of a picture, all of them are
    QString tokenName; // of the first
};

// Place of a hit in the figure that the spec asks of the trace.
EditPlace editPlace(const FigureSpec& spec, const Trace& trace, const FigureHit& hit);

// Input of an edit beside its place.
struct EditInput
{
    float number = 0;
    std::optional<TokenId> token; // or the word
    std::string word;
};

// One kind of edit: adding a row adds it to the menu of a place in every view.
struct EditRow
{
    enum class Takes : std::uint8_t { Nothing, Number, Token };

    const char* id; // of its action
    const char* title; // for translated()
    Takes takes;
    bool (*fits)(const EditPlace& place);
    std::vector<Edit> (*make)(const EditPlace& place, const EditInput& input);
};
std::span<const EditRow> editRows();

// Edits as --edit takes them.
std::vector<std::string> editTexts(const EditRow& row, const EditPlace& place, const EditInput& input = {});

// The weight that `number` shown at a place is in each of its cells, and the edit that sets it.
std::string settingText(const EditPlace& place, float number);

} // namespace attn::ui
