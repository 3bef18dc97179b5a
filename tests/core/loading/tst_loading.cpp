// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "loading/memory.h"
#include "loading/model_loader.h"
#include "nn/engine.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace attn;

namespace fs = std::filesystem;

class TestLoading : public QObject
{
    Q_OBJECT

private:
    static fs::path caseDirectory() { return fs::path(ATTN_TEST_DATA) / "cases" / "marian-relu"; }
    static fs::path pathOf(const QTemporaryDir& directory) { return directory.path().toStdString(); }

    static void write(const fs::path& path, const QByteArray& text)
    {
        QFile file(QString::fromStdString(path.string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }

    template<typename Body>
    static void verifyThrows(ErrorKind kind, const std::vector<std::string>& words, Body body)
    {
        try {
            body();
        } catch (const Error& error) {
            QCOMPARE(error.kind(), kind);
            for (const std::string& word : words)
                QVERIFY2(std::string(error.what()).find(word) != std::string::npos, error.what());
            return;
        }
        QFAIL("nothing was thrown");
    }

private Q_SLOTS:
    void init() { qputenv("ATTNSCOPE_MODELS", ATTN_TEST_DATA "/cases"); }
    void cleanup() { qunsetenv("ATTNSCOPE_MODELS"); }

    void aDirectoryIsLoaded()
    {
        Engine engine(1);
        double last = 0;
        const LoadedModel loaded = loadModel(caseDirectory().string() + "/", engine, [&](const Progress& progress) {
            QVERIFY(progress.fraction >= last && progress.fraction <= 1);
            QVERIFY(!progress.what.empty());
            last = progress.fraction;
        });
        QVERIFY(last > 0.9);
        QCOMPARE(loaded.name, std::string("marian-relu"));
        QCOMPARE(loaded.model->info().encoderLayers, 2);
        QVERIFY(!loaded.tokenizers.source); // ids only
        QVERIFY(loaded.ignoredTensors.empty());
        QCOMPARE(loaded.files.front(), std::string("model.safetensors: 60 tensors, f32, 88.6 kB"));
    }

    void aFileInItIsLoadedToo()
    {
        Engine engine(1);
        QCOMPARE(loadModel((caseDirectory() / "model.safetensors").string(), engine).name, std::string("marian-relu"));
    }

    void aBundledNameIsLoaded()
    {
        Engine engine(1);
        QCOMPARE(loadModel("rnn-bahdanau-gru", engine).model->info().crossHeads, 1);
    }

    void bundledModelsComeWithTheirCardsFirstSentence()
    {
        QTemporaryDir directory;
        const fs::path models = pathOf(directory);
        for (const char* name : {"b", "a", "not-a-model"})
            fs::create_directory(models / name);
        write(models / "a" / "config.json", "{}");
        write(models / "b" / "config.json", "{}");
        write(models / "a" / "README.md",
              "---\nlicense: cc-by-2.0\n---\n# A\n\nTranslates well.\nVery well. Really.\n\nMore.\n");
        qputenv("ATTNSCOPE_MODELS", directory.path().toUtf8());
        const auto found = bundledModels();
        QCOMPARE(found.size(), std::size_t{2});
        QCOMPARE(found[0].name, std::string("a"));
        QCOMPARE(found[0].summary, std::string("Translates well."));
        QCOMPARE(found[1].name, std::string("b"));
        QVERIFY(found[1].summary.empty());
        QCOMPARE(modelDirectory("b"), models / "b");
    }

    void anUnknownNameIsAnsweredWithTheBundledOnes()
    {
        verifyThrows(ErrorKind::File, {"no-such-model", "marian-relu", "rnn-bahdanau-gru"},
                     [] { modelDirectory("no-such-model"); });
        qputenv("ATTNSCOPE_MODELS", "/nonexistent");
        verifyThrows(ErrorKind::File, {"no models are bundled"}, [] { modelDirectory("marian-relu"); });
    }

    void aDirectoryWithoutConfigurationIsRefused()
    {
        QTemporaryDir directory;
        Engine engine(1);
        verifyThrows(ErrorKind::File, {"config.json"}, [&] { loadModel(pathOf(directory).string(), engine); });
    }

    void damagedWeightsAreRefused()
    {
        QTemporaryDir directory;
        Engine engine(1);
        fs::copy_file(caseDirectory() / "config.json", pathOf(directory) / "config.json");
        const auto load = [&] { loadModel(pathOf(directory).string(), engine); };
        verifyThrows(ErrorKind::File, {}, load);
        QFile whole(QString::fromStdString((caseDirectory() / "model.safetensors").string()));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QByteArray bytes = whole.readAll();
        for (const int length : {0, 7, 100, static_cast<int>(bytes.size()) - 1}) {
            write(pathOf(directory) / "model.safetensors", bytes.left(length));
            verifyThrows(ErrorKind::Format, {"model.safetensors"}, load);
        }
    }

    void aStopEndsLoading()
    {
        Engine engine(1);
        std::stop_source stop;
        verifyThrows(ErrorKind::Cancelled, {}, [&] {
            loadModel(
                caseDirectory().string(), engine, [&](const Progress&) { stop.request_stop(); }, stop.get_token());
        });
    }

    void moreMemoryThanThereIsIsRefusedWithNumbers()
    {
        requireMemory(100, 100, "weights");
        verifyThrows(ErrorKind::Resource, {"weights", "2.0 GB", "1.5 MB"},
                     [] { requireMemory(2'000'000'000, 1'500'000, "weights"); });
        QVERIFY(availableMemory() > 1'000'000);
        QCOMPARE(byteText(999), std::string("999 bytes"));
        QCOMPARE(byteText(15'184'982), std::string("15.2 MB"));
        QCOMPARE(byteText(999'960), std::string("1.0 MB"));
    }
};

QTEST_GUILESS_MAIN(TestLoading)

#include "tst_loading.moc"
