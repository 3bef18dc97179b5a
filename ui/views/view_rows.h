// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/look/language.h"
#include "views/figure_view.h"

#include <span>

namespace attn::ui {

// One view: adding a row adds its tab, its name on the command line and its place in the settings.
struct ViewRow
{
    const char* id; // on the command line and in settings
    const char* title; // of the tab, for translated()
    const char* readingTitle; // of models that only read; null: the same
    const FigureKind* figure;
    QWidget* (*make)(const ViewContext& context);
    // Whether what is open has something for it, beside FigureKind::isIn; null: always.
    bool (*suits)(const Study& study) = nullptr;
};

// In the order of the tabs; the first is made at the start, the others when they are first looked at.
std::span<const ViewRow> viewRows();

} // namespace attn::ui
