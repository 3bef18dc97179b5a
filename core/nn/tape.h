// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "nn/elementwise.h"
#include "nn/engine.h"
#include "nn/linear.h"
#include "nn/matmul.h"
#include "nn/normalization.h"
#include "tensor/tensor.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <stop_token>
#include <vector>

namespace attn {

// A matrix on a tape.
struct Variable
{
    int index = -1; // below 0: none

    bool exists() const { return index >= 0; }

    friend bool operator==(const Variable&, const Variable&) = default;
};

// Rules by which a backward pass goes through what is not linear.
enum class BackwardRule : std::uint8_t {
    Gradient, // by its derivative
    // Divisors of norms are constants, an activation f(x) is x times the constant f(x) / x, and of a product of two
    // things that depend on the input each factor gets half (AttnLRP, Achtibat et al. 2024).
    Relevance,
    Residual, // along residual connections only, divisors of norms are constants (Elhage et al. 2021, logit
              // attribution)
};

class BackwardPass;

// Reverse-mode differentiation: operations compute their result at once and remember how its gradient becomes that of
// what they were made of. Matrices are [rows, columns]; heads lie side by side.
class Tape
{
public:
    // stop: asked between the operations of backward passes.
    explicit Tape(Engine& engine, std::stop_token stop = {});

    Engine& engine() const { return m_engine; }
    const Tensor& value(Variable variable) const { return m_nodes.at(variable.index).value; }
    NumberView matrix(Variable variable) const { return value(variable).matrix(); }

    Variable constant(Tensor value); // no gradient reaches it
    Variable input(Tensor value);
    Variable held(Tensor value); // has a gradient, although it depends on no input
    // A value made of others. back: adds to their gradients. Layers that it holds outlive the tape.
    using Backward = std::function<void(BackwardPass& pass)>;
    Variable made(Tensor value, std::initializer_list<Variable> of, Backward back);
    Variable made(Tensor value, const std::vector<Variable>& of, Backward back);

    // A value that `segment` makes of others, on a tape of its own that is not kept: where gradients go back it is made
    // again, and `watch` is told what has come to the watched values on that tape.
    struct Remade
    {
        Variable value;
        std::vector<Variable> watched = {};
        std::function<void(const Tape& tape, std::span<Tensor> gradients)> watch = {};
    };
    using Segment = std::function<Remade(Tape& tape, const std::vector<Variable>& of)>;
    Variable remade(const std::vector<Variable>& of, const Segment& segment);

    Variable linear(const Linear& layer, Variable input);
    Variable multiplied(Variable input, NumberView weights); // input times weights, which outlive the tape
    Variable normalized(const Norm& norm, Variable input);
    Variable activated(Activation activation, Variable input);
    Variable capped(float cap, Variable input); // cap tanh(x / cap)
    Variable clamped(float least, float most, Variable input);
    Variable sum(Variable left, Variable right);
    Variable product(Variable left, Variable right); // element by element
    Variable scaled(float factor, Variable input);
    Variable shifted(float by, Variable input); // by is added to each
    // The larger of each pair of neighbours.
    Variable largerOfPairs(Variable input);
    // A row of the input for each index, zeros for -1.
    Variable rows(std::vector<int> indexes, Variable input);
    // sums, with row r of `rows` times factors[r] added to its row indexes[r]; to BackwardRule::Relevance the factors,
    // a column, are constants.
    Variable rowsAdded(Variable sums, std::vector<int> indexes, Variable factors, Variable rows);
    Variable columns(int first, int count, Variable input);
    Variable besides(const std::vector<Variable>& parts); // columns
    Variable below(const std::vector<Variable>& parts); // rows
    Variable meanOfRows(Variable input);
    Variable reshaped(int rows, int columns, Variable input);
    // The input of a block beside a residual connection: by BackwardRule::Residual no gradient goes there.
    Variable branch(Variable input);
    // Scores [heads * queries, keys], of queryKeyProduct().
    Variable queryKeyScores(const HeadShape& shape, float scale, Variable queries, Variable keys);
    // [rows, all heads' width], of weightedSum(). weights: [heads * rows, keys].
    Variable weightedSums(const HeadShape& shape, Variable weights, Variable values);
    // Softmax of rows of scores, which `weights` is, with what was masked 0.
    Variable softmaxOf(Tensor weights, Variable scores);

    // Gradients of `of` with respect to each of `wanted`. seeds: [passes * rows, columns], several passes over a matrix
    // one after the other; each gradient is [passes * its rows, its columns]. Throws Error{Cancelled}.
    std::vector<Tensor> backward(Variable of, Tensor seeds, std::span<const Variable> wanted, BackwardRule rule) const;

    // Number of values so far, and back to as many: what came later is forgotten.
    int size() const { return static_cast<int>(m_nodes.size()); }
    void cut(int size) { m_nodes.resize(size); }

private:
    friend class BackwardPass;

    struct Node
    {
        Tensor value;
        bool varies = false; // with an input
        bool reached = false; // by gradients
        Backward back = {}; // null: an input or a constant
        std::vector<Variable> of = {}; // what it was made of
        bool isBranch = false;
    };

    Engine& m_engine;
    std::stop_token m_stop;
    std::vector<Node> m_nodes;
};

// Gradients on their way back, at one value of the tape.
class BackwardPass
{
public:
    BackwardRule rule() const { return m_rule; }
    int passes() const { return m_passes; }
    // True where something that is wanted depends on the gradient of the variable.
    bool reaches(Variable variable) const { return m_reached.at(variable.index); }
    // Part of its gradient that a product of the two gives each of them.
    float partOfProduct(Variable left, Variable right) const;
    // The gradient of the value, [passes * rows, columns], and that of one pass.
    NumberView gradient() const;
    NumberView gradient(int pass) const;
    // Sums that the gradient of a variable is added to, which is reached.
    MutableView into(Variable variable);
    MutableView into(Variable variable, int pass);

private:
    friend class Tape;

    BackwardPass(const Tape& tape, BackwardRule rule, int passes, std::span<const Variable> wanted);

    const Tape& m_tape;
    BackwardRule m_rule;
    int m_passes;
    int m_at = 0;
    std::vector<bool> m_reached;
    std::vector<Tensor> m_gradients; // empty: none
};

} // namespace attn
