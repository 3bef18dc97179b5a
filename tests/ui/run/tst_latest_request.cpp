// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/latest_request.h"
#include "support/test_program.h"

#include <QCoreApplication>
#include <QTest>
#include <QThread>

#include <optional>
#include <thread>

using attn::ui::LatestRequest;

class TestLatestRequest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLatestReportsToTheWindowsThread()
    {
        QObject owner;
        LatestRequest requests(owner);
        QVERIFY(!requests.pending());
        const auto ticket = requests.begin();
        QVERIFY(requests.pending());
        QThread* seen = nullptr;
        std::thread([&] { ticket.report([&] { seen = QThread::currentThread(); }); }).join();
        QCOMPARE(seen, nullptr);
        QCoreApplication::processEvents();
        QCOMPARE(seen, QThread::currentThread());
    }

    void aStaleOneIsStoppedAndDropped()
    {
        QObject owner;
        LatestRequest requests(owner);
        QString reported;
        const auto first = requests.begin();
        first.report([&] { reported += u'1'; }); // on its way when the next begins
        const auto second = requests.begin();
        QVERIFY(first.stop().stop_requested() && !second.stop().stop_requested());
        QVERIFY(first.number() != second.number());
        first.report([&] { reported += u'1'; });
        second.report([&] { reported += u'2'; });
        QCoreApplication::processEvents();
        QCOMPARE(reported, QStringLiteral("2"));
        requests.end();
        second.report([&] { reported += u'2'; });
        QCoreApplication::processEvents();
        QCOMPARE(reported, QStringLiteral("2"));
        QVERIFY(!requests.pending());
    }

    void nothingIsReportedToAnOwnerThatEnded()
    {
        std::optional<LatestRequest::Ticket> ticket;
        bool reported = false;
        {
            QObject owner;
            LatestRequest requests(owner);
            ticket = requests.begin();
            ticket->report([&] { reported = true; });
        }
        QVERIFY(ticket->stop().stop_requested());
        ticket->report([&] { reported = true; });
        QCoreApplication::processEvents();
        QVERIFY(!reported);
    }
};

ATTN_TEST(TestLatestRequest)
#include "tst_latest_request.moc"
