// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/look/language.h"
#include "laboratory/laboratory_page.h"

#include <QKeySequence>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace attn::ui {

// Topic of a page. From Cell on it is found at a place in a view, which the page is told.
enum class Topic : std::uint8_t { Sentence, Order, Cell, Head, Token };

// One page of the laboratory: adding a row adds it to menus, the list of pages, the keys and the command line.
struct PageRow
{
    const char* id; // on the command line
    const char* title; // for translated()
    Topic topic;
    const char* question; // its name in the menu of a place in a view; of a token, whose name follows; null: the title
    LaboratoryPage* (*make)(const LaboratoryContext& context);
};
std::span<const PageRow> pageRows();

// A row of pageRows(); {} is the first.
enum class Page : int {};

const PageRow& rowOf(Page page);
std::optional<Page> pageOf(std::string_view id); // none has this id
Page pageAbout(Topic topic); // the first of them
// Name in menus and in the list of pages.
QString pageName(Page page);
// Ctrl and its place in the list, the same in every window.
QKeySequence pageShortcut(Page page);

} // namespace attn::ui
