// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <QAbstractListModel>

namespace attn::ui {

// The hypotheses that a finished search ended with, best first: score and text.
class HypothesisModel final : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role { LeafRole = Qt::UserRole }; // last step, what Selection::setLeaf() takes

    using QAbstractListModel::QAbstractListModel;

    void setTrace(const Trace& trace);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    struct Row
    {
        Hypothesis hypothesis;
        QString text;
    };
    QList<Row> m_rows;
};

} // namespace attn::ui
