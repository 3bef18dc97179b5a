// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/grounding.h"

#include "base/index.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

namespace attn {

namespace {

constexpr std::string_view blanks = " \t";

bool isWithin(double x, double y, const PictureBox& box)
{
    return x >= double{box.left} && x < double{box.right} && y >= double{box.top} && y < double{box.bottom};
}

// Edges of boxes between two others, in ascending order and once.
std::vector<double> edgesBetween(double from, double to, std::vector<double> edges)
{
    edges.push_back(from);
    edges.push_back(to);
    for (double& edge : edges)
        edge = std::clamp(edge, from, to);
    std::ranges::sort(edges);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

} // namespace

double coveredShare(const PictureBox& place, std::span<const PictureBox> boxes)
{
    std::vector<double> across;
    std::vector<double> down;
    for (const PictureBox& box : boxes) {
        across.insert(across.end(), {double{box.left}, double{box.right}});
        down.insert(down.end(), {double{box.top}, double{box.bottom}});
    }
    const std::vector<double> x = edgesBetween(double{place.left}, double{place.right}, std::move(across));
    const std::vector<double> y = edgesBetween(double{place.top}, double{place.bottom}, std::move(down));
    double covered = 0;
    for (std::size_t i = 1; i < x.size(); ++i) {
        for (std::size_t j = 1; j < y.size(); ++j) {
            const double middleX = (x[i - 1] + x[i]) / 2;
            const double middleY = (y[j - 1] + y[j]) / 2;
            if (std::ranges::any_of(boxes, [&](const PictureBox& box) { return isWithin(middleX, middleY, box); }))
                covered += (x[i] - x[i - 1]) * (y[j] - y[j - 1]);
        }
    }
    const double area = (double{place.right} - double{place.left}) * (double{place.bottom} - double{place.top});
    return area > 0 ? covered / area : 0;
}

Grounding groundingOf(std::span<const float> weights, const Encoding& source, std::span<const PictureBox> boxes)
{
    Grounding result;
    double onPlaces = 0;
    double onAll = 0;
    int places = 0;
    const PictureBox* largest = nullptr;
    float largestWeight = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const PictureBox& place = source.boxes.at(i);
        const double weight = weights[i];
        onAll += weight;
        if (!place.isPlace()) {
            result.special += weight;
            continue;
        }
        const double share = coveredShare(place, boxes);
        ++places;
        onPlaces += weight;
        result.inside += weight * share;
        result.uniform += share;
        if (largest == nullptr || weights[i] > largestWeight) {
            largest = &place;
            largestWeight = weights[i];
        }
    }
    result.uniform /= std::max(places, 1);
    result.special = onAll > 0 ? result.special / onAll : 0;
    result.inside = onPlaces > 0 ? result.inside / onPlaces : 0;
    if (onPlaces > 0) {
        const double x = (double{largest->left} + double{largest->right}) / 2;
        const double y = (double{largest->top} + double{largest->bottom}) / 2;
        result.hit = std::ranges::any_of(boxes, [&](const PictureBox& box) { return isWithin(x, y, box); }) ? 1 : 0;
    }
    return result;
}

std::vector<int> blankWords(const Encoding& tokens)
{
    const std::string_view text = tokens.text;
    std::vector<int> wordAt(text.size(), noWord); // of each byte that is no blank
    int words = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isBlank = blanks.find(text[i]) != std::string_view::npos;
        const bool begins = !isBlank && (i == 0 || blanks.find(text[i - 1]) != std::string_view::npos);
        words += begins ? 1 : 0;
        wordAt[i] = isBlank ? noWord : words - 1;
    }
    std::vector<int> result(tokens.size(), noWord);
    for (std::size_t token = 0; token < tokens.spans.size(); ++token) {
        const ByteSpan span = tokens.spans[token];
        if (span.begin >= span.end || (token < tokens.special.size() && tokens.special[token]))
            continue;
        const std::size_t letter = text.find_first_not_of(blanks, span.begin);
        result[token] = letter < text.size() ? wordAt[letter] : noWord;
    }
    return result;
}

} // namespace attn
