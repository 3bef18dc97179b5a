// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/order/order_figure.h"

#include "figures/look/color_map.h"
#include "figures/look/color_scale.h"
#include "figures/look/decimal.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"
#include "figures/parts/panel_figure.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace attn::ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("OrderPage", text);
}

QStringList labelsOf(const std::vector<std::string>& words)
{
    QStringList labels;
    for (const std::string& word : words)
        labels << readableToken(word);
    return labels;
}

QStringList numbers(int count)
{
    QStringList labels;
    for (int i = 0; i < count; ++i)
        labels << QString::number(i);
    return labels;
}

MatrixContent orderContentOf(const Numbers& matrix, const QStringList& words, OrderPicture picture)
{
    MatrixContent content;
    content.matrix = matrix;
    content.rowLabels = words;
    const bool weights = picture == OrderPicture::Weights;
    content.columnLabels = weights ? words : numbers(matrix.columns);
    content.rowAxis = weights ? tr("query") : tr("word");
    content.columnAxis = weights ? tr("key") : tr("dimension");
    content.valueName = weights ? tr("attention weight") : tr("output");
    return content;
}

// Keys that a query does not see because they come after it: with the words at these places.
std::function<bool(int, int)> laterKeys(std::vector<int> places)
{
    return [places = std::move(places)](int query, int key) {
        return places[static_cast<std::size_t>(key)] > places[static_cast<std::size_t>(query)];
    };
}

MatrixContent gapContent(const OrderResult& result)
{
    MatrixContent content;
    const auto words = static_cast<int>(result.words.size());
    content.matrix = {words, 2, {}};
    for (std::size_t word = 0; word < result.sides[0].gaps.size(); ++word) {
        for (const OrderSide& side : result.sides)
            content.matrix.values.push_back(static_cast<float>(side.gaps[word]));
    }
    content.rowLabels = labelsOf(result.words);
    content.columnLabels = QStringList{tr("without"), tr("with")};
    content.rowAxis = tr("word");
    content.columnAxis = tr("positions");
    content.valueName = tr("difference, relative");
    content.most = weightScaleEnd(content.matrix.values);
    const auto most = std::ranges::max_element(content.matrix.values);
    content.most = std::max(content.most, most == content.matrix.values.end() ? 1.0 : static_cast<double>(*most));
    content.title = {tr("What is left"), tr("0: the output merely moved")};
    content.description = tr("How far each word's output differs between the two orders, at most %1.")
                              .arg(decimal(static_cast<double>(*most), 3));
    return content;
}

double largestMagnitude(const Numbers& a, const Numbers& b)
{
    double largest = 0;
    for (const auto* matrix : {&a, &b}) {
        for (const float value : matrix->values)
            largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
    return largest > 0 ? largest : 1;
}

} // namespace

std::array<MatrixContent, 3> orderContents(const OrderResult& result, bool positions, OrderPicture picture)
{
    const OrderSide& side = result.sides[positions ? 1 : 0];
    const bool weights = picture == OrderPicture::Weights;
    const Numbers& before = weights ? side.weights : side.outputs;
    const Numbers& after = weights ? side.weightsBack : side.outputsBack;
    std::array<MatrixContent, 3> contents{orderContentOf(before, labelsOf(result.words), picture),
                                          orderContentOf(after, labelsOf(result.words), picture), gapContent(result)};
    const double most = weights ? std::max(weightScaleEnd(before.values), weightScaleEnd(after.values))
                                : largestMagnitude(before, after);
    const QString how = positions ? tr("with positions") : tr("without positions");
    const QString what = weights ? tr("Attention") : tr("Outputs");
    contents[0].title = {tr("%1, words in their order").arg(what), how};
    contents[1].title = {tr("%1, words shuffled").arg(what), tr("%1, put back for comparison").arg(how)};
    if (weights && result.causal) {
        std::vector<int> own(result.order.size());
        std::iota(own.begin(), own.end(), 0);
        contents[0].blank = laterKeys(std::move(own));
        contents[1].blank = laterKeys(result.places());
    }
    for (MatrixContent* content : {&contents[0], &contents[1]}) {
        content->most = most;
        content->least = weights ? 0 : -most;
        content->description = content->title.title + QStringLiteral(", ") + content->title.subtitle + QLatin1Char('.');
    }
    return contents;
}

FigureLayout orderFigure(const FigureSpec& spec, const std::array<MatrixContent, 3>& contents)
{
    return [spec, contents](QSizeF wanted) -> std::unique_ptr<const Figure> {
        // Of a file: as in the window, not as high as each matrix wants to be; a narrow one in two rows.
        const bool natural = wanted.height() <= 0;
        const bool narrow = natural && wanted.width() < 700;
        const double row = natural
            ? std::max(narrow ? 0.0 : 0.45 * wanted.width(), 150.0 + 18 * contents[2].matrix.rows)
            : wanted.height();
        const QSizeF size(wanted.width(), narrow ? 2 * row : row);
        const std::array<double, 3> shares = narrow ? std::array{0.5, 0.5, 0.4} : std::array{0.37, 0.37, 0.26};
        std::vector<Panel> panels;
        QPointF corner;
        for (std::size_t i = 0; i < contents.size(); ++i) {
            FigureSpec look = spec;
            if (i < 2 && contents[i].least < 0)
                look.colorMap = divergingColors();
            const QSizeF room(size.width() * shares[i], row);
            panels.push_back({std::make_unique<MatrixFigure>(look, contents[i], room), corner});
            corner = narrow && i == 1 ? QPointF(0, row) : QPointF(corner.x() + room.width(), corner.y());
        }
        // Pointing at a cell shows the same one in the other order, and its word's row on the right.
        const auto spread = [](int panel, const Highlight& highlight) {
            Highlight marks = highlight;
            if ((panel == 2) != (highlight.panel == 2))
                marks.column = -1;
            return marks;
        };
        return std::make_unique<PanelFigure>(std::move(panels), size, themeColors(spec.theme).background, spread);
    };
}

} // namespace attn::ui
