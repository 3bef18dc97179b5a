// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/page_rows.h"

#include "base/error.h"
#include "laboratory/compare/compare_page.h"
#include "laboratory/embeddings/embeddings_page.h"
#include "laboratory/length/length_page.h"
#include "laboratory/lookup/lookup_page.h"
#include "laboratory/order/order_page.h"
#include "laboratory/scaling/scaling_page.h"
#include "laboratory/step/step_page.h"

#include <QCoreApplication>

#include <string>

namespace attn::ui {

namespace {

template<class Made>
LaboratoryPage* makePage(const LaboratoryContext& context)
{
    return new Made(context);
}

constexpr PageRow labPages[] = {
    {"compare", QT_TRANSLATE_NOOP("attn::ui", "Compare models"),
     QT_TRANSLATE_NOOP("attn::ui", "&Compare models on this sentence"), makePage<ComparePage>},
    {"length", QT_TRANSLATE_NOOP("attn::ui", "The curse of sentence length"),
     QT_TRANSLATE_NOOP("attn::ui", "What does a longer &sentence cost?"), makePage<LengthPage>},
    {"step", QT_TRANSLATE_NOOP("attn::ui", "Inside one step"), nullptr, makePage<StepPage>},
    {"scaling", QT_TRANSLATE_NOOP("attn::ui", "Why scale by the square root of d"), nullptr, makePage<ScalingPage>},
    {"lookup", QT_TRANSLATE_NOOP("attn::ui", "A lookup that is soft"),
     QT_TRANSLATE_NOOP("attn::ui", "How is attention a soft &lookup?"), makePage<LookupPage>},
    {"order", QT_TRANSLATE_NOOP("attn::ui", "Order"),
     QT_TRANSLATE_NOOP("attn::ui", "Does the &order of the words matter?"), makePage<OrderPage>},
    {"embeddings", QT_TRANSLATE_NOOP("attn::ui", "Embeddings"), nullptr, makePage<EmbeddingsPage>}};

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
