// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "io/zip_archive.h"
#include "session/session.h"
#include "support/test_program.h"
#include "support/verify_error.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

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
        verifyRefused([&] { writeSession(path, session); }, note ? "its note takes" : "its name takes");
        QCOMPARE(readSession(path).runs.size(), std::size_t{1}); // the one before

        const std::string name = "session.json"; // as another program writes it
        const ZipReader before(path);
        ByteSource source = before.open(name, std::uint64_t{1} << 24U);
        std::vector<std::byte> bytes(source.size);
        source.read(bytes);
        const auto texts = std::search_n(bytes.begin(), bytes.end(), 2, std::byte{'x'});
        QVERIFY(texts != bytes.end());
        bytes.insert(texts, std::byte{'x'});
        ZipWriter zip(Compression::Stored);
        zip.add(name, std::move(bytes));
        zip.save(path);
        verifyRefused([&] { (void)readSession(path); }, note ? "note: expected at most" : "change: expected at most");
    }

private:
    static void verifyRefused(const std::function<void()>& work, const char* message)
    {
        test::verifyError({message}, [&] { work(); });
    }
};

ATTN_TEST(TestSessionTexts)
#include "tst_session_texts.moc"
