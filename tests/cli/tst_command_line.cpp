// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "support/texts.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcessEnvironment>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <memory>
#include <sys/stat.h>
#include <vector>

using namespace attn::test;

namespace {

QStringList words(const char* text)
{
    return QString::fromUtf8(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

} // namespace

class TestCommandLine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void helpAndVersionSucceed()
    {
        QVERIFY(runProgram({text("--version")}).output.startsWith("attnscope "));
        for (const char* command : {"trace", "figure", "batch", "heads", "tokenize", "info", "models", "bench"}) {
            const CommandResult help = runProgram({text(command), text("--help")});
            QCOMPARE(help.status, 0);
            QVERIFY(help.errors.isEmpty());
            QVERIFY2(help.output.size() > 60, command);
        }
        const CommandResult help = runProgram({text("--help")});
        QCOMPARE(help.status, 0);
        QVERIFY(help.output.contains("batch") && help.output.contains("tokenize"));
    }

    void theManualAndTheShellKnowEveryOption()
    {
        const QString manual = text(runProgram({text("--manual")}).output.replace("\\-", "-"));
        const QRegularExpression option(text("^ +(?:-[a-z],)?(--[a-z-]+)"), QRegularExpression::MultilineOption);
        const auto completed = [](const QStringList& typed) {
            return text(runProgram(QStringList{text("--complete")} + typed).output).split(u'\n', Qt::SkipEmptyParts);
        };
        const QStringList commands{
            {},           text("trace"),  text("figure"),        text("batch"),        text("tokenize"),
            text("info"), text("models"), text("bench startup"), text("bench decode"), text("bench sweep"),
            text("heads")};
        for (const QString& command : commands) {
            const QStringList line = command.split(u' ', Qt::SkipEmptyParts);
            const QString help = text(runProgram(line + QStringList{text("--help")}).output);
            const QStringList offered = completed(line + QStringList{text("-")});
            QVERIFY(offered.contains(text("--help")));
            for (auto found = option.globalMatch(help); found.hasNext();) {
                const QString name = found.next().captured(1);
                QVERIFY2(offered.contains(name), qPrintable(command + u' ' + name));
                QVERIFY2(manual.contains(name), qPrintable(command + u' ' + name));
            }
            QVERIFY2(manual.contains(text(".SS ") + command) || command.isEmpty(), qPrintable(command));
            if (line.size() == 1)
                QVERIFY2(completed({text("")}).contains(command), qPrintable(command));
        }
    }

    void theShellKnowsModelsAndChoices()
    {
        const auto completed = [](const char* line) {
            QStringList typed{text("--complete")};
            typed += text(line).split(u' ');
            return text(runProgram(typed).output).split(u'\n', Qt::SkipEmptyParts);
        };
        QCOMPARE(completed("figure rnns"), QStringList{text("rnnsearch-en-fr")});
        QCOMPARE(completed("bench st"), QStringList{text("startup")});
#ifdef ATTN_WITH_UI
        QCOMPARE(completed("--theme "), (QStringList{text("light"), text("dark")}));
        QCOMPARE(completed("figure x.npz --theme = d"), QStringList{text("dark")});
#endif
        QCOMPARE(completed("trace x --hard a"), QStringList{text("argmax")});
        QVERIFY(completed("trace x --output ").isEmpty()); // a file
        QVERIFY(completed("trace x ").isEmpty());
        QVERIFY(!completed("trace x --hidden --").isEmpty()); // takes no value
    }

    void wrongUsageEndsWithTwo_data()
    {
        QTest::addColumn<QString>("line");
        for (const char* line : {"trace",
                                 "trace CASE",
                                 "trace CASE --output OUT",
                                 "trace CASE --source-ids 5,9,2",
                                 "trace CASE --source-ids 5,9,2 --text a --output OUT",
                                 "trace CASE --source-ids 5,x --output OUT",
                                 "trace CASE --source-ids 5, --output OUT",
                                 "trace CASE --source-ids -5 --output OUT",
                                 "trace CASE --source-ids 5 --output OUT.txt",
                                 "trace CASE --source-ids 5 --decode best --output OUT",
                                 "trace CASE --source-ids 5 --decode beam:0 --output OUT",
                                 "trace CASE --source-ids 5 --temperature 0 --output OUT",
                                 "trace CASE --source-ids 5 --decode beam:257 --output OUT",
                                 "trace CASE --source-ids 5 --temperature 1e9 --output OUT",
                                 "trace CASE --source-ids 5 --top-p 1.5 --output OUT",
                                 "trace CASE --source-ids 5 --max-length 0 --output OUT",
                                 "trace CASE --source-ids 5 --max-length many --output OUT",
                                 "trace CASE --source-ids 5 --generate 3 --output OUT",
                                 "trace ENCODER --source-ids 5 --generate 3 --output OUT",
                                 "trace ENCODER --source-ids 5 --decode beam:2 --output OUT",
                                 "trace CASE --source-ids 5 --precision f8 --output OUT",
                                 "trace CASE --source-ids 5 --target a --target-ids 3 --output OUT",
                                 "trace CASE --source-ids 5 --prefix a --prefix-ids 3 --output OUT",
                                 "trace CASE --source-ids 5 --prefix-ids 3 --target-ids 3 --output OUT",
                                 "trace CASE --source-ids 5 --prefix a --target a --output OUT",
                                 "trace CASE --source-ids 5 --prefix-ids 3,x --output OUT",
                                 "trace ENCODER --source-ids 5 --prefix-ids 3 --output OUT",
                                 "trace DECODER --source-ids 5 --prefix-ids 3 --output OUT",
                                 "trace DECODER --source-ids 5 --generate 0 --prefix a --output OUT",
                                 "trace CASE --source-ids 5 --nonsense --output OUT",
                                 "trace CASE --source-ids 5 --decode sample --seed -1 --output OUT",
                                 "trace CASE --source-ids 5 --decode sample --seed 18446744073709551616 --output OUT",
                                 "trace CASE --source-ids 5 --hard sample --output OUT",
                                 "batch CASE --lines missing",
                                 "batch CASE --lines missing --output OUT --alignments OUT",
                                 "tokenize CASE",
                                 "info",
                                 "bench",
                                 "bench nothing"})
            QTest::newRow(line) << text(line);
    }
    void wrongUsageEndsWithTwo()
    {
        QFETCH(QString, line);
        const CommandResult result = runProgram(filled(line));
        QVERIFY2(result.hasOneErrorLine(), result.errors.constData());
        QCOMPARE(result.status, 2);
        QVERIFY(!QFile::exists(output()));
    }

    void anEncoderSaysThatItDoesNotDecode()
    {
        for (const char* option : {"--generate 3", "--decode beam:2", "--decode sample"}) {
            const CommandResult result =
                runProgram(filled(text("trace ENCODER --source-ids 5 %1 --output OUT").arg(text(option))));
            QCOMPARE(result.status, 2);
            QVERIFY2(result.hasOneErrorLine() && result.errors.contains("encoder-only"), result.errors.constData());
        }
    }

    void moreTokensThanPositionsAreToldBeforeTheRun_data()
    {
        QTest::addColumn<int>("tokens");
        QTest::newRow("as many as fit") << 61;
        QTest::newRow("one more") << 62;
        QTest::newRow("a million") << 1000000;
    }
    void moreTokensThanPositionsAreToldBeforeTheRun()
    {
        QFETCH(const int, tokens);
        const CommandResult result =
            runProgram(filled(text("trace DECODER --source-ids 5,9,2 --generate %1 --output OUT").arg(tokens)));
        QVERIFY2(result.status == 0, result.errors.constData());
        QVERIFY(QFile::exists(output()));
        const QStringList numbers = numbersIn(QString::fromUtf8(result.errors)); // positions, tokens of the text
        QCOMPARE(numbers.contains(text("64")) && numbers.contains(text("3")), tokens > 61);
        QCOMPARE(result.errors.count('\n'), tokens > 61 ? 1 : 0);
    }

    void failedWorkEndsWithOneAndNamesTheCause_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("named");
        const auto add = [](const char* line, const char* named) { QTest::newRow(line) << text(line) << text(named); };
        add("trace no-such-model --text a --output OUT", "no-such-model");
        add("trace CASE --text a --output OUT", "--source-ids");
        add("trace CASE --source-ids 5 --target a --output OUT", "--target-ids");
        add("trace CASE --source-ids 99999 --output OUT", "99999");
        add("trace CASE --source-ids 5 --target-ids 99999 --output OUT", "99999");
        add("trace CASE --source-ids 5 --prefix a --output OUT", "--prefix-ids");
        add("trace CASE --source-ids 5 --prefix-ids 99999 --output OUT", "99999");
        add("trace CASE --source-ids 5 --prefix-ids 4,5,6 --max-length 2 --output OUT", "3 tokens");
        add("trace CASE --source-ids 5 --prefix-ids 4,3,5 --output OUT", "position 1");
        add("trace DECODER --source-ids 5 --prefix-ids 4,5,6 --generate 2 --output OUT", "--generate");
        add("trace CASE --text-file no-such-file --output OUT", "no-such-file");
        add("trace CASE --source-ids 5 --output no/such/folder/x.npz", "no/such/folder/x.npz");
        add("trace no-such-archive.npz --output OUT", "no-such-archive.npz");
        add("info no-such-model", "rnnsearch-en-fr");
        add("tokenize CASE --text a", "tokenizer");
        add("batch CASE --lines no-such-file --output OUT", "no-such-file");
    }
    void failedWorkEndsWithOneAndNamesTheCause()
    {
        QFETCH(QString, line);
        QFETCH(QString, named);
        const CommandResult result = runProgram(filled(line));
        QVERIFY2(result.hasOneErrorLine(), result.errors.constData());
        QVERIFY2(result.errors.contains(named.toUtf8()), result.errors.constData());
        QCOMPARE(result.status, 1);
        QVERIFY(!QFile::exists(output()));
    }

    void aTextBeginsTheOutput()
    {
        const QString json = m_folder->filePath(text("prefix.json"));
        const auto archive = [&](const QStringList& arguments) {
            const CommandResult result = runProgram(arguments + QStringList{text("--output"), json});
            return result.status == 0 ? QJsonDocument::fromJson(read(json)).object() : QJsonObject();
        };
        const auto joined = [](const QJsonValue& tokens) {
            QString all;
            for (const auto& token : tokens.toArray())
                all += token.toString();
            return all.replace(QChar(0x2581), u' ').replace(QChar(0x0120), u' ');
        };
        const QStringList translation = words("trace rnnsearch-en-fr --text") << text("The house is small.");
        const QJsonObject found = archive(translation + QStringList{text("--prefix"), text("Notre maison")});
        QVERIFY2(joined(found[text("target_tokens")]).startsWith(text(" Notre maison")),
                 qPrintable(joined(found[text("target_tokens")])));
        const QJsonObject metadata = found[text("metadata")].toObject();
        const QJsonArray ids = metadata[text("prefix_ids")].toArray();
        QVERIFY(ids.size() >= 2);
        for (qsizetype i = 0; i < ids.size(); ++i)
            QCOMPARE(found[text("target_ids")].toArray().at(i), ids.at(i));
        QCOMPARE(metadata[text("question")].toObject()[text("prefix")], QJsonValue(text("Notre maison")));

        const QJsonObject story = archive(words("trace gpt-small-en --generate 12 --text")
                                          << text("The king") << text("--prefix") << text(" had a daughter"));
        QVERIFY2(joined(story[text("source_tokens")]).startsWith(text("The king had a daughter")),
                 qPrintable(joined(story[text("source_tokens")])));
        const QJsonObject freely = archive(translation + QStringList{text("--prefix"), QString()});
        QVERIFY(!freely.value(text("metadata")).toObject().contains(text("prefix_ids"))); // begins with nothing
    }

    void batchBeginsEveryLine()
    {
        write(text("lines.txt"), "The house is small.\nI see a dog.\n");
        const QStringList line = words("batch rnnsearch-en-fr --lines")
            << m_folder->filePath(text("lines.txt")) << text("--output") << output() << text("--prefix") << text("Mon");
        const CommandResult result = runProgram(line);
        QVERIFY2(result.status == 0, result.errors.constData());
        for (const QByteArray& written : read(output()).trimmed().split('\n'))
            QVERIFY(QJsonDocument::fromJson(written)[text("output")].toString().startsWith(text("Mon")));
        QCOMPARE(runProgram(line + QStringList{text("--target-lines"), m_folder->filePath(text("lines.txt"))}).status,
                 2);
    }

    void anEmptyTextIsNotALeftOutOne()
    {
        for (const QString& given : {QString(), text("   ")}) {
            const CommandResult result =
                runProgram(words("trace rnnsearch-en-fr --output") << output() << text("--text") << given);
            QVERIFY2(result.status == 0, result.errors.constData()); // the end token alone, as tokenize says
            QVERIFY(QFile::exists(output()));
        }
        // Where a text is sentences, blanks hold none.
        const CommandResult none =
            runProgram(words("trace question-hierarchical-en --text") << text("   ") << text("--output") << output());
        QCOMPARE(none.status, 1);
        QVERIFY2(none.hasOneErrorLine(), none.errors.constData());
    }

    void anExistingFileStaysAsItWas()
    {
        write(text("out.npz"), "precious");
        for (const char* line : {"trace CASE --source-ids 99999 --output OUT", "trace CASE --output OUT",
                                 "batch CASE --lines missing --output OUT"})
            QVERIFY(runProgram(filled(text(line))).status > 0);
        QCOMPARE(read(output()), QByteArray("precious"));
        QCOMPARE(runProgram(filled(text("trace CASE --source-ids 5,9,3 --output OUT"))).status, 0);
        QVERIFY(read(output()).startsWith("PK"));
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList{text("out.npz")});
    }

    void anArchiveStandsForAModel()
    {
        QCOMPARE(runProgram(filled(text("trace CASE --source-ids 5,9,3 --output OUT"))).status, 0);
        const QString json = m_folder->filePath(text("again.json"));
        QCOMPARE(runProgram({text("trace"), output(), text("--output"), json}).status, 0);
        const QJsonObject archive = QJsonDocument::fromJson(read(json)).object();
        QCOMPARE(archive[text("source_ids")].toArray(), (QJsonArray{5, 9, 3}));
        QVERIFY(!archive[text("cross_attentions")].toArray().isEmpty());
        QCOMPARE(runProgram({text("trace"), output(), text("--text"), text("a"), text("--output"), json}).status, 2);
        for (const char* option : {"--prefix", "--prefix-ids"})
            QCOMPARE(runProgram({text("trace"), output(), text(option), text("4"), text("--output"), json}).status, 2);
        const CommandResult info = runProgram({text("info"), output(), text("--json")});
        QCOMPARE(QJsonDocument::fromJson(info.output)[text("source_tokens")].toInt(), 3);
        QVERIFY(runProgram({text("info"), output()}).output.contains("cross:0"));
        QCOMPARE(runProgram(filled(text("batch OUT --lines missing --output OUT"))).status, 1);
    }

    // Where the processor has it; elsewhere it is refused by name.
    void bf16IsNearF32()
    {
        const auto weights = [&](const char* precision, CommandResult& result) {
            const QString json = m_folder->filePath(text("p.json"));
            result = runProgram(filled(text("trace CASE --source-ids 53,80,90,3 --target-ids 29,9,3 --precision "))
                                << text(precision) << text("--output") << json);
            std::vector<double> values;
            const QJsonObject archive = QJsonDocument::fromJson(read(json)).object();
            if (result.status == 0 && archive[text("metadata")][text("precision")] == text(precision)) {
                for (const auto& row : archive[text("cross_attentions")][0][0].toArray()) {
                    for (const auto& weight : row.toArray())
                        values.push_back(weight.toDouble());
                }
            }
            return values;
        };
        CommandResult result;
        const auto exact = weights("f32", result);
        QCOMPARE(exact.size(), std::size_t{12});
        const auto rounded = weights("bf16", result);
        if (result.status == 1) {
            QVERIFY(result.hasOneErrorLine() && result.errors.contains("bf16"));
            return;
        }
        QCOMPARE(rounded.size(), exact.size());
        double largest = 0;
        for (std::size_t i = 0; i < exact.size(); ++i)
            largest = std::max(largest, std::abs(exact[i] - rounded[i]));
        QVERIFY2(largest > 0 && largest < 0.05, qPrintable(QString::number(largest)));
    }

    void samplingDependsOnItsSeedAlone()
    {
        const auto sampled = [&](const char* seed) {
            const QString json = m_folder->filePath(text("s.json"));
            const CommandResult result = runProgram(filled(text("trace CASE --source-ids 5,9,3 --decode sample "
                                                                "--temperature 3 --max-length 20 --seed "))
                                                    << text(seed) << text("--output") << json);
            return result.status == 0 ? QJsonDocument::fromJson(read(json))[text("target_ids")].toArray()
                                      : QJsonArray();
        };
        const QJsonArray first = sampled("11");
        QVERIFY(!first.isEmpty());
        QCOMPARE(sampled("11"), first);
        QVERIFY(sampled("12") != first || sampled("13") != first);
    }

    void tokenizeWritesAnObjectALine()
    {
        write(text("lines.txt"), "The cat sleeps.\n\nD\xc3\xa9j\xc3\xa0 vu\n");
        const CommandResult result =
            runProgram(words("tokenize rnnsearch-en-fr --json --lines") << m_folder->filePath(text("lines.txt")));
        QCOMPARE(result.status, 0);
        const QList<QByteArray> lines = result.output.trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        const QJsonObject first = QJsonDocument::fromJson(lines[0]).object();
        const auto count = first[text("ids")].toArray().size();
        QVERIFY(count >= 4);
        for (const char* key : {"tokens", "spans", "words", "special"})
            QCOMPARE(first[text(key)].toArray().size(), count);
        QCOMPARE(first[text("spans")].toArray().first().toArray(), (QJsonArray{0, 3}));
        QCOMPARE(first[text("words")].toArray().last().toInt(), -1); // the end token
    }

    void infoAndModelsSpeakJson()
    {
        const CommandResult models = runProgram(words("models --json"));
        QCOMPARE(models.status, 0);
        QStringList names;
        for (const auto& model : QJsonDocument::fromJson(models.output).array())
            names << model.toObject()[text("name")].toString();
        QVERIFY(names.contains(text("rnnsearch-en-fr")));
        QVERIFY(names.contains(text("transformer-en-fr")));
        const CommandResult info = runProgram(words("info --json") << caseFolder("marian-swish"));
        QCOMPARE(info.status, 0);
        const QJsonObject object = QJsonDocument::fromJson(info.output).object();
        QCOMPARE(object[text("family")].toString(), text("marian"));
        QCOMPARE(object[text("encoder_layers")].toInt(), 2);
        QCOMPARE(object[text("decoder_heads")].toInt(), 4);
        QCOMPARE(object[text("target_vocabulary")].toInt(), 160);
        QVERIFY(object[text("tokenizer")].isNull());
        QVERIFY(object[text("parameters")].toInt() > 1000);
        QVERIFY(object[text("best_site")].toString().startsWith(text("cross:")));
        QVERIFY(runProgram(words("info") << caseFolder("rnn-bahdanau-gru")).output.contains("cross"));
    }

    void aFullDiskIsNoticed()
    {
        QProcess process;
        process.setStandardOutputFile(text("/dev/full"));
        process.start(text(ATTN_PROGRAM), words("models --json"));
        QVERIFY(process.waitForFinished());
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().contains("standard output"));
    }

    void batchGoesOnAfterAFailingLine()
    {
        write(text("lines.txt"), "I am not deaf.\n\xff\nWe are happy.\n");
        const QString jsonLines = m_folder->filePath(text("o.jsonl"));
        const QString pharaoh = m_folder->filePath(text("o.al"));
        const CommandResult result = runProgram(words("batch rnnsearch-en-fr --lines")
                                                << m_folder->filePath(text("lines.txt")) << text("--output")
                                                << jsonLines << text("--alignments") << pharaoh);
        QCOMPARE(result.status, 1);
        QVERIFY(result.errors.contains("3 of 3"));
        const QList<QByteArray> lines = read(jsonLines).trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        const QJsonObject first = QJsonDocument::fromJson(lines[0]).object();
        QCOMPARE(first[text("source")].toString(), text("I am not deaf."));
        QVERIFY(!first[text("output")].toString().isEmpty());
        const auto targets = first[text("target_tokens")].toArray().size();
        QCOMPARE(first[text("alignment")].toArray().size(), targets);
        QCOMPARE(first[text("alignment")].toArray().first().toArray().size(), 3);
        QVERIFY(
            std::abs(first[text("score")].toDouble() * static_cast<double>(targets) - first[text("logprob")].toDouble())
            < 1e-6);
        const QJsonObject failed = QJsonDocument::fromJson(lines[1]).object();
        QCOMPARE(failed.keys(), (QStringList{text("error"), text("source")}));
        QCOMPARE(QJsonDocument::fromJson(lines[2])[text("source")].toString(), text("We are happy."));
        const QList<QByteArray> links = read(pharaoh).split('\n');
        QCOMPARE(links.size(), 4); // one a line, the last ends
        QVERIFY(QRegularExpression(text("^(\\d+-\\d+( |$))+$")).match(QString::fromUtf8(links[0])).hasMatch());
        QVERIFY(links[1].isEmpty());
    }

    void batchFillsMasksAndLeavesOtherTextsAlone()
    {
        write(text("lines.txt"), "The Cat sleeps.\nThe [MASK] sleeps.\n");
        const QString lines = m_folder->filePath(text("lines.txt"));
        const QString jsonLines = m_folder->filePath(text("out.jsonl"));
        const CommandResult result =
            runProgram(words("batch bert-small-en --lines") << lines << text("--output") << jsonLines);
        QVERIFY2(result.status == 0, result.errors.constData());
        const QList<QByteArray> made = read(jsonLines).trimmed().split('\n');
        QCOMPARE(made.size(), 2);
        const QJsonObject plain = QJsonDocument::fromJson(made[0]).object();
        QCOMPARE(plain[text("output")].toString(), text("The Cat sleeps."));
        QVERIFY(plain[text("target_tokens")].toArray().isEmpty());
        QVERIFY(plain[text("logprob")].isNull());
        const QJsonObject masked = QJsonDocument::fromJson(made[1]).object();
        QVERIFY(!masked[text("output")].toString().contains(text("MASK")));
        QCOMPARE(masked[text("target_tokens")].toArray().size(), 1);
        QVERIFY(masked[text("logprob")].toDouble() < 0);

        const CommandResult targets =
            runProgram(words("batch bert-small-en --lines")
                       << lines << text("--target-lines") << lines << text("--output") << output());
        QCOMPARE(targets.status, 2);
        QVERIFY2(targets.errors.contains("--target-lines"), targets.errors.constData());
    }

    void batchScoresGivenOutputs()
    {
        write(text("lines.txt"), "I am not deaf.\nWe are happy.\n");
        write(text("targets.txt"), "Je ne suis pas sourd.\nNous sommes heureux.\n");
        const QString jsonLines = m_folder->filePath(text("o.jsonl"));
        const QStringList arguments = words("batch rnnsearch-en-fr --lines")
            << m_folder->filePath(text("lines.txt")) << text("--target-lines")
            << m_folder->filePath(text("targets.txt")) << text("--output") << jsonLines;
        QCOMPARE(runProgram(arguments).status, 0);
        const QByteArray second = read(jsonLines).trimmed().split('\n').at(1);
        QCOMPARE(QJsonDocument::fromJson(second)[text("output")].toString(), text("Nous sommes heureux."));
        write(text("targets.txt"), "one\n");
        QCOMPARE(runProgram(arguments).status, 2);
    }

    void streamsAreReadUpToALimit()
    {
        for (const char* line : {"batch CASE --lines /dev/zero --output OUT", "trace CASE --text-file /dev/zero"}) {
            QStringList arguments = filled(text(line));
            if (!arguments.contains(output()))
                arguments << text("--output") << output();
            const CommandResult result = runProgram(arguments);
            QCOMPARE(result.status, 1);
            QVERIFY2(result.hasOneErrorLine() && result.errors.contains("/dev/zero: is longer than the 67.1 MB"),
                     result.errors.constData());
        }
        write(text("lines.txt"), QByteArray(1'000'001, '\n'));
        const CommandResult many =
            runProgram(filled(text("batch CASE --output OUT --lines ")) << m_folder->filePath(text("lines.txt")));
        QCOMPARE(many.status, 1);
        QVERIFY2(many.errors.contains("1000000 lines"), many.errors.constData());
    }

    void archivesBeyondALimitAreRefused()
    {
        const QString json = m_folder->filePath(text("large.json"));
        QCOMPARE(runProgram(filled(text("trace CASE --source-ids 5,9,3 --output OUT"))).status, 0);
        write(text("large.json"), "{\"source_ids\":[1" + QByteArray(",1").repeated(1'000'000) + "]}");
        const auto info = [](const QString& path, const char* limits) {
            qputenv("ATTNSCOPE_LIMITS", limits);
            const CommandResult result = runProgram({text("info"), path});
            qunsetenv("ATTNSCOPE_LIMITS");
            return result;
        };
        QCOMPARE(info(output(), "").status, 0);
        const auto refused = [&](const QString& path, const char* limits, const char* message) {
            const CommandResult result = info(path, limits);
            return result.status == 1 && result.hasOneErrorLine() && result.errors.contains(message);
        };
        QVERIFY(refused(output(), "archive=100", " 100 "));
        QVERIFY(refused(json, "memory=50M", "large.json: needs about"));
        QVERIFY(refused(json, "archive-file=1M", "large.json"));
        QVERIFY(refused(output(), "archives=1", "ATTNSCOPE_LIMITS"));
    }

    void aPipeIsReadToItsEnd()
    {
        const QString pipe = m_folder->filePath(text("pipe"));
        QCOMPARE(::mkfifo(pipe.toUtf8().constData(), 0600), 0);
        const QStringList line = words("batch rnnsearch-en-fr --output") << output() << text("--lines") << pipe;
        QProcess process;
        process.start(text(ATTN_PROGRAM), line);
        QFile writer(pipe);
        QVERIFY(writer.open(QIODevice::WriteOnly | QIODevice::Unbuffered)); // waits for the program
        for (const char* part : {"We are", " happy.\r\nI am", " here."})
            QVERIFY(writer.write(part) > 0);
        writer.close();
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 0);
        const QList<QByteArray> lines = read(output()).trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        QCOMPARE(QJsonDocument::fromJson(lines[0])[text("source")].toString(), text("We are happy."));

        QProcess waiting; // for a writer that never comes
        waiting.start(text(ATTN_PROGRAM), line);
        QVERIFY(waiting.waitForStarted());
        waiting.terminate();
        QVERIFY(waiting.waitForFinished(20000));
    }

    void anInterruptedBatchKeepsTheFinishedLines()
    {
        QByteArray many;
        for (int i = 0; i < 2000; ++i)
            many += "I do not think that she will come back home tonight.\n";
        write(text("lines.txt"), many);
        write(text("out.npz"), "precious");
        QProcess process;
        process.start(text(ATTN_PROGRAM),
                      words("batch transformer-en-fr --lines")
                          << m_folder->filePath(text("lines.txt")) << text("--output") << output());
        QVERIFY(process.waitForStarted());
        process.setReadChannel(QProcess::StandardError);
        QVERIFY(process.waitForReadyRead(20000)); // progress of the first lines
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(20000));
        QCOMPARE(process.exitCode(), 1);
        const QByteArray last = process.readAllStandardError().trimmed().split('\n').last();
        QVERIFY2(last.startsWith("attnscope: ") && last.contains("--resume"), last.constData()); // on a line of its own
        QCOMPARE(read(output()), QByteArray("precious"));
        const QByteArray finished = read(output() + text(".part"));
        QVERIFY(finished.startsWith("{\"source\":\"I do not") && finished.endsWith("}\n"));
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden),
                 (QStringList{text("lines.txt"), text("out.npz"), text("out.npz.part")}));
    }

    void batchGoesOnBehindTheFinishedLines()
    {
        write(text("lines.txt"), "I am not deaf.\n\xff\nWe are happy.\nI am here.\n");
        const QString pharaoh = m_folder->filePath(text("out.al"));
        const QStringList line = words("batch rnnsearch-en-fr --lines")
            << m_folder->filePath(text("lines.txt")) << text("--output") << output() << text("--alignments") << pharaoh
            << text("--resume");
        QCOMPARE(runProgram(line).status, 1); // a line failed; nothing to go on from
        const QByteArray whole = read(output());
        const QByteArray links = read(pharaoh);
        QCOMPARE(whole.count('\n'), 4);

        const qsizetype third = whole.indexOf('\n', whole.indexOf('\n') + 1) + 1;
        write(text("out.npz.part"), whole.left(third + 20)); // torn
        write(text("out.al.part"), links.left(links.indexOf('\n') + 2) + "\n0-0\n0-0\n");
        QFile::remove(output());
        const CommandResult result = runProgram(line);
        QCOMPARE(result.status, 1);
        QVERIFY2(!result.errors.contains("1 of 4") && result.errors.contains("3 of 4"), result.errors.constData());
        QCOMPARE(read(output()), whole);
        QCOMPARE(read(pharaoh), links);
        QVERIFY(!QFile::exists(output() + text(".part")) && !QFile::exists(pharaoh + text(".part")));

        write(text("out.npz.part"), QByteArray("{\"source\":\"Another.\",\"output\":\"\"}\n"));
        write(text("out.al.part"), "\n");
        const CommandResult other = runProgram(line);
        QCOMPARE(other.status, 2);
        QVERIFY2(other.errors.contains("--resume: line 1"), other.errors.constData());
        QCOMPARE(read(output()), whole);
    }

#ifdef ATTN_WITH_UI
    // A limit on the size of files stands for a full disk.
    void aPictureThatCannotBeWrittenLeavesTheOldOne()
    {
        write(text("out.png"), "precious");
        const QString picture = m_folder->filePath(text("out.png"));
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(text("QT_QPA_PLATFORM"), text("offscreen"));
        environment.insert(text("XDG_CONFIG_HOME"), m_folder->filePath(text("config")));
        process.setProcessEnvironment(environment);
        process.start(text("sh"),
                      {text("-c"), text("ulimit -f 8; exec \"$0\" \"$@\""), text(ATTN_PROGRAM), text("rnnsearch-en-fr"),
                       text("--text"), text("We are happy."), text("--screenshot"), picture});
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(process.readAllStandardError().contains("out.png: cannot be written: "));
        QCOMPARE(read(picture), QByteArray("precious"));
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList{text("out.png")});
    }
#endif

private:
    QString output() const
    {
        return m_folder->filePath(text("out.npz"));
    }
    QStringList filled(const QString& line) const
    {
        QStringList arguments;
        for (const QString& word : line.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            QString argument = word;
            if (word == text("CASE"))
                argument = caseFolder("rnn-bahdanau-gru");
            else if (word == text("ENCODER"))
                argument = caseFolder("bert-mlm");
            else if (word == text("DECODER"))
                argument = caseFolder("gpt2-plain");
            else if (word == text("OUT"))
                argument = output();
            arguments << argument;
        }
        return arguments;
    }
    void write(const QString& name, const QByteArray& content) const
    {
        QFile file(m_folder->filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    static QByteArray read(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestCommandLine)

#include "tst_command_line.moc"
