// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/figure_export.h"
#include "figures/export/provenance.h"
#include "question/question.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace attn::ui {

// Where what a figure shows came from: with the figure's spec, all that the command line needs to make it again.
struct FigureOrigin
{
    std::string model; // as the command line takes it from anywhere: a bundled name, or the path of what is opened
    std::optional<Question> question; // that was asked of it; none: it holds runs
    std::optional<int> run; // of a session
    std::optional<std::string> against; // an archive or a session
    std::optional<int> againstRun; // of that session
    std::optional<std::string> againstEdit;
    int threads = 0;
    // May take a while, and throws Error{Cancelled}; empty: unknown.
    std::function<QString(const std::stop_token& stop)> weightsSha256;
    QString obstacle; // why no command makes the figure again; empty: one does
};

// One word of a POSIX shell's command line, and nothing that ends a comment in HTML.
std::string shellWord(std::string_view text);

// What the file of a figure says when it is written under this name.
FigureProvenance figureProvenance(const FigureSpec& spec, const Trace& trace, const FigureOrigin& origin,
                                  const QString& file, const ExportOptions& options);

} // namespace attn::ui
