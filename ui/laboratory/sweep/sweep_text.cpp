// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/sweep/sweep_text.h"

#include "base/index.h"
#include "figures/charts/bar_list_figure.h"
#include "figures/kinds/shown_matrix.h"
#include "figures/look/color_map.h"
#include "figures/look/csv_field.h"
#include "figures/look/decimal.h"
#include "figures/look/value_scale.h"
#include "figures/parts/matrix_figure.h"
#include "laboratory/laboratory_page.h"
#include "maps/map_range.h"
#include "state/strings.h"
#include "trace/site.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace attn::ui {

namespace {

constexpr double leastSwept = 0.0005;

struct SweepWords
{
    Q_DECLARE_TR_FUNCTIONS(attn::ui::SweepWords)
};

// The cells of a map: what is not known yet is blank, whereas what is known may be no number.
class SweptCells
{
public:
    SweptCells(MatrixContent& content, SweepMeasure measure)
        : m_content(content)
        , m_measure(measure)
        , m_unknown(NumberView(nullptr, content.map.numbers.rows, content.map.numbers.columns).size(), true)
    {
        content.map.numbers.values.assign(m_unknown.size(), std::numeric_limits<float>::quiet_NaN());
    }

    void set(int row, int column, const OutputChange& change)
    {
        const auto value = measured(change, m_measure);
        m_unknown[static_cast<std::size_t>(row) * m_content.map.numbers.columns + column] = !value;
        if (value)
            m_content.map.numbers.at(row, column) = static_cast<float>(*value);
    }

    void markBlank()
    {
        m_content.map.setBlank([this](Index row, Index column) {
            return m_unknown[static_cast<std::size_t>(row) * m_content.map.numbers.columns + column];
        });
    }

private:
    MatrixContent& m_content;
    SweepMeasure m_measure;
    std::vector<bool> m_unknown;
};

QString siteLabel(Site site, ModelKind kind)
{
    return kind == ModelKind::EncoderDecoder
        ? SweepWords::tr("%1, layer %2").arg(sideName(site.stage, kind).toLower()).arg(site.layer)
        : SweepWords::tr("layer %1").arg(site.layer);
}

// Heads by layers.
MatrixContent headMap(const ShownSweep& shown)
{
    MatrixContent content;
    const std::vector<Site> sites = shown.sites();
    for (const SweptHead& head : shown.result.heads)
        content.map.numbers.columns = std::max(content.map.numbers.columns, head.head + 1);
    content.map.numbers.rows = indexSize(sites);
    SweptCells cells(content, shown.measure);
    for (int row = 0; row < content.map.numbers.rows; ++row) {
        content.rowLabels << siteLabel(sites[row], shown.kind);
        for (int number = 0; number < content.map.numbers.columns; ++number) {
            if (const SweptHead* head = shown.head(sites[row], number); head != nullptr)
                cells.set(row, number, head->change);
        }
    }
    cells.markBlank();
    for (int number = 0; number < content.map.numbers.columns; ++number)
        content.columnLabels << QString::number(number);
    content.columnAxis = SweepWords::tr("head");
    content.title.title = SweepWords::tr("The output without each head");
    return content;
}

// Sentences by positions.
MatrixContent tokenMap(const ShownSweep& shown)
{
    MatrixContent content;
    const std::vector<SweptToken>& tokens = shown.result.tokens;
    for (const SweptToken& token : tokens) {
        content.map.numbers.rows = std::max(content.map.numbers.rows, token.sentence + 1);
        content.map.numbers.columns = std::max(content.map.numbers.columns, token.position + 1);
    }
    SweptCells cells(content, shown.measure);
    for (const SweptToken& token : tokens)
        cells.set(token.sentence, token.position, token.change);
    cells.markBlank();
    for (int row = 0; row < content.map.numbers.rows; ++row)
        content.rowLabels << QString::number(row + 1);
    for (int column = 0; column < content.map.numbers.columns; ++column)
        content.columnLabels << QString::number(column);
    content.numbered = true;
    content.rowAxis = SweepWords::tr("sentence");
    content.columnAxis = SweepWords::tr("position");
    content.title.title = SweepWords::tr("The output without each source token");
    return content;
}

FigureLayout mapFigure(FigureSpec spec, const ShownSweep& shown)
{
    MatrixContent content = shown.overHeads() ? headMap(shown) : tokenMap(shown);
    content.title.subtitle = content.valueName = measureName(shown.measure);
    if (shown.measure == SweepMeasure::LogProbability) {
        spec.colorMap = divergingColors();
        content.most = largestMagnitude(content.map.numbers.values);
        content.least = -content.most;
    } else {
        content.most = std::max(
            weightScaleEnd(content.map.numbers.values),
            largestMagnitude(content.map.numbers.values) == 1 ? 0.0 : largestMagnitude(content.map.numbers.values));
    }
    content.description = content.title.title + QStringLiteral(": ") + sweepSentence(shown);
    return [spec, content](QSizeF size) { return std::make_unique<MatrixFigure>(spec, content, size); };
}

// The tokens of one sentence, in its order.
FigureLayout tokenBars(const FigureSpec& spec, const ShownSweep& shown)
{
    BarListContent content;
    content.title = {SweepWords::tr("The output without each source token"), measureName(shown.measure)};
    content.empty = shown.empty;
    content.signs = shown.measure == SweepMeasure::LogProbability;
    content.most = 0;
    for (const SweptToken& token : shown.result.tokens) {
        const double value = measured(token.change, shown.measure).value_or(0);
        content.entries.push_back({sweptName(token), value});
        if (!std::isfinite(value))
            continue;
        content.least = std::min(content.least, value);
        content.most = std::max(content.most, value);
    }
    // What is written as 0 has no bar.
    if (std::max(content.most, -content.least) < leastSwept)
        content.most = 1;
    return [spec, content](QSizeF size) { return barListFigure(spec, content, size); };
}

template<class Swept>
bool isAnyKnown(const std::vector<Swept>& all)
{
    return std::any_of(all.begin(), all.end(), [](const Swept& swept) { return swept.change.places > 0; });
}

// Null where none is a number.
template<class Swept>
const Swept* strongest(const std::vector<Swept>& all, SweepMeasure measure)
{
    const auto size = [measure](const Swept& swept) {
        const double value = measured(swept.change, measure).value_or(std::numeric_limits<double>::quiet_NaN());
        return std::isfinite(value) ? std::abs(value) : -1;
    };
    const auto found =
        std::max_element(all.begin(), all.end(), [&](const Swept& a, const Swept& b) { return size(a) < size(b); });
    return found != all.end() && size(*found) >= 0 ? &*found : nullptr;
}

void addChange(QString& line, const OutputChange& change)
{
    for (const SweepMeasure measure : {SweepMeasure::Divergence, SweepMeasure::LogProbability}) {
        const auto value = measured(change, measure);
        line += QLatin1Char(',') + (value && !std::isnan(*value) ? csvNumber(*value) : QString());
    }
    line += QStringLiteral("\r\n");
}

} // namespace

std::optional<double> measured(const OutputChange& change, SweepMeasure measure)
{
    if (measure == SweepMeasure::Divergence)
        return change.meanDivergence();
    return change.places > 0 ? std::optional(change.logProbability) : std::nullopt;
}

QString measuredText(const OutputChange& change, SweepMeasure measure)
{
    const auto value = measured(change, measure);
    return value ? decimal(*value, 4) : QString();
}

QString measureName(SweepMeasure measure)
{
    return measure == SweepMeasure::Divergence ? SweepWords::tr("KL divergence, nats per token")
                                               : SweepWords::tr("change of log probability, nats");
}

QString sideName(Stage stage, ModelKind kind)
{
    if (kind != ModelKind::EncoderDecoder)
        return SweepWords::tr("Self");
    return stage == Stage::Encoder ? SweepWords::tr("Encoder")
        : stage == Stage::Decoder  ? SweepWords::tr("Decoder")
                                   : SweepWords::tr("Cross");
}

QString sweptName(const SweptHead& head, ModelKind kind)
{
    return siteName(head.site, kind) + QStringLiteral(", ") + headName(head.head);
}

QString sweptName(const SweptToken& token)
{
    return pieceText(token.token);
}

std::vector<Site> ShownSweep::sites() const
{
    std::vector<Site> sites;
    for (const SweptHead& head : result.heads) {
        if (sites.empty() || sites.back() != head.site)
            sites.push_back(head.site);
    }
    return sites;
}

const SweptHead* ShownSweep::head(Site site, int number) const
{
    const auto found = std::find_if(result.heads.begin(), result.heads.end(),
                                    [&](const SweptHead& head) { return head.site == site && head.head == number; });
    return found == result.heads.end() ? nullptr : &*found;
}

FigureLayout sweepFigure(const FigureSpec& spec, const ShownSweep& shown)
{
    const bool known = shown.overHeads() ? isAnyKnown(shown.result.heads) : !shown.result.tokens.empty();
    if (!known)
        return emptyFigure(spec, shown.empty);
    return shown.overHeads() || shown.result.count > 1 ? mapFigure(spec, shown) : tokenBars(spec, shown);
}

QString sweepSentence(const ShownSweep& shown)
{
    QString unknown = isAnyKnown(shown.result.heads) || isAnyKnown(shown.result.tokens)
        ? SweepWords::tr("None of the changes is a number.")
        : QString();
    const QString sentence = shown.measure == SweepMeasure::Divergence
        ? SweepWords::tr("The output differs most without %1: a divergence of %2 nats per token.")
        : SweepWords::tr("The log probability of the output changes most without %1: by %2.");
    if (shown.overHeads()) {
        const SweptHead* head = strongest(shown.result.heads, shown.measure);
        return head == nullptr ? unknown
                               : sentence.arg(sweptName(*head, shown.kind), measuredText(head->change, shown.measure));
    }
    const SweptToken* token = strongest(shown.result.tokens, shown.measure);
    if (token == nullptr)
        return unknown;
    QString name = SweepWords::tr("“%1” at position %2").arg(sweptName(*token)).arg(token->position);
    if (shown.result.count > 1)
        name = SweepWords::tr("%1 of sentence %2").arg(name).arg(token->sentence + 1);
    return sentence.arg(name, measuredText(token->change, shown.measure));
}

QByteArray sweepCsv(const SweepResult& result)
{
    QString lines;
    if (result.over == SweepOver::Heads) {
        lines = QStringLiteral("stage,layer,head,kl,delta_logprob\r\n");
        for (const SweptHead& head : result.heads) {
            lines += QStringLiteral("%1,%2,%3")
                         .arg(QLatin1String(stageText(head.site.stage)))
                         .arg(head.site.layer)
                         .arg(head.head);
            addChange(lines, head.change);
        }
        return lines.toUtf8();
    }
    lines = QStringLiteral("sentence,position,token,kl,delta_logprob\r\n");
    for (const SweptToken& token : result.tokens) {
        lines += QStringLiteral("%1,%2,").arg(token.sentence + 1).arg(token.position)
            + csvField(QString::fromStdString(token.token));
        addChange(lines, token.change);
    }
    return lines.toUtf8();
}

namespace {

constexpr int nameColumns = 3; // of a head as of a token; the measures follow
constexpr SweepMeasure columnMeasures[] = {SweepMeasure::LogProbability, SweepMeasure::Divergence};

} // namespace

void SweepModel::show(const ShownSweep& shown)
{
    const int before = rowCount();
    const int now = shown.overHeads() ? indexSize(shown.result.heads) : indexSize(shown.result.tokens);
    const bool grows =
        m_shown.result.over == shown.result.over && m_shown.kind == shown.kind && now >= before && before > 0;
    if (!grows) {
        beginResetModel();
        m_shown = shown;
        endResetModel();
        return;
    }
    if (now > before)
        beginInsertRows({}, before, now - 1);
    m_shown = shown;
    if (now > before)
        endInsertRows();
    Q_EMIT dataChanged(index(0, 0), index(before - 1, columnCount() - 1));
}

std::optional<SweptHead> SweepModel::headAt(int row) const
{
    if (!m_shown.overHeads() || row < 0 || row >= rowCount())
        return std::nullopt;
    return m_shown.result.heads[static_cast<std::size_t>(row)];
}

int SweepModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid())
        return 0;
    return m_shown.overHeads() ? indexSize(m_shown.result.heads) : indexSize(m_shown.result.tokens);
}

int SweepModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : nameColumns + static_cast<int>(std::size(columnMeasures));
}

const OutputChange& SweepModel::changeAt(int row) const
{
    const auto at = static_cast<std::size_t>(row);
    return m_shown.overHeads() ? m_shown.result.heads[at].change : m_shown.result.tokens[at].change;
}

QVariant SweepModel::nameAt(int row, int column) const
{
    const auto at = static_cast<std::size_t>(row);
    if (m_shown.overHeads()) {
        const SweptHead& head = m_shown.result.heads[at];
        const QVariant fields[] = {sideName(head.site.stage, m_shown.kind), head.site.layer, head.head};
        return fields[column];
    }
    const SweptToken& token = m_shown.result.tokens[at];
    const QVariant fields[] = {token.sentence + 1, token.position, sweptName(token)};
    return fields[column];
}

QVariant SweepModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const bool isName = index.column() < nameColumns;
    if (role == Qt::TextAlignmentRole) {
        const bool isText = isName && nameAt(index.row(), index.column()).typeId() == QMetaType::QString;
        return QVariant::fromValue((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (role != Qt::DisplayRole && role != sortRole)
        return {};
    if (isName)
        return nameAt(index.row(), index.column());
    const SweepMeasure measure = columnMeasures[index.column() - nameColumns];
    const OutputChange& change = changeAt(index.row());
    if (role == Qt::DisplayRole)
        return measuredText(change, measure);
    const auto value = measured(change, measure);
    return value ? QVariant(*value) : QVariant();
}

QVariant SweepModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::ToolTipRole && section >= nameColumns)
        return measureName(columnMeasures[section - nameColumns]);
    if (role != Qt::DisplayRole)
        return {};
    const QString ofHeads[] = {tr("Attention"), tr("Layer"), tr("Head"), tr("Δ log p"), tr("KL")};
    const QString ofTokens[] = {tr("Sentence"), tr("Position"), tr("Token"), tr("Δ log p"), tr("KL")};
    return m_shown.overHeads() ? ofHeads[section] : ofTokens[section];
}

} // namespace attn::ui
