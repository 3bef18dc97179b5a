// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/cli_runner.h"
#include "io/npz.h"
#include "support/compare.h"
#include "support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <optional>

using namespace attn;
using namespace attn::test;

namespace {

QStringList caseNames()
{
    return QDir(QStringLiteral(ATTN_TEST_DATA "/cases")).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
}

// A case's own arguments for a run, with MODEL and OUT.npz filled in.
QStringList argumentsOf(const QString& name, const QString& run, const QString& output)
{
    const QString folder = QStringLiteral(ATTN_TEST_DATA "/cases/") + name;
    QFile file(folder + QStringLiteral("/case.json"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QStringList arguments;
    for (const auto& value : QJsonDocument::fromJson(file.readAll())[QStringLiteral("arguments")][run].toArray()) {
        const QString text = value.toString();
        arguments << (text == QStringLiteral("MODEL") ? folder : text == QStringLiteral("OUT.npz") ? output : text);
    }
    return arguments;
}

std::filesystem::path expectedFile(const QString& name)
{
    return (QStringLiteral(ATTN_TEST_DATA "/cases/") + name + QStringLiteral("/expected.npz")).toStdString();
}

constexpr auto labels = "label_names";

double toleranceOf(const std::string& array)
{
    return array.ends_with("_attentions") ? 1e-5 : 1e-4;
}

} // namespace

// Every case below tests/data/cases, with the arguments that it brings along, against what PyTorch computed.
class TestCliGolden : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(caseNames().size() >= 16); }

    void aForcedTargetGivesEveryExpectedArray_data() { addCases(); }
    void aForcedTargetGivesEveryExpectedArray()
    {
        QFETCH(QString, name);
        const auto found = run(name, QStringLiteral("forced"));
        QVERIFY(found);
        const NpzReader expected(expectedFile(name));
        for (const std::string& array : expected.names()) {
            if (array == "metadata" || array.starts_with("greedy_") || array.starts_with("beam4_")
                || array == "llamacpp_logits")
                continue;
            const std::string now = array == "class_names" ? labels : array; // as older programs called them
            QVERIFY2(found->contains(now), array.c_str());
            const NpyArray wanted = *expected.find(array);
            const NpyArray got = *found->find(now);
            QVERIFY2(wanted.shape() == got.shape(), array.c_str());
            if (wanted.kind() == NpyKind::Text) {
                QCOMPARE(got.texts(), wanted.texts());
                continue;
            }
            if (wanted.kind() != NpyKind::Float) {
                QCOMPARE(got.integers(), wanted.integers());
                continue;
            }
            const Difference difference = compare(got.floats(), wanted.floats());
            QVERIFY2(difference.largest < toleranceOf(array), (array + ": " + difference.text()).c_str());
        }
        for (const std::string& array : found->names()) {
            const bool beside = array == "metadata" || array == labels || array.starts_with("source_")
                || array.starts_with("target_")
                || (array.starts_with("expert_") && name == QStringLiteral("n-mixtral-plain")); // made without them
            QVERIFY2(expected.contains(array) || beside, array.c_str());
        }
    }

    void decodingFindsTheExpectedTokens_data()
    {
        addColumns<QString, QString>("name", "search");
        for (const QString& name : caseNames()) {
            for (const char* search : {"greedy", "beam4"}) {
                if (!argumentsOf(name, QString::fromLatin1(search), {}).isEmpty())
                    QTest::newRow(qPrintable(name + QLatin1Char(' ') + QString::fromLatin1(search)))
                        << name << QString::fromLatin1(search);
            }
        }
    }
    void decodingFindsTheExpectedTokens()
    {
        QFETCH(QString, name);
        QFETCH(QString, search);
        const auto found = run(name, search);
        QVERIFY(found);
        const NpzReader expected(expectedFile(name));
        const std::string prefix = search.toStdString();
        const bool decoderOnly = expected.contains(prefix + "_source_ids");
        const std::string ids = decoderOnly ? "source_ids" : "target_ids";
        QCOMPARE(found->find(ids)->integers(), expected.find(prefix + '_' + ids)->integers());
        const Difference difference =
            compare(found->find("logprobs")->floats(), expected.find(prefix + "_logprobs")->floats());
        QVERIFY2(difference.largest < 1e-4, difference.text().c_str());
        // Earlier rows had other frequencies.
        if (name.contains(QStringLiteral("dynamic")) || name.contains(QStringLiteral("longrope")))
            return;
        // The rows are those of the answer: the same target forced gives the same maps.
        const QString forced = forcedMaps(name, found->find(ids)->integers(), decoderOnly);
        QVERIFY(!forced.isEmpty());
        const NpzReader again(forced.toStdString());
        for (const char* array : {"cross_attentions", "decoder_attentions", "logits", "hidden_states"}) {
            if (std::string_view(array).ends_with("_attentions"))
                QCOMPARE(found->contains(array), again.contains(array));
            if (found->contains(array)) {
                const Difference maps = compare(found->find(array)->floats(), again.find(array)->floats());
                QVERIFY2(maps.largest < toleranceOf(array), (array + (": " + maps.text())).c_str());
            }
        }
    }

    // As much of the expected output as half of it, and all but its last token.
    void aPrefixOfTheExpectedOutputGivesIt_data()
    {
        QTest::addColumn<QString>("name");
        for (const QString& name : caseNames()) {
            if (!argumentsOf(name, QStringLiteral("greedy"), {}).isEmpty())
                QTest::newRow(qPrintable(name)) << name;
        }
    }
    void aPrefixOfTheExpectedOutputGivesIt()
    {
        QFETCH(QString, name);
        const NpzReader expected(expectedFile(name));
        const bool decoderOnly = expected.contains("greedy_source_ids");
        const auto whole = expected.find(decoderOnly ? "greedy_source_ids" : "greedy_target_ids")->integers();
        const QString file = m_folder.filePath(QStringLiteral("prefix.npz"));
        const QStringList arguments = argumentsOf(name, QStringLiteral("greedy"), file);
        const qsizetype prompt =
            decoderOnly ? arguments[arguments.indexOf(QStringLiteral("--source-ids")) + 1].count(u',') + 1 : 0;
        const auto produced = static_cast<qsizetype>(whole.size()) - prompt;
        QVERIFY(produced > 0);
        const auto free = run(name, QStringLiteral("greedy"));
        QVERIFY(free);
        for (const qsizetype length : {produced / 2, produced - 1}) {
            if (length == 0) // an output of one token
                continue;
            QStringList ids;
            for (qsizetype i = 0; i < length; ++i)
                ids << QString::number(whole.at(static_cast<std::size_t>(prompt + i)));
            const CommandResult result =
                runProgram(arguments + QStringList{QStringLiteral("--prefix-ids"), ids.join(u',')});
            QVERIFY2(result.status == 0, result.errors.constData());
            const NpzReader found(file.toStdString());
            QCOMPARE(found.find(decoderOnly ? "source_ids" : "target_ids")->integers(), whole);
            for (const std::string& array : free->names()) {
                const NpyArray wanted = *free->find(array);
                QVERIFY2(found.contains(array), array.c_str());
                if (wanted.kind() != NpyKind::Float)
                    continue;
                const Difference difference = compare(found.find(array)->floats(), wanted.floats());
                QVERIFY2(difference.largest < toleranceOf(array), (array + ": " + difference.text()).c_str());
            }
            const QJsonObject metadata =
                QJsonDocument::fromJson(QByteArray::fromStdString(found.find("metadata")->texts().at(0))).object();
            QCOMPARE(metadata[QStringLiteral("prefix_ids")].toArray().size(), length);
        }
    }

private:
    static void addCases()
    {
        QTest::addColumn<QString>("name");
        for (const QString& name : caseNames())
            QTest::newRow(qPrintable(name)) << name;
    }

    std::optional<NpzReader> run(const QString& name, const QString& kind)
    {
        const QString output = m_folder.filePath(kind + QStringLiteral(".npz"));
        const CommandResult result = runProgram(argumentsOf(name, kind, output));
        if (result.status != 0) {
            qWarning("%s", result.errors.constData());
            return std::nullopt;
        }
        return NpzReader(output.toStdString());
    }

    QString forcedMaps(const QString& name, const std::vector<std::int64_t>& tokens, bool decoderOnly)
    {
        const QString output = m_folder.filePath(QStringLiteral("again.npz"));
        QStringList arguments = argumentsOf(name, QStringLiteral("forced"), output);
        QStringList ids;
        for (const auto id : tokens)
            ids << QString::number(id);
        arguments[arguments.indexOf(decoderOnly ? QStringLiteral("--source-ids") : QStringLiteral("--target-ids"))
                  + 1] = ids.join(QLatin1Char(','));
        return runProgram(arguments).status == 0 ? output : QString();
    }

    QTemporaryDir m_folder;
};

ATTN_TEST(TestCliGolden)

#include "tst_cli_golden.moc"
