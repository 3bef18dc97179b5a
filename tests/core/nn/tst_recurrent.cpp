// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "nn/recurrent.h"
#include "support/compare.h"
#include "support/random_tensor.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

using namespace attn;
using test::compare;
using test::randomTensor;

namespace {

RecurrentWeights randomWeights(Cell cell, int inputs, int hidden, std::uint32_t seed)
{
    const std::int64_t gates = std::int64_t{gateCount(cell)} * hidden;
    return {randomTensor({gates, inputs}, seed, 0.4F), randomTensor({gates, hidden}, seed + 1, 0.4F),
            randomTensor({gates}, seed + 2, 0.4F), randomTensor({gates}, seed + 3, 0.4F)};
}

double sigmoid(double x)
{
    return 1 / (1 + std::exp(-x));
}

// One step of one row by the equations in PyTorch's documentation.
class ReferenceCell
{
public:
    ReferenceCell(Cell cell, const RecurrentWeights& weights, int hidden)
        : m_cell(cell)
        , m_weights(weights)
        , m_units(static_cast<std::size_t>(hidden))
    {
    }

    void step(std::span<const float> x, std::vector<double>& h, std::vector<double>& c) const
    {
        std::vector<double> next(m_units);
        for (std::size_t unit = 0; unit < m_units; ++unit) {
            if (m_cell == Cell::Gru) {
                const double reset = sigmoid(input(0, unit, x) + recurrent(0, unit, h));
                const double update = sigmoid(input(1, unit, x) + recurrent(1, unit, h));
                const double fresh = std::tanh(input(2, unit, x) + reset * recurrent(2, unit, h));
                next[unit] = (1 - update) * fresh + update * h[unit];
            } else {
                const double in = sigmoid(input(0, unit, x) + recurrent(0, unit, h));
                const double forget = sigmoid(input(1, unit, x) + recurrent(1, unit, h));
                const double fresh = std::tanh(input(2, unit, x) + recurrent(2, unit, h));
                const double out = sigmoid(input(3, unit, x) + recurrent(3, unit, h));
                c[unit] = forget * c[unit] + in * fresh;
                next[unit] = out * std::tanh(c[unit]);
            }
        }
        h = next;
    }

private:
    double input(std::size_t gate, std::size_t unit, std::span<const float> x) const
    {
        const std::size_t row = gate * m_units + unit;
        double sum = m_weights.inputBias.data()[row];
        for (std::size_t i = 0; i < x.size(); ++i)
            sum += static_cast<double>(m_weights.inputWeight.data()[row * x.size() + i]) * static_cast<double>(x[i]);
        return sum;
    }
    double recurrent(std::size_t gate, std::size_t unit, const std::vector<double>& h) const
    {
        const std::size_t row = gate * m_units + unit;
        double sum = m_weights.hiddenBias.data()[row];
        for (std::size_t i = 0; i < m_units; ++i)
            sum += static_cast<double>(m_weights.hiddenWeight.data()[row * m_units + i]) * h[i];
        return sum;
    }

    Cell m_cell;
    const RecurrentWeights& m_weights;
    std::size_t m_units;
};

} // namespace

class TestRecurrent : public QObject
{
    Q_OBJECT

private:
    static void addCells()
    {
        QTest::addColumn<Cell>("cell");
        QTest::newRow("gru") << Cell::Gru;
        QTest::newRow("lstm") << Cell::Lstm;
    }

private Q_SLOTS:
    void aSequenceInBothDirectionsMatchesTheEquations_data() { addCells(); }
    void aSequenceInBothDirectionsMatchesTheEquations()
    {
        QFETCH(const Cell, cell);
        constexpr int time = 6;
        constexpr int inputs = 10;
        constexpr int hidden = 19; // not a multiple of a block
        const RecurrentWeights forward = randomWeights(cell, inputs, hidden, 1);
        const RecurrentWeights backward = randomWeights(cell, inputs, hidden, 11);
        const Tensor input = randomTensor({time, inputs}, 21);
        Engine engine(1);
        const auto found = RecurrentLayer(cell, inputs, hidden, forward, backward).run(engine, input.matrix());

        for (const int direction : {0, 1}) {
            const ReferenceCell reference(cell, direction == 0 ? forward : backward, hidden);
            std::vector<double> h(hidden);
            std::vector<double> c(hidden);
            for (int step = 0; step < time; ++step) {
                const int position = direction == 0 ? step : time - 1 - step;
                reference.step(input.matrix().row(position), h, c);
                for (int unit = 0; unit < hidden; ++unit)
                    QVERIFY(std::abs(found.states.matrix().row(position)[direction * hidden + unit] - h[unit]) < 1e-5);
            }
            for (int unit = 0; unit < hidden; ++unit) {
                QVERIFY(std::abs(found.last.hidden.matrix().row(direction)[unit] - h[unit]) < 1e-5);
                if (cell == Cell::Lstm)
                    QVERIFY(std::abs(found.last.cell.matrix().row(direction)[unit] - c[unit]) < 1e-5);
            }
        }
    }

    void whatIsNoNumberStaysSo_data() { addCells(); }
    void whatIsNoNumberStaysSo()
    {
        QFETCH(const Cell, cell);
        constexpr int inputs = 10;
        constexpr int hidden = 19;
        Engine engine(1);
        const Tensor input = randomTensor({3, inputs}, 21);
        for (int gate = 0; gate < gateCount(cell); ++gate) {
            RecurrentWeights weights = randomWeights(cell, inputs, hidden, 1);
            weights.inputBias.data()[gate * hidden + 4] = std::numeric_limits<float>::quiet_NaN();
            const auto found = RecurrentLayer(cell, inputs, hidden, weights).run(engine, input.matrix());
            for (int unit = 0; unit < hidden; ++unit) {
                QCOMPARE(std::isnan(found.states.matrix().row(0)[unit]), unit == 4);
                QVERIFY(std::isnan(found.states.matrix().row(1)[unit]));
                QVERIFY(std::isnan(found.last.hidden.matrix().row(0)[unit]));
            }
        }
    }

    void stepsOfABatchMatchTheWholeSequence_data() { addCells(); }
    void stepsOfABatchMatchTheWholeSequence()
    {
        QFETCH(const Cell, cell);
        constexpr int time = 5;
        constexpr int inputs = 7;
        constexpr int hidden = 16;
        const RecurrentLayer layer(cell, inputs, hidden, randomWeights(cell, inputs, hidden, 1));
        Engine engine(1);
        const Tensor first = randomTensor({time, inputs}, 5);
        const Tensor second = randomTensor({time, inputs}, 6);
        const auto wholeFirst = layer.run(engine, first.matrix());
        const auto wholeSecond = layer.run(engine, second.matrix());

        RecurrentState state{Tensor({2, hidden}), cell == Cell::Lstm ? Tensor({2, hidden}) : Tensor()};
        std::size_t created = 0;
        for (int step = 0; step < time; ++step) {
            Tensor input({2, inputs});
            std::ranges::copy(first.matrix().row(step), input.data());
            std::ranges::copy(second.matrix().row(step), input.data() + inputs);
            layer.step(engine, input.matrix(), state);
            QVERIFY(compare(state.hidden.matrix().row(0), wholeFirst.states.matrix().row(step)).largest < 1e-5);
            QVERIFY(compare(state.hidden.matrix().row(1), wholeSecond.states.matrix().row(step)).largest < 1e-5);
            if (step == 0)
                created = engine.primitivesCreated();
        }
        QCOMPARE(engine.primitivesCreated(), created);
    }

    // Also at its ends, and with as much memory as a shorter one.
    void aLongSequenceIsReadInParts_data() { addCells(); }
    void aLongSequenceIsReadInParts()
    {
        QFETCH(const Cell, cell);
        constexpr int time = 1100;
        constexpr int inputs = 7;
        constexpr int hidden = 16;
        const RecurrentWeights forward = randomWeights(cell, inputs, hidden, 1);
        const RecurrentWeights backward = randomWeights(cell, inputs, hidden, 11);
        const RecurrentLayer both(cell, inputs, hidden, forward, backward);
        const Tensor input = randomTensor({time, inputs}, 21);
        Engine engine(1);
        std::vector<double> shares;
        const auto found = both.run(engine, input.matrix(), [&](double share) { shares.push_back(share); });
        QVERIFY(shares.size() > 3);
        QVERIFY(std::ranges::is_sorted(shares) && shares.front() > 0 && shares.back() < 1);
        const std::size_t scratchpad = engine.scratchpadBytes();
        (void)both.run(engine, randomTensor({4 * time, inputs}, 3).matrix());
        QCOMPARE(engine.scratchpadBytes(), scratchpad);

        for (const int direction : {0, 1}) {
            const RecurrentLayer one(cell, inputs, hidden, direction == 0 ? forward : backward);
            RecurrentState state{Tensor({1, hidden}), cell == Cell::Lstm ? Tensor({1, hidden}) : Tensor()};
            for (int step = 0; step < time; ++step) {
                const int position = direction == 0 ? step : time - 1 - step;
                one.step(engine, input.matrix().rowRange(position, 1), state);
                const auto own = found.states.matrix().row(position).subspan(std::size_t{hidden} * direction, hidden);
                QVERIFY(compare(state.hidden.values(), own).largest < 1e-5);
            }
            QVERIFY(compare(state.hidden.values(), found.last.hidden.matrix().row(direction)).largest < 1e-5);
            if (cell == Cell::Lstm)
                QVERIFY(compare(state.cell.values(), found.last.cell.matrix().row(direction)).largest < 1e-5);
        }
    }

    void aLongSequenceCanBeLeft()
    {
        const RecurrentLayer layer(Cell::Gru, 4, 4, randomWeights(Cell::Gru, 4, 4, 1));
        Engine engine(1);
        const auto leave = [](double /*share*/) { throw std::runtime_error("left"); };
        QVERIFY_EXCEPTION_THROWN((void)layer.run(engine, randomTensor({5000, 4}, 2).matrix(), leave),
                                 std::runtime_error);
        QVERIFY(engine.work().multiplyAdds < 5000 * 3 * 4 * 8 / 2);
    }

    void whatARunTakesIsEstimated_data() { addCells(); }
    void whatARunTakesIsEstimated()
    {
        QFETCH(const Cell, cell);
        for (const auto& [inputs, hidden] : {std::pair(64, 96), std::pair(200, 40), std::pair(30, 30)}) {
            const RecurrentWeights weights = randomWeights(cell, inputs, hidden, 1);
            for (const bool bidirectional : {false, true}) {
                const RecurrentLayer layer(cell, inputs, hidden, weights,
                                           bidirectional ? std::optional(weights) : std::nullopt);
                Engine engine(1);
                const auto output = layer.run(engine, randomTensor({500, inputs}, 2).matrix());
                const std::size_t taken =
                    engine.scratchpadBytes() + (output.states.size() + std::size_t{500} * inputs) * sizeof(float);
                const std::uint64_t estimate = layer.runBytes(engine, 500);
                QVERIFY2(taken <= estimate && estimate < 4 * taken,
                         qPrintable(QStringLiteral("%1 of %2").arg(taken).arg(estimate)));
            }
        }
    }

    void afterAUseLittleIsKept()
    {
        constexpr std::size_t little = std::size_t{16} << 20;
        constexpr int size = 400;
        const RecurrentWeights weights = randomWeights(Cell::Lstm, size, size, 1);
        const RecurrentLayer layer(Cell::Lstm, size, size, weights, weights);
        const Tensor input = randomTensor({500, size}, 2);
        Engine engine(1);
        Tensor first;
        {
            const EngineUse use(engine);
            first = layer.run(engine, input.matrix()).states;
            QVERIFY(engine.scratchpadBytes() > little);
        }
        QVERIFY(engine.scratchpadBytes() <= little);
        QVERIFY(compare(layer.run(engine, input.matrix()).states.values(), first.values()).largest < 1e-6);
        // What is little stays.
        Engine other(1);
        {
            const EngineUse use(other);
            (void)RecurrentLayer(Cell::Gru, 8, 8, randomWeights(Cell::Gru, 8, 8, 1))
                .run(other, randomTensor({20, 8}, 2).matrix());
        }
        QVERIFY(other.scratchpadBytes() > 0);
    }

    void bothDirectionsAreCounted_data() { addCells(); }
    void bothDirectionsAreCounted()
    {
        QFETCH(const Cell, cell);
        constexpr int time = 5;
        constexpr int inputs = 7;
        constexpr int hidden = 16;
        const RecurrentWeights weights = randomWeights(cell, inputs, hidden, 1);
        Engine engine(1);
        (void)RecurrentLayer(cell, inputs, hidden, weights, weights)
            .run(engine, randomTensor({time, inputs}, 5).matrix());
        const int ofStep = gateCount(cell) * hidden * (inputs + hidden);
        QCOMPARE(engine.work().multiplyAdds, 2 * time * ofStep);
        QCOMPARE(engine.work().weightBytes, 2 * ofStep * 4);
    }

    void madeOnOneThreadItRunsOnAnother_data() { addCells(); }
    void madeOnOneThreadItRunsOnAnother()
    {
        QFETCH(const Cell, cell);
        constexpr int size = 64;
        const RecurrentLayer layer(cell, size, size, randomWeights(cell, size, size, 1),
                                   randomWeights(cell, size, size, 9));
        const Tensor input = randomTensor({400, size}, 2); // enough work for both threads
        Engine engine(2);
        Tensor first;
        std::thread([&] { first = layer.run(engine, input.matrix()).states; }).join();
        const std::size_t created = engine.primitivesCreated();
        Tensor second;
        std::thread([&] { second = layer.run(engine, input.matrix()).states; }).join();
        QCOMPARE(engine.primitivesCreated(), created);
        QVERIFY(compare(first.values(), second.values()).largest < 1e-5);
    }
};

ATTN_TEST(TestRecurrent)

#include "tst_recurrent.moc"
