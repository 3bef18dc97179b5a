// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/tabbed_page.h"

namespace attn::ui {

// Each is defined in its own file of this folder.
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
