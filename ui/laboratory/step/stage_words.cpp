// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/step_stages.h"
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
        const StageRow& row = rows[static_cast<std::size_t>(stage.kind)];
        StageContent content{tr(row.title),
                             row.formula != nullptr ? tr(row.formula) : formula(stage),
                             shape(stage),
                             row.text != nullptr ? tr(row.text) : text(stage),
                             {}};
        // A token may contain "%1".
        content.text.replace(QLatin1Char('@'), stage.kind == StepKind::Query ? m_cell.query : keyName());
        for (const StageNumbers& numbers : stage.numbers) {
            StageStrip strip{name(numbers.what),
                             numbers.rows,
                             numbers.columns,
                             numbers.values,
                             {},
                             {},
                             numbers.marked,
                             numbers.what == StepVector::Weights || numbers.what == StepVector::Softmax};
            if (numbers.marked)
                (numbers.rows > 1 ? strip.rowNames : strip.columnNames) = m_cell.keys;
            content.strips.push_back(std::move(strip));
        }
        return content;
    }

private:
    struct StageRow
    {
        const char* title;
        const char* formula; // null: it depends
        const char* text; // null: it depends; @: the query's token, of other stages the key's
    };

    // Of every StepKind.
    static constexpr StageRow rows[] = {
        {QT_TR_NOOP("Learned query"), "v", QT_TR_NOOP("A weight of the model that asks every text the same question.")},
        {QT_TR_NOOP("Query"), nullptr, QT_TR_NOOP("What “@” asks for.")},
        {QT_TR_NOOP("Keys"), nullptr, QT_TR_NOOP("What each token offers; “@” is looked at.")},
        {QT_TR_NOOP("Tanh layer"), nullptr, nullptr},
        {QT_TR_NOOP("Score"), nullptr, nullptr},
        {QT_TR_NOOP("All products"), "q · k_j", QT_TR_NOOP("The same for every key.")},
        {QT_TR_NOOP("Scaling"), nullptr,
         QT_TR_NOOP("Without it the scores would spread more the wider the vectors are.")},
        {QT_TR_NOOP("Position bias"), nullptr,
         QT_TR_NOOP("This model knows positions by a learned number for each distance.")},
        {QT_TR_NOOP("Discount"), QT_TR_NOOP("e_j − log(Σ_s exp(e_sj)), s: the steps before"),
         QT_TR_NOOP("Intra-temporal attention: what was attended to before counts for less now.")},
        {QT_TR_NOOP("Mask"), QT_TR_NOOP("e_j = −∞ where key j must not be seen"), nullptr},
        {QT_TR_NOOP("Window"), nullptr, nullptr},
        {QT_TR_NOOP("Softmax"), "a_j = exp(e_j) / Σ_l exp(e_l)", nullptr},
        {QT_TR_NOOP("Gaussian"), "a_j exp(−(j − p)^2 / (2 (D/2)^2))", nullptr},
        {QT_TR_NOOP("Hard choice"), QT_TR_NOOP("a_j = 1 for one key, 0 for the others"),
         QT_TR_NOOP("Hard attention takes the value of a single key instead of a mixture.")},
        {QT_TR_NOOP("Edits"), nullptr, QT_TR_NOOP("The weights as the edits of this run left them.")},
        {QT_TR_NOOP("Weighted sum"), "c = Σ_j a_j v_j",
         QT_TR_NOOP("The values, mixed by the weights: what this head reads.")},
        {QT_TR_NOOP("Context and state"), nullptr,
         QT_TR_NOOP("What was read and the decoder's state, one after the other.")},
        {QT_TR_NOOP("Attentional state"), nullptr, QT_TR_NOOP("What the next word is predicted from.")},
        {QT_TR_NOOP("Heads side by side"), "[c_1; ...; c_h]",
         QT_TR_NOOP("The contexts of all heads, one after the other.")},
        {QT_TR_NOOP("Output projection"), "W_O [c_1; ...; c_h]", QT_TR_NOOP("What the layer adds to its input.")}};

    // Of every StepVector: its name, and the one that it has where scores are additive.
    static constexpr std::pair<const char*, const char*> names[] = {
        {"v", nullptr},
        {QT_TR_NOOP("state x"), nullptr},
        {QT_TR_NOOP("query q"), nullptr},
        {QT_TR_NOOP("rotated query q"), nullptr},
        {QT_TR_NOOP("projected query U q"), "W q"},
        {QT_TR_NOOP("annotations h"), nullptr},
        {QT_TR_NOOP("keys"), nullptr},
        {QT_TR_NOOP("key k"), "U h + b"},
        {QT_TR_NOOP("products q_i k_i"), QT_TR_NOOP("products")},
        {"q · k_j", nullptr},
        {QT_TR_NOOP("tanh layer"), nullptr},
        {QT_TR_NOOP("scaled"), nullptr},
        {QT_TR_NOOP("bias"), nullptr},
        {QT_TR_NOOP("biased scores"), nullptr},
        {QT_TR_NOOP("scores"), nullptr},
        {QT_TR_NOOP("discounted e"), nullptr},
        {QT_TR_NOOP("scores e"), nullptr},
        {QT_TR_NOOP("softmax"), nullptr},
        {QT_TR_NOOP("weights a"), nullptr},
        {QT_TR_NOOP("values v"), nullptr},
        {QT_TR_NOOP("context c"), nullptr},
        {QT_TR_NOOP("context and state"), nullptr},
        {QT_TR_NOOP("attentional state"), nullptr},
        {QT_TR_NOOP("contexts of all heads"), nullptr},
        {QT_TR_NOOP("output"), nullptr}};

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

    QString name(StepVector what) const
    {
        if (what == StepVector::Keys && has(StageKind::ProjectedKeys))
            return tr("projected keys");
        const auto& [usual, whenAdditive] = names[static_cast<std::size_t>(what)];
        return tr(additive() && whenAdditive != nullptr ? whenAdditive : usual);
    }

    QString queryFormula() const
    {
        QString text = has(StageKind::Input) ? QStringLiteral("q = W_Q x")
            : has(StageKind::Summary)        ? QStringLiteral("q = [x_t; h~_(t-1)]")
                                             : QStringLiteral("q");
        if (has(StageKind::RotatedQuery))
            text += tr(", then turned by its position");
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
        return has(StageKind::RotatedQuery) ? text + tr(", each turned by its position") : text;
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
        const QString outside = tr("e_j = −∞ where |j − round(p)| > D");
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
        QString layer = learnedQuery() ? QStringLiteral("tanh(U h + b)") : QStringLiteral("tanh(W q + U h + b)");
        switch (stage.kind) {
        case StepKind::Query:
            return queryFormula();
        case StepKind::Keys:
            return keysFormula();
        case StepKind::TanhLayer:
            return layer;
        case StepKind::Score:
            return additive() ? QStringLiteral("e = v · ") + layer : QStringLiteral("q · k = Σ_i q_i k_i");
        case StepKind::Scaling:
            return scalingFormula(stage);
        case StepKind::PositionBias:
            return scaled() ? QStringLiteral("e_j + b(j − i)") : QStringLiteral("e_j = q · k_j + b(j − i)");
        case StepKind::Window:
            return windowFormula();
        case StepKind::ContextAndState:
            return jointFormula();
        case StepKind::AttentionalState:
            return QStringLiteral("tanh(W_c ") + jointFormula() + QLatin1Char(')');
        default:
            return {};
        }
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
            return tr("[%1 keys, %2]").arg(stage.numbers.back().rows).arg(last);
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
        const std::vector<float>& values = stage.numbers.back().values;
        switch (stage.kind) {
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
