// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/step_stages.h"
#include "figures/look/attention_formulas.h"
#include "figures/look/decimal.h"
#include "laboratory/step/step_page.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace attn::ui {

namespace {

QString vectorShape(std::size_t size)
{
    return QStringLiteral("[%1]").arg(size);
}

QString mapShape(std::size_t from, std::size_t to)
{
    return QStringLiteral("[%1] → [%2]").arg(from).arg(to);
}

Formula stepLetter(const char* name)
{
    return math::variable(QLatin1String(name));
}

Formula withWords(Formula formula, const QString& words)
{
    return math::row({std::move(formula), math::words(words)});
}

// Texts of a stage.
struct StepStageRow
{
    const char* title;
    Formula (*formula)(); // null: it depends
    const char* text; // null: it depends; @: the query's token, of other stages the key's
    const char* words = nullptr; // after the formula
};

// Texts of numbers.
struct StepVectorRow
{
    const char* name; // null: the symbol says all
    Formula (*symbol)(); // null: there is none
    AttentionRole role = AttentionRole::Other;
};

// A step in words: tables of what is always said, and functions of what depends on the kind of attention.
class StageWords
{
    Q_DECLARE_TR_FUNCTIONS(StepPage)

public:
    StageWords(const CellStages& reported, const CellNames& cell)
        : m_reported(reported)
        , m_cell(cell)
    {
    }

    StageContent contentOf(const StepStage& stage) const
    {
        const StepStageRow& row = rows[static_cast<std::size_t>(stage.kind)];
        StageContent content{tr(row.title),
                             row.formula != nullptr ? std::vector{formulaOf(row)} : formulasOf(stage),
                             shape(stage),
                             row.text != nullptr ? tr(row.text) : text(stage),
                             {}};
        // A token may contain "%1".
        const bool ofQuery = stage.kind == StepKind::Query || stage.kind == StepKind::Embedding;
        content.text.replace(QLatin1Char('@'), ofQuery ? m_cell.query : keyName());
        for (const StageNumbers& numbers : stage.numbers)
            content.strips.push_back(stripOf(numbers));
        return content;
    }

private:
    // Rows of every StepKind.
    static constexpr StepStageRow rows[] = {
        {QT_TR_NOOP("Embedding"), nullptr, nullptr},
        {QT_TR_NOOP("Compression"), nullptr,
         QT_TR_NOOP("Latent attention: keys and values are made from a few features, which a cache may keep instead.")},
        {QT_TR_NOOP("Learned query"), nullptr,
         QT_TR_NOOP("A weight of the model that asks every text the same question.")},
        {QT_TR_NOOP("Query"), nullptr, QT_TR_NOOP("What “@” asks for.")},
        {QT_TR_NOOP("Query and key norms"), nullptr,
         QT_TR_NOOP("Queries and keys are normalized before they meet, so that their lengths do not matter.")},
        {QT_TR_NOOP("Rotary positions"), formulas::rotaryProduct, nullptr},
        {QT_TR_NOOP("No positions"), nullptr,
         QT_TR_NOOP("This layer turns nothing: it knows order from the layers before it and from the mask alone.")},
        {QT_TR_NOOP("Keys"), nullptr, QT_TR_NOOP("What each token offers; “@” is looked at.")},
        {QT_TR_NOOP("Tanh layer"), nullptr, nullptr},
        {QT_TR_NOOP("Score"), nullptr, nullptr},
        {QT_TR_NOOP("All products"), [] { return formulas::product(QStringLiteral("j")); },
         QT_TR_NOOP("The same for every key.")},
        {QT_TR_NOOP("Position parts"), nullptr,
         QT_TR_NOOP("Query and distance, and distance and key, have products of their own, which are added.")},
        {QT_TR_NOOP("Scaling"), nullptr,
         QT_TR_NOOP("Without it the scores would spread more the wider the vectors are.")},
        {QT_TR_NOOP("Position bias"), nullptr, QT_TR_NOOP("This model knows positions by a number for each distance.")},
        {QT_TR_NOOP("Cap"), nullptr, nullptr},
        {QT_TR_NOOP("Discount"), formulas::discounted,
         QT_TR_NOOP("Intra-temporal attention: what was attended to before counts for less now."),
         QT_TR_NOOP("s: the steps before")},
        {QT_TR_NOOP("Mask"), formulas::hiddenScore, nullptr, QT_TR_NOOP("where key j must not be seen")},
        {QT_TR_NOOP("Window"), nullptr, nullptr},
        {QT_TR_NOOP("Sink"), nullptr,
         QT_TR_NOOP("One more score, learned by this head. The share that it takes of the row goes nowhere.")},
        {QT_TR_NOOP("Softmax"), nullptr, nullptr},
        {QT_TR_NOOP("Gaussian"), formulas::gaussian, nullptr},
        {QT_TR_NOOP("Hard choice"), formulas::weightOne,
         QT_TR_NOOP("Hard attention takes the value of a single key instead of a mixture."),
         QT_TR_NOOP("for one key, 0 for the others")},
        {QT_TR_NOOP("Edits"), nullptr, QT_TR_NOOP("The weights as the edits of this run left them.")},
        {QT_TR_NOOP("Weighted sum"), formulas::weightedSum,
         QT_TR_NOOP("The values, mixed by the weights: what this head reads.")},
        {QT_TR_NOOP("Context and state"), nullptr,
         QT_TR_NOOP("What was read and the decoder's state, one after the other.")},
        {QT_TR_NOOP("Attentional state"), nullptr, QT_TR_NOOP("What the next word is predicted from.")},
        {QT_TR_NOOP("Heads side by side"), formulas::headsJoined,
         QT_TR_NOOP("The contexts of all heads, one after the other.")},
        {QT_TR_NOOP("Output projection"), formulas::headsProjected, QT_TR_NOOP("What the attention makes of it.")},
        {QT_TR_NOOP("Residual connection"), nullptr, nullptr},
        {QT_TR_NOOP("Parallel blocks"), nullptr,
         QT_TR_NOOP("The feed-forward block reads the same state, beside the attention, and both are added to it.")}};

    // Rows of every StepVector.
    static constexpr StepVectorRow vectors[] = {
        {nullptr, [] { return formulas::scoreVector(false); }},
        {QT_TR_NOOP("embedding"), nullptr},
        {QT_TR_NOOP("scaled"), nullptr},
        {QT_TR_NOOP("state"), nullptr},
        {QT_TR_NOOP("state"), [] { return stepLetter("x"); }},
        {QT_TR_NOOP("for the query"), [] { return stepLetter("z"); }},
        {QT_TR_NOOP("for own key and value"), [] { return stepLetter("z"); }},
        {QT_TR_NOOP("shared by all heads"), [] { return stepLetter("r"); }},
        {QT_TR_NOOP("query"), formulas::query, AttentionRole::Query},
        {QT_TR_NOOP("normalized query"), formulas::query, AttentionRole::Query},
        {QT_TR_NOOP("angles of pairs"), nullptr},
        {QT_TR_NOOP("rotated query"), formulas::rotatedQuery, AttentionRole::Query},
        {QT_TR_NOOP("own key"), [] { return formulas::key(QStringLiteral("i")); }, AttentionRole::Key},
        {QT_TR_NOOP("normalized key"), [] { return formulas::key(QStringLiteral("i")); }, AttentionRole::Key},
        {QT_TR_NOOP("rotated key"), [] { return formulas::rotatedKey(QStringLiteral("i")); }, AttentionRole::Key},
        {QT_TR_NOOP("projected query"), [] { return formulas::projectedQuery(QStringLiteral("U")); },
         AttentionRole::Query},
        {QT_TR_NOOP("annotations"), [] { return stepLetter("h"); }},
        {QT_TR_NOOP("keys"), nullptr, AttentionRole::Key},
        {QT_TR_NOOP("key"), [] { return formulas::key(); }, AttentionRole::Key},
        {QT_TR_NOOP("products"), formulas::featureProducts},
        {nullptr, [] { return formulas::product(QStringLiteral("j")); }},
        {QT_TR_NOOP("content to position"), nullptr},
        {QT_TR_NOOP("position to content"), nullptr},
        {QT_TR_NOOP("sum"), nullptr},
        {QT_TR_NOOP("tanh layer"), nullptr},
        {QT_TR_NOOP("scaled"), nullptr},
        {QT_TR_NOOP("bias"), nullptr},
        {QT_TR_NOOP("biased scores"), nullptr},
        {QT_TR_NOOP("scores"), nullptr},
        {QT_TR_NOOP("capped scores"), nullptr},
        {QT_TR_NOOP("scores"), nullptr},
        {QT_TR_NOOP("discounted"), [] { return stepLetter("e"); }},
        {QT_TR_NOOP("scores"), [] { return stepLetter("e"); }},
        {QT_TR_NOOP("sink"), nullptr},
        {QT_TR_NOOP("softmax"), nullptr},
        {QT_TR_NOOP("weights"), [] { return stepLetter("a"); }},
        {QT_TR_NOOP("values"), [] { return formulas::value(); }, AttentionRole::Value},
        {QT_TR_NOOP("context"), [] { return stepLetter("c"); }},
        {QT_TR_NOOP("context and state"), nullptr},
        {QT_TR_NOOP("attentional state"), nullptr},
        {QT_TR_NOOP("contexts of all heads"), nullptr},
        {QT_TR_NOOP("output"), nullptr},
        {QT_TR_NOOP("what is added"), nullptr},
        {QT_TR_NOOP("feed-forward"), nullptr},
        {QT_TR_NOOP("sum"), nullptr},
        {QT_TR_NOOP("normalized sum"), nullptr}};

    // Where scores are additive, query and key are what is added up.
    StepVectorRow vectorRow(StepVector what) const
    {
        switch (what) {
        case StepVector::ScoreVector:
            if (learnedQuery())
                return {nullptr, [] { return formulas::scoreVector(true); }, AttentionRole::Query};
            break;
        case StepVector::State:
            if (normsState())
                return {QT_TR_NOOP("normalized state"), [] { return stepLetter("x"); }};
            break;
        case StepVector::ProjectedQuery:
            if (additive())
                return {nullptr, [] { return formulas::projectedQuery(QStringLiteral("W")); }, AttentionRole::Query};
            break;
        case StepVector::Keys:
            if (has(StageKind::ProjectedKeys))
                return {QT_TR_NOOP("projected keys"), nullptr, AttentionRole::Key};
            break;
        case StepVector::Key:
            if (additive())
                return {nullptr, [] { return formulas::scoredAnnotations(); }, AttentionRole::Key};
            break;
        case StepVector::FeatureProducts:
            if (additive())
                return {QT_TR_NOOP("products"), nullptr};
            break;
        default:
            break;
        }
        return vectors[static_cast<std::size_t>(what)];
    }

    static Formula formulaOf(const StepStageRow& row)
    {
        return row.words == nullptr ? row.formula() : withWords(row.formula(), tr(row.words));
    }

    StageStrip stripOf(const StageNumbers& numbers) const
    {
        const StepVectorRow row = vectorRow(numbers.what);
        StageStrip strip;
        strip.name = row.name != nullptr ? tr(row.name) : QString();
        strip.symbol = row.symbol != nullptr ? row.symbol() : Formula();
        strip.role = row.role;
        strip.rows = numbers.rows;
        strip.columns = numbers.columns;
        strip.values.assign(numbers.values.begin(), numbers.values.end());
        strip.marked = numbers.marked;
        strip.weights = numbers.what == StepVector::Weights || numbers.what == StepVector::Softmax;
        if (numbers.what == StepVector::Sink)
            strip.columnNames = {tr("score"), tr("share")};
        if (numbers.marked) {
            const bool areRows = numbers.rows > 1 || numbers.columns != indexSize(m_cell.keys);
            (areRows ? strip.rowNames : strip.columnNames) = m_cell.keys;
            if (areRows && numbers.rows == 1) // there is nothing but what is looked at
                strip.marked.reset();
        }
        return strip;
    }

    bool has(StageKind kind) const { return m_reported.has(kind); }
    std::size_t size(StageKind kind) const { return m_reported.values(kind).size(); }
    std::size_t keyCount() const { return m_reported.weights().size(); }
    bool additive() const { return has(StageKind::TanhLayer); }
    bool normsState() const
    {
        return has(StageKind::State)
            && !std::ranges::equal(m_reported.values(StageKind::State), m_reported.values(StageKind::Input));
    }
    double number(StageKind kind, std::size_t at = 0) const { return static_cast<double>(m_reported.values(kind)[at]); }
    bool learnedQuery() const { return additive() && !has(StageKind::Query); }
    bool scaled() const { return has(StageKind::Scale) && scale() != 1; }
    double scale() const { return number(StageKind::Scale); }
    QString keyName() const { return m_cell.keys.value(m_cell.key, QString::number(m_cell.key)); }
    double centre() const { return has(StageKind::Window) ? number(StageKind::Window) : 0; }

    std::vector<Formula> queryFormulas() const
    {
        const bool turned = has(StageKind::RotatedQuery);
        const bool given = !has(StageKind::Input) && !has(StageKind::Summary) && !turned; // and a letter says nothing
        Formula made = has(StageKind::QueryLatent) ? formulas::queryOfLatent()
            : has(StageKind::Input)                ? formulas::queryOfInput()
            : has(StageKind::Summary)              ? formulas::queryOfSummary()
                                                   : formulas::query();
        std::vector<Formula> lines;
        if (!given)
            lines.push_back(std::move(made));
        if (has(StageKind::ProjectedQuery))
            lines.push_back(formulas::projectedQuery(additive() ? QStringLiteral("W") : QStringLiteral("U")));
        return lines;
    }

    std::vector<Formula> keysFormulas() const
    {
        const bool turned = has(StageKind::RotatedQuery);
        if (!additive() && !has(StageKind::ProjectedKeys) && !has(StageKind::Input) && !turned)
            return {};
        Formula made = additive()           ? formulas::scoredAnnotations(QStringLiteral("j"))
            : has(StageKind::ProjectedKeys) ? formulas::keyOfAnnotation()
            : has(StageKind::KeyLatent)     ? formulas::keyOfLatent()
            : has(StageKind::Input)         ? formulas::keyOfInput()
                                            : formulas::key(QStringLiteral("j"));
        if (has(StageKind::NormedKey))
            made = withWords(std::move(made), tr("each normalized"));
        return {turned ? withWords(std::move(made), tr("each turned by its position")) : std::move(made)};
    }

    Formula scalingFormula(const StepStage& stage) const
    {
        const int width = stage.width;
        const bool parts = has(StageKind::ContentToPosition) || has(StageKind::PositionToContent);
        Formula product = parts ? math::sub(stepLetter("e"), stepLetter("j")) : formulas::product(QStringLiteral("j"));
        if (std::abs(scale() * scale() * width - 1) < 1e-3)
            return formulas::scores(formulas::overRoot(std::move(product), math::number(QString::number(width))));
        return formulas::scores(formulas::times(significant(scale(), 4), std::move(product)));
    }

    // Learned by a bias for each distance: added to the products, or to what scaling has made of them.
    Formula biasFormula() const
    {
        return scaled() ? formulas::biased(math::sub(stepLetter("e"), stepLetter("j")))
                        : formulas::scores(formulas::biased(formulas::product(QStringLiteral("j"))));
    }

    std::vector<Formula> windowFormulas() const
    {
        Formula hidden = withWords(formulas::hiddenScore(), tr("where"));
        hidden.parts.push_back(formulas::outsideWindow());
        return {has(StageKind::Gaussian) ? formulas::predictedMiddle() : formulas::monotonicMiddle(),
                std::move(hidden)};
    }

    // True where what intra-decoder attention read stands beside context and state.
    bool readsItself() const { return size(StageKind::JointState) > size(StageKind::Context) + size(StageKind::Query); }

    std::vector<Formula> formulasOf(const StepStage& stage) const
    {
        const formulas::Additive terms{formulas::scoredAnnotations(), learnedQuery()};
        switch (stage.kind) {
        case StepKind::Query:
            return queryFormulas();
        case StepKind::Keys:
            return keysFormulas();
        case StepKind::TanhLayer:
            return {formulas::tanhLayer(terms)};
        case StepKind::Score:
            return {additive() ? math::row(
                        {stepLetter("e"), math::relation(QStringLiteral("=")), formulas::additiveScore(terms)})
                               : formulas::productByFeatures()};
        case StepKind::Scaling:
            return {scalingFormula(stage)};
        case StepKind::PositionBias:
            return {biasFormula()};
        case StepKind::Cap:
            return {formulas::capped(significant(number(StageKind::Cap), 4))};
        case StepKind::Window:
            return windowFormulas();
        case StepKind::Softmax:
            return {has(StageKind::Sink) ? formulas::softmaxWithSink() : formulas::softmax()};
        case StepKind::ContextAndState:
            return {formulas::joined(readsItself())};
        case StepKind::AttentionalState:
            return {formulas::attentionalState(readsItself())};
        default:
            return {};
        }
    }

    QString shape(const StepStage& stage) const
    {
        const auto last = static_cast<std::size_t>(stage.numbers.back().columns);
        const auto first = static_cast<std::size_t>(stage.numbers.front().columns);
        switch (stage.kind) {
        case StepKind::Embedding:
        case StepKind::LearnedQuery:
        case StepKind::HeadNorms:
        case StepKind::Rotation:
        case StepKind::NoPositions:
        case StepKind::AllProducts:
        case StepKind::ContextAndState:
        case StepKind::Residual:
        case StepKind::ParallelBlocks:
            return vectorShape(last);
        case StepKind::Compression:
            return mapShape(first, size(StageKind::KeyLatent));
        case StepKind::Query:
            return has(StageKind::Input)
                ? mapShape(size(StageKind::QueryLatent) > 0 ? size(StageKind::QueryLatent) : size(StageKind::Input),
                           size(StageKind::Query))
                : vectorShape(size(StageKind::Query));
        case StepKind::Sink:
            return {};
        case StepKind::Keys:
            return (stage.numbers.back().rows == 1 ? tr("[%1 key, %2]") : tr("[%1 keys, %2]"))
                .arg(stage.numbers.back().rows)
                .arg(last);
        case StepKind::Score:
            return QStringLiteral("[%1] · [%1] → 1").arg(first);
        case StepKind::TanhLayer:
            return learnedQuery() ? mapShape(last, last) : QStringLiteral("[%1] + [%1] → [%1]").arg(last);
        case StepKind::WeightedSum:
            return QStringLiteral("[%1] × [%1, %2] → [%2]").arg(first).arg(stage.numbers[1].columns);
        case StepKind::AttentionalState:
            return mapShape(size(StageKind::JointState), last);
        case StepKind::Heads:
            return QStringLiteral("%1 × [%2] → [%3]").arg(m_cell.heads).arg(size(StageKind::Context)).arg(last);
        case StepKind::OutputProjection:
            return mapShape(size(StageKind::Heads), last);
        default:
            return mapShape(keyCount(), keyCount());
        }
    }

    QString embeddingText() const
    {
        const QString words = tr("The row of the table for “@”.");
        if (!has(StageKind::EmbeddingScale))
            return words;
        return words + QLatin1Char(' ')
            + tr("This model multiplies it by %1.").arg(significant(number(StageKind::EmbeddingScale), 5));
    }

    QString rotationText() const
    {
        const auto turned = [this](std::size_t at) { return static_cast<int>(number(StageKind::Rotation, at)); };
        const int width = turned(0);
        const int first = turned(1);
        const int all = turned(2);
        QStringList said{width == all ? tr("All %1 features turn in pairs.").arg(width)
                                      : tr("Features %2 to %3 of 0 to %1 turn in pairs, the others do not.")
                                            .arg(all - 1)
                                            .arg(first)
                                            .arg(first + width - 1)};
        said << (turned(4) == 1 ? tr("Neighbouring features make a pair.")
                                : tr("The features of a pair are %1 apart.").arg(width / 2));
        said << tr("The base of their frequencies is %1.").arg(significant(number(StageKind::Rotation, 3), 7));
        if (const double factor = number(StageKind::Rotation, 5); factor != 1)
            said << tr("Turned features are multiplied by %1.").arg(significant(factor, 5));
        if (const double factor = number(StageKind::Rotation, 6); factor != 1)
            said << tr("The query is multiplied by %1.").arg(significant(factor, 5));
        return said.join(QLatin1Char(' '));
    }

    QString residualText() const
    {
        const QString added = has(StageKind::Added) ? tr("The output is normalized or scaled, then added to the state.")
                                                    : tr("The output is added to the state.");
        return has(StageKind::NormedSum) ? added + QLatin1Char(' ') + tr("The sum is normalized.") : added;
    }

    QString maskText() const
    {
        QString said = hiddenText();
        if (!has(StageKind::Reach))
            return said;
        const auto before = static_cast<int>(number(StageKind::Reach));
        return said + QLatin1Char(' ')
            + (number(StageKind::Reach, 1) > 0
                   ? tr("This layer has a window: the query's own key and %1 to each side.")
                   : tr("This layer has a window: the query's own key and the %1 before it."))
                  .arg(before);
    }

    QString hiddenText() const
    {
        const auto scores = m_reported.values(StageKind::Scores);
        const auto hidden = std::ranges::count_if(scores, [](float score) { return !std::isfinite(score); });
        if (const auto window = m_reported.values(StageKind::Window); !window.empty())
            return tr("Only keys within %1 of p = %2, rounded, are seen; %3 of %4 are hidden.")
                .arg(significant(static_cast<double>(window.back()), 6), significant(centre(), 3))
                .arg(hidden)
                .arg(keyCount());
        return hidden > 0 ? tr("%1 of %2 keys are hidden from this query.").arg(hidden).arg(keyCount())
                          : tr("Every key may be seen here.");
    }

    QString text(const StepStage& stage) const
    {
        const auto sum = [](std::span<const float> values, int digits) {
            return significant(static_cast<double>(std::accumulate(values.begin(), values.end(), 0.0F)), digits);
        };
        const NumberVector<float>& values = stage.numbers.back().values;
        switch (stage.kind) {
        case StepKind::Embedding:
            return embeddingText();
        case StepKind::Rotation:
            return rotationText();
        case StepKind::Cap:
            return tr("No score goes beyond %1 or below −%1; near 0 they stay what they were.")
                .arg(significant(number(StageKind::Cap), 4));
        case StepKind::Residual:
            return residualText();
        case StepKind::TanhLayer:
            return learnedQuery() ? tr("Shown for “@”.") : tr("Query and key meet in a hidden layer; shown for “@”.");
        case StepKind::Score:
            return (additive() ? tr("The layer's units, weighed with v, sum to %1.")
                               : tr("Feature by feature, the products of query and key; for “@” they sum to %1."))
                .arg(sum(values, 4));
        case StepKind::Mask:
        case StepKind::Window:
            return maskText();
        case StepKind::Softmax: {
            const auto key = stage.numbers.back().marked.value_or(0);
            return tr("Positive numbers that sum to %1; “@” gets %2.")
                .arg(sum(values, 3), weightText(static_cast<double>(values.at(key))));
        }
        case StepKind::Gaussian:
            return tr("Keys near p = %1 count most; the weights sum to %2 now.")
                .arg(significant(centre(), 3), sum(values, 3));
        default:
            return {};
        }
    }

    const CellStages& m_reported;
    const CellNames& m_cell;
};

} // namespace

std::vector<StageContent> stageContents(const CellStages& reported, const CellNames& cell)
{
    const StageWords said(reported, cell);
    std::vector<StageContent> contents;
    for (const StepStage& stage : stepStages(reported, cell.key))
        contents.push_back(said.contentOf(stage));
    return contents;
}

} // namespace attn::ui
