// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/kinds/shown_matrix.h"
#include "inference/answer.h"
#include "loading/model_loader.h"
#include "nn/engine.h"
#include "support/compare.h"
#include "support/test_program.h"
#include "trace/archive.h"

#include <QTemporaryDir>
#include <QTest>

#include <bit>

using namespace attn;
using namespace attn::ui;

namespace {

// Words of several tokens, newlines and tabs, characters that many vocabularies lack or cut, marks and brackets.
constexpr const char* oddText =
    "Once upon\na time,\tdon't say na\u00EFve <code> [12] ## \u00C9mile \u65E5\u672C \U0001F642.";
constexpr const char* plainText = "The animal did not cross the street because it was too tired.";

Trace runOf(const LoadedModel& model, Engine& engine, const char* text)
{
    Question question;
    question.text = text;
    question.secondText = "It was too wide.";
    question.decoding.maxLength = 12;
    question.decoding.generate = 3;
    return answer(fitted(question, model), model, engine);
}

void compareShown(const Map& found, const Map& expected)
{
    QCOMPARE(found.lack, expected.lack);
    QStringList rows = axisLabels(expected.rows);
    if (expected.rows.unwritten && expected.rows.tokens().back() == expected.rows.unwritten)
        rows.back() = QStringLiteral("?"); // archives have no candidates
    QCOMPARE(axisLabels(found.rows), rows);
    QCOMPARE(axisLabels(found.columns), axisLabels(expected.columns));
    QCOMPARE(found.isFiltered, expected.isFiltered);
    const auto bits = [](const Numbers& numbers) {
        std::vector<std::uint32_t> all;
        for (const float value : numbers.values)
            all.push_back(std::bit_cast<std::uint32_t>(value));
        return all;
    };
    QCOMPARE(bits(found.numbers), bits(expected.numbers));
}

// Every site of the run, with and without merged words and hidden special tokens.
void compareFigures(const Trace& found, const Trace& expected)
{
    QCOMPARE(found.sites(), expected.sites());
    for (const Site site : expected.sites()) {
        for (const bool words : {false, true}) {
            for (const auto specials :
                 {SpecialTokens::Shown, SpecialTokens::Hidden, SpecialTokens::HiddenRenormalized}) {
                FigureSpec spec;
                spec.site = site;
                spec.head = 0;
                spec.words = words;
                spec.specials = specials;
                compareShown(mapOf(found, spec.mapSpec()), mapOf(expected, spec.mapSpec()));
                if (QTest::currentTestFailed())
                    return;
            }
        }
    }
}

} // namespace

class TestArchiveFigures : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anArchiveShowsWhatItsRunShowed_data()
    {
        QTest::addColumn<QString>("model");
        for (const BundledModel& model : bundledModels()) {
            if (model.task != ModelTask::Captions && model.task != ModelTask::Speech) // which read no text
                QTest::newRow(model.name.c_str()) << QString::fromStdString(model.name);
        }
    }
    void anArchiveShowsWhatItsRunShowed()
    {
        QFETCH(QString, model);
        Engine engine(1);
        const LoadedModel loaded = loadModel(model.toStdString(), engine);
        const std::filesystem::path json = m_folder.filePath(QStringLiteral("a.json")).toStdString();
        for (const char* text : {oddText, plainText}) {
            const Trace run = runOf(loaded, engine, text);
            const Trace stored = readArchive(archiveBytes(run), "a.npz");
            compareFigures(stored, run);
            writeArchive(json, stored); // of what was read, as when an archive is saved once more
            compareFigures(readArchive(json), run);
        }
    }

private:
    QTemporaryDir m_folder;
};

ATTN_TEST(TestArchiveFigures)

#include "tst_archive_figures.moc"
