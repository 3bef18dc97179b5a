// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "screens/text_room.h"
#include "support/test_program.h"
#include "ui/laboratory/laboratory_fixture.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QTabBar>
#include <QTableWidget>
#include <QToolButton>

#include <functional>

using namespace attn;
using namespace attn::test;
using namespace attn::ui;

namespace {

const QString longText = QStringLiteral("Some words that need their room");

// A widget with a long text, as it would like to be.
using Make = std::function<QWidget*(QWidget& parent)>;

template<class Widget>
QWidget* withText(QWidget& parent)
{
    auto* widget = new Widget(&parent);
    widget->setText(longText);
    return widget;
}

QWidget* wrapped(QWidget& parent)
{
    auto* label = new QLabel(longText, &parent);
    label->setWordWrap(true);
    label->resize(60, label->heightForWidth(60));
    return label;
}

QWidget* box(QWidget& parent)
{
    auto* box = new QComboBox(&parent);
    box->addItem(longText);
    return box;
}

QWidget* number(QWidget& parent)
{
    auto* box = new QSpinBox(&parent);
    box->setRange(0, 1'000'000'000);
    box->setValue(1'000'000'000);
    return box;
}

QWidget* edit(QWidget& parent)
{
    auto* edit = new QLineEdit(&parent);
    edit->setPlaceholderText(longText);
    edit->resize(edit->fontMetrics().horizontalAdvance(longText) + 40, edit->sizeHint().height());
    return edit;
}

QWidget* tabs(QWidget& parent)
{
    auto* bar = new QTabBar(&parent);
    bar->addTab(longText);
    bar->addTab(longText);
    return bar;
}

QWidget* table(QWidget& parent)
{
    auto* table = new QTableWidget(2, 2, &parent);
    table->setHorizontalHeaderLabels({longText, longText});
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table->resize(4 * table->fontMetrics().horizontalAdvance(longText), 100);
    return table;
}

} // namespace

// Nothing is cut in the windows; and what looks for it finds it.
class TestTextFits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsCutIsFound_data()
    {
        QTest::addColumn<Make>("make");
        QTest::newRow("label") << Make(withText<QLabel>);
        QTest::newRow("label of lines") << Make(wrapped);
        QTest::newRow("button") << Make(withText<QPushButton>);
        QTest::newRow("tool button") << Make(withText<QToolButton>);
        QTest::newRow("check box") << Make(withText<QCheckBox>);
        QTest::newRow("combo box") << Make(box);
        QTest::newRow("number") << Make(number);
        QTest::newRow("line to type") << Make(edit);
        QTest::newRow("tabs") << Make(tabs);
        QTest::newRow("headers") << Make(table);
    }
    void whatIsCutIsFound()
    {
        QFETCH(const Make, make);
        QWidget window;
        window.resize(1200, 300);
        QWidget* widget = make(window);
        if (!widget->testAttribute(Qt::WA_Resized))
            widget->resize(widget->sizeHint());
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY2(findingsIn(window).empty(), qPrintable(textOf(findingsIn(window))));
        widget->resize(widget->width() / 2, widget->height());
        QCoreApplication::processEvents();
        QVERIFY(!findingsIn(window).empty());
        QVERIFY2(findingsIn(window).front().text.startsWith(longText.left(4)) || qobject_cast<QSpinBox*>(widget),
                 qPrintable(textOf(findingsIn(window))));
        widget->hide();
        QVERIFY(findingsIn(window).empty()); // nobody sees it
    }

    void whatLiesOutsideIsFound()
    {
        QWidget window;
        window.resize(300, 200);
        QWidget panel(&window);
        panel.setGeometry(0, 0, 300, 50);
        QLabel label(QStringLiteral("low"), &panel);
        label.move(0, 40);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(findingsIn(window).size(), std::size_t{1});
        QVERIFY(findingsIn(window).front().problem.startsWith(QLatin1String("outside")));
        label.move(0, 0);
        QVERIFY(findingsIn(window).empty());
    }

    void whatScrollsMayBeLarger()
    {
        QScrollArea window;
        window.resize(100, 60);
        window.setWidget(new QLabel(longText));
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY2(findingsIn(window).empty(), qPrintable(textOf(findingsIn(window))));
    }

    void whatHasNoRoomIsFound()
    {
        QWidget window;
        window.resize(300, 200);
        QComboBox box(&window);
        box.resize(80, 5);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(findingsIn(window).size(), std::size_t{1});
    }

    void nothingIsCutInTheWindows_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280x800") << QSize(1280, 800);
        QTest::newRow("900x600") << QSize(900, 600);
    }
    void nothingIsCutInTheWindows()
    {
        QFETCH(const QSize, size);
        LaboratoryFixture fixture(QStringLiteral("transformer"), QStringLiteral("s4 s5 s6 s7 s8 s9 s4 s5"));
        for (const ViewRow& row : viewRows()) {
            fixture.showTab(row.id);
            look(*fixture.window, size, QLatin1String(row.id));
        }
        fixture.action("welcomeAction")->trigger();
        look(*fixture.window, size, QStringLiteral("welcome"));
        for (auto* dock : fixture.window->findChildren<QDockWidget*>()) {
            dock->raise();
            look(*fixture.window, size, dock->objectName());
        }
        for (const PageRow& row : pageRows()) {
            LaboratoryPage& page = fixture.openPage(*pageOf(row.id));
            QTRY_VERIFY_WITH_TIMEOUT(!page.busy(), 20'000);
            look(*fixture.laboratory, size, QLatin1String(row.id));
        }
        QVERIFY2(m_found.isEmpty(), qPrintable(m_found));
    }

private:
    void look(QWidget& window, QSize size, const QString& what)
    {
        window.resize(size);
        (void)QTest::qWaitFor([&window] { return findingsIn(window).empty(); }, 3000); // until it is laid out
        QString found = textOf(findingsIn(window));
        if (window.size() != size)
            found += QStringLiteral("it needs %1x%2\n").arg(window.width()).arg(window.height());
        if (!found.isEmpty())
            m_found += QStringLiteral("%1:\n%2").arg(what, found);
    }

    QString m_found;
};

ATTN_GUI_TEST(TestTextFits)
#include "tst_text_fits.moc"
