// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "nn/engine.h"
#include "run/model_store.h"
#include "support/test_program.h"
#include "support/word_models.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <memory>
#include <string>

using namespace attn;
using namespace attn::ui;

namespace {

using Reuse = ModelStore::Reuse;

// A model that is loaded, and whose files may become others.
struct Desk
{
    std::shared_ptr<const LoadedModel> load(Reuse reuse) { return store.load(path, engine, {}, {}, reuse); }
    std::string file(const char* name) const { return path + '/' + name; }

    QTemporaryDir folder;
    std::string path = test::recurrentModel(folder.path()).toStdString();
    Engine engine{1};
    ModelStore store;
};

void append(const std::string& path, const QByteArray& bytes)
{
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Append));
    QCOMPARE(file.write(bytes), bytes.size());
}

} // namespace

// Which models are loaded, while their files change.
class TestModelStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatHasNotChangedIsLoadedOnce()
    {
        Desk desk;
        const auto model = desk.load(Reuse::Unchanged);
        append(desk.file("README.md"), "# A card\n"); // nothing that the model is made of
        QCOMPARE(desk.load(Reuse::Unchanged), model);
        QCOMPARE(desk.load(Reuse::Always), model);
        QVERIFY(desk.store.holds(*model->model));
    }

    void changedFilesAreReadWhenTheModelIsOpened_data()
    {
        test::addColumns<QByteArray, QByteArray>("name", "text");
        QTest::newRow("written") << QByteArray("config.json") << QByteArray("\n");
        QTest::newRow("added") << QByteArray("generation_config.json") << QByteArray("{}");
        QTest::newRow("tokenizer") << QByteArray("source.vocab") << QByteArray("more\n");
    }
    void changedFilesAreReadWhenTheModelIsOpened()
    {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, text);
        Desk desk;
        const auto model = desk.load(Reuse::Always);
        if (name == "source.vocab") { // another file of the same length
            const std::string vocabulary = desk.file(name.constData());
            std::filesystem::copy_file(vocabulary, desk.file("copy"));
            std::filesystem::rename(desk.file("copy"), vocabulary);
        } else {
            append(desk.file(name.constData()), text);
        }
        QCOMPARE(desk.load(Reuse::Always), model); // which a run goes on with
        const auto again = desk.load(Reuse::Unchanged);
        QVERIFY(again != model);
        QVERIFY(!desk.store.holds(*model->model) && desk.store.holds(*again->model));
        QCOMPARE(desk.load(Reuse::Always), again);
        QCOMPARE(desk.load(Reuse::Unchanged), again);
    }

    void whatCannotBeLoadedLeavesWhatWasThere()
    {
        Desk desk;
        const auto model = desk.load(Reuse::Always);
        append(desk.file("config.json"), "}");
        QVERIFY_THROWS_EXCEPTION(Error, desk.load(Reuse::Unchanged));
        QCOMPARE(desk.load(Reuse::Always), model);
        QVERIFY(QDir(QString::fromStdString(desk.path)).removeRecursively());
        QVERIFY_THROWS_EXCEPTION(Error, desk.load(Reuse::Unchanged));
        QCOMPARE(desk.load(Reuse::Always), model);
    }

    void theDigestIsOfTheWeightsThatWereLoaded()
    {
        Desk desk;
        const std::vector<SeenFile> weights = weightFiles(*desk.load(Reuse::Always));
        QCOMPARE(weights.size(), std::size_t{1});
        QCOMPARE(weights.front().path.string(), desk.file("model.safetensors"));
        QCOMPARE(weightsSha256(weights).size(), 64);
        const std::filesystem::path bytes = weights.front().path.parent_path() / "\xff.bin"; // which are no UTF-8
        std::filesystem::copy_file(weights.front().path, bytes);
        QCOMPARE(weightsSha256({{bytes, fileState(bytes).value()}}), weightsSha256(weights));
        append(desk.file("model.safetensors"), " ");
        QVERIFY(weightsSha256(weights).isEmpty());
        QVERIFY(QFile::remove(QString::fromStdString(desk.file("model.safetensors"))));
        QVERIFY(weightsSha256(weights).isEmpty());
    }
};

ATTN_TEST(TestModelStore)
#include "tst_model_store.moc"
