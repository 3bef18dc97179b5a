// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/test_program.h"
#include "window/open_window.h"

#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <thread>

using namespace attn;
using namespace attn::ui;

class TestOpenWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_RUNTIME_DIR", m_folder->path().toUtf8());
    }

    void withoutAWindowNothingIsHandedOver() { QVERIFY(!handOver(QStringLiteral("x.npz"))); }

    void aWindowIsAskedAndSaysWhenItIsDone()
    {
        OpenWindow window(nullptr);
        QSignalSpy asked(&window, &OpenWindow::asked);
        std::atomic<int> handed = -1;
        std::jthread other([&] { handed = handOver(QStringLiteral("a model")) ? 1 : 0; });
        QTRY_COMPARE(asked.size(), 1);
        QCOMPARE(asked.front().front().toString(), QStringLiteral("a model"));
        QCOMPARE(handed.load(), -1); // it waits: its files are still needed
        window.answer();
        QTRY_COMPARE(handed.load(), 1);
    }

    void theWindowThatWasOpenedLastIsAsked()
    {
        OpenWindow first(nullptr);
        auto second = std::make_unique<OpenWindow>(nullptr);
        QSignalSpy asked(second.get(), &OpenWindow::asked);
        QObject::connect(second.get(), &OpenWindow::asked, second.get(), &OpenWindow::answer);
        std::atomic<int> handed = -1;
        std::jthread other([&] { handed = handOver(QStringLiteral("a model")) ? 1 : 0; });
        QTRY_COMPARE(handed.load(), 1);
        QCOMPARE(asked.size(), 1);
        second.reset();
        QVERIFY(!handOver(QStringLiteral("a model"))); // and nobody, once it is closed
    }

    void nobodyElseFindsIt()
    {
        const OpenWindow window(nullptr);
        const QFileInfo folder(m_folder->filePath(QStringLiteral("attnscope")));
        const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther
            | QFile::WriteOther | QFile::ExeOther;
        QVERIFY(folder.isDir());
        QVERIFY(!(folder.permissions() & others));
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
};

ATTN_TEST(TestOpenWindow)

#include "tst_open_window.moc"
