// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/decoding_panel.h"
#include "panels/text_line.h"
#include "support/test_program.h"
#include "views/number_box.h"

#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

using namespace attn;
using namespace attn::ui;

namespace {

template<class Control>
Control* control(const DecodingPanel& panel, const char* key)
{
    return panel.findChild<Control*>(QLatin1String(key));
}

void setKind(Study& study, ModelKind kind, bool hardAttention = false)
{
    ModelSummary model;
    model.path = QStringLiteral("model");
    model.info.kind = kind;
    model.info.hardAttention = hardAttention;
    study.setModel(model);
}

void edit(Study& study, const DecodingOptions& options)
{
    study.edit([&](Question& question) { question.decoding = options; });
}

} // namespace

class TestDecodingPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRowHasItsControlWithItsLimits()
    {
        Study study;
        const DecodingPanel panel(study);
        for (const DecodingRow& row : decodingRows()) {
            QCOMPARE(control<QWidget>(panel, row.key) != nullptr, row.label != nullptr);
            if (const auto* whole = control<QSpinBox>(panel, row.key)) {
                QCOMPARE(double(whole->minimum()), row.limits.least);
                QCOMPARE(double(whole->maximum()), row.limits.most);
            }
            if (const auto* real = control<NumberBox>(panel, row.key)) {
                QCOMPARE(real->minimum(), row.limits.least);
                QCOMPARE(real->maximum(), row.limits.most);
            }
        }
    }

    void whatIsEditedElsewhereIsShownAndStays()
    {
        Study study;
        DecodingPanel panel(study);
        DecodingOptions options;
        options.search = Search::Sampling;
        options.beamSize = 7;
        options.temperature = 0.3;
        options.topK = 12;
        options.topP = 0.25;
        options.sampleHardAttention = true;
        options.seed = ~std::uint64_t{0};
        options.maxLength = 3000;
        edit(study, options);
        QVERIFY(study.edited().decoding == options);
        QCOMPARE(control<QComboBox>(panel, "decode")->currentIndex(), static_cast<int>(Search::Sampling));
        QCOMPARE(control<QSpinBox>(panel, "beam")->value(), 7);
        QCOMPARE(control<NumberBox>(panel, "temperature")->value(), 0.3);
        QCOMPARE(control<SeedBox>(panel, "seed")->value(), ~std::uint64_t{0});
        edit(study, {});
        QVERIFY(study.edited().decoding == DecodingOptions());
        QCOMPARE(control<QSpinBox>(panel, "beam")->value(), DecodingOptions().beamSize);
    }

    void typingChangesTheQuestion()
    {
        Study study;
        DecodingPanel panel(study);
        panel.show();
        control<QComboBox>(panel, "decode")->setCurrentIndex(static_cast<int>(Search::Beam));
        const QSignalSpy changed(&study, &Study::questionChanged);
        const QSignalSpy applied(&panel, &DecodingPanel::applied);
        auto* beam = control<QSpinBox>(panel, "beam");
        QVERIFY(beam->isVisible());
        beam->selectAll();
        QTest::keyClicks(beam, QStringLiteral("9"));
        QTest::keyClick(beam, Qt::Key_Return);
        QCOMPARE(study.edited().decoding.search, Search::Beam);
        QCOMPARE(study.edited().decoding.beamSize, 9);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(applied.size(), 1);
    }

    void whatIsBeingTypedIsNotWrittenAnew()
    {
        Study study;
        DecodingPanel panel(study);
        panel.show();
        control<QComboBox>(panel, "decode")->setCurrentIndex(static_cast<int>(Search::Sampling));
        auto* temperature = control<NumberBox>(panel, "temperature");
        temperature->selectAll();
        QTest::keyClicks(temperature, QStringLiteral("1.5"));
        QVERIFY(temperature->text().startsWith(QStringLiteral("1.5")));
        QCOMPARE(study.edited().decoding.temperature, 1.5);
    }

    void whatIsLeftOutOfAPasteIsSaid()
    {
        Study study;
        setKind(study, ModelKind::EncoderDecoder);
        DecodingPanel panel(study);
        panel.show();
        auto* search = control<QComboBox>(panel, "decode");
        search->setCurrentIndex(search->findData(QStringLiteral("forced")));
        auto* target = control<TextLine>(panel, "forcedTarget");
        QVERIFY(target->isVisible());
        const QSignalSpy said(&panel, &DecodingPanel::tooLong);
        target->setFocus();
        target->insert(QString(TextLine::longest, QLatin1Char('a')));
        QCOMPARE(said.count(), 0);
        target->insert(QStringLiteral("bc"));
        QCOMPARE(said.count(), 1);
        QCOMPARE(study.edited().targetText.value_or("").size(), std::size_t{TextLine::longest});
    }

    void onlyWhatPlaysAPartIsShown()
    {
        Study study;
        DecodingPanel panel(study);
        panel.show();
        const auto shown = [&](const char* key) { return control<QWidget>(panel, key)->isVisible(); };
        const auto search = [&](int index) { control<QComboBox>(panel, "decode")->setCurrentIndex(index); };
        QVERIFY(!shown("beam") && !shown("temperature") && !shown("hard") && !shown("seed") && shown("max-length"));
        search(static_cast<int>(Search::Sampling));
        QVERIFY(!shown("beam") && shown("temperature") && shown("top-k") && shown("top-p") && shown("seed"));
        search(static_cast<int>(Search::Beam));
        QVERIFY(shown("beam") && !shown("temperature") && !shown("seed"));
        setKind(study, ModelKind::EncoderDecoder, true);
        QVERIFY(shown("hard") && !shown("seed"));
        auto* hard = control<QComboBox>(panel, "hard");
        hard->setCurrentIndex(hard->findData(QStringLiteral("sample")));
        QVERIFY(shown("seed"));
        setKind(study, ModelKind::DecoderOnly);
        QVERIFY(!shown("max-length"));
    }

    void aFollowedOutputIsNoSearch()
    {
        Study study;
        DecodingPanel panel(study);
        panel.show();
        DecodingOptions options;
        options.search = Search::Sampling;
        edit(study, options);
        auto* search = control<QComboBox>(panel, "decode");
        auto* target = control<QLineEdit>(panel, "forcedTarget");
        search->setCurrentIndex(search->findData(QStringLiteral("forced")));
        QVERIFY(study.edited().targetText && !study.question().targetText); // nothing to follow yet
        QTest::keyClicks(target, QStringLiteral("so"));
        QCOMPARE(study.question().targetText, std::string("so"));
        QCOMPARE(study.edited().decoding.search, Search::Greedy);
        QVERIFY(!control<QWidget>(panel, "temperature")->isVisible());
        QVERIFY(!control<QWidget>(panel, "max-length")->isVisible());
        setKind(study, ModelKind::DecoderOnly); // follows nothing, and remembers
        QVERIFY(!target->isVisible());
        QCOMPARE(search->currentIndex(), static_cast<int>(Search::Greedy));
        setKind(study, ModelKind::EncoderDecoder);
        QVERIFY(target->isVisible());
        QCOMPARE(study.edited().targetText, std::string("so"));
        search->setCurrentIndex(static_cast<int>(Search::Beam));
        QVERIFY(!study.edited().targetText);
        QCOMPARE(target->text(), QStringLiteral("so")); // for the next time
    }
};

ATTN_GUI_TEST(TestDecodingPanel)

#include "tst_decoding_panel.moc"
