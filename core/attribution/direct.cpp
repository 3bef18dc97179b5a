// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribution/reading_method.h"
#include "base/error.h"
#include "base/utf8.h"
#include "models/transformer.h"
#include "nn/engine.h"
#include "nn/normalization.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace attn {

namespace {

std::string lackOfDirect(const ExplainedRun& run)
{
    if (const std::string lack = transformersOnly(run); !lack.empty())
        return lack;
    if (run.info().input == InputKind::PictureAndText)
        return "a similarity is not a token's logit";
    const auto& parts = dynamic_cast<const Transformer&>(run.model()).parts();
    if (!parts.decoder)
        return ATTN_TRANSLATE_NOOP("attn::ui", "an encoder's output is not a sum of what its layers add");
    const auto normsSum = [](const Residual& residual) { return residual.sum || residual.passesNormed; };
    for (const TransformerLayer& layer : parts.decoder->layers) {
        if (normsSum(layer.self.residual) || normsSum(layer.feedForward.residual)
            || (layer.cross && normsSum(layer.cross->residual)))
            return ATTN_TRANSLATE_NOOP("attn::ui",
                                       "layers that normalise the sum of their input and output pass on no sum");
    }
    return parts.head->transform || parts.head->norm
        ? ATTN_TRANSLATE_NOOP("attn::ui", "the output layer is more than a matrix")
        : "";
}

// Inner product of some columns of a row.
double product(NumberView left, NumberView right, Index row, Index first, Index count)
{
    const auto a = left.row(row).subspan(first, count);
    const auto b = right.row(row).subspan(first, count);
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Adds to the logit of one position. Gradients go back along the residual connections alone, so that what a head adds
// is its sums times their gradient.
struct Contributions
{
    ReadArray decoder; // [layers, heads]
    ReadArray cross;
    ReadArray feedForward; // [layers]
    double embedding = 0;
    double rest = 0;
};

Contributions contributionsTo(ExplainedRun& run, const ExplainedOutput& output)
{
    const Recording& recording = run.recording();
    const Tape& tape = run.tape();
    std::vector<Variable> wanted{recording.states.front()};
    std::vector<const RecordedAttention*> attentions;
    for (const RecordedAttention& attention : recording.attentions) {
        if (attention.site.stage != Stage::Encoder) {
            attentions.push_back(&attention);
            wanted.push_back(attention.sums);
        }
    }
    for (const RecordedLayer& layer : recording.layers) {
        if (layer.stage == Stage::Decoder)
            wanted.push_back(layer.feedForward);
    }
    const std::vector<Tensor> gradients = run.gradients({&output, 1}, wanted, Explained::Logit, BackwardRule::Residual);
    const Index row = output.rows.front();
    const auto whole = [&](std::size_t number) {
        const NumberView value = tape.matrix(wanted[number]);
        return product(value, gradients[number].matrix(), row, 0, value.columns);
    };
    Contributions found;
    found.embedding = whole(0);
    double sum = found.embedding;
    std::size_t number = 1;
    for (const RecordedAttention* const attention : attentions) {
        ReadArray& array = attention->site.stage == Stage::Cross ? found.cross : found.decoder;
        const int heads = attention->shape.heads;
        array.shape = {attention->site.layer + 1, heads};
        const NumberView sums = tape.matrix(attention->sums);
        const Index width = sums.columns / heads;
        for (int head = 0; head < heads; ++head) {
            const double added = product(sums, gradients[number].matrix(), row, head * width, width);
            array.values.push_back(static_cast<float>(added));
            sum += added;
        }
        ++number;
    }
    for (; number < wanted.size(); ++number) {
        const double added = whole(number);
        found.feedForward.values.push_back(static_cast<float>(added));
        sum += added;
    }
    found.feedForward.shape = {std::ssize(found.feedForward.values)};
    found.rest = run.logitBeforeCap(output) - sum;
    return found;
}

void computeDirect(ExplainedRun& run, ReadingResults& results)
{
    Contributions found = contributionsTo(run, run.explained().front());
    results.arrays["decoder_direct"] = std::move(found.decoder);
    if (!found.cross.shape.empty())
        results.arrays["cross_direct"] = std::move(found.cross);
    results.arrays["mlp_direct"] = std::move(found.feedForward);
    results.arrays["embedding_direct"] = {{}, {static_cast<float>(found.embedding)}};
    results.arrays["rest_direct"] = {{}, {static_cast<float>(found.rest)}};
}

} // namespace

extern const ReadingMethod directMethod{
    .id = "direct",
    .help = "what each head, feed-forward half and the embedding add to the logit (Elhage et al. 2021)",
    .ofOutput = true,
    .ofEach = false,
    .lack = lackOfDirect,
    .compute = computeDirect};

namespace {

std::string lackOfLens(const ExplainedRun& run)
{
    if (const std::string lack = transformersOnly(run); !lack.empty())
        return lack;
    const bool predicts =
        run.info().kind == ModelKind::EncoderOnly ? run.info().predictsMasked : run.info().predictsTokens;
    return predicts && run.info().task == TaskHead::None
        ? ""
        : ATTN_TRANSLATE_NOOP("attn::ui", "the model's output layer is not of tokens");
}

const TransformerStack& outputStack(const Transformer& model)
{
    return model.parts().decoder ? *model.parts().decoder : *model.parts().encoder;
}

// Answers by row: the token that stands there, or below 0 what the model says itself.
std::vector<TokenId> answersOf(const ExplainedRun& run, Index rows)
{
    std::vector<TokenId> answers(rows, noTokenId);
    if (run.info().kind == ModelKind::EncoderOnly)
        return answers;
    for (const ExplainedOutput& output : run.everyOutput())
        answers[output.rows.front()] = output.answer;
    return answers;
}

// Natural logarithm of the sum of exponentials; NaN where a number is NaN or infinite.
double logOfExponentials(std::span<const float> logits)
{
    constexpr std::ptrdiff_t block = 256; // summed as floats
    const Eigen::Map<const Eigen::ArrayXf> all(logits.data(), std::ssize(logits));
    const float most = all.maxCoeff<Eigen::PropagateNaN>();
    if (!std::isfinite(most))
        return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (std::ptrdiff_t first = 0; first < all.size(); first += block)
        sum += (all.segment(first, std::min(block, all.size() - first)) - most).exp().sum();
    return most + std::log(sum);
}

// Best first, the lower id of equals, into as many ids.
void putLargest(std::span<const float> logits, std::span<std::int64_t> ids)
{
    std::size_t found = 0;
    for (Index id = 0; id < indexSize(logits); ++id) {
        const bool isFull = found == ids.size();
        if (isFull && !(logits[id] > logits[ids.back()]))
            continue;
        std::size_t place = isFull ? found - 1 : found++;
        for (; place > 0 && logits[id] > logits[ids[place - 1]]; --place)
            ids[place] = ids[place - 1];
        ids[place] = id;
    }
}

// Number of tokens that are before one: those with larger logits, and those before it with the same.
std::int64_t rankOf(std::span<const float> logits, TokenId token)
{
    const Eigen::Map<const Eigen::ArrayXf> all(logits.data(), std::ssize(logits));
    const float own = logits[token];
    return (all > own).count() + (all.head(token) == own).count();
}

// Tokens as people read them; empty for a model without a tokenizer.
std::vector<std::string> textsOf(const ExplainedRun& run, std::span<const std::int64_t> ids)
{
    const auto& tokenizers = run.loaded().tokenizers;
    const auto& tokenizer = run.info().kind == ModelKind::EncoderDecoder ? tokenizers.target : tokenizers.source;
    std::vector<std::string> texts;
    for (const std::int64_t id : ids) {
        if (!tokenizer)
            break;
        const auto token = static_cast<TokenId>(id);
        const Encoding read = tokenizer->describe({&token, 1});
        texts.push_back(read.labels.empty() ? read.tokens.at(0) : read.labels.at(0));
    }
    return texts;
}

// Reading of rows of states by the output layer, which are numbered from the first state's first on.
class LensRows
{
public:
    LensRows(ExplainedRun& run, Index rows, int top)
        : ids{{std::ssize(run.recording().states), rows, top}, {}}
        , logs{ids.shape, {}}
        , answerLogs{{ids.shape[0], rows}, {}}
        , ranks{answerLogs.shape, {}}
        , m_run(run)
        , m_model(dynamic_cast<const Transformer&>(run.model()))
        , m_rows(rows)
        , m_top(top)
        , m_answers(answersOf(run, rows))
    {
        const auto places = static_cast<std::size_t>(elementCount(answerLogs.shape));
        ids.whole.resize(places * m_top);
        logs.values.resize(places * m_top);
        answerLogs.values.resize(places);
        ranks.whole.resize(places);
        const int last = static_cast<int>(ids.shape[0]) - 1;
        read(last * rows, rows, true); // which says what the model's own answer is
        read(0, last * rows, false);
    }

    ReadArray ids;
    ReadArray logs;
    ReadArray answerLogs;
    ReadArray ranks;

private:
    void read(Index first, Index count, bool isLast)
    {
        constexpr Index mostTogether = 256; // rows
        constexpr Index mostLogits = 1 << 24;
        const Index vocabulary = m_model.parts().head->logits.outputs();
        const Index together = std::clamp<Index>(mostLogits / vocabulary, 1, mostTogether);
        for (const Index end = first + count; first < end; first += together)
            readSome(first, std::min(together, end - first), isLast);
    }

    void readSome(Index first, Index count, bool isLast)
    {
        throwIfStopped(m_run.stop());
        Engine& engine = m_run.engine();
        const auto& finalNorm = outputStack(m_model).finalNorm;
        const auto stateOf = [&](Index row) {
            return m_run.tape().matrix(m_run.recording().states[static_cast<std::size_t>(row / m_rows)]);
        };
        Tensor states({count, stateOf(first).columns});
        for (Index i = 0; i < count; ++i)
            std::ranges::copy(stateOf(first + i).row((first + i) % m_rows), states.matrix().row(i).begin());
        if (finalNorm && !isLast)
            normalize(engine, *finalNorm, states);
        const Tensor logits = m_model.parts().head->apply(engine, states.matrix());
        constexpr std::int64_t rowCost = 16; // of a logit
        eachRow(engine, count, std::ssize(logits.values()) * rowCost,
                [&](Index row) { put(static_cast<std::size_t>(first + row), logits.matrix().row(row)); });
    }

    void put(std::size_t place, std::span<const float> logits)
    {
        const auto best = std::span(ids.whole).subspan(place * m_top, m_top);
        putLargest(logits, best);
        const double sum = logOfExponentials(logits);
        const auto logOf = [&](std::int64_t id) { return static_cast<float>(logits[id] - sum); };
        std::ranges::transform(best, logs.values.begin() + static_cast<std::ptrdiff_t>(place * m_top), logOf);
        TokenId& answer = m_answers[place % static_cast<std::size_t>(m_rows)];
        if (answer == noTokenId)
            answer = static_cast<TokenId>(best.front());
        answerLogs.values[place] = logOf(answer);
        ranks.whole[place] = rankOf(logits, answer);
    }

    ExplainedRun& m_run;
    const Transformer& m_model;
    Index m_rows;
    std::size_t m_top;
    std::vector<TokenId> m_answers; // by row
};

void computeLens(ExplainedRun& run, ReadingResults& results)
{
    const Index rows = run.tape().matrix(run.recording().output).rows;
    const Index vocabulary = dynamic_cast<const Transformer&>(run.model()).parts().head->logits.outputs();
    LensRows lens(run, rows, std::min<Index>(run.options().lensTop, vocabulary));
    lens.ids.texts = textsOf(run, lens.ids.whole);
    results.arrays["lens_ids"] = std::move(lens.ids);
    results.arrays["lens_logprobs"] = std::move(lens.logs);
    results.arrays["lens_answer_logprobs"] = std::move(lens.answerLogs);
    results.arrays["lens_answer_ranks"] = std::move(lens.ranks);
}

} // namespace

extern const ReadingMethod lensMethod{
    .id = "lens",
    .help = "what the output layer says of every layer's states (logit lens, nostalgebraist 2020)",
    .lack = lackOfLens,
    .compute = computeLens};

} // namespace attn
