// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/color_map.h"
#include "state/appearance.h"
#include "state/selection.h"
#include "state/strings.h"
#include "state/study.h"
#include "support/test_program.h"
#include "support/texts.h"

#include <QSet>
#include <QSignalSpy>
#include <QTest>

using namespace attn;
using namespace attn::ui;

class TestState : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void selectionTellsWhatChanged()
    {
        Selection selection;
        Selection::Fields seen;
        int count = 0;
        connect(&selection, &Selection::changed, this, [&](Selection::Fields fields) {
            seen = fields;
            ++count;
        });
        selection.setSite({Stage::Encoder, 2});
        QCOMPARE(seen, Selection::Fields(Selection::SiteField));
        selection.setSiteAndHead({Stage::Decoder, 1}, maximumOfHeads);
        QCOMPARE(seen, Selection::SiteField | Selection::HeadField);
        selection.setStep(4);
        QCOMPARE(seen, Selection::Fields(Selection::StepField));
        selection.setLeaf(StepId{7});
        QCOMPARE(seen, Selection::Fields(Selection::LeafField));
        selection.setCell(1, 2);
        QCOMPARE(seen, Selection::Fields(Selection::CellField));
        QCOMPARE(count, 5);
    }

    void settingTheSameIsSilent()
    {
        Selection selection;
        Appearance appearance;
        QSignalSpy selected(&selection, &Selection::changed);
        QSignalSpy looked(&appearance, &Appearance::changed);
        selection.setSiteAndHead(selection.site(), selection.head());
        selection.setStep(selection.step());
        selection.setCell(selection.row(), selection.column());
        appearance.setTheme(appearance.theme());
        appearance.setWords(appearance.choices().words);
        QCOMPARE(selected.count(), 0);
        QCOMPARE(looked.count(), 0);
        appearance.choose([](FigureChoices& choices) { choices.colorMap = colorMapFromName(QStringLiteral("magma")); });
        QCOMPARE(looked.count(), 1);
    }

    void aNewResultIsAnnouncedBeforeItIsShown()
    {
        Study study;
        QStringList order;
        connect(&study, &Study::traceReplaced, this, [&] { order << QStringLiteral("replaced"); });
        connect(&study, &Study::traceChanged, this,
                [&] { order << (study.running() ? QStringLiteral("running") : QStringLiteral("still")); });
        connect(&study, &Study::runningChanged, this,
                [&](bool running) { order << (running ? QStringLiteral("begins") : QStringLiteral("ends")); });
        study.replaceTrace({}, true);
        study.growTrace({}, true);
        study.growTrace({}, false);
        const QStringList expected{QStringLiteral("replaced"), QStringLiteral("begins"),  QStringLiteral("running"),
                                   QStringLiteral("running"),  QStringLiteral("running"), QStringLiteral("ends")};
        QCOMPARE(order, expected);
    }

    void namesAreReadable()
    {
        const QSet<QString> names{stageName(Stage::Encoder), stageName(Stage::Decoder), stageName(Stage::Cross),
                                  headTitle(meanOfHeads),    headTitle(maximumOfHeads), headTitle(3)};
        QCOMPARE(names.size(), 6);
        for (const QString& name : names)
            QVERIFY2(name.size() > 1 && name[0].isUpper(), qPrintable(name));
        QCOMPARE(test::numbersIn(headTitle(3)), QStringList{QStringLiteral("3")});
        QCOMPARE(pieceText("\xE2\x96\x81"
                           "chat"),
                 QString::fromUtf8("\xC2\xB7"
                                   "chat"));
    }
};

ATTN_TEST(TestState)
#include "tst_state.moc"
