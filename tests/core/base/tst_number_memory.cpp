// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/memory.h"
#include "support/memory_used.h"
#include "support/sanitizers.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

using namespace attn;

namespace {

constexpr std::size_t many = std::size_t{1} << 23; // 32 MiB of floats

} // namespace

class TestNumberMemory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The program may ask for it before there was anything: the first request can be one that does not fit.
    void initTestCase() { releaseFreedNumbers(); }

    void beginsAtACacheLine()
    {
        for (const std::size_t count : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, many}) {
            const NumberVector<float> numbers(count);
            QCOMPARE(reinterpret_cast<std::uintptr_t>(numbers.data()) % 64, std::uintptr_t{0});
        }
    }

    void behavesLikeAnyVector()
    {
        NumberVector<float> numbers(3, 0.5F);
        QCOMPARE(numbers, (NumberVector<float>{0.5F, 0.5F, 0.5F}));
        numbers.resize(100'000, 2.0F);
        QCOMPARE(numbers.front(), 0.5F);
        QCOMPARE(std::count(numbers.begin(), numbers.end(), 2.0F), std::ptrdiff_t{99'997});
        NumberVector<float> large(many);
        std::iota(large.begin(), large.end(), 0.0F);
        const NumberVector<float> copy = large;
        const NumberVector<float> moved = std::move(large);
        QVERIFY(copy == moved);
    }

    void whatCannotBeThereIsRefused()
    {
        constexpr auto most = std::numeric_limits<std::size_t>::max();
        QVERIFY_EXCEPTION_THROWN(NumberAllocator<float>().allocate(most / 4 + 1), std::bad_alloc);
        if (test::hasAddressSanitizer() || test::hasThreadSanitizer())
            QSKIP("a sanitizer ends the program that asks for so much");
        QVERIFY_EXCEPTION_THROWN(NumberAllocator<float>().allocate(most / 8), std::bad_alloc);
    }

    void whatWasFreedGoesBackWhenAsked()
    {
        if (test::hasAddressSanitizer())
            QSKIP("AddressSanitizer keeps what was freed");
        releaseFreedNumbers();
        const std::size_t before = test::memoryOf("VmRSS");
        for (int i = 0; i < 3; ++i)
            const NumberVector<float> numbers(many, 1.0F);
        releaseFreedNumbers();
        QVERIFY(test::memoryOf("VmRSS") < before + many * sizeof(float) / 4);
    }
};

ATTN_TEST(TestNumberMemory)
#include "tst_number_memory.moc"
