// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/shown_text.h"
#include "checkpoint/checkpoint.h"
#include "loading/length_scores.h"
#include "loading/model_loader.h"
#include "nn/engine.h"
#include "robust/hostile_files.h"
#include "session/session.h"
#include "support/test_program.h"
#include "trace/archive.h"

#include <QElapsedTimer>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>

using namespace attn;
using namespace attn::test;

namespace {

namespace fs = std::filesystem;

constexpr auto tablePath = ATTN_TEST_DATA "/hostile/messages.txt";

// What the program has to say of it.
std::string opened(const fs::path& path, Engine& engine)
{
    if (isSessionPath(path))
        return std::to_string(readSession(path).runs.size()) + " runs";
    if (isArchivePath(path))
        return std::to_string(readArchive(path).source().ids.size()) + " source tokens";
    if (path.extension() == ".bin")
        return std::to_string(openCheckpoint(path)->tensorNames().size()) + " tensors";
    const LoadedModel model = loadModel(path.string(), engine);
    if (fs::exists(path / "scores.json"))
        return std::to_string(readLengthScores(path).value_or(LengthScores{}).lengths.size()) + " scores";
    if (model.tokenizerProblem)
        return std::string("without its tokenizer: ") + model.tokenizerProblem->what();
    if (model.tokenizers.source == nullptr)
        return "without a tokenizer";
    return "opens";
}

} // namespace

// Nothing that a stranger sends ends the program or takes long; what it says of each is known to the letter.
class TestHostile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The table is written anew where ATTNSCOPE_WRITE_MESSAGES is set, to be read before it is believed.
    void everySetHasItsMessage()
    {
        Engine engine;
        QByteArray table;
        for (const HostileSet& set : hostileSets()) {
            QElapsedTimer timer;
            timer.start();
            table += QByteArray::fromStdString(set.name) + '\t' + messageOf(set, engine) + '\n';
            QVERIFY2(timer.elapsed() < 20'000, set.name.c_str());
        }
        QFile file(QString::fromLatin1(tablePath));
        if (qEnvironmentVariableIsSet("ATTNSCOPE_WRITE_MESSAGES")) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(table);
            return;
        }
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArrayList expected = file.readAll().split('\n');
        const QByteArrayList found = table.split('\n');
        for (qsizetype i = 0; i < std::min(expected.size(), found.size()); ++i)
            QCOMPARE(found[i], expected[i]);
        QCOMPARE(found.size(), expected.size());
    }

private:
    static QByteArray messageOf(const HostileSet& set, Engine& engine)
    {
        QTemporaryDir folder;
        const fs::path place(folder.path().toStdString());
        for (const auto& [name, bytes] : set.files) {
            std::ofstream file(place / name, std::ios::binary);
            file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        }
        std::string message;
        try {
            message = opened(set.opened.empty() ? place : place / set.opened, engine);
        } catch (const Error& error) {
            message = error.what();
        } catch (const std::exception& other) {
            message = std::string("not an error of ours: ") + other.what();
        }
        QString text = QString::fromStdString(escaped(message)).replace(folder.path(), QStringLiteral("FOLDER"));
        // What libraries say is another matter, and changes with them.
        static const QRegularExpression library(
            QStringLiteral("((cannot be read[^:]*|refuses it): )[^(]*?(\\.? \\(|$)"));
        return text.replace(library, QStringLiteral("\\1...\\3")).toUtf8();
    }
};

ATTN_TEST(TestHostile)

#include "tst_hostile.moc"
