// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/embedding_space.h"

#include "base/index.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace attn {

namespace {

using EmbeddingMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double lengthOf(std::span<const float> vector)
{
    double squares = 0;
    for (const float value : vector)
        squares += double{value} * value;
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

// Plane of the vectors that have a place alone: they come to these rows, and NaN to the others.
Plane spread(const Plane& plane, const std::vector<int>& rows, int count)
{
    Eigen::MatrixX2d points = Eigen::MatrixX2d::Constant(count, 2, std::numeric_limits<double>::quiet_NaN());
    if (!rows.empty())
        points(rows, Eigen::all) = pointsOf(plane);
    Plane result = plane;
    setPoints(result, points);
    return result;
}

Eigen::MatrixX2d zerosForNoNumbers(const Eigen::MatrixX2d& points)
{
    return points.array().isFinite().select(points, 0);
}

} // namespace

bool holdsNumbers(std::span<const float> vector)
{
    return std::ranges::all_of(vector, [](float value) { return std::isfinite(value); });
}

std::vector<Neighbour> nearestRows(NumberView table, std::span<const float> vector, int count)
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
            product += double{values[i]} * vector[i];
        if (const double cosine = product / (own * length); std::isfinite(cosine))
            found.push_back({row, static_cast<float>(cosine)});
    }
    const Index kept = std::clamp(count, 0, indexSize(found));
    std::ranges::partial_sort(found, found.begin() + kept, [](const auto& a, const auto& b) {
        return a.cosine > b.cosine || (a.cosine == b.cosine && a.row < b.row);
    });
    found.resize(kept);
    return found;
}

Plane principalPlane(NumberView rows)
{
    std::vector<int> placed;
    for (int row = 0; row < rows.rows; ++row) {
        if (holdsNumbers(rows.row(row)))
            placed.push_back(row);
    }
    if (indexSize(placed) < rows.rows) {
        Numbers kept = Numbers::unset(1, indexSize(placed), rows.columns);
        for (int row = 0; row < kept.rows; ++row) {
            for (int column = 0; column < kept.columns; ++column)
                kept.at(row, column) = rows.row(placed[row])[static_cast<std::size_t>(column)];
        }
        return spread(placed.empty() ? Plane() : principalPlane(kept), placed, rows.rows);
    }
    Eigen::MatrixXd centred = Eigen::Map<const EmbeddingMatrix>(rows.data, rows.rows, rows.columns).cast<double>();
    centred.rowwise() -= centred.colwise().mean().eval();
    // The singular vectors, by way of the smaller of the two products, which has them as eigenvectors.
    const bool fewRows = centred.rows() <= centred.cols();
    const Eigen::MatrixXd product =
        fewRows ? Eigen::MatrixXd(centred * centred.transpose()) : Eigen::MatrixXd(centred.transpose() * centred);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(product);
    Eigen::MatrixX2d points = Eigen::MatrixX2d::Zero(rows.rows, 2);
    Plane plane;
    const double whole = product.trace();
    for (Eigen::Index axis = 0; axis < std::min<Eigen::Index>(2, product.rows()); ++axis) {
        const Eigen::Index last = product.rows() - 1 - axis; // ascending
        const double variance = std::max(0.0, solver.eigenvalues()(last));
        const Eigen::VectorXd vector = solver.eigenvectors().col(last);
        points.col(axis) = fewRows ? Eigen::VectorXd(vector * std::sqrt(variance)) : Eigen::VectorXd(centred * vector);
        Eigen::Index farthest = 0;
        points.col(axis).cwiseAbs().maxCoeff(&farthest);
        if (points(farthest, axis) < 0)
            points.col(axis) *= -1;
        if (whole > 0)
            plane.explained[axis] = variance / whole;
    }
    setPoints(plane, points);
    return plane;
}

void alignPlane(Plane& plane, const Plane& previous)
{
    if (plane.points.shape() != previous.points.shape() || plane.points.empty())
        return;
    const Eigen::MatrixX2d points = pointsOf(plane);
    const Eigen::Matrix2d covariance = zerosForNoNumbers(points).transpose() * zerosForNoNumbers(pointsOf(previous));
    // In a plane the orthogonal map that brings the points nearest (Procrustes) is the better of one rotation and one
    // reflection.
    Eigen::Matrix2d map;
    const Eigen::Vector2d rotation(covariance(0, 0) + covariance(1, 1), covariance(0, 1) - covariance(1, 0));
    const Eigen::Vector2d reflection(covariance(0, 0) - covariance(1, 1), covariance(0, 1) + covariance(1, 0));
    if (rotation.norm() >= reflection.norm())
        map << rotation.x(), rotation.y(), -rotation.y(), rotation.x();
    else
        map << reflection.x(), reflection.y(), reflection.y(), -reflection.x();
    const double length = map.col(0).norm();
    if (length > 0)
        setPoints(plane, points * map / length);
}

double explainedBy(const Plane& plane, int axis)
{
    const NumberView points = plane.points.matrix();
    double sums[2] = {0, 0};
    for (int row = 0; row < points.rows; ++row) {
        for (const int i : {0, 1}) {
            const auto value = static_cast<double>(points.row(row)[static_cast<std::size_t>(i)]);
            sums[i] += std::isfinite(value) ? value * value : 0;
        }
    }
    const double both = sums[0] + sums[1];
    return both > 0 ? sums[axis] / both * (plane.explained[0] + plane.explained[1]) : 0;
}

} // namespace attn
