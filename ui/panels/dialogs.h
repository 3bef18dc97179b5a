// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/export/figure_export.h"

#include <QDir>
#include <QMessageBox>
#include <QString>

#include <cstdint>
#include <optional>

class QWidget;

namespace attn::ui {

// A question with the program's name above it. The text may have names in it: no markup is obeyed.
QMessageBox::StandardButton askPlainly(QWidget* parent, const QString& text, QMessageBox::StandardButtons buttons,
                                       QMessageBox::StandardButton usual);

// Question for the name of a file to write.
struct NewFileQuestion
{
    QString title;
    QString proposal; // path
    QString filter;
    QString ending; // ".npz": what the name gets where it has another, or none
};

// With its ending; a file that is there already is only named after a question. Empty: cancelled.
QString askForNewFile(QWidget* parent, const NewFileQuestion& asked);

// Where to write what, in which form; the path's ending says the form.
struct ExportChoice
{
    QString path;
    ExportOptions options;
    std::optional<FigureChoices> look = {}; // none: as it is on the screen
};

// Manner in which it was written last time.
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
