// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <QAbstractTableModel>

#include <memory>

namespace attn::ui {

// The candidates of one decoding step, or of one position of a masked-token head, most probable first: token,
// probability, log probability.
class CandidateModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { TokenColumn, ProbabilityColumn, LogProbabilityColumn, ColumnCount };
    enum Role { ProbabilityRole = Qt::UserRole, TakenRole }; // double; whether this token was taken, or stands there

    using QAbstractTableModel::QAbstractTableModel;

    void setStep(const std::shared_ptr<const TraceStep>& step); // null: none
    // `standing` is the token at the position.
    void setPrediction(const std::shared_ptr<const TracePrediction>& prediction, TokenId standing);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void setCandidates(std::shared_ptr<const void> owner, const std::vector<Candidate>* candidates,
                       const std::vector<std::string>* pieces, TokenId token);

    std::shared_ptr<const void> m_owner; // of what the pointers below lead to
    const std::vector<Candidate>* m_candidates = nullptr;
    const std::vector<std::string>* m_pieces = nullptr;
    TokenId m_token = -1;
};

} // namespace attn::ui
