// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/selection.h"

#include <algorithm>

namespace attn::ui {

void pickNone(Appearance& appearance)
{
    appearance.choose([](FigureChoices& choices) { choices.heads = {}; });
}

void pickHeads(Selection& selection, Appearance& appearance, std::vector<HeadPlace> picked, HeadPlace at)
{
    if (picked.empty())
        return pickNone(appearance);
    std::ranges::sort(picked);
    if (!std::ranges::binary_search(picked, at))
        at = picked.front();
    appearance.choose([&](FigureChoices& choices) { choices.heads = HeadSet::of(picked, at.layer); });
    const HeadReading now = selection.head();
    const HeadReading together = now.reading().of == ReadingOf::Heads ? now : meanOfHeads;
    selection.setSiteAndHead({selection.site().stage, at.layer},
                             picked.size() == 1 ? now.ofHead(picked.front().head) : together);
}

} // namespace attn::ui
