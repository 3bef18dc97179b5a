// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/dialogs.h"
#include "support/test_program.h"

#include <QAbstractButton>
#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QPointer>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <functional>
#include <utility>

using namespace attn::ui;

class TestAsk : public QObject
{
    Q_OBJECT

private:
    // Does one thing after another, each to the next dialog that comes up.
    class Answers
    {
    public:
        explicit Answers(std::vector<std::function<void(QDialog&)>> acts)
            : m_acts(std::move(acts))
        {
            m_timer.setInterval(20);
            connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
                auto* const dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
                if (dialog == nullptr || dialog == m_last || m_done == m_acts.size())
                    return;
                m_last = dialog;
                m_acts[m_done++](*dialog);
            });
            m_timer.start();
        }
        bool areGiven() const { return m_done == m_acts.size(); }

    private:
        std::vector<std::function<void(QDialog&)>> m_acts;
        std::size_t m_done = 0;
        QPointer<QDialog> m_last;
        QTimer m_timer;
    };

    static std::function<void(QDialog&)> type(const QString& path)
    {
        return [path](QDialog& dialog) {
            auto* const name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
            QVERIFY(name != nullptr);
            name->setText(path);
            QTest::keyClick(name, Qt::Key_Return);
        };
    }
    static std::function<void(QDialog&)> press(QMessageBox::StandardButton button)
    {
        return [button](QDialog& dialog) {
            auto* const box = qobject_cast<QMessageBox*>(&dialog);
            QVERIFY(box != nullptr);
            QTest::mouseClick(box->button(button), Qt::LeftButton);
        };
    }

    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    static QString ask(const QString& proposal)
    {
        return askForNewFile(
            nullptr, {QStringLiteral("Save"), proposal, QStringLiteral("Texts (*.txt)"), QStringLiteral(".txt")});
    }

    QTemporaryDir m_folder;

private Q_SLOTS:
    void initTestCase()
    {
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        QFile there(path("there.txt"));
        QVERIFY(there.open(QIODevice::WriteOnly));
    }

    void aNameGetsItsEnding()
    {
        const Answers answers({type(path("new"))});
        QCOMPARE(ask(path("proposal.txt")), path("new.txt"));
        const Answers others({type(path("new.TXT"))});
        QCOMPARE(ask(path("proposal.txt")), path("new.TXT"));
    }

    void whatIsThereIsAskedAbout()
    {
        const Answers answers({type(path("there")), press(QMessageBox::Yes)});
        QCOMPARE(ask(path("proposal.txt")), path("there.txt"));
        QVERIFY(answers.areGiven());
    }

    void orAnotherNameIsGiven()
    {
        const Answers answers({type(path("there")), press(QMessageBox::Cancel), type(path("other"))});
        QCOMPARE(ask(path("proposal.txt")), path("other.txt"));
        QVERIFY(answers.areGiven());
    }

    void aQuestionObeysNoMarkup()
    {
        const Answers answers({[](QDialog& dialog) {
            const auto* const box = qobject_cast<QMessageBox*>(&dialog);
            QCOMPARE(box->textFormat(), Qt::PlainText);
            press(QMessageBox::Cancel)(dialog);
        }});
        QCOMPARE(
            askPlainly(nullptr, QStringLiteral("<b>?</b>"), QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Yes),
            QMessageBox::Cancel);
    }
};

ATTN_GUI_TEST(TestAsk)
#include "tst_ask.moc"
