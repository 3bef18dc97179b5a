// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/shown_text.h"
#include "checkpoint/checkpoint.h"
#include "io/atomic_file.h"
#include "loading/model_loader.h"
#include "nn/engine.h"
#include "robust/hostile_files.h"
#include "session/session.h"
#include "trace/archive.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <exception>
#include <filesystem>
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
            AtomicFile file(place / name);
            file.write(bytes);
            file.commit();
        }
        std::string message;
        try {
            message = opened(set.opened.empty() ? place : place / set.opened, engine);
        } catch (const Error& error) {
            message = error.what();
        } catch (const std::exception& other) {
            message = std::string("not an error of ours: ") + other.what();
        }
        return QByteArray::fromStdString(escaped(message)).replace(folder.path().toUtf8(), "FOLDER");
    }
};

QTEST_GUILESS_MAIN(TestHostile)

#include "tst_hostile.moc"
