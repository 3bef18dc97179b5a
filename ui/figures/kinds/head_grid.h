// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/kinds/head_facts.h"
#include "figures/kinds/head_thumbnails.h"
#include "figures/parts/styled_figure.h"

#include <memory>
#include <optional>
#include <vector>

namespace attn::ui {

extern const FigureKind headGridKind; // a thumbnail for every head of a stage

// A figure of it. There may be a million heads: nothing that is asked of one goes through all.
class HeadGrid : public StyledFigure
{
public:
    // The nearest on this side: in the same line, or above or below; none: there is none. Of a head that is not there
    // the first of all.
    virtual std::optional<HeadPlace> nextTo(HeadPlace from, QPointF side) const = 0;
    // Heads from one to the other, as they are read: line by line. The second alone where one of them is not there.
    virtual std::vector<HeadPlace> between(HeadPlace a, HeadPlace b) const = 0;

protected:
    using StyledFigure::StyledFigure;
};

// With thumbnails that were made before, and what is known of the heads; null: they are on their way.
std::unique_ptr<const HeadGrid> headGridFigure(const FigureSpec& spec, const Trace& trace,
                                               const std::shared_ptr<const HeadThumbnails>& thumbnails,
                                               const std::shared_ptr<const HeadFacts>& facts, QSizeF size);

} // namespace attn::ui
