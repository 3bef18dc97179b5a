// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// clang-format off
#include <filesystem>
#include <string>
// clang-format on

#include "base/error.h"
#include "io/json.h"
#include "loading/model_card.h"
#include "loading/model_loader.h"
#include "support/test_program.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace attn;

// What scores.json says of quality by source length.
class TestLengthScores : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    void write(const QString& name, const QByteArray& bytes) const
    {
        QFile file(m_folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }

    std::filesystem::path folder() const { return m_folder.path().toStdString(); }

private Q_SLOTS:
    void init()
    {
        QFile::remove(m_folder.filePath(QStringLiteral("scores.json")));
        QFile::remove(m_folder.filePath(QStringLiteral("config.json")));
    }

    void scoresAreReadInTheOrderOfLength()
    {
        write(
            QStringLiteral("scores.json"),
            R"({"bleu": 30, "beam": 4, "test_set_by_length": "News", "bleu_by_length": [{"from": 6, "to": 9, "sentences": 8, "bleu": 12.5},
                  {"from": 1, "to": 5, "sentences": 3, "bleu": 40}]})");
        const auto scores = readLengthScores(folder());
        QVERIFY(scores.has_value());
        QCOMPARE(scores->beam, 4);
        QCOMPARE(scores->testSet, std::string("News"));
        QCOMPARE(scores->lengths.size(), std::size_t(2));
        QCOMPARE(scores->lengths[0].from, 1);
        QCOMPARE(scores->lengths[0].sentences, 3);
        QCOMPARE(scores->lengths[1].to, 9);
        QCOMPARE(scores->lengths[1].bleu, 12.5);
    }

    void aCardHasExamplesDataAndAScore()
    {
        write(QStringLiteral("README.md"),
              "---\nlanguage: en\ndatasets:\n- One\n- \"Two: more\"\nwidget:\n- text: \"A: b.\"\n- text: C d\n"
              "  example_title: other\n  attention: [encoder:1:mean, C, d, 0.25]\n  output:\n    text: \"E: f\"\n"
              "- text: G\n  attention: [encoder:1:mean, C, d, much]\n---\n# Title\n\n- text: none\n");
        write(QStringLiteral("scores.json"), R"({"test": {"all": {"perplexity": 12.5}}})");
        const ModelCard card = readModelCard(folder());
        QCOMPARE(card.datasets, (std::vector<std::string>{"One", "Two: more"}));
        QCOMPARE(card.examples.size(), std::size_t{3});
        QCOMPARE(card.examples[0].text, std::string("A: b."));
        QVERIFY(!card.examples[0].attention && card.examples[0].output.empty());
        QCOMPARE(card.examples[1].text, std::string("C d"));
        QCOMPARE(card.examples[1].output, std::string("E: f"));
        QCOMPARE(card.examples[1].title, std::string("other"));
        QVERIFY(card.examples[0].title.empty());
        const auto& shown = card.examples[1].attention;
        QVERIFY(shown && shown->query == "C" && shown->key == "d" && shown->weight == 0.25F);
        QCOMPARE(siteText(shown->site), std::string("encoder:1:mean"));
        QVERIFY(!card.examples[2].attention); // of a card that is damaged
        QVERIFY(card.score && card.score->measure == ModelScore::Measure::Perplexity);
        QCOMPARE(card.score->value, 12.5);
        write(QStringLiteral("scores.json"), "{\"bleu\": "); // cut short
        QVERIFY(!readModelCard(folder()).score);
        QFile::remove(m_folder.filePath(QStringLiteral("README.md")));
        QVERIFY(readModelCard(folder()).examples.empty());
    }

    void anExampleIsAPictureOfItsFolder()
    {
        write(QStringLiteral("README.md"),
              "---\nwidget:\n- src: a dog.png\n  output:\n    text: a dog\n- src: ../elsewhere.png\n"
              "- src: /etc/elsewhere.png\n- text: A b\n---\n");
        const ModelCard card = readModelCard(folder());
        QCOMPARE(card.examples.size(), std::size_t{2});
        QCOMPARE(card.examples[0].file, (folder() / "a dog.png").string());
        QCOMPARE(card.examples[0].output, std::string("a dog"));
        QVERIFY(card.examples[0].text.empty() && card.examples[1].file.empty());
    }

    void onlyTheBeginningOfACardIsRead()
    {
        const std::filesystem::path card = folder() / "README.md";
        const QByteArray front = "---\nwidget:\n- text: A b\n---\n";
        write(QStringLiteral("README.md"), front);
        std::filesystem::resize_file(card, std::uintmax_t{64} << 20U); // of which nothing is on the disk
        QCOMPARE(readModelCard(folder()).examples.size(), std::size_t{1});
        QCOMPARE(readModelCard(folder()).examples[0].text, std::string("A b"));
        QVERIFY(modelCardText(folder()).size() < std::size_t{1} << 20U);
        std::filesystem::remove(card);
        std::filesystem::create_directory(card);
        QVERIFY(modelCardText(folder()).empty() && readModelCard(folder()).examples.empty());
        std::filesystem::remove(card);
        QCOMPARE(mkfifo(card.c_str(), 0600), 0); // nobody writes to it
        QVERIFY(modelCardText(folder()).empty() && readModelCard(folder()).examples.empty());
        std::filesystem::remove(card);
    }

    void whatACardSaysIsBounded()
    {
        std::string text = "---\nlanguage: [";
        for (int i = 0; i < 1000; ++i)
            text += "en,";
        text += "]\npipeline_tag: fill-mask\n---\n" + std::string(50'000, 'a') + '\n' + std::string(9'000, 'b') + ".\n";
        BundledModel model;
        describe(model, text);
        QVERIFY(model.task == ModelTask::MaskedWords);
        QCOMPARE(model.languages.size(), std::size_t{50});
        QVERIFY(model.summary.size() < 5000);
    }

    void everyBundledModelHasACard()
    {
        const auto models = bundledModels();
        QVERIFY(models.size() >= 10);
        for (const BundledModel& model : models) {
            const ModelCard card = readModelCard(model.directory);
            QVERIFY2(card.examples.size() >= 3, model.name.c_str());
            QVERIFY2(!card.datasets.empty() && card.score, model.name.c_str());
        }
    }

    void modelsWithoutThemHaveNone()
    {
        QVERIFY(!readLengthScores(folder()));
        write(QStringLiteral("scores.json"), R"({"accuracy": 0.9})");
        QVERIFY(!readLengthScores(folder()));
    }

    void theReadmeSaysTheirScores()
    {
        QFile readme(QStringLiteral(ATTN_SOURCE_DIR "/README.md"));
        QVERIFY(readme.open(QIODevice::ReadOnly));
        const QByteArray text = readme.readAll();
        for (const BundledModel& model : bundledModels()) {
            const Json scores = readJson(model.directory / modelScoresFile);
            if (!scores.contains("bleu"))
                continue;
            const auto number = [&scores](const char* key) {
                return QByteArray::number(scores.at(key).get<double>(), 'f', 1);
            };
            const QByteArray row = "| `" + QByteArray::fromStdString(model.name) + "` | " + number("bleu_europarl")
                + " | " + number("bleu") + " |\n";
            QVERIFY2(text.contains(row), row);
        }
    }

    void brokenScoresAreRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("no JSON") << QByteArray("{\"bleu_by_length\": [");
        QTest::newRow("no list") << QByteArray(R"({"bleu_by_length": 3})");
        QTest::newRow("empty list") << QByteArray(R"({"bleu_by_length": []})");
        const auto named = [](const QByteArray& name) {
            return R"({"test_set_by_length": )" + name
                + R"(, "bleu_by_length": [{"from": 4, "to": 4, "sentences": 1, "bleu": 1}]})";
        };
        QTest::newRow("name of numbers") << named("[1]");
        QTest::newRow("name without end") << named('"' + QByteArray(1000, 'x') + '"');
        QTest::newRow("no object") << QByteArray(R"({"bleu_by_length": [4]})");
        QTest::newRow("backwards") << QByteArray(
            R"({"bleu_by_length": [{"from": 5, "to": 4, "sentences": 1, "bleu": 3}]})");
        QTest::newRow("no bleu") << QByteArray(R"({"bleu_by_length": [{"from": 4, "to": 4, "sentences": 1}]})");
        QTest::newRow("bleu of text") << QByteArray(
            R"({"bleu_by_length": [{"from": 4, "to": 4, "sentences": 1, "bleu": "x"}]})");
        QTest::newRow("more than all") << QByteArray(
            R"({"bleu_by_length": [{"from": 4, "to": 4, "sentences": 1, "bleu": 101}]})");
        QTest::newRow("no sentence") << QByteArray(
            R"({"bleu_by_length": [{"from": 4, "to": 4, "sentences": 0, "bleu": 1}]})");
        QTest::newRow("huge") << QByteArray(R"({"bleu_by_length": [{"from": 4, "to": 99999999999, "sentences": 1,
                                                "bleu": 1}]})");
    }

    void brokenScoresAreRefused()
    {
        QFETCH(const QByteArray, text);
        write(QStringLiteral("scores.json"), text);
        try {
            readLengthScores(folder());
            QFAIL("they were accepted");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Format);
            QVERIFY(error.where().find("scores.json") != std::string::npos);
        }
    }

    void encoderDecodersAreToldByTheirConfiguration()
    {
        QVERIFY(!isEncoderDecoder(folder()));
        const auto is = [this](const QByteArray& config) {
            write(QStringLiteral("config.json"), config);
            return isEncoderDecoder(folder());
        };
        QVERIFY(is(R"({"model_type": "marian"})"));
        QVERIFY(is(R"({"model_type": "rnn_encoder_decoder"})"));
        QVERIFY(is(R"({"model_type": "other", "is_encoder_decoder": true})"));
        QVERIFY(!is(R"({"model_type": "bert"})"));
        QVERIFY(!is("[]"));
        QVERIFY(!is("{"));
        QVERIFY(!is(R"({"model_type": 3})"));
    }

    void theBundledTranslatorsSayTheirs()
    {
        int count = 0;
        for (const BundledModel& model : bundledModels()) {
            const auto scores = readLengthScores(model.directory);
            QCOMPARE(scores.has_value(), model.task == ModelTask::Translation);
            count += scores ? 1 : 0;
        }
        QVERIFY(count >= 4);
    }
};

ATTN_TEST(TestLengthScores)
#include "tst_length_scores.moc"
