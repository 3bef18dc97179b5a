// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_controller.h"
#include "trace/archive.h"
#include "ui/run/word_models.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace attn;
using namespace attn::ui;

namespace {

Question sentence(const QString& model, int words, int maxLength = 20)
{
    Question question;
    question.model = model.toStdString();
    for (int i = 0; i < words; ++i)
        question.text += "s" + std::to_string(4 + i % 90) + " ";
    question.decoding.maxLength = maxLength;
    return question;
}

constexpr int endless = 200000;

} // namespace

class TestRunController : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_recurrent;
    QString m_endless;
    QString m_transformer;
    QString m_broken;

private Q_SLOTS:
    void initTestCase()
    {
        m_recurrent = test::recurrentModel(m_folder.path());
        m_endless = test::endlessModel(m_folder.path());
        m_transformer = test::transformerModel(m_folder.path());
        m_broken = test::brokenModel(m_folder.path());
    }

    void aRunEndsInACompleteTrace()
    {
        Document document;
        RunController controller(document);
        QSignalSpy finished(&controller, &RunController::finished);
        const quint64 number = controller.ask(sentence(m_recurrent, 5));
        QVERIFY(controller.busy());
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(finished.at(0).at(0).toULongLong(), number);
        QVERIFY(!controller.busy());
        QVERIFY(!document.running());
        QVERIFY(document.model());
        QCOMPARE(document.model()->path, m_recurrent);
        QVERIFY(document.trace().summary());
        QCOMPARE(document.trace().source().ids.size(), std::size_t{6}); // with the end token
        QCOMPARE(document.trace().matrix({Stage::Cross, 0}, 0).columns, 6);
        QVERIFY(document.model()->positions.empty());
    }

    void aRunFillsInWhileItGoesOn()
    {
        Document document;
        RunController controller(document);
        QSignalSpy changed(&document, &Document::traceChanged);
        QSignalSpy replaced(&document, &Document::traceReplaced);
        controller.ask(sentence(m_endless, 20, endless));
        QTRY_VERIFY(changed.count() >= 3); // nobody paints: the flow goes on all the same
        QVERIFY(document.running());
        const int steps = document.trace().stepCount();
        QVERIFY(steps > 0);
        QTRY_VERIFY(document.trace().stepCount() > steps);
        QCOMPARE(replaced.count(), 1);
        controller.cancel();
    }

    void snapshotsWaitForThePaint()
    {
        Document document;
        RunController controller(document);
        QSignalSpy changed(&document, &Document::traceChanged);
        controller.ask(sentence(m_endless, 20, endless));
        QTRY_COMPARE(changed.count(), 1);
        QTest::qWait(60); // four frames, and less than the patience with a window that is never painted
        QCOMPARE(changed.count(), 1);
        controller.framePainted();
        QTRY_COMPARE(changed.count(), 2);
        controller.cancel();
    }

    void aReplacedRunIsDropped()
    {
        Document document;
        RunController controller(document);
        QSignalSpy finished(&controller, &RunController::finished);
        QSignalSpy cancelled(&controller, &RunController::cancelled);
        const quint64 first = controller.ask(sentence(m_endless, 20, endless));
        QTRY_VERIFY(document.running());
        QElapsedTimer clock;
        clock.start();
        const quint64 second = controller.ask(sentence(m_recurrent, 3));
        QVERIFY2(clock.elapsed() < 50, "starting a run waited for the old one");
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(finished.at(0).at(0).toULongLong(), second);
        QCOMPARE(cancelled.count(), 1);
        QCOMPARE(cancelled.at(0).at(0).toULongLong(), first);
        QCOMPARE(document.trace().source().ids.size(), std::size_t{4});
        QTest::qWait(50);
        QCOMPARE(document.trace().source().ids.size(), std::size_t{4});
    }

    void cancelStopsAtOnceAndTheThreadSoon()
    {
        Document document;
        RunController controller(document);
        QSignalSpy cancelled(&controller, &RunController::cancelled);
        QSignalSpy finished(&controller, &RunController::finished);
        controller.ask(sentence(m_endless, 20, endless));
        QTRY_VERIFY(document.running());
        controller.cancel();
        QVERIFY(!controller.busy());
        QVERIFY(!document.running());
        QCOMPARE(cancelled.count(), 1);
        controller.ask(sentence(m_recurrent, 2)); // the thread is free again
        QTRY_COMPARE(finished.count(), 1);
    }

    void anErrorLeavesTheLastResult()
    {
        Document document;
        RunController controller(document);
        QSignalSpy finished(&controller, &RunController::finished);
        QSignalSpy failed(&controller, &RunController::failed);
        controller.ask(sentence(m_recurrent, 3));
        QTRY_COMPARE(finished.count(), 1);
        controller.ask(sentence(m_broken, 3));
        QTRY_COMPARE(failed.count(), 1);
        const auto message = failed.at(0).at(1).value<UserMessage>();
        QVERIFY2(message.where.contains(QStringLiteral("model.safetensors")), qPrintable(message.where));
        QVERIFY(!message.problem.isEmpty());
        QCOMPARE(document.trace().source().ids.size(), std::size_t{4});
        QCOMPARE(document.model()->path, m_recurrent);
        QVERIFY(!controller.busy());
    }

    void aTextThatIsTooLongIsNamed()
    {
        Document document;
        RunController controller(document);
        QSignalSpy failed(&controller, &RunController::failed);
        controller.ask(sentence(m_transformer, 100));
        QTRY_COMPARE(failed.count(), 1);
        const auto message = failed.at(0).at(1).value<UserMessage>();
        QVERIFY2(message.problem.contains(QStringLiteral("64")), qPrintable(message.where + message.problem));
    }

    void anUnknownModelIsNamed()
    {
        Document document;
        RunController controller(document);
        QSignalSpy failed(&controller, &RunController::failed);
        controller.ask(sentence(QStringLiteral("/no/such/model"), 3));
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed.at(0).at(1).value<UserMessage>().where, QStringLiteral("/no/such/model"));
    }

    void anArchiveIsShown()
    {
        Document document;
        RunController controller(document);
        QSignalSpy finished(&controller, &RunController::finished);
        controller.ask(sentence(m_transformer, 4));
        QTRY_COMPARE(finished.count(), 1);
        const QString path = m_folder.filePath(QStringLiteral("saved.npz"));
        writeArchive(path.toStdString(), document.trace());
        const auto before = document.trace().matrix({Stage::Cross, 0}, 1).values;
        controller.openArchive(path);
        QTRY_COMPARE(finished.count(), 2);
        QVERIFY(!document.model());
        QCOMPARE(document.trace().matrix({Stage::Cross, 0}, 1).values, before);
    }

    void aTransformerBringsItsPositions()
    {
        Document document;
        RunController controller(document);
        QSignalSpy finished(&controller, &RunController::finished);
        controller.load(m_transformer);
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(document.model()->positions.dim(0), 64);
        QCOMPARE(document.model()->positions.dim(1), 24);
        QCOMPARE(document.trace().stepCount(), 0);
    }

    void controllersEndInTheMiddleOfARun()
    {
        for (int i = 0; i < 8; ++i) {
            Document document;
            RunController controller(document);
            controller.ask(sentence(m_endless, 20, endless));
            if (i % 2 == 1)
                QTRY_VERIFY(document.running());
        }
    }
};

QTEST_GUILESS_MAIN(TestRunController)
#include "tst_run_controller.moc"
