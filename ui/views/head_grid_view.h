// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/kinds/head_grid.h"
#include "views/figure_view.h"

#include <QFutureWatcher>

#include <memory>
#include <optional>
#include <tuple>

namespace attn::ui {

// All heads of all layers; a click or the arrow keys choose one. The thumbnails of long texts are made on another
// thread, the last ones stay until they are there.
class HeadGridView final : public FigureView
{
    Q_OBJECT

public:
    explicit HeadGridView(ViewContext context, QWidget* parent = nullptr);
    ~HeadGridView() override; // waits for thumbnails that are being made

protected:
    std::unique_ptr<const Figure> makeFigure(const FigureSpec& spec, const Trace& trace) override;
    void choose(const FigureHit& hit) override;
    bool handleKey(QKeyEvent* event) override;

private:
    // All that thumbnails depend on.
    using Key = std::tuple<quint64, Stage, std::optional<int>, bool, SpecialTokens, PairFilter>;
    using Thumbnails = std::shared_ptr<const HeadThumbnails>;

    void thumbnailsMade();

    Key m_key{}; // of m_thumbnails
    Key m_beingMade{};
    Thumbnails m_thumbnails; // null before the first
    QFutureWatcher<Thumbnails> m_watcher;
};

} // namespace attn::ui
