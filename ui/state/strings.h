// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "readings/head_reading.h"
#include "trace/site.h"
#include "trace/trace.h"

#include <QString>

#include <string>

namespace attn::ui {

inline QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

// A vocabulary piece as people read it: "▁house" is " house" there, with a dot for the space.
QString pieceText(const std::string& piece);

// "Encoder-decoder attention", "Mean over heads": as lists have them.
QString stageName(Stage stage, ModelKind kind = ModelKind::EncoderDecoder);
QString headTitle(const HeadReading& head);

QString mergeWordsText(); // what Appearance::words is called, with its key

} // namespace attn::ui
