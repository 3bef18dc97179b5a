// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/embedding_space.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace attn {

namespace {

using EmbeddingMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double lengthOf(std::span<const float> vector)
{
    double squares = 0;
    for (const float value : vector)
        squares += static_cast<double>(value) * static_cast<double>(value);
    return std::sqrt(squares);
}

Eigen::MatrixX2d pointsOf(const Plane& plane)
{
    return Eigen::Map<const EmbeddingMatrix>(plane.points.data(), plane.points.dim(0), 2).cast<double>();
}

void setPoints(Plane& plane, const Eigen::MatrixX2d& points)
{
    plane.points = Tensor({points.rows(), 2});
    Eigen::Map<EmbeddingMatrix>(plane.points.data(), points.rows(), 2) = points.cast<float>();
}

} // namespace

std::vector<Neighbour> nearestRows(MatrixView table, std::span<const float> vector, int count)
{
    const double length = lengthOf(vector);
    std::vector<Neighbour> found;
    for (int row = 0; row < table.rows && length > 0; ++row) {
        const auto values = table.row(row);
        const double own = lengthOf(values);
        if (!(own > 0))
            continue;
        double product = 0;
        for (std::size_t i = 0; i < values.size(); ++i)
            product += static_cast<double>(values[i]) * static_cast<double>(vector[i]);
        found.push_back({row, static_cast<float>(product / (own * length))});
    }
    const auto kept = std::min(found.size(), static_cast<std::size_t>(std::max(count, 0)));
    std::ranges::partial_sort(
        found, found.begin() + static_cast<std::ptrdiff_t>(kept),
        [](const auto& a, const auto& b) { return a.cosine > b.cosine || (a.cosine == b.cosine && a.row < b.row); });
    found.resize(kept);
    return found;
}

Plane principalPlane(MatrixView rows)
{
    Eigen::MatrixXd centred = Eigen::Map<const EmbeddingMatrix>(rows.data, rows.rows, rows.columns).cast<double>();
    centred.rowwise() -= centred.colwise().mean().eval();
    const Eigen::BDCSVD<Eigen::MatrixXd> svd(centred, Eigen::ComputeThinU | Eigen::ComputeThinV);
    Eigen::MatrixX2d points = Eigen::MatrixX2d::Zero(rows.rows, 2);
    Plane plane;
    const double whole = svd.singularValues().squaredNorm();
    for (Eigen::Index axis = 0; axis < std::min<Eigen::Index>(2, svd.singularValues().size()); ++axis) {
        points.col(axis) = svd.matrixU().col(axis) * svd.singularValues()(axis);
        Eigen::Index farthest = 0;
        points.col(axis).cwiseAbs().maxCoeff(&farthest);
        if (points(farthest, axis) < 0)
            points.col(axis) *= -1;
        if (whole > 0)
            plane.explained[axis] = svd.singularValues()(axis) * svd.singularValues()(axis) / whole;
    }
    setPoints(plane, points);
    return plane;
}

void alignPlane(Plane& plane, const Plane& previous)
{
    if (plane.points.shape() != previous.points.shape() || plane.points.empty())
        return;
    const Eigen::MatrixX2d points = pointsOf(plane);
    const Eigen::Matrix2d covariance = points.transpose() * pointsOf(previous);
    const Eigen::JacobiSVD<Eigen::Matrix2d> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
    setPoints(plane, points * (svd.matrixU() * svd.matrixV().transpose()));
}

} // namespace attn
