// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/sanitizers.h"
#include "support/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtEndian>
#include <QtTest>

#include <memory>
#include <sys/stat.h>
#include <unistd.h>

using namespace attn::test;

// The program in an environment that asks for what cannot be, or gives too little: an error or a clamp, no crash and
// no waiting.
class TestSurroundings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QFile::setPermissions(m_folder->path(), QFile::Permissions(0x7777))); // another user writes there
    }

#ifdef ATTN_WITH_UI
    void impossibleScalesArePassedOver_data()
    {
        QTest::addColumn<QString>("variable");
        for (const char* variable : {"QT_SCALE_FACTOR=0", "QT_SCALE_FACTOR=100", "QT_SCALE_FACTOR=-1",
                                     "QT_SCALE_FACTOR=nan", "QT_SCREEN_SCALE_FACTORS=1;0",
                                     "QT_SCREEN_SCALE_FACTORS=screen=1000", "QT_FONT_DPI=100000", "QT_FONT_DPI=0"})
            QTest::newRow(variable) << QString::fromLatin1(variable);
    }
    void impossibleScalesArePassedOver()
    {
        QFETCH(QString, variable);
        for (const char* command : {"--text We --screenshot x.png", "figure --text We --output x.png"}) {
            const Ended window = run(QStringLiteral("'%1' %2").arg(variable, inOrder(command)));
            QVERIFY2(window.status == 0, window.errors.constData());
            QVERIFY2(window.errors.startsWith("attnscope: " + variable.section(QLatin1Char('='), 0, 0).toLatin1()),
                     window.errors.constData());
            QVERIFY(pngWidth() > 400 && pngWidth() < 5000);
        }
    }

    void possibleScalesAreTaken()
    {
        const Ended window = run(QStringLiteral("QT_SCALE_FACTOR=2 ") + inOrder("--text We --screenshot x.png"));
        QVERIFY2(window.status == 0 && !window.errors.contains("attnscope: "), window.errors.constData());
        QVERIFY(pngWidth() >= 1600);
    }

    void settingsThatAreAPipeAreNotWaitedFor()
    {
        QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("config/AttnScope")));
        const QString pipe = m_folder->filePath(QStringLiteral("config/AttnScope/AttnScope.conf"));
        QCOMPARE(::mkfifo(QFile::encodeName(pipe).constData(), 0600), 0);
        const Ended window = run(inOrder("--text We --screenshot x.png"));
        QCOMPARE(window.status, 1);
        QVERIFY2(window.errors.startsWith("attnscope: " + pipe.toLatin1()), window.errors.constData());
    }
#endif

    void fewProcessesAndLittleMemoryAreAnError_data()
    {
        addColumns<QString, QString>("limit", "line");
        for (const char* limit : {"ulimit -u 3;", "ulimit -v 400000;"})
            for (const char* line : {
#ifdef ATTN_WITH_UI
                     "--text We --screenshot x.png", "figure --text We --output x.svg",
#endif
                     "trace --text We --output x.npz", "tokenize --text We", "info"})
                QTest::addRow("%s %s", limit, line) << QString::fromLatin1(limit) << inOrder(line);
    }
    void fewProcessesAndLittleMemoryAreAnError()
    {
        if (run(QStringLiteral("test -x \"$PROGRAM\""), QStringLiteral(":;")).status != 0)
            QSKIP("the program lies where another user does not get");
        QFETCH(QString, limit);
        QFETCH(QString, line);
        if (hasAddressSanitizer() || hasThreadSanitizer())
            QSKIP("a sanitizer has addresses of its own");
        const Ended program = run(line, limit);
        QVERIFY2(program.status == 0 || program.status == 1, program.errors.constData());
        QVERIFY2(program.status == 0 || program.errors.contains(": "), program.errors.constData());
    }

private:
    struct Ended
    {
        int status = -1; // of a crash, too, and where it did not end
        QByteArray errors;
    };

    // Width of x.png; 0: there is no such file.
    quint32 pngWidth() const
    {
        constexpr qsizetype place = 16;
        QFile file(m_folder->filePath(QStringLiteral("x.png")));
        const QByteArray start = file.open(QIODevice::ReadOnly) ? file.read(place + 4) : QByteArray();
        return start.size() == place + 4 ? qFromBigEndian<quint32>(start.constData() + place) : 0;
    }

    // A line with the program before it and the model behind its command, if it has one.
    static QString inOrder(const char* line)
    {
        const QString text = QString::fromLatin1(line);
        const QString model = QStringLiteral("rnnsearch-en-fr");
        const QString command = text.section(QLatin1Char(' '), 0, 0);
        const QString program = QStringLiteral("\"$PROGRAM\" ");
        return text.startsWith(QLatin1String("--"))
            ? program + model + QLatin1Char(' ') + text
            : program + command + QLatin1Char(' ') + model + QLatin1Char(' ') + text.section(QLatin1Char(' '), 1);
    }

    // By a shell, in the folder. `limit`: as another user where this one is root, whom it would not bind.
    Ended run(const QString& line, const QString& limit = {}) const
    {
        QProcess shell;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* display : {"DISPLAY", "WAYLAND_DISPLAY"})
            environment.remove(QLatin1String(display));
        environment.insert(QStringLiteral("PROGRAM"), QStringLiteral(ATTN_PROGRAM));
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        for (const char* home : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"})
            environment.insert(QLatin1String(home), m_folder->filePath(QStringLiteral("config")));
        shell.setProcessEnvironment(environment);
        shell.setWorkingDirectory(m_folder->path());
        if (!limit.isEmpty() && ::geteuid() == 0)
            shell.setChildProcessModifier([] {
                constexpr uid_t nobody = 65534;
                (void)!::setgid(nobody);
                (void)!::setuid(nobody);
            });
        shell.start(QStringLiteral("bash"), {QStringLiteral("-c"), limit + QStringLiteral("exec env ") + line});
        Ended ended;
        if (shell.waitForFinished(60'000 * slowdown()) && shell.exitStatus() == QProcess::NormalExit)
            ended.status = shell.exitCode();
        ended.errors = shell.readAllStandardError();
        return ended;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

ATTN_TEST(TestSurroundings)
#include "tst_surroundings.moc"
