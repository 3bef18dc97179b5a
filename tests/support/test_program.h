// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

namespace attn::test {

// A program has the test classes of several files, and runs the one whose file its first argument names: `io_tests
// tst_npz`. What follows the name is for Qt Test.
class NamedTest
{
public:
    using Main = int (*)(int argc, char** argv);
    // file: the path of the source, whose name without what follows the last point becomes the test's.
    NamedTest(const char* file, Main main);
};

template<typename Application, typename Test>
int runTest(int argc, char** argv)
{
    Application application(argc, argv);
    application.setAttribute(Qt::AA_Use96Dpi, true); // as Qt's own macros do
    Test test;
    return QTest::qExec(&test, argc, argv);
}

// The columns of a table of cases, a name for each type.
template<class... Types, class... Names>
void addColumns(const Names*... names)
{
    static_assert(sizeof...(Types) == sizeof...(Names));
    (QTest::addColumn<Types>(names), ...);
}

} // namespace attn::test

#define ATTN_TEST_WITH(Application, Test)                                                                              \
    static const attn::test::NamedTest named##Test(__FILE__, attn::test::runTest<Application, Test>);

// In the place of QTEST_GUILESS_MAIN and QTEST_MAIN.
#define ATTN_TEST(Test) ATTN_TEST_WITH(QCoreApplication, Test)
#if defined(QT_WIDGETS_LIB)
#define ATTN_GUI_TEST(Test) ATTN_TEST_WITH(QApplication, Test)
#elif defined(QT_GUI_LIB)
#define ATTN_GUI_TEST(Test) ATTN_TEST_WITH(QGuiApplication, Test)
#endif
