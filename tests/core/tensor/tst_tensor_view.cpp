// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/broken_files.h"
#include "support/test_program.h"
#include "tensor/tensor.h"

#include <QtTest>

using namespace attn;
using namespace attn::test;

class TestTensorView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void widensEachFloatType()
    {
        const auto single = [](DType type, const Bytes& bytes) { return toFloat32({type, {1}, bytes}).values()[0]; };
        QCOMPARE(single(DType::F32, littleEndian(1.25F)), 1.25F);
        QCOMPARE(single(DType::F64, littleEndian(-1.25)), -1.25F);
        QCOMPARE(single(DType::F16, littleEndian(std::uint16_t{0x3D00})), 1.25F);
        QCOMPARE(single(DType::BF16, littleEndian(std::uint16_t{0x3FA0})), 1.25F);
    }

    void dequantizesBlocks()
    {
        Bytes bytes = littleEndian(std::uint16_t{0x3800}); // 0.5
        for (int i = 0; i < 32; ++i)
            bytes.push_back(static_cast<std::byte>(i - 16));
        bytes = bytes + littleEndian(std::uint16_t{0xC000}); // -2
        for (int i = 0; i < 32; ++i)
            bytes.push_back(static_cast<std::byte>(i == 31 ? -128 : i));
        const Tensor tensor = toFloat32({DType::Q8_0, {2, 32}, bytes});
        for (int i = 0; i < 32; ++i)
            QCOMPARE(tensor.matrix().row(0)[static_cast<std::size_t>(i)], 0.5F * static_cast<float>(i - 16));
        QCOMPARE(tensor.matrix().row(1)[3], -6.0F);
        QCOMPARE(tensor.matrix().row(1)[31], 256.0F);
        bytes.pop_back();
        QVERIFY(!errorOf([&] { toFloat32({DType::Q8_0, {2, 32}, bytes}); }).empty());
        QVERIFY(!errorOf([&] { toFloat32({DType::Q8_0, {33}, bytes}); }).empty());
    }

    void refusesIntegersByName()
    {
        const Bytes bytes(8, std::byte{0});
        const std::string message = errorOf([&] { toFloat32({DType::I64, {1}, bytes}); });
        QVERIFY2(message.find("i64") != std::string::npos, message.c_str());
    }

    void refusesTooFewBytes()
    {
        const Bytes bytes(7, std::byte{0});
        QVERIFY(!errorOf([&] { toFloat32({DType::F32, {2}, bytes}); }).empty());
    }

    void everyTypeHasANameAndASize()
    {
        QCOMPARE(name(DType::BF16), std::string_view("bf16"));
        QCOMPARE(name(DType::Bool), std::string_view("bool"));
        QCOMPARE(blockBytes(DType::I64), std::size_t{8});
        QCOMPARE(blockBytes(DType::F16), std::size_t{2});
        QCOMPARE(blockBytes(DType::U8), std::size_t{1});
        QCOMPARE(name(DType::Q8_0), std::string_view("q8_0"));
        QCOMPARE(storedBytes(DType::Q8_0, 64), std::size_t{68});
        QCOMPARE(storedBytes(DType::F16, 3), std::size_t{6});
    }
};

ATTN_TEST(TestTensorView)
#include "tst_tensor_view.moc"
