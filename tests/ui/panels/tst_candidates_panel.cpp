// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/candidates_panel.h"
#include "sample_traces.h"
#include "support/test_program.h"
#include "text/tokenizer.h"

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

using namespace attn;
using namespace attn::ui;

namespace {

// A word is one token. Where it knows only pieces, nobody can tell whether they are the beginning of a word.
class Words final : public Tokenizer
{
public:
    explicit Words(bool readable)
        : m_readable(readable)
    {
    }

    Encoding encode(std::string_view text) const override
    {
        if (text.empty())
            return {};
        Encoding encoding = plainEncoding({7});
        encoding.text = text;
        encoding.tokens = {encoding.text};
        encoding.spans = {{0, text.size()}};
        return encoding;
    }
    Encoding encodePair(std::string_view first, std::string_view) const override { return encode(first); }
    Encoding describe(std::span<const TokenId> ids) const override
    {
        Encoding encoding = plainEncoding({ids.begin(), ids.end()});
        if (m_readable)
            encoding.spans.resize(ids.size());
        return encoding;
    }
    std::string description() const override { return "words"; }
    NamedTokens namedTokens() const override { return {}; }

private:
    bool m_readable;
};

} // namespace

class TestCandidatesPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everythingHasItsTextAtOnce()
    {
        Study study;
        Selection selection;
        Appearance appearance;
        study.replaceTrace(test::sampleTrace(test::shortRun()), false);
        selection.setStep(2);
        const CandidatesPanel panel(study, selection, appearance);
        QVERIFY(!panel.findChild<QLabel*>(QStringLiteral("candidatesTitle"))->text().isEmpty());
        QVERIFY(!panel.findChild<QToolButton*>(QStringLiteral("allCandidates"))->text().isEmpty());
        QCOMPARE(panel.candidates().size(), std::size_t{8});
    }

    void withoutAStepThereAreNone()
    {
        Study study;
        Selection selection;
        Appearance appearance;
        study.replaceTrace(test::sampleTrace(test::shortRun()), false);
        const CandidatesPanel panel(study, selection, appearance);
        QVERIFY(panel.candidates().empty());
        selection.setStep(2);
        QTRY_VERIFY(!panel.candidates().empty());
        selection.setStep({});
        QTRY_VERIFY(panel.candidates().empty());
    }

    void anArchiveIsNotGoneOnFrom()
    {
        Study study;
        Selection selection;
        Appearance appearance;
        study.setArchive(QStringLiteral("a.npz"));
        study.replaceTrace(test::sampleTrace(test::shortRun()), false);
        selection.setStep(2);
        CandidatesPanel panel(study, selection, appearance);
        const QSignalSpy taken(&panel, &CandidatesPanel::taken);
        panel.resize(300, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QVERIFY(!panel.findChild<QLineEdit*>(QStringLiteral("anotherWord"))->isVisible());
        auto* bars = panel.findChild<FigureCanvas*>(QStringLiteral("candidatesChart"));
        for (int line = 0; line < 4; ++line)
            QTest::mouseClick(bars, Qt::LeftButton, Qt::NoModifier,
                              bars->figure()->cellRect(line, 0).center().toPoint());
        QCOMPARE(taken.count(), 0);
    }

    void aWordNeedsAnOutputThatCanBeRead_data()
    {
        QTest::addColumn<bool>("readable");
        QTest::newRow("text") << true;
        QTest::newRow("pieces") << false;
    }
    void aWordNeedsAnOutputThatCanBeRead()
    {
        QFETCH(bool, readable);
        Study study;
        Selection selection;
        Appearance appearance;
        ModelSummary model;
        model.path = QStringLiteral("model");
        model.writes = std::make_shared<Words>(readable);
        study.setModel(model);
        study.begin(study.questionToModel());
        study.replaceTrace(test::sampleTrace(test::shortRun()), false);
        study.end();
        selection.setStep(2);
        CandidatesPanel panel(study, selection, appearance);
        const QSignalSpy taken(&panel, &CandidatesPanel::taken);
        panel.show();
        auto* word = panel.findChild<QLineEdit*>(QStringLiteral("anotherWord"));
        auto* said = panel.findChild<QLabel*>(QStringLiteral("wordPieces"));
        QTRY_VERIFY(word->isVisible());
        QTest::keyClicks(word, QStringLiteral("cat"));
        QVERIFY(said->isVisible());
        QCOMPARE(said->text().contains(QLatin1String("could not read")), !readable);
        QTest::keyClick(word, Qt::Key_Return);
        QCOMPARE(taken.count(), readable ? 1 : 0);
        QCOMPARE(word->text(), readable ? QString() : QStringLiteral("cat"));
    }

    // As many as a vocabulary has.
    void anyNumberOfCandidatesIsListed()
    {
        Study study;
        Selection selection;
        Appearance appearance;
        test::SampleRun run = test::shortRun();
        run.target.resize(3);
        run.candidates = 50'000;
        study.replaceTrace(test::sampleTrace(run), false);
        selection.setStep(2);
        CandidatesPanel panel(study, selection, appearance);
        panel.setShowsAll(true);
        panel.resize(300, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        auto* bars = panel.findChild<FigureCanvas*>(QStringLiteral("candidatesChart"));
        QTRY_VERIFY(bars->figure() != nullptr && bars->figure()->rows() == run.candidates);
        for (int i = 0; i < 20; ++i) {
            panel.setDrawn({});
            bars->repaint();
        }
        QCOMPARE(bars->figure()->rows(), run.candidates);
    }

    void whatIsDrawnIsShownOverWhatIsPredicted()
    {
        Study study;
        Selection selection;
        Appearance appearance;
        study.replaceTrace(test::sampleTrace(test::shortRun()), false);
        selection.setStep(2);
        CandidatesPanel panel(study, selection, appearance);
        panel.resize(300, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        auto* note = panel.findChild<QLabel*>(QStringLiteral("drawnNote"));
        QVERIFY(!note->isVisible());
        const auto before = panel.candidates();
        panel.setDrawn({{before[0].id, 0.9}, {before[1].id, 0}});
        QVERIFY(note->isVisible());
        QCOMPARE(panel.candidates()[0].value, before[0].value);
        QCOMPARE(panel.candidates()[0].drawn, std::optional(0.9));
        QCOMPARE(panel.candidates()[1].drawn, std::optional(0.0));
        QVERIFY(!panel.candidates()[2].drawn);
        panel.setDrawn({});
        QVERIFY(!note->isVisible() && !panel.candidates()[0].drawn);
    }
};

ATTN_GUI_TEST(TestCandidatesPanel)
#include "tst_candidates_panel.moc"
