// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "session/session.h"
#include "support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace attn;

// What people write about runs is shown in lines, and edited in them.
class TestSessionTexts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNameOrNoteMayBeLongButNotEndless_data()
    {
        QTest::addColumn<bool>("note");
        QTest::newRow("name") << false;
        QTest::newRow("note") << true;
    }
    void aNameOrNoteMayBeLongButNotEndless()
    {
        QFETCH(const bool, note);
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("x.attnscope")).toStdString();
        Session session;
        session.runs.resize(1);
        session.runs.front().id = 1;
        std::string& text = note ? session.runs.front().note : session.runs.front().change;
        text.assign(longestRunText, 'x');
        writeSession(path, session);
        const Session read = readSession(path);
        QCOMPARE((note ? read.runs.front().note : read.runs.front().change).size(), longestRunText);
        text += 'x';
        writeSession(path, session);
        try {
            (void)readSession(path);
            QFAIL("it was read");
        } catch (const Error& error) {
            QVERIFY2(QString::fromUtf8(error.what()).contains(QLatin1String(note ? "note" : "change")), error.what());
        }
    }
};

ATTN_TEST(TestSessionTexts)
#include "tst_session_texts.moc"
