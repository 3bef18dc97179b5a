// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/export/figure_export.h"
#include "figures/figure_choices.h"
#include "figures/look/csv_field.h"
#include "figures/look/decimal.h"
#include "figures/look/language.h"
#include "figures/parts/exportable.h"
#include "help/help_pages.h"
#include "panels/dialogs.h"
#include "support/test_program.h"
#include "support/whole_files.h"
#include "ui/laboratory/laboratory_fixture.h"
#include "views/number_box.h"
#include "window/saved_state.h"

#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMutex>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTranslator>
#include <QXmlStreamReader>

#include <vector>

using namespace attn;
using namespace attn::ui;
using attn::test::LaboratoryFixture;
using attn::test::WindowFixture;

namespace {

const QString folder = QStringLiteral(ATTN_SOURCE_DIR) + QStringLiteral("/resources/translations");
const QString helpFolder = QStringLiteral(ATTN_SOURCE_DIR) + QStringLiteral("/resources/documentation/help");

struct Message
{
    QString source;
    QString comment;
    QString state; // "unfinished" where somebody has to look at it
    QStringList forms; // several of what is counted
};

Message readMessage(QXmlStreamReader& xml)
{
    Message message;
    while (xml.readNextStartElement()) {
        if (xml.name() == QStringLiteral("source")) {
            message.source = xml.readElementText();
        } else if (xml.name() == QStringLiteral("comment")) {
            message.comment = xml.readElementText();
        } else if (xml.name() == QStringLiteral("translation")) {
            message.state = xml.attributes().value(QStringLiteral("type")).toString();
            QString text;
            while (xml.readNext() != QXmlStreamReader::EndElement) {
                if (xml.isStartElement())
                    message.forms << xml.readElementText();
                else
                    text += xml.text();
            }
            if (message.forms.isEmpty())
                message.forms << text;
        } else {
            xml.skipCurrentElement();
        }
    }
    return message;
}

std::vector<Message> messagesOf(const QString& file)
{
    std::vector<Message> found;
    QXmlStreamReader xml(test::readFile(file));
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QStringLiteral("message"))
            found.push_back(readMessage(xml));
    }
    return found;
}

// What a text has that every translation of it has as well, as often.
QStringList partsOf(const QString& text)
{
    static const QRegularExpression part(QStringLiteral("%L?\\d+|%n|</?[a-z]+[^>]*>|\\]\\([^)]*\\)"));
    QStringList parts;
    for (auto match = part.globalMatch(text); match.hasNext();)
        parts << match.next().captured();
    parts.sort();
    return parts;
}

bool hasMnemonic(const QString& text)
{
    return !QKeySequence::mnemonic(text).isEmpty();
}

// Notes what no other translator knows: it is asked last.
class Unknown final : public QTranslator
{
public:
    QString translate(const char* context, const char* text, const char* comment, int /*count*/) const override
    {
        const QByteArray asked(context);
        const bool ofQt = asked.startsWith('Q') && asked != "QObject";
        const bool ofLanguage =
            std::ranges::any_of(languageRows, [text](const LanguageRow& row) { return qstrcmp(row.title, text) == 0; });
        const QMutexLocker lock(&m_mutex); // runs say how far they are from their own thread
        if (!ofQt && !ofLanguage)
            m_texts.insert(QString::fromUtf8(text) + QStringLiteral(" | ") + QString::fromUtf8(comment));
        return {};
    }
    bool isEmpty() const override { return false; }
    QStringList texts() const { return m_texts.values(); }

private:
    mutable QMutex m_mutex;
    mutable QSet<QString> m_texts;
};

// This program again, with one of its tests, on a system of this language.
QByteArray runOnSystem(const char* test, const QByteArray& lang, const QByteArray& expected)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"LC_ALL", "LANGUAGE", "LC_MESSAGES", "LC_NUMERIC"})
        environment.remove(QLatin1String(name));
    environment.insert(QStringLiteral("LANG"), QString::fromLatin1(lang));
    environment.insert(QStringLiteral("ATTN_EXPECTED"), QString::fromLatin1(expected));
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QCoreApplication::applicationFilePath(), {QStringLiteral("tst_translations"), QLatin1String(test)});
    const bool ended = process.waitForFinished(60000);
    const QByteArray said = process.readAll();
    return ended && process.exitCode() == 0 && said.contains(QByteArray("PASS   : TestTranslations::").append(test))
        ? QByteArray()
        : "failed: " + said;
}

} // namespace

// The languages of the window: whether everything is said in each, and whether it is said.
class TestTranslations : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyLanguageHasAFileAndEveryFileIsALanguage()
    {
        QStringList languages;
        for (const LanguageRow& row : languageRows) {
            if (&row != languageRows) // which the sources are in
                languages << QStringLiteral("attnscope_%1.ts").arg(QLatin1String(row.id));
        }
        QCOMPARE(QDir(folder).entryList({QStringLiteral("*.ts")}), languages);
    }

    void everyTextIsTranslated_data() { addFiles(); }
    void everyTextIsTranslated()
    {
        QFETCH(const QString, file);
        const auto messages = messagesOf(file);
        QVERIFY(messages.size() > 1000);
        QStringList wrong;
        for (const Message& message : messages) {
            const bool empty = message.forms.isEmpty()
                || std::ranges::any_of(message.forms, [](const QString& form) { return form.isEmpty(); });
            if (empty || !message.state.isEmpty())
                wrong << message.source;
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }

    void whatStandsInATextStandsInItsTranslation_data() { addFiles(); }
    void whatStandsInATextStandsInItsTranslation()
    {
        QFETCH(const QString, file);
        QStringList wrong;
        for (const Message& message : messagesOf(file)) {
            for (const QString& form : message.forms) {
                if (form.isEmpty()) // another test says so
                    continue;
                const auto endsIn = [](const QString& text, const char* end) {
                    return text.endsWith(QString::fromUtf8(end));
                };
                const bool alike = partsOf(form) == partsOf(message.source)
                    && hasMnemonic(form) == hasMnemonic(message.source)
                    && form.front().isSpace() == (message.source.front().isSpace() || form.front() == QChar(0xA0))
                    && form.back().isSpace() == (message.source.back().isSpace() || form.back() == QChar(0xA0))
                    && endsIn(form, "\u2026") == endsIn(message.source, "\u2026")
                    && form.count(QLatin1Char('\n')) == message.source.count(QLatin1Char('\n'));
                if (!alike)
                    wrong << message.source + QStringLiteral(" | ") + form;
            }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }

    void theFilesAreThoseOfTheSources()
    {
        const QTemporaryDir made;
        QProcess script;
        script.start(QStringLiteral(ATTN_SOURCE_DIR "/.ci/translations"), {made.path()});
        if (!script.waitForStarted())
            QSKIP("the script cannot be run here (install python3)");
        QVERIFY(script.waitForFinished(60000));
        const QByteArray errors = script.readAllStandardError();
        if (errors.contains("there is no lupdate"))
            QSKIP("there is no lupdate here (install qt6-l10n-tools)");
        QCOMPARE(errors, QByteArray());
        QCOMPARE(script.exitCode(), 0);
        for (const QString& file : QDir(folder).entryList({QStringLiteral("*.ts")})) {
            QVERIFY2(test::readFile(made.filePath(file)) == test::readFile(folder + QLatin1Char('/') + file),
                     "run .ci/translations and translate what it names");
        }
    }

    void everyPageOfTheHelpIsInEveryLanguage()
    {
        const auto pagesOf = [](const LanguageRow& row) {
            return QDir(helpFolder + QLatin1Char('/') + QLatin1String(row.id)).entryList({QStringLiteral("*.md")});
        };
        const QStringList english = pagesOf(languageRows[0]);
        QVERIFY(english.size() > 15);
        static const QRegularExpression link(QStringLiteral("\\]\\(([^)]+)\\)"));
        const auto linksOf = [](const QString& text) {
            QSet<QString> links;
            for (auto match = link.globalMatch(text); match.hasNext();)
                links << match.next().captured(1);
            return links;
        };
        std::vector<HelpPage> first;
        for (const LanguageRow& row : languageRows) {
            QCOMPARE(pagesOf(row), english);
            const LanguageInUse language(languageNamed(row.id));
            const auto pages = helpPages({});
            if (first.empty()) {
                first = pages;
                continue;
            }
            QCOMPARE(pages.size(), first.size());
            for (std::size_t i = 0; i < pages.size(); ++i) {
                QCOMPARE(pages[i].id, first[i].id);
                if (pages[i].group == HelpGroup::Models) // their cards, which are in English
                    continue;
                QVERIFY2(pages[i].text != first[i].text, qPrintable(pages[i].id));
                QCOMPARE(linksOf(pages[i].text), linksOf(first[i].text));
            }
        }
    }

    void theWindowSpeaksFrench()
    {
        const LanguageInUse language(languageNamed("fr"));
        WindowFixture fixture("recurrent");
        QCOMPARE(fixture.window->menuBar()->actions().front()->text().remove(QLatin1Char('&')),
                 QStringLiteral("Fichier"));
        const FigureView& view = fixture.window->heatmap();
        QVERIFY2(view.figure()->description().contains(QStringLiteral("encodeur-décodeur")),
                 qPrintable(view.figure()->description()));
        QCOMPARE(fixture.window->heatmap().spec().language, languageNamed("fr"));
        QVERIFY(fixture.find<QWidget>("siteDock")->windowTitle() != QStringLiteral("Shown"));
    }

    // Also what tables and the core say, which is looked up by what is in a variable.
    void everyTextThatIsAskedForIsThere()
    {
        Unknown unknown;
        QCoreApplication::installTranslator(&unknown);
        const LanguageInUse language(languageNamed("fr"));
        LaboratoryFixture fixture;
        for (const char* model : {"transformer", "recurrent"}) {
            fixture.open(QLatin1String(model));
            for (const ViewRow& row : viewRows()) {
                fixture.showTab(row.id);
                QTest::qWait(10);
            }
            for (int i = 0; i < static_cast<int>(pageRows().size()); ++i)
                fixture.openPage(static_cast<Page>(i));
        }
        fixture.action("helpAction")->trigger();
        fixture.action("keysAction")->trigger();
        fixture.action("paletteAction")->trigger();
        fixture.action("welcomeAction")->trigger();
        QVERIFY(aboutText().contains(QStringLiteral("Logiciel")));
        QCOMPARE(unknown.texts().join(QLatin1Char('\n')), QString());
    }

    // What is read by people has the language's decimal sign; what programs read has a point.
    void numbersFollowTheLanguageAndFilesDoNot()
    {
        const LanguageInUse language(languageNamed("fr"));
        WindowFixture fixture("recurrent");
        const FigureView& view = fixture.window->heatmap();
        static const QRegularExpression comma(QStringLiteral("\\d,\\d"));
        static const QRegularExpression point(QStringLiteral("\\d\\.\\d"));
        const QString said = view.figure()->hitTest(view.figure()->cellRect(0, 0).center()).text;
        QVERIFY2(said.contains(comma) && !said.contains(point), qPrintable(said));
        const QString file = fixture.path(QStringLiteral("numbers.csv"));
        exportFigure(file, exportable(view.spec(), fixture.trace()));
        const QStringList lines =
            QString::fromUtf8(test::readFile(file)).split(QStringLiteral("\r\n"), Qt::SkipEmptyParts);
        QVERIFY(lines.size() > 1);
        for (const QString& line : lines.mid(1)) {
            const QStringList fields = line.split(QLatin1Char(',')).mid(1);
            QCOMPARE(fields.size(), view.figure()->columns());
            for (const QString& field : fields) {
                bool valid = false;
                field.toDouble(&valid); // as C writes numbers
                QVERIFY2(valid, qPrintable(line));
            }
        }
    }

    void numbersAreWrittenByTheLanguage()
    {
        QCOMPARE(decimal(0.5, 2), QStringLiteral("0.50"));
        QCOMPARE(grouped(7999), QStringLiteral("7,999"));
        {
            const LanguageInUse language(languageNamed("fr"));
            QCOMPARE(decimal(-0.5, 2), QStringLiteral("\u22120,50"));
            QCOMPARE(shortDecimal(2.50, 3), QStringLiteral("2,5"));
            QCOMPARE(shortDecimal(2, 3), QStringLiteral("2"));
            QCOMPARE(shortDecimal(20, 0), QStringLiteral("20"));
            QCOMPARE(significant(0.125, 3), QStringLiteral("0,125"));
            QCOMPARE(percent(0.0001), QStringLiteral("<0,1 %"));
            QCOMPARE(probabilityText(0.0001), QStringLiteral("<0,001"));
            QCOMPARE(weightText(0.9999), QStringLiteral(">0,999"));
            QCOMPARE(numberList({QStringLiteral("0,5"), QStringLiteral("2")}), QStringLiteral("0,5 ; 2"));
            const QString thousands = grouped(7999);
            QCOMPARE(thousands.size(), 5);
            QVERIFY(thousands[1] == QChar(0x202F) || thousands[1] == QChar(0xA0)); // by the release of Qt
            QCOMPARE(csvNumber(0.5), QStringLiteral("0.5"));
            FigureChoices choices;
            choices.threshold = 0.25;
            QCOMPARE(optionText(optionRow(figureRows(), "threshold"), choices), std::string("0.25"));
        }
        QCOMPARE(decimal(0.5, 2), QStringLiteral("0.50")); // as before
    }

    void aBoxReadsACommaAndAPoint_data()
    {
        test::addColumns<QString, QString>("language", "typed");
        for (const LanguageRow& row : languageRows) {
            for (const char* typed : {"2.5", "2,5"})
                QTest::addRow("%s %s", row.id, typed) << QString::fromLatin1(row.id) << QString::fromLatin1(typed);
        }
    }
    void aBoxReadsACommaAndAPoint()
    {
        QFETCH(const QString, language);
        QFETCH(const QString, typed);
        const LanguageInUse inUse(languageNamed(language.toStdString()));
        NumberBox box;
        box.setRange(-10, 10);
        box.setSuffix(QStringLiteral(" mm"));
        box.selectAll();
        QTest::keyClicks(&box, typed);
        QTest::keyClick(&box, Qt::Key_Return);
        QCOMPARE(box.value(), 2.5);
        QCOMPARE(box.text(), QStringLiteral("2%1 mm").arg(decimal(0.5, 1).mid(1)));
    }

    void theLanguageIsChosenInTheMenu()
    {
        WindowFixture fixture("recurrent");
        QVERIFY(fixture.find<QMenu>("languageMenu")->findChild<QAction*>(QStringLiteral("system"))->isChecked());
        const auto choose = [&](const char* id) {
            fixture.find<QMenu>("languageMenu")->findChild<QAction*>(QLatin1String(id))->trigger();
        };
        choose("fr");
        QVERIFY(!fixture.window->message().isEmpty()); // that it is for the next start
        fixture.window->close();
        QCOMPARE(languageOf(keptLanguage()), languageNamed("fr"));
        fixture.open();
        QVERIFY(fixture.find<QMenu>("languageMenu")->findChild<QAction*>(QStringLiteral("fr"))->isChecked());
        choose("system");
        fixture.window->close();
        QCOMPARE(keptLanguage(), LanguageMode{});
    }

    void theSystemChoosesTheLanguage_data()
    {
        test::addColumns<QByteArray, QByteArray>("system", "expected");
        QTest::newRow("French") << QByteArray("fr_FR.UTF-8") << QByteArray("Fichier");
        QTest::newRow("French of Canada") << QByteArray("fr_CA.UTF-8") << QByteArray("Fichier");
        QTest::newRow("English") << QByteArray("en_GB.UTF-8") << QByteArray("File");
        QTest::newRow("none that there is") << QByteArray("de_DE.UTF-8") << QByteArray("File");
    }
    void theSystemChoosesTheLanguage()
    {
        QFETCH(const QByteArray, system);
        QFETCH(const QByteArray, expected);
        QCOMPARE(runOnSystem("theWindowSpeaksTheSystemsLanguage", system, expected), QByteArray());
    }
    void theWindowSpeaksTheSystemsLanguage()
    {
        WindowFixture fixture;
        const LanguageInUse language(languageOf(keptLanguage()));
        fixture.open();
        QCOMPARE(fixture.window->menuBar()->actions().front()->text().remove(QLatin1Char('&')),
                 qEnvironmentVariable("ATTN_EXPECTED", QStringLiteral("File")));
    }

private:
    static void addFiles()
    {
        QTest::addColumn<QString>("file");
        for (const QString& file : QDir(folder).entryList({QStringLiteral("*.ts")}))
            QTest::newRow(qPrintable(file)) << folder + QLatin1Char('/') + file;
    }
};

ATTN_GUI_TEST(TestTranslations)
#include "tst_translations.moc"
