// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/figure_export.h"
#include "question/question.h"
#include "window/window_theme.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>

namespace attn::ui {

// Everything typed, chosen and sized; survives a restart.
struct WindowSettings
{
    QByteArray geometry;
    QByteArray docks;
    QStringList closedDocks; // by the user; others are closed while they have nothing to say
    Question question; // what is typed and chosen; `generate` is how far a text is continued at once
    QStringList history;
    QStringList recent; // directories and archives, most recent first
    bool forces = false;
    QString forcedTarget;
    std::optional<Site> site; // none: the model's best
    HeadChoice head = HeadSummary::Mean;
    bool words = false;
    SpecialTokens specials = SpecialTokens::Shown;
    PairFilter pair = PairFilter::All;
    ColorMapName colorMap{};
    ThemeMode theme = ThemeMode::System;
    bool allCandidates = false; // also those that hardly matter
    QString view; // id of its row
    ExportOptions exporting;
    QString exportSuffix = QStringLiteral("png");
    QString exportFolder;
    QString openFolder;

    // From QSettings' default place. Values that are missing or make no sense keep their defaults.
    static WindowSettings load();
    void save() const;
};

} // namespace attn::ui
