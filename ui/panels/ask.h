// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>
#include <QString>

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

} // namespace attn::ui
