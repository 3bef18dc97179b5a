// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// clang-format off
#include <array>
#include <cmath>
#include <utility>
#include <vector>
// clang-format on

#include "experiments/length_experiment.h"
#include "loading/model_loader.h"
#include "nn/engine.h"
#include "support/test_program.h"
#include "support/texts.h"
#include "trace/archive.h"
#include "ui/laboratory/laboratory_fixture.h"

#include <QChart>
#include <QChartView>
#include <QListWidget>
#include <QSpinBox>
#include <QXYSeries>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;
using attn::test::numbersIn;
using attn::test::twelvePairs;

namespace {

constexpr int endOfList = 3; // models of the fixture: endless, recurrent, transformer

const char* const cardOfRecurrent = R"({"beam": 4, "bleu_by_length": [
    {"from": 1, "to": 4, "sentences": 30, "bleu": 40.25}, {"from": 5, "to": 9, "sentences": 20, "bleu": 20.5}]})";
const char* const cardOfTransformer = R"({"beam": 4, "bleu_by_length": [
    {"from": 1, "to": 4, "sentences": 30, "bleu": 42}, {"from": 5, "to": 9, "sentences": 20, "bleu": 41.5}]})";

class LengthFixture : public LaboratoryFixture
{
public:
    QString write(const QString& name, const QByteArray& bytes) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("%s cannot be written", qPrintable(name));
        return file.fileName();
    }

    void writeCards() const
    {
        write(QStringLiteral("models/recurrent/scores.json"), cardOfRecurrent);
        write(QStringLiteral("models/transformer/scores.json"), cardOfTransformer);
    }

    void show(const QString& model = QStringLiteral("recurrent"))
    {
        open(model);
        page = &openPage(*pageOf("length"));
    }

    void chooseFile(const QByteArray& bytes)
    {
        pick("lengthOrigin", "file");
        answers->paths[OpenKind::SentencePairs] = write(QStringLiteral("pairs.tsv"), bytes);
        QTest::mouseClick(on<QPushButton>("choosePairs"), Qt::LeftButton);
    }

    // Ticks or unticks a model with the keyboard.
    void tick(const QString& name, bool ticked) const
    {
        auto* list = on<QListWidget>("lengthModels");
        const QList<QListWidgetItem*> found = list->findItems(name, Qt::MatchExactly);
        QCOMPARE(found.size(), 1);
        list->setFocus();
        list->setCurrentItem(found[0]);
        if ((found[0]->checkState() == Qt::Checked) != ticked)
            QTest::keyClick(list, Qt::Key_Space);
        QCOMPARE(found[0]->checkState() == Qt::Checked, ticked);
    }

    void tickOnly(const QStringList& names) const
    {
        auto* list = on<QListWidget>("lengthModels");
        for (int i = 0; i < list->count(); ++i)
            tick(list->item(i)->text(), names.contains(list->item(i)->text()));
    }

    void measure() const { QTest::mouseClick(on<QPushButton>("measureLengths"), Qt::LeftButton); }

    MessageBar& message() const { return *on<MessageBar>("messageBar"); }
    QString said() const { return on<QLabel>("result")->text(); }

    // What is on show, as the table of numbers says it.
    std::vector<LengthCurve> curves() const
    {
        std::vector<LengthCurve> curves;
        const auto figure = page->exportable();
        const QStringList lines =
            figure ? QString::fromUtf8(figure->csv()).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts) : QStringList();
        for (const QString& line : lines.mid(1)) {
            const QStringList fields = QString(line).remove(QLatin1Char('"')).split(QLatin1Char(','));
            if (curves.empty() || curves.back().model != fields[2].toStdString())
                curves.push_back({fields[2].toStdString(), 0, {}});
            curves.back().points.push_back(
                {fields[0].toInt(), fields[1].toInt(), fields[3].toInt(), fields[4].toDouble()});
        }
        return curves;
    }

    // That the model which has read the most has read.
    int sentences() const
    {
        int most = 0;
        for (const LengthCurve& curve : curves()) {
            int read = 0;
            for (const LengthPoint& point : curve.points)
                read += point.sentences;
            most = std::max(most, read);
        }
        return most;
    }

    LaboratoryPage* page = nullptr;
};

// Mean log probability of the reference's tokens over the sentences that have so many words, from runs of its own.
double expectedLogProbability(const std::string& model, const QByteArray& lines, int from, int to)
{
    Engine engine;
    const LoadedModel loaded = loadModel(model, engine);
    double sum = 0;
    int tokens = 0;
    for (const QByteArray& line : lines.trimmed().split('\n')) {
        const QByteArrayList sides = line.split('\t');
        const auto words = sides[0].split(' ').size();
        if (words < from || words > to)
            continue;
        Question question;
        question.text = sides[0].toStdString();
        question.targetText = sides[1].toStdString();
        const Trace trace = answer(question, loaded, engine);
        sum += trace.summary()->hypotheses.at(0).sum;
        tokens += trace.stepCount();
    }
    return sum / tokens;
}

double expectedBleu(const std::string& model, const QByteArray& lines, int from, int to)
{
    Engine engine;
    const LoadedModel loaded = loadModel(model, engine);
    BleuCounts counts;
    for (const QByteArray& line : lines.trimmed().split('\n')) {
        const QByteArrayList sides = line.split('\t');
        const auto words = sides[0].split(' ').size();
        if (words < from || words > to)
            continue;
        Question question;
        question.text = sides[0].toStdString();
        const Trace trace = answer(question, loaded, engine);
        counts += bleuCounts(loaded.tokenizers.target->decode(trace.target().ids), sides[1].toStdString());
    }
    return bleu(counts);
}

} // namespace

// Quality by sentence length: from the cards, and measured.
class TestLengthPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theCardsAreShownAtOnce()
    {
        LengthFixture fixture;
        fixture.writeCards();
        fixture.show();
        QCOMPARE(fixture.curves().size(), std::size_t(2));
        QCOMPARE(fixture.on<QListWidget>("lengthModels")->count(), 2);
        QVERIFY(fixture.on<QChartView>("lengthChart")->isVisible());
        QVERIFY(fixture.said().contains(QStringLiteral("recurrent 40.2 → 20.5"))
                || fixture.said().contains(QStringLiteral("recurrent 40.3 → 20.5")));
        QVERIFY2(numbersIn(fixture.said()).contains(QStringLiteral("50")), qPrintable(fixture.said()));
        QVERIFY(!fixture.on<QPushButton>("measureLengths")->isEnabled());
    }

    void manySentencesAreGrouped()
    {
        LengthFixture fixture;
        fixture.writeCards();
        fixture.write(QStringLiteral("models/endless/scores.json"),
                      R"({"beam": 4, "bleu_by_length": [{"from": 1, "to": 4, "sentences": 1999, "bleu": 40}]})");
        fixture.show();
        QVERIFY2(numbersIn(fixture.said()).contains(QStringLiteral("1,999")), qPrintable(fixture.said()));
    }

    void withoutCardsItSaysWhatToDo()
    {
        LengthFixture fixture;
        fixture.show();
        QVERIFY(fixture.on<QLabel>("lengthEmpty")->isVisible());
        QVERIFY(!fixture.page->exportable());
        const QString withoutCards = fixture.on<QLabel>("lengthEmpty")->text();
        fixture.pick("lengthOrigin", "file");
        const QString withoutFile = fixture.on<QLabel>("lengthEmpty")->text();
        QVERIFY(!withoutCards.isEmpty() && !withoutFile.isEmpty() && withoutCards != withoutFile);
        QVERIFY(!fixture.on<QPushButton>("measureLengths")->isEnabled());
    }

    void aBrokenCardIsNamedAndTheOthersAreShown()
    {
        LengthFixture fixture;
        fixture.writeCards();
        fixture.write(QStringLiteral("models/endless/scores.json"), "{\"bleu_by_length\": 7}");
        fixture.show();
        QCOMPARE(fixture.curves().size(), std::size_t(2));
        QVERIFY(fixture.message().isVisible());
        QVERIFY(fixture.message().text().contains(QStringLiteral("scores.json")));
    }

    void tickingChoosesTheCurves()
    {
        LengthFixture fixture;
        fixture.writeCards();
        fixture.show();
        fixture.tick(QStringLiteral("recurrent"), false);
        QCOMPARE(fixture.curves().size(), std::size_t(1));
        QCOMPARE(fixture.curves()[0].model, std::string("transformer"));
        fixture.tick(QStringLiteral("transformer"), false);
        QVERIFY(fixture.on<QLabel>("lengthEmpty")->isVisible());
        fixture.tick(QStringLiteral("recurrent"), true);
        QVERIFY(fixture.on<QChartView>("lengthChart")->isVisible());
    }

    void pointsSayTheirValues()
    {
        LengthFixture fixture;
        fixture.writeCards();
        fixture.show();
        auto* chart = fixture.on<QChartView>("lengthChart");
        auto* hover = fixture.laboratory->findChild<QLabel*>(QStringLiteral("laboratoryHover"));
        const auto pointAt = [chart](int curve, int point) -> QPointF {
            auto* line = qobject_cast<QXYSeries*>(chart->chart()->series().at(curve));
            return chart->mapFromScene(
                chart->chart()->mapToScene(chart->chart()->mapToPosition(line->at(point), line)));
        };
        LaboratoryFixture::pointTo(chart->viewport(), pointAt(0, 1));
        for (const char* part : {"recurrent", "5–9"})
            QVERIFY2(hover->text().contains(QString::fromUtf8(part)), qPrintable(hover->text()));
        for (const char* number : {"20", "20.5"}) // sentences, BLEU
            QVERIFY2(numbersIn(hover->text()).contains(QLatin1String(number)), qPrintable(hover->text()));
        LaboratoryFixture::pointTo(chart->viewport(), pointAt(1, 0));
        QVERIFY(hover->text().contains(QStringLiteral("transformer")));
        LaboratoryFixture::pointTo(chart->viewport(), pointAt(0, 1) + QPoint(0, 60));
        QVERIFY(hover->text().isEmpty());
    }

    void bleuIsMeasuredOnAFile()
    {
        LengthFixture fixture;
        fixture.show();
        fixture.chooseFile(twelvePairs());
        fixture.tickOnly({QStringLiteral("recurrent"), QStringLiteral("transformer")});
        fixture.measure();
        QVERIFY(fixture.busy());
        QTRY_VERIFY(!fixture.busy());
        QCOMPARE(fixture.curves().size(), std::size_t(2));
        QCOMPARE(fixture.sentences(), 12);
        for (const LengthCurve& curve : fixture.curves()) {
            QCOMPARE(curve.points.size(), std::size_t(6));
            for (const LengthPoint& point : curve.points) {
                QCOMPARE(point.sentences, 2);
                QVERIFY(std::abs(point.value - expectedBleu(curve.model, twelvePairs(), point.from, point.to)) < 1e-6);
            }
        }
    }

    void logProbabilityIsMeasuredOnTheFirstSentences()
    {
        LengthFixture fixture;
        fixture.show();
        fixture.chooseFile(twelvePairs());
        fixture.tickOnly({QStringLiteral("recurrent"), QStringLiteral("transformer")});
        fixture.pick("lengthMeasure", "logProbability");
        auto* most = fixture.on<QSpinBox>("lengthSentences");
        most->setFocus();
        most->selectAll();
        QTest::keyClicks(most, QStringLiteral("4"));
        fixture.measure();
        QTRY_VERIFY(!fixture.busy());
        QCOMPARE(fixture.sentences(), 4);
        for (const LengthCurve& curve : fixture.curves()) {
            QCOMPARE(curve.points.size(), std::size_t(2));
            QCOMPARE(curve.points[1].from, 3);
            const double expected =
                expectedLogProbability(curve.model, twelvePairs(), curve.points[1].from, curve.points[1].to);
            QVERIFY(std::abs(curve.points[1].value - expected) < 1e-4);
        }
        fixture.pick("lengthMeasure", "bleu"); // was not measured
        QVERIFY(fixture.curves().empty());
        fixture.pick("lengthMeasure", "logProbability");
        QCOMPARE(fixture.curves().size(), std::size_t(2));
    }

    void brokenFilesAreRefusedWithTheLine_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("number"); // the line, or the most; empty: none is said
        const QByteArray good = "s4 s5\tt4\n";
        QTest::newRow("no tab") << QByteArray(good + good + "s4 s5 t4\n") << QStringLiteral("3");
        QTest::newRow("no reference") << QByteArray(good + "s4\t \n") << QStringLiteral("2");
        QTest::newRow("no source") << QByteArray("\tt4\n") << QStringLiteral("1");
        QTest::newRow("no UTF-8") << QByteArray(good + "\xff\xfe\tt4\n") << QStringLiteral("2");
        QTest::newRow("zeros") << QByteArray(100, '\0') << QStringLiteral("1");
        QTest::newRow("empty") << QByteArray() << QString();
        QTest::newRow("blank") << QByteArray("\n \n\n") << QString();
        QTest::newRow("too many") << good.repeated(2001) << QStringLiteral("2000");
        QTest::newRow("large") << QByteArray(100 << 20, 'a') << QStringLiteral("104.9");
    }

    void brokenFilesAreRefusedWithTheLine()
    {
        QFETCH(const QByteArray, bytes);
        QFETCH(const QString, number);
        LengthFixture fixture;
        fixture.show();
        fixture.chooseFile(bytes);
        fixture.measure();
        QTRY_VERIFY(!fixture.busy());
        QVERIFY(fixture.message().isVisible());
        const QString said = fixture.message().text().section(QStringLiteral("pairs.tsv"), 1); // behind the file
        QVERIFY2(!said.isEmpty(), qPrintable(fixture.message().text()));
        QCOMPARE(numbersIn(said).value(0), number);
        QVERIFY(fixture.curves().empty());
    }

    void aFileThatVanishedOrIsNoneIsRefused()
    {
        LengthFixture fixture;
        fixture.show();
        fixture.chooseFile(twelvePairs());
        QFile::remove(fixture.answers->paths[OpenKind::SentencePairs]);
        fixture.measure();
        QTRY_VERIFY(!fixture.busy());
        QVERIFY(fixture.message().isVisible());
        fixture.answers->paths[OpenKind::SentencePairs] = fixture.path(QStringLiteral("models"));
        QTest::mouseClick(fixture.on<QPushButton>("choosePairs"), Qt::LeftButton);
        QVERIFY(!fixture.message().isVisible());
        fixture.measure();
        QTRY_VERIFY(!fixture.busy());
        QVERIFY(fixture.message().isVisible());
        QVERIFY(fixture.message().text().contains(fixture.answers->paths[OpenKind::SentencePairs]));
        fixture.answers->paths[OpenKind::SentencePairs].clear(); // the dialog is cancelled
        QTest::mouseClick(fixture.on<QPushButton>("choosePairs"), Qt::LeftButton);
        QCOMPARE(fixture.on<QPushButton>("choosePairs")->text(), QStringLiteral("models"));
    }

    void sentencesThatAModelCannotReadAreLeftOut()
    {
        LengthFixture fixture;
        fixture.show();
        QByteArray longSentence;
        for (int i = 0; i < 80; ++i)
            longSentence += "s5 ";
        fixture.chooseFile(twelvePairs() + longSentence + "\tt4 t5\n");
        fixture.tickOnly({QStringLiteral("recurrent"), QStringLiteral("transformer")});
        fixture.measure();
        QTRY_VERIFY(!fixture.busy());
        QVERIFY(fixture.message().isVisible());
        QCOMPARE(numbersIn(fixture.message().text()).value(0), QStringLiteral("1")); // is left out
        for (const LengthCurve& curve : fixture.curves()) { // of the same sentences
            int sentences = 0;
            for (const LengthPoint& point : curve.points)
                sentences += point.sentences;
            QCOMPARE(sentences, 12);
        }
    }

    void theChartGrowsAndCancellingKeepsIt()
    {
        LengthFixture fixture;
        fixture.show();
        fixture.chooseFile(twelvePairs().repeated(100));
        fixture.tickOnly({QStringLiteral("endless"), QStringLiteral("recurrent")});
        const auto* jobText = fixture.on<QLabel>("jobText");
        fixture.measure();
        QTRY_VERIFY_WITH_TIMEOUT(fixture.sentences() > 0, 10000);
        QVERIFY(fixture.busy());
        QVERIFY2(jobText->text().contains(QStringLiteral("1200")), qPrintable(jobText->text()));
        const int early = fixture.sentences();
        QTRY_VERIFY_WITH_TIMEOUT(fixture.sentences() > early, 10000);
        QTest::mouseClick(fixture.on<QPushButton>("cancelJob"), Qt::LeftButton);
        QVERIFY(!fixture.busy());
        const int kept = fixture.sentences();
        QVERIFY(kept < 1200);
        fixture.settle();
        QCOMPARE(fixture.sentences(), kept);
        QVERIFY(fixture.on<QChartView>("lengthChart")->isVisible());
        QVERIFY(fixture.page->exportable().has_value());
    }

    void theOpenModelIsListedToo()
    {
        LengthFixture fixture;
        const QString elsewhere = test::recurrentModel(fixture.path(QStringLiteral("own")));
        fixture.show(elsewhere);
        fixture.pick("lengthOrigin", "file");
        auto* list = fixture.on<QListWidget>("lengthModels");
        QCOMPARE(list->count(), endOfList + 1);
        QCOMPARE(list->item(endOfList)->data(Qt::UserRole).toString(), elsewhere);
        const QString listed = list->item(endOfList)->text();
        const QString name = fixture.window->study().model()->name;
        QVERIFY(listed.contains(name) && listed != name); // told from a bundled one of the same name
        fixture.chooseFile(twelvePairs());
        fixture.tickOnly({list->item(endOfList)->text()});
        fixture.measure();
        QTRY_VERIFY(!fixture.busy());
        QCOMPARE(fixture.curves().size(), std::size_t(1));
        QCOMPARE(fixture.curves()[0].points.size(), std::size_t(6));
    }

    void anOpenArchiveChangesNothing()
    {
        LengthFixture fixture;
        fixture.writeCards();
        fixture.open();
        const QString archive = fixture.path(QStringLiteral("saved.npz"));
        writeArchive(archive.toStdString(), fixture.trace());
        fixture.window->controller().openArchive(archive);
        QTRY_VERIFY(!fixture.window->study().model());
        fixture.page = &fixture.openPage(*pageOf("length"));
        QCOMPARE(fixture.curves().size(), std::size_t(2));
        fixture.chooseFile(twelvePairs());
        QCOMPARE(fixture.on<QListWidget>("lengthModels")->count(), endOfList);
        fixture.tickOnly({QStringLiteral("recurrent")});
        fixture.measure();
        QTRY_VERIFY(!fixture.busy());
        QCOMPARE(fixture.sentences(), 12);
    }

    void aModelThatCannotBeLoadedIsNamed()
    {
        LengthFixture fixture;
        fixture.show();
        fixture.chooseFile(twelvePairs());
        QVERIFY(QFile::remove(fixture.path(QStringLiteral("models/endless/model.safetensors"))));
        fixture.measure();
        QTRY_VERIFY(!fixture.busy());
        QVERIFY(fixture.message().isVisible());
        QVERIFY(fixture.message().text().contains(QStringLiteral("endless")));
    }

    void itExportsFigureAndNumbers()
    {
        LengthFixture fixture;
        fixture.writeCards();
        fixture.show();
        const QByteArray svg = fixture.exported(QStringLiteral("length.svg"));
        QVERIFY(svg.contains("transformer"));
        const auto axes = fixture.on<QChartView>("lengthChart")->chart()->axes();
        QCOMPARE(axes.size(), 2);
        for (const QAbstractAxis* axis : axes)
            QVERIFY(!axis->titleText().isEmpty() && svg.contains(axis->titleText().toUtf8()));
        const QList<QByteArray> lines = fixture.exported(QStringLiteral("length.csv")).split('\n');
        QCOMPARE(lines[0].trimmed(), QByteArray("source words from,source words to,model,sentences,BLEU"));
        QCOMPARE(lines[2].trimmed(), QByteArray("5,9,\"recurrent\",20,20.5"));
        QCOMPARE(lines[3].trimmed(), QByteArray("1,4,\"transformer\",30,42"));
    }

    void itClosesWhileItMeasures()
    {
        LengthFixture fixture;
        fixture.show();
        fixture.chooseFile(twelvePairs().repeated(100));
        fixture.measure();
        QTRY_VERIFY(fixture.sentences() > 0);
        fixture.window.reset();
        QCOMPARE(QApplication::topLevelWidgets().count(), 0);
    }
};

ATTN_GUI_TEST(TestLengthPage)
#include "tst_length_page.moc"
