// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoding/options.h"
#include "figures/figure_export.h"
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
    QString text;
    QStringList history;
    QString model;
    QStringList recent; // directories and archives, most recent first
    DecodingOptions decoding;
    bool forces = false;
    QString forcedTarget;
    std::optional<Site> site; // none: the model's best
    HeadChoice head = HeadSummary::Mean;
    bool words = false;
    ColorMapName colorMap = ColorMapName::Viridis;
    ThemeMode theme = ThemeMode::System;
    int tab = 0;
    ExportOptions exporting;
    QString exportSuffix = QStringLiteral("png");
    QString exportFolder;

    // From QSettings' default place. Values that are missing or make no sense keep their defaults.
    static WindowSettings load();
    void save() const;
};

} // namespace attn::ui
