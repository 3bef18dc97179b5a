// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "io/npz.h"
#include "support/test_program.h"

#include <QDir>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

#include <cstring>
#include <sched.h>
#include <vector>

using namespace attn;
using namespace attn::test;

// OpenMP gives fewer threads than are asked for, or all of them on one processor: runs are those of as many threads,
// bit for bit.
class TestCliThreads : public QObject
{
    Q_OBJECT

private:
    enum class Processors { All, One };

    struct Surroundings
    {
        const char* variable;
        const char* value;
        Processors processors;
        int team; // of two threads that are asked for
    };
    static constexpr Surroundings surroundings[] = {
        {"OMP_THREAD_LIMIT", "1", Processors::All, 1}, {"OMP_MAX_ACTIVE_LEVELS", "0", Processors::All, 1},
        {"OMP_DYNAMIC", "true", Processors::All, 2},   {"OMP_DYNAMIC", "true", Processors::One, 2},
        {"OMP_NESTED", "true", Processors::All, 2},    {"OMP_MAX_ACTIVE_LEVELS", "3", Processors::All, 2},
        {"OMP_NUM_THREADS", "1", Processors::One, 2}};

    // The file that a run writes.
    QString traced(const QString& model, int threads, const Surroundings& around)
    {
        const QString file = m_folder.filePath(QStringLiteral("%1.npz").arg(m_files++));
        // Long enough for a team: 100 words.
        const QString sentence = QStringLiteral("The house is small and the cat sleeps in it. ").repeated(10).trimmed();
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QString::fromLatin1(around.variable), QString::fromLatin1(around.value));
        process.setProcessEnvironment(environment);
        if (around.processors == Processors::One)
            process.setChildProcessModifier([] {
                cpu_set_t allowed;
                CPU_ZERO(&allowed);
                if (::sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
                    return;
                int first = 0;
                while (!CPU_ISSET(first, &allowed))
                    ++first;
                CPU_ZERO(&allowed);
                CPU_SET(first, &allowed);
                (void)::sched_setaffinity(0, sizeof(allowed), &allowed);
            });
        const QDir folder(QStringLiteral(ATTN_SOURCE_DIR "/resources/models/") + model);
        QStringList input{text("--text"), sentence};
        for (const auto& [option, files] : {std::pair("--image", "*.png"), std::pair("--audio", "*.wav")})
            if (const QStringList found = folder.entryList({text(files)}); !found.isEmpty())
                input = {text(option), folder.filePath(found.front())};
        process.start(QStringLiteral(ATTN_PROGRAM),
                      QStringList{text("trace"), model} + input
                          + QStringList{text("--max-length"), text("5"), text("--logits"), text("--hidden"),
                                        text("--threads"), QString::number(threads), text("--output"), file});
        const CommandResult result = resultOf(process);
        if (result.status != 0)
            qWarning("%s", result.errors.constData());
        return result.status == 0 ? file : QString();
    }

    static QByteArray numbersOf(const NpzReader& file, const std::string& name)
    {
        const std::vector<float> values = file.find(name).value().floats();
        return {reinterpret_cast<const char*>(values.data()), qsizetype(values.size() * sizeof(float))};
    }

    // The array that differs; empty: none.
    static std::string difference(const QString& a, const QString& b)
    {
        const NpzReader first(a.toStdString());
        const NpzReader second(b.toStdString());
        if (first.names() != second.names())
            return "names";
        for (const std::string& name : first.names()) {
            if (first.find(name)->kind() != NpyKind::Text && numbersOf(first, name) != numbersOf(second, name))
                return name;
        }
        return {};
    }

private Q_SLOTS:
    void fewerThreadsChangeNothing_data()
    {
        QTest::addColumn<QString>("model");
        const QDir models(QStringLiteral(ATTN_SOURCE_DIR "/resources/models"));
        for (const QString& name : models.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const bool seen = !QDir(models.filePath(name)).entryList({text("*.png")}).isEmpty();
#ifdef ATTN_WITH_UI
            constexpr bool seesPictures = true;
#else
            constexpr bool seesPictures = false; // the program has no reader for their files
#endif
            if (models.exists(name + QStringLiteral("/config.json")) && (seesPictures || !seen))
                QTest::newRow(qPrintable(name)) << name;
        }
    }
    void fewerThreadsChangeNothing()
    {
        QFETCH(const QString, model);
        const Surroundings usual{"OMP_NUM_THREADS", "2", Processors::All, 0};
        const QString expected[] = {traced(model, 1, usual), traced(model, 2, usual)};
        QVERIFY(!expected[0].isEmpty() && !expected[1].isEmpty());
        for (const Surroundings& around : surroundings) {
            const QString found = traced(model, 2, around);
            QVERIFY(!found.isEmpty());
            const std::string array = difference(found, expected[around.team - 1]);
            QVERIFY2(array.empty(),
                     qPrintable(QStringLiteral("%1=%2: %3")
                                    .arg(text(around.variable), text(around.value), QString::fromStdString(array))));
        }
    }

private:
    QTemporaryDir m_folder;
    int m_files = 0;
};

ATTN_TEST(TestCliThreads)

#include "tst_cli_threads.moc"
