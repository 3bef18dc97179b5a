// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "readings/head_reading.h"
#include "trace/site.h"
#include "trace/trace.h"

#include <QLabel>
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

// Names of files, tokens and what is said of them may look like markup, which Qt obeys where it is not told otherwise.

// A label that shows its text as it is.
QLabel* plainLabel(const QString& text = {}, QWidget* parent = nullptr);

// A tool tip that does: in lines as the text has them, cut where it is very long.
QString plainTip(const QString& text);

// The beginning of a text of any length, enough for a line.
QString shortened(const QString& text);

// An entry of a menu that shows a text as it is, on one line.
QString menuText(const QString& text);

} // namespace attn::ui
