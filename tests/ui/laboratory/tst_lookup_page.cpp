// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// clang-format off
#include <array>
#include <cmath>
#include <vector>
// clang-format on

#include "figures/charts/key_plane_figure.h"
#include "figures/look/color_map.h"
#include "figures/look/decimal.h"
#include "support/test_program.h"
#include "ui/laboratory/laboratory_fixture.h"

#include <QAbstractItemView>
#include <QDoubleSpinBox>
#include <QImage>
#include <QLineEdit>
#include <QSlider>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;

namespace {

struct Row
{
    double x = 0;
    double y = 0;
    double value = 0;
};

const std::vector<Row> example{{3, 1, 15}, {2, 2.5, 12}, {-1, 3, 27}, {-3, -1, 10}, {0.5, -3, 100}};

// The definition in double precision, apart from the program's own computation.
std::vector<double> weightsOf(const std::vector<Row>& table, double x, double y, double sharpness)
{
    std::vector<double> weights;
    double sum = 0;
    for (const Row& row : table) {
        weights.push_back(std::exp(sharpness * (row.x * x + row.y * y)));
        sum += weights.back();
    }
    for (double& weight : weights)
        weight /= sum;
    return weights;
}

double resultOf(const std::vector<Row>& table, double x, double y, double sharpness)
{
    const std::vector<double> weights = weightsOf(table, x, y, sharpness);
    double result = 0;
    for (std::size_t i = 0; i < table.size(); ++i)
        result += weights[i] * table[i].value;
    return result;
}

bool near(double a, double b)
{
    return std::abs(a - b) < 1e-4 * std::max(1.0, std::abs(b));
}

// What the page has computed, as its table of numbers says it.
struct Lookup
{
    QStringList names;
    std::vector<double> weights; // of the entries
    std::vector<double> query;
    double result = 0;
};

Lookup lookupOf(const QByteArray& csv)
{
    Lookup lookup;
    const QStringList lines = QString::fromUtf8(csv).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
    const qsizetype weight = lines.front().split(QLatin1Char(',')).indexOf(QStringLiteral("weight"));
    for (const QString& line : lines.mid(1)) {
        const QStringList fields = line.split(QLatin1Char(','));
        const QString name = QString(fields.front()).remove(QLatin1Char('"'));
        if (name == QStringLiteral("result")) {
            lookup.result = fields.back().toDouble();
        } else if (name == QStringLiteral("query")) {
            for (qsizetype i = 1; i < weight - 1; ++i)
                lookup.query.push_back(fields[i].toDouble());
        } else {
            lookup.names << name;
            lookup.weights.push_back(fields[weight].toDouble());
        }
    }
    return lookup;
}

class LookupFixture : public LaboratoryFixture
{
public:
    LookupFixture()
    {
        open();
        page = &openPage(*pageOf("lookup"));
        view = on<QAbstractItemView>("lookupTable");
        plane = on<FigureCanvas>("queryPlane");
        settle();
    }

    const KeyPlaneFigure& ground() const { return dynamic_cast<const KeyPlaneFigure&>(*plane->figure()); }

    // Waits until the figures are laid out.
    void settle() const
    {
        plane->repaint();
        on<FigureCanvas>("lookupWeights")->repaint();
    }

    // Types into a cell of the table and confirms.
    void enter(int row, int column, const QString& text) const
    {
        const QModelIndex cell = view->model()->index(row, column);
        view->setFocus();
        view->setCurrentIndex(cell);
        view->edit(cell);
        auto* editor = view->viewport()->findChild<QLineEdit*>();
        QVERIFY(editor != nullptr);
        editor->selectAll();
        QTest::keyClicks(editor, text);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_VERIFY(view->viewport()->findChild<QLineEdit*>() == nullptr);
    }

    QString cell(int row, int column) const
    {
        return view->model()->index(row, column).data(Qt::DisplayRole).toString();
    }

    void typeNumber(const char* box, const QString& text) const
    {
        auto* spin = on<QDoubleSpinBox>(box);
        spin->setFocus();
        spin->selectAll();
        QTest::keyClicks(spin, text);
        QTest::keyClick(spin, Qt::Key_Return);
    }

    Lookup content() const { return lookupOf(page->exportable()->csv()); }
    double result() const { return content().result; }
    QString said() const { return on<QLabel>("result")->text(); }

    LaboratoryPage* page = nullptr;
    QAbstractItemView* view = nullptr;
    FigureCanvas* plane = nullptr;
};

} // namespace

// The key-value table, its query, and what it answers.
class TestLookupPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theExampleIsAnsweredSoftlyOnly()
    {
        LookupFixture fixture;
        QCOMPARE(fixture.view->model()->rowCount(), 5);
        for (const QString& name : fixture.content().names) // exactly by none
            QVERIFY(!fixture.said().contains(name));
        const std::vector<double> expected = weightsOf(example, 2.5, 1.5, 1 / std::sqrt(2.0));
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY(near(fixture.content().weights[i], expected[i]));
        QVERIFY(near(fixture.result(), resultOf(example, 2.5, 1.5, 1 / std::sqrt(2.0))));
        QVERIFY(fixture.said().contains(shortDecimal(fixture.result())));
    }

    void aQueryThatIsAKeyIsAnsweredExactly()
    {
        LookupFixture fixture;
        fixture.typeNumber("query1", QStringLiteral("-1"));
        fixture.typeNumber("query2", QStringLiteral("3"));
        QVERIFY(fixture.said().contains(QStringLiteral("horse")));
        QVERIFY(fixture.said().contains(QStringLiteral("27")));
        QVERIFY(near(fixture.result(), resultOf(example, -1, 3, 1 / std::sqrt(2.0))));
    }

    void theTableIsEditedInPlace()
    {
        LookupFixture fixture;
        fixture.enter(0, 3, QStringLiteral("-4,5"));
        QCOMPARE(fixture.cell(0, 3), QStringLiteral("\u22124.5"));
        fixture.enter(1, 1, QStringLiteral("3"));
        fixture.enter(1, 0, QStringLiteral("wolf"));
        std::vector<Row> table = example;
        table[0].value = -4.5;
        table[1].x = 3;
        QVERIFY(near(fixture.result(), resultOf(table, 2.5, 1.5, 1 / std::sqrt(2.0))));
        QCOMPARE(fixture.content().names[1], QStringLiteral("wolf"));
    }

    void whatIsNoNumberIsRefused_data()
    {
        QTest::addColumn<QString>("typed");
        for (const char* typed : {"cat", "", "1e9", "nan", "inf", "1 2", "0x10", "--1"})
            QTest::newRow(typed) << QString::fromLatin1(typed);
    }

    void whatIsNoNumberIsRefused()
    {
        QFETCH(const QString, typed);
        LookupFixture fixture;
        const double before = fixture.result();
        fixture.enter(0, 1, typed.isEmpty() ? QStringLiteral(" ") : typed);
        QCOMPARE(fixture.cell(0, 1), QStringLiteral("3"));
        QCOMPARE(fixture.result(), before);
        QVERIFY(fixture.on<MessageBar>("messageBar")->isVisible());
        fixture.enter(0, 1, QStringLiteral("2"));
        QVERIFY(!fixture.on<MessageBar>("messageBar")->isVisible());
    }

    void entriesAreAddedAndRemoved()
    {
        LookupFixture fixture;
        auto* add = fixture.on<QPushButton>("addEntry");
        auto* remove = fixture.on<QPushButton>("removeEntry");
        QTest::mouseClick(add, Qt::LeftButton);
        QCOMPARE(fixture.view->model()->rowCount(), 6);
        std::vector<Row> table = example;
        table.push_back({});
        QVERIFY(near(fixture.result(), resultOf(table, 2.5, 1.5, 1 / std::sqrt(2.0))));
        for (int i = 0; i < 20; ++i)
            QTest::mouseClick(add, Qt::LeftButton);
        QCOMPARE(fixture.view->model()->rowCount(), 12);
        QVERIFY(!add->isEnabled());
        fixture.view->setCurrentIndex(fixture.view->model()->index(1, 0));
        QTest::mouseClick(remove, Qt::LeftButton);
        QCOMPARE(fixture.cell(1, 0), QStringLiteral("horse"));
        while (remove->isEnabled())
            QTest::mouseClick(remove, Qt::LeftButton);
        QCOMPARE(fixture.view->model()->rowCount(), 0);
        QCOMPARE(fixture.result(), 0.0);
        QVERIFY(fixture.page->exportable().has_value());
        QTest::mouseClick(fixture.on<QPushButton>("restoreExample"), Qt::LeftButton);
        QCOMPARE(fixture.view->model()->rowCount(), 5);
        QVERIFY(near(fixture.result(), resultOf(example, 2.5, 1.5, 1 / std::sqrt(2.0))));
    }

    void theSharpnessGoesFromTheMeanToTheHardLookup()
    {
        LookupFixture fixture;
        auto* slider = fixture.on<QSlider>("sharpnessSlider");
        auto* scaled = fixture.on<QPushButton>("scaledDotProduct");
        QVERIFY(scaled->isChecked());
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_End);
        QVERIFY(!scaled->isChecked());
        QCOMPARE(fixture.on<QDoubleSpinBox>("sharpness")->value(), 100.0);
        QVERIFY(near(fixture.result(), 15)); // the best fit alone
        QTest::keyClick(slider, Qt::Key_Home);
        QVERIFY(near(fixture.result(), resultOf(example, 2.5, 1.5, 0.01)));
        fixture.typeNumber("sharpness", QStringLiteral("0.25"));
        QVERIFY(near(fixture.result(), resultOf(example, 2.5, 1.5, 0.25)));
        QTest::mouseClick(scaled, Qt::LeftButton);
        QVERIFY(scaled->isChecked());
        QVERIFY(near(fixture.result(), resultOf(example, 2.5, 1.5, 1 / std::sqrt(2.0))));
    }

    void theQueryFollowsTheMouse()
    {
        LookupFixture fixture;
        const auto point = [&](double x, double y) { return fixture.ground().toPoint(x, y).toPoint(); };
        QTest::mousePress(fixture.plane, Qt::LeftButton, Qt::NoModifier, point(2.5, 1.5));
        LaboratoryFixture::pointTo(fixture.plane, point(0.5, 1.5), Qt::LeftButton);
        fixture.settle();
        const double x = fixture.content().query[0];
        const double y = fixture.content().query[1];
        QVERIFY(std::abs(x - 0.5) < 0.05);
        QVERIFY(std::abs(y - 1.5) < 0.05);
        QVERIFY(near(fixture.result(), resultOf(example, x, y, 1 / std::sqrt(2.0))));
        QVERIFY(std::abs(fixture.on<QDoubleSpinBox>("query1")->value() - x) < 1e-6);
        LaboratoryFixture::pointTo(fixture.plane, point(-3, -1) + QPoint(2, 2),
                                   Qt::LeftButton); // near the end of a key it snaps
        QCOMPARE(fixture.content().query, (std::vector<double>{-3, -1}));
        LaboratoryFixture::pointTo(fixture.plane, QPoint(-50, -50), Qt::LeftButton); // outside it stays at the edge
        for (int i = 0; i < 5; ++i) {
            fixture.settle();
            LaboratoryFixture::pointTo(fixture.plane, QPoint(-50 - i, -50), Qt::LeftButton);
        }
        QCOMPARE(fixture.ground().limit(), 4.0);
        QVERIFY(fixture.content().query[0] < -3.4 && fixture.content().query[0] > -4);
        QVERIFY(fixture.content().query[1] > 3.4 && fixture.content().query[1] < 4);
        QTest::mouseRelease(fixture.plane, Qt::LeftButton, Qt::NoModifier, point(0, 0));
        const std::vector<double> rests = fixture.content().query;
        LaboratoryFixture::pointTo(fixture.plane, point(1, 1));
        QCOMPARE(fixture.content().query, rests);
    }

    void theArrowKeysMoveTheQuery()
    {
        LookupFixture fixture;
        fixture.plane->setFocus();
        QTest::keyClick(fixture.plane, Qt::Key_Right);
        QTest::keyClick(fixture.plane, Qt::Key_Down, Qt::ShiftModifier);
        QVERIFY(near(fixture.content().query[0], 2.6));
        QVERIFY(near(fixture.content().query[1], 1.0));
    }

    void pointingAtAnEntrySaysItsNumbers()
    {
        LookupFixture fixture;
        auto* canvas = fixture.on<FigureCanvas>("lookupWeights");
        auto* hover = fixture.laboratory->findChild<QLabel*>(QStringLiteral("laboratoryHover"));
        LaboratoryFixture::pointTo(canvas, canvas->figure()->cellRect(1, 0).center());
        const double weight = weightsOf(example, 2.5, 1.5, 1 / std::sqrt(2.0))[1];
        QVERIFY(hover->text().contains(QStringLiteral("dog")));
        QVERIFY(hover->text().contains(QString::number(weight, 'f', 3)));
        LaboratoryFixture::pointTo(fixture.plane, fixture.ground().toPoint(-1, 3));
        QVERIFY(hover->text().contains(QStringLiteral("horse")));
    }

    void barsAreAsLongAsWeightsAreLarge()
    {
        LookupFixture fixture;
        auto* canvas = fixture.on<FigureCanvas>("lookupWeights");
        const QImage image = canvas->grab().toImage();
        const std::vector<double> weights = weightsOf(example, 2.5, 1.5, 1 / std::sqrt(2.0));
        const auto length = [&](int row) {
            const QColor ink = colorAt({}, weights[static_cast<std::size_t>(row)]);
            const int y = static_cast<int>(canvas->figure()->cellRect(row, 0).center().y());
            int pixels = 0;
            for (int x = 0; x < image.width(); ++x)
                pixels += image.pixelColor(x, y) == ink ? 1 : 0;
            return pixels;
        };
        QVERIFY(length(0) > 20 && std::abs(length(1) - length(0) * weights[1] / weights[0]) < 3);
    }

    void keysOfAnotherWidthAreLookedUpToo()
    {
        LookupFixture fixture;
        auto* width = fixture.on<QSpinBox>("keyWidth");
        width->setFocus();
        QTest::keyClick(width, Qt::Key_Up);
        QCOMPARE(fixture.content().query.size(), std::size_t(3));
        QVERIFY(fixture.on<QDoubleSpinBox>("query3")->isVisible());
        QVERIFY(near(fixture.result(), resultOf(example, 2.5, 1.5, 1 / std::sqrt(3.0))));
        QTest::mouseClick(fixture.plane, Qt::LeftButton, Qt::NoModifier, QPoint(20, 20)); // there is no plane of three
        QVERIFY(near(fixture.content().query[0], 2.5));
        QVERIFY(!fixture.exported(QStringLiteral("three.svg")).isEmpty());
        QTest::keyClick(width, Qt::Key_Down);
        QTest::keyClick(width, Qt::Key_Down);
        QCOMPARE(fixture.content().query, std::vector<double>{2.5});
    }

    void itExportsFigureAndNumbers()
    {
        LookupFixture fixture;
        const QByteArray svg = fixture.exported(QStringLiteral("lookup.svg"));
        QVERIFY(svg.contains("tortoise"));
        QVERIFY(svg.contains("softmax"));
        const QList<QByteArray> lines = fixture.exported(QStringLiteral("lookup.csv")).split('\n');
        QVERIFY(lines[0].startsWith("entry,key 1,key 2,score,weight,value"));
        const QList<QByteArray> cat = lines[1].trimmed().split(',');
        QCOMPARE(cat.size(), 7);
        QVERIFY(near(cat[3].toDouble(), (3 * 2.5 + 1 * 1.5) / std::sqrt(2.0)));
        QVERIFY(near(cat[4].toDouble(), weightsOf(example, 2.5, 1.5, 1 / std::sqrt(2.0))[0]));
        const QList<QByteArray> result = lines[7].trimmed().split(',');
        QCOMPARE(result.size(), 7);
        QVERIFY(near(result[6].toDouble(), resultOf(example, 2.5, 1.5, 1 / std::sqrt(2.0))));
    }
};

ATTN_GUI_TEST(TestLookupPage)
#include "tst_lookup_page.moc"
