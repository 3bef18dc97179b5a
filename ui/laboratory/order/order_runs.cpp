// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/order/order_runs.h"

#include "analysis/order_experiment.h"
#include "analysis/words.h"
#include "base/error.h"
#include "figures/look/color_map.h"
#include "figures/look/color_scale.h"
#include "figures/look/decimal.h"
#include "figures/look/theme.h"
#include "figures/look/token_label.h"
#include "figures/parts/matrix_figure.h"

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

AttentionMatrix matrixOf(const Tensor& tensor)
{
    const MatrixView view = tensor.matrix();
    return {view.rows, view.columns, {tensor.values().begin(), tensor.values().end()}};
}

MatrixView viewOf(const AttentionMatrix& matrix)
{
    return {matrix.values.data(), matrix.rows, matrix.columns};
}

OrderSide sideOf(std::array<AttentionMatrix, 2> weights, std::array<AttentionMatrix, 2> outputs,
                 const std::vector<int>& order)
{
    OrderSide side;
    side.gaps = permutationGaps(viewOf(outputs[0]), viewOf(outputs[1]), order);
    side.weightsBack = putBack(weights[1], order, true);
    side.outputsBack = putBack(outputs[1], order, false);
    side.weights = std::move(weights[0]);
    side.outputs = std::move(outputs[0]);
    return side;
}

// [tokens, width] after a layer.
AttentionMatrix hiddenOf(const Trace& trace, int layer, int layers, int tokens)
{
    AttentionMatrix result{tokens, 0, {}};
    const auto take = [&](const std::shared_ptr<const std::vector<float>>& values) {
        if (values)
            result.values.insert(result.values.end(), values->begin(), values->end());
    };
    const auto index = [&](std::size_t count) { // the embeddings may come before the layers
        return count - static_cast<std::size_t>(layers) + static_cast<std::size_t>(layer);
    };
    if (trace.kind() == ModelKind::DecoderOnly) {
        for (const auto& step : trace.rowPath()) {
            if (step->hidden.size() >= static_cast<std::size_t>(layers))
                take(step->hidden[index(step->hidden.size())]);
        }
    } else if (trace.encoderHidden().size() >= static_cast<std::size_t>(layers)) {
        take(trace.encoderHidden()[index(trace.encoderHidden().size())]);
    }
    if (result.values.empty() || result.values.size() % static_cast<std::size_t>(tokens) != 0)
        throw Error(ErrorKind::Unsupported, trace.provenance().model, "does not tell its hidden states");
    result.columns = static_cast<int>(result.values.size() / static_cast<std::size_t>(tokens));
    return result;
}

Stage stageOf(const ModelInfo& info)
{
    return info.kind == ModelKind::DecoderOnly ? Stage::Decoder : Stage::Encoder;
}

// What is asked of the model: its source only.
Question readOnly(const Question& asked, const LoadedModel& model)
{
    Question question;
    question.model = asked.model;
    question.text = asked.text;
    question.sourceLanguage = asked.sourceLanguage;
    question.targetLanguage = asked.targetLanguage;
    const ModelInfo& info = model.model->info();
    if (info.kind == ModelKind::EncoderDecoder)
        question.targetIds = std::vector<TokenId>{info.endToken.value_or(0)};
    question.capture.hidden = true;
    return fitted(question, model);
}

QStringList labelsOf(const Encoding& encoding)
{
    QStringList labels;
    for (const AxisGroup& token : tokenAxis(encoding))
        labels << readableToken(token.label);
    return labels;
}

QStringList numbers(int count)
{
    QStringList labels;
    for (int i = 0; i < count; ++i)
        labels << QString::number(i);
    return labels;
}

MatrixContent orderContentOf(const AttentionMatrix& matrix, const QStringList& words, OrderPicture picture)
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

// Where each word stands in an order.
std::vector<int> placesIn(const std::vector<int>& order)
{
    std::vector<int> places(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        places[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    return places;
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
    content.rowLabels = result.words;
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

double largestMagnitude(const AttentionMatrix& a, const AttentionMatrix& b)
{
    double largest = 0;
    for (const auto* matrix : {&a, &b}) {
        for (const float value : matrix->values)
            largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
    return largest > 0 ? largest : 1;
}

} // namespace

double OrderSide::largestGap() const
{
    return gaps.empty() ? 0 : *std::ranges::max_element(gaps);
}

OrderResult smallOrderResult(const std::vector<std::string>& words, const std::vector<int>& order)
{
    OrderResult result;
    for (const std::string& word : words)
        result.words << readableToken(word);
    result.order = order;
    std::vector<std::string> shuffled;
    for (const int word : order)
        shuffled.push_back(words[static_cast<std::size_t>(word)]);
    for (const bool positions : {false, true}) {
        const SmallSelfAttention layer{32, 1, positions};
        result.sides[positions ? 1 : 0] =
            sideOf({layer.weights(words), layer.weights(shuffled)},
                   {matrixOf(layer.apply(words)), matrixOf(layer.apply(shuffled))}, order);
    }
    return result;
}

int OrderRuns::layers() const
{
    return causal() ? info.decoderLayers : info.encoderLayers;
}

OrderResult OrderRuns::result(int layer) const
{
    OrderResult result;
    const Encoding& source = traces[0][0].source();
    const auto tokens = static_cast<int>(source.size());
    result.words = labelsOf(source);
    result.order = order;
    result.causal = causal();
    if (traces[0][0].provenance().precision == "bf16")
        result.rounding = 0.05; // 8 bits of a number, through all layers
    const Site site{stageOf(info), layer};
    for (std::size_t positions = 0; positions < 2; ++positions) {
        std::array<AttentionMatrix, 2> weights;
        std::array<AttentionMatrix, 2> outputs;
        for (std::size_t shuffled = 0; shuffled < 2; ++shuffled) {
            const Trace& trace = traces[positions][shuffled];
            weights[shuffled] = trace.matrix(site, HeadSummary::Mean);
            if (weights[shuffled].rows != tokens || weights[shuffled].columns != tokens)
                throw Error(ErrorKind::Unsupported, info.family, "has no attention between the words of its input");
            outputs[shuffled] = hiddenOf(trace, layer, layers(), tokens);
        }
        result.sides[positions] = sideOf(std::move(weights), std::move(outputs), order);
    }
    return result;
}

bool readsInParallel(const ModelInfo& info)
{
    return info.heads({stageOf(info), 0}) > 0 && info.positions.scheme != PositionScheme::Recurrent;
}

void runOrder(OrderRuns& runs, int index, const Question& asked, const std::vector<int>& words, JobTools& tools)
{
    const auto loaded = tools.models.load(asked.model, tools.engine, {}, tools.stop);
    Question question = readOnly(asked, *loaded);
    const bool shuffled = index % 2 == 1;
    question.withoutPositions = index < 2;
    if (index > 0) {
        const Encoding& source = runs.traces[0][0].source();
        std::vector<TokenId> ids = source.ids;
        if (shuffled) {
            for (std::size_t i = 0; i < ids.size(); ++i)
                ids[i] = source.ids[static_cast<std::size_t>(runs.order[i])];
        }
        question.sourceIds = std::move(ids);
    }
    Trace trace = answer(question, *loaded, tools.engine, {tools.stop});
    if (index == 0) {
        runs.info = loaded->model->info();
        runs.name = QString::fromStdString(loaded->name);
        Encoding source = trace.source();
        source.text = asked.text;
        runs.order = tokenOrder(source, words);
    }
    runs.traces[index < 2 ? 0 : 1][shuffled ? 1 : 0] = std::move(trace);
}

std::array<MatrixContent, 3> orderContents(const OrderResult& result, bool positions, OrderPicture picture)
{
    const OrderSide& side = result.sides[positions ? 1 : 0];
    const bool weights = picture == OrderPicture::Weights;
    const AttentionMatrix& before = weights ? side.weights : side.outputs;
    const AttentionMatrix& after = weights ? side.weightsBack : side.outputsBack;
    std::array<MatrixContent, 3> contents{orderContentOf(before, result.words, picture),
                                          orderContentOf(after, result.words, picture), gapContent(result)};
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
        contents[1].blank = laterKeys(placesIn(result.order));
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
