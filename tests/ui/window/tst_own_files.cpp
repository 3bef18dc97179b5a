// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/test_program.h"
#include "window/saved_state.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

#include <memory>
#include <sys/stat.h>

using namespace attn;
using namespace attn::ui;

class TestOwnFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CONFIG_HOME", QFile::encodeName(m_folder->path()));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder->path()); // read once otherwise
        QCoreApplication::setOrganizationName(QStringLiteral("AttnScope"));
        QCoreApplication::setApplicationName(QStringLiteral("AttnScope"));
    }

    void foldersAreTheirOwnersAlone()
    {
        QVERIFY(QDir(m_folder->path()).mkpath(QStringLiteral("a/b"))); // as earlier versions made them
        QVERIFY(makeOwnFolder(m_folder->path(), QStringLiteral("a/b/c")));
        for (const char* name : {"a", "a/b", "a/b/c"})
            QCOMPARE(modeOf(name), 0700);
        QFile(path("file")).open(QIODevice::WriteOnly);
        QVERIFY(!makeOwnFolder(m_folder->path(), QStringLiteral("file/c")));
    }

    void settingsAreTheirOwnersAlone_data()
    {
        QTest::addColumn<bool>("areThere");
        QTest::newRow("new") << false;
        QTest::newRow("of an earlier version") << true;
    }
    void settingsAreTheirOwnersAlone()
    {
        QFETCH(bool, areThere);
        if (areThere) {
            QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("AttnScope")));
            QFile file(path("AttnScope/AttnScope.conf"));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write("[General]\nkept=1\n") > 0);
            QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther));
        }
        prepareSettings();
        {
            QSettings settings;
            QCOMPARE(settings.contains(QStringLiteral("kept")), areThere);
            settings.setValue(QStringLiteral("typed"), QStringLiteral("a text"));
        }
        QCOMPARE(modeOf("AttnScope/AttnScope.conf"), 0600);
        QCOMPARE(modeOf("AttnScope"), 0700);
        QCOMPARE(QSettings().value(QStringLiteral("typed")).toString(), QStringLiteral("a text"));
    }

private:
    QString path(const char* name) const { return m_folder->filePath(QLatin1String(name)); }

    int modeOf(const char* name) const
    {
        struct stat status = {};
        return ::stat(QFile::encodeName(path(name)).constData(), &status) == 0
            ? static_cast<int>(status.st_mode & 0777U)
            : -1;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

ATTN_TEST(TestOwnFiles)
#include "tst_own_files.moc"
