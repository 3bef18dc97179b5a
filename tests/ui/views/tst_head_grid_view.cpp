// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_matrix.h"
#include "sample_traces.h"
#include "views/view_rows.h"

#include <QtTest>

#include <algorithm>

using namespace attn;
using namespace attn::ui;

namespace attn::ui {
QWidget* makeHeadGridView(const ViewContext& context); // has no header
}

namespace {

Trace large(int tokens, int layers = 12)
{
    test::SampleRun run;
    run.source = test::syllables(tokens);
    run.encoderLayers = layers;
    run.heads = 12;
    return test::sampleReading(run, false);
}

} // namespace

// The overview of all heads, whose thumbnails may take longer than a frame.
class TestHeadGridView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_selection.setSiteAndHead({Stage::Encoder, 0}, 0);
        m_view.reset(qobject_cast<FigureView*>(makeHeadGridView({m_study, m_selection, m_appearance})));
        m_view->resize(900, 600);
    }
    void cleanup() { m_view.reset(); }

    void thumbnailsOfLongTextsAreMadeElsewhere()
    {
        m_study.replaceTrace(large(160), false);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
        QTRY_VERIFY(m_view->figure() != nullptr);
        QCOMPARE(m_view->figure()->columns(), 0); // they are being made
        const QString said = m_view->figure()->description();
        QVERIFY(!said.isEmpty() && said != missingText(Missing::NotYet, m_view->spec(), m_study.trace()));
        QTRY_COMPARE(m_view->figure()->columns(), 12);
        QVERIFY(!m_view->figure()->description().contains(said));
        QCOMPARE(m_view->figure()->rows(), 12);
        const QRectF tile = m_view->figure()->cellRect(7, 3);
        QTest::mouseClick(m_view.get(), Qt::LeftButton, Qt::NoModifier, tile.center().toPoint());
        QCOMPARE(m_selection.site(), (Site{Stage::Encoder, 7}));
        QCOMPARE(std::get<int>(m_selection.head()), 3);
        QCOMPARE(m_view->figure()->columns(), 12); // choosing a head needs no new thumbnails
    }

    void shortTextsAreThereAtOnce()
    {
        m_study.replaceTrace(large(20), false);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
        QTRY_VERIFY(m_view->figure() != nullptr);
        QCOMPARE(m_view->figure()->columns(), 12);
    }

    void theHeadsOfAnEarlierTextAreNotShown()
    {
        m_study.replaceTrace(large(160), false);
        const Trace next = large(320, 5);
        m_view->show();
        QTRY_VERIFY(m_view->figure() != nullptr);
        m_study.replaceTrace(next, false);
        QList<int> layers; // of each picture
        connect(m_view.get(), &FigureView::painted, this, [&] { layers << m_view->figure()->rows(); });
        QTRY_VERIFY(layers.contains(5));
        QVERIFY(!layers.contains(12));
    }

    void aViewThatEndsWhileThumbnailsAreMadeIsSafe()
    {
        m_study.replaceTrace(large(160), false);
        m_view->show();
        QTRY_VERIFY(m_view->figure() != nullptr);
        m_view.reset();
    }

    void hidingSpecialTokensMakesNewThumbnails()
    {
        m_study.replaceTrace(test::sampleReading(test::pairRun()), false);
        m_view->show();
        QTRY_VERIFY(m_view->figure() != nullptr && m_view->figure()->rows() == 2);
        const QImage before = m_view->grab().toImage();
        m_appearance.choose([](FigureChoices& choices) { choices.pair = PairFilter::AToB; });
        QVERIFY(m_view->grab().toImage() != before);
        m_appearance.choose([](FigureChoices& choices) { choices.pair = PairFilter::All; });
        QCOMPARE(m_view->grab().toImage(), before);
    }

private:
    Study m_study;
    Selection m_selection;
    Appearance m_appearance;
    std::unique_ptr<FigureView> m_view;
};

QTEST_MAIN(TestHeadGridView)
#include "tst_head_grid_view.moc"
