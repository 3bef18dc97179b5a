// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/edits_panel.h"
#include "support/test_program.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QStyledItemDelegate>
#include <QTest>
#include <QToolButton>

using namespace attn;
using namespace attn::ui;

namespace {

using Texts = std::vector<std::string>;

struct Desk
{
    Desk()
    {
        panel.resize(300, 400);
        panel.show();
        panel.activateWindow();
        if (!QTest::qWaitForWindowActive(&panel))
            qFatal("the panel has no focus");
        list = panel.findChild<QListView*>(QStringLiteral("editsList"));
        line = panel.findChild<QLineEdit*>(QStringLiteral("newEdit"));
    }

    void type(const char* edit) const
    {
        line->setFocus();
        QTest::keyClicks(line, QLatin1String(edit));
        QTest::keyClick(line, Qt::Key_Return);
    }

    QPoint at(int row) const { return list->visualRect(list->model()->index(row, 0)).center(); }
    void click(int row, Qt::KeyboardModifiers modifiers = {}) const
    {
        QTest::mouseClick(list->viewport(), Qt::LeftButton, modifiers, at(row));
        list->setFocus();
    }

    // Its tick.
    void tick(int row) const
    {
        const QModelIndex index = list->model()->index(row, 0);
        QStyleOptionViewItem option;
        option.initFrom(list);
        option.rect = list->visualRect(index);
        option.features = QStyleOptionViewItem::HasCheckIndicator | QStyleOptionViewItem::HasDisplay;
        const QRect box = list->style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, list);
        const int height = option.fontMetrics.height();
        const bool twoLines = !index.data(EditList::ProblemRole).toString().isEmpty();
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, box.center() - QPoint(0, twoLines ? height / 2 : 0));
    }

    const Texts& applied() const { return study.edited().edits; }

    Study study;
    EditList edits{study};
    EditsPanel panel{edits};
    QListView* list = nullptr;
    QLineEdit* line = nullptr;
};

} // namespace

class TestEditsPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void editsAreTypedTickedAndCorrected()
    {
        Desk desk;
        desk.type("cross:0:0=zero");
        desk.type("cross:0:0=sero");
        QVERIFY(desk.line->text().isEmpty());
        QCOMPARE(desk.applied(), (Texts{"cross:0:0=zero"}));
        desk.tick(0);
        QVERIFY(desk.applied().empty());
        desk.tick(0);
        QCOMPARE(desk.applied(), (Texts{"cross:0:0=zero"}));
        // A wrong one says why below itself, and is mended where it stands.
        QVERIFY(desk.list->visualRect(desk.edits.index(1)).height()
                > desk.list->visualRect(desk.edits.index(0)).height());
        desk.tick(1);
        QVERIFY(!desk.edits.entries().at(1).on);
        desk.tick(1);
        desk.click(1);
        QTest::keyClick(desk.list, Qt::Key_F2);
        auto* editor = desk.list->findChild<QLineEdit*>(QStringLiteral("editEditor"));
        QVERIFY(editor != nullptr);
        editor->selectAll();
        QTest::keyClicks(editor, QStringLiteral("source:2=hide"));
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_COMPARE(desk.applied(), (Texts{"cross:0:0=zero", "source:2=hide"}));
    }

    void keysOrderAndDelete()
    {
        Desk desk;
        for (const char* edit : {"cross=zero", "cross=set:1", "cross=scale:2"})
            desk.type(edit);
        desk.click(2);
        QTest::keyClick(desk.list, Qt::Key_Up, Qt::AltModifier);
        QTest::keyClick(desk.list, Qt::Key_Up, Qt::AltModifier);
        QTest::keyClick(desk.list, Qt::Key_Up, Qt::AltModifier); // it is the first
        QCOMPARE(desk.applied(), (Texts{"cross=scale:2", "cross=zero", "cross=set:1"}));
        QTest::keyClick(desk.list, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(desk.applied(), (Texts{"cross=zero", "cross=scale:2", "cross=set:1"}));
        desk.click(0, Qt::ControlModifier);
        QCOMPARE(desk.list->selectionModel()->selectedIndexes().size(), 2);
        QTest::keyClick(desk.list, Qt::Key_Delete);
        QCOMPARE(desk.applied(), (Texts{"cross=set:1"}));
        QTest::keySequence(desk.list, QKeySequence(QKeySequence::Undo));
        QCOMPARE(desk.applied().size(), std::size_t{3});
        QTest::keySequence(desk.list, QKeySequence(QKeySequence::Redo));
        QCOMPARE(desk.applied(), (Texts{"cross=set:1"}));
        QTest::keyClick(desk.list, Qt::Key_Space); // ticks
        QVERIFY(desk.applied().empty());
    }

    void textGoesInAndOut()
    {
        Desk desk;
        QGuiApplication::clipboard()->setText(QStringLiteral("--edit cross=zero\nsource:1=hide\nnonsense"));
        auto press = [&desk](const char* action) {
            for (QToolButton* button : desk.panel.findChildren<QToolButton*>()) {
                if (button->defaultAction()->objectName() == QLatin1String(action))
                    QTest::mouseClick(button, Qt::LeftButton);
            }
        };
        press("pasteEditsAction");
        QCOMPARE(desk.applied(), (Texts{"cross=zero", "source:1=hide"}));
        QCOMPARE(desk.edits.rowCount(), 3);
        press("copyAllEditsAction");
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("cross=zero\nsource:1=hide"));
        desk.click(2);
        QTest::keyClick(desk.list, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("nonsense"));
        desk.click(0);
        QTest::keyClick(desk.list, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(desk.edits.entries().at(1).text, std::string("nonsense"));
    }
};

ATTN_GUI_TEST(TestEditsPanel)
#include "tst_edits_panel.moc"
