// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "base/memory.h"
#include "checkpoint/checkpoint.h"
#include "inference/answer.h"
#include "loading/model_loader.h"
#include "loading/model_places.h"
#include "loading/special_ids.h"
#include "models/families/family.h"
#include "nn/engine.h"
#include "support/memory_used.h"
#include "support/sanitizers.h"
#include "support/test_program.h"
#include "support/verify_error.h"
#include "written_checkpoints.h"

#include <QDir>
#include <QFile>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <stop_token>
#include <string>
#include <unistd.h>

using namespace attn;
using test::caseDirectory;
using test::writeFile;

namespace fs = std::filesystem;

class TestLoading : public QObject
{
    Q_OBJECT

private:
    static fs::path pathOf(const QTemporaryDir& directory) { return directory.path().toStdString(); }

private Q_SLOTS:
    void init() { qputenv("ATTNSCOPE_MODELS", ATTN_TEST_DATA "/cases"); }
    void cleanup() { qunsetenv("ATTNSCOPE_MODELS"); }

    void aLargeCheckpointIsHeldOnce()
    {
        const QTemporaryDir directory;
        const fs::path path(directory.path().toStdString());
        test::writeLargeGpt2(path);
        Engine engine(1);
        LoadedModel loaded;
        const auto used = test::mostMemoryOf([&] { loaded = loadModel(path.string(), engine); });
        QVERIFY(loaded.model != nullptr);
        if (!used)
            QSKIP("this system does not say how much memory was used");
        const double share = *used / static_cast<double>(fs::file_size(path / "model.safetensors"));
        QVERIFY2(share < test::mostShare, qPrintable(QStringLiteral("%1 times the file").arg(share)));
    }

    void aDirectoryIsLoaded()
    {
        Engine engine(1);
        double last = 0;
        const LoadedModel loaded = loadModel(caseDirectory().string() + "/", engine, [&](const Progress& progress) {
            QVERIFY(progress.fraction >= last && progress.fraction <= 1);
            QVERIFY(!progress.name.empty());
            last = progress.fraction;
        });
        QVERIFY(last > 0.9);
        QCOMPARE(loaded.name, std::string("marian-relu"));
        QCOMPARE(loaded.model->info().encoderLayers, 2);
        QVERIFY(!loaded.tokenizers.source); // ids only
        QVERIFY(loaded.ignoredTensors.empty());
        QCOMPARE(loaded.weights.size(), std::size_t{1});
        QCOMPARE(loaded.weights.front().name, std::string("model.safetensors"));
        QCOMPARE(loaded.weights.front().tensors, std::size_t{60});
        QCOMPARE(loaded.weights.front().dtypes, std::vector{DType::F32});
    }

    void aFileInItIsLoadedToo()
    {
        Engine engine(1);
        QCOMPARE(loadModel((caseDirectory() / "model.safetensors").string(), engine).name, std::string("marian-relu"));
    }

    void anUnknownTokenizerLeavesIds()
    {
        QTemporaryDir directory;
        Engine engine(1);
        const fs::path path = pathOf(directory);
        for (const char* name : {"config.json", "model.safetensors"})
            fs::copy_file(caseDirectory().parent_path() / "bert-mlm" / name, path / name);
        writeFile(path / "vocab.txt", "[UNK]\n");
        writeFile(path / "tokenizer_config.json", R"({"tokenizer_class": "BertJapaneseTokenizer"})");
        const LoadedModel loaded = loadModel(path.string(), engine);
        QVERIFY(!loaded.tokenizers.source && !loaded.tokenizers.target);
        QVERIFY(loaded.tokenizerProblem);
        QCOMPARE(loaded.tokenizerProblem->kind(), ErrorKind::Unsupported);
        QVERIFY(std::string(loaded.tokenizerProblem->what()).find("BertJapanese") != std::string::npos);
        writeFile(path / "tokenizer.json", "{");
        test::verifyError(ErrorKind::Format, {"tokenizer.json"}, [&] { loadModel(path.string(), engine); });
    }

    void aBundledNameIsLoaded()
    {
        Engine engine(1);
        QCOMPARE(loadModel("rnn-bahdanau-gru", engine).model->info().crossHeads, 1);
    }

    void aLastingPathLeadsWhereTheSystemGoes()
    {
        const QTemporaryDir folder;
        const std::filesystem::path root = std::filesystem::canonical(folder.path().toStdString());
        std::filesystem::create_directories(root / "there/deep");
        std::filesystem::create_directories(root / "here");
        std::filesystem::create_directory_symlink(root / "there/deep", root / "here/link");
        QCOMPARE(lastingPath(root / "here/link/../model").string(), (root / "there/model").string());
        QCOMPARE(lastingPath(root / "there/../here/link").string(), (root / "here/link").string());
        QCOMPARE(lastingPath(root / "none/../here/link").string(), (root / "here/link").string());
        QCOMPARE(lastingPath(root / "here/./link/").string(), (root / "here/link").string()); // which keeps its name
        QCOMPARE(lastingPath("/").string(), std::string("/"));
        QCOMPARE(lastingPath("x//y/").string(), (std::filesystem::current_path() / "x/y").string());
        QCOMPARE(lastingModel((root / "here/../here").string()), (root / "here").string());
    }

    void bundledModelsSayWhatTheyAreFor()
    {
        QTemporaryDir directory;
        const fs::path models = pathOf(directory);
        for (const char* name : {"a", "b"}) {
            fs::create_directory(models / name);
            writeFile(models / name / "config.json", "{}");
        }
        writeFile(models / "a" / "README.md",
                  "---\nlanguage: [ en,fr ]\nmodel_name: Luong, general\npipeline_tag: translation\n---\n# A\n");
        writeFile(models / "b" / "README.md", "---\nlanguage: en\npipeline_tag: something-else\n---\n");
        qputenv("ATTNSCOPE_MODELS", directory.path().toUtf8());
        const auto found = bundledModels();
        QCOMPARE(found.size(), std::size_t{2});
        QCOMPARE(found[0].family, std::string("Luong, general"));
        QCOMPARE(found[0].task, ModelTask::Translation);
        QCOMPARE(found[0].languages, (std::vector<std::string>{"en", "fr"}));
        QCOMPARE(found[0].bytes(), fs::file_size(models / "a" / "README.md") + 2);
        QCOMPARE(found[1].task, ModelTask::Unknown);
        QCOMPARE(found[1].languages, (std::vector<std::string>{"en"}));
        QVERIFY(found[1].family.empty());
    }

    // Those that the program comes with.
    void everyBundledModelSaysWhatItIsFor()
    {
        const fs::path models = fs::path(ATTN_SOURCE_DIR) / "resources/models";
        if (!fs::exists(models))
            QSKIP("the models are not in this tree");
        qputenv("ATTNSCOPE_MODELS", models.c_str());
        for (const BundledModel& model : bundledModels()) {
            QVERIFY2(!model.family.empty() && model.task != ModelTask::Unknown, model.name.c_str());
            QVERIFY2(!model.languages.empty() && !model.summary.empty(), model.name.c_str());
        }
    }

    void bundledModelsComeWithTheirCardsFirstSentence()
    {
        QTemporaryDir directory;
        const fs::path models = pathOf(directory);
        for (const char* name : {"b", "a", "not-a-model"})
            fs::create_directory(models / name);
        writeFile(models / "a" / "config.json", "{}");
        writeFile(models / "b" / "config.json", "{}");
        writeFile(models / "a" / "README.md",
                  "---\nlicense: cc-by-2.0\n---\n# A\n\nTranslates (Bahdanau et al. 2015) well.\nVery well. "
                  "Really.\n\nMore.\n");
        qputenv("ATTNSCOPE_MODELS", directory.path().toUtf8());
        const auto found = bundledModels();
        QCOMPARE(found.size(), std::size_t{2});
        QCOMPARE(found[0].name, std::string("a"));
        QCOMPARE(found[0].summary, std::string("Translates (Bahdanau et al. 2015) well."));
        QCOMPARE(found[1].name, std::string("b"));
        QVERIFY(found[1].summary.empty());
        QCOMPARE(modelPath("b"), models / "b");
    }

    void anUnknownNameIsAnsweredWithTheBundledOnes()
    {
        test::verifyError(ErrorKind::File, {"no-such-model", "marian-relu", "rnn-bahdanau-gru"},
                          [] { modelPath("no-such-model"); });
        qputenv("ATTNSCOPE_MODELS", "/nonexistent");
        test::verifyError(ErrorKind::File, {"no models are bundled"}, [] { modelPath("marian-relu"); });
    }

    // Stopped after any part of any model, what has been read goes once.
    void loadingCanBeStoppedAtEveryPart()
    {
        Engine engine(1);
        for (const auto& entry : fs::directory_iterator(fs::path(ATTN_TEST_DATA) / "cases")) {
            for (int part = 1;; part += test::slowdown()) {
                std::stop_source stop;
                int parts = 0;
                const auto count = [&](const Progress&) {
                    if (++parts == part)
                        stop.request_stop();
                };
                try {
                    loadModel(entry.path().string(), engine, count, stop.get_token());
                    QVERIFY(part > 1);
                    break;
                } catch (const Error& error) {
                    QVERIFY2(error.kind() == ErrorKind::Cancelled, error.what());
                }
            }
        }
    }

    void aDirectoryWithoutConfigurationIsRefused()
    {
        QTemporaryDir directory;
        Engine engine(1);
        const auto load = [&] { loadModel(pathOf(directory).string(), engine); };
        test::verifyError(ErrorKind::File, {"model.safetensors", "pytorch_model.bin", "GGUF"}, load);
        fs::copy_file(caseDirectory() / "model.safetensors", pathOf(directory) / "model.safetensors");
        test::verifyError(ErrorKind::File, {"config.json"}, load);
    }

    void aFileThatHoldsNoWeightsIsNamedBeforeAConfigurationIsMissed_data()
    {
        test::addColumns<QString, bool>("name", "asFolder");
        QTest::newRow("gguf") << QStringLiteral("rubbish.gguf") << false;
        QTest::newRow("only gguf of a folder") << QStringLiteral("rubbish.gguf") << true;
        QTest::newRow("safetensors") << QStringLiteral("rubbish.safetensors") << false;
        QTest::newRow("torch") << QStringLiteral("rubbish.bin") << false;
    }
    void aFileThatHoldsNoWeightsIsNamedBeforeAConfigurationIsMissed()
    {
        QFETCH(QString, name);
        QFETCH(bool, asFolder);
        QTemporaryDir directory;
        const fs::path file = pathOf(directory) / name.toStdString();
        QByteArray bytes;
        for (int i = 0; i < 4096; ++i)
            bytes.append(static_cast<char>((i * 197 + 131) % 251));
        writeFile(file, bytes);
        Engine engine(1);
        test::verifyError(ErrorKind::Format, {name.toStdString()},
                          [&] { loadModel((asFolder ? pathOf(directory) : file).string(), engine); });
    }

    void decodingSettingsMayBeInGenerationConfig()
    {
        QTemporaryDir directory;
        Engine engine(1);
        const fs::path path = pathOf(directory);
        fs::copy_file(caseDirectory() / "model.safetensors", path / "model.safetensors");
        QFile file(QString::fromStdString((caseDirectory() / "config.json").string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray config = file.readAll();
        QVERIFY(config.contains(R"("decoder_start_token_id": 139,)"));
        config.replace(R"("decoder_start_token_id": 139,)", "");
        writeFile(path / "config.json", config);
        const auto info = [&] { return loadModel(path.string(), engine).model->info(); };
        QCOMPARE(info().decoderStart, 0); // bos
        QVERIFY(!info().firstToken);

        writeFile(path / "generation_config.json",
                  R"({"decoder_start_token_id": 7, "eos_token_id": [3, 0], "forced_bos_token_id": 9,
                      "bad_words_ids": [[4], [5, 6]], "pad_token_id": null, "max_length": 20})");
        QCOMPARE(info().decoderStart, 7);
        QCOMPARE(info().endToken, std::optional(3)); // config.json says 0
        QCOMPARE(info().otherEndTokens, std::vector<TokenId>{0});
        QCOMPARE(info().firstToken, std::optional(9));
        QCOMPARE(info().badTokens, std::vector<TokenId>{4});

        writeFile(path / "generation_config.json", "{}");
        QCOMPARE(info().endToken, std::optional(0));
        QCOMPARE(info().badTokens, std::vector<TokenId>{139});
    }

    void wrongGenerationConfigIsRefused_data()
    {
        test::addColumns<QByteArray, QByteArray>("content", "word");
        QTest::newRow("text") << QByteArray(R"({"eos_token_id": "</s>"})") << QByteArray("eos_token_id");
        QTest::newRow("list") << QByteArray(R"({"pad_token_id": [1, 2]})") << QByteArray("pad_token_id");
        QTest::newRow("flat") << QByteArray(R"({"bad_words_ids": [1, 2]})") << QByteArray("bad_words_ids");
        QTest::newRow("beyond") << QByteArray(R"({"decoder_start_token_id": 140})") << QByteArray("from 0 to 139");
        QTest::newRow("damaged") << QByteArray("{") << QByteArray("JSON");
    }
    void wrongGenerationConfigIsRefused()
    {
        QFETCH(const QByteArray, content);
        QFETCH(const QByteArray, word);
        QTemporaryDir directory;
        Engine engine(1);
        for (const char* name : {"config.json", "model.safetensors"})
            fs::copy_file(caseDirectory() / name, pathOf(directory) / name);
        writeFile(pathOf(directory) / "generation_config.json", content);
        test::verifyError(ErrorKind::Format, {"generation_config.json", word.toStdString()},
                          [&] { loadModel(pathOf(directory).string(), engine); });
    }

    // The golden case with one more tensor, [1] of f8, or with one of its own in that type.
    static QByteArray withEightBits(bool needed)
    {
        QFile file(QString::fromStdString((caseDirectory() / "model.safetensors").string()));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("the case has no weights");
        const QByteArray all = file.readAll();
        std::uint64_t length = 0;
        std::memcpy(&length, all.constData(), sizeof length);
        QByteArray header = all.mid(8, qsizetype(length)).trimmed();
        const QByteArray values = all.mid(8 + qsizetype(length));
        if (needed) {
            const auto at = header.indexOf("F32", header.indexOf("model.decoder.layers.0.fc1.bias"));
            header.replace(at, 3, "F8_E8M0");
        } else {
            header.chop(1);
            header += R"(,"stray":{"dtype":"F8_E8M0","shape":[1],"data_offsets":[)" + QByteArray::number(values.size())
                + "," + QByteArray::number(values.size() + 1) + "]}}";
        }
        const auto size = static_cast<std::uint64_t>(header.size());
        return QByteArray(reinterpret_cast<const char*>(&size), 8) + header + values + (needed ? "" : "x");
    }

    void tensorsOfUnknownTypesMatterOnlyWhereTheyAreNeeded()
    {
        QTemporaryDir directory;
        Engine engine(1);
        fs::copy_file(caseDirectory() / "config.json", pathOf(directory) / "config.json");
        writeFile(pathOf(directory) / "model.safetensors", withEightBits(false));
        const LoadedModel loaded = loadModel(pathOf(directory).string(), engine);
        QCOMPARE(loaded.ignoredTensors, std::vector<std::string>{"stray"});
        QCOMPARE(loaded.weights.front().tensors, std::size_t{61});
        writeFile(pathOf(directory) / "model.safetensors", withEightBits(true));
        test::verifyError(
            ErrorKind::Unsupported,
            {(pathOf(directory) / "model.safetensors").string(), "model.decoder.layers.0.fc1.bias", "F8_E8M0"},
            [&] { loadModel(pathOf(directory).string(), engine); });
    }

    void shardsAreLoadedAndDescribed()
    {
        QTemporaryDir directory;
        Engine engine(1);
        const fs::path path = pathOf(directory);
        fs::copy_file(caseDirectory() / "config.json", path / "config.json");
        test::writeShards(path);
        const auto whole = loadModel(caseDirectory().string(), engine);
        for (const char* given : {"", "model.safetensors.index.json", "model-00002-of-00002.safetensors"}) {
            const LoadedModel loaded = loadModel((path / given).string(), engine);
            QCOMPARE(loaded.model->info().parameters, whole.model->info().parameters);
            QCOMPARE(loaded.weights.size(), std::size_t{2});
            QCOMPARE(loaded.weights[0].tensors + loaded.weights[1].tensors, std::size_t{60});
            QCOMPARE(loaded.weights[1].name, std::string("model-00002-of-00002.safetensors"));
            QCOMPARE(loaded.weights[1].tensors, std::size_t{1});
            QVERIFY(fs::equivalent(loaded.directory, path));
        }
    }

    void aGgufFileNeedsNothingElse()
    {
        QTemporaryDir directory;
        Engine engine(1);
        const fs::path file = pathOf(directory) / "tiny-q8.gguf";
        test::writeTinyLlama(file);
        for (const fs::path& given : {file, pathOf(directory)}) {
            const LoadedModel loaded = loadModel(given.string(), engine);
            QCOMPARE(loaded.name, given == file ? std::string("tiny-q8") : given.filename().string());
            const ModelInfo& info = loaded.model->info();
            QCOMPARE(info.family, std::string("llama"));
            QCOMPARE(info.decoderLayers, 1);
            QCOMPARE(info.decoderHeads, 4);
            QCOMPARE(info.keyValueHeads, 2);
            QCOMPARE(info.storedDType, std::string("q8_0"));
            QCOMPARE(loaded.weights.front().tensors, std::size_t{11});
            QCOMPARE(loaded.weights.front().name, std::string("tiny-q8.gguf"));
            QCOMPARE(loaded.weights.front().dtypes, (std::vector{DType::Q8_0, DType::F32}));
            QVERIFY(loaded.ignoredTensors.empty());
            QCOMPARE(tokenizerPath(given.string()), file);
        }
    }

    void aModelWithoutItsFirstPartSaysSo()
    {
        QTemporaryDir directory;
        Engine engine(1);
        test::writeTinyLlama(pathOf(directory) / "m-00002-of-00002.gguf");
        test::verifyError(ErrorKind::File, {"m-00001-of-00002.gguf", "is missing"},
                          [&] { (void)loadModel(directory.path().toStdString(), engine); });
    }

    void aGgufFileIsNotDescribedByWhatLiesBesideIt_data()
    {
        QTest::addColumn<QByteArray>("config");
        QFile marian(QString::fromStdString((caseDirectory() / "config.json").string()));
        QVERIFY(marian.open(QIODevice::ReadOnly));
        QTest::newRow("another model's") << marian.readAll();
        QTest::newRow("no JSON") << QByteArray("{\"model_type\": ");
    }
    void aGgufFileIsNotDescribedByWhatLiesBesideIt()
    {
        QFETCH(QByteArray, config);
        QTemporaryDir directory;
        Engine engine(1);
        const fs::path file = pathOf(directory) / "tiny.gguf";
        test::writeTinyLlama(file);
        writeFile(pathOf(directory) / "config.json", config);
        writeFile(pathOf(directory) / "generation_config.json", "{\"eos_token_id\": 7}");
        for (const fs::path& given : {file, pathOf(directory), pathOf(directory) / "config.json"}) {
            const LoadedModel loaded = loadModel(given.string(), engine);
            QCOMPARE(loaded.model->info().family, std::string("llama"));
            QVERIFY(namedIds(loaded).empty() && specialIds(loaded).empty()); // the file names none
            QCOMPARE(loaded.files.size(), std::size_t{1});
            QCOMPARE(tokenizerPath(given.string()), file);
        }
    }

    void aModelKeepsWhatItsConfigurationSaid()
    {
        QTemporaryDir directory;
        Engine engine(1);
        const fs::path path = pathOf(directory) / "model";
        fs::copy(caseDirectory(), path);
        writeFile(path / "generation_config.json", "{\"eos_token_id\": [1, 2]}");
        const LoadedModel loaded = loadModel(path.string(), engine);
        QVERIFY(loaded.files == modelFiles(path.string()));
        const std::vector<TokenId> ids = specialIds(loaded);
        QVERIFY(std::ranges::count(ids, 1) > 0 && std::ranges::count(ids, 2) > 0);
        writeFile(path / "config.json", "{");
        QVERIFY(specialIds(loaded) == ids);
        QVERIFY(loaded.files != modelFiles(path.string()));
        fs::remove_all(path);
        QVERIFY(specialIds(loaded) == ids);
        test::verifyError(ErrorKind::File, {path.string()}, [&] { (void)modelFiles(path.string()); });
    }

    void memoryIsCountedAsItWillBeUsed()
    {
        QTemporaryDir directory;
        const fs::path file = pathOf(directory) / "tiny.gguf";
        test::writeTinyLlama(file);
        // 48 x 32 is the largest: q, k, v, o, three of the feed-forward, three norms, and the tied table.
        const std::uint64_t values = 32 * 32 + 2 * 16 * 32 + 32 * 32 + 3 * 48 * 32 + 3 * 32 + 64 * 32;
        const auto checkpoint = openCheckpoint(file, ggufLayouts());
        std::uint64_t beside = 0; // blocks that few rows are multiplied with
        for (const std::string& name : checkpoint->tensorNames())
            if (const TensorView view = checkpoint->find(name).value(); valuesPerBlock(view.dtype) > 1)
                beside += storedBytes(view.dtype, static_cast<std::size_t>(elementCount(view.shape)));
        std::uint64_t asked = 0;
        Engine engine(1);
        familyOf(*checkpoint->config())
            .build({*checkpoint->config(), checkpoint, engine, {}, {}, [&](const WeightMemory& needed) {
                        asked = needed.widened;
                        return WeightStorage::Widened;
                    }});
        QVERIFY(beside > 0);
        QCOMPARE(asked, (values + 64 * 32) * sizeof(float) + beside);
    }

    // Folders of a Hugging Face cache: refs/main names the snapshot, else the newest counts.
    void cachesOpenFromTheirTop()
    {
        QTemporaryDir directory;
        const fs::path model = pathOf(directory) / "models--org--tiny";
        const fs::path snapshot = model / "snapshots" / "abc";
        fs::create_directories(snapshot);
        fs::create_directories(model / "snapshots" / "def");
        fs::create_directories(model / "refs");
        writeFile(model / "refs" / "main", "abc\n");
        for (const char* name : {"config.json", "model.safetensors"})
            fs::create_symlink(caseDirectory() / name, snapshot / name);
        Engine engine(1);
        const LoadedModel loaded = loadModel(model.string(), engine);
        QCOMPARE(loaded.name, std::string("org/tiny"));
        QCOMPARE(loaded.directory, snapshot);
        fs::remove(snapshot / "model.safetensors");
        fs::create_symlink("../../blobs/gone", snapshot / "model.safetensors");
        test::verifyError(ErrorKind::File, {"model.safetensors", "gone"},
                          [&] { (void)loadModel(model.string(), engine); });
        fs::remove(snapshot / "config.json");
        fs::create_symlink("../../blobs/lost", snapshot / "config.json");
        test::verifyError(ErrorKind::File, {"config.json", "lost"}, [&] { (void)loadModel(model.string(), engine); });
        fs::remove_all(model / "snapshots");
        fs::create_directories(model / "snapshots");
        test::verifyError(ErrorKind::File, {"holds no snapshot"}, [&] { (void)loadModel(model.string(), engine); });
    }

    void ollamaManifestsNameTheirModel()
    {
        QTemporaryDir directory;
        const fs::path blobs = pathOf(directory) / "blobs";
        const fs::path manifests = pathOf(directory) / "manifests" / "registry.ollama.ai" / "library" / "tiny";
        fs::create_directories(blobs);
        fs::create_directories(manifests);
        const std::string hash(64, 'a');
        writeFile(manifests / "latest",
                  QByteArray(R"({"layers":[{"mediaType":"application/vnd.ollama.image.license","digest":"sha256:0"},)"
                             R"({"mediaType":"application/vnd.ollama.image.model","digest":"sha256:)")
                      + hash.c_str() + "\"}]}");
        const auto path = [&] { return modelPath((manifests / "latest").string()); };
        test::verifyError(ErrorKind::File, {"sha256-" + hash, "is missing"}, [&] { (void)path(); });
        test::writeTinyLlama(blobs / ("sha256-" + hash));
        QCOMPARE(path(), blobs / ("sha256-" + hash));
        qputenv("OLLAMA_MODELS", directory.path().toLocal8Bit());
        const auto unset = qScopeGuard([] { qunsetenv("OLLAMA_MODELS"); });
        const std::vector<FoundModel> found = findModels({});
        QVERIFY(std::ranges::find(found, "tiny:latest", &FoundModel::name) != found.end());
        std::stop_source stopped;
        stopped.request_stop();
        test::verifyError(ErrorKind::Cancelled, {}, [&] { (void)findModels(stopped.get_token()); });
        writeFile(manifests / "latest", R"({"layers":[]})");
        test::verifyError(ErrorKind::Format, {"latest", "names no layer"}, [&] { (void)path(); });
        writeFile(manifests / "latest",
                  R"({"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"../../x"}]})");
        test::verifyError(ErrorKind::Format, {"latest", "layers"}, [&] { (void)path(); });
    }

    void foldersOfSeveralModelsListThem()
    {
        QTemporaryDir directory;
        for (const char* name : {"one", "two"}) {
            fs::create_directories(pathOf(directory) / name);
            fs::copy_file(caseDirectory() / "config.json", pathOf(directory) / name / "config.json");
        }
        test::verifyError(ErrorKind::File, {"one", "two"}, [&] { (void)modelPath(pathOf(directory).string()); });
        QTemporaryDir files;
        test::writeTinyLlama(pathOf(files) / "a.gguf");
        QCOMPARE(modelPath(pathOf(files).string()), pathOf(files));
        test::writeTinyLlama(pathOf(files) / "mmproj-F16.gguf"); // what reads pictures for the other one
        QCOMPARE(modelPath(pathOf(files).string()), pathOf(files));
        Engine engine(1);
        QCOMPARE(loadModel(pathOf(files).string(), engine).weights.front().name, std::string("a.gguf"));
        test::writeTinyLlama(pathOf(files) / "b.gguf");
        test::verifyError(ErrorKind::File, {"a.gguf", "b.gguf"}, [&] { (void)modelPath(pathOf(files).string()); });
    }

    void aFolderOfOneModelMeansThat()
    {
        QTemporaryDir directory;
        const fs::path model = pathOf(directory) / "hub" / "models--org--tiny";
        const fs::path snapshot = model / "snapshots" / "abc";
        fs::create_directories(snapshot);
        fs::copy_file(caseDirectory() / "config.json", snapshot / "config.json");
        for (const fs::path& given : {model.parent_path(), snapshot.parent_path()})
            QCOMPARE(modelPath(given.string()), snapshot);
    }

    // Values times what stands beside them, for all of them, for each row or for blocks.
    void eightBitWeightsAreScaled()
    {
        QTemporaryDir directory;
        const fs::path file = pathOf(directory) / "model.safetensors";
        const auto scaled = [&](const QByteArray& shape, std::vector<float> scales) {
            const QByteArray values(reinterpret_cast<const char*>(scales.data()),
                                    static_cast<qsizetype>(scales.size() * sizeof(float)));
            const QByteArray header = R"({"w.weight":{"dtype":"F8_E4M3","shape":[3,4],"data_offsets":[0,12]},)"
                                      R"("w.weight_scale_inv":{"dtype":"F32","shape":)"
                + shape + R"(,"data_offsets":[12,)" + QByteArray::number(12 + values.size()) + "]}}";
            const auto length = static_cast<std::uint64_t>(header.size());
            // 1, -2, 0.5, the smallest subnormal, then ones
            const char given[] = {0x38, static_cast<char>(0xC0), 0x30, 0x01, 0x38, 0x38, 0x38, 0x38, 0x38, 0x38, 0x38,
                                  0x38};
            writeFile(file,
                      QByteArray(reinterpret_cast<const char*>(&length), 8) + header + QByteArray(given, 12) + values);
            const auto checkpoint = openCheckpoint(file);
            if (checkpoint->tensorNames() != std::vector<std::string>{"w.weight"})
                qFatal("the scales are tensors of their own");
            const Tensor tensor = checkpoint->load("w.weight", {3, 4});
            return std::vector<float>(tensor.values().begin(), tensor.values().end());
        };
        const float least = std::ldexp(1.0F, -9);
        QCOMPARE(scaled("[]", {2}), (std::vector<float>{2, -4, 1, 2 * least, 2, 2, 2, 2, 2, 2, 2, 2}));
        QCOMPARE(scaled("[3,1]", {1, 2, 4}), (std::vector<float>{1, -2, 0.5F, least, 2, 2, 2, 2, 4, 4, 4, 4}));
        writeFile(pathOf(directory) / "config.json", R"({"quantization_config":{"weight_block_size":[2,3]}})");
        QCOMPARE(scaled("[2,2]", {1, 2, 3, 4}), (std::vector<float>{1, -2, 0.5F, 2 * least, 1, 1, 1, 2, 3, 3, 3, 4}));
        test::verifyError(ErrorKind::Format, {"w.weight", "[3, 2]"}, [&] {
            (void)scaled("[3,2]", {1, 2, 3, 4, 5, 6});
        });
    }

    void foldersThatCannotBeReadAreNamed()
    {
        QTemporaryDir directory;
        const fs::path path = pathOf(directory) / "model";
        fs::create_directory(path);
        const bool isRoot = ::geteuid() == 0; // who may read everything
        for (const auto mode : {fs::perms{0300}, fs::perms{0600}, fs::perms{0000}}) {
            fs::permissions(path, mode);
            fs::permissions(pathOf(directory), fs::perms{0755});
            if (isRoot)
                QCOMPARE(::seteuid(65534), 0);
            const auto back = qScopeGuard([isRoot] {
                if (isRoot && ::seteuid(0) != 0)
                    qFatal("not root again");
            });
            test::verifyError(ErrorKind::File, {"cannot be read: Permission denied"}, [&] { (void)weightsPath(path); });
        }
        fs::permissions(path, fs::perms{0700});
        test::verifyError(ErrorKind::File, {"holds no model.safetensors"}, [&] { (void)weightsPath(path); });
    }

    void damagedWeightsAreRefused()
    {
        QTemporaryDir directory;
        Engine engine(1);
        fs::copy_file(caseDirectory() / "config.json", pathOf(directory) / "config.json");
        const auto load = [&] { loadModel(pathOf(directory).string(), engine); };
        test::verifyError(ErrorKind::File, {}, load);
        QFile whole(QString::fromStdString((caseDirectory() / "model.safetensors").string()));
        QVERIFY(whole.open(QIODevice::ReadOnly));
        const QByteArray bytes = whole.readAll();
        for (const int length : {0, 7, 100, static_cast<int>(bytes.size()) - 1}) {
            writeFile(pathOf(directory) / "model.safetensors", bytes.left(length));
            test::verifyError(ErrorKind::Format, {"model.safetensors"}, load);
        }
    }

    // A page or more is missing; the error names the file wherever it is noticed.
    void weightsThatShrinkAreAnError()
    {
        QTemporaryDir directory;
        const fs::path path = pathOf(directory);
        const fs::path weights = path / "model.safetensors";
        Engine engine(1);
        test::writeLargeGpt2(path);
        const std::uintmax_t bytes = fs::file_size(weights);
        test::verifyError(ErrorKind::File, {"model.safetensors", "changed"}, [&] {
            loadModel(path.string(), engine, [&](const Progress& progress) {
                if (progress.fraction > 0.3 && fs::file_size(weights) == bytes)
                    fs::resize_file(weights, bytes / 4);
            });
        });
        test::writeLargeGpt2(path);
        const LoadedModel loaded = loadModel(path.string(), engine);
        fs::resize_file(weights, 4096);
        Question question;
        question.sourceIds = {1, 2, 3};
        test::verifyError(ErrorKind::File, {"model.safetensors", "changed"},
                          [&] { (void)answer(question, loaded, engine); });
    }

    void aStopEndsLoading()
    {
        Engine engine(1);
        std::stop_source stop;
        test::verifyError(ErrorKind::Cancelled, {}, [&] {
            loadModel(
                caseDirectory().string(), engine, [&](const Progress&) { stop.request_stop(); }, stop.get_token());
        });
    }

    void moreMemoryThanThereIsIsRefusedWithNumbers()
    {
        requireMemory(100, 100, "weights");
        test::verifyError(ErrorKind::Resource, {"weights", "2.0 GB", "1.5 MB"},
                          [] { requireMemory(2'000'000'000, 1'500'000, "weights"); });
        QVERIFY(availableMemory() > 1'000'000);
        QVERIFY_EXCEPTION_THROWN(requireMemory(std::uint64_t{1} << 60U, "weights"), Error);
        QCOMPARE(byteText(999), std::string("999 bytes"));
        QCOMPARE(byteText(15'184'982), std::string("15.2 MB"));
        QCOMPARE(byteText(999'960), std::string("1.0 MB"));
    }

    void controlGroupsLimitMemory()
    {
        QTemporaryDir directory;
        const fs::path root = pathOf(directory);
        const auto put = [&](const char* file, const char* text) {
            fs::create_directories((root / file).parent_path());
            writeFile(root / file, text);
        };
        const std::uint64_t none = controlGroupMemory(root);
        QVERIFY(none > std::uint64_t{1} << 60U);
        put("proc/self/cgroup", "5:devices:/\n4:memory:/jobs/one\n0::/\n"); // version 1
        put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        put("sys/fs/cgroup/memory/memory.usage_in_bytes", "800\n");
        QVERIFY(controlGroupMemory(root) > std::uint64_t{1} << 60U);
        put("sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "5000\n");
        put("sys/fs/cgroup/memory/jobs/memory.usage_in_bytes", "1000\n");
        put("sys/fs/cgroup/memory/jobs/memory.stat", "cache 900\ntotal_inactive_file 400\n");
        put("sys/fs/cgroup/memory/jobs/one/memory.limit_in_bytes", "9000\n");
        put("sys/fs/cgroup/memory/jobs/one/memory.usage_in_bytes", "1000\n");
        QCOMPARE(controlGroupMemory(root), std::uint64_t{4400});
        put("proc/self/cgroup", "0::/a/b\n"); // version 2
        put("sys/fs/cgroup/a/memory.max", "3000\n");
        put("sys/fs/cgroup/a/memory.current", "1000\n");
        put("sys/fs/cgroup/a/memory.stat", "anon 5\ninactive_file 100\n");
        put("sys/fs/cgroup/a/b/memory.max", "max\n");
        put("sys/fs/cgroup/a/b/memory.current", "10\n");
        QCOMPARE(controlGroupMemory(root), std::uint64_t{2100});
        put("sys/fs/cgroup/a/b/memory.max", "5\n");
        QCOMPARE(controlGroupMemory(root), std::uint64_t{0});
    }

    void limitsAreSetByName()
    {
        const auto json = static_cast<std::size_t>(Limit::Json);
        QCOMPARE(parseLimits({}).size(), limitRows().size());
        QCOMPARE(parseLimits("lines=7, json=3K archive=2G")[json], std::uint64_t{3072});
        QCOMPARE(parseLimits("json=3K")[static_cast<std::size_t>(Limit::Lines)], std::uint64_t{1'000'000});
        QCOMPARE(std::string(limitRows()[json].key), std::string("json"));
        for (const char* wrong : {"json", "json=", "json=K", "json=-1", "jason=1", "json=99999999999G", "json=1T"})
            test::verifyError(ErrorKind::Input, {limitsVariable, wrong, "archive"}, [&] { (void)parseLimits(wrong); });
    }
};

ATTN_TEST(TestLoading)

#include "tst_loading.moc"
