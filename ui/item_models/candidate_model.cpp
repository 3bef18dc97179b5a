// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "item_models/candidate_model.h"

#include "figures/look/decimal.h"
#include "state/strings.h"

#include <cmath>
#include <utility>

namespace attn::ui {

void CandidateModel::setStep(const std::shared_ptr<const TraceStep>& step)
{
    if (step)
        setCandidates(step, &step->step.candidates, &step->candidateTexts, step->step.token);
    else
        setCandidates(nullptr, nullptr, nullptr, -1);
}

void CandidateModel::setPrediction(const std::shared_ptr<const TracePrediction>& prediction, TokenId standing)
{
    if (prediction)
        setCandidates(prediction, &prediction->prediction.candidates, &prediction->candidateTexts, standing);
    else
        setCandidates(nullptr, nullptr, nullptr, -1);
}

void CandidateModel::setCandidates(std::shared_ptr<const void> owner, const std::vector<Candidate>* candidates,
                                   const std::vector<std::string>* pieces, TokenId token)
{
    if (owner == m_owner && token == m_token)
        return;
    beginResetModel();
    m_owner = std::move(owner);
    m_candidates = candidates;
    m_pieces = pieces;
    m_token = token;
    endResetModel();
}

int CandidateModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || m_candidates == nullptr ? 0 : static_cast<int>(m_candidates->size());
}

int CandidateModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant CandidateModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto rank = static_cast<std::size_t>(index.row());
    const Candidate& candidate = (*m_candidates)[rank];
    const double logProbability = static_cast<double>(candidate.logProbability);
    if (role == ProbabilityRole)
        return std::exp(logProbability);
    if (role == TakenRole)
        return candidate.token == m_token;
    if (role == Qt::TextAlignmentRole && index.column() != TokenColumn)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case TokenColumn:
        return rank < m_pieces->size() ? pieceText((*m_pieces)[rank]) : QStringLiteral("<%1>").arg(candidate.token);
    case ProbabilityColumn:
        return decimal(std::exp(logProbability), 4);
    default:
        return decimal(logProbability, 3);
    }
}

QVariant CandidateModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Vertical)
        return section;
    switch (section) {
    case TokenColumn:
        return tr("Token");
    case ProbabilityColumn:
        return tr("Probability");
    case LogProbabilityColumn:
        return tr("Log probability");
    default:
        return {};
    }
}

} // namespace attn::ui
