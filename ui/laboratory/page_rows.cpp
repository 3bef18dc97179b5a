// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/page_rows.h"

#include "base/error.h"

#include <QCoreApplication>

#include <string>

namespace attn::ui {

// Each is defined in a folder of its own.
LaboratoryPage* makeComparePage(const LaboratoryContext& context);
LaboratoryPage* makeLengthPage(const LaboratoryContext& context);
LaboratoryPage* makeStepPage(const LaboratoryContext& context);
LaboratoryPage* makeScalingPage(const LaboratoryContext& context);
LaboratoryPage* makeLookupPage(const LaboratoryContext& context);
LaboratoryPage* makeOrderPage(const LaboratoryContext& context);
LaboratoryPage* makeEmbeddingsPage(const LaboratoryContext& context);

namespace {

constexpr PageRow labPages[] = {
    {"compare", QT_TRANSLATE_NOOP("attn::ui", "Compare models"),
     QT_TRANSLATE_NOOP("attn::ui", "&Compare models on this sentence"), makeComparePage},
    {"length", QT_TRANSLATE_NOOP("attn::ui", "The curse of sentence length"),
     QT_TRANSLATE_NOOP("attn::ui", "What does a longer &sentence cost?"), makeLengthPage},
    {"step", QT_TRANSLATE_NOOP("attn::ui", "Inside one step"), nullptr, makeStepPage},
    {"scaling", QT_TRANSLATE_NOOP("attn::ui", "Why scale by the square root of d"), nullptr, makeScalingPage},
    {"lookup", QT_TRANSLATE_NOOP("attn::ui", "A lookup that is soft"),
     QT_TRANSLATE_NOOP("attn::ui", "How is attention a soft &lookup?"), makeLookupPage},
    {"order", QT_TRANSLATE_NOOP("attn::ui", "Order"),
     QT_TRANSLATE_NOOP("attn::ui", "Does the &order of the words matter?"), makeOrderPage},
    {"embeddings", QT_TRANSLATE_NOOP("attn::ui", "Embeddings"), nullptr, makeEmbeddingsPage}};

} // namespace

std::span<const PageRow> pageRows()
{
    return labPages;
}

Page pageOf(std::string_view id)
{
    std::string ids;
    for (const PageRow& row : labPages) {
        if (id == row.id)
            return static_cast<Page>(&row - std::begin(labPages));
        ids += (ids.empty() ? "" : ", ") + std::string(row.id);
    }
    throw Error(ErrorKind::Input, "--laboratory", "there is no page '" + std::string(id) + "'", "use one of " + ids);
}

QString pageName(Page page)
{
    return QCoreApplication::translate("attn::ui", pageRows()[static_cast<std::size_t>(page)].title);
}

QKeySequence pageShortcut(Page page)
{
    return QKeyCombination(Qt::CTRL, static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(page)));
}

} // namespace attn::ui
