// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/kept_runs.h"
#include "support/fake_model.h"
#include "support/test_program.h"

#include <QTest>

#include <memory>

using namespace attn;
using namespace attn::ui;

namespace {

// A run of nothing by a model with states of so many numbers.
std::shared_ptr<const KeptRun> runOf(int width)
{
    const auto model = std::make_shared<test::FakeModel>(2, 1, [](const auto&) {
        return std::vector<double>{0.5, 0.5};
    });
    model->editInfo().modelWidth = width;
    return std::make_shared<const KeptRun>(KeptRun{{}, model, {}, {}});
}

} // namespace

class TestKeptRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theFirstThatThereIsIsFound()
    {
        KeptRuns kept;
        const auto first = runOf(1);
        const auto second = runOf(1);
        kept.keep(3, first);
        kept.keep(5, second);
        QCOMPARE(kept.find({5, 3}), second);
        QCOMPARE(kept.find({4, 3, 5}), first);
        QVERIFY(!kept.find({4}) && !kept.find({}));
    }

    void theOldestGoWhenTheyAreTooLarge()
    {
        constexpr int third = static_cast<int>(KeptRuns::mostBytes / sizeof(float) / 6); // two numbers for each
        KeptRuns kept;
        for (quint64 number = 1; number <= 4; ++number)
            kept.keep(number, runOf(third));
        QVERIFY(!kept.find({1}));
        QVERIFY(kept.find({2}) && kept.find({3}) && kept.find({4}));
        kept.keep(5, runOf(4 * third)); // more than all
        QVERIFY(!kept.find({2, 3, 4, 5}));
    }

    void whatNobodyHoldsGoes()
    {
        KeptRuns kept;
        const ModelStore models; // none is loaded
        const auto run = runOf(1);
        kept.keep(1, run);
        kept.retain({1}, models);
        QVERIFY(!kept.find({1}));
    }
};

ATTN_TEST(TestKeptRuns)
#include "tst_kept_runs.moc"
