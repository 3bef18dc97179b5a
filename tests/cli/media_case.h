// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/cli_runner.h"
#include "io/npz.h"
#include "support/compare.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <string>

namespace attn::test {

// A folder below tests/data/pictures or tests/data/sounds: a checkpoint with its picture or sound, the arguments of
// some runs, and what another implementation computed.
class MediaCase
{
public:
    MediaCase(const QString& kind, const QString& name)
        : m_root(QStringLiteral(ATTN_TEST_DATA "/") + kind + QLatin1Char('/'))
        , m_name(name)
        , m_json(QJsonDocument::fromJson(read(folder() + QStringLiteral("/case.json"))).object())
    {
    }

    static QStringList names(const QString& kind)
    {
        return QDir(QStringLiteral(ATTN_TEST_DATA "/") + kind).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    }

    QString folder() const { return m_root + m_name; }
    // Cases of edits use another's.
    QString model() const { return m_root + m_json[QStringLiteral("checkpoint")].toString(m_name); }

    // Empty where there is no such run.
    QStringList arguments(const QString& run, const QString& output) const
    {
        const QList<std::pair<QString, QString>> places{
            {QStringLiteral("MODEL"), model()},
            {QStringLiteral("PICTURE"), model() + QStringLiteral("/picture.png")},
            {QStringLiteral("SOUND"), model() + QStringLiteral("/sound.wav")},
            {QStringLiteral("OUT.npz"), output},
            {QStringLiteral("OUT.json"), output}};
        QStringList result;
        for (const auto& value : m_json[QStringLiteral("arguments")][run].toArray()) {
            QString text = value.toString();
            for (const auto& [name, path] : places)
                text = text == name ? path : text;
            result << text;
        }
        return result;
    }

    // Rows of a test table: "name run".
    static void addRuns(const QString& kind)
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("run");
        for (const QString& name : names(kind)) {
            for (const char* run : {"forced", "greedy", "beam4", "timestamps", "auto"}) {
                if (!MediaCase(kind, name).arguments(QString::fromLatin1(run), {}).isEmpty())
                    QTest::addRow("%s %s", qPrintable(name), run) << name << QString::fromLatin1(run);
            }
        }
    }

    // Runs the program and compares every array.
    void compareRun(const QString& run) const
    {
        const QTemporaryDir scratch;
        const QString output = scratch.filePath(QStringLiteral("out.npz"));
        const CommandResult result = runProgram(arguments(run, output));
        QVERIFY2(result.status == 0, result.errors);
        const NpzReader found(output.toStdString());
        const NpzReader expected((folder() + QStringLiteral("/expected.npz")).toStdString());
        const bool forced = run == QStringLiteral("forced");
        const std::string prefix = forced ? std::string() : run.toStdString() + '_';
        for (const std::string& array : expected.names()) {
            const std::string own = array.substr(std::min(prefix.size(), array.size()));
            if (array == "metadata" || (forced ? isOfSearch(array) : !array.starts_with(prefix)) || own == "score")
                continue;
            QVERIFY2(found.contains(own), own.c_str());
            compareArrays(*found.find(own), *expected.find(array), own);
        }
        if (!forced || m_json[QStringLiteral("partial")].toBool())
            return;
        for (const std::string& array : found.names()) {
            const bool beside = array == "metadata" || array == "label_names" || array == "pooling_scores"
                || array.starts_with("source_") || array.starts_with("target_");
            QVERIFY2(expected.contains(array) || beside, array.c_str());
        }
    }

private:
    static bool isOfSearch(const std::string& array)
    {
        return array.starts_with("greedy_") || array.starts_with("beam4_") || array.starts_with("timestamps_")
            || array.starts_with("auto_");
    }

    static double tolerance(const std::string& array)
    {
        const bool fine = array.ends_with("_attentions") || array == "pixel_values" || array == "input_features"
            || array.starts_with("source_");
        return fine ? 1e-5 : 1e-4;
    }

    static void compareArrays(const NpyArray& got, const NpyArray& wanted, const std::string& name)
    {
        QVERIFY2(got.shape() == wanted.shape(), name.c_str());
        if (wanted.kind() == NpyKind::Text)
            return;
        if (wanted.kind() != NpyKind::Float) {
            QCOMPARE(got.integers(), wanted.integers());
            return;
        }
        const Difference difference = compare(got.floats(), wanted.floats());
        QVERIFY2(difference.largest < tolerance(name), (name + ": " + difference.text()).c_str());
    }

    QString m_root;
    QString m_name;
    QJsonObject m_json;
};

} // namespace attn::test
