// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// typing_window MODEL TEXT: the window as the program opens it, in which another text is run each time what was made so
// far is kept for the case of a crash. It goes on until it is killed.
#include "window/main_window.h"

#include <QApplication>
#include <QDateTime>
#include <QDirIterator>
#include <QFileInfo>
#include <QLineEdit>
#include <QTest>
#include <QTimer>

namespace {

// When it was written; invalid: there is none.
QDateTime whenKept()
{
    QDirIterator kept(qEnvironmentVariable("XDG_STATE_HOME"), {QStringLiteral("*.attnscope")}, QDir::Files,
                      QDirIterator::Subdirectories);
    return kept.hasNext() ? QFileInfo(kept.next()).lastModified() : QDateTime();
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    if (argc != 3)
        return 2;
    QApplication::setOrganizationName(QStringLiteral("AttnScope"));
    QApplication::setApplicationName(QStringLiteral("AttnScope"));
    attn::ui::MainWindow window(QString::fromLocal8Bit(argv[1]), QString::fromLocal8Bit(argv[2]));
    window.guardSessions();
    window.show();
    QDateTime kept;
    QTimer look;
    look.setInterval(20);
    QObject::connect(&look, &QTimer::timeout, &window, [&window, &kept] {
        const QDateTime last = whenKept();
        if (last == kept || window.controller().busy())
            return;
        kept = last;
        auto* const sentence = window.findChild<QLineEdit*>(QStringLiteral("sentence"));
        sentence->setFocus();
        QTest::keyClicks(sentence, QStringLiteral(" s7"));
        QTest::keyClick(sentence, Qt::Key_Return);
    });
    look.start();
    return QApplication::exec();
}
