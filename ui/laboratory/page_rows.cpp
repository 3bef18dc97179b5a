// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/page_rows.h"

#include "figures/look/language.h"
#include "laboratory/laboratory_page.h"

#include <algorithm>
#include <iterator>

namespace attn::ui {

// Each is defined in a folder of its own.
LaboratoryPage* makeComparePage(const LaboratoryContext& context);
LaboratoryPage* makeLengthPage(const LaboratoryContext& context);
LaboratoryPage* makeStepPage(const LaboratoryContext& context);
LaboratoryPage* makeScalingPage(const LaboratoryContext& context);
LaboratoryPage* makeLookupPage(const LaboratoryContext& context);
LaboratoryPage* makeOrderPage(const LaboratoryContext& context);
LaboratoryPage* makeEmbeddingsPage(const LaboratoryContext& context);
LaboratoryPage* makeSweepPage(const LaboratoryContext& context);
LaboratoryPage* makeExplainPage(const LaboratoryContext& context);
LaboratoryPage* makeAlignmentPage(const LaboratoryContext& context);
LaboratoryPage* makeLookPage(const LaboratoryContext& context);

namespace {

constexpr PageRow labPages[] = {
    {"compare", QT_TRANSLATE_NOOP("attn::ui", "Compare models"), Topic::Sentence, nullptr, makeComparePage},
    {"length", QT_TRANSLATE_NOOP("attn::ui", "The curse of sentence length"), Topic::Sentence, nullptr, makeLengthPage},
    {"step", QT_TRANSLATE_NOOP("attn::ui", "Inside one step"), Topic::Cell,
     QT_TRANSLATE_NOOP("attn::ui", "Wh&y this weight?"), makeStepPage},
    {"scaling", QT_TRANSLATE_NOOP("attn::ui", "Why scale by the square root of d"), Topic::Head, nullptr,
     makeScalingPage},
    {"lookup", QT_TRANSLATE_NOOP("attn::ui", "A lookup that is soft"), Topic::Sentence, nullptr, makeLookupPage},
    {"order", QT_TRANSLATE_NOOP("attn::ui", "Order"), Topic::Order, nullptr, makeOrderPage},
    {"embeddings", QT_TRANSLATE_NOOP("attn::ui", "Embeddings"), Topic::Token,
     QT_TRANSLATE_NOOP("attn::ui", "Neighbours of "), makeEmbeddingsPage},
    {"sweep", QT_TRANSLATE_NOOP("attn::ui", "Sweep"), Topic::Sentence, nullptr, makeSweepPage},
    {"explain", QT_TRANSLATE_NOOP("attn::ui", "Does attention explain?"), Topic::Sentence, nullptr, makeExplainPage},
    {"alignment", QT_TRANSLATE_NOOP("attn::ui", "Alignment desk"), Topic::Sentence, nullptr, makeAlignmentPage},
    {"look", QT_TRANSLATE_NOOP("attn::ui", "Look and tell"), Topic::Sentence, nullptr, makeLookPage}};

Page pageAt(const PageRow* row)
{
    return static_cast<Page>(row - std::begin(labPages));
}

} // namespace

std::span<const PageRow> pageRows()
{
    return labPages;
}

const PageRow& rowOf(Page page)
{
    return labPages[static_cast<std::size_t>(page)];
}

std::optional<Page> pageOf(std::string_view id)
{
    const auto* row = std::ranges::find(labPages, id, &PageRow::id);
    return row == std::end(labPages) ? std::nullopt : std::optional(pageAt(row));
}

Page pageAbout(Topic topic)
{
    return pageAt(std::ranges::find(labPages, topic, &PageRow::topic));
}

QString pageName(Page page)
{
    return translated(rowOf(page).title);
}

QKeySequence pageShortcut(Page page)
{
    constexpr int digits = 9;
    const int number = static_cast<int>(page);
    return number < digits ? QKeyCombination(Qt::CTRL, static_cast<Qt::Key>(Qt::Key_1 + number))
                           : QKeyCombination(Qt::CTRL | Qt::SHIFT, static_cast<Qt::Key>(Qt::Key_A + number - digits));
}

// Tabs of a page, each defined in a file of explain/.
LaboratoryPage* makeFaithfulness(const LaboratoryContext& context);
LaboratoryPage* makeOtherWeights(const LaboratoryContext& context);

LaboratoryPage* makeExplainPage(const LaboratoryContext& context)
{
    auto* page = new TabbedPage(
        context, "explainTabs",
        TabbedPage::tr(
            "A picture of attention is no proof. How far does each reading agree with what happens when words "
            "are really taken away, and what does the output do when the weights are others?"));
    page->add(makeFaithfulness(context), TabbedPage::tr("Faithfulness"));
    page->add(makeOtherWeights(context), TabbedPage::tr("Other weights"));
    return page;
}

// Tabs of a page, each defined in a file of order/.
LaboratoryPage* makeOrderShuffle(const LaboratoryContext& context);
LaboratoryPage* makeOrderRotation(const LaboratoryContext& context);
LaboratoryPage* makeOrderSchemes(const LaboratoryContext& context);

// Use and form of positions: words shuffled, an offset as a rotation, and what each scheme makes of two positions.
LaboratoryPage* makeOrderPage(const LaboratoryContext& context)
{
    auto* page = new TabbedPage(
        context, "orderTabs",
        TabbedPage::tr("Self-attention alone does not know the order of its words: shuffle them, and the outputs "
                       "are merely shuffled too. Positional encodings put the order in."));
    page->add(makeOrderShuffle(context), TabbedPage::tr("Shuffle the words"));
    page->add(makeOrderRotation(context), TabbedPage::tr("An offset is a rotation"));
    page->add(makeOrderSchemes(context), TabbedPage::tr("Products of positions"));
    return page;
}

} // namespace attn::ui
