// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/look/decimal.h"
#include "support/test_program.h"
#include "views/chart_canvas.h"
#include "views/number_box.h"

#include <QCategoryAxis>
#include <QSignalSpy>
#include <QTest>

#include <limits>
#include <memory>

using namespace attn;
using namespace attn::ui;

namespace {

void typeInto(QAbstractSpinBox& box, const QString& text)
{
    box.selectAll();
    QTest::keyClicks(&box, text);
    QTest::keyClick(&box, Qt::Key_Return);
}

} // namespace

// Numbers in fields and at axes are written as in figures.
class TestNumberBox : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aMinusIsAMinus()
    {
        NumberBox box;
        box.setRange(-10, 10);
        box.setDecimals(3);
        box.setValue(-1.99);
        QCOMPARE(box.text(), QString(QChar(0x2212)) + QStringLiteral("1.99"));
        box.setValue(-0.0001);
        QCOMPARE(box.text(), QStringLiteral("0"));
    }

    void aHyphenAndACommaAreRead_data()
    {
        QTest::addColumn<QString>("typed");
        for (const char* typed : {"-2.5", "-2,5"})
            QTest::newRow(typed) << QString::fromLatin1(typed);
    }
    void aHyphenAndACommaAreRead()
    {
        QFETCH(QString, typed);
        NumberBox box;
        box.setRange(-10, 10);
        typeInto(box, typed);
        QCOMPARE(box.value(), -2.5);
        QCOMPARE(box.text(), QStringLiteral("\u22122.5"));
        box.stepUp(); // which reads what stands there
        QCOMPARE(box.value(), -1.5);
    }

    void aSeedMayBeAnySeed()
    {
        SeedBox box;
        QSignalSpy changed(&box, &SeedBox::valueChanged);
        typeInto(box, QStringLiteral("18446744073709551615"));
        QCOMPARE(box.value(), std::numeric_limits<quint64>::max());
        QVERIFY(changed.count() > 0);
        box.stepBy(3);
        QCOMPARE(box.value(), std::numeric_limits<quint64>::max());
        typeInto(box, QStringLiteral("-5x")); // of which only the digit is taken
        QCOMPARE(box.value(), quint64{5});
        box.selectAll();
        QTest::keyClick(&box, Qt::Key_Delete);
        QTest::keyClick(&box, Qt::Key_Return);
        QCOMPARE(box.text(), QStringLiteral("5"));
        box.stepBy(-10);
        QCOMPARE(box.value(), quint64{0});
    }

    void axesHaveTheSameMinus()
    {
        const std::unique_ptr<QAbstractAxis> axis(roundAxis(-1.9, 0.4));
        const QStringList labels = qobject_cast<QCategoryAxis*>(axis.get())->categoriesLabels();
        QVERIFY(labels.front().startsWith(QChar(0x2212)));
        QVERIFY(!labels.join(QString()).contains(QLatin1Char('-')));
        const std::unique_ptr<QAbstractAxis> flat(roundAxis(2, 2));
        QVERIFY(qobject_cast<QCategoryAxis*>(flat.get())->count() >= 2);
    }

    void sharesAreWritten()
    {
        QCOMPARE(percent(0), QStringLiteral("0 %"));
        QCOMPARE(percent(0.0001), QStringLiteral("<0.1 %"));
        QCOMPARE(percent(0.034), QStringLiteral("3.4 %"));
        QCOMPARE(percent(0.0999), QStringLiteral("10 %"));
        QCOMPARE(percent(1), QStringLiteral("100 %"));
    }
};

ATTN_GUI_TEST(TestNumberBox)
#include "tst_number_box.moc"
