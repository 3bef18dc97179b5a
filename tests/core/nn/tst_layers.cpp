// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/half.h"
#include "nn/elementwise.h"
#include "nn/embedding.h"
#include "nn/linear.h"
#include "nn/matmul.h"
#include "nn/normalization.h"
#include "nn/onednn.h"
#include "nn/stored_rows.h"
#include "support/compare.h"
#include "support/processor.h"
#include "support/random_tensor.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <span>
#include <thread>
#include <vector>

using namespace attn;
using test::compare;
using test::randomTensor;

namespace {

constexpr float minusInfinity = -std::numeric_limits<float>::infinity();
constexpr float noNumber = std::numeric_limits<float>::quiet_NaN();

bool areNoNumbers(std::span<const float> values)
{
    return std::ranges::all_of(values, [](float value) { return std::isnan(value); });
}

// Written out as on paper, in float64.
Tensor linearReference(const Tensor& input, const Tensor& weight, const Tensor& bias)
{
    const auto rows = input.dim(0);
    const auto inputs = input.dim(1);
    const auto outputs = weight.dim(0);
    Tensor result({rows, outputs});
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t output = 0; output < outputs; ++output) {
            double sum = bias.empty() ? 0.0 : static_cast<double>(bias.data()[output]);
            for (std::int64_t i = 0; i < inputs; ++i)
                sum += static_cast<double>(input.data()[row * inputs + i])
                    * static_cast<double>(weight.data()[output * inputs + i]);
            result.data()[row * outputs + output] = static_cast<float>(sum);
        }
    }
    return result;
}

// Small random values stored so, the first at `offset` of some memory.
struct StoredMatrix
{
    std::vector<std::byte> held;
    std::span<const std::byte> bytes;
};

// A half of any sign between 1/16 and 1/8.
std::uint16_t halfFrom(float value)
{
    return static_cast<std::uint16_t>(0x2C00U | (std::bit_cast<std::uint32_t>(value) & 0x83FFU));
}

StoredMatrix storedMatrix(DType type, int rows, int width, std::size_t offset)
{
    const Tensor values = randomTensor({rows, width}, 7, 0.1F);
    StoredMatrix matrix{std::vector<std::byte>(offset + storedBytes(type, values.size())), {}};
    std::byte* to = matrix.held.data() + offset;
    const auto put = [&to](auto value) {
        std::memcpy(to, &value, sizeof value);
        to += sizeof value;
    };
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float value = values.data()[i];
        if (type == DType::Q8_0 && i % valuesPerBlock(type) == 0)
            put(std::uint16_t{0x1419}); // a half, 0.001
        if (type == DType::Q8_0)
            put(static_cast<std::int8_t>(value * 1000));
        else if (type == DType::F32)
            put(value);
        else
            put(type == DType::F16 ? halfFrom(value) : floatToBfloat16(value));
    }
    matrix.bytes = std::span<const std::byte>(matrix.held).subspan(offset);
    return matrix;
}

} // namespace

class TestLayers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (qEnvironmentVariable("ONEDNN_MAX_CPU_ISA") == "AVX2")
            QVERIFY(dnnl::get_effective_cpu_isa() <= dnnl::cpu_isa::avx2);
    }

    void storedWeightsAreThoseThatAreWidened_data()
    {
        QTest::addColumn<int>("type");
        for (int type = 0; type < static_cast<int>(DType::Other); ++type)
            if (storedRows(static_cast<DType>(type)) != nullptr)
                QTest::newRow(std::string(name(static_cast<DType>(type))).c_str()) << type;
    }
    // Bit for bit, of floats but for the last bits: a product of several rows is that of the widened matrix, and a
    // product of one row does not depend on whether there is a widened copy as well. The two kinds add in different
    // orders.
    void storedWeightsAreThoseThatAreWidened()
    {
        QFETCH(const int, type);
        const auto dtype = static_cast<DType>(type);
        constexpr int inputs = 2 * 256 + 256; // whole blocks
        constexpr int outputs = 600; // more than a panel
        std::mt19937 random(3);
        std::vector<std::byte> stored(storedBytes(dtype, std::size_t{inputs} * outputs));
        for (std::byte& byte : stored)
            byte = static_cast<std::byte>(random() & 0x3BU); // no scale is infinite
        Tensor widened({outputs, inputs});
        toFloat32(dtype, stored, widened.values());
        for (const float value : widened.values())
            QVERIFY(std::isfinite(value));
        const Tensor bias = randomTensor({outputs}, 2);
        const auto owner = std::make_shared<int>(0);
        Engine engine(2);
        const Linear copied(engine, widened, bias);
        const Linear kept(engine, WeightMatrix{{dtype, {outputs, inputs}, stored}, false, 0, outputs, {}, owner}, bias);
        WeightMatrix both{{dtype, {outputs, inputs}, stored}, false, 0, outputs, {}, owner};
        both.isCopied = true;
        const Linear keptAndCopied(engine, both, bias);
        const auto same = [](const Tensor& a, const Tensor& b) {
            return std::ranges::equal(std::as_bytes(a.values()), std::as_bytes(b.values()));
        };
        const auto alike = [&](const Tensor& a, const Tensor& b) { // oneDNN 3 adds panels in another order
            const bool isFloat = dtype == DType::F32 || dtype == DType::F16 || dtype == DType::BF16;
            return same(a, b) || (isFloat && std::ranges::equal(a.values(), b.values(), [](float one, float other) {
                                      return std::abs(one - other) <= 1e-5F * std::max(1.0F, std::abs(one));
                                  }));
        };
        const Tensor rows = randomTensor({9, inputs}, 3);
        QVERIFY(alike(kept.apply(engine, rows.matrix()), copied.apply(engine, rows.matrix())));
        const Tensor row = randomTensor({1, inputs}, 5);
        const Tensor product = kept.apply(engine, row.matrix());
        QVERIFY(same(product, keptAndCopied.apply(engine, row.matrix())));
        const Tensor expected = copied.apply(engine, row.matrix());
        double largest = 0;
        for (const float value : expected.values())
            largest = std::max(largest, std::abs(static_cast<double>(value)));
        const auto difference = compare(product.values(), expected.values());
        QVERIFY2(difference.largest <= 1e-5 * largest, difference.text().c_str());
        Tensor sums = randomTensor({1, outputs}, 6);
        const Tensor before = sums;
        kept.addTo(engine, row.matrix(), sums.matrix());
        for (std::size_t i = 0; i < sums.size(); ++i)
            QCOMPARE(sums.data()[i], product.data()[i] + before.data()[i]);
    }

    void roundedInputsAreMultipliedExactly_data()
    {
        QTest::addColumn<int>("type");
        for (int type = 0; type < static_cast<int>(DType::Other); ++type)
            if (valuesPerBlock(static_cast<DType>(type)) > 1)
                QTest::newRow(std::string(name(static_cast<DType>(type))).c_str()) << type;
    }
    // By whole numbers, one row at a time, or as numbers: inputs are rounded to 8 bits for each block of the weights.
    void roundedInputsAreMultipliedExactly()
    {
        QFETCH(const int, type);
        const auto dtype = static_cast<DType>(type);
        const int inputs = valuesPerBlock(dtype) == 32 ? 15 * 32 : 2 * 256; // and the last block has no other beside it
        constexpr int outputs = 70; // the last panel is not full
        std::mt19937 random(4);
        std::vector<std::byte> stored(storedBytes(dtype, static_cast<std::size_t>(inputs * outputs)));
        for (std::byte& byte : stored)
            byte = static_cast<std::byte>(random() & 0x3BU); // no scale is infinite
        Tensor widened({outputs, inputs});
        toFloat32(dtype, stored, widened.values());
        const Tensor rows = randomTensor({11, inputs}, 3); // nor is the second of inputs
        Tensor rounded = rows;
        const std::size_t block = valuesPerBlock(dtype);
        for (std::size_t first = 0; first < rounded.size(); first += block) {
            const auto values = rounded.values().subspan(first, block);
            float largest = 0;
            for (const float value : values)
                largest = std::max(largest, std::abs(value));
            for (float& value : values)
                value = std::nearbyint(value * (127 / largest)) * (largest / 127);
        }
        Engine exact(1);
        const Tensor expected = Linear(exact, widened, {}).apply(exact, rounded.matrix());
        double largest = 0;
        for (const float value : expected.values())
            largest = std::max(largest, std::abs(static_cast<double>(value)));
        Engine engine(1, Precision::Q8);
        const auto owner = std::make_shared<int>(0);
        WeightMatrix matrix{{dtype, {outputs, inputs}, stored}, false, 0, outputs, {}, owner};
        for (const bool isCopied : {false, true}) {
            matrix.isCopied = isCopied;
            const Linear layer(engine, matrix, {});
            const auto whole = compare(layer.apply(engine, rows.matrix()).values(), expected.values());
            QVERIFY2(whole.largest <= 1e-5 * largest, whole.text().c_str());
            const Tensor one = layer.apply(engine, rows.matrix().rowRange(2, 1));
            const auto ofRow = compare(one.values(), expected.values().subspan(2 * outputs, outputs));
            QVERIFY2(ofRow.largest <= 1e-5 * largest, ofRow.text().c_str());
        }
    }

    void linearMatchesTheFormula_data()
    {
        test::addColumns<int, int, int, bool>("rows", "inputs", "outputs", "withBias");
        QTest::newRow("one row") << 1 << 256 << 300 << true;
        QTest::newRow("no bias") << 3 << 20 << 1 << false;
        QTest::newRow("odd sizes") << 7 << 19 << 23 << true;
        QTest::newRow("enough for all threads") << 130 << 256 << 640 << true;
    }
    void linearMatchesTheFormula()
    {
        QFETCH(const int, rows);
        QFETCH(const int, inputs);
        QFETCH(const int, outputs);
        QFETCH(const bool, withBias);
        const Tensor weight = randomTensor({outputs, inputs}, 1, 0.1F);
        const Tensor bias = withBias ? randomTensor({outputs}, 2) : Tensor();
        const Tensor input = randomTensor({rows, inputs}, 3);
        Engine engine(2);
        const Linear linear(engine, weight, bias);
        const Tensor product = linearReference(input, weight, bias);
        const auto plain = compare(linear.apply(engine, input.matrix()).values(), product.values());
        QVERIFY2(plain.largest < 2e-5, plain.text().c_str());
        // And with what follows it in the same pass.
        const Tensor before = randomTensor({rows, outputs}, 4);
        Tensor sums = before;
        linear.addTo(engine, input.matrix(), sums.matrix());
        Tensor expected = product;
        std::ranges::transform(before.values(), product.values(), expected.data(), std::plus<>());
        const auto ofSums = compare(sums.values(), expected.values());
        QVERIFY2(ofSums.largest < 2e-5, ofSums.text().c_str());
        for (const Activation activation : {Activation::Relu, Activation::Swish, Activation::Gelu, Activation::GeluTanh,
                                            Activation::Tanh, Activation::Sigmoid}) {
            expected = product;
            activate(engine, activation, expected.values());
            const auto difference =
                compare(linear.activated(engine, input.matrix(), activation).values(), expected.values());
            QVERIFY2(difference.largest < 3e-5, difference.text().c_str());
        }
    }

    // However many cores other programs hold.
    void linearIsTheSameOnAnyTeam_data()
    {
        test::addColumns<int, int, int>("rows", "inputs", "outputs");
        QTest::newRow("a step") << 1 << 3072 << 768;
        QTest::newRow("long sums") << 1 << 20480 << 64;
        QTest::newRow("long sums of many rows") << 256 << 20480 << 64;
        QTest::newRow("few columns") << 12 << 4096 << 48;
        QTest::newRow("columns that no team divides") << 1 << 768 << 5003;
        QTest::newRow("odd sizes") << 33 << 1000 << 1021;
        QTest::newRow("many rows") << 130 << 768 << 1024;
    }
    void linearIsTheSameOnAnyTeam()
    {
        QFETCH(const int, rows);
        QFETCH(const int, inputs);
        QFETCH(const int, outputs);
        const Tensor weight = randomTensor({outputs, inputs}, 1, 0.1F);
        const Tensor bias = randomTensor({outputs}, 2);
        const Tensor input = randomTensor({rows, inputs}, 3);
        const Tensor before = randomTensor({rows, outputs}, 4);
        constexpr int most = 12;
        for (const Precision precision : {Precision::F32, Precision::BF16}) {
            if (precision == Precision::BF16 && !test::multipliesBfloat16())
                continue;
            Engine engine(most, precision);
            const Linear linear(engine, weight, bias);
            const Tensor product = linear.apply(engine, input.matrix());
            const Tensor activated = linear.activated(engine, input.matrix(), Activation::Gelu);
            Tensor sums = before;
            linear.addTo(engine, input.matrix(), sums.matrix());
            const std::size_t made = engine.primitivesCreated();
            for (int team = 1; team < most; ++team) {
                engine.useAtMost(team);
                QCOMPARE(engine.freeThreads(), team);
                QVERIFY(std::ranges::equal(linear.apply(engine, input.matrix()).values(), product.values()));
                QVERIFY(std::ranges::equal(linear.activated(engine, input.matrix(), Activation::Gelu).values(),
                                           activated.values()));
                Tensor again = before;
                linear.addTo(engine, input.matrix(), again.matrix());
                QVERIFY(std::ranges::equal(again.values(), sums.values()));
            }
            if (precision == Precision::F32 && outputs >= 128)
                QVERIFY(engine.primitivesCreated() > made); // of smaller teams
        }
    }

    // bfloat16 keeps 8 bits of each factor: a relative error of about 2^-8 of the largest terms, never the float32
    // result.
    void bfloat16IsCloseToTheFormula()
    {
        const Tensor weight = randomTensor({304, 256}, 1, 0.1F);
        const Tensor bias = randomTensor({304}, 2);
        const Tensor input = randomTensor({5, 256}, 3);
        if (!test::multipliesBfloat16())
            QSKIP("this processor cannot multiply it");
        Engine engine(2, Precision::BF16);
        const Linear linear(engine, weight, bias);
        const auto difference =
            compare(linear.apply(engine, input.matrix()).values(), linearReference(input, weight, bias).values());
        QVERIFY2(difference.largest < 0.05, difference.text().c_str());
        QVERIFY2(difference.largest > 1e-5, "bf16 was not used");
    }

    void storedWeightsMatchTheFormula_data()
    {
        test::addColumns<DType, bool>("type", "transposed");
        QTest::addColumn<int>("offset"); // of the first byte in memory
        QTest::addColumn<int>("rows");
        QTest::newRow("f32") << DType::F32 << false << 0 << 70;
        QTest::newRow("f32, transposed") << DType::F32 << true << 0 << 70;
        QTest::newRow("f32, unaligned") << DType::F32 << true << 1 << 70;
        QTest::newRow("f32, in pieces") << DType::F32 << false << 0 << 16500;
        QTest::newRow("f32, transposed, in pieces") << DType::F32 << true << 0 << 16500;
        QTest::newRow("f16") << DType::F16 << false << 0 << 70;
        QTest::newRow("f16, transposed, unaligned") << DType::F16 << true << 1 << 70;
        QTest::newRow("bf16, transposed") << DType::BF16 << true << 0 << 70;
        QTest::newRow("bf16, in pieces") << DType::BF16 << false << 0 << 33000;
        QTest::newRow("q8_0") << DType::Q8_0 << false << 0 << 70;
    }
    // Whatever the stored type, the values are those that toFloat32 reads; and the file is let go as it is read.
    void storedWeightsMatchTheFormula()
    {
        QFETCH(const DType, type);
        QFETCH(const bool, transposed);
        QFETCH(const int, offset);
        QFETCH(const int, rows);
        constexpr int width = 288;
        constexpr int first = 20;
        constexpr int kept = 200;
        const auto [held, bytes] = storedMatrix(type, rows, width, static_cast<std::size_t>(offset));
        const TensorView stored{type, {rows, width}, bytes};
        const Tensor values = toFloat32(stored);
        Tensor weight = transposed ? Tensor({kept, rows}) : values;
        for (int output = 0; transposed && output < kept; ++output)
            for (int row = 0; row < rows; ++row)
                weight.data()[output * rows + row] = values.data()[row * width + first + output];

        const Tensor bias = randomTensor({weight.dim(0)}, 2);
        std::size_t released = 0;
        std::size_t largest = 0;
        Engine engine(1);
        const auto release = [&](std::span<const std::byte> part) {
            QCOMPARE(part.data(), bytes.data() + released);
            released += part.size();
            largest = std::max(largest, part.size());
        };
        const Linear linear(engine, {stored, transposed, transposed ? first : 0, weight.dim(0), release}, bias);
        QCOMPARE(released, bytes.size());
        QVERIFY(largest <= std::size_t{1} << 24);

        const Tensor input = randomTensor({1, weight.dim(1)}, 3);
        const auto difference =
            compare(linear.apply(engine, input.matrix()).values(), linearReference(input, weight, bias).values());
        QVERIFY2(difference.largest < 2e-4, difference.text().c_str());
    }

    void aBiasOfTheWrongSizeIsRefused()
    {
        Engine engine(1);
        QVERIFY_EXCEPTION_THROWN(Linear(engine, Tensor({4, 3}), Tensor({5})), Error);
    }

    void headProductsMatchTheFormula()
    {
        constexpr int heads = 3;
        constexpr int width = 5;
        constexpr int queries = 4;
        constexpr int keys = 7;
        constexpr int stride = 2 * heads * width; // as in a projection of keys and values together
        const Tensor q = randomTensor({queries, heads * width}, 1);
        const Tensor kv = randomTensor({keys, stride}, 2);
        std::vector<float> scores(heads * queries * keys);
        std::vector<float> context(queries * heads * width);
        Engine engine(1);
        const NumberView keyRows(kv.data(), heads, keys, width, width, stride);
        const NumberView values(kv.data() + heads * width, heads, keys, width, width, stride);
        const MutableView maps(scores.data(), heads, queries, keys);
        queryKeyProduct(engine, q.matrix().split(heads), keyRows, 0.5F, maps);
        weightedSum(engine, maps, values, MutableView(context.data(), queries, heads * width).split(heads));
        for (int head = 0; head < heads; ++head) {
            for (int row = 0; row < queries; ++row) {
                for (int column = 0; column < keys; ++column) {
                    double sum = 0;
                    for (int i = 0; i < width; ++i)
                        sum += 0.5 * q.data()[row * heads * width + head * width + i]
                            * kv.data()[column * stride + head * width + i];
                    QVERIFY(std::abs(sum - scores[(head * queries + row) * keys + column]) < 1e-5);
                }
                for (int i = 0; i < width; ++i) {
                    double sum = 0;
                    for (int column = 0; column < keys; ++column)
                        sum += scores[(head * queries + row) * keys + column]
                            * values.data[column * stride + head * width + i];
                    QVERIFY(std::abs(sum - context[row * heads * width + head * width + i]) < 1e-4);
                }
            }
        }
    }

    void productsAreCounted()
    {
        Engine engine(1);
        const Linear layer(engine, randomTensor({7, 5}, 1));
        QCOMPARE(engine.work().multiplyAdds, 0);
        (void)layer.apply(engine, randomTensor({3, 5}, 2).matrix());
        const ProductWork ofLayer = engine.work();
        QCOMPARE(ofLayer.multiplyAdds, 3 * 5 * 7);
        QVERIFY(ofLayer.weightBytes >= 5 * 7 * 4); // as packed
        const Tensor rows = randomTensor({6, 8}, 3);
        std::vector<float> scores(std::size_t{2} * 6 * 6);
        queryKeyProduct(engine, rows.matrix().split(2), rows.matrix().split(2), 1.0F,
                        MutableView(scores.data(), 2, 6, 6));
        QCOMPARE((engine.work() - ofLayer).multiplyAdds, 6 * 6 * 8);
        QCOMPARE((engine.work() - ofLayer).weightBytes, 0);
    }

    void headProductsNeedNoNewPrimitiveForAnotherLength()
    {
        Engine engine(1);
        const Tensor rows = randomTensor({64, 32}, 1);
        std::vector<float> scores(4 * 64);
        std::vector<float> context(32);
        for (int keys = 1; keys <= 64; ++keys) {
            const NumberView own = rows.matrix().rowRange(0, keys).split(4);
            const MutableView maps(scores.data(), 4, 1, keys);
            queryKeyProduct(engine, rows.matrix().rowRange(0, 1).split(4), own, 1.0F, maps);
            weightedSum(engine, maps, own, MutableView(context.data(), 1, 32).split(4));
        }
        QCOMPARE(engine.primitivesCreated(), std::size_t{2});
    }

    void softmaxRowsSumToOne_data()
    {
        QTest::addColumn<bool>("growing");
        QTest::newRow("fixed") << false;
        QTest::newRow("growing") << true;
    }
    void softmaxRowsSumToOne()
    {
        QFETCH(const bool, growing);
        Engine engine(1);
        for (const int columns : {1, 5, 63, 64, 65, 130}) {
            Tensor values = randomTensor({3, columns}, 4, 3.0F);
            values.data()[0] += 1000.0F; // overflows unless the maximum is subtracted
            softmax(engine, values.matrix(), growing ? SoftmaxWidth::Growing : SoftmaxWidth::Fixed);
            for (int row = 0; row < 3; ++row) {
                double sum = 0;
                for (const float weight : values.matrix().row(row))
                    sum += weight;
                QVERIFY2(std::abs(sum - 1) < 1e-5, qPrintable(QString::number(sum)));
            }
            QCOMPARE(values.data()[0], 1.0F);
        }
    }

    void fullyMaskedRowIsZero()
    {
        Engine engine(1);
        for (const auto width : {SoftmaxWidth::Fixed, SoftmaxWidth::Growing}) {
            Tensor values({2, 3}, {minusInfinity, minusInfinity, minusInfinity, minusInfinity, 1.0F, minusInfinity});
            softmax(engine, values.matrix(), width);
            const std::vector<float> expected{0, 0, 0, 0, 1, 0};
            QVERIFY(compare(values.values(), expected).largest == 0);
        }
    }

    // As with PyTorch, also where a kernel would leave some of the row.
    void aRowWithNoNumberHasNoWeights()
    {
        Engine engine(1);
        for (const auto width : {SoftmaxWidth::Fixed, SoftmaxWidth::Growing}) {
            for (const int columns : {2, 5, 16, 64, 70}) {
                for (const float other : {noNumber, -minusInfinity}) {
                    Tensor values = randomTensor({columns + 1, columns}, 4);
                    for (int row = 0; row < columns; ++row) {
                        values.matrix().row(row)[row] = other;
                        values.matrix().row(row)[(row + 1) % columns] = minusInfinity; // a mask
                    }
                    softmax(engine, values.matrix(), width);
                    for (int row = 0; row < columns; ++row)
                        QVERIFY(areNoNumbers(values.matrix().row(row)));
                    const auto last = values.matrix().row(columns);
                    QVERIFY(std::abs(std::accumulate(last.begin(), last.end(), 0.0) - 1) < 1e-5);
                }
            }
        }
    }

    void growingSoftmaxSeldomNeedsAPrimitive()
    {
        Engine engine(1);
        for (int columns = 1; columns <= 512; ++columns) {
            std::vector<float> row(static_cast<std::size_t>(columns), 1.0F);
            softmax(engine, std::span(row), SoftmaxWidth::Growing);
        }
        QCOMPARE(engine.primitivesCreated(), std::size_t{4}); // 64, 128, 256, 512
    }

    void layerNormMatchesTheFormula()
    {
        Engine engine(1);
        constexpr int width = 24;
        const Tensor input = randomTensor({3, width}, 1, 4.0F);
        const Tensor scale = randomTensor({width}, 2);
        const Tensor shift = randomTensor({width}, 3);
        Tensor found = input;
        LayerNorm(scale, shift, 1e-5F).apply(engine, found);
        for (int row = 0; row < 3; ++row) {
            double mean = 0;
            double variance = 0;
            for (const float value : input.matrix().row(row))
                mean += value / static_cast<double>(width);
            for (const float value : input.matrix().row(row))
                variance += (value - mean) * (value - mean) / width;
            for (int i = 0; i < width; ++i) {
                const double expected =
                    (input.matrix().row(row)[i] - mean) / std::sqrt(variance + 1e-5) * scale.data()[i]
                    + shift.data()[i];
                QVERIFY(std::abs(found.matrix().row(row)[i] - expected) < 1e-5);
            }
        }
    }

    void activationsMatchTheirFormulas()
    {
        Engine engine(1);
        const Tensor input = randomTensor({101}, 5, 2.0F);
        const auto check = [&](const char* name, auto formula) {
            const auto activation = activationByName(name);
            QVERIFY2(activation.has_value(), name);
            Tensor found = input;
            activate(engine, *activation, found.values());
            for (std::size_t i = 0; i < input.size(); ++i)
                QVERIFY2(std::abs(found.data()[i] - formula(static_cast<double>(input.data()[i]))) < 1e-5, name);
        };
        const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
        check("relu", [](double x) { return std::max(x, 0.0); });
        check("swish", [&](double x) { return x * sigmoid(x); });
        check("gelu", [](double x) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0))); });
        check("gelu_new",
              [](double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x))); });
        check("tanh", [](double x) { return std::tanh(x); });
        check("sigmoid", sigmoid);
        QVERIFY(!activationByName("mish"));
    }

    void whatIsNoNumberStaysSo()
    {
        Engine engine(2);
        for (const Activation activation : {Activation::Relu, Activation::Swish, Activation::Gelu, Activation::GeluTanh,
                                            Activation::Tanh, Activation::Sigmoid}) {
            for (const int count : {1, 3, 16, 70, 200}) {
                Tensor values = randomTensor({count}, 6);
                values.data()[count / 2] = noNumber;
                const Tensor weight = randomTensor({count, 40}, 7);
                const Linear layer(engine, weight, values); // with a bias that is none
                activate(engine, activation, values.values());
                QVERIFY(std::isnan(values.data()[count / 2]));
                QCOMPARE(std::ranges::count_if(values.values(), [](float value) { return std::isnan(value); }), 1);
                Tensor input = randomTensor({9, 40}, 8);
                input.data()[3] = noNumber; // of the first row
                const Tensor found = layer.activated(engine, input.matrix(), activation);
                QVERIFY(areNoNumbers(found.matrix().row(0)));
                for (int row = 1; row < 9; ++row) {
                    for (int output = 0; output < count; ++output)
                        QCOMPARE(std::isnan(found.matrix().row(row)[output]), output == count / 2);
                }
            }
        }
        for (const Precision precision : {Precision::F32, Precision::BF16}) {
            if (precision == Precision::BF16 && !test::multipliesBfloat16())
                continue;
            Engine other(2, precision);
            for (const float odd : {noNumber, minusInfinity, -minusInfinity}) {
                Tensor weight = randomTensor({64, 128}, 11);
                weight.data()[128 * 5 + 7] = odd;
                weight.data()[128 * 5 + 8] = odd;
                Tensor input = randomTensor({4, 128}, 12);
                for (int row = 0; row < 4; ++row) {
                    input.matrix().row(row)[7] = 3;
                    input.matrix().row(row)[8] = -3;
                }
                const Linear layer(other, weight);
                const Tensor found = layer.activated(other, input.matrix(), Activation::Relu);
                for (int row = 0; row < 4; ++row) {
                    for (int output = 0; output < 64; ++output)
                        QCOMPARE(std::isnan(found.matrix().row(row)[output]), output == 5);
                }
            }
        }
        for (const int width : {5, 64}) {
            const Tensor scale = randomTensor({width}, 9);
            for (const Norm& norm : {Norm(LayerNorm(scale, scale, 1e-5F)), Norm(RmsNorm(scale, 1e-5F))}) {
                Tensor values = randomTensor({2, width}, 10);
                values.data()[width - 1] = noNumber;
                normalize(engine, norm, values);
                QVERIFY(areNoNumbers(values.matrix().row(0)));
                QVERIFY(std::ranges::none_of(values.matrix().row(1), [](float value) { return std::isnan(value); }));
            }
        }
    }

    void sumsAreElementWise()
    {
        Engine engine(1);
        Tensor left({3}, {1, 2, 3});
        add(engine, left.values(), Tensor({3}, {10, 20, 30}).values());
        QVERIFY(compare(left.values(), std::vector<float>{11, 22, 33}).largest == 0);

        const Tensor vectors({2, 2}, {1, 2, 3, 4});
        const Tensor rows({3, 2}, {10, 20, 30, 40, 50, 60});
        std::vector<float> sums(12);
        addToRows(engine, vectors.matrix(), rows.matrix(), {sums.data(), 2, 3, 2});
        QVERIFY(compare(sums, std::vector<float>{11, 22, 31, 42, 51, 62, 13, 24, 33, 44, 53, 64}).largest == 0);
    }

    void embeddingGathersStoredRows()
    {
        const std::vector<std::uint16_t> bf16{0x3f80, 0x4000, 0x4040, 0x4080}; // 1 2 3 4
        const Embedding embedding({DType::BF16, {2, 2}, std::as_bytes(std::span(bf16))}, nullptr);
        const std::vector<TokenId> ids{1, 0, 1};
        QVERIFY(compare(embedding.rows(ids, 2.0F).values(), std::vector<float>{6, 8, 2, 4, 6, 8}).largest == 0);
    }

    void embeddingRowsOfBlocks()
    {
        std::vector<std::uint8_t> blocks(2 * 34, 3);
        blocks[0] = blocks[34] = 0;
        blocks[1] = 0x3C; // 1
        blocks[35] = 0x40; // 2
        const Embedding embedding({DType::Q8_0, {2, 32}, std::as_bytes(std::span(blocks))}, nullptr);
        const std::vector<TokenId> ids{1, 0};
        QCOMPARE(embedding.rows(ids).matrix().row(0)[31], 6.0F);
        QCOMPARE(embedding.rows(ids).matrix().row(1)[0], 3.0F);
        QVERIFY_EXCEPTION_THROWN(Embedding({DType::Q8_0, {2, 32}, {}}, nullptr), Error);
    }

    // So that what a run gives does not hang on how busy the machine is.
    void anyNumberOfThreadsGivesTheSameNumbers()
    {
        const auto same = [](const auto& results) {
            return std::ranges::all_of(results,
                                       [&](const auto& result) { return std::ranges::equal(result, results.front()); });
        };
        const auto onTeams = [](const auto& compute) {
            std::vector<NumberVector<float>> results;
            for (const int threads : {1, 2, 3, 4, 8}) {
                Engine engine(threads);
                results.push_back(compute(engine));
            }
            return results;
        };
        constexpr std::array<std::array<int, 3>, 6> sizes{
            {{1, 768, 3072}, {1, 1024, 8000}, {5, 2048, 512}, {30, 620, 1000}, {130, 256, 640}, {64, 3072, 768}}};
        const bool blocked = __builtin_cpu_supports("avx512bw") && !qEnvironmentVariableIsSet("ONEDNN_MAX_CPU_ISA");
        for (const auto& [rows, inputs, outputs] : sizes) {
            if (!blocked) // there, columns are divided by how many threads an engine has
                break;
            const Tensor weight = randomTensor({outputs, inputs}, 1, 0.1F);
            const Tensor input = randomTensor({rows, inputs}, 2);
            QVERIFY2(same(onTeams([&](Engine& engine) {
                         return copyOf(Linear(engine, weight).apply(engine, input.matrix()).matrix());
                     })),
                     qPrintable(QString::number(rows)));
        }
        for (const int heads : {1, 4, 6}) {
            const HeadShape shape{heads, 64, 1};
            const Tensor queries = randomTensor({130, std::int64_t{64} * heads}, 3);
            const Tensor keys = randomTensor({200, std::int64_t{64} * heads}, 4);
            const auto sums = onTeams([&](Engine& engine) {
                Numbers maps = Numbers::zeros(heads, 130, 200);
                queryKeyProduct(engine, shape.queries(queries.matrix()), shape.keys(keys.matrix()), 0.1F, maps.view());
                softmax(engine, maps.view());
                Tensor context({130, std::int64_t{64} * heads});
                weightedSum(engine, std::as_const(maps).view(), shape.keys(keys.matrix()),
                            shape.queries(context.matrix()));
                return copyOf(context.matrix());
            });
            QVERIFY2(same(sums), qPrintable(QString::number(heads)));
        }
    }

    void aPrimitiveMadeOnOneThreadRunsOnAnother()
    {
        Engine engine(2);
        const Tensor weight = randomTensor({640, 256}, 1, 0.1F);
        const Tensor input = randomTensor({130, 256}, 2);
        std::optional<Linear> linear;
        Tensor first;
        std::thread([&] {
            linear.emplace(engine, weight);
            first = linear->apply(engine, input.matrix());
        }).join();
        const std::size_t created = engine.primitivesCreated();
        Tensor second;
        std::thread([&] { second = linear->apply(engine, input.matrix()); }).join();
        QCOMPARE(engine.primitivesCreated(), created);
        QVERIFY(compare(first.values(), second.values()).largest < 1e-5);
    }

    void theNumberOfPrimitivesKeptIsBounded()
    {
        Engine engine(1);
        std::vector<float> values(2000, 1.0F);
        for (std::size_t count = 1; count <= 600; ++count)
            activate(engine, Activation::Tanh, std::span(values).first(count));
        QCOMPARE(engine.primitivesCreated(), std::size_t{600});
        activate(engine, Activation::Tanh, std::span(values).first(600)); // still there
        QCOMPARE(engine.primitivesCreated(), std::size_t{600});
        activate(engine, Activation::Tanh, std::span(values).first(1)); // gone
        QCOMPARE(engine.primitivesCreated(), std::size_t{601});
    }

    void aSenselessNumberOfThreadsIsRefused()
    {
        QVERIFY_EXCEPTION_THROWN(Engine(-1), Error);
        QVERIFY_EXCEPTION_THROWN(Engine(100000), Error);
        Engine(0); // as many as there are cores
    }
};

ATTN_TEST(TestLayers)

#include "tst_layers.moc"
