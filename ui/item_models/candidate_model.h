// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <QAbstractTableModel>

#include <memory>

namespace attn::ui {

// The candidates of one decoding step, most probable first: token, probability, log probability.
class CandidateModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { TokenColumn, ProbabilityColumn, LogProbabilityColumn, ColumnCount };
    enum Role { ProbabilityRole = Qt::UserRole, TakenRole }; // double; whether this token was taken

    using QAbstractTableModel::QAbstractTableModel;

    void setStep(std::shared_ptr<const TraceStep> step); // null: none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    std::shared_ptr<const TraceStep> m_step;
};

} // namespace attn::ui
