// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "support/test_program.h"
#include "support/whole_files.h"

#include <QFile>
#include <QImage>
#include <QImageReader>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cstdlib>
#include <memory>
#include <utility>

using namespace attn::test;

class TestCliFigure : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_archive = m_folder.filePath(text("a.npz"));
        QCOMPARE(runProgram({text("trace"), caseFolder("marian-swish"), text("--source-ids"), text("5,9,30,0"),
                             text("--target-ids"), text("4,8,0"), text("--output"), m_archive})
                     .status,
                 0);
    }

    void aPictureOfAWindowThatOpensNothingFails()
    {
        const QString output = m_folder.filePath(text("window.png"));
        const QString rubbish = m_folder.filePath(text("rubbish.gguf"));
        QFile file(rubbish);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("rubbish") > 0 && file.flush());
        for (const QString& model : {m_folder.filePath(text("nothing")), rubbish}) {
            const CommandResult result = runProgram({model, text("--text"), text("a"), text("--screenshot"), output});
            QCOMPARE(result.status, 1);
            QVERIFY2(result.errors.count("attnscope: ") == 1, result.errors.constData()); // Qt may say more
            QVERIFY(!QFile::exists(output));
        }
    }

    void anUnknownModelIsSaidBeforeAWindowOpens()
    {
        const ScopedVariable platform("QT_QPA_PLATFORM", "xcb");
        const ScopedVariable display("DISPLAY", ":7777"); // where no window can open
        const CommandResult result = runProgram({text("no-such-model")});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.hasOneErrorLine() && result.errors.startsWith("attnscope: no-such-model: ")
                     && !result.errors.contains("7777"),
                 result.errors.constData());
    }

    // Letters and cells are drawn anew, not enlarged: where they end, a colour changes from one dot to the next.
    void aWindowWithTwiceTheDotsIsSharp()
    {
        const auto edges = [&](const char* factor) {
            const QString output = m_folder.filePath(text("sharp.png"));
            const ScopedVariable scale("QT_SCALE_FACTOR", factor);
            if (runProgram({m_archive, text("--screenshot"), output}).status != 0)
                qFatal("there is no picture");
            const QImage picture = QImage(output).convertToFormat(QImage::Format_Grayscale8);
            int count = 0;
            for (int y = 0; y < picture.height(); ++y) {
                const uchar* line = picture.constScanLine(y);
                for (int x = 1; x < picture.width(); ++x)
                    count += std::abs(int{line[x]} - int{line[x - 1]}) > 96 ? 1 : 0;
            }
            return std::pair(picture.size(), count);
        };
        const auto [size, count] = edges("1");
        const auto [larger, sharp] = edges("2");
        QCOMPARE(larger, 2 * size);
        QVERIFY2(sharp > 1.4 * count, qPrintable(QStringLiteral("%1 after %2").arg(sharp).arg(count)));
    }

    void aPairIsOfTwoTexts()
    {
        const QString drawn = m_folder.filePath(text("pair.svg"));
        const QStringList line{text("figure"), text("bert-small-en"), text("--text"), text("It rains."), text("--pair"),
                               text("ab"),     text("--output"),      drawn};
        const CommandResult one = runProgram(line);
        QCOMPARE(one.status, 2);
        QVERIFY2(one.hasOneErrorLine() && one.errors.contains("--text-pair"), one.errors.constData());
        QVERIFY(!QFile::exists(drawn));
        QCOMPARE(runProgram(line + QStringList{text("--text-pair"), text("It pours.")}).status, 0);
    }

    void everyViewIsRendered_data()
    {
        addColumns<QString, QString>("view", "format");
        for (const char* view : {"heatmap", "grid", "arcs", "decoding", "beam"}) {
            for (const char* format : {"svg", "pdf", "png"})
                QTest::newRow(qPrintable(text(view) + QLatin1Char('.') + text(format))) << text(view) << text(format);
        }
    }
    void everyViewIsRendered()
    {
        QFETCH(QString, view);
        QFETCH(QString, format);
        const QString output = m_folder.filePath(QLatin1String("f.") + format);
        const CommandResult result =
            figure({text("--view"), view, text("--width"), text("80"), text("--output"), output});
        QVERIFY2(result.status == 0, result.errors.constData());
        QVERIFY(result.errors.isEmpty());
        const QByteArray content = read(output);
        if (format == text("svg"))
            QVERIFY(content.contains("<svg") && content.contains("80"));
        else if (format == text("pdf"))
            QVERIFY(content.startsWith("%PDF"));
        else
            QVERIFY(!QImage(output).isNull());
        QFile::remove(output);
    }

    void theSameRunGivesTheSameBytes()
    {
        const QString again = m_folder.filePath(text("again.npz"));
        const QString page = m_folder.filePath(text("run.pdf"));
        const auto drawn = [&page] { // from a run, not from its archive
            const CommandResult result =
                runProgram({text("figure"), caseFolder("marian-swish"), text("--source-ids"), text("5,9,30,0"),
                            text("--target-ids"), text("4,8,0"), text("--output"), page});
            return result.status == 0 ? undated(read(page)) : QByteArray();
        };
        const auto recurrent = [&again] {
            const CommandResult result = runProgram({text("trace"), text("rnnsearch-en-fr"), text("--text"),
                                                     text("The cat sat."), text("--output"), again});
            return result.status == 0 ? read(again) : QByteArray();
        };
        const QByteArray first = drawn();
        const QByteArray firstRecurrent = recurrent();
        QVERIFY(first.startsWith("%PDF") && firstRecurrent.startsWith("PK"));
        QTest::qWait(2100); // the times in an archive are even seconds
        QProcess busy; // which takes a processor away
        busy.start(text("sh"), {text("-c"), text("while :; do :; done")});
        QVERIFY(busy.waitForStarted());
        const auto ended = qScopeGuard([&busy] {
            busy.kill();
            busy.waitForFinished();
        });
        QVERIFY(drawn() == first);
        QVERIFY(recurrent() == firstRecurrent);
        QCOMPARE(runProgram({text("trace"), caseFolder("marian-swish"), text("--source-ids"), text("5,9,30,0"),
                             text("--target-ids"), text("4,8,0"), text("--output"), again})
                     .status,
                 0);
        QVERIFY(read(again) == read(m_archive));
        for (const char* format : {"pdf", "svg", "png"}) {
            const QString output = m_folder.filePath(text("same.") + text(format));
            QByteArray first;
            for (int time = 0; time < 3; ++time) { // every process has its own hash tables
                QCOMPARE(figure({text("--output"), output}).status, 0);
                if (first.isEmpty())
                    first = undated(read(output));
                QVERIFY2(undated(read(output)) == first, format);
            }
        }
    }

    void everyFileSaysWhatMakesItAgain_data()
    {
        addColumns<QString, QStringList>("file", "arguments");
        for (const char* file : {"f.png", "f.svg", "f.pdf", "f.tex", "f.html", "f.gif"})
            QTest::newRow(file) << text(file) << QStringList();
        QTest::newRow("report") << text("f.pdf") << QStringList{text("--report")};
        QTest::newRow("choices") << text(
            "f.svg") << QStringList{text("--rows"),     text("0-1"),         text("--columns"), text("1-2"),
                                    text("--numbers"),  text("on"),          text("--step"),    text("1"),
                                    text("--no-title"), text("--no-legend"), text("--theme"),   text("dark"),
                                    text("--site"),     text("cross:1:max")};
        QTest::newRow("hostile title") << text("f.pdf")
                                       << QStringList{text("--title"), text("a --> 'b' \\ \n (c) \u4e2d $(x)")};
        QTest::newRow("characters that files leave out")
            << text("f.svg") << QStringList{text("--title"), text("a\ufeff \u202eb")};
        QTest::newRow("tree") << text("f.svg") << QStringList{text("--view"), text("beam"), text("--no-mark")};
    }
    void everyFileSaysWhatMakesItAgain()
    {
        QFETCH(const QString, file);
        QFETCH(const QStringList, arguments);
        QTemporaryDir first;
        QTemporaryDir second;
        const CommandResult made = figure(arguments + QStringList{text("--output"), first.filePath(file)});
        QVERIFY2(made.status == 0, made.errors.constData());
        const CommandResult info = runProgram({text("info"), text("--json"), first.filePath(file)});
        QVERIFY2(info.status == 0, info.errors.constData());
        const QJsonObject found = QJsonDocument::fromJson(info.output).object();
        QVERIFY(found.value(text("program")).toString().startsWith(text("AttnScope ")));
        const QString command = found.value(text("command")).toString();
        QVERIFY(command.startsWith(text("attnscope figure ")));
        const CommandResult again = runNamed(command, second.path());
        QVERIFY2(again.status == 0, again.errors.constData());
        const QString written = text("figure.") + QFileInfo(file).suffix(); // another name, and the same bytes
        QVERIFY2(undated(read(second.filePath(written))) == undated(read(first.filePath(file))), qPrintable(command));
        QVERIFY(!read(first.filePath(file)).isEmpty());
    }

    void numbersAreWrittenForSpreadsheets()
    {
        const QString output = m_folder.filePath(text("n.csv"));
        QCOMPARE(figure({text("--rows"), text("0-1"), text("--output"), output}).status, 0);
        const QList<QByteArray> lines = read(output).trimmed().split('\n');
        QCOMPARE(lines.size(), 3); // the names of the columns, and the rows asked for
        QCOMPARE(lines.at(1).count(','), lines.front().count(','));
    }

    void onlyTheRowsAndColumnsAskedForAreDrawn()
    {
        const QString output = m_folder.filePath(text("part.svg"));
        const auto cells = [&](const QStringList& arguments) {
            const CommandResult result = figure(arguments + QStringList{text("--no-legend"), text("--output"), output});
            return result.status == 0 ? read(output).count("<rect") : -1;
        };
        const auto all = cells({});
        const auto two = cells({text("--rows"), text("1-2")});
        const auto one = cells({text("--rows"), text("1-2"), text("--columns"), text("0")});
        QCOMPARE(cells({text("--rows"), text("1-2147483647")}), cells({text("--rows"), text("1-90")}));
        QVERIFY2(one > 0 && one < two && two < all, qPrintable(QStringLiteral("%1 %2 %3").arg(one).arg(two).arg(all)));
    }

    void titleLegendAndAxesCanBeLeftOut()
    {
        const QString output = m_folder.filePath(text("bare.svg"));
        const auto content = [&](const QStringList& arguments) {
            const CommandResult result = figure(arguments + QStringList{text("--output"), output});
            const QByteArray svg = result.status == 0 ? read(output) : QByteArray();
            return svg.mid(svg.indexOf("<defs>")); // behind what names the file
        };
        QVERIFY(content({}).contains("attention weight"));
        QVERIFY(!content({text("--no-legend")}).contains("attention weight"));
        QVERIFY(content({}).contains("Encoder-decoder attention"));
        QVERIFY(!content({text("--no-title")}).contains("Encoder-decoder attention"));
        QVERIFY(content({text("--title"), text("Mine & yours")}).contains("Mine &amp; yours"));
        QVERIFY(!content({text("--no-axis-names")}).contains("source (input)"));
        QVERIFY(content({text("--numbers"), text("on")}).count("<text")
                > content({text("--numbers"), text("off")}).count("<text"));
    }

    void numbersFromATenthOnAreFewer()
    {
        const QString output = m_folder.filePath(text("numbers.svg"));
        const auto count = [&output](const char* numbers) {
            const CommandResult result =
                runProgram({text("figure"), text(ATTN_SOURCE_DIR "/resources/models/rnnsearch-en-fr"), text("--text"),
                            text("I am not deaf."), text("--numbers"), text(numbers), text("--output"), output});
            return result.status == 0 ? read(output).count("<text") : -1;
        };
        const auto large = count("large");
        QVERIFY(large > count("off"));
        QVERIFY(large < count("auto"));
    }

    void theStepIsMarkedWhereItIsAskedFor()
    {
        const QString output = m_folder.filePath(text("mark.svg"));
        const auto content = [&](const QStringList& arguments) {
            return figure(arguments + QStringList{text("--output"), output}).status == 0
                ? read(output).mid(read(output).indexOf("<defs>"))
                : QByteArray();
        };
        const QByteArray plain = content({});
        QVERIFY(content({text("--step"), text("1")}) != plain);
        QCOMPARE(content({text("--step"), text("1"), text("--no-mark")}), plain);
        QVERIFY(content({text("--mark-step")}) != plain);
    }

    // Large pictures leave room for fewer of a word on its way.
    void aGifOfALongRunIsWritten()
    {
        const QString output = m_folder.filePath(text("moving.gif"));
        const CommandResult made =
            runProgram({text("figure"), text(ATTN_SOURCE_DIR "/resources/models/rnnsearch-en-fr"), text("--text"),
                        text("I don't think that she will come back home tonight."), text("--output"), output});
        QVERIFY2(made.status == 0, made.errors.constData());
        constexpr int steps = 15;
        QVERIFY(QImageReader(output).imageCount() > 2 * steps);
    }

    void aGifHasAPictureForEachStep()
    {
        const QString output = m_folder.filePath(text("steps.gif"));
        QCOMPARE(figure({text("--view"), text("decoding"), text("--dpi"), text("60"), text("--delay"), text("100"),
                         text("--output"), output})
                     .status,
                 0);
        QImageReader reader(output);
        QVERIFY(reader.canRead());
        QList<QImage> pictures;
        while (reader.canRead())
            pictures << reader.read();
        QCOMPARE(pictures.size(), 3);
        QVERIFY(!pictures[0].isNull() && pictures[0] != pictures[1] && pictures[1] != pictures[2]);
        const QString still = m_folder.filePath(text("step.png"));
        QCOMPARE(figure({text("--view"), text("decoding"), text("--step"), text("2"), text("--dpi"), text("60"),
                         text("--output"), still})
                     .status,
                 0);
        const QImage last = QImage(still).convertToFormat(QImage::Format_RGB32);
        QVERIFY(pictures[2].convertToFormat(QImage::Format_RGB32).copy(last.rect()).pixelColor(3, 3)
                == last.pixelColor(3, 3));
    }

    void aWebPageHoldsEveryHeadAndAsksNobody()
    {
        const QString output = m_folder.filePath(text("page.html"));
        QCOMPARE(figure({text("--title"), text("</script><script>alert(1)</script>"), text("--output"), output}).status,
                 0);
        const QByteArray page = read(output).mid(read(output).indexOf("-->")); // behind the comment
        QVERIFY(!page.contains("alert(1)</script>") && !page.contains("src=") && !page.contains("href="));
        const qsizetype begin = page.indexOf("id=\"data\">") + 10;
        const QJsonObject data =
            QJsonDocument::fromJson(page.mid(begin, page.indexOf("</script>", begin) - begin)).object();
        const QJsonArray maps = data.value(text("maps")).toArray();
        QVERIFY(maps.size() > 4);
        const qsizetype columns = maps[0][text("columns")].toArray().size(); // of those, too, that have none
        for (const QJsonValue& map : maps)
            QCOMPARE(map[text("values")].toArray().size(), map[text("rows")].toArray().size() * columns);
    }

    void aTikzPictureIsADocument()
    {
        const QString program = QStandardPaths::findExecutable(text("pdflatex"));
        if (program.isEmpty())
            QSKIP("pdflatex is not installed");
        for (const char* view : {"heatmap", "arcs", "decoding"}) {
            QTemporaryDir folder;
            QCOMPARE(figure({text("--view"), text(view), text("--title"),
                             text("\\input{/etc/passwd} 100% & #1 _a_ ~ ^ {x} $y$ <\u4e2d> \u00e9\u2014\u201c\"'`"
                                  "\x01\t\n\v\r\x1b\x7f\ufffe"),
                             text("--output"), folder.filePath(text("f.tex"))})
                         .status,
                     0);
            QProcess latex;
            latex.setWorkingDirectory(folder.path());
            latex.start(program, {text("-interaction=nonstopmode"), text("-halt-on-error"), text("f.tex")});
            QVERIFY(latex.waitForFinished(120000));
            QVERIFY2(latex.exitCode() == 0, latex.readAllStandardOutput().right(1500).constData());
            QProcess words;
            words.start(text("pdftotext"), {folder.filePath(text("f.pdf")), text("-")});
            QVERIFY(words.waitForFinished(30000));
            QVERIFY(words.readAllStandardOutput().contains("passwd} 100%"));
        }
    }

    void aPngIsAsWideAsAsked()
    {
        const QString output = m_folder.filePath(text("w.png"));
        QCOMPARE(figure({text("--width"), text("100"), text("--dpi"), text("254"), text("--output"), output}).status,
                 0);
        QCOMPARE(QImage(output).width(), 1000);
    }

    void theSiteIsChosenByName()
    {
        const auto content = [&](const char* site) {
            const QString output = m_folder.filePath(text("s.svg"));
            const CommandResult result = figure({text("--site"), text(site), text("--output"), output});
            return result.status == 0 ? read(output) : QByteArray();
        };
        const QByteArray head = content("cross:1:2");
        QVERIFY(!head.isEmpty());
        for (const char* other : {"cross:0:2", "cross:1:mean", "cross:1:max", "encoder:0:0", "decoder:1:3"})
            QVERIFY2(!content(other).isEmpty() && content(other) != head, other);
    }

    void whatIsNotThereIsRefused_data()
    {
        addColumns<QStringList, int>("arguments", "status");
        const auto add = [](const char* name, const QStringList& arguments, int status) {
            QTest::newRow(name) << arguments << status;
        };
        const QString svg = m_folder.filePath(text("never.svg"));
        add("format", {text("--output"), m_folder.filePath(text("x.bmp"))}, 2);
        add("font", {text("--font"), text("No Such Family"), text("--output"), svg}, 1);
        add("font of a page", {text("--font"), text("No Such Family"), text("--output"), text("x.html")}, 1);
        add("report", {text("--report"), text("--output"), svg}, 2);
        add("rows", {text("--rows"), text("90-91"), text("--output"), svg}, 2);
        add("hypothesis", {text("--leaf"), text("90"), text("--output"), svg}, 2);
        add("view", {text("--view"), text("cake"), text("--output"), svg}, 2);
        add("colour map", {text("--colormap"), text("rainbow"), text("--output"), svg}, 2);
        add("width", {text("--width"), text("-3"), text("--output"), svg}, 2);
        add("wide", {text("--width"), text("2001"), text("--output"), svg}, 2);
        add("fine", {text("--dpi"), text("2401"), text("--output"), svg}, 2);
        add("at the limits", {text("--width"), text("2000"), text("--dpi"), text("2400"), text("--output"), svg}, 0);
        add("positions of an archive", {text("--view"), text("positional"), text("--output"), svg}, 2);
        add("input", {text("--text"), text("a"), text("--output"), svg}, 2);
        for (const char* site : {"cross:9:0", "cross:0:9", "cross:0:all", "cross:-1", "side:0:0", "cross:0:0:0"})
            add(site, {text("--site"), text(site), text("--output"), svg}, 2);
    }
    void whatIsNotThereIsRefused()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        const CommandResult result = figure(arguments);
        QCOMPARE(result.status, status);
        if (status != 0)
            QVERIFY2(result.hasOneErrorLine(), result.errors.constData());
    }

    void positionsNeedNoText()
    {
        const QString output = m_folder.filePath(text("p.svg"));
        const CommandResult result = runProgram(
            {text("figure"), caseFolder("marian-swish"), text("--view"), text("positional"), text("--output"), output});
        QVERIFY2(result.status == 0, result.errors.constData());
        QVERIFY(read(output).contains("<svg"));
    }

    void positionsThatAreNoTableAreExplained_data()
    {
        QTest::addColumn<QString>("model");
        QTest::newRow("rotary") << text("llama-gqa");
        QTest::newRow("relative") << text("t5-relu");
        QTest::newRow("recurrent") << text("rnn-luong-dot");
    }
    void positionsThatAreNoTableAreExplained()
    {
        QFETCH(const QString, model);
        const CommandResult result =
            runProgram({text("figure"), caseFolder(qPrintable(model)), text("--view"), text("positional"),
                        text("--output"), m_folder.filePath(text("p.svg"))});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.hasOneErrorLine(), result.errors.constData());
        for (const char* scheme : {"rotary", "relative", "recurrent"}) // what it has in the place of a table
            QCOMPARE(result.errors.contains(scheme), qstrcmp(scheme, QTest::currentDataTag()) == 0);
    }

    // A file may name anything as its command.
    void commandsAreShownNotObeyed()
    {
        const QString file = m_folder.filePath(text("hostile.tex"));
        const QByteArray run = "attnscope figure m --text 'a  b' --title " + QByteArray(500, 'x');
        write(file, "% Text: a\x1b]0;b\x07\n% Command: " + run + "; \x1b[8m\xe2\x80\xae\n");
        const CommandResult shown = runProgram({text("info"), file});
        QCOMPARE(shown.status, 0);
        QCOMPARE(shown.output, "text           a\\x1b]0;b\\x07\ncommand        " + run + "; \\x1b[8m\\u202e\n");
        const CommandResult json = runProgram({text("info"), text("--json"), file});
        QCOMPARE(QJsonDocument::fromJson(json.output).object().value(text("command")).toString(),
                 QString::fromUtf8(run + "; \x1b[8m\xe2\x80\xae"));
    }

    // Whatever the system's language is: what a script makes is the same everywhere.
    void wordsAndNumbersAreInTheLanguageAskedFor()
    {
        const QString english = m_folder.filePath(text("english.svg"));
        const QString french = m_folder.filePath(text("french.svg"));
        QCOMPARE(figure({text("--output"), english}).status, 0);
        QCOMPARE(figure({text("--language"), text("fr"), text("--output"), french}).status, 0);
        QVERIFY(read(english).contains(">Encoder-decoder attention<"));
        QVERIFY(read(french).contains(">Attention encodeur-d\u00e9codeur<"));
        const QRegularExpression point(text(">0\\.\\d+<"));
        const QRegularExpression comma(text(">0,\\d+<"));
        QVERIFY(QString::fromUtf8(read(english)).contains(point) && !QString::fromUtf8(read(english)).contains(comma));
        QVERIFY(QString::fromUtf8(read(french)).contains(comma) && !QString::fromUtf8(read(french)).contains(point));
        QVERIFY(runProgram({text("info"), french}).output.contains("--language fr"));
        QVERIFY(!runProgram({text("info"), english}).output.contains("--language"));
        const QString again = m_folder.filePath(text("again.svg"));
        qputenv("LC_ALL", "fr_FR.UTF-8");
        const CommandResult same = figure({text("--output"), again});
        qputenv("LC_ALL", "C.UTF-8");
        QCOMPARE(same.status, 0);
        QVERIFY(read(again) == read(english));
    }

    void anArchivesNameMayEndInCapitals()
    {
        for (const char* name : {"c.NPZ", "c.Json"}) {
            const QString archive = m_folder.filePath(text(name));
            const CommandResult made = runProgram({text("trace"), m_archive, text("--output"), archive});
            QVERIFY2(made.status == 0, made.errors.constData());
            QCOMPARE(runProgram({text("info"), archive}).status, 0);
        }
    }

    void aModelWithoutAttentionHasNothingToDraw()
    {
        const QString output = m_folder.filePath(text("n.svg"));
        const CommandResult result = runProgram({text("figure"), caseFolder("rnn-none-unidirectional"),
                                                 text("--source-ids"), text("5,9,3"), text("--output"), output});
        QCOMPARE(result.status, 1);
        QVERIFY2(result.hasOneErrorLine(), result.errors.constData());
        QVERIFY2(result.errors.contains("--view decoding"), result.errors.constData());
        QVERIFY(!QFile::exists(output));
    }

private:
    CommandResult figure(const QStringList& arguments) const
    {
        return runProgram(QStringList{text("figure"), m_archive} + arguments);
    }

    QTemporaryDir m_folder;
    QString m_archive;
};

ATTN_TEST(TestCliFigure)

#include "tst_cli_figure.moc"
