// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/tabbed_page.h"

namespace attn::ui {

// Each is defined in its own file of this folder.
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

} // namespace attn::ui
