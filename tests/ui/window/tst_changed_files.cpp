// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"
#include "support/test_program.h"
#include "support/whole_files.h"
#include "ui/window/window_fixture.h"

#include <QDir>
#include <QFile>
#include <QLineEdit>

#include <cstdint>
#include <cstring>
#include <filesystem>

using namespace attn;
using namespace attn::ui;
using attn::test::readFile;
using attn::test::writeFile;

namespace {

const QString text = QStringLiteral("s4 s5 s6 s7");

// As programs do that save a file: another one takes its name.
void replace(const QString& path, const QByteArray& bytes)
{
    const QString beside = path + QStringLiteral("~");
    writeFile(beside, bytes);
    std::filesystem::rename(beside.toStdString(), path.toStdString());
}

// The same tensors with every number's sign turned round.
QByteArray negated(QByteArray safetensors)
{
    std::uint64_t header = 0;
    std::memcpy(&header, safetensors.constData(), sizeof header);
    for (qsizetype i = static_cast<qsizetype>(sizeof header + header) + 3; i < safetensors.size(); i += 4)
        safetensors[i] = static_cast<char>(safetensors[i] ^ 0x80);
    return safetensors;
}

// A window on a model in a folder of the user's.
struct ChangedDesk : test::WindowFixture
{
    ChangedDesk() { open(model, text); }

    QString file(const char* name) const { return model + QLatin1Char('/') + QLatin1String(name); }

    void run(const QString& words = text) { WindowFixture::run(words); }

    // In the dialog.
    void openAgain()
    {
        answers->paths[OpenKind::Anything] = model;
        click("openButton");
        settle();
    }

    std::vector<float> weights() const { return weightsOf(trace()); }
    static std::vector<float> weightsOf(const Trace& trace)
    {
        const auto values = trace.matrix({Stage::Cross, 0}, 0).values;
        return {values.begin(), values.end()};
    }
    QString said() const
    {
        const auto* bar = find<MessageBar>("messageBar");
        return bar->isVisible() ? bar->text() : QString();
    }

    const QString model = test::recurrentModel(path(QStringLiteral("mine")));
};

} // namespace

// A model whose files change on the disk while the program is open.
class TestChangedFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRunGoesOnWithTheConfigurationThatWasRead_data()
    {
        QTest::addColumn<bool>("isThere");
        QTest::newRow("replaced") << true;
        QTest::newRow("removed") << false;
    }
    void aRunGoesOnWithTheConfigurationThatWasRead()
    {
        QFETCH(bool, isThere);
        ChangedDesk desk;
        const QStringList special = desk.window->study().model()->specialTokens;
        if (isThere)
            replace(desk.file("config.json"), "{\"model_type\": ");
        else
            QVERIFY(QFile::remove(desk.file("config.json")));
        writeFile(desk.file("generation_config.json"), "[");
        desk.run(QStringLiteral("s4 s5"));
        QCOMPARE(desk.said(), QString());
        QCOMPARE(desk.trace().source().size(), std::size_t{3});
        QCOMPARE(desk.window->study().model()->specialTokens, special);
    }

    void openedAgainItIsWhatTheFilesAreNow()
    {
        ChangedDesk desk;
        const std::vector<float> before = desk.weights();
        replace(desk.file("model.safetensors"), negated(readFile(desk.file("model.safetensors"))));
        desk.run();
        QCOMPARE(desk.weights(), before); // what is run goes on with what is loaded
        QCOMPARE(desk.window->study().runs().runs().size(), std::size_t{1});
        desk.openAgain();
        QCOMPARE(desk.said(), QString());
        const std::vector<float> after = desk.weights();
        QVERIFY(after != before);

        Study study;
        RunController fresh(study);
        fresh.ask(*desk.window->study().asked());
        QTRY_VERIFY(!fresh.busy());
        QCOMPARE(after, ChangedDesk::weightsOf(study.trace()));

        const auto& runs = desk.window->study().runs().runs();
        QCOMPARE(runs.size(), std::size_t{2}); // the old one stays as it was
        QCOMPARE(ChangedDesk::weightsOf(runs.front().trace), before);
        desk.openAgain();
        QCOMPARE(runs.size(), std::size_t{2}); // nothing has changed since
        QCOMPARE(desk.weights(), after);
    }

    void aFileThatIsCutShortIsNamedUntilItIsOpenedWhole()
    {
        ChangedDesk desk;
        const std::vector<float> before = desk.weights();
        const QByteArray whole = readFile(desk.file("model.safetensors"));
        std::filesystem::resize_file(desk.file("model.safetensors").toStdString(),
                                     static_cast<std::uintmax_t>(whole.size() / 2));
        desk.run(QStringLiteral("s8 s9"));
        QVERIFY2(desk.said().contains(QStringLiteral("model.safetensors")), qPrintable(desk.said()));
        desk.openAgain();
        QVERIFY2(desk.said().contains(QStringLiteral("model.safetensors")), qPrintable(desk.said()));
        QVERIFY(desk.window->isVisible());
        QCOMPARE(desk.weights(), before); // still on show
        replace(desk.file("model.safetensors"), whole);
        desk.openAgain();
        QCOMPARE(desk.said(), QString());
        desk.run();
        QCOMPARE(desk.said(), QString());
        QCOMPARE(desk.weights(), before);
    }

    void withoutItsFolderWhatIsLoadedGoesOn()
    {
        ChangedDesk desk;
        QVERIFY(QDir(desk.model).removeRecursively());
        desk.run(QStringLiteral("s4 s5"));
        QCOMPARE(desk.said(), QString());
        QCOMPARE(desk.trace().source().size(), std::size_t{3});
        desk.openAgain();
        QVERIFY2(desk.said().contains(desk.model), qPrintable(desk.said()));
        desk.run();
        QCOMPARE(desk.said(), QString());
        QCOMPARE(desk.trace().source().size(), std::size_t{5});
    }

    void aSessionHasTheDigestOfTheWeightsThatWereLoaded()
    {
        ChangedDesk desk;
        const auto digest = [&desk](const char* name) {
            desk.answers->session = desk.path(QLatin1String(name));
            desk.action("saveAsAction")->trigger();
            [&desk] { QTRY_VERIFY(!desk.window->study().unsaved()); }();
            return readSession(desk.answers->session.toStdString()).model.weightsSha256;
        };
        replace(desk.file("model.safetensors"), negated(readFile(desk.file("model.safetensors"))));
        desk.run(QStringLiteral("s4"));
        QCOMPARE(digest("old.attnscope"), std::string());
        desk.openAgain();
        QCOMPARE(digest("both.attnscope"), std::string()); // two models have made its runs
    }
};

ATTN_GUI_TEST(TestChangedFiles)
#include "tst_changed_files.moc"
