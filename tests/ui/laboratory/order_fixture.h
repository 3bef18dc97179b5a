// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/texts.h"
#include "ui/laboratory/laboratory_fixture.h"
#include "views/figure_canvas.h"

#include <QSet>
#include <QSpinBox>

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn::test {

enum Tab : int { Shuffle, Rotation, Schemes };
enum Side : std::size_t { Without, With }; // positions

struct Block
{
    QStringList columns;
    QStringList rows;
    std::vector<std::vector<double>> values;
};

// The matrices of a file below each other; each begins with an empty corner.
inline std::vector<Block> blocksOf(const QByteArray& csv)
{
    std::vector<Block> blocks;
    for (const QString& line : QString::fromUtf8(csv).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts)) {
        QStringList fields = QString(line).remove(QLatin1Char('"')).split(QLatin1Char(','));
        const QString name = fields.takeFirst();
        if (name.isEmpty()) {
            blocks.push_back({fields, {}, {}});
            continue;
        }
        blocks.back().rows << name;
        std::vector<double> row;
        for (const QString& field : fields)
            row.push_back(field.toDouble());
        blocks.back().values.push_back(row);
    }
    return blocks;
}

inline double largestDifference(const Block& a, const Block& b)
{
    double largest = 0;
    for (std::size_t row = 0; row < a.values.size(); ++row) {
        for (std::size_t column = 0; column < a.values[row].size(); ++column)
            largest = std::max(largest, std::abs(a.values[row][column] - b.values[row][column]));
    }
    return largest;
}

// |a - b| relative to the mean length of the two.
inline double gap(const std::vector<double>& a, const std::vector<double>& b)
{
    double distance = 0;
    double lengths = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        distance += (a[i] - b[i]) * (a[i] - b[i]);
        lengths += (a[i] * a[i] + b[i] * b[i]) / 2;
    }
    return std::sqrt(distance / lengths);
}

// What a picture says beside its numbers.
inline QSet<QString> wordsOf(const QByteArray& svg)
{
    QSet<QString> words;
    for (const QString& text : textsOf(svg)) {
        if (numbersIn(text).isEmpty())
            words.insert(text);
    }
    return words;
}

inline QStringList list(const char* words)
{
    return QString::fromLatin1(words).split(QLatin1Char(' '));
}

// Sine and cosine of pair i at a position, by the definition.
inline double sine(int position, int pair, int width)
{
    return std::sin(position / std::pow(10000.0, 2.0 * pair / width));
}

inline double cosine(int position, int pair, int width)
{
    return std::cos(position / std::pow(10000.0, 2.0 * pair / width));
}

class OrderFixture : public LaboratoryFixture
{
public:
    explicit OrderFixture(const QString& model = QStringLiteral("transformer"),
                          const QString& text = QStringLiteral("s4 s5 s6 s7 s8"))
    {
        open(model, text);
        page = &openPage(*ui::pageOf("order"));
        pick("orderEngine", "small");
    }

    void showTab(Tab tab) const
    {
        auto* bar = on<QTabWidget>("orderTabs")->tabBar();
        QTest::mouseClick(bar, Qt::LeftButton, Qt::NoModifier, bar->tabRect(tab).center());
    }

    void enter(const char* name, int value) const
    {
        auto* box = on<QSpinBox>(name);
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QString::number(value));
        QTest::keyClick(box, Qt::Key_Return);
    }

    QString result() const { return on<QLabel>("result")->text(); }
    // Of the outputs, between the two orders: the largest part that is more than their order.
    double left(Side side) const
    {
        const Block gaps = blocksOf(page->exportable()->csv()).at(2);
        double largest = 0;
        for (const auto& row : gaps.values)
            largest = std::max(largest, row.at(side));
        return largest;
    }
    bool finished() const
    {
        return QTest::qWaitFor([this] { return !busy(); }, 20000);
    }

    std::vector<Block> numbers() { return blocksOf(exported(QStringLiteral("%1.csv").arg(++m_files))); }

    // Draws what is there, so that it can be pointed at.
    ui::FigureCanvas* canvas(const char* name) const
    {
        auto* found = on<ui::FigureCanvas>(name);
        found->repaint();
        return found;
    }

    ui::LaboratoryPage* page = nullptr;

private:
    int m_files = 0;
};

} // namespace attn::test
