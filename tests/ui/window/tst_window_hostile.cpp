// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"
#include "support/test_program.h"
#include "ui/laboratory/laboratory_fixture.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTimer>

#include <algorithm>

using namespace attn;
using namespace attn::ui;

namespace {

// A model whose tokenizer cuts texts by an expression: "a" is token 4, the others are words of eight letters, which it
// writes with spaces between them.
QString modelReadingBy(const QString& expression, const QString& folder)
{
    const QString model = folder + QStringLiteral("/hostile");
    QDir().mkpath(model);
    const QString from = QStringLiteral(ATTN_SOURCE_DIR "/tests/data/cases/bart-plain/");
    for (const QString& name : {QStringLiteral("config.json"), QStringLiteral("model.safetensors")})
        QFile::copy(from + name, model + QLatin1Char('/') + name);
    QString words;
    for (int id = 5; id < 150; ++id)
        words += QStringLiteral(R"(, "wwwwww%1%2": %3)").arg(QChar('a' + id / 26), QChar('a' + id % 26)).arg(id);
    const QString tokenizer = QStringLiteral(R"({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "%1"},
        "behavior": "Isolated", "invert": false}, "decoder": null, "model": {"type": "WordLevel", "unk_token": "<unk>",
        "vocab": {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "a": 4%2}}})")
                                  .arg(expression, words);
    QFile file(model + QStringLiteral("/tokenizer.json"));
    if (!file.open(QIODevice::WriteOnly) || file.write(tokenizer.toUtf8()) < 0)
        qFatal("%s cannot be written", qPrintable(file.fileName()));
    return model;
}

} // namespace

// What files can make the window itself do.
class TestWindowHostile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Reads what is typed at once, but not what the model makes of it.
    void aTokenizerThatCannotReadTheOutput_data()
    {
        test::addColumns<QString, bool>("expression", "fails");
        QTest::newRow("fails") << QStringLiteral("(?:[a-z ]|[a-z])*!") << true;
        QTest::newRow("takes long") << QStringLiteral("(?:[a-z ]|[a-z ]){11}!|.") << false;
    }

    void aTokenizerThatCannotReadTheOutput()
    {
        QFETCH(const QString, expression);
        QFETCH(const bool, fails);
        test::WindowFixture fixture("recurrent");
        const QString model = modelReadingBy(expression, fixture.path(QStringLiteral("elsewhere")));
        qint64 longest = 0; // milliseconds without an answer
        QElapsedTimer since;
        since.start();
        QTimer pulse;
        pulse.setInterval(1);
        connect(&pulse, &QTimer::timeout, &pulse, [&] { longest = std::max(longest, since.restart()); });
        pulse.start();
        fixture.answers->paths[OpenKind::Anything] = model;
        fixture.action("openAction")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->controller().busy(), 120'000);
        fixture.type(QStringLiteral("a"));
        fixture.action("runAction")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->controller().busy(), 120'000);
        QTest::qWait(200);
        QVERIFY(fixture.trace().stepCount() > 10);
        QVERIFY(fixture.trace().summary());
        QVERIFY2(longest < 3000, qPrintable(QString::number(longest)));
        const Encoding output = fixture.trace().target();
        QCOMPARE(output.ids.size(), fixture.trace().path().size());
        QVERIFY(output.tokens.at(1).starts_with("w"));
        QCOMPARE(output.text.empty(), fails);
        QCOMPARE(fixture.find<QFrame>("messageBar")->isVisible(), fails);
        if (fails)
            QVERIFY(fixture.window->message().contains(QLatin1String("pieces")));
        for (const ViewRow& view : viewRows()) // each looks at the tokens
            fixture.showTab(view.id);
        fixture.window->selection().setStep(3);
        QTest::qWait(100);
        QVERIFY(fixture.window->isVisible());

        fixture.answers->session = fixture.path(QStringLiteral("mine.attnscope"));
        fixture.action("saveAction")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->study().unsaved(), 60'000);
        const Session saved = readSession(fixture.answers->session.toStdString());
        QCOMPARE(saved.runs.size(), fixture.window->study().runs().runs().size());
        QCOMPARE(saved.runs.back().trace.target().ids, output.ids);
        QCOMPARE(saved.runs.back().trace.target().tokens, output.tokens);
    }

    void amongOthersItIsRefused()
    {
        test::LaboratoryFixture fixture("recurrent");
        const QString model =
            modelReadingBy(QStringLiteral("(?:[a-z ]|[a-z])*!"), fixture.path(QStringLiteral("elsewhere")));
        fixture.answers->paths[OpenKind::Anything] = model;
        fixture.action("openAction")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.window->controller().busy(), 120'000);
        LaboratoryPage& page = fixture.openPage(*pageOf("compare"));
        QTRY_VERIFY(page.exportable() && !page.busy());
        fixture.pick("compareModel2", QVariant(model));
        QTRY_VERIFY_WITH_TIMEOUT(!page.busy(), 120'000);
        auto* const box = fixture.on<QLineEdit>("compareSentence");
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QStringLiteral("a"));
        QTest::keyClick(box, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(!page.busy() && page.exportable(), 120'000);
        QVERIFY(!page.grab().isNull());
        const QByteArray table = page.exportable()->csv();
        QVERIFY(table.contains("recurrent") && !table.contains("hostile"));
    }
};

ATTN_GUI_TEST(TestWindowHostile)
#include "tst_window_hostile.moc"
