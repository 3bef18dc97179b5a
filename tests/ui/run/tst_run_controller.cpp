// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_controller.h"
#include "support/test_program.h"
#include "support/word_models.h"
#include "trace/archive.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>

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
        Study study;
        RunController controller(study);
        QSignalSpy finished(&controller, &RunController::finished);
        const quint64 number = controller.ask(sentence(m_recurrent, 5));
        QVERIFY(controller.busy());
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(finished.at(0).at(0).toULongLong(), number);
        QVERIFY(!controller.busy());
        QVERIFY(!study.running());
        QVERIFY(study.model());
        QCOMPARE(study.model()->path, m_recurrent);
        QVERIFY(study.trace().summary());
        QCOMPARE(study.trace().source().ids.size(), std::size_t{6}); // with the end token
        QCOMPARE(study.trace().matrix({Stage::Cross, 0}, 0).columns, 6);
        QVERIFY(study.model()->positions.empty());
    }

    void aRunFillsInWhileItGoesOn()
    {
        Study study;
        RunController controller(study);
        QSignalSpy changed(&study, &Study::traceChanged);
        QSignalSpy replaced(&study, &Study::traceReplaced);
        controller.ask(sentence(m_endless, 20, endless));
        QTRY_VERIFY(changed.count() >= 3); // nobody paints: the flow goes on all the same
        QVERIFY(study.running());
        const int steps = study.trace().stepCount();
        QVERIFY(steps > 0);
        QTRY_VERIFY(study.trace().stepCount() > steps);
        QCOMPARE(replaced.count(), 1);
        controller.cancel();
    }

    void snapshotsWaitForThePaint()
    {
        Study study;
        RunController controller(study);
        // That a window which is never painted gets one now and then is the test before this one.
        controller.findChild<QTimer*>(QStringLiteral("unpainted"))->setInterval(std::chrono::hours(1));
        QSignalSpy finished(&controller, &RunController::finished);
        QSignalSpy changed(&study, &Study::traceChanged);
        controller.ask(sentence(m_endless, 20, 3000));
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 20000);
        QVERIFY(changed.count() <= 2); // one that nobody has painted, and the whole
        controller.framePainted();
        changed.clear();
        controller.ask(sentence(m_endless, 20, endless));
        QTRY_COMPARE(changed.count(), 1);
        controller.framePainted();
        QTRY_COMPARE(changed.count(), 2);
        controller.cancel();
    }

    void aReplacedRunIsDropped()
    {
        Study study;
        RunController controller(study);
        QSignalSpy finished(&controller, &RunController::finished);
        QSignalSpy cancelled(&controller, &RunController::cancelled);
        const quint64 first = controller.ask(sentence(m_endless, 20, endless));
        QTRY_VERIFY(study.running());
        const quint64 second = controller.ask(sentence(m_recurrent, 3));
        QCOMPARE(finished.count(), 0); // the old one was not waited for
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(finished.at(0).at(0).toULongLong(), second);
        QCOMPARE(cancelled.count(), 1);
        QCOMPARE(cancelled.at(0).at(0).toULongLong(), first);
        QCOMPARE(study.trace().source().ids.size(), std::size_t{4});
        QCOMPARE(study.asked()->text, sentence(m_recurrent, 3).text);
    }

    void cancelStopsAtOnceAndTheThreadSoon()
    {
        Study study;
        RunController controller(study);
        QSignalSpy cancelled(&controller, &RunController::cancelled);
        QSignalSpy finished(&controller, &RunController::finished);
        controller.ask(sentence(m_endless, 20, endless));
        QTRY_VERIFY(study.running());
        controller.cancel();
        QVERIFY(!controller.busy());
        QVERIFY(!study.running());
        QCOMPARE(cancelled.count(), 1);
        controller.ask(sentence(m_recurrent, 2)); // the thread is free again
        QTRY_COMPARE(finished.count(), 1);
    }

    void anErrorLeavesTheLastResult()
    {
        Study study;
        RunController controller(study);
        QSignalSpy finished(&controller, &RunController::finished);
        QSignalSpy failed(&controller, &RunController::failed);
        controller.ask(sentence(m_recurrent, 3));
        QTRY_COMPARE(finished.count(), 1);
        controller.ask(sentence(m_broken, 3));
        QTRY_COMPARE(failed.count(), 1);
        const auto message = failed.at(0).at(1).value<UserMessage>();
        QVERIFY2(message.where.contains(QStringLiteral("model.safetensors")), qPrintable(message.where));
        QVERIFY(!message.problem.isEmpty());
        QCOMPARE(study.trace().source().ids.size(), std::size_t{4});
        QCOMPARE(study.model()->path, m_recurrent);
        QVERIFY(!controller.busy());
    }

    void aTextThatIsTooLongIsNamed()
    {
        Study study;
        RunController controller(study);
        QSignalSpy failed(&controller, &RunController::failed);
        controller.ask(sentence(m_transformer, 100));
        QTRY_COMPARE(failed.count(), 1);
        const auto message = failed.at(0).at(1).value<UserMessage>();
        QVERIFY2(message.problem.contains(QStringLiteral("64")), qPrintable(message.where + message.problem));
    }

    void anUnknownModelIsNamed()
    {
        Study study;
        RunController controller(study);
        QSignalSpy failed(&controller, &RunController::failed);
        controller.ask(sentence(QStringLiteral("/no/such/model"), 3));
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed.at(0).at(1).value<UserMessage>().where, QStringLiteral("/no/such/model"));
    }

    void anArchiveIsShown()
    {
        Study study;
        RunController controller(study);
        QSignalSpy finished(&controller, &RunController::finished);
        controller.ask(sentence(m_transformer, 4));
        QTRY_COMPARE(finished.count(), 1);
        const QString path = m_folder.filePath(QStringLiteral("saved.npz"));
        writeArchive(path.toStdString(), study.trace());
        const auto before = study.trace().matrix({Stage::Cross, 0}, 1).values;
        controller.openArchive(path);
        QTRY_COMPARE(finished.count(), 2);
        QVERIFY(!study.model());
        QCOMPARE(study.trace().matrix({Stage::Cross, 0}, 1).values, before);
    }

    void anArchiveThatIsBeingReadIsNotWaitedFor()
    {
        constexpr int length = 2000;
        const QString large = m_folder.filePath(QStringLiteral("large.json"));
        {
            const QByteArray row = ",[" + QByteArray("0.25,").repeated(length - 1) + "0.25]";
            QFile file(large);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("{\"encoder_attentions\":[[[" + row.repeated(length).mid(1) + "]]],\"source_ids\":["
                       + QByteArray("5,").repeated(length - 1) + "5]}");
        }
        const QString small = m_folder.filePath(QStringLiteral("small.json"));
        {
            QFile file(small);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(R"({"source_ids": [7]})");
        }
        Study study;
        RunController controller(study);
        QSignalSpy finished(&controller, &RunController::finished);
        QSignalSpy failed(&controller, &RunController::failed);
        controller.openArchive(large);
        QTest::qWait(20);
        controller.cancel();
        controller.openArchive(small); // once the thread is free
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 60000);
        QCOMPARE(failed.count(), 0);
        QCOMPARE(study.trace().source().ids, (std::vector<TokenId>{7}));
    }

    void aTransformerBringsItsPositions()
    {
        Study study;
        RunController controller(study);
        QSignalSpy finished(&controller, &RunController::finished);
        controller.load(m_transformer);
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(study.model()->positions.dim(0), 64);
        QCOMPARE(study.model()->positions.dim(1), 24);
        QCOMPARE(study.trace().stepCount(), 0);
    }

    void controllersEndInTheMiddleOfARun()
    {
        for (int i = 0; i < 8; ++i) {
            Study study;
            RunController controller(study);
            controller.ask(sentence(m_endless, 20, endless));
            if (i % 2 == 1)
                QTRY_VERIFY(study.running());
        }
    }
};

ATTN_TEST(TestRunController)
#include "tst_run_controller.moc"
