// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/figure.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <memory>

namespace attn::ui {

// So many figures, each on a page of its size. The same figures give the same bytes but for the date.
QByteArray pdfOf(int pages, const std::function<std::unique_ptr<const Figure>(int page)>& figureOf,
                 const QString& title);

} // namespace attn::ui
