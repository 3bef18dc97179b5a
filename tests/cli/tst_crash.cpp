// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"
#include "support/test_program.h"
#include "ui/window/window_fixture.h"

#include <QDirIterator>
#include <QLineEdit>
#include <QProcess>

using namespace attn;
using namespace attn::ui;

// The program is ended from outside; the next window offers what was made.
class TestCrash : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatAKilledProgramMadeIsThereAgain()
    {
        test::WindowFixture fixture; // whose models and folders the program inherits
        QCoreApplication::setOrganizationName(QStringLiteral("AttnScope")); // as the program's
        QCoreApplication::setApplicationName(QStringLiteral("AttnScope"));
        qputenv("XDG_CONFIG_HOME", fixture.path(QStringLiteral("config")).toLocal8Bit());
        const QString state = qEnvironmentVariable("XDG_STATE_HOME");
        const auto kept = [&state] {
            QStringList files;
            for (QDirIterator found(state, {QStringLiteral("*.attnscope")}, QDir::Files, QDirIterator::Subdirectories);
                 found.hasNext();)
                files << found.next();
            return files;
        };
        QProcess program;
        program.start(QStringLiteral(ATTN_PROGRAM),
                      {QStringLiteral("recurrent"), QStringLiteral("--text"), QStringLiteral("s4 s5 s6")});
        QVERIFY(program.waitForStarted());
        QTRY_COMPARE_WITH_TIMEOUT(kept().size(), 1, 60'000);
        program.kill();
        QVERIFY(program.waitForFinished());
        QCOMPARE(kept().size(), 1);

        fixture.open();
        fixture.window->guardSessions();
        QVERIFY(fixture.find<QFrame>("offerBar")->isVisible());
        fixture.click("restoreRuns");
        QTRY_COMPARE(fixture.find<QLineEdit>("sentence")->text(), QStringLiteral("s4 s5 s6"));
        QTRY_VERIFY(!fixture.window->controller().busy());
        QVERIFY(fixture.trace().target().size() > 0);
        QVERIFY(fixture.window->study().unsaved() && fixture.window->study().file().isEmpty());
        fixture.window->close();
        fixture.window.reset();
        QVERIFY(kept().isEmpty());
    }
};

ATTN_GUI_TEST(TestCrash)
#include "tst_crash.moc"
