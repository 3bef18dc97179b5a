// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/test_program.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace {

struct Result
{
    int status = -1;
    QByteArray output; // and errors
};

} // namespace

// The scripts with stand-ins for the programs of the system, which write what they were asked into "calls".
class TestScripts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid() && QDir(m_folder->path()).mkdir(QStringLiteral("bin")));
        standIn("sudo", "exec \"$@\"");
    }

    void nothingIsInstalledWhereAllIsThere()
    {
        standIn("dpkg-query", "echo 'installed, g++, '; echo 'installed, make-of-two, cmake, other'");
        standIn("apt-get", "echo \"$*\" >>\"$CALLS\"");
        const Result result = install("| `g++` | build | a |\n| `cmake` | build | b |\n| `gdb` | fuzz | c |\n");
        QVERIFY2(result.status == 0, result.output.constData());
        QVERIFY(calls().isEmpty());
    }

    void whatIsMissingIsInstalled()
    {
        standIn("dpkg-query", "echo 'installed, g++, '; echo 'config-files, cmake, '");
        standIn("apt-get", "echo \"$*\" >>\"$CALLS\"; [ \"${!#}\" != update ]");
        const Result result = install("| `g++` | build | a |\n| `cmake` | build | b |\n| `gdb` | fuzz | c |\n");
        QVERIFY2(result.status == 0, result.output.constData()); // though the update failed
        QVERIFY2(calls().contains("install") && calls().contains(" cmake\n"), calls().constData());
        QVERIFY(!calls().contains("g++") && !calls().contains("gdb"));
    }

    void aFailureShowsWhatAptSaid()
    {
        standIn("dpkg-query", "true");
        standIn("apt-get", "echo 'no room on the disk'; echo 'and more' >&2; exit 100");
        const Result result = install("| `g++` | build | a |\n");
        QCOMPARE(result.status, 1);
        QVERIFY2(result.output.contains("no room on the disk\nand more\n"), result.output.constData());
        QVERIFY(result.output.trimmed().split('\n').last().contains("g++"));
    }

    void anotherSystemIsTold()
    {
        standIn("awk", "exec /usr/bin/awk \"$@\"");
        standIn("dirname", "exec /usr/bin/dirname \"$@\"");
        const Result result = install("| `g++` | build | a |\n", QStringLiteral("/nowhere"));
        QCOMPARE(result.status, 1);
        QVERIFY2(result.output.contains("no apt here"), result.output.constData());
    }

private:
    void standIn(const char* name, const char* script)
    {
        QFile file(m_folder->filePath(QStringLiteral("bin/") + QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray("#!/bin/bash\n") + script + '\n');
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    QByteArray calls() const
    {
        QFile file(m_folder->filePath(QStringLiteral("calls")));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    // .ci/install build, over a README with this table; other programs come from the folder.
    Result install(const char* table, const QString& others = QStringLiteral("/usr/bin:/bin"))
    {
        Result result;
        QDir(m_folder->path()).mkdir(QStringLiteral(".ci"));
        QFile readme(m_folder->filePath(QStringLiteral("README.md")));
        if (!readme.open(QIODevice::WriteOnly))
            return result;
        readme.write(table);
        readme.close();
        const QString script = m_folder->filePath(QStringLiteral(".ci/install"));
        QFile::copy(QStringLiteral(ATTN_SOURCE_DIR "/.ci/install"), script);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PATH"), m_folder->filePath(QStringLiteral("bin:")) + others);
        environment.insert(QStringLiteral("CALLS"), m_folder->filePath(QStringLiteral("calls")));
        QProcess process;
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QStringLiteral("/bin/bash"), {script, QStringLiteral("build")});
        if (process.waitForFinished() && process.exitStatus() == QProcess::NormalExit)
            result = {process.exitCode(), process.readAll()};
        return result;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

ATTN_TEST(TestScripts)

#include "tst_scripts.moc"
