// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <csignal>
#include <memory>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace attn::test;

// The command batch.
class TestCliBatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void batchBeginsEveryLine()
    {
        write(m_folder->filePath(text("lines.txt")), "The house is small.\nI see a dog.\n");
        const QStringList line = words("batch rnnsearch-en-fr --lines")
            << m_folder->filePath(text("lines.txt")) << text("--output") << output() << text("--prefix") << text("Mon");
        const CommandResult result = runProgram(line);
        QVERIFY2(result.status == 0, result.errors.constData());
        for (const QByteArray& written : read(output()).trimmed().split('\n'))
            QVERIFY(QJsonDocument::fromJson(written)[text("output")].toString().startsWith(text("Mon")));
        QCOMPARE(runProgram(line + QStringList{text("--target-lines"), m_folder->filePath(text("lines.txt"))}).status,
                 2);
    }

    void batchGoesOnAfterAFailingLine()
    {
        write(m_folder->filePath(text("lines.txt")), "I am not deaf.\n\xff\nWe are happy.\n");
        const QString jsonLines = m_folder->filePath(text("o.jsonl"));
        const QString pharaoh = m_folder->filePath(text("o.al"));
        const CommandResult result = runProgram(words("batch rnnsearch-en-fr --lines")
                                                << m_folder->filePath(text("lines.txt")) << text("--output")
                                                << jsonLines << text("--alignments") << pharaoh);
        QCOMPARE(result.status, 1);
        QVERIFY2(result.hasOneErrorLine() && result.errors.contains("1 of the lines"), result.errors.constData());
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
        write(m_folder->filePath(text("lines.txt")), "The Cat sleeps.\nThe [MASK] sleeps.\n");
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
        write(m_folder->filePath(text("lines.txt")), "I am not deaf.\nWe are happy.\n");
        write(m_folder->filePath(text("targets.txt")), "Je ne suis pas sourd.\nNous sommes heureux.\n");
        const QString jsonLines = m_folder->filePath(text("o.jsonl"));
        const QStringList arguments = words("batch rnnsearch-en-fr --lines")
            << m_folder->filePath(text("lines.txt")) << text("--target-lines")
            << m_folder->filePath(text("targets.txt")) << text("--output") << jsonLines;
        QCOMPARE(runProgram(arguments).status, 0);
        const QByteArray second = read(jsonLines).trimmed().split('\n').at(1);
        QCOMPARE(QJsonDocument::fromJson(second)[text("output")].toString(), text("Nous sommes heureux."));
        write(m_folder->filePath(text("targets.txt")), "one\n");
        QCOMPARE(runProgram(arguments).status, 2);
    }

    void filesOfOneNameAreRefused_data()
    {
        QTest::addColumn<QString>("line");
        for (const char* line :
             {"--lines a.part --output a", "--lines a.part.asked --output a", "--lines b --output b",
              "--lines b --output ./folder/../b", "--lines b --output link", "--lines b --output hard",
              "--lines b --output dangling --alignments y", "--lines b --output a --alignments a",
              "--lines b --output a --alignments a.part", "--lines b --output a --alignments a.part.asked",
              "--lines b --output a.part --alignments a", "--lines b --output a --alignments b",
              "--lines a.part --output c --alignments a", "--lines b --target-lines a.part --output a",
              "--lines b --target-lines a.part --output a.part"})
            QTest::newRow(line) << text(line);
    }
    void filesOfOneNameAreRefused()
    {
        QFETCH(const QString, line);
        for (const char* name : {"b", "a.part", "a.part.asked"})
            write(m_folder->filePath(text(name)), "I am not deaf.\n");
        QVERIFY(QDir(m_folder->path()).mkdir(text("folder")));
        QVERIFY(QFile::link(text("b"), m_folder->filePath(text("link"))));
        QVERIFY(QFile::link(text("y"), m_folder->filePath(text("dangling"))));
        QCOMPARE(::link(m_folder->filePath(text("b")).toUtf8(), m_folder->filePath(text("hard")).toUtf8()), 0);
        const QStringList before = files();
        const CommandResult refused =
            runHere(words("batch no-such-model") + line.split(u' ')); // before a model is looked for
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.hasOneErrorLine() && refused.errors.contains("name the same file"),
                 refused.errors.constData());
        QCOMPARE(files(), before);
        for (const char* name : {"b", "a.part", "a.part.asked"})
            QCOMPARE(read(m_folder->filePath(text(name))), QByteArray("I am not deaf.\n"));
    }

    // Nothing says that they are unfinished lines of this batch.
    void linesOfOthersStay()
    {
        write(m_folder->filePath(text("lines.txt")), "I am not deaf.\n");
        for (const char* name : {"out.jsonl.part", "out.al.part"}) {
            const QString path = m_folder->filePath(text(name));
            write(path, "mine\n");
            for (const char* resume : {"", " --resume"}) {
                const CommandResult refused =
                    runHere(words("batch rnnsearch-en-fr --lines lines.txt --output out.jsonl --alignments out.al")
                            + words(resume));
                QCOMPARE(refused.status, 2);
                QVERIFY2(refused.hasOneErrorLine() && refused.errors.contains(name), refused.errors.constData());
                QCOMPARE(read(path), QByteArray("mine\n"));
            }
            QVERIFY(QFile::remove(path));
        }
    }

    void theModelIsNoOutput()
    {
        const QString archive = m_folder->filePath(text("t.json"));
        QCOMPARE(runHere(words("trace rnnsearch-en-fr --text deaf --output t.json")).status, 0);
        const QByteArray before = read(archive);
        for (const char* line : {"trace t.json --output t.json", "heads t.json --output ./t.json",

#ifdef ATTN_WITH_UI
                                 "t.json --screenshot t.json",
#endif
                                 "batch t.json --lines lines.txt --output t.json"}) {
            verifyWrongUsage(line, "name the same file");
            QCOMPARE(read(archive), before);
        }
    }

    void filesOfTheModelAreNoOutput()
    {
        const QDir from(caseFolder("bert-mlm"));
        for (const char* name : {"config.json", "model.safetensors"})
            QVERIFY(QFile::copy(from.filePath(text(name)), m_folder->filePath(text(name))));
        write(m_folder->filePath(text("lines.txt")), "a\n");
        write(m_folder->filePath(text("scores.json")), "{}\n");
        QVERIFY(QFile::link(text("config.json"), m_folder->filePath(text("link.json"))));
        for (const char* line :
             {"trace . --source-ids 2,3 --output config.json", "trace . --source-ids 2,3 --output ./config.json",
              "heads model.safetensors --source-ids 2,3 --output config.json",
              "batch . --lines lines.txt --output model.safetensors",
              "batch . --lines lines.txt --output x --alignments config.json",
              "trace . --source-ids 2,3 --output link.json",
#ifdef ATTN_WITH_UI
              ". --screenshot config.json",
#endif
              "trace . --source-ids 2,3 --output scores.json"}) {
            verifyWrongUsage(line, "the name of a model's file");
        }
        for (const char* name : {"config.json", "model.safetensors"})
            QCOMPARE(read(m_folder->filePath(text(name))), read(from.filePath(text(name))));
        for (int times = 0; times < 2; ++times) { // what it wrote itself it writes again
            const CommandResult written = runHere(words("trace . --source-ids 2,3 --output run.json"));
            QVERIFY2(written.status == 0, written.errors.constData());
        }
    }

    void whatHoldsNoFileMayBeNamedTwice()
    {
        write(m_folder->filePath(text("lines.txt")), "I am not deaf.\n");
        const CommandResult both = runHere(words("batch rnnsearch-en-fr --lines lines.txt --target-lines lines.txt "
                                                 "--output /dev/stdout --alignments /dev/stdout"));
        QVERIFY2(both.status == 0, both.errors.constData());
        QCOMPARE(both.output.count('\n'), 2);
        QCOMPARE(
            runHere(words("batch rnnsearch-en-fr --lines lines.txt --output /dev/null --alignments /dev/null")).status,
            0);
        QCOMPARE(files(), QStringList{text("lines.txt")});
    }

    void namesThatNoFileCanHaveAreRefused_data()
    {
        addColumns<QString, QString>("option", "name");
        QTest::newRow("empty") << text("--output") << QString();
        QTest::newRow("of a folder that is not there") << text("--output") << text("dir/");
        QTest::newRow("of a folder") << text("--output") << text(".");
        QTest::newRow("of a folder for alignments") << text("--alignments") << text("dir/");
        QTest::newRow("too long beside it") << text("--output") << QString(246, u'a');
        QTest::newRow("too long beside the alignments") << text("--alignments") << QString(251, u'a');
    }
    void namesThatNoFileCanHaveAreRefused()
    {
        QFETCH(const QString, option);
        QFETCH(const QString, name);
        QStringList line = words("batch no-such-model --lines lines.txt") << option << name;
        if (option != text("--output"))
            line << text("--output") << text("out.jsonl");
        const CommandResult refused = runHere(line);
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.hasOneErrorLine() && refused.errors.contains(option.toUtf8()), refused.errors.constData());
        QCOMPARE(files(), QStringList());
    }

    void aByteOrderMarkIsNoLetter()
    {
        write(m_folder->filePath(text("lines.txt")), "\xef\xbb\xbfI am not deaf.\n");
        QCOMPARE(runHere(words("batch rnnsearch-en-fr --lines lines.txt --output out.jsonl")).status, 0);
        QVERIFY(read(output()).startsWith("{\"source\":\"I am not deaf.\""));
    }

    void anInterruptedBatchKeepsTheFinishedLines_data()
    {
        addColumns<int, int, bool>("signal", "times", "late");
        QTest::newRow("interrupted") << SIGINT << 1 << false;
        QTest::newRow("hung up") << SIGHUP << 1 << false;
        QTest::newRow("by the terminal and by the shell") << SIGHUP << 2 << false;
        QTest::newRow("and once more while it ends") << SIGHUP << 1 << true;
    }
    void anInterruptedBatchKeepsTheFinishedLines()
    {
        QFETCH(const int, signal);
        QFETCH(const int, times);
        QFETCH(const bool, late);
        const QByteArray sentence = "I do not think that she will come back home tonight.\n";
        write(m_folder->filePath(text("lines.txt")), sentence.repeated(2000));
        write(output(), "precious");
        const QStringList line = words("batch transformer-en-fr --resume --lines")
            << m_folder->filePath(text("lines.txt")) << text("--output") << output();
        QProcess process;
        process.setChildProcessModifier([] { ::signal(SIGHUP, SIG_DFL); }); // nobody holds on to this test
        process.start(text(ATTN_PROGRAM), line);
        QVERIFY(process.waitForStarted());
        process.setReadChannel(QProcess::StandardError);
        QTRY_VERIFY_WITH_TIMEOUT(hasLines(), 20'000);
        const auto started = static_cast<pid_t>(process.processId());
        for (int i = 0; i < times; ++i)
            ::kill(started, signal);
        QByteArray said;
        while (late && !(said.contains("attnscope: ") && said.endsWith('\n')) && process.waitForReadyRead(20000))
            said += process.readAllStandardError();
        if (late)
            ::kill(started, signal);
        QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(20000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 1);
        const QByteArray last = (said + process.readAllStandardError()).trimmed().split('\n').last();
        if (times == 1) // on a line of its own
            QVERIFY2(last.startsWith("attnscope: ") && last.contains("--resume"), last.constData());
        QCOMPARE(read(output()), QByteArray("precious"));
        const QByteArray finished = read(unfinished());
        QVERIFY(finished.startsWith("{\"source\":\"I do not") && finished.endsWith("}\n"));
        QCOMPARE(
            files(),
            (QStringList{text("lines.txt"), text("out.jsonl"), text("out.jsonl.part"), text("out.jsonl.part.asked")}));

        const qsizetype count = finished.count('\n') + 2;
        write(m_folder->filePath(text("lines.txt")), sentence.repeated(count));
        const CommandResult rest = runOnTerminal(line, m_folder->path());
        QVERIFY2(rest.status == 0, rest.errors.constData());
        QVERIFY(!rest.errors.contains(QByteArray("\r") + QByteArray::number(count - 2) + " of")); // not made again
        QCOMPARE(read(output()), finished.left(finished.indexOf('\n') + 1).repeated(count));
        QCOMPARE(files(), (QStringList{text("lines.txt"), text("out.jsonl")}));
    }

    // It mostly comes before the first one has ended anything.
    void aSecondSignalEndsAtOnce()
    {
        write(m_folder->filePath(text("lines.txt")), QByteArray("I am not deaf.\n").repeated(2000));
        write(output(), "precious");
        const QStringList line = words("batch rnnsearch-en-fr --lines")
            << m_folder->filePath(text("lines.txt")) << text("--output") << output();
        bool isAtOnce = false;
        for (int i = 0; i < 20 && !isAtOnce; ++i) {
            QFile::remove(unfinished());
            QProcess process;
            process.setChildProcessModifier([] { ::signal(SIGHUP, SIG_DFL); });
            process.start(text(ATTN_PROGRAM), line);
            QTRY_VERIFY_WITH_TIMEOUT(hasLines(), 20'000);
            for (const int signal : {SIGHUP, SIGTERM})
                ::kill(static_cast<pid_t>(process.processId()), signal);
            const CommandResult ended = resultOf(process, 20'000);
            QCOMPARE(ended.status, 1);
            QCOMPARE(read(output()), QByteArray("precious"));
            isAtOnce = ended.errors.isEmpty(); // the first has nothing more to say
        }
        QVERIFY(isAtOnce);
    }

    void aHangUpThatIsIgnoredStaysSo()
    {
        write(m_folder->filePath(text("lines.txt")), QByteArray("I am not deaf.\n").repeated(30));
        QProcess process;
        process.setChildProcessModifier([] { ::signal(SIGHUP, SIG_IGN); }); // as nohup does
        process.start(text(ATTN_PROGRAM),
                      words("batch rnnsearch-en-fr --lines")
                          << m_folder->filePath(text("lines.txt")) << text("--output") << output());
        QVERIFY(process.waitForStarted());
        const auto started = static_cast<pid_t>(process.processId()); // 0 once it has ended, which is all of the group
        QTRY_VERIFY_WITH_TIMEOUT(hasLines(), 20'000);
        ::kill(started, SIGHUP);
        QCOMPARE(resultOf(process).status, 0);
        QCOMPARE(read(output()).count('\n'), 30);
    }

    void batchGoesOnBehindTheFinishedLines()
    {
        const QStringList line = threeOfFour() << text("--resume");
        const QByteArray links = read(alignments());
        const QByteArray whole = read(output());
        QCOMPARE(whole.count('\n'), 4);
        QCOMPARE(files(), (QStringList{text("lines.txt"), text("out.al"), text("out.jsonl")}));

        QVERIFY(leaveUnfinished(line, startOf(whole, 2).size() + 20)); // torn
        QCOMPARE(read(unfinished()).size(), startOf(whole, 2).size() + 20);
        write(alignments() + text(".part"), startOf(links, 2) + "\n0-0\n0-0\n");
        const CommandResult result = runOnTerminal(line, m_folder->path());
        QCOMPARE(result.status, 1);
        QVERIFY2(!result.errors.contains("1 of 4") && result.errors.contains("3 of 4"), result.errors.constData());
        QVERIFY2(!result.errors.contains("damaged"), result.errors.constData()); // it was not finished
        QCOMPARE(read(output()), whole);
        QCOMPARE(read(alignments()), links);
        QCOMPARE(files(), (QStringList{text("lines.txt"), text("out.al"), text("out.jsonl")}));

        QVERIFY(leaveUnfinished(line, startOf(whole, 1).size()));
        const QByteArray another = "{\"source\":\"Another.\",\"output\":\"\"}\n";
        write(unfinished(), another);
        write(alignments() + text(".part"), "\n");
        const CommandResult other = runProgram(line);
        QCOMPARE(other.status, 2);
        QVERIFY2(other.hasOneErrorLine() && other.errors.contains("--resume: line 1"), other.errors.constData());
        QCOMPARE(read(unfinished()), another);
    }

    void answersToAnotherQuestionAreNotMixed()
    {
        struct Other
        {
            const char* asked;
            const char* said;
        };
        constexpr auto rnn = "rnnsearch-en-fr";
        const Other others[] = {
            {"transformer-en-fr --decode beam:4", "model (was \"rnnsearch-en-fr\", is \"transformer-en-fr\")"},
            {"rnnsearch-en-fr --decode beam:3", "beam (was not given, is 3)"},
            {rnn, "decode (was \"beam\", is not given)"},
            {"rnnsearch-en-fr --decode beam:4 --edit cross:0:0=zero", ": edit"},
            {"rnnsearch-en-fr --decode beam:4 --precision bf16", "precision (was not given, is \"bf16\")"},
            {"rnnsearch-en-fr --decode beam:4 --prefix Mon --max-length 7", "max-length (was "},
            {"rnnsearch-en-fr --decode beam:4 --alignments x.al", "alignments (was \"\", is \"x.al\")"},
            {"rnnsearch-en-fr --decode beam:4 --target-lines lines.txt", "targets_fnv1a (was 0, is "},
        };
        write(m_folder->filePath(text("lines.txt")), "I am not deaf.\nWe are happy.\nI am here.\n");
        const QStringList same = words("--lines lines.txt --output out.jsonl --resume");
        QVERIFY(leaveUnfinished(words("batch rnnsearch-en-fr --decode beam:4") + same, 700));
        const QByteArray finished = read(unfinished());
        QVERIFY(finished.contains('\n'));
        for (const auto& [asked, said] : others) {
            const CommandResult other = runHere(words("batch") + words(asked) + same);
            QCOMPARE(other.status, 2);
            QVERIFY2(other.errors.contains(said)
                         && other.errors.contains("--resume: the unfinished batch out.jsonl.part"),
                     other.errors.constData());
            QCOMPARE(read(unfinished()), finished);
            QVERIFY(!QFile::exists(output()));
        }
    }

    void answersOfOtherHeadsAreNotMixed()
    {
        write(m_folder->filePath(text("lines.txt")), "I am not deaf.\nWe are happy.\nI am here.\n");
        const QStringList line = words("batch transformer-en-fr --lines lines.txt --output out.jsonl --resume");
        QVERIFY(leaveUnfinished(line, 700));
        const CommandResult other = runHere(line + words("--site cross:0:1"));
        QCOMPARE(other.status, 2);
        QVERIFY2(other.errors.contains("site (was \"cross:2:mean\", is \"cross:0:1\")"), other.errors.constData());
    }

    void answersOfOtherModelsAreNotMixed()
    {
        const QDir bundled(text(ATTN_SOURCE_DIR "/resources/models/rnnsearch-en-fr"));
        const QDir model(m_folder->filePath(text("model")));
        QVERIFY(model.mkpath(text(".")));
        for (const char* name : {"config.json", "model.safetensors", "tokenizer.model"})
            QVERIFY(QFile::link(bundled.absoluteFilePath(text(name)), model.filePath(text(name))));
        write(m_folder->filePath(text("lines.txt")), "I am not deaf.\nWe are happy.\nI am here.\n");
        const QStringList line = words("batch model --lines lines.txt --output out.jsonl --resume");
        QVERIFY(leaveUnfinished(line, 700));
        const QByteArray finished = read(unfinished());
        for (const char* changed : {"config.json", "model.safetensors", "tokenizer.model"}) {
            QVERIFY(QFile::remove(model.filePath(text(changed))));
            QVERIFY(QFile::copy(bundled.filePath(text(changed)), model.filePath(text(changed)))); // of another time
            const CommandResult other = runHere(line);
            QCOMPARE(other.status, 2);
            QVERIFY2(other.errors.contains("something else: files"), other.errors.constData());
            QCOMPARE(read(unfinished()), finished);
        }
    }

    void otherTargetsAreNotMixed()
    {
        const QByteArray targets = "Je ne suis pas sourd.\nNous sommes heureux.\n";
        write(m_folder->filePath(text("lines.txt")), "I am not deaf.\nWe are happy.\n");
        write(m_folder->filePath(text("targets.txt")), targets);
        const QStringList line =
            words("batch rnnsearch-en-fr --lines lines.txt --target-lines targets.txt --output out.jsonl --resume");
        QVERIFY(leaveUnfinished(line, 600));
        QCOMPARE(read(unfinished()).count('\n'), 1);
        write(m_folder->filePath(text("targets.txt")), "Je suis sourd.\nNous sommes heureux.\n");
        const CommandResult other = runHere(line);
        QCOMPARE(other.status, 2);
        QVERIFY2(other.errors.contains("targets_fnv1a"), other.errors.constData());
    }

    void whatAnUnfinishedBatchWasAskedMustBeKnown()
    {
        const QStringList line = threeOfFour();
        const QByteArray whole = read(output());
        const QString asked = unfinished() + text(".asked");
        QVERIFY(leaveUnfinished(line, startOf(whole, 1).size()));
        const QByteArray known = read(asked);
        for (const QByteArray& content : {QByteArray(), QByteArray("{\"program\":"), known.left(known.size() / 2)}) {
            QVERIFY(QFile::remove(asked));
            if (!content.isEmpty())
                write(asked, content);
            const CommandResult refused = runProgram(line + QStringList{text("--resume")});
            QCOMPARE(refused.status, 2);
            QVERIFY2(refused.hasOneErrorLine() && refused.errors.contains("out.jsonl.part.asked"),
                     refused.errors.constData());
            const char* said = content.isEmpty() ? "is missing; move it away" : "leave out --resume to begin anew";
            QVERIFY2(refused.errors.contains(said), refused.errors.constData());
            QCOMPARE(read(unfinished()), startOf(whole, 1));
            write(asked, known);
        }
        write(unfinished(), whole.left(20)); // nothing is finished
        QCOMPARE(runProgram(line + QStringList{text("--resume")}).status, 1);
        QCOMPARE(read(output()), whole);

        QVERIFY(leaveUnfinished(line, startOf(whole, 1).size()));
        QCOMPARE(runProgram(line + words("--max-length 3")).status, 1); // anew
        QVERIFY(read(output()) != whole);
        QCOMPARE(files(), (QStringList{text("lines.txt"), text("out.al"), text("out.jsonl")}));
    }

    void damagedLinesAreAskedAgain()
    {
        const QStringList line = threeOfFour() << text("--resume");
        const QByteArray whole = read(output());
        const QByteArray links = read(alignments());
        const QByteArray start = "{\"source\":\"\xef\xbf\xbd\",\"err";
        const QByteArray behind = startOf(whole, 3).mid(startOf(whole, 2).size());
        QVERIFY(leaveUnfinished(line, startOf(whole, 1).size() + 20));
        const QByteArray asked = read(unfinished() + text(".asked"));
        for (const QByteArray& damaged : {start + QByteArray(2, '\0') + "r\":\"x\"}",
                                          start + "or\":\"x\"}" + QByteArray(1, '\0'), start, QByteArray()}) {
            write(unfinished() + text(".asked"), asked);
            write(unfinished(), startOf(whole, 1) + damaged + '\n' + behind);
            write(alignments() + text(".part"), startOf(links, 3));
            const CommandResult result = runProgram(line);
            QCOMPARE(result.status, 1); // the second line fails
            QVERIFY2(result.errors.contains("line 2 of "), result.errors.constData());
            QCOMPARE(read(output()), whole);
            QCOMPARE(read(alignments()), links);
        }
    }

    void linesWithoutAlignmentsAreAskedAgain()
    {
        const QStringList line = threeOfFour() << text("--resume");
        const QByteArray whole = read(output());
        const QByteArray links = read(alignments());
        QVERIFY(leaveUnfinished(line, startOf(whole, 2).size()));
        write(alignments() + text(".part"), startOf(links, 1));
        const CommandResult result = runProgram(line);
        QVERIFY2(result.errors.contains("line 2 of "), result.errors.constData());
        QCOMPARE(read(output()), whole);
        QCOMPARE(read(alignments()), links);
    }

private:
    QString output() const
    {
        return m_folder->filePath(text("out.jsonl"));
    }
    QString unfinished() const
    {
        return output() + text(".part");
    }
    QString alignments() const
    {
        return m_folder->filePath(text("out.al"));
    }
    QStringList files() const
    {
        return QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden, QDir::Name);
    }

    static QByteArray startOf(const QByteArray& text, int lines)
    {
        qsizetype end = 0;
        for (int i = 0; i < lines; ++i)
            end = text.indexOf('\n', end) + 1;
        return text.left(end);
    }

    void verifyWrongUsage(const char* line, const char* why) const
    {
        const CommandResult refused = runHere(words(line));
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.hasOneErrorLine() && refused.errors.contains(why), refused.errors.constData());
    }

    // Whether a batch has finished its first lines, and others not.
    bool hasLines() const
    {
        return read(unfinished()).contains('\n');
    }

    CommandResult runHere(const QStringList& line) const
    {
        QProcess process;
        process.setWorkingDirectory(m_folder->path());
        process.start(text(ATTN_PROGRAM), line);
        return resultOf(process);
    }

    // As a batch that could not write more bytes than so many leaves it.
    bool leaveUnfinished(const QStringList& line, qsizetype bytes) const
    {
        QFile::remove(output());
        return runWithRoom(line, bytes, m_folder->path()).status == 1 && !QFile::exists(output())
            && read(unfinished()).size() == bytes && QFile::exists(unfinished() + text(".asked"));
    }

    // Runs a batch of four lines, of which the second fails.
    QStringList threeOfFour() const
    {
        write(m_folder->filePath(text("lines.txt")), "I am not deaf.\n\xff\nWe are happy.\nI am here.\n");
        const QStringList line = words("batch rnnsearch-en-fr --lines")
            << m_folder->filePath(text("lines.txt")) << text("--output") << output() << text("--alignments")
            << alignments();
        [&] { QCOMPARE(runProgram(line).status, 1); }();
        return line;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

ATTN_TEST(TestCliBatch)

#include "tst_cli_batch.moc"
