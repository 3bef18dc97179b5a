// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "laboratory/sweep/sweep_model.h"

#include "base/index.h"

#include <utility>

namespace attn::ui {

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
