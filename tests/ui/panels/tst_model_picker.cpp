// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/model_picker.h"
#include "support/test_program.h"
#include "text/tokenizer.h"

#include <QAbstractItemView>
#include <QFile>
#include <QLocale>
#include <QSet>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

using namespace attn;
using namespace attn::ui;

namespace {

BundledModel translator()
{
    BundledModel model;
    model.name = "transformer-en-fr";
    model.summary = "A Transformer <encoder-decoder>.";
    model.family = "Transformer";
    model.task = ModelTask::Translation;
    model.languages = {"en", "fr"};
    return model;
}

// A part of the program in German.
class German final : public QTranslator
{
public:
    QString translate(const char* context, const char* source, const char* /*meaning*/, int /*number*/) const override
    {
        const QString key = QStringLiteral("%1: %2").arg(QLatin1String(context), QLatin1String(source));
        return key == QStringLiteral("language: en")      ? QStringLiteral("de")
            : key == QStringLiteral("model: %1 to %2")    ? QStringLiteral("aus %1 nach %2")
            : key == QStringLiteral("model: translation") ? QStringLiteral("\u00DCbersetzung")
                                                          : QString();
    }
    bool isEmpty() const override { return false; }
};

BundledModel nameOnly()
{
    BundledModel model;
    model.name = "tiny";
    return model;
}

} // namespace

class TestModelPicker : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void modelsAreListedByWhatTheyDo()
    {
        ModelPicker picker;
        picker.setModels({translator(), nameOnly()}, {QStringLiteral("/elsewhere/mine")});
        picker.setChosen(QStringLiteral("transformer-en-fr"));
        QCOMPARE(picker.chosen(), QStringLiteral("transformer-en-fr"));
        const QString english = QString::fromStdString(languageName("en"));
        const QString french = QString::fromStdString(languageName("fr"));
        for (const QString& part : {QStringLiteral("Transformer"), english, french})
            QVERIFY2(picker.currentText().contains(part), qPrintable(picker.currentText()));
        QVERIFY(picker.currentText().indexOf(english) < picker.currentText().indexOf(french));
        QSet<QString> labels; // what a model is for tells it from others
        for (const ModelTask task : {ModelTask::Unknown, ModelTask::Translation, ModelTask::MaskedWords,
                                     ModelTask::Continuation, ModelTask::Classification}) {
            BundledModel model = translator();
            model.task = task;
            model.languages = {"en"};
            labels << modelLabel(model);
        }
        QCOMPARE(labels.size(), 5);
        QVERIFY(picker.toolTip().contains(QStringLiteral("transformer-en-fr")));
        QVERIFY(picker.toolTip().contains(QStringLiteral("&lt;encoder-decoder&gt;")));
        picker.setChosen(QStringLiteral("tiny"));
        QCOMPARE(picker.currentText(), QStringLiteral("tiny"));
        picker.setChosen(QStringLiteral("/elsewhere/mine"));
        QCOMPARE(picker.currentText(), QStringLiteral("mine"));
        QCOMPARE(picker.toolTip(), QStringLiteral("/elsewhere/mine"));
    }

    void theListIsWideEnoughForItsLines()
    {
        ModelPicker picker;
        picker.setModels({translator()}, {});
        picker.setFixedWidth(120);
        picker.show();
        picker.showPopup();
        QTRY_VERIFY(picker.view()->isVisible());
        QVERIFY(picker.view()->viewport()->width() >= picker.view()->sizeHintForColumn(0));
        picker.hidePopup();
    }

    void aModelThatIsChosenSaysWhatItIs()
    {
        ModelPicker picker;
        picker.setModels({nameOnly(), translator()}, {});
        picker.setChosen(QStringLiteral("tiny"));
        picker.show();
        const QSignalSpy chosen(&picker, &ModelPicker::chosenByUser);
        picker.setFocus();
        QTest::keyClick(&picker, Qt::Key_Down);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.front().front().toString(), QStringLiteral("transformer-en-fr"));
        QVERIFY(picker.toolTip().contains(QStringLiteral("Transformer")));
    }

    void whatAModelDoesIsSaidInTheWindowsLanguage()
    {
        German german;
        QVERIFY(QCoreApplication::installTranslator(&german));
        const QString label = modelLabel(translator());
        BundledModel one = translator();
        one.languages = {"en"};
        const QString task = modelLabel(one);
        QCoreApplication::removeTranslator(&german);
        QVERIFY2(label.endsWith(QStringLiteral("aus Englisch nach Franz\u00F6sisch")), qPrintable(label));
        QVERIFY2(task.endsWith(QStringLiteral("\u00DCbersetzung")), qPrintable(task));
        QVERIFY(modelLabel(translator()).contains(QStringLiteral("English to French")));
    }

    void aCardSaysHowGoodAndHowLargeAModelIs()
    {
        QTemporaryDir folder;
        const auto write = [&](const char* name, const QByteArray& bytes) {
            QFile file(folder.filePath(QLatin1String(name)));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes);
        };
        write("README.md", "---\ndatasets:\n- Tatoeba & more\n---\n# A model\n");
        write("scores.json", R"({"bleu": 46.03, "test_set": "News <b>2014"})");
        write("model.safetensors", QByteArray(3'000'000, 'x'));
        BundledModel model = translator();
        model.directory = folder.path().toStdString();
        const QString number = QLocale().toString(46.0, 'f', 1);
        for (const QString& part : {number, QStringLiteral("3 MB"), QStringLiteral("transformer-en-fr")})
            QVERIFY2(modelDetail(model).contains(part), qPrintable(modelDetail(model)));
        for (const QString& part : {number, QStringLiteral("Tatoeba &amp; more"), QStringLiteral("MB")})
            QVERIFY2(modelTip(model).contains(part), qPrintable(modelTip(model)));
        QVERIFY(modelDetail(model).contains(QStringLiteral("News <b>2014")));
        QVERIFY(modelTip(model).contains(QStringLiteral("News &lt;b&gt;2014")));
        ModelPicker picker;
        picker.setModels({model, nameOnly()}, {});
        const QAbstractItemModel* entries = picker.model();
        QVERIFY(entries->index(0, 0).data(Qt::AccessibleTextRole).toString().contains(number));
        QVERIFY(picker.view()->sizeHintForRow(0) > 3 * picker.fontMetrics().height() / 2); // two lines
        // A test set that the file does not name has no name.
        write("scores.json", R"({"bleu": 46.03})");
        QVERIFY(modelDetail(model).startsWith(QStringLiteral("BLEU ") + number + QStringLiteral(" \u00B7")));
    }

    void anEmptyListSaysSo()
    {
        ModelPicker picker;
        picker.setModels({}, {});
        QCOMPARE(picker.currentIndex(), -1);
        QVERIFY(!picker.placeholderText().isEmpty());
    }
};

ATTN_GUI_TEST(TestModelPicker)
#include "tst_model_picker.moc"
