// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/memory.h"
#include "cli/cli_runner.h"
#include "support/test_program.h"
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
#include <memory>
#include <sys/stat.h>
#include <utility>
#include <vector>

using namespace attn::test;

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
        const QStringList commands{{},
                                   text("trace"),
                                   text("figure"),
                                   text("batch"),
                                   text("tokenize"),
                                   text("info"),
                                   text("models"),
                                   text("bench startup"),
                                   text("bench decode"),
                                   text("bench sweep"),
                                   text("heads"),
                                   text("bench model"),
#ifdef ATTN_WITH_UI
                                   text("bench ui"),
#endif
                                   text("bench growth")};
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

    void theManualKnowsEveryLimit()
    {
        const QString manual = text(runProgram({text("--manual")}).output.replace("\\-", "-"));
        for (const attn::LimitRow& row : attn::limitRows())
            QVERIFY2(manual.contains(text(".TP\n%1\n%2").arg(text(row.key), text(row.what))), row.key);
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
        QCOMPARE(completed("bench model gpt2 --capture a"), QStringList{text("all")});
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

    void aMistypedCommandIsNamed_data()
    {
        addColumns<QString, QByteArray>("line", "said");
        const auto add = [](const char* line, const char* said) {
            QTest::newRow(line) << text(line) << QByteArray(said);
        };
        add("figur x.npz --output y.svg", "no command figur, did you mean figure?");
        add("tarce CASE --source-ids 5 --output OUT", "no command tarce, did you mean trace?");
        add("modles", "no command modles, did you mean models?");
        add("paint x.npz --output y.svg", "no command paint (");
        add("trace CASE one two --source-ids 5 --output OUT", "not expected: one two (");
    }
    void aMistypedCommandIsNamed()
    {
        QFETCH(QString, line);
        QFETCH(QByteArray, said);
        const CommandResult result = runProgram(filled(line));
        QVERIFY2(result.hasOneErrorLine() && result.errors.contains(said), result.errors.constData());
        QCOMPARE(result.status, 2);
    }

    void dumpsThatAreNoArchivesAreNamed_data()
    {
        addColumns<QByteArray, QByteArray>("content", "said");
        QTest::newRow("a.pt") << QByteArray("PK\x03\x04....") << QByteArray("PyTorch");
        QTest::newRow("a.pth") << QByteArray("\x80\x02.") << QByteArray("PyTorch");
        QTest::newRow("a.pkl") << QByteArray("\x80\x04.") << QByteArray("Python pickle");
        QTest::newRow("a.h5") << QByteArray("\x89HDF\r\n\x1a\n") << QByteArray("HDF5");
        QTest::newRow("a.csv") << QByteArray("0.5,0.5\n") << QByteArray("plain text");
    }
    void dumpsThatAreNoArchivesAreNamed()
    {
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, said);
        const QString file = m_folder->filePath(text(QTest::currentDataTag()));
        write(file, content);
        const CommandResult result = runProgram({text("trace"), file, text("--output"), output()});
        QVERIFY2(result.hasOneErrorLine(), result.errors.constData());
        QVERIFY2(result.errors.contains(said) && result.errors.contains(".npz"), result.errors.constData());
        QCOMPARE(result.status, 1);
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
        addColumns<QString, QString>("line", "named");
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
        write(m_folder->filePath(text("out.npz")), "precious");
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
        QCOMPARE(runProgram(filled(text("batch OUT --lines missing --output OUT.jsonl"))).status, 1);
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
        write(m_folder->filePath(text("lines.txt")), "The cat sleeps.\n\nD\xc3\xa9j\xc3\xa0 vu\n");
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

    void whatIsNoTextIsNamedByFileAndLine()
    {
        write(m_folder->filePath(text("bad.txt")), "one\ntwo\nthree\nfo\xffur\n");
        const QString bad = m_folder->filePath(text("bad.txt"));
        const CommandResult tokens = runProgram(words("tokenize rnnsearch-en-fr --lines") << bad);
        QCOMPARE(tokens.status, 1);
        QVERIFY2(tokens.errors.contains("bad.txt: line 4: is not UTF-8"), tokens.errors.constData());
        const CommandResult traced =
            runProgram(words("trace rnnsearch-en-fr --text-file") << bad << text("--output") << output());
        QCOMPARE(traced.status, 1);
        QVERIFY2(traced.hasOneErrorLine() && traced.errors.contains("bad.txt: is not UTF-8"),
                 traced.errors.constData());
    }

    void aByteOrderMarkIsNoLetter()
    {
        write(m_folder->filePath(text("plain.txt")), "The cat sleeps.\n");
        write(m_folder->filePath(text("marked.txt")), "\xef\xbb\xbfThe cat sleeps.\n");
        QByteArrayList tokens;
        QList<QJsonValue> ids;
        for (const char* name : {"plain.txt", "marked.txt"}) {
            const QString file = m_folder->filePath(text(name));
            tokens << runProgram(words("tokenize rnnsearch-en-fr --json --lines") << file).output;
            const QString json = m_folder->filePath(text("marked.json"));
            QCOMPARE(runProgram(words("trace rnnsearch-en-fr --text-file") << file << text("--output") << json).status,
                     0);
            ids << QJsonDocument::fromJson(read(json))[text("source_ids")];
        }
        QVERIFY(!tokens[0].isEmpty() && ids[0].isArray());
        QCOMPARE(tokens[1], tokens[0]);
        QCOMPARE(ids[1], ids[0]);
    }

    void aTextThatIsReadIsNotReplaced()
    {
        const QString json = m_folder->filePath(text("text.json"));
        write(json, "The cat sleeps.\n");
        for (const QStringList& line :
             {words("trace no-such-model --text-file"),
#ifdef ATTN_WITH_UI
              words("figure no-such-model --text-file"),
#endif
              words("heads no-such-model --text-file"), words("heads no-such-model --lines")}) {
            const QString file = line.constFirst() == text("figure") ? m_folder->filePath(text("text.svg")) : json;
            write(file, "The cat sleeps.\n");
            const CommandResult refused = runProgram(QStringList(line) << file << text("--output") << file);
            QCOMPARE(refused.status, 2);
            QVERIFY2(refused.hasOneErrorLine() && refused.errors.contains("name the same file"),
                     refused.errors.constData());
            QCOMPARE(read(file), QByteArray("The cat sleeps.\n"));
        }
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

    // Nobody ever writes the text that would be run on.
    void whatCannotBeWrittenIsSaidBeforeTheRun_data()
    {
        addColumns<QString, QString, int>("line", "output", "status");
        for (const auto& [command, ending] : {std::pair("trace", ".npz"), std::pair("heads", ".csv"),
#ifdef ATTN_WITH_UI
                                              std::pair("figure", ".svg")
#endif
             }) {
            const QString line = text(command) + text(" rnnsearch-en-fr --text-file pipe --output ");
            const auto add = [&](const char* name, const QString& file, int status) {
                QTest::addRow("%s: %s", command, name) << line << file + text(ending) << status;
            };
            add("no folder", text("no/such/folder/x"), 1);
            add("a folder", text("folder"), 2);
            add("a long name", QString(300, QLatin1Char('x')), 2);
            add("a file in place of a folder", text("file/x"), 1);
        }
    }
    void whatCannotBeWrittenIsSaidBeforeTheRun()
    {
        QFETCH(QString, line);
        QFETCH(QString, output);
        QFETCH(int, status);
        const QDir folder(m_folder->path());
        QCOMPARE(::mkfifo(folder.filePath(text("pipe")).toLocal8Bit().constData(), 0600), 0);
        QVERIFY(folder.mkdir(text("folder") + output.mid(output.lastIndexOf(QLatin1Char('.')))));
        write(folder.filePath(text("file")), "");
        const QStringList before = folder.entryList(QDir::AllEntries | QDir::Hidden | QDir::System);
        QProcess process;
        process.setWorkingDirectory(folder.path());
        process.start(text(ATTN_PROGRAM), words(line.toUtf8().constData()) << output);
        const CommandResult result = resultOf(process, 20'000);
        QCOMPARE(result.status, status);
        QVERIFY2(result.hasOneErrorLine(), result.errors.constData());
        QVERIFY2(result.errors.contains(status == 2 ? "--output" : output.toUtf8().constData()),
                 result.errors.constData());
        QCOMPARE(folder.entryList(QDir::AllEntries | QDir::Hidden | QDir::System), before);
    }

    void filesBeyondALimitAreRefused()
    {
        const QString json = m_folder->filePath(text("large.json"));
        QCOMPARE(runProgram(filled(text("trace CASE --source-ids 5,9,3 --output OUT"))).status, 0);
        write(m_folder->filePath(text("large.json")),
              "{\"source_ids\":[1" + QByteArray(",1").repeated(1'000'000) + "]}");
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
        QVERIFY(refused(output(), "zip-entries=1", "ATTNSCOPE_LIMITS=zip-entries="));
        QVERIFY(refused(text(ATTN_TEST_DATA "/hostile/study.attnscope"), "runs=0", "ATTNSCOPE_LIMITS=runs="));
        const QString torch = m_folder->filePath(text("torch"));
        QVERIFY(QDir().mkdir(torch));
        QVERIFY(QFile::copy(caseFolder("rnn-bahdanau-gru") + text("/config.json"), torch + text("/config.json")));
        QVERIFY(QFile::copy(text(ATTN_TEST_DATA "/torch/zip.bin"), torch + text("/pytorch_model.bin")));
        QVERIFY(refused(torch, "", "attention.key.bias")); // the weights are not its own
        QVERIFY(refused(torch, "pickle-values=3", "ATTNSCOPE_LIMITS=pickle-values="));
    }

    void theLimitOfEveryKindOfFileCanBeSet_data()
    {
        addColumns<QString, QByteArray, QByteArray>("line", "file", "limit");
        const auto add = [](const char* limit, const char* file, const char* line) {
            QTest::addRow("%s: %s", limit, line) << text(line) << QByteArray(file) << QByteArray(limit);
        };
        add("header=100", "model.safetensors", "info CASE");
        add("pickle=100", "pytorch_model.bin", "info torch");
        add("pickle=100", "pytorch_model.bin", "info old-torch");
        add("vocabulary=100", "source.vocab", "tokenize words --text a");
        add("vocabulary=100", "tokenizer.model", "tokenize rnnsearch-en-fr --text a");
        add("pieces=10", "source.vocab", "tokenize words --text a");
        add("pieces=10", "tokenizer.model", "tokenize rnnsearch-en-fr --text a");
        add("regex-steps=1", "text", "tokenize expression --lines long.txt");
        add("lines=2", "lines.txt", "tokenize rnnsearch-en-fr --lines lines.txt");
        add("lines=2", "lines.txt", "batch rnnsearch-en-fr --lines lines.txt --output out.jsonl");
    }
    void theLimitOfEveryKindOfFileCanBeSet()
    {
        QFETCH(const QString, line);
        QFETCH(const QByteArray, file);
        QFETCH(const QByteArray, limit);
        const QDir folder(m_folder->path());
        write(folder.filePath(text("lines.txt")), "a\nb\nc\n");
        write(folder.filePath(text("long.txt")), QByteArray(5000, 'a'));
        for (const auto& [name, weights] : {std::pair("torch", "zip.bin"), std::pair("old-torch", "legacy.bin")}) {
            QVERIFY(folder.mkdir(text(name)));
            QVERIFY(QFile::copy(caseFolder("rnn-bahdanau-gru") + text("/config.json"),
                                folder.filePath(text(name) + text("/config.json"))));
            QVERIFY(QFile::copy(text(ATTN_TEST_DATA "/torch/") + text(weights),
                                folder.filePath(text(name) + text("/pytorch_model.bin"))));
        }
        QVERIFY(folder.mkdir(text("words")) && folder.mkdir(text("expression")));
        for (const char* side : {"words/source.vocab", "words/target.vocab"})
            write(folder.filePath(text(side)), "<pad>\n<unk>\n<s>\n</s>\n" + manyWords(100));
        write(folder.filePath(text("expression/tokenizer.json")),
              R"({"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []},
                  "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "(a*)*c"}, "behavior": "Isolated"}})");
        const auto run = [&](const QByteArray& limits) {
            QProcess process;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert(text(attn::limitsVariable), text(limits));
            process.setProcessEnvironment(environment);
            process.setWorkingDirectory(folder.path());
            process.start(text(ATTN_PROGRAM), filled(line));
            return resultOf(process);
        };
        const QByteArray named = "ATTNSCOPE_LIMITS=" + limit.left(limit.indexOf('=') + 1);
        if (const CommandResult usual = run({}); line.endsWith(text("torch")))
            QVERIFY2(usual.errors.contains("attention.key.bias"), usual.errors.constData()); // read; not its own
        else if (!limit.startsWith("regex"))
            QVERIFY2(usual.status == 0, usual.errors.constData());
        const CommandResult refused = run(limit);
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.hasOneErrorLine() && refused.errors.contains(file + ": "), refused.errors.constData());
        QVERIFY(!refused.errors.contains("attention.key.bias"));
        QVERIFY2(refused.errors.contains(named), refused.errors.constData());
    }

#ifdef ATTN_WITH_UI
    void namesThatAreNotUtf8AreNotChanged()
    {
        const auto run = [this](const char* command) {
            QProcess process;
            process.setWorkingDirectory(m_folder->path());
            process.start(text("bash"), {text("-c"), text(command), text(ATTN_PROGRAM)});
            return resultOf(process);
        };
        for (const char* command :
             {"\"$0\" figure no-such-model --text a --output $'f\\xff.svg'", "\"$0\" --screenshot $'f\\xff.png'",
              "\"$0\" $'f\\xff.npz'", "\"$0\" bench growth bert-tiny --output $'f\\xff.svg'"}) {
            const CommandResult refused = run(command);
            QCOMPARE(refused.status, 2);
            QVERIFY2(refused.hasOneErrorLine() && refused.errors.contains("f\\xff") && refused.errors.contains("UTF-8"),
                     refused.errors.constData());
        }
        const CommandResult title = run("\"$0\" figure no-such-model --text a --title $'f\\xff' --output f.svg");
        QCOMPARE(title.status, 2);
        QVERIFY2(title.hasOneErrorLine() && title.errors.contains("--title: is not UTF-8"), title.errors.constData());
        QVERIFY(QDir(m_folder->path()).isEmpty());
        const CommandResult shown = run("\"$0\" figure rnnsearch-en-fr --text We --output f.svg && "
                                        "mv f.svg $'f\\xff.svg' && \"$0\" info $'f\\xff.svg' && rm $'f\\xff.svg'");
        QVERIFY2(shown.status == 0 && shown.output.contains("rnnsearch-en-fr"), shown.errors.constData());
    }

    void aDisplayThatDoesNotAnswerIsOneLine()
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(text("QT_QPA_PLATFORM"), text("xcb"));
        environment.insert(text("DISPLAY"), text(":7777"));
        process.setProcessEnvironment(environment);
        process.start(text(ATTN_PROGRAM), words("rnnsearch-en-fr"));
        const CommandResult result = resultOf(process);
        QCOMPARE(result.status, 1);
        QVERIFY2(result.hasOneErrorLine() && result.errors.contains("DISPLAY=:7777"), result.errors.constData());
    }

    // A limit on the size of files stands for a full disk.
    void aPictureThatCannotBeWrittenLeavesTheOldOne()
    {
        write(m_folder->filePath(text("out.png")), "precious");
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

    static QByteArray manyWords(int count)
    {
        QByteArray lines;
        for (int i = 0; i < count; ++i)
            lines += 'w' + QByteArray::number(i) + '\n';
        return lines;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

ATTN_TEST(TestCommandLine)

#include "tst_command_line.moc"
