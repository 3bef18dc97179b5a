// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace attn::ui {

// Places of the views in the window's tabs, and of its docks.
enum Tab : int { HeatmapTab, HeadsTab, ArcsTab, StepTab, PositionsTab };
enum Dock : int { ShownDock, DecodingDock, CandidatesDock };

} // namespace attn::ui
