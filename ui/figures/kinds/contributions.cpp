// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/charts/bar_list_figure.h"
#include "figures/kinds/kept_reading.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/csv_field.h"
#include "figures/look/decimal.h"
#include "trace/site.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace attn::ui {

namespace {

constexpr const char* directMethods[] = {"direct"};
constexpr std::size_t exportedBars = 40; // the smallest ones are one bar
constexpr double aroundContributions = 110; // pixels, for the title and the axis
constexpr double contributionPitch = 2.2; // of a bar, by the size of the letters

QString nameOf(const Contribution& part, bool isCross)
{
    switch (part.part) {
    case Contribution::Part::Head:
        return (isCross ? part.site.stage == Stage::Cross ? Figure::tr("layer %1, cross head %2")
                                                          : Figure::tr("layer %1, own head %2")
                        : Figure::tr("layer %1, head %2"))
            .arg(part.site.layer)
            .arg(part.head);
    case Contribution::Part::FeedForward:
        return Figure::tr("layer %1, feed-forward").arg(part.site.layer);
    case Contribution::Part::Embedding:
        return Figure::tr("embedding");
    case Contribution::Part::Rest:
        return Figure::tr("biases");
    }
    return {};
}

// Bars that a figure of this height has room for; of a natural height, those that exports show.
std::size_t barsIn(const FigureSpec& spec, double height)
{
    const double room = (height - aroundContributions) / (contributionPitch * spec.baseFontPoints);
    return height <= 0 ? exportedBars : static_cast<std::size_t>(std::max(2.0, room));
}

BarListContent directContent(const FigureSpec& spec, const Trace& trace, std::size_t mostBars)
{
    BarListContent content;
    content.title.title = spec.title.isEmpty() ? titleOfRun(Figure::tr("Who wrote it"), trace) : spec.title;
    const std::vector<Contribution> parts = contributionsOf(spec, trace);
    content.empty = whyNotKept("direct", trace);
    content.signs = true;
    content.axis = Figure::tr("what each adds to the logit");
    content.least = 0;
    content.most = 0;
    double sum = 0;
    const bool isCross =
        std::ranges::any_of(parts, [](const Contribution& part) { return part.site.stage == Stage::Cross; });
    double others = 0;
    for (const Contribution& part : parts) {
        sum += part.value;
        if (parts.size() > mostBars && content.entries.size() + 1 >= mostBars)
            others += part.value;
        else
            content.entries.push_back({.label = nameOf(part, isCross), .value = part.value});
    }
    if (parts.empty())
        return content;
    if (parts.size() > content.entries.size())
        content.entries.push_back(
            {.label = Figure::tr("%1 smaller ones").arg(parts.size() - content.entries.size()), .value = others});
    for (const BarListContent::Entry& entry : content.entries) {
        content.least = std::min(content.least, entry.value);
        content.most = std::max(content.most, entry.value);
    }
    const QString text = spec.about.against
        ? Figure::tr("the difference of two logits of \u201C%1\u201D, %2, and what adds up to it")
        : Figure::tr("the logit of \u201C%1\u201D, %2, and what adds up to it");
    content.title.subtitle = withModel(trace, text.arg(outputLabel(trace, *spec.about.of), signedDecimal(sum, 3)));
    if (content.most == content.least)
        content.most = 1;
    return content;
}

QByteArray directCsv(const FigureSpec& spec, const Trace& trace)
{
    QByteArray csv("part,stage,layer,head,logit\n");
    for (const Contribution& part : contributionsOf(spec, trace)) {
        static constexpr const char* names[] = {"head", "feed_forward", "embedding", "rest"};
        const bool isHead = part.part == Contribution::Part::Head;
        const bool hasLayer = isHead || part.part == Contribution::Part::FeedForward;
        csv += QByteArray(names[static_cast<std::size_t>(part.part)]) + ','
            + (isHead ? QByteArray::fromStdString(std::string(stageText(part.site.stage))) : QByteArray()) + ','
            + (hasLayer ? QByteArray::number(part.site.layer) : QByteArray()) + ','
            + (isHead ? QByteArray::number(part.head) : QByteArray()) + ',' + csvNumber(part.value).toLatin1() + '\n';
    }
    return csv;
}

} // namespace

// The direct contributions to the logit of the explained token (Elhage et al. 2021), the largest first.
extern const FigureKind directKind{.layOut =
                                       [](const FigureSpec& spec, const Trace& trace, QSizeF size) {
                                           return barListFigure(
                                               spec, directContent(spec, trace, barsIn(spec, size.height())), size);
                                       },
                                   .numbers =
                                       [](const FigureSpec& spec, const Trace& trace) {
                                           MatrixContent content;
                                           content.empty = directContent(spec, trace, exportedBars).empty;
                                           return content;
                                       },
                                   .csv = directCsv,
                                   .walks = true,
                                   .drawsSite = false,
                                   .isIn = [](const Trace& trace) { return hasReading(trace, "direct"); },
                                   .readings = directMethods};

} // namespace attn::ui
