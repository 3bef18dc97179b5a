// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/figure_export.h"

#include <QString>

#include <optional>

class QWidget;

namespace attn::ui {

// Where to write what, in which form; the path's ending says the form.
struct ExportChoice
{
    QString path;
    ExportOptions options;
};

// What an export dialog shows and starts from.
struct ExportRequest
{
    Exportable figure;
    ExportOptions options;
    QString suffix; // chosen last time: "png"
    QString folder; // used last time
};

// Every question that the window asks, so that tests can answer.
class Dialogs
{
public:
    virtual ~Dialogs() = default;

    virtual QString openModel(QWidget* parent, const QString& folder); // empty: cancelled
    virtual QString openModelFile(QWidget* parent, const QString& folder);
    virtual QString openArchive(QWidget* parent, const QString& folder);
    virtual QString openSentencePairs(QWidget* parent, const QString& folder);
    virtual std::optional<ExportChoice> exportAs(QWidget* parent, const ExportRequest& request);
    virtual void about(QWidget* parent);
};

} // namespace attn::ui
