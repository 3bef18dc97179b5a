// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/figure_export.h"
#include "panels/ask.h"

#include <QDir>
#include <QString>

#include <cstdint>
#include <optional>

class QWidget;

namespace attn::ui {

// Where to write what, in which form; the path's ending says the form.
struct ExportChoice
{
    QString path;
    ExportOptions options;
    std::optional<FigureChoices> look = {}; // none: as it is on the screen
};

// How it was written last time.
struct ExportHabits
{
    ExportOptions options;
    QString suffix = QStringLiteral("png");
    QString folder = QDir::homePath();
    FigureChoices look; // the rows that are kept of exports
};

// Text of About, as rich text: version, licence, the data that the bundled models learned from and the libraries,
// each with its licence.
QString aboutText();

// Kinds of files to choose from. Anything: a checkpoint, in a file or a folder, an archive, a session or a text.
enum class OpenKind : std::uint8_t { Anything, SentencePairs, Sentences, Links };

// Fate of what is not in its file.
enum class SaveAnswer : std::uint8_t { Save, Discard, Cancel };

// Every question that the window asks, so that tests can answer.
class Dialogs
{
public:
    virtual ~Dialogs() = default;

    virtual QString open(OpenKind kind, QWidget* parent, const QString& folder); // empty: cancelled
    // One of several models in a folder, by name; empty: cancelled.
    virtual QString choose(QWidget* parent, const QString& folder, const QStringList& models);
    virtual std::optional<ExportChoice> exportAs(QWidget* parent, const Exportable& figure, const ExportHabits& last);
    // With its ending; empty: cancelled. `last`: where the session is now; empty: nowhere.
    virtual QString saveSession(QWidget* parent, const QString& last);
    // Where to write a text; empty: cancelled.
    virtual QString saveText(QWidget* parent, const NewFileQuestion& asked);
    virtual SaveAnswer askToSave(QWidget* parent, const QString& name);
    virtual void about(QWidget* parent);
};

} // namespace attn::ui
