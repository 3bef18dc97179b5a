// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/provenance.h"
#include "figures/figure.h"

#include <QByteArray>
#include <QString>

namespace attn::ui {

// The figure as a TikZ picture whose text is text: a document of its own for pdflatex, lualatex or xelatex, which
// \input takes into another document that loads tikz. Throws attn::Error{Input} for more shapes than TeX can hold.
QByteArray tikz(const Figure& figure, const FigureProvenance& provenance);

// A text as TeX sets it, whatever is in it. Characters that the usual fonts of pdflatex lack are boxes with their code
// point there.
QByteArray texText(const QString& text);

} // namespace attn::ui
