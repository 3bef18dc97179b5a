// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/index.h"
#include "laboratory/page_rows.h"
#include "support/test_program.h"
#include "ui/laboratory/laboratory_fixture.h"
#include "views/figure_canvas.h"
#include "views/figure_view.h"
#include "views/view_rows.h"

#include <QSpinBox>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;

namespace {

// The pointer at the middle and the keys to both ends, and how it is painted.
void lookAt(QWidget& widget)
{
    QVERIFY(!widget.grab().isNull());
    LaboratoryFixture::pointTo(&widget, widget.rect().center());
    for (const int key :
         {Qt::Key_Home, Qt::Key_Right, Qt::Key_Down, Qt::Key_End, Qt::Key_Left, Qt::Key_Up, Qt::Key_Return})
        QTest::keyClick(&widget, static_cast<Qt::Key>(key));
    QVERIFY(!widget.grab().isNull());
}

} // namespace

// One token read, one written: maps of a row or a column, and numbers of which there are no two.
class TestSmallestRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allIsShownOfIt_data()
    {
        QTest::addColumn<bool>("attends");
        for (const char* name :
             {"bart-plain", "bert-pair", "gpt2-plain", "llama-gqa", "t5-relu", "rnn-bahdanau-gru", "rnn-luong-local-p",
              "rnn-intra-bahdanau", "text-hierarchical-gru", "text-lstmn-last", "text-structured"})
            QTest::newRow(name) << true;
        QTest::newRow("rnn-none-unidirectional") << false;
    }
    void allIsShownOfIt()
    {
        QFETCH(const bool, attends);
        LaboratoryFixture fixture;
        fixture.show(QStringLiteral(ATTN_TEST_DATA "/cases/") + QLatin1String(QTest::currentDataTag()), {});
        QTRY_VERIFY(!fixture.window->controller().busy());
        fixture.find<QSpinBox>("max-length")->setValue(1);
        fixture.type(QStringLiteral("5"));
        fixture.action("runAction")->trigger();
        QTRY_VERIFY(!fixture.window->controller().busy());
        QCOMPARE(!fixture.trace().sites().empty(), attends);
        for (const ViewRow& view : viewRows()) {
            fixture.showTab(view.id);
            QWidget* const tab = fixture.find<QTabWidget>("viewTabs")->currentWidget();
            for (FigureView* shown : tab->findChildren<FigureView*>())
                lookAt(*shown);
            QVERIFY(!tab->grab().isNull());
        }
        for (int i = 0; i < indexSize(pageRows()); ++i) {
            LaboratoryPage& page = fixture.openPage(static_cast<Page>(i));
            QTRY_VERIFY_WITH_TIMEOUT(!page.busy(), 30'000);
            for (FigureCanvas* shown : page.findChildren<FigureCanvas*>()) {
                if (shown->isVisible())
                    lookAt(*shown);
            }
            QVERIFY(!page.grab().isNull());
            if (const auto figure = page.exportable(); figure && figure->csv)
                (void)figure->csv();
        }
    }
};

ATTN_GUI_TEST(TestSmallestRuns)
#include "tst_smallest_runs.moc"
