// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/figure_export.h"
#include "figures/export/provenance.h"
#include "question/command_line.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace attn::ui {

// Where what a figure shows came from: with the figure's spec, all that the command line needs to make it again.
struct FigureOrigin : RunOrigin
{
    std::optional<std::string> against; // an archive or a session
    std::optional<int> againstRun; // of that session
    std::optional<std::string> againstEdit;
    // May take a while, and throws Error{Cancelled}; empty: unknown.
    std::function<QString(const std::stop_token& stop)> weightsSha256;
    QString obstacle; // why no command makes the figure again; empty: one does
};

// Text of the file of a figure that is written in the form of this name; of an archive of the run, without the
// weights. Whatever the file is called, its command names figure.pdf and the like, so that the same run gives the same
// bytes.
FigureProvenance figureProvenance(const FigureSpec& spec, const Trace& trace, const FigureOrigin& origin,
                                  const QString& file, const ExportOptions& options);

} // namespace attn::ui
