// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/test_program.h"
#include "tensor/number_view.h"

#include <QTest>

#include <csignal>
#include <functional>
#include <numeric>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace attn;

namespace {

// Whether asserts stop it, tried in a process of its own.
bool aborts(const std::function<void()>& act)
{
    const pid_t child = fork();
    if (child == 0) {
        const rlimit none{0, 0};
        setrlimit(RLIMIT_CORE, &none);
        close(STDERR_FILENO); // what assert says
        std::signal(SIGABRT, SIG_DFL); // QtTest catches it
        act();
        _exit(0);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

} // namespace

// 0 to 23 as two heads of three rows of four numbers.
class TestNumberView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_numbers.resize(24);
        std::iota(m_numbers.begin(), m_numbers.end(), 0.0F);
    }

    void aPlaceIsHeadRowAndColumn()
    {
        const NumberView view = all();
        QCOMPARE(view.size(), std::size_t{24});
        QCOMPARE(view.at(0, 0, 0), 0.0F);
        QCOMPARE(view.at(1, 2, 3), 23.0F);
        QCOMPARE(view.at(1, 2), 6.0F); // of the first head
        QCOMPARE(view.row(1, 1)[2], 18.0F);
        QCOMPARE(view.row(2).size(), std::size_t{4});
        QVERIFY(!view.empty());
        QVERIFY(NumberView().empty());
        QVERIFY(NumberView(m_numbers.data(), 0, 4).empty());
    }

    void aHeadIsAMatrix()
    {
        const NumberView second = all().head(1);
        QCOMPARE(second.heads, 1);
        QCOMPARE(second.at(0, 0), 12.0F);
        QCOMPARE(copyOf(second), NumberVector<float>(m_numbers.begin() + 12, m_numbers.end()));
    }

    void aRangeOfRowsIsOneOfEveryHead()
    {
        const NumberView range = all().rowRange(1, 2);
        QCOMPARE(range.heads, 2);
        QCOMPARE(range.rows, 2);
        QCOMPARE(range.at(0, 0, 0), 4.0F);
        QCOMPARE(range.at(1, 1, 3), 23.0F);
        QCOMPARE(all().head(1).rowRange(2, 1).at(0, 1), 21.0F);
        QVERIFY(all().rowRange(3, 0).empty());
    }

    void headsThatLieSideBySideAreSplit()
    {
        const NumberView rows(m_numbers.data(), 6, 4);
        const NumberView split = rows.split(2);
        QCOMPARE(split.heads, 2);
        QCOMPARE(split.rows, 6);
        QCOMPARE(split.columns, 2);
        for (int row = 0; row < 6; ++row)
            for (int column = 0; column < 4; ++column)
                QCOMPARE(split.at(column / 2, row, column % 2), rows.at(row, column));
        QCOMPARE(copyOf(split.head(1).rowRange(0, 2)), (NumberVector<float>{2, 3, 6, 7}));
    }

    void whatHasNoGapsIsOneRun()
    {
        QVERIFY(all().contiguous());
        QVERIFY(all().head(1).contiguous());
        QVERIFY(all().head(1).rowRange(1, 2).contiguous());
        QVERIFY(!all().rowRange(0, 2).contiguous()); // a row is left out between the heads
        QVERIFY(!NumberView(m_numbers.data(), 6, 4).split(2).contiguous());
        QVERIFY(NumberView(m_numbers.data(), 1, 4).split(2).contiguous()); // one row
        QCOMPARE(all().head(1).values().front(), 12.0F);
    }

    void whatIsWrittenIsSeen()
    {
        const MutableView view(m_numbers.data(), 2, 3, 4);
        MutableView(m_numbers.data(), 6, 4).split(2).at(0, 0, 0) = -1;
        view.head(1).rowRange(2, 1).at(0, 3) = -2;
        QCOMPARE(m_numbers.front(), -1.0F);
        QCOMPARE(m_numbers.back(), -2.0F);
    }

    void aPlaceOutsideIsRefused()
    {
#ifdef NDEBUG
        QSKIP("asserts are off");
#else
        const NumberView view = all();
        QVERIFY(!aborts([&] { (void)view.at(1, 2, 3); }));
        QVERIFY(aborts([&] { (void)view.at(2, 0, 0); }));
        QVERIFY(aborts([&] { (void)view.at(0, 3, 0); }));
        QVERIFY(aborts([&] { (void)view.at(0, 0, 4); }));
        QVERIFY(aborts([&] { (void)view.at(0, -1, 0); }));
        QVERIFY(aborts([&] { (void)view.row(0, 3); }));
        QVERIFY(aborts([&] { (void)view.head(2); }));
        QVERIFY(aborts([&] { (void)view.rowRange(2, 2); }));
        QVERIFY(aborts([&] { (void)view.head(0).split(3); }));
        QVERIFY(aborts([&] { (void)view.rowRange(0, 2).values(); }));
#endif
    }

private:
    NumberView all() const
    {
        return {m_numbers.data(), 2, 3, 4};
    }

    NumberVector<float> m_numbers;
};

ATTN_TEST(TestNumberView)
#include "tst_number_view.moc"
