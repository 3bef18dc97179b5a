// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/provenance.h"
#include "figures/figure.h"

#include <QByteArray>
#include <QImage>
#include <QString>

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <vector>

namespace attn::ui {

// Pictures of one size after each other, each shown for its time, again and again: a GIF with the colours that are in
// most of their dots. Throws attn::Error{Resource}.
QByteArray gifOf(const std::vector<QImage>& frames, const std::vector<std::chrono::milliseconds>& times,
                 const FigureProvenance& provenance, const std::stop_token& stop);

// One page for a browser that needs nothing else, no network either: the maps of all heads of the figure's stage as far
// as they fit, chosen in a menu, with the value under the pointer or the keyboard. `drawing`: of the figure as an SVG
// element, for what is no map; may be empty.
QByteArray htmlPage(const FigureSpec& spec, const Trace& trace, const QByteArray& drawing,
                    const FigureProvenance& provenance);

// So many figures, each on a page of its size, with where they come from as XMP. The same figures give the same bytes
// but for the date and, from Qt 6.8 on, the identifier.
QByteArray pdfOf(int pages, const std::function<std::unique_ptr<const Figure>(int page)>& figureOf,
                 const QString& title, const FigureProvenance& provenance);

// The figure as a TikZ picture whose text is text: a document of its own for pdflatex, lualatex or xelatex, which
// \input takes into another document that loads tikz. Throws attn::Error{Input} for more shapes than TeX can hold.
QByteArray tikz(const Figure& figure, const FigureProvenance& provenance);

// A text as TeX sets it, whatever is in it. Characters that the usual fonts of pdflatex lack are boxes with their code
// point there.
QByteArray texText(const QString& text);

} // namespace attn::ui
