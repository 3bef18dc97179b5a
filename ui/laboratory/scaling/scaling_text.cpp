// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/scaling/scaling_text.h"

#include "base/index.h"
#include "figures/look/attention_formulas.h"
#include "figures/look/decimal.h"
#include "figures/look/theme.h"
#include "figures/parts/panel_figure.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace attn::ui {

namespace {

constexpr int bins = 31;
constexpr int weightBins = 25;
constexpr int randomColumns = 3;
constexpr double leastColumn = 165; // pixels

QString translatedScaling(const char* source)
{
    return QCoreApplication::translate("attn::ui::ScalingPage", source);
}

// Share of the gradient that uniform weights would let through.
double gradientShare(const ScoreNumbers& numbers)
{
    return numbers.uniform < 1 ? numbers.sensitivity / (1 - numbers.uniform) : 0;
}

// Formula of vectors alone, not of what they are made of.
Formula additiveOfKeys(bool learnedQuery)
{
    const Formula key =
        math::inRole(AttentionRole::Key, math::row({math::variable(QStringLiteral("U")), formulas::key()}));
    return formulas::additiveScore({key, learnedQuery});
}

Formula scoreFormula(const SiteScoring& scoring, bool scaled)
{
    if (scoring.form == ScoreForm::Additive)
        return additiveOfKeys(scoring.learnedQuery);
    Formula product = scoring.form == ScoreForm::General ? formulas::generalProduct()
        : scoring.form == ScoreForm::LowRank             ? formulas::lowRankProduct()
                                                         : formulas::product();
    if (!scaled)
        return product;
    if (scoring.scale == 1 || scoring.scalesByRoot())
        return formulas::overRoot(std::move(product), math::number(QString::number(scoring.width)));
    return formulas::times(significant(scoring.scale, 4), std::move(product));
}

FigureTitle formulaTitle(Formula formula, const QString& subtitle)
{
    const QString reading = formula.reading();
    return {reading, subtitle, std::move(formula)};
}

QString titleText(const FigureTitle& title)
{
    return title.title + QStringLiteral(", ") + title.subtitle;
}

} // namespace

std::optional<double> expectedDeviation(Compatibility kind, int width)
{
    if (kind == Compatibility::Additive)
        return std::nullopt;
    return kind == Compatibility::Dot ? std::sqrt(width) : 1.0;
}

FigureTitle sampleTitle(Compatibility kind, int width)
{
    Formula formula = kind == Compatibility::Additive ? additiveOfKeys(false)
        : kind == Compatibility::Dot                  ? formulas::product()
                                                      : formulas::overRoot(formulas::product(), formulas::width());
    return formulaTitle(std::move(formula), translatedScaling("random, d = %1").arg(width));
}

FigureTitle headTitle(const HeadScores& head, bool other)
{
    const bool scaled = head.scaled() != other;
    const QString name = !other ? translatedScaling("layer %1, head %2").arg(head.site.layer).arg(head.head)
        : head.scaled()         ? translatedScaling("without scaling")
                                : translatedScaling("if it were scaled");
    if (head.scoring.form == ScoreForm::Unknown)
        return {translatedScaling("The model's scores"), name};
    return formulaTitle(scoreFormula(head.scoring, scaled), translatedScaling("model: %1").arg(name));
}

HistogramContent scoreContent(const FigureTitle& title, const ScoreNumbers& numbers,
                              std::optional<std::pair<double, double>> range, std::optional<double> deviation)
{
    HistogramContent content;
    content.title = title;
    content.name = translatedScaling("%1: scores").arg(titleText(title));
    content.axis = translatedScaling("score");
    content.empty = translatedScaling("This sentence has no scores here.");
    if (numbers.scores.empty())
        return content;
    const ScoreNumbers* own = &numbers;
    // Bins of their own, so that narrow scores on a wide axis still have a shape.
    const double largest = std::max({1.0, std::abs(numbers.least), std::abs(numbers.most)});
    const double margin = std::max(0.02 * (numbers.most - numbers.least), 1e-6 * largest);
    const double least = numbers.least - margin;
    const double most = numbers.most + margin;
    content.shown = range.value_or(scoreRange({&own, 1}));
    content.perUnit = true;
    content.histogram = histogram(numbers.scores, least, most, bins);
    content.numbers = {{translatedScaling("mean"), numbers.moments.mean},
                       {translatedScaling("standard deviation"), numbers.moments.deviation}};
    if (deviation) {
        const double sigma = *deviation;
        content.density = [sigma](double value) {
            const double z = value / sigma;
            return std::exp(-z * z / 2) / (sigma * std::sqrt(2 * std::numbers::pi));
        };
        const QString name = QChar(0x00B1) + (sigma == 1 ? QStringLiteral("1") : QStringLiteral("√d"));
        content.marks = {{-sigma, QString()}, {sigma, name}};
        content.numbers.push_back({translatedScaling("in theory"), sigma});
    }
    return content;
}

HistogramContent weightContent(const FigureTitle& title, const ScoreNumbers& numbers)
{
    HistogramContent content;
    content.title = title;
    content.name = translatedScaling("%1: largest weights").arg(titleText(title));
    content.axis = translatedScaling("largest weight");
    content.empty = translatedScaling("This sentence has no weights here.");
    if (numbers.largest.empty())
        return content;
    content.histogram = histogram(numbers.largest, 0, 1, weightBins);
    content.marks = {{numbers.meanLargest, translatedScaling("mean")}};
    content.numbers = {{translatedScaling("mean"), numbers.meanLargest},
                       {translatedScaling("if uniform"), numbers.uniform},
                       {translatedScaling("gradient Σp(1−p)"), numbers.sensitivity}};
    return content;
}

QString sampleSentence(int width, int keys, const ScoreNumbers& dot, const ScoreNumbers& scaled)
{
    return translatedScaling(
               "d = %1: the scores q · k deviate by %2 (√d = %3). Their softmax gives the best of %4 keys %5 on "
               "average and lets %6 % of the gradient of uniform weights through; divided by √d, %7 and %8 %.")
        .arg(QString::number(width), decimal(dot.moments.deviation, 2), decimal(std::sqrt(width), 2),
             QString::number(keys), decimal(dot.meanLargest, 2), decimal(gradientShare(dot) * 100, 0),
             decimal(scaled.meanLargest, 2), decimal(gradientShare(scaled) * 100, 0));
}

QString headSentence(const HeadScores& head)
{
    const SiteScoring& scoring = head.scoring;
    if (head.own.scores.empty())
        return translatedScaling("This sentence has no scores at this place.");
    if (scoring.form == ScoreForm::Additive)
        return translatedScaling(
            "This model scores additively: tanh keeps every term below its component of v, so nothing "
            "grows with d and nothing is divided.");
    if (scoring.biased && !head.scaled())
        return translatedScaling(
                   "This model, like T5, does not divide by √%1: its first weights were drawn smaller instead. "
                   "A bias for the relative position is added to the products.")
            .arg(scoring.width);
    if (!head.other)
        return {};
    const QString own = decimal(head.own.meanLargest, 2);
    const QString other = decimal(head.other->meanLargest, 2);
    if (!head.scaled())
        return translatedScaling(
                   "This model does not divide its scores. The largest weights are %1 on average; divided by "
                   "√%2 they would be %3.")
            .arg(own, QString::number(scoring.width), other);
    if (scoring.scalesByRoot())
        return translatedScaling("Divided by √%1, the largest weights are %2 on average; undivided, %3.")
            .arg(QString::number(scoring.width), own, other);
    return translatedScaling(
               "This head multiplies its scores by %1. The largest weights are %2 on average; without that they "
               "would be %3.")
        .arg(significant(scoring.scale, 4), own, other);
}

std::unique_ptr<const Figure> histogramPanels(const FigureSpec& spec, const std::vector<HistogramContent>& contents,
                                              QSizeF size)
{
    // All plots with room for as many numbers and as high a title, so that those of a row are equally high.
    int lines = 0;
    double room = 0;
    for (const HistogramContent& content : contents) {
        lines = std::max(lines, indexSize(content.numbers));
        room = std::max(room, histogramTitleRoom(spec, content.title));
    }
    std::vector<FigureLayout> figures;
    for (HistogramContent content : contents) {
        content.numberLines = lines;
        content.title.room = room;
        figures.emplace_back([&spec, content](QSizeF each) { return histogramFigure(spec, content, each); });
    }
    const int columns = std::max(1, indexSize(contents) / 2); // the rows are two
    const int first = std::min(randomColumns, columns);
    if (size.height() > 0 || size.width() >= leastColumn * columns || first == columns)
        return layOutPanels(figures, columns, size, spec.theme);
    // On a narrow page the model's are below the others.
    std::vector<Panel> stacked;
    double top = 0;
    for (const auto& [begin, end] : {std::pair(0, first), std::pair(first, columns)}) {
        std::vector<FigureLayout> group(figures.begin() + begin, figures.begin() + end);
        group.insert(group.end(), figures.begin() + columns + begin, figures.begin() + columns + end);
        auto panels = layOutPanels(group, end - begin, {size.width() / first * (end - begin), 0}, spec.theme);
        const double height = panels->size().height();
        stacked.push_back({std::move(panels), QPointF(0, top)});
        top += height;
    }
    return std::make_unique<PanelFigure>(std::move(stacked), QSizeF(size.width(), top),
                                         themeColors(spec.theme).background);
}

} // namespace attn::ui
