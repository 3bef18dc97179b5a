// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "laboratory/laboratory_page.h"

#include <QKeySequence>

#include <span>
#include <string_view>

namespace attn::ui {

// One page of the laboratory: adding a row adds it to menus, the list of pages, the keys and the command line.
struct PageRow
{
    const char* id; // on the command line
    const char* title; // for QCoreApplication::translate("attn::ui", title)
    const char* question; // that the menu of a place in a view asks, for the same; null: the place itself is looked at
    LaboratoryPage* (*make)(const LaboratoryContext& context);
};
std::span<const PageRow> pageRows();

// A row of pageRows(); {} is the first.
enum class Page : int {};

// Throws attn::Error{Input} that lists the ids.
Page pageOf(std::string_view id);
// As menus and the list of pages name it.
QString pageName(Page page);
// Ctrl and its place in the list, the same in every window.
QKeySequence pageShortcut(Page page);

} // namespace attn::ui
