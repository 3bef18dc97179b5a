// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "state/picked_heads.h"

#include <algorithm>
#include <utility>

namespace attn::ui {

void pickNone(Appearance& appearance)
{
    appearance.choose([](FigureChoices& choices) {
        choices.heads.clear();
        choices.otherHeads.clear();
    });
}

void pickHeads(Selection& selection, Appearance& appearance, std::vector<HeadPlace> picked, HeadPlace at)
{
    if (picked.empty())
        return pickNone(appearance);
    std::ranges::sort(picked);
    if (!std::ranges::binary_search(picked, at))
        at = picked.front();
    std::vector<int> heads;
    std::vector<HeadPlace> others;
    for (const HeadPlace& place : picked) {
        if (place.layer == at.layer)
            heads.push_back(place.head);
        else
            others.push_back(place);
    }
    appearance.choose([&](FigureChoices& choices) {
        choices.heads = std::move(heads);
        choices.otherHeads = std::move(others);
    });
    const HeadChoice now = selection.head();
    const HeadChoice together = std::holds_alternative<HeadSummary>(now) ? now : HeadSummary::Mean;
    selection.setSiteAndHead({selection.site().stage, at.layer},
                             picked.size() == 1 ? HeadChoice(picked.front().head) : together);
}

} // namespace attn::ui
