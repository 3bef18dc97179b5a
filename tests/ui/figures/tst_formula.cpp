// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/key_plane_figure.h"
#include "figures/charts/lookup_figure.h"
#include "figures/look/attention_formulas.h"
#include "figures/look/formula_layout.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"
#include "support/test_program.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QSet>
#include <QSvgGenerator>
#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace attn::ui;
using namespace attn::ui::math;

namespace {

Formula letter(const char* name)
{
    return variable(QString::fromUtf8(name));
}

FormulaLayout laidOut(const Formula& formula, double points = 12, FormulaPlace place = FormulaPlace::Displayed)
{
    return {formula, figureFont(points), place};
}

FormulaLayout::Letters lettersOf(const FormulaLayout& layout, const QString& text)
{
    const auto found = std::ranges::find(layout.letters(), text, &FormulaLayout::Letters::text);
    if (found == layout.letters().end())
        qFatal("there is no %s", qPrintable(text));
    return *found;
}

// Painted black on white, ten pixels from the left and upper edges.
constexpr int around = 10;
QImage painted(const FormulaLayout& layout)
{
    QImage image(static_cast<int>(std::ceil(layout.width())) + 2 * around,
                 static_cast<int>(std::ceil(layout.size().height())) + 2 * around, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    layout.paint(painter, QPointF(around, around + layout.ascent()), themeColors(Theme::Light), Qt::black);
    return image;
}

// Around everything that is clearly darker than the ground.
QRect inkOf(const QImage& image)
{
    QRect ink;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            if (image.pixelColor(x, y).lightness() < 200)
                ink |= QRect(x, y, 1, 1);
        }
    }
    return ink;
}

QString readingsOfAll()
{
    QStringList all;
    for (const Formula& formula : formulas::all())
        all << formula.reading();
    return all.join(QLatin1Char('\n'));
}

} // namespace

// Formulas as trees, as numbers and as plain text.
class TestFormula : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aFractionsBarIsBetweenItsParts()
    {
        for (const bool wideAbove : {true, false}) {
            const Formula wide = row({letter("a"), binary(QStringLiteral("+")), letter("M")});
            const Formula narrow = letter("x");
            const FormulaLayout layout = laidOut(wideAbove ? fraction(wide, narrow) : fraction(narrow, wide));
            QCOMPARE(layout.shapes().size(), std::size_t{1});
            const QRectF bar = layout.shapes()[0].path.boundingRect();
            const QRectF a = lettersOf(layout, QStringLiteral("a")).ink;
            const QRectF m = lettersOf(layout, QStringLiteral("M")).ink;
            const QRectF x = lettersOf(layout, QStringLiteral("x")).ink;
            QVERIFY(bar.left() <= a.left() && bar.right() >= m.right());
            QVERIFY(std::abs(bar.center().x() - x.center().x()) < 1.5);
            QVERIFY(std::abs(bar.center().x() - (a.left() + m.right()) / 2) < 1.5);
            QVERIFY(wideAbove ? m.bottom() < bar.top() && bar.bottom() < x.top()
                              : x.bottom() < bar.top() && bar.bottom() < m.top());
            QVERIFY(bar.top() < 0 && bar.height() < 3); // above the base line, as high as a minus sign
        }
    }

    void scriptsAreSmallerAndRaisedOrLowered()
    {
        const FormulaLayout layout = laidOut(row({sub(letter("a"), letter("x")), sup(letter("b"), letter("z"))}));
        const FormulaLayout::Letters base = lettersOf(layout, QStringLiteral("a"));
        const FormulaLayout::Letters below = lettersOf(layout, QStringLiteral("x"));
        const FormulaLayout::Letters above = lettersOf(layout, QStringLiteral("z"));
        QCOMPARE(base.at.y(), 0.0);
        for (const auto* script : {&below, &above}) {
            const double part = static_cast<double>(script->font.pixelSize()) / base.font.pixelSize();
            QVERIFY(part > 0.6 && part < 0.8);
        }
        QVERIFY(below.at.y() > 1);
        QVERIFY(above.at.y() < -3);
        QVERIFY(below.ink.left() >= base.ink.right() - 1);
        // A tall base has its scripts at its corners.
        const Formula tall = fenced(fraction(letter("u"), letter("w")));
        const FormulaLayout high = laidOut(sup(tall, letter("z")));
        QVERIFY(lettersOf(high, QStringLiteral("z")).at.y() < above.at.y() - 3);
        // Of both, neither touches the other.
        Formula both = sub(letter("a"), letter("l"));
        both.parts[2] = letter("g");
        const FormulaLayout two = laidOut(both);
        QVERIFY(lettersOf(two, QStringLiteral("g")).ink.bottom() < lettersOf(two, QStringLiteral("l")).ink.top());
    }

    void aRootCoversItsContent()
    {
        for (const Formula& content : {letter("d"), sup(letter("y"), number(QStringLiteral("2"))),
                                       fraction(letter("y"), letter("d")), number(QStringLiteral("1024"))}) {
            const FormulaLayout inside = laidOut(content);
            const FormulaLayout layout = laidOut(root(content));
            QRectF sign;
            for (const auto& shape : layout.shapes())
                sign |= shape.path.boundingRect();
            for (const auto& each : layout.letters()) {
                QVERIFY(sign.left() < each.ink.left() && sign.right() >= each.ink.right());
                QVERIFY(sign.top() < each.ink.top() && sign.bottom() >= each.ink.bottom());
            }
            QVERIFY(layout.width() > inside.width());
        }
    }

    void aSumHasItsLimitBelowOrBeside()
    {
        const Formula added = sum(letter("j"), letter("x"));
        const QString sign = QStringLiteral("\u2211");
        const FormulaLayout displayed = laidOut(added);
        const QRectF large = lettersOf(displayed, sign).ink;
        const QRectF limit = lettersOf(displayed, QStringLiteral("j")).ink;
        QVERIFY(limit.top() > large.bottom());
        QVERIFY(std::abs(limit.center().x() - large.center().x()) < 2);
        QVERIFY(lettersOf(displayed, QStringLiteral("x")).ink.left() > large.right());
        const FormulaLayout within = laidOut(added, 12, FormulaPlace::Inline);
        QVERIFY(lettersOf(within, QStringLiteral("j")).ink.left() > lettersOf(within, sign).ink.right() - 2);
        QVERIFY(within.size().height() < displayed.size().height());
        QVERIFY(lettersOf(within, sign).ink.height() < large.height());
    }

    void bracketsGrowWithTheirContent()
    {
        const FormulaLayout low = laidOut(fenced(letter("x")));
        QVERIFY(low.shapes().empty()); // letters
        for (const char* fences : {"()", "[]", "||"}) {
            const FormulaLayout high = laidOut(fenced(fraction(letter("x"), letter("y")), QString::fromLatin1(fences)));
            QCOMPARE(high.shapes().size(), std::size_t{3});
            const QRectF bar = high.shapes()[1].path.boundingRect();
            for (const std::size_t side : {0U, 2U}) {
                const QRectF fence = high.shapes()[side].path.boundingRect();
                QVERIFY(fence.height() > low.size().height());
                QVERIFY(std::abs(fence.center().y() - bar.center().y()) < 1);
            }
            QVERIFY(high.shapes()[0].path.boundingRect().right() <= bar.left() + 1);
            QVERIFY(high.shapes()[2].path.boundingRect().left() >= bar.right() - 1);
        }
    }

    void moreIsWider()
    {
        std::vector<Formula> parts;
        double width = 0;
        for (const char* next : {"q", "k", "f", "j", "W"}) {
            parts.push_back(letter(next));
            const double now = laidOut(row(parts)).width();
            QVERIFY(now > width);
            width = now;
        }
        QVERIFY(laidOut(sub(letter("q"), letter("i"))).width() > laidOut(letter("q")).width());
        QVERIFY(laidOut(row({letter("a"), binary(QStringLiteral("+")), letter("b")})).width()
                > laidOut(row({letter("a"), number(QStringLiteral("+")), letter("b")})).width());
        QCOMPARE(laidOut({}).width(), 0.0);
    }

    void aSignStandsCloserThanAnOperator()
    {
        const Formula minus = binary(QStringLiteral("\u2212"));
        const FormulaLayout sign = laidOut(row({letter("a"), relation(QStringLiteral("=")), minus, letter("b")}));
        const FormulaLayout less = laidOut(row({letter("a"), minus, letter("b")}));
        const auto gap = [](const FormulaLayout& layout) {
            return lettersOf(layout, QStringLiteral("b")).ink.left()
                - lettersOf(layout, QStringLiteral("\u2212")).ink.right();
        };
        QVERIFY(gap(sign) + 1 < gap(less));
    }

    void everythingIsWithinItsBox_data()
    {
        attn::test::addColumns<int, double, bool>("index", "points", "displayed");
        for (int i = 0; i < static_cast<int>(formulas::all().size()); ++i) {
            for (const double points : {8.0, 24.0}) {
                for (const bool displayed : {true, false})
                    QTest::addRow("%d, %g pt, %s", i, points, displayed ? "displayed" : "inline")
                        << i << points << displayed;
            }
        }
    }
    void everythingIsWithinItsBox()
    {
        QFETCH(int, index);
        QFETCH(double, points);
        QFETCH(bool, displayed);
        const FormulaLayout layout = laidOut(formulas::all().at(static_cast<std::size_t>(index)), points,
                                             displayed ? FormulaPlace::Displayed : FormulaPlace::Inline);
        const QRect ink = inkOf(painted(layout));
        const QRect box(around, around, static_cast<int>(std::ceil(layout.width())),
                        static_cast<int>(std::ceil(layout.size().height())));
        QVERIFY(!ink.isEmpty());
        QVERIFY(box.adjusted(-1, -1, 1, 1).contains(ink));
        // And the box is no larger than it has to be.
        QVERIFY(ink.height() > box.height() - 4 - points / 4);
        QVERIFY(ink.width() > box.width() - 4 - points / 2);
    }

    void formulasGrowWithTheFont()
    {
        for (const Formula& formula : formulas::all()) {
            QSizeF before(0, 0);
            for (const double points : {7.0, 9.0, 12.0, 18.0, 36.0}) {
                const QSizeF now = laidOut(formula, points).size();
                QVERIFY(now.width() > before.width() && now.height() > before.height());
                before = now;
            }
            const double ratio = laidOut(formula, 36).width() / laidOut(formula, 18).width();
            QVERIFY2(ratio > 1.75 && ratio < 2.25, qPrintable(formula.reading() + QStringLiteral(" %1").arg(ratio)));
        }
    }

    void aNarrowPlaceMakesItSmaller()
    {
        const FormulaLayout layout = laidOut(formulas::predictedMiddle());
        QCOMPARE(layout.scaleIn(layout.width() + 1), 1.0);
        QCOMPARE(layout.scaleIn(layout.width() / 2), 0.5);
        QImage image(200, 80, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        const QRectF place(20, 20, 100, 40);
        layout.paintIn(painter, place, themeColors(Theme::Light), Qt::black);
        painter.end();
        QVERIFY(place.adjusted(-2, -2, 2, 2).contains(QRectF(inkOf(image))));
    }

    void readingsAreWhatPeopleWouldType_data()
    {
        attn::test::addColumns<QString, QString>("reading", "expected");
        const auto add = [](const char* name, const Formula& formula, const char* expected) {
            QTest::newRow(name) << formula.reading() << QString::fromUtf8(expected);
        };
        add("softmax", formulas::softmax(), "a_j = exp(e_j) / sum over l of exp(e_l)");
        add("weighted sum", formulas::weightedSum(), "c = sum over j of a_j v_j");
        add("scaled",
            formulas::scores(formulas::overRoot(formulas::product(QStringLiteral("j")), number(QStringLiteral("64")))),
            "e_j = q · k_j / √64");
        add("by features", formulas::productByFeatures(), "q · k = sum over i of q_i k_i");
        add("query", formulas::queryOfInput(), "q = W_Q x");
        add("summary", formulas::queryOfSummary(), "q = [x_t; h~_(t − 1)]");
        add("general", formulas::generalProduct(), "q^T Wk");
        add("additive", formulas::additiveScore({formulas::scoredAnnotations(), false}), "v · tanh(Wq + Uh + b)");
        add("biased", formulas::scores(formulas::biased(formulas::product(QStringLiteral("j")))),
            "e_j = q · k_j + b(j − i)");
        add("discounted", formulas::discounted(), "e_j − log sum over s of exp(e_sj)");
        add("hidden", formulas::hiddenScore(), "e_j = −∞");
        add("outside", formulas::outsideWindow(), "|j − round(p)| > D");
        add("middle", formulas::predictedMiddle(), "p = (S − 1) sigmoid(v · tanh(W_p q))");
        add("gaussian", formulas::gaussian(), "a_j exp(−(j − p)^2 / (2(D/2)^2))");
        add("heads", formulas::headsProjected(), "W_O [c_1; …; c_h]");
        add("offset", formulas::offsetMatrix(), "PE(p + k) = M_k PE(p)");
        add("sinusoids", formulas::sinusoidProduct(), "PE(p) · PE(r) = sum over i of cos(ω_i (p − r))");
        add("waves", formulas::sinusoids(), "PE(p) = (sin ω_i p, cos ω_i p), ω_i = 10000^(−2i/d)");
        add("rotary", formulas::rotaryProduct(), "(R_i q) · (R_j k) = q · R_(j − i) k");
        add("sum below", fraction(row({letter("a"), binary(QStringLiteral("+")), letter("b")}), root(letter("d"))),
            "(a + b) / √d");
        add("root of more", root(row({letter("a"), binary(QStringLiteral("+")), letter("b")})), "√(a + b)");
    }
    void readingsAreWhatPeopleWouldType()
    {
        QFETCH(QString, reading);
        QFETCH(QString, expected);
        QCOMPARE(reading, expected);
    }

    void everyFormulaHasAReadingOfItsOwn()
    {
        const QStringList all = readingsOfAll().split(QLatin1Char('\n'));
        QCOMPARE(QSet<QString>(all.begin(), all.end()).size(), all.size());
        for (const QString& reading : all) {
            QVERIFY(!reading.isEmpty());
            QCOMPARE(reading.count(QLatin1Char('(')), reading.count(QLatin1Char(')')));
            QVERIFY2(!reading.startsWith(QLatin1Char(' ')) && !reading.endsWith(QLatin1Char(' ')), qPrintable(reading));
        }
    }

    void rolesHaveOneColourEach()
    {
        const Formula formula = formulas::product();
        const FormulaLayout layout = laidOut(formula);
        QCOMPARE(lettersOf(layout, QStringLiteral("q")).role, AttentionRole::Query);
        QCOMPARE(lettersOf(layout, QStringLiteral("k")).role, AttentionRole::Key);
        QCOMPARE(lettersOf(layout, QStringLiteral("·")).role, AttentionRole::Other);
        QCOMPARE(lettersOf(laidOut(formulas::weightedSum()), QStringLiteral("v")).role, AttentionRole::Value);
        // And are painted with them.
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            const ThemeColors colors = themeColors(theme);
            QImage image(120, 60, QImage::Format_RGB32);
            image.fill(colors.background);
            QPainter painter(&image);
            const FormulaLayout large = laidOut(formulas::query(), 36);
            large.paint(painter, QPointF(10, 45), colors, colors.ink);
            painter.end();
            bool found = false;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x)
                    found = found || image.pixelColor(x, y) == colors.query;
            }
            QVERIFY(found);
        }
    }

    void roleColoursAreReadAndToldApart()
    {
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            const ThemeColors colors = themeColors(theme);
            const QColor roles[] = {colors.query, colors.key, colors.value};
            for (const QColor& role : roles) {
                QVERIFY(contrast(role, colors.background) >= 4.5);
                QVERIFY(role != colors.ink);
            }
            for (int i = 0; i < 3; ++i)
                QVERIFY(roles[i] != roles[(i + 1) % 3]);
            QCOMPARE(colors.ofRole(AttentionRole::Query), colors.query);
            QCOMPARE(colors.ofRole(AttentionRole::Key), colors.key);
            QCOMPARE(colors.ofRole(AttentionRole::Value), colors.value);
            QCOMPARE(colors.ofRole(AttentionRole::Other), colors.ink);
        }
    }

    void rolesHaveTheirColoursInPictures()
    {
        const auto svgOf = [](const Figure& figure) {
            QBuffer buffer;
            QSvgGenerator svg;
            svg.setOutputDevice(&buffer);
            QPainter painter(&svg);
            figure.paint(painter);
            painter.end();
            return QString::fromUtf8(buffer.data());
        };
        LookupContent table;
        table.names = QStringList{QStringLiteral("a"), QStringLiteral("b")};
        table.entries = {{{3, 1}, 15}, {{-1, 2}, 12}};
        table.query = {1, 1};
        table.answer = attn::softLookup(table.query, table.entries, table.sharpness);
        MatrixContent map;
        map.map.numbers = {2, 2, {0.25F, 0.75F, 0.5F, 0.5F}};
        map.rowLabels = map.columnLabels = table.names;
        map.rowAxis = QStringLiteral("query");
        map.columnAxis = QStringLiteral("key");
        for (const Theme theme : {Theme::Light, Theme::Dark}) {
            FigureSpec look;
            look.theme = theme;
            const ThemeColors colors = themeColors(theme);
            const QString lookup = svgOf(*lookupFigure(look, table, QSizeF(600, 0)));
            for (const QColor& color : {colors.query, colors.key, colors.value})
                QVERIFY(lookup.contains(color.name()));
            const QString plane = svgOf(KeyPlaneFigure(look, table, QSizeF(300, 300)));
            QVERIFY(plane.contains(colors.query.name()) && plane.contains(colors.key.name()));
            MatrixContent named = map;
            QVERIFY(!svgOf(MatrixFigure(look, named, QSizeF(300, 300))).contains(colors.query.name()));
            named.rowRole = AttentionRole::Query;
            named.columnRole = AttentionRole::Key;
            const QString matrix = svgOf(MatrixFigure(look, named, QSizeF(300, 300)));
            QVERIFY(matrix.contains(colors.query.name()) && matrix.contains(colors.key.name()));
        }
    }

    void vectorFilesHaveItAsTextAndPaths()
    {
        const FormulaLayout layout =
            laidOut(formulas::scores(formulas::overRoot(formulas::product(), formulas::width())));
        QBuffer buffer;
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        QPainter painter(&svg);
        layout.paint(painter, QPointF(0, 40), themeColors(Theme::Light), Qt::black);
        painter.end();
        const QByteArray text = buffer.data();
        QVERIFY(!text.contains("<image"));
        QVERIFY(text.count("<path") >= 2); // the bar and the radical sign
        for (const char* each : {">q</text>", ">k</text>", ">d</text>"})
            QVERIFY2(text.contains(each), each);
        QVERIFY(text.contains(themeColors(Theme::Light).query.name().toLatin1()));
    }
};

ATTN_GUI_TEST(TestFormula)
#include "tst_formula.moc"
