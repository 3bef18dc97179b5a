// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/laboratory/laboratory_fixture.h"

#include <QMenu>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;

// The laboratory's window: its pages, how they are reached and left.
class TestLaboratory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyPageIsReachedFromTheMenuAndSaysWhatIsSeen()
    {
        LaboratoryFixture fixture;
        fixture.open();
        const auto actions = fixture.find<QMenu>("laboratoryMenu")->actions();
        QCOMPARE(actions.size(), pageCount);
        for (int i = 0; i < pageCount; ++i) {
            actions[i]->trigger();
            fixture.laboratory = fixture.find<LaboratoryWindow>("laboratory");
            QCOMPARE(static_cast<int>(fixture.laboratory->current()), i);
            QVERIFY(fixture.laboratory->isVisible());
            QVERIFY(fixture.laboratory->windowTitle().contains(actions[i]->text()));
            QVERIFY(fixture.on<QLabel>("about")->text().size() > 40);
        }
    }

    void theListGoesFromPageToPage()
    {
        LaboratoryFixture fixture;
        fixture.open();
        fixture.openPage(Page::Lookup);
        auto* list = fixture.laboratory->findChild<QListWidget*>(QStringLiteral("laboratoryPages"));
        QCOMPARE(list->currentRow(), static_cast<int>(Page::Lookup));
        QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::NoModifier,
                          list->visualItemRect(list->item(static_cast<int>(Page::Order))).center());
        QCOMPARE(fixture.laboratory->current(), Page::Order);
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Down);
        QCOMPARE(fixture.laboratory->current(), Page::Embeddings);
    }

    void itClosesWithTheWindowWhileItWorks()
    {
        LaboratoryFixture fixture;
        fixture.open();
        fixture.openPage(Page::Compare);
        fixture.window.reset();
        QCOMPARE(QApplication::topLevelWidgets().count(), 0);
    }
};

QTEST_MAIN(TestLaboratory)
#include "tst_laboratory.moc"
