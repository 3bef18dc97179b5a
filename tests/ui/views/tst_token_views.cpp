// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/parts/token_figure.h"
#include "sample_traces.h"
#include "support/test_program.h"
#include "views/head_squares.h"
#include "views/token_view.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QToolButton>
#include <QWheelEvent>
#include <QtTest>

#include <algorithm>
#include <memory>

using namespace attn;
using namespace attn::ui;

namespace attn::ui {
QWidget* makeLinesView(const ViewContext& context); // have no headers
QWidget* makeTextView(const ViewContext& context);
} // namespace attn::ui

namespace {

using Picks = std::vector<int>;
using Side = TokenSide;

} // namespace

// The lines and the shaded text: tokens that are picked, walked to, and the bars below.
class TestTokenViews : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        test::SampleRun run = test::shortRun();
        run.heads = 4;
        run.encoderLayers = 1;
        m_study.replaceTrace(test::sampleTrace(run), false);
        m_selection.setSiteAndHead({Stage::Cross, 0}, meanOfHeads);
        m_appearance.choose([](FigureChoices& choices) { choices = {}; });
    }
    void cleanup() { m_view.reset(); }

    // --- lines

    void squaresChooseHeads()
    {
        show(makeLinesView);
        auto* squares = m_view->findChild<HeadSquares*>(QStringLiteral("headSquares"));
        QVERIFY(squares != nullptr && squares->isVisible());
        const auto click = [&](int head) {
            QTest::mouseClick(squares, Qt::LeftButton, Qt::NoModifier, squares->square(head).center());
        };
        const auto doubleClick = [&](int head) {
            click(head);
            QTest::mouseDClick(squares, Qt::LeftButton, Qt::NoModifier, squares->square(head).center());
        };
        const auto heads = [&] { return m_appearance.choices().heads.ofLayer; };
        click(2);
        QCOMPARE(heads(), (Picks{2}));
        click(0);
        QCOMPARE(heads(), (Picks{0, 2}));
        click(2);
        QCOMPARE(heads(), (Picks{0}));
        doubleClick(3);
        QCOMPARE(heads(), (Picks{3}));
        doubleClick(3);
        QCOMPARE(heads(), (Picks{0, 1, 2, 3}));
        doubleClick(1);
        QCOMPARE(heads(), (Picks{1}));
        // The same by the keyboard.
        squares->setFocus();
        QTest::keyClick(squares, Qt::Key_Right);
        QTest::keyClick(squares, Qt::Key_Space);
        QCOMPARE(heads(), (Picks{1, 2}));
        QTest::keyClick(squares, Qt::Key_Return);
        QCOMPARE(heads(), (Picks{2}));
        QTest::keyClick(squares, Qt::Key_Return);
        QCOMPARE(heads(), (Picks{0, 1, 2, 3}));
    }

    void theBarFiltersAndTurnsTheLines()
    {
        show(makeLinesView);
        const auto type = [this](const char* name, const char* text) {
            auto* box = m_view->findChild<QDoubleSpinBox*>(QLatin1String(name));
            box->setFocus();
            box->selectAll();
            QTest::keyClicks(box, QLatin1String(text));
            QTest::keyClick(box, Qt::Key_Return);
        };
        const QImage before = m_view->grab().toImage();
        type("threshold", "0.2");
        QCOMPARE(m_appearance.choices().threshold, 0.2);
        QVERIFY(m_view->grab().toImage() != before);
        type("top-mass", "0.5");
        QCOMPARE(m_appearance.choices().topMass, 0.5);
        auto* layout = m_view->findChild<QComboBox*>(QStringLiteral("linesLayout"));
        layout->setFocus();
        QTest::keyClick(layout, Qt::Key_Down);
        QCOMPARE(m_appearance.choices().linesLayout, LinesLayout::Rows);
        const auto top = [&](Side side) { return rectOf({side, 0}).top(); };
        QVERIFY(top(Side::Rows) + 50 < top(Side::Columns));
        QVERIFY(m_view->figure()->size().height() <= layout->mapTo(m_view.get(), QPoint()).y()); // nothing is covered
    }

    void clicksPickTokens()
    {
        show(makeLinesView);
        click({Side::Rows, 2});
        QCOMPARE(m_appearance.choices().picked, (Picks{2}));
        QCOMPARE(m_view->spec().picked, (Picks{2})); // what is exported
        click({Side::Rows, 4}, Qt::ControlModifier);
        QCOMPARE(m_appearance.choices().picked, (Picks{2, 4}));
        click({Side::Rows, 2}, Qt::ControlModifier);
        QCOMPARE(m_appearance.choices().picked, (Picks{4}));
        click({Side::Rows, 4});
        QVERIFY(m_appearance.choices().picked.empty());
        click({Side::Columns, 3});
        QCOMPARE(m_appearance.choices().picked, (Picks{3}));
        QCOMPARE(m_appearance.choices().shading, Shading::Attending);
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QVERIFY(m_appearance.choices().picked.empty());
    }

    void theKeyboardWalksAndPicks()
    {
        for (const auto make : {makeLinesView, makeTextView}) {
            init();
            show(make);
            m_view->setFocus();
            QSignalSpy said(m_view.get(), &FigureView::hovered);
            QTest::keyClick(m_view.get(), Qt::Key_Home);
            QCOMPARE(said.last().at(0).value<FigureHit>().row, std::optional(0));
            QTest::keyClick(m_view.get(), make == makeLinesView ? Qt::Key_Down : Qt::Key_Right);
            QCOMPARE(said.last().at(0).value<FigureHit>().row, std::optional(1));
            QTest::keyClick(m_view.get(), Qt::Key_Return);
            QCOMPARE(m_appearance.choices().picked, (Picks{1}));
            QTest::keyClick(m_view.get(), make == makeLinesView ? Qt::Key_Down : Qt::Key_Right);
            QTest::keyClick(m_view.get(), Qt::Key_Return, Qt::ControlModifier);
            QCOMPARE(m_appearance.choices().picked, (Picks{1, 2}));
            QTest::keyClick(m_view.get(), Qt::Key_Escape);
            QVERIFY(m_appearance.choices().picked.empty());
        }
    }

    void pointingTellsTheWeights()
    {
        show(makeLinesView);
        QSignalSpy said(m_view.get(), &FigureView::hovered);
        QTest::mouseMove(m_view.get(), centre({Side::Rows, 1}));
        QTRY_VERIFY(!said.isEmpty());
        const Numbers mean = readWeights(m_study.trace(), {{Stage::Cross, 0}, meanOfHeads});
        double most = 0;
        for (int column = 0; column < mean.columns; ++column)
            most = std::max(most, static_cast<double>(mean.at(1, column)));
        QVERIFY(said.last().at(0).value<FigureHit>().text.contains(QString::number(most, 'f', 3)));
    }

    // Another text has other tokens; edits and other heads of the same text keep them.
    void picksEndWithTheirText()
    {
        show(makeLinesView);
        click({Side::Rows, 2});
        m_selection.setHead(1);
        QCOMPARE(m_appearance.choices().picked, (Picks{2}));
        m_selection.setSite({Stage::Encoder, 0});
        QVERIFY(m_appearance.choices().picked.empty());
        click({Side::Rows, 2});
        m_study.replaceTrace(test::sampleTrace(test::shortRun()), false);
        QVERIFY(m_appearance.choices().picked.empty());
    }

    // --- text

    void textIsTurnedAround()
    {
        show(makeTextView);
        click({Side::Rows, 2});
        QCOMPARE(m_appearance.choices().picked, (Picks{2}));
        auto* shading = m_view->findChild<QComboBox*>(QStringLiteral("shading"));
        shading->setFocus();
        QTest::keyClick(shading, Qt::Key_Down);
        QCOMPARE(m_appearance.choices().shading, Shading::Attending);
        QVERIFY(m_appearance.choices().picked.empty()); // they were words of the other text
        m_selection.setSite({Stage::Encoder, 0});
        click({Side::Columns, 1});
        QCOMPARE(m_appearance.choices().picked, (Picks{1}));
        shading->setFocus();
        QTest::keyClick(shading, Qt::Key_Up);
        QCOMPARE(m_appearance.choices().picked, (Picks{1})); // the same text
        QCOMPARE(m_appearance.choices().shading, Shading::AttendedTo);
        QTest::mouseClick(m_view->findChild<QToolButton*>(QStringLiteral("letGo")), Qt::LeftButton);
        QVERIFY(m_appearance.choices().picked.empty());
    }

    void whatIsWalkedToComesIntoSight()
    {
        test::SampleRun run;
        run.source = test::syllables(900);
        run.target = test::syllables(4, 4);
        m_study.replaceTrace(test::sampleTrace(run), false);
        show(makeTextView);
        m_view->setFocus();
        QTest::keyClick(m_view.get(), Qt::Key_End);
        m_view->grab();
        QVERIFY(QRectF(QPointF(), m_view->figure()->size())
                    .contains(rectOf({Side::Columns, m_view->figure()->columns() - 1})));
        QTest::keyClick(m_view.get(), Qt::Key_Home);
        m_view->grab();
        QVERIFY(QRectF(QPointF(), m_view->figure()->size()).contains(rectOf({Side::Rows, 0})));
        QWheelEvent down(QPointF(100, 100), m_view->mapToGlobal(QPointF(100, 100)), {}, {0, -240}, Qt::NoButton,
                         Qt::NoModifier, Qt::NoScrollPhase, false);
        const double before = rectOf({Side::Rows, 0}).top();
        QCoreApplication::sendEvent(m_view.get(), &down);
        m_view->grab();
        QVERIFY(rectOf({Side::Rows, 0}).top() < before);
    }

private:
    void show(QWidget* (*make)(const ViewContext&))
    {
        m_view.reset(qobject_cast<FigureView*>(make({m_study, m_selection, m_appearance})));
        m_view->resize(900, 600);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
        QTRY_VERIFY(m_view->figure() != nullptr);
    }

    QRectF rectOf(TokenPlace place)
    {
        m_view->grab(); // as it is by now
        return dynamic_cast<const TokenFigure&>(*m_view->figure()).rectOf(place);
    }
    QPoint centre(TokenPlace place) { return rectOf(place).center().toPoint(); }
    void click(TokenPlace place, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseClick(m_view.get(), Qt::LeftButton, modifiers, centre(place));
    }

    Study m_study;
    Selection m_selection;
    Appearance m_appearance;
    std::unique_ptr<FigureView> m_view;
};

ATTN_GUI_TEST(TestTokenViews)
#include "tst_token_views.moc"
