// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "panels/dialogs.h"
#include "run/latest_request.h"
#include "run/run_controller.h"

#include <QDir>
#include <QObject>
#include <QTemporaryDir>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <utility>

class QImage;
class QMimeData;
class QRubberBand;

namespace attn {
enum class ModelTask : std::uint8_t; // loading/model_loader.h
}

namespace attn::ui {

class RunCommands;

// Text on what the views will miss of an archive: it holds what its maker put in.
QStringList missingFrom(const Trace& trace);

// Opens models, archives and sessions, by name, from a dialog, out of the list of recent ones or dropped on the window,
// keeps that list, and names the window after what is open. What was opened is read at once on the text that is typed;
// a text takes the place of that.
class Opening final : public QObject
{
    Q_OBJECT

public:
    // Whose models and archives are opened, and where from.
    struct Parts
    {
        Study& study;
        RunController& controller;
        RunCommands& running;
        Dialogs& dialogs;
        QWidget& window;
    };

    explicit Opening(const Parts& parts);

    void ask(); // for what to open
    void pasteClipboard(); // a picture, or the file of one
    void open(const QString& given); // bundled name, directory, checkpoint file, archive, session or text
    // Asked before a session takes the place of what is open; false: it does not, unless what it is given is called.
    using MayReplace = std::function<bool(std::function<void()> open)>;
    void askBeforeSessions(MayReplace mayReplace) { m_mayReplace = std::move(mayReplace); }
    QString& folder() { return m_folder; } // used last time

    bool eventFilter(QObject* watched, QEvent* event) override; // what is dropped on the window

Q_SIGNALS:
    void failed(const attn::ui::UserMessage& message);
    void noted(const QString& text);

private:
    void list(const QString& folder); // its models, in the background; then asks which of several, and opens that
    void start(const QString& path); // reads the model or the archive
    void opened();
    void nameWindow();
    void forgetOpeningText(); // of a model that compares a picture with a text, which is about something else
    void goBack(); // to what is on show
    void missing(const QString& path);
    void readFile(const QString& path); // of a text
    void read(const QString& text);
    void readPicture(const QString& path);
    void readSound(const QString& path);
    bool startBundled(ModelTask task);
    void readPixels(const QImage& picture);
    void drop(const QMimeData& dropped);

    Parts m_parts;
    QRubberBand* m_dropFrame; // around the window while something is over it
    QString m_folder = QDir::homePath();
    LatestRequest m_listing{*this};
    QTemporaryDir m_pasted; // pictures
    int m_pictures = 0; // so many
    QString m_session; // opened last; empty: it was something else
    MayReplace m_mayReplace = [](const auto&) { return true; };
};

} // namespace attn::ui
