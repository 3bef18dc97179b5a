// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/kinds/head_facts.h"
#include "figures/look/style.h"

#include <QRectF>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace attn::ui {

// Notes on the tiles of heads: their kind, or a measure as a number and as a meter.
class HeadNotes
{
public:
    HeadNotes(const FigureSpec& spec, const std::shared_ptr<const HeadFacts>& facts, const std::vector<HeadKey>& heads);

    const HeadWords& words() const { return m_words; }
    // Texts of the meters, to be placed; none: there are none.
    std::optional<ColorBar>& bar() { return m_bar; }
    const std::optional<ColorBar>& bar() const { return m_bar; }

    bool areTexts() const { return m_texts && (m_kinds || m_bar); }
    bool areKinds() const { return m_texts && m_kinds; }
    void leaveTextsOut() { m_texts = false; } // there is no room for them
    double band(const FigureStyle& style) const; // height above a tile that a name and a note need
    // Kinds by their marks where names of heads like this one and those of kinds do not fit on tiles so wide.
    void fit(const FigureStyle& style, double width, const QString& name);
    const QString& legend() const { return m_legend; } // of marks; empty: kinds are spelled

    // A note on the right of a band, beside the name of the head.
    void paint(QPainter& painter, const FigureStyle& style, const HeadKey& head, const QRectF& band,
               const QString& name) const;
    // Above a tile.
    void paintMeter(QPainter& painter, const FigureStyle& style, const HeadKey& head, const QRectF& tile,
                    double most) const;

private:
    QString textOf(const HeadKey& head) const;

    HeadWords m_words;
    std::vector<HeadKind> m_used; // kinds
    std::optional<ColorBar> m_bar;
    bool m_kinds = false; // some head has one, and it is said
    bool m_texts = true;
    QString m_legend;
};

} // namespace attn::ui
