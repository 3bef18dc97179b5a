// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/provenance.h"
#include "figures/figure.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <memory>

namespace attn::ui {

// So many figures, each on a page of its size, with where they come from as XMP. The same figures give the same bytes
// but for the date and, from Qt 6.8 on, the identifier.
QByteArray pdfOf(int pages, const std::function<std::unique_ptr<const Figure>(int page)>& figureOf,
                 const QString& title, const FigureProvenance& provenance);

} // namespace attn::ui
