// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/step/stage_words.h"

#include "figures/look/decimal.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attn::ui {

namespace {

QString words(const char* source)
{
    return QCoreApplication::translate("attn::ui::StepPage", source);
}

QString vectorShape(std::size_t size)
{
    return QStringLiteral("[%1]").arg(size);
}

QString mapShape(std::size_t from, std::size_t to)
{
    return QStringLiteral("[%1] → [%2]").arg(from).arg(to);
}

double sumOf(std::span<const float> values)
{
    return static_cast<double>(std::accumulate(values.begin(), values.end(), 0.0F));
}

class StageWords
{
public:
    StageWords(const CellStages& reported, const CellNames& cell)
        : m_reported(reported)
        , m_cell(cell)
    {
    }

    StageContent contentOf(const StepStage& stage) const
    {
        StageContent content{title(stage.kind), formula(stage), shape(stage), text(stage), {}};
        for (const StageNumbers& numbers : stage.numbers) {
            StageStrip strip{name(numbers.what),
                             numbers.rows,
                             numbers.columns,
                             numbers.values,
                             {},
                             {},
                             numbers.marked.value_or(-1),
                             numbers.what == StepVector::Weights || numbers.what == StepVector::Softmax};
            if (numbers.marked)
                (numbers.rows > 1 ? strip.rowNames : strip.columnNames) = m_cell.keys;
            content.strips.push_back(std::move(strip));
        }
        return content;
    }

private:
    bool has(StageKind kind) const { return m_reported.has(kind); }
    std::size_t size(StageKind kind) const { return m_reported.values(kind).size(); }
    std::size_t keyCount() const { return m_reported.weights().size(); }
    bool additive() const { return has(StageKind::TanhLayer); }
    bool learnedQuery() const { return additive() && !has(StageKind::Query); }
    bool scaled() const { return has(StageKind::Scale) && scale() != 1; }
    double scale() const { return static_cast<double>(m_reported.values(StageKind::Scale).front()); }
    QString keyName() const { return m_cell.keys.value(m_cell.key, QString::number(m_cell.key)); }
    double centre() const
    {
        return has(StageKind::Window) ? static_cast<double>(m_reported.values(StageKind::Window).front()) : 0;
    }

    static QString title(StepKind kind)
    {
        constexpr const char* titles[] = {QT_TRANSLATE_NOOP("attn::ui::StepPage", "Learned query"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Query"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Keys"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Tanh layer"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Score"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "All products"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Scaling"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Position bias"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Discount"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Mask"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Window"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Softmax"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Gaussian"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Hard choice"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Weighted sum"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Context and state"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Attentional state"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Heads side by side"),
                                          QT_TRANSLATE_NOOP("attn::ui::StepPage", "Output projection")};
        return words(titles[static_cast<std::size_t>(kind)]);
    }

    QString name(StepVector what) const
    {
        switch (what) {
        case StepVector::ScoreVector:
            return QStringLiteral("v");
        case StepVector::State:
            return words("state x");
        case StepVector::Query:
            return words("query q");
        case StepVector::RotatedQuery:
            return words("rotated query q");
        case StepVector::ProjectedQuery:
            return additive() ? QStringLiteral("W q") : words("projected query U q");
        case StepVector::Annotations:
            return words("annotations h");
        case StepVector::Keys:
            return has(StageKind::ProjectedKeys) ? words("projected keys") : words("keys");
        case StepVector::Key:
            return additive() ? QStringLiteral("U h + b") : words("key k");
        case StepVector::FeatureProducts:
            return additive() ? words("products") : words("products q_i k_i");
        case StepVector::Products:
            return QStringLiteral("q · k_j");
        case StepVector::TanhLayer:
            return words("tanh layer");
        case StepVector::Scaled:
            return words("scaled");
        case StepVector::Bias:
            return words("bias");
        case StepVector::Biased:
            return words("biased scores");
        case StepVector::Undiscounted:
            return words("scores");
        case StepVector::Discounted:
            return words("discounted e");
        case StepVector::Scores:
            return words("scores e");
        case StepVector::Softmax:
            return words("softmax");
        case StepVector::Weights:
            return words("weights a");
        case StepVector::Values:
            return words("values v");
        case StepVector::Context:
            return words("context c");
        case StepVector::JointState:
            return words("context and state");
        case StepVector::AttentionalState:
            return words("attentional state");
        case StepVector::Heads:
            return words("contexts of all heads");
        case StepVector::Output:
            return words("output");
        }
        return {};
    }

    QString queryFormula() const
    {
        QString text = has(StageKind::Input) ? QStringLiteral("q = W_Q x")
            : has(StageKind::Summary)        ? QStringLiteral("q = [x_t; h~_(t-1)]")
                                             : QStringLiteral("q");
        if (has(StageKind::RotatedQuery))
            text += words(", then turned by its position");
        if (has(StageKind::ProjectedQuery))
            text += additive() ? QStringLiteral(", W q") : QStringLiteral(", U q");
        return text;
    }

    QString keysFormula() const
    {
        const QString text = additive()     ? QStringLiteral("U h_j + b")
            : has(StageKind::ProjectedKeys) ? QStringLiteral("k_j = W h_j")
            : has(StageKind::Input)         ? QStringLiteral("k_j = W_K x_j")
                                            : QStringLiteral("k_j");
        return has(StageKind::RotatedQuery) ? text + words(", each turned by its position") : text;
    }

    QString scalingFormula(const StepStage& stage) const
    {
        const auto width = stage.width;
        if (std::abs(scale() * scale() * width - 1) < 1e-3)
            return QStringLiteral("e_j = q · k_j / √%1").arg(width);
        return QStringLiteral("e_j = %1 (q · k_j)").arg(significant(scale(), 4));
    }

    QString windowFormula() const
    {
        const QString outside = words("e_j = −∞ where |j − round(p)| > D");
        return (has(StageKind::Gaussian) ? QStringLiteral("p = (S − 1) sigmoid(v · tanh(W_p q)); ")
                                         : QStringLiteral("p = min(t, S − 1); "))
            + outside;
    }

    // [context; state], with what intra-decoder attention read.
    QString jointFormula() const
    {
        const bool intra = size(StageKind::JointState) > size(StageKind::Context) + size(StageKind::Query);
        return intra ? QStringLiteral("[c; s; c_d]") : QStringLiteral("[c; s]");
    }

    QString formula(const StepStage& stage) const
    {
        const QString layer = learnedQuery() ? QStringLiteral("tanh(U h + b)") : QStringLiteral("tanh(W q + U h + b)");
        switch (stage.kind) {
        case StepKind::LearnedQuery:
            return QStringLiteral("v");
        case StepKind::Query:
            return queryFormula();
        case StepKind::Keys:
            return keysFormula();
        case StepKind::TanhLayer:
            return layer;
        case StepKind::Score:
            return additive() ? QStringLiteral("e = v · ") + layer : QStringLiteral("q · k = Σ_i q_i k_i");
        case StepKind::AllProducts:
            return QStringLiteral("q · k_j");
        case StepKind::Scaling:
            return scalingFormula(stage);
        case StepKind::PositionBias:
            return scaled() ? QStringLiteral("e_j + b(j − i)") : QStringLiteral("e_j = q · k_j + b(j − i)");
        case StepKind::Discount:
            return words("e_j − log(Σ_s exp(e_sj)), s: the steps before");
        case StepKind::Mask:
            return words("e_j = −∞ where key j must not be seen");
        case StepKind::Window:
            return windowFormula();
        case StepKind::Softmax:
            return QStringLiteral("a_j = exp(e_j) / Σ_l exp(e_l)");
        case StepKind::Gaussian:
            return QStringLiteral("a_j exp(−(j − p)^2 / (2 (D/2)^2))");
        case StepKind::HardChoice:
            return words("a_j = 1 for one key, 0 for the others");
        case StepKind::WeightedSum:
            return QStringLiteral("c = Σ_j a_j v_j");
        case StepKind::ContextAndState:
            return jointFormula();
        case StepKind::AttentionalState:
            return QStringLiteral("tanh(W_c ") + jointFormula() + QLatin1Char(')');
        case StepKind::Heads:
            return QStringLiteral("[c_1; ...; c_h]");
        case StepKind::OutputProjection:
            return QStringLiteral("W_O [c_1; ...; c_h]");
        }
        return {};
    }

    QString shape(const StepStage& stage) const
    {
        const auto last = static_cast<std::size_t>(stage.numbers.back().columns);
        const auto first = static_cast<std::size_t>(stage.numbers.front().columns);
        switch (stage.kind) {
        case StepKind::LearnedQuery:
        case StepKind::AllProducts:
        case StepKind::ContextAndState:
            return vectorShape(last);
        case StepKind::Query:
            return has(StageKind::Input) ? mapShape(size(StageKind::Input), size(StageKind::Query))
                                         : vectorShape(size(StageKind::Query));
        case StepKind::Keys:
            return words("[%1 keys, %2]").arg(stage.numbers.back().rows).arg(last);
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

    QString maskText() const
    {
        const auto scores = m_reported.values(StageKind::Scores);
        const auto hidden = std::ranges::count_if(scores, [](float score) { return !std::isfinite(score); });
        if (const auto window = m_reported.values(StageKind::Window); !window.empty())
            return words("Only keys within %1 of p = %2, rounded, are seen; %3 of %4 are hidden.")
                .arg(significant(static_cast<double>(window.back()), 6), significant(centre(), 3))
                .arg(hidden)
                .arg(keyCount());
        return hidden > 0 ? words("%1 of %2 keys are hidden from this query.").arg(hidden).arg(keyCount())
                          : words("Every key may be seen here.");
    }

    // With a key's or a query's name, which may contain "%1".
    static QString around(const QString& text, const QString& token)
    {
        return text.section(QLatin1Char('@'), 0, 0) + token + text.section(QLatin1Char('@'), 1);
    }

    QString text(const StepStage& stage) const
    {
        switch (stage.kind) {
        case StepKind::LearnedQuery:
            return words("A weight of the model that asks every text the same question.");
        case StepKind::Query:
            return around(words("What “@” asks for."), m_cell.query);
        case StepKind::Keys:
            return around(words("What each token offers; “@” is looked at."), keyName());
        case StepKind::TanhLayer:
            return around(learnedQuery() ? words("Shown for “@”.")
                                         : words("Query and key meet in a hidden layer; shown for “@”."),
                          keyName());
        case StepKind::Score: {
            const QString sum = significant(sumOf(stage.numbers.back().values), 4);
            if (additive())
                return words("The layer's units, weighed with v, sum to %1.").arg(sum);
            return around(words("Feature by feature, the products of query and key; for “@” they sum to %1.").arg(sum),
                          keyName());
        }
        case StepKind::AllProducts:
            return words("The same for every key.");
        case StepKind::Scaling:
            return words("Without it the scores would spread more the wider the vectors are.");
        case StepKind::PositionBias:
            return words("This model knows positions by a learned number for each distance.");
        case StepKind::Discount:
            return words("Intra-temporal attention: what was attended to before counts for less now.");
        case StepKind::Mask:
        case StepKind::Window:
            return maskText();
        case StepKind::Softmax: {
            const std::vector<float>& weights = stage.numbers.back().values;
            const int key = stage.numbers.back().marked.value_or(0);
            return around(words("Positive numbers that sum to %1; “@” gets %2.")
                              .arg(significant(sumOf(weights), 3), weightText(static_cast<double>(weights.at(key)))),
                          keyName());
        }
        case StepKind::Gaussian:
            return words("Keys near p = %1 count most; the weights sum to %2 now.")
                .arg(significant(centre(), 3), significant(sumOf(m_reported.weights()), 3));
        case StepKind::HardChoice:
            return words("Hard attention takes the value of a single key instead of a mixture.");
        case StepKind::WeightedSum:
            return words("The values, mixed by the weights: what this head reads.");
        case StepKind::ContextAndState:
            return words("What was read and the decoder's state, one after the other.");
        case StepKind::AttentionalState:
            return words("What the next word is predicted from.");
        case StepKind::Heads:
            return words("The contexts of all heads, one after the other.");
        case StepKind::OutputProjection:
            return words("What the layer adds to its input.");
        }
        return {};
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
