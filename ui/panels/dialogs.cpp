// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/dialogs.h"

#include "panels/export_dialog.h"
#include "session/session.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLineEdit>
#include <QPushButton>

namespace attn::ui {

namespace {

struct OpenRow
{
    const char* title;
    const char* filter;
};

// Rows of every OpenKind.
constexpr OpenRow openRows[] = {
    {QT_TRANSLATE_NOOP("QObject", "Open a checkpoint, an attention archive, a session, a text, a picture or a sound"),
     QT_TRANSLATE_NOOP("QObject",
                       "All that can be opened (*.gguf *.safetensors *.bin *.pt *.pth *.npz *.npy *.json *.csv *.html "
                       "*.attnscope *.txt *.md *.png *.jpg *.jpeg *.webp *.gif *.bmp *.ppm *.pgm "
                       "*.wav *.flac *.ogg *.opus *.mp3 *.aiff *.aif);;All files (*)")},
    {QT_TRANSLATE_NOOP("QObject", "Open sentences with their references"),
     QT_TRANSLATE_NOOP("QObject", "Tab-separated texts (*.tsv *.txt);;All files (*)")},
    {QT_TRANSLATE_NOOP("QObject", "Open sentences"), QT_TRANSLATE_NOOP("QObject", "Texts (*.txt);;All files (*)")},
    {QT_TRANSLATE_NOOP("QObject", "Open links by hand"), QT_TRANSLATE_NOOP("QObject", "All files (*)")}};

// A desktop's own dialog opens either files or folders.
class FileOrFolderDialog final : public QFileDialog
{
public:
    FileOrFolderDialog(QWidget* parent, const QString& title, const QString& folder, const QString& filter)
        : QFileDialog(parent, title, folder, filter)
        , m_at(folder)
    {
        setOption(QFileDialog::DontUseNativeDialog);
        setFileMode(QFileDialog::ExistingFile);
        auto* take =
            findChild<QDialogButtonBox*>()->addButton(QObject::tr("Open this &folder"), QDialogButtonBox::ActionRole);
        take->setObjectName(QStringLiteral("openThisFolder"));
        take->setToolTip(QObject::tr("The folder that is chosen, or else the one that is shown: a checkpoint"));
        for (const auto changed : {&QFileDialog::currentChanged, &QFileDialog::directoryEntered})
            connect(this, changed, this, [this](const QString& path) { m_at = path; });
        connect(take, &QPushButton::clicked, this, [this] {
            const QString shown =
                directory().absolutePath(); // also after a path that was typed, which Qt does not tell
            const QString typed = findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->text();
            const QFileInfo named(directory(), typed);
            const QFileInfo at(m_at);
            const bool stands = at.isDir() && (at.absoluteFilePath() == shown || at.absolutePath() == shown);
            m_folder = !typed.isEmpty() && named.isDir() ? named.absoluteFilePath() : stands ? m_at : shown;
            done(QDialog::Accepted);
        });
    }

    QString chosen() const { return m_folder.isEmpty() ? selectedFiles().value(0) : m_folder; }

private:
    QString m_at; // what is chosen, or was gone into
    QString m_folder; // that is opened; empty: a file is
};

} // namespace

QString Dialogs::open(OpenKind kind, QWidget* parent, const QString& folder)
{
    const auto& [title, filter] = openRows[static_cast<std::size_t>(kind)];
    if (kind != OpenKind::Anything)
        return QFileDialog::getOpenFileName(parent, QObject::tr(title), folder, QObject::tr(filter));
    FileOrFolderDialog dialog(parent, QObject::tr(title), folder, QObject::tr(filter));
    return dialog.exec() == QDialog::Accepted ? dialog.chosen() : QString();
}

QString Dialogs::choose(QWidget* parent, const QString& folder, const QStringList& models)
{
    bool isChosen = false;
    const QString model =
        QInputDialog::getItem(parent, QObject::tr("Open a model"), QObject::tr("%1 holds several models:").arg(folder),
                              models, 0, false, &isChosen);
    return isChosen ? model : QString();
}

std::optional<ExportChoice> Dialogs::exportAs(QWidget* parent, const Exportable& figure, const ExportHabits& last)
{
    ExportDialog dialog(figure, last, parent);
    while (dialog.exec() == QDialog::Accepted) {
        const QString suffix = dialog.suffix();
        const QString proposal = QDir(last.folder).filePath(QStringLiteral("attention.") + suffix);
        const QString path = askForNewFile(
            parent, {QObject::tr("Export"), proposal, QStringLiteral("*.") + suffix, QLatin1Char('.') + suffix});
        if (!path.isEmpty()) // else what was set is there still
            return ExportChoice{path, dialog.options(), figure.source ? std::optional(dialog.choices()) : std::nullopt};
    }
    return std::nullopt;
}

QString Dialogs::saveSession(QWidget* parent, const QString& last)
{
    const QString proposal =
        last.isEmpty() ? QDir::home().filePath(QObject::tr("session") + QLatin1String(sessionEnding)) : last;
    return askForNewFile(parent,
                         {QObject::tr("Save the session"), proposal, QObject::tr("Sessions (*.attnscope)"),
                          QLatin1String(sessionEnding)});
}

QString Dialogs::saveText(QWidget* parent, const NewFileQuestion& asked)
{
    return askForNewFile(parent, asked);
}

SaveAnswer Dialogs::askToSave(QWidget* parent, const QString& name)
{
    const auto button =
        askPlainly(parent,
                   name.isEmpty() ? QObject::tr("There are named or annotated runs that are in no session file")
                                  : QObject::tr("There are changes that are not in the session ") + name,
                   QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return button == QMessageBox::Save   ? SaveAnswer::Save
        : button == QMessageBox::Discard ? SaveAnswer::Discard
                                         : SaveAnswer::Cancel;
}

void Dialogs::about(QWidget* parent)
{
    QMessageBox::about(parent, QObject::tr("About AttnScope"), aboutText());
}

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
