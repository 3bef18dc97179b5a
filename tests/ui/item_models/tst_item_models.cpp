// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "item_models/candidate_model.h"
#include "item_models/hypothesis_model.h"
#include "trace/trace_builder.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace attn;
using namespace attn::ui;

namespace {

// Two hypotheses of one token each.
Trace smallBeam()
{
    Encoding source;
    source.ids = {1, 2};
    TraceBuilder builder(source, nullptr, {});
    builder.begun(source.ids, 0);
    DecodingStep step;
    step.candidates = {{7, -0.5F}, {8, -1.5F}, {9, -3.0F}};
    step.token = 8;
    step.score = step.logProbability = -1.5F;
    builder.stepped(step);
    step.index = 1;
    step.token = 7;
    step.score = step.logProbability = -0.5F;
    builder.stepped(step);
    builder.finished({{{1, -0.5, -0.5, true}, {0, -1.5, -1.5, false}}, 0.1});
    return builder.snapshot();
}

} // namespace

class TestItemModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void candidatesAreListedBestFirst()
    {
        CandidateModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        const Trace trace = smallBeam();
        model.setStep(trace.path(0).at(0));
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(0, CandidateModel::ProbabilityColumn).data().toString(), QStringLiteral("0.6065"));
        QCOMPARE(model.index(2, CandidateModel::LogProbabilityColumn).data().toString(), QStringLiteral("\u22123.000"));
        QVERIFY(!model.index(0, 0).data(CandidateModel::TakenRole).toBool());
        QVERIFY(model.index(1, 0).data(CandidateModel::TakenRole).toBool());
        QVERIFY(!model.index(0, 0).data().toString().isEmpty());
        model.setStep(trace.path(1).at(0));
        QVERIFY(model.index(0, 0).data(CandidateModel::TakenRole).toBool());
        model.setStep(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void hypothesesKnowTheirLastStep()
    {
        HypothesisModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTrace(smallBeam());
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0).data(HypothesisModel::LeafRole).toInt(), 1);
        QCOMPARE(model.index(1).data(HypothesisModel::LeafRole).toInt(), 0);
        QVERIFY(model.index(0).data().toString().startsWith(QStringLiteral("\u22120.500")));
        QVERIFY(model.index(1).data(Qt::ToolTipRole).toString().contains(QStringLiteral("length limit")));
        model.setTrace({});
        QCOMPARE(model.rowCount(), 0);
    }
};

QTEST_GUILESS_MAIN(TestItemModels)
#include "tst_item_models.moc"
