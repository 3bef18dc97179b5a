// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "item_models/hypothesis_model.h"

#include "base/index.h"
#include "figures/look/decimal.h"
#include "state/strings.h"

namespace attn::ui {

void HypothesisModel::setTrace(const Trace& trace)
{
    beginResetModel();
    m_rows.clear();
    if (trace.summary()) {
        for (const Hypothesis& hypothesis : trace.summary()->hypotheses) {
            if (hypothesis.step)
                m_rows.append({hypothesis, text(trace.target(hypothesis.step).text)});
        }
    }
    endResetModel();
}

int HypothesisModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : indexSize(m_rows);
}

QVariant HypothesisModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[index.row()];
    if (role == LeafRole)
        return *row.hypothesis.step;
    if (role == Qt::DisplayRole)
        return QString(decimal(row.hypothesis.score, 3) + QStringLiteral("  ") + row.text);
    if (role == Qt::ToolTipRole)
        return tr("Sum of log probabilities %1, divided by its length %2. %3")
            .arg(decimal(row.hypothesis.sum, 3), decimal(row.hypothesis.score, 3),
                 row.hypothesis.ended ? tr("Ended by itself.") : tr("Cut off at the length limit."));
    return {};
}

} // namespace attn::ui
