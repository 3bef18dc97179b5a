// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "support/test_program.h"
#include "support/texts.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cstring>

using namespace attn::test;

class TestCliInfo : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesSharedHeadsAndFiles()
    {
        const CommandResult table = runProgram({QStringLiteral("info"), caseFolder("llama-gqa")});
        QCOMPARE(table.status, 0);
        QVERIFY(table.output.contains("family         llama "));
        QVERIFY(!table.output.contains("\nencoder "));
        QVERIFY(table.output.contains("file           model.safetensors: "));

        const QJsonObject json = describe(caseFolder("llama-gqa"));
        const int shared = json[QStringLiteral("key_value_heads")].toInt();
        QVERIFY(shared < json[QStringLiteral("decoder_heads")].toInt());
        const QList<QByteArray> lines = table.output.split('\n');
        const auto heads = std::ranges::find_if(lines, [](auto& line) { return line.startsWith("heads "); });
        QVERIFY2(heads != lines.end(), table.output.constData());
        QCOMPARE(numbersIn(QString::fromUtf8(*heads)).value(1), QString::number(shared)); // behind their width
        QVERIFY(json[QStringLiteral("parameters")].toInt() > 0);
        const QJsonObject file = json[QStringLiteral("weights")].toArray().first().toObject();
        QCOMPARE(file[QStringLiteral("file")].toString(), QStringLiteral("model.safetensors"));
        QCOMPARE(file[QStringLiteral("bytes")].toInteger(),
                 QFileInfo(caseFolder("llama-gqa") + QStringLiteral("/model.safetensors")).size());
        QCOMPARE(file[QStringLiteral("dtypes")].toArray(), QJsonArray{QStringLiteral("f32")});
        QVERIFY(file[QStringLiteral("tensors")].toInt() > 0);
        const QString line = json[QStringLiteral("files")].toArray().first().toString();
        QVERIFY2(line.startsWith(QStringLiteral("model.safetensors: ")) && line.contains(QStringLiteral(", f32, ")),
                 qPrintable(line));
    }

    void namesSpecialTokens()
    {
        QFile config(caseFolder("marian-relu") + QStringLiteral("/config.json"));
        QVERIFY(config.open(QIODevice::ReadOnly));
        const int end = QJsonDocument::fromJson(config.readAll())[QStringLiteral("eos_token_id")].toInt(-1);
        const CommandResult table = runProgram({QStringLiteral("info"), caseFolder("marian-relu")});
        QCOMPARE(table.status, 0);
        const QByteArray line = "eos " + QByteArray::number(end);
        const qsizetype at = table.output.indexOf("\nspecial tokens ");
        QVERIFY2(at >= 0 && table.output.indexOf(line, at) > at, table.output.constData());
        bool isThere = false;
        for (const QJsonValue& token : describe(caseFolder("marian-relu"))[QStringLiteral("special_tokens")].toArray())
            isThere = isThere
                || (token[QStringLiteral("name")] == QStringLiteral("eos") && token[QStringLiteral("id")] == end);
        QVERIFY(isThere);
    }

    void theListOfModelsFitsATerminal()
    {
        const CommandResult json = runProgram({QStringLiteral("models"), QStringLiteral("--json")});
        const QJsonArray models = QJsonDocument::fromJson(json.output).array();
        if (models.isEmpty())
            QSKIP("the models are not in this tree");
        const CommandResult table = runProgram({QStringLiteral("models")});
        QCOMPARE(table.status, 0);
        QStringList words;
        for (const QByteArray& line : table.output.split('\n')) {
            QVERIFY2(QString::fromUtf8(line).size() <= 100, line.constData());
            words += QString::fromUtf8(line).split(QLatin1Char(' '), Qt::SkipEmptyParts);
        }
        const QString text = words.join(QLatin1Char(' '));
        for (const QJsonValue& model : models) {
            for (const char* key : {"name", "family", "task", "summary"}) {
                const QString value = model[QLatin1String(key)].toString();
                QVERIFY2(!value.isEmpty() && text.contains(value), qPrintable(value));
            }
            QVERIFY(model[QStringLiteral("bytes")].toInteger() > 1000000);
            QVERIFY(!model[QStringLiteral("languages")].toArray().isEmpty());
        }
        static const QRegularExpression direction(QStringLiteral("English\\W+(\\w+\\W+)?French"));
        QVERIFY(text.contains(direction));
    }

    void aProgramInAPickleIsRefusedInOneLine()
    {
        const QTemporaryDir directory;
        const auto copy = [&](const QString& from, const char* to) {
            QVERIFY(QFile::copy(from, directory.filePath(QString::fromLatin1(to))));
        };
        copy(caseFolder("bert-mlm") + QStringLiteral("/config.json"), "config.json");
        copy(QStringLiteral(ATTN_TEST_DATA "/torch/runs_a_program.bin"), "pytorch_model.bin");
        const CommandResult result = runProgram({QStringLiteral("info"), directory.path()});
        QCOMPARE(result.status, 1);
        QVERIFY(result.hasOneErrorLine());
        QVERIFY2(result.errors.contains("pytorch_model.bin: ") && result.errors.contains("posix.system"),
                 result.errors.constData());
    }

    void aTokenizerOfAnUnknownKindLeavesIds()
    {
        const QTemporaryDir directory;
        const auto path = [&](const char* name) { return directory.filePath(QString::fromLatin1(name)); };
        for (const char* name : {"config.json", "model.safetensors"})
            QVERIFY(QFile::copy(caseFolder("bert-mlm") + u'/' + QString::fromLatin1(name), path(name)));
        const auto write = [&](const char* name, const QByteArray& text) {
            QFile file(path(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        write("vocab.txt", "[UNK]\n");
        write("tokenizer_config.json", R"({"tokenizer_class": "FancyTokenizer"})");
        const QJsonObject json = describe(directory.path());
        QVERIFY(json[QStringLiteral("tokenizer")].isNull());
        const QByteArray problem = json[QStringLiteral("tokenizer_problem")].toString().toUtf8();
        QVERIFY2(problem.startsWith(directory.path().toUtf8() + ": "), problem.constData());
        QVERIFY2(problem.contains("Fancy") && problem.contains("tokenizer.json"), problem.constData());
        const CommandResult table = runProgram({QStringLiteral("info"), directory.path()});
        QCOMPARE(table.status, 0);
        const qsizetype line = table.output.indexOf("\ntokenizer ");
        QVERIFY2(line >= 0 && table.output.indexOf(problem) > line, table.output.constData());
        QVERIFY(describe(caseFolder("bert-mlm"))[QStringLiteral("tokenizer_problem")].isNull());
        const auto trace = [&](const char* option, const char* value) {
            return runProgram({QStringLiteral("trace"), directory.path(), QString::fromLatin1(option),
                               QString::fromLatin1(value), QStringLiteral("--output"), path("out.npz")});
        };
        const CommandResult ids = trace("--source-ids", "1,7,9");
        QVERIFY2(ids.status == 0, ids.errors.constData());
        const CommandResult text = trace("--text", "a");
        QCOMPARE(text.status, 1);
        QVERIFY2(text.hasOneErrorLine() && text.errors.contains(problem), text.errors.constData());
    }

    void controlCharactersInNamesAreShownNotObeyed()
    {
        const QTemporaryDir directory;
        writeWithTensor(directory, "red\\u001b[31m\\u009b\\n");
        const CommandResult table = runProgram({QStringLiteral("info"), directory.path()});
        QCOMPARE(table.status, 0);
        QVERIFY2(table.output.contains("\nignored        red\\x1b[31m\\x9b\\x0a\n"), table.output.constData());
        const CommandResult json = runProgram({QStringLiteral("info"), directory.path(), QStringLiteral("--json")});
        QVERIFY2(json.output.contains("\"red\\u001b[31m\\u009b\\n\""), json.output.constData());
        const QJsonArray ignored = QJsonDocument::fromJson(json.output)[QStringLiteral("ignored_tensors")].toArray();
        QCOMPARE(ignored, QJsonArray{QString::fromUtf8("red\x1b[31m\xc2\x9b\n")});
    }

    void longNamesAreCutForPeople()
    {
        const QTemporaryDir directory;
        const QByteArray name = "first" + QByteArray(300, 'x') + "last";
        writeWithTensor(directory, name);
        const CommandResult table = runProgram({QStringLiteral("info"), directory.path()});
        QCOMPARE(table.status, 0);
        const qsizetype begin = table.output.indexOf("\nignored ");
        QVERIFY(begin >= 0);
        const QString line = QString::fromUtf8(table.output.mid(begin + 1).split('\n').first());
        QVERIFY2(line.contains(QStringLiteral(" firstxxx")) && line.endsWith(QStringLiteral("xxxlast")),
                 qPrintable(line));
        QVERIFY2(line.contains(QChar(0x2026)) && line.size() < 220, qPrintable(line));
        QCOMPARE(describe(directory.path())[QStringLiteral("ignored_tensors")].toArray(),
                 QJsonArray{QString::fromUtf8(name)});
    }

    void namesInErrorsAreWholeForPrograms()
    {
        const QTemporaryDir directory;
        const QByteArray name = "first" + QByteArray(300, 'x') + "last";
        writeWithTensor(directory, name);
        const QString weights = directory.filePath(QStringLiteral("model.safetensors"));
        const QByteArray bytes = read(weights);
        const qsizetype begin = bytes.indexOf("\"data_offsets\"", bytes.indexOf(name));
        write(weights, QByteArray(bytes).replace(begin, 14, "\"data_offset?\""));
        QStringList arguments{QStringLiteral("info"), directory.path()};
        const CommandResult table = runProgram(arguments);
        QVERIFY2(table.status == 1 && table.hasOneErrorLine(), table.errors.constData());
        QVERIFY2(table.errors.contains("xx\u2026xx") && !table.errors.contains(name), table.errors.constData());
        const CommandResult json = runProgram(arguments << QStringLiteral("--json"));
        QVERIFY2(json.status == 1 && json.hasOneErrorLine(), json.errors.constData());
        QVERIFY2(json.errors.contains(name) && json.output.isEmpty(), json.errors.constData());
    }

    void linksThatLeadToThemselvesAreNamed()
    {
        for (const char* name :
             {"generation_config.json", "tokenizer_config.json", "source.vocab", "tokenizer.model"}) {
            const QTemporaryDir directory;
            writeWithTensor(directory, "other");
            QVERIFY(QFile::link(QLatin1String(name), directory.filePath(QLatin1String(name))));
            const CommandResult result = runProgram({QStringLiteral("info"), directory.path()});
            QVERIFY2((result.errors + result.output).contains(name), result.output.constData());
        }
    }

    void aFolderOfModelsThatIsNoneIsNamed()
    {
        const QTemporaryDir directory;
        const QString file = directory.filePath(QStringLiteral("models"));
        write(file, "no folder");
        const ScopedVariable models("ATTNSCOPE_MODELS", file.toLocal8Bit());
        for (const QStringList& arguments : {QStringList{QStringLiteral("models")},
                                             QStringList{QStringLiteral("info"), QStringLiteral("rnnsearch-en-fr")}}) {
            const CommandResult result = runProgram(arguments);
            QVERIFY2(result.status == 1 && result.hasOneErrorLine(), result.errors.constData());
            QVERIFY2(result.errors.contains(file.toUtf8() + ": cannot be read: Not a directory"),
                     result.errors.constData());
        }
    }

    void controlCharactersInTokensAreShownNotObeyed()
    {
        const QTemporaryDir directory;
        const QByteArray word = "a\x1b[31m\xe2\x80\xaez";
        for (const char* side : {"/source.vocab", "/target.vocab"})
            write(directory.path() + QLatin1String(side), "<pad>\n<unk>\n<s>\n</s>\n" + word + '\n');
        QStringList arguments{QStringLiteral("tokenize"), directory.path(), QStringLiteral("--text"),
                              QString::fromUtf8(word)};
        const CommandResult table = runProgram(arguments);
        QVERIFY2(table.status == 0, table.errors.constData());
        QVERIFY2(table.output.contains("  a\\x1b[31m\\u202ez\n"), table.output.constData());
        const CommandResult json = runProgram(arguments << QStringLiteral("--json"));
        QVERIFY2(json.output.contains("\"a\\u001b[31m\\u202ez\""), json.output.constData());
        QCOMPARE(QJsonDocument::fromJson(json.output)[QStringLiteral("tokens")][0].toString(), QString::fromUtf8(word));
    }

    void controlCharactersInModelsAreShownNotObeyed()
    {
        const QTemporaryDir directory;
        const QString name = QStringLiteral("red\x1b[31m\u202e");
        const QString model = directory.filePath(name);
        QVERIFY(QDir().mkpath(model));
        write(model + QStringLiteral("/config.json"), "{}");
        write(model + QStringLiteral("/README.md"),
              "---\nmodel_name: a\x1b[32m\n---\n# Title\n\nA model\x1b]0;b\x07 of \xe2\x80\xae"
              "words. More.\n");
        QVERIFY(QDir().mkpath(directory.filePath(QStringLiteral("red"))));
        write(directory.filePath(QStringLiteral("red/config.json")), "{}");
        const auto ask = [&](const QStringList& words) {
            QProcess process;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(QStringLiteral("ATTNSCOPE_MODELS"), directory.path());
            process.setProcessEnvironment(environment);
            process.start(QStringLiteral(ATTN_PROGRAM), words);
            return resultOf(process);
        };
        const CommandResult table = ask({QStringLiteral("models")});
        QCOMPARE(table.status, 0);
        QVERIFY2(table.output.contains("\nred\\x1b[31m\\u202e "), table.output.constData());
        for (const char* command : {"\x1b", "\x07", "\xe2\x80\xae"})
            QVERIFY2(!table.output.contains(command), table.output.constData());
        const CommandResult json = ask({QStringLiteral("models"), QStringLiteral("--json")});
        QVERIFY2(json.output.contains("\"red\\u001b[31m\\u202e\""), json.output.constData());
        QCOMPARE(QJsonDocument::fromJson(json.output).array().last()[QStringLiteral("name")].toString(), name);
        QCOMPARE(ask({QStringLiteral("--complete"), QStringLiteral("info"), QStringLiteral("re")}).output,
                 QByteArray("red\n"));
    }

private:
    // A model that has one tensor more, with this name as JSON spells it.
    static void writeWithTensor(const QTemporaryDir& directory, const QByteArray& name)
    {
        const QString model = caseFolder("marian-relu");
        QVERIFY(QFile::copy(model + QStringLiteral("/config.json"), directory.filePath(QStringLiteral("config.json"))));
        const QByteArray all = read(model + QStringLiteral("/model.safetensors"));
        quint64 length = 0;
        std::memcpy(&length, all.constData(), sizeof length);
        const QByteArray values = all.mid(8 + qsizetype(length));
        QByteArray header = all.mid(8, qsizetype(length)).trimmed();
        header.chop(1);
        header += ",\"" + name + "\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":["
            + QByteArray::number(values.size()) + ',' + QByteArray::number(values.size() + 1) + "]}}";
        length = quint64(header.size());
        write(directory.filePath(QStringLiteral("model.safetensors")),
              QByteArray(reinterpret_cast<const char*>(&length), sizeof length) + header + values + 'x');
    }

    static QJsonObject describe(const QString& model)
    {
        const CommandResult result = runProgram({QStringLiteral("info"), model, QStringLiteral("--json")});
        return QJsonDocument::fromJson(result.output).object();
    }
};

ATTN_TEST(TestCliInfo)
#include "tst_cli_info.moc"
