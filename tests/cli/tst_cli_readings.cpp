// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "io/npz.h"
#include "support/test_program.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace attn;
using namespace attn::test;

namespace {

const QString cases = QStringLiteral(ATTN_TEST_DATA "/attribution/");

QJsonObject caseOf(const QString& name)
{
    return QJsonDocument::fromJson(read(cases + name + text("/case.json"))).object();
}

QStringList gpt2(const char* rest = "")
{
    return QStringList{text("readings"), caseFolder("gpt2-plain"), text("--source-ids"), text("17,60,75,138,36,121")}
    + words(rest);
}

// Differences that are allowed, of most arrays as a share of the largest number, or of 1.
double toleranceOf(const std::string& array, const std::vector<float>& expected)
{
    if (array.ends_with("_attentions") || array.ends_with("_rollout") || array.ends_with("_norms")
        || array.ends_with("_norms_summed"))
        return array.find("value_zeroing") != std::string::npos ? 5e-4 : 1e-5;
    if (array.find("value_zeroing") != std::string::npos)
        return 5e-4;
    float largest = 1;
    for (const float value : expected)
        largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : largest;
    return 2e-4 * largest;
}

} // namespace

// Every folder below tests/data/attribution, with its arguments, against what PyTorch's autograd computed in float64.
class TestCliReadings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyArrayIsAsExpected_data()
    {
        QTest::addColumn<QString>("name");
        const QStringList names = QDir(cases).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QVERIFY(names.size() >= 14);
        for (const QString& name : names)
            QTest::newRow(qPrintable(name)) << name;
    }
    void everyArrayIsAsExpected()
    {
        QFETCH(QString, name);
        const QJsonObject one = caseOf(name);
        QStringList arguments;
        for (const auto& value : one[text("arguments")][text("readings")].toArray())
            arguments << value.toString();
        arguments.replaceInStrings(text("MODEL"), cases + name + u'/' + one[text("checkpoint")].toString());
        arguments.replaceInStrings(text("OUT.npz"), path("out.npz"));
        const CommandResult result = runProgram(arguments);
        QVERIFY2(result.status == 0, result.errors.constData());
        const NpzReader found(path("out.npz").toStdString());
        const NpzReader expected((cases + name + text("/expected.npz")).toStdString());
        for (const std::string& array : expected.names()) {
            QVERIFY2(found.contains(array), array.c_str());
            const NpyArray wanted = *expected.find(array);
            const NpyArray got = *found.find(array);
            QVERIFY2(wanted.shape() == got.shape(), array.c_str());
            if (wanted.kind() != NpyKind::Float) {
                QCOMPARE(got.integers(), wanted.integers());
                continue;
            }
            compareNumbers(array, got.floats(), wanted.floats(), weightsFor(array, found));
        }
    }

    void allPositionsAreThoseOneByOne()
    {
        const char* const methods = "--method input_gradients,lrp --steps 8 --output";
        QVERIFY(run(gpt2(methods) + QStringList{path("all.npz"), text("--of"), text("all")}));
        const NpzReader all(path("all.npz").toStdString());
        for (const char* of : {"1", "3", "5"}) {
            QVERIFY(run(gpt2(methods) + QStringList{path("one.npz"), text("--of"), text(of)}));
            const NpzReader one(path("one.npz").toStdString());
            for (const char* array :
                 {"source_gradients", "source_times_gradients", "source_integrated_gradients", "source_lrp"}) {
                const std::vector<float> row = one.find(array)->floats();
                const std::vector<float> rows = all.find(array)->floats();
                for (std::size_t i = 0; i < row.size(); ++i)
                    QVERIFY(std::abs(rows.at(text(of).toUInt() * row.size() + i) - row[i]) < 1e-5);
            }
        }
    }

    void whyThisAndNotThatIsAntisymmetric()
    {
        const char* const methods = "--method gradients,lrp --of 3 --output";
        QVERIFY(run(gpt2(methods) + QStringList{path("one.npz"), text("--against"), text("21")}));
        QStringList other = gpt2(methods) + QStringList{path("other.npz"), text("--against"), text("138")};
        // The same prefix, with the other token standing at position 3.
        other.replaceInStrings(text("17,60,75,138,36,121"), text("17,60,75,21,36,121"));
        QVERIFY(run(other));
        const NpzReader one(path("one.npz").toStdString());
        const NpzReader back(path("other.npz").toStdString());
        const auto left = one.find("source_lrp")->floats();
        const auto right = back.find("source_lrp")->floats();
        for (std::size_t i = 0; i < 3; ++i) // what follows is masked
            QVERIFY(std::abs(left[i] + right[i]) < 1e-5);
    }

    void contributionsSumToTheLogit()
    {
        QVERIFY(run(gpt2("--method direct,lens --of 5 --logits --output") + QStringList{path("out.npz")}));
        const NpzReader found(path("out.npz").toStdString());
        double sum = 0;
        for (const char* array : {"decoder_direct", "mlp_direct", "embedding_direct", "rest_direct"}) {
            for (const float value : found.find(array)->floats())
                sum += value;
        }
        const auto logits = found.find("logits");
        const auto width = static_cast<std::size_t>(logits->shape()[1]);
        QVERIFY(std::abs(sum - logits->floats().at(4 * width + 121)) < 1e-4);
        // The last entry of the lens is the output.
        const auto answers = found.find("lens_answer_logprobs")->floats();
        const auto logs = found.find("logprobs")->floats();
        QVERIFY(std::abs(answers.at(answers.size() - 2) - logs.at(5)) < 1e-4);
    }

    void integratedGradientsSayWhetherTheySettle()
    {
        const char* const rest = "--method input_gradients --steps 256 --output";
        QVERIFY(run(gpt2(rest) + QStringList{path("gpt2.npz")}));
        QVERIFY(completeness("gpt2.npz")[text("settled")].toBool());
        const CommandResult llama = runProgram(
            QStringList{text("readings"), caseFolder("llama-gqa"), text("--source-ids"), text("1,139,15,106,95,69,54")}
            + words(rest) + QStringList{path("llama.npz")});
        QCOMPARE(llama.status, 0);
        const QJsonObject found = completeness("llama.npz");
        const double gap = std::abs(found[text("sum")].toDouble() - found[text("difference")].toDouble());
        QCOMPARE(found[text("settled")].toBool(),
                 gap <= 0.02 * std::max(1.0, std::abs(found[text("difference")].toDouble())));
        QCOMPARE(llama.errors.contains("--baseline"), !found[text("settled")].toBool());
    }

    void erasingWhatIsNotSeenChangesNothing()
    {
        QVERIFY(run(gpt2("--method erasure,value_zeroing --erase hide --output") + QStringList{path("out.npz")}));
        const NpzReader found(path("out.npz").toStdString());
        for (const char* array : {"source_erasure", "decoder_value_zeroing"}) {
            const auto values = found.find(array)->floats();
            const std::size_t size = 6;
            const bool isErasure = std::string_view(array) == "source_erasure"; // row i is about x_i
            for (std::size_t i = 0; i < values.size(); ++i) {
                const std::size_t row = i / size % size;
                const std::size_t column = i % size;
                if (column > row || (isErasure && column == row))
                    QCOMPARE(values[i], 0.0F);
            }
        }
    }

    void theTableHasEveryReadingThatCanBeCompared()
    {
        const CommandResult result = runProgram(gpt2("--erase hide --table --method rollout,input_gradients,lrp"));
        QCOMPARE(result.status, 0);
        const QList<QByteArray> lines = result.output.trimmed().split('\n');
        QVERIFY(lines.first().startsWith("reading\trho\trows"));
        QByteArrayList names;
        for (const QByteArray& line : lines.mid(1)) {
            names << line.split('\t')[0];
            const double rho = line.split('\t')[1].toDouble();
            QVERIFY(rho >= -1 && rho <= 1);
        }
        for (const char* name : {"raw:LAST", "raw:BEST", "decoder_rollout", "source_gradients", "source_lrp"})
            QVERIFY2(names.contains(name), name);
    }

    // The random order and the model with shuffled weights agree less than the readings themselves, on average.
    void controlsStandBesideTheTable()
    {
        const CommandResult result =
            runProgram(words("readings transformer-en-fr --of all --table --controls --method norms,value_zeroing,lrp")
                       << text("--text") << text("I am not deaf, and she is right."));
        QVERIFY2(result.status == 0, result.errors.constData());
        const QList<QByteArray> lines = result.output.trimmed().split('\n');
        QCOMPARE(lines.first(), QByteArray("reading\trho\trows\trandom\tshuffled"));
        double found = 0;
        double random = 0;
        double shuffled = 0;
        for (const QByteArray& line : lines.mid(1)) {
            const QList<QByteArray> fields = line.split('\t');
            QCOMPARE(fields.size(), 5);
            found += fields[1].toDouble();
            random += std::abs(fields[3].toDouble());
            shuffled += std::abs(fields[4].toDouble());
        }
        QVERIFY(lines.size() > 5 && found > random && found > shuffled);
    }

    // JSON objects of a file, one a line: the table is the mean of their numbers, also after an interruption.
    void linesGoOnWhereTheyWereInterrupted()
    {
        write(path("lines.txt"), "I am not deaf.\nShe will come back.\n\xff\nHe is here.\n");
        const QStringList line = words("readings transformer-en-fr --of all --table --method norms,lrp --lines")
            << path("lines.txt") << text("--output") << path("x.jsonl");
        const CommandResult whole = runProgram(line);
        QCOMPARE(whole.status, 1); // a line is no UTF-8
        const QByteArray written = read(path("x.jsonl"));
        QCOMPARE(written.count('\n'), 4);
        double sum = 0;
        for (const QByteArray& one : written.trimmed().split('\n')) {
            const QJsonObject object = QJsonDocument::fromJson(one).object();
            QVERIFY(object.contains(text("error")) != object.contains(text("arrays")));
            sum += object[text("faithfulness")][text("source_lrp")][text("rho")].toDouble();
        }
        const auto lrp = [](const CommandResult& result) {
            for (const QByteArray& row : result.output.split('\n')) {
                if (row.startsWith("source_lrp\t"))
                    return row;
            }
            return QByteArray();
        };
        const QList<QByteArray> fields = lrp(whole).split('\t');
        QCOMPARE(fields.size(), 8);
        QVERIFY(std::abs(fields[1].toDouble() - sum / 3) < 1e-6);
        QVERIFY(fields[5].toDouble() <= fields[1].toDouble() && fields[1].toDouble() <= fields[6].toDouble());
        QCOMPARE(fields[7], QByteArray("3"));

        QFile::remove(path("x.jsonl"));
        const qsizetype finished = written.indexOf('\n') + 1;
        QCOMPARE(runWithRoom(line, finished + 10).status, 1);
        QVERIFY(!QFile::exists(path("x.jsonl")) && QFile::exists(path("x.jsonl.part")));
        const CommandResult other = runProgram(line + words("--resume --steps 7"));
        QCOMPARE(other.status, 2);
        QVERIFY2(other.errors.contains("--steps 7"), other.errors.constData());
        const CommandResult resumed = runProgram(line + words("--resume"));
        QCOMPARE(resumed.status, 1);
        QCOMPARE(read(path("x.jsonl")), written);
        QCOMPARE(lrp(resumed), lrp(whole));
        QVERIFY(!QFile::exists(path("x.jsonl.part")));
    }

    // Readings about one position are left out where all are asked for, and that is said.
    void allMethodsOfAllPositionsLeaveOutThoseOfOne()
    {
        const CommandResult result = runProgram(gpt2("--erase hide --of all --output") << path("all.npz"));
        QVERIFY2(result.status == 0, result.errors.constData());
        for (const char* method : {"gradients is left out", "attention_gradients is left out", "direct is left out"})
            QVERIFY2(result.errors.contains(method), method);
    }

    void whatIsWrongIsNamed_data()
    {
        addColumns<QStringList, QByteArray, int>("arguments", "named", "status");
        const QString out = path("wrong.npz");
        const auto add = [&](const char* name, const QStringList& arguments, const char* named, int status = 2) {
            QTest::newRow(name) << arguments + QStringList{text("--output"), out} << QByteArray(named) << status;
        };
        const QStringList bert{text("readings"), caseFolder("bert-mlm"), text("--source-ids"), text("2,83,107,3")};
        const QStringList noHead{text("readings"), caseFolder("bert-noprefix"), text("--source-ids"), text("2,83,3")};
        add("beyond the output", gpt2("--of 6"), "--of");
        add("position 0 of a sequence", gpt2("--of 0"), "--of");
        add("not a position", gpt2("--of second"), "--of");
        add("all weight gradients", gpt2("--of all --method gradients"), "--of all");
        add("an id beyond the vocabulary", gpt2("--against 100000"), "--against");
        add("no id", gpt2("--against x"), "--against");
        add("a word without words", gpt2("--against word:house"), "--against");
        add("a word of several tokens",
            QStringList{text("readings"), text("rnnsearch-en-fr"), text("--text"), text("I am here.")}
                + words("--method gradients --against word:anticonstitutionnellement"),
            "tokens");
        add("the token itself", gpt2("--against 121"), "--against");
        add("no steps", gpt2("--steps 0"), "--steps");
        add("no such method", gpt2("--method psychology"), "psychology");
        add("no such baseline", gpt2("--baseline 999999"), "--baseline");
        add("nothing to put in", gpt2("--method erasure"), "--erase hide", 1);
        add("of without a head", noHead + words("--of 1"), "--of");
        add("an archive", {text("readings"), text(ATTN_TEST_DATA "/attribution/r-gpt2/expected.npz")}, "archive");
        add("no archive", bert + QStringList{text("--output"), path("x.txt")}, "--output");
    }
    void whatIsWrongIsNamed()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, named);
        QFETCH(int, status);
        const CommandResult result = runProgram(arguments);
        QCOMPARE(result.status, status);
        QVERIFY2(result.hasOneErrorLine() && result.errors.contains(named), result.errors.constData());
        QVERIFY(!QFile::exists(path("wrong.npz")));
    }

    void anArchiveGivesTheReadingsThatItHolds()
    {
        QCOMPARE(runProgram(gpt2("--method lrp --of all --output") << path("held.npz")).status, 0);
        const QStringList archive{text("readings"), path("held.npz"), text("--output"), path("again.npz")};
        const CommandResult result = runProgram(archive + words("--method lrp --of 3"));
        QVERIFY2(result.status == 0, result.errors.constData());
        const NpzReader before(path("held.npz").toStdString());
        const NpzReader after(path("again.npz").toStdString());
        QVERIFY(before.find("source_lrp")->floats() == after.find("source_lrp")->floats());
        QVERIFY(before.find("decoder_attentions")->floats() == after.find("decoder_attentions")->floats());
#ifdef ATTN_WITH_UI
        for (const char* const site : {"decoder:0:lrp@all", "decoder:0:lrp@3", "decoder:0:lrp"})
            QCOMPARE(runProgram({text("figure"), path("held.npz"), text("--site"), text(site), text("--output"),
                                 path("held.png")})
                         .status,
                     0);
#endif
        const CommandResult missing = runProgram(archive + words("--method lrp,gradients"));
        QCOMPARE(missing.status, 2);
        QVERIFY2(missing.errors.contains("gradients"), missing.errors.constData());
    }

    void whatAModelHasNotIsLeftOutAndNamed()
    {
        const CommandResult result =
            runProgram({text("readings"), caseFolder("rnn-bahdanau-hard"), text("--source-ids"), text("76,54,54,3"),
                        text("--target-ids"), text("25,75,3"), text("--output"), path("hard.npz")});
        QVERIFY2(result.status == 0, result.errors.constData());
        QVERIFY(result.errors.contains("gradients") && result.errors.contains("hard attention"));
        const QJsonObject absent = metadata("hard.npz")[text("readings")][text("absent")].toObject();
        QVERIFY(absent.contains(text("gradients")) && absent.contains(text("lens")));
        QVERIFY(NpzReader(path("hard.npz").toStdString()).contains("source_erasure"));
    }

    // Nothing is differentiated: of the place that was chosen, the length of its state.
    void hardAttentionHasNorms()
    {
        QVERIFY(run({text("readings"), caseFolder("rnn-bahdanau-hard"), text("--source-ids"), text("76,54,54,3"),
                     text("--target-ids"), text("25,75,3"), text("--method"), text("norms"), text("--hidden"),
                     text("--output"), path("hard.npz")}));
        const NpzReader found(path("hard.npz").toStdString());
        const std::vector<float> weights = found.find("cross_attentions")->floats();
        const std::vector<float> states = found.find("encoder_hidden_states")->floats();
        const std::vector<float> norms = found.find("cross_norms")->floats();
        QCOMPARE(norms.size(), weights.size());
        const std::size_t keys = 4;
        const std::size_t width = states.size() / keys;
        for (std::size_t cell = 0; cell < norms.size(); ++cell) {
            const auto state = states.begin() + static_cast<std::ptrdiff_t>(cell % keys * width);
            const double length =
                std::sqrt(std::inner_product(state, state + static_cast<std::ptrdiff_t>(width), state, 0.0));
            QVERIFY(std::abs(norms[cell] - weights[cell] * length) < 1e-5);
        }
        QCOMPARE(std::ranges::count_if(norms, [](float norm) { return norm > 0; }), std::ptrdiff_t{3}); // one each
    }

    void expertsAreHeldAndThatIsSaid()
    {
        const QStringList line{text("readings"),     caseFolder("n-mixtral-plain"),
                               text("--source-ids"), text("1,12,7,30"),
                               text("--output"),     path("experts.npz")};
        const CommandResult gradients = runProgram(line + words("--method input_gradients --steps 2"));
        QVERIFY(gradients.status == 0 && gradients.errors.contains("experts"));
        const CommandResult norms = runProgram(line + words("--method norms"));
        QVERIFY(norms.status == 0 && !norms.errors.contains("experts"));
    }

private:
    QString path(const char* name) const
    {
        return m_folder.filePath(text(name));
    }

    static bool run(const QStringList& arguments)
    {
        const CommandResult result = runProgram(arguments);
        if (result.status != 0)
            qWarning("%s", result.errors.constData());
        return result.status == 0;
    }

    QJsonObject metadata(const char* file) const
    {
        const NpzReader found(path(file).toStdString());
        return QJsonDocument::fromJson(QByteArray::fromStdString(found.find("metadata")->texts().at(0))).object();
    }
    QJsonObject completeness(const char* file) const
    {
        return metadata(file)[text("completeness")].toObject();
    }

    // Scores of the weights that an array has gradients of: where they are -inf, autograd's number is another.
    static std::vector<float> weightsFor(const std::string& array, const NpzReader& found)
    {
        for (const char* stage : {"encoder", "decoder", "cross"}) {
            if (array == std::string(stage) + "_gradients")
                return found.find(std::string(stage) + "_scores")->floats();
        }
        return {};
    }

    static void compareNumbers(const std::string& array, const std::vector<float>& got,
                               const std::vector<float>& wanted, const std::vector<float>& scores)
    {
        const double tolerance = toleranceOf(array, wanted);
        for (std::size_t i = 0; i < got.size(); ++i) {
            if (!scores.empty() && !std::isfinite(scores[i])) {
                QCOMPARE(got[i], 0.0F);
                continue;
            }
            const bool same = got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i]))
                || std::abs(got[i] - wanted[i]) <= tolerance;
            QVERIFY2(same,
                     qPrintable(QStringLiteral("%1[%2]: %3 instead of %4")
                                    .arg(QString::fromStdString(array))
                                    .arg(i)
                                    .arg(got[i])
                                    .arg(wanted[i])));
        }
    }

    QTemporaryDir m_folder;
};

ATTN_TEST(TestCliReadings)

#include "tst_cli_readings.moc"
