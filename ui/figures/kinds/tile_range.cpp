// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/tile_range.h"

#include <algorithm>
#include <cmath>

namespace attn::ui {

void TileRange::add(const Numbers& matrix, const std::vector<bool>& leftOut, const CellTest& blank)
{
    RangeEnd own(m_spec.clip);
    addToRange(own, matrix, leftOut, blank);
    m_all.add(own);
    if (!m_layer)
        m_layer.emplace(m_spec.clip);
    m_layer->add(own);
    m_ends.push_back(m_spec.range.of == ColorRange::Of::Head ? own.value() : 0);
}

void TileRange::endLayer()
{
    if (m_spec.range.of == ColorRange::Of::Layer && m_layer)
        std::fill(m_ends.begin() + static_cast<std::ptrdiff_t>(m_layerStart), m_ends.end(), m_layer->value());
    m_layer.reset();
    m_layerStart = m_ends.size();
}

void TileRange::finish(HeadThumbnails& thumbnails) const
{
    thumbnails.largest = m_spec.range.of == ColorRange::Of::Row ? 1 : roundEnd(m_spec, m_all.value());
    for (std::size_t i = 0; i < thumbnails.tiles.size(); ++i)
        thumbnails.tiles[i].end = m_ends[i] > 0 ? m_ends[i] : thumbnails.largest;
}

void shareRows(Numbers& matrix, const FigureSpec& spec, const std::vector<bool>& leftOut)
{
    for (int row = 0; row < matrix.rows && spec.range.of == ColorRange::Of::Row; ++row) {
        RangeEnd counting(spec.clip);
        RangeEnd everything(spec.clip);
        for (int column = 0; column < matrix.columns; ++column) {
            everything.add(matrix.at(row, column));
            if (leftOut.empty() || !leftOut[static_cast<std::size_t>(column)])
                counting.add(matrix.at(row, column));
        }
        const double end = counting.value() > 0 ? counting.value() : everything.value();
        for (int column = 0; column < matrix.columns && end > 0; ++column)
            matrix.at(row, column) = static_cast<float>(static_cast<double>(matrix.at(row, column)) / end);
    }
}

ValueScale tileScale(const FigureSpec& spec, const HeadThumbnails& thumbnails, const HeadThumbnails::Tile& tile)
{
    return scaleTo(spec, tile.end > 0 ? tile.end : thumbnails.largest, spec.against != nullptr);
}

ColorBar tilesBar(const FigureSpec& spec, const HeadThumbnails& thumbnails)
{
    ColorBar bar;
    bar.notes = scaleNotes(spec);
    const ColorRange::Of of = spec.range.of;
    bar.shares = of == ColorRange::Of::Row || of == ColorRange::Of::Head || of == ColorRange::Of::Layer;
    bar.scale = bar.shares ? ValueScale(spec.against ? -1 : 0, 1, spec.scale)
                           : scaleTo(spec, thumbnails.largest, spec.against != nullptr);
    bar.name = of == ColorRange::Of::Row ? Figure::tr("share of the largest of the row")
        : of == ColorRange::Of::Head     ? Figure::tr("share of the largest of the head")
        : of == ColorRange::Of::Layer    ? Figure::tr("share of the largest of the layer")
        : spec.against                   ? Figure::tr("difference of weights")
                                         : Figure::tr("attention weight");
    for (const HeadThumbnails::Tile& tile : thumbnails.tiles) {
        const ValueScale scale = tileScale(spec, thumbnails, tile);
        const auto& values = tile.pooled.values;
        const auto isNumber = [](float value) { return std::isfinite(value); };
        bar.hasAbove = bar.hasAbove || std::any_of(values.begin(), values.end(), [&](float value) {
                           return isNumber(value) && scale.isAbove(value);
                       });
        bar.hasBelow = bar.hasBelow || std::any_of(values.begin(), values.end(), [&](float value) {
                           return isNumber(value) && scale.isBelow(value);
                       });
    }
    return bar;
}

} // namespace attn::ui
