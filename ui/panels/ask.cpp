// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/ask.h"

#include <QFileDialog>
#include <QFileInfo>

namespace attn::ui {

QMessageBox::StandardButton askPlainly(QWidget* parent, const QString& text, QMessageBox::StandardButtons buttons,
                                       QMessageBox::StandardButton usual)
{
    QMessageBox box(QMessageBox::Question, QObject::tr("AttnScope"), {}, buttons, parent);
    box.setTextFormat(Qt::PlainText);
    box.setText(text);
    box.setDefaultButton(usual);
    return static_cast<QMessageBox::StandardButton>(box.exec());
}

QString askForNewFile(QWidget* parent, const NewFileQuestion& asked)
{
    for (QString proposal = asked.proposal;;) {
        QString named = QFileDialog::getSaveFileName(parent, asked.title, proposal, asked.filter);
        if (named.isEmpty() || named.endsWith(asked.ending, Qt::CaseInsensitive))
            return named;
        proposal = named + asked.ending; // which the dialog has not asked about
        if (!QFileInfo::exists(proposal))
            return proposal;
        const auto answer = askPlainly(
            parent, QObject::tr("There is a file %1 already. Replace it?").arg(QFileInfo(proposal).fileName()),
            QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel);
        if (answer == QMessageBox::Yes)
            return proposal;
    }
}

} // namespace attn::ui
