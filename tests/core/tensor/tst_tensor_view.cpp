// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/broken_files.h"
#include "tensor/tensor_view.h"

#include <QtTest>

using namespace attn;
using namespace attn::test;

class TestTensorView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void widensEachFloatType();
    void refusesIntegersByName();
    void refusesTooFewBytes();
    void everyTypeHasANameAndASize();
};

void TestTensorView::widensEachFloatType()
{
    const auto single = [](DType type, const Bytes& bytes) { return toFloat32({type, {1}, bytes}).values()[0]; };
    QCOMPARE(single(DType::F32, littleEndian(1.25F)), 1.25F);
    QCOMPARE(single(DType::F64, littleEndian(-1.25)), -1.25F);
    QCOMPARE(single(DType::F16, littleEndian(std::uint16_t{0x3D00})), 1.25F);
    QCOMPARE(single(DType::BF16, littleEndian(std::uint16_t{0x3FA0})), 1.25F);
}

void TestTensorView::refusesIntegersByName()
{
    const Bytes bytes(8, std::byte{0});
    const std::string message = errorOf([&] { toFloat32({DType::I64, {1}, bytes}); });
    QVERIFY2(message.find("i64") != std::string::npos, message.c_str());
}

void TestTensorView::refusesTooFewBytes()
{
    const Bytes bytes(7, std::byte{0});
    QVERIFY(!errorOf([&] { toFloat32({DType::F32, {2}, bytes}); }).empty());
}

void TestTensorView::everyTypeHasANameAndASize()
{
    QCOMPARE(name(DType::BF16), std::string_view("bf16"));
    QCOMPARE(name(DType::Bool), std::string_view("bool"));
    QCOMPARE(byteSize(DType::I64), std::size_t{8});
    QCOMPARE(byteSize(DType::F16), std::size_t{2});
    QCOMPARE(byteSize(DType::U8), std::size_t{1});
}

QTEST_GUILESS_MAIN(TestTensorView)
#include "tst_tensor_view.moc"
