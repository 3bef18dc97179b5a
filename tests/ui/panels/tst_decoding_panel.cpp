// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/decoding_panel.h"
#include "panels/number_box.h"

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

} // namespace

class TestDecodingPanel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRowHasItsControlWithItsLimits()
    {
        const DecodingPanel panel;
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

    void whatIsSetIsWhatIsAsked()
    {
        DecodingPanel panel;
        panel.setHardAttention(true);
        DecodingOptions options;
        options.search = Search::Sampling;
        options.beamSize = 7;
        options.temperature = 0.3;
        options.topK = 12;
        options.topP = 0.25;
        options.sampleHardAttention = true;
        options.seed = ~std::uint64_t{0};
        options.maxLength = 3000;
        panel.setOptions(options);
        QVERIFY(panel.options() == options);
        panel.setOptions({});
        QVERIFY(panel.options() == DecodingOptions());
    }

    void typingChangesTheOption()
    {
        DecodingPanel panel;
        panel.show();
        control<QComboBox>(panel, "decode")->setCurrentIndex(static_cast<int>(Search::Beam));
        const QSignalSpy changed(&panel, &DecodingPanel::changed);
        const QSignalSpy applied(&panel, &DecodingPanel::applied);
        auto* beam = control<QSpinBox>(panel, "beam");
        QVERIFY(beam->isVisible());
        beam->selectAll();
        QTest::keyClicks(beam, QStringLiteral("9"));
        QTest::keyClick(beam, Qt::Key_Return);
        QCOMPARE(panel.options().search, Search::Beam);
        QCOMPARE(panel.options().beamSize, 9);
        QVERIFY(!changed.isEmpty());
        QCOMPARE(applied.size(), 1);
    }

    void onlyWhatPlaysAPartIsShown()
    {
        DecodingPanel panel;
        panel.show();
        const auto shown = [&](const char* key) { return control<QWidget>(panel, key)->isVisible(); };
        const auto search = [&](int index) { control<QComboBox>(panel, "decode")->setCurrentIndex(index); };
        QVERIFY(!shown("beam") && !shown("temperature") && !shown("hard") && !shown("seed") && shown("max-length"));
        search(static_cast<int>(Search::Sampling));
        QVERIFY(!shown("beam") && shown("temperature") && shown("top-k") && shown("top-p") && shown("seed"));
        search(static_cast<int>(Search::Beam));
        QVERIFY(shown("beam") && !shown("temperature") && !shown("seed"));
        panel.setHardAttention(true);
        QVERIFY(shown("hard") && !shown("seed"));
        control<QComboBox>(panel, "hard")->setCurrentIndex(1);
        QVERIFY(shown("seed"));
        panel.setKind(ModelKind::DecoderOnly);
        QVERIFY(!shown("max-length"));
    }

    void aFollowedOutputIsNoSearch()
    {
        DecodingPanel panel;
        panel.show();
        DecodingOptions options;
        options.search = Search::Sampling;
        panel.setOptions(options);
        panel.setForced(true, QStringLiteral("so"));
        QCOMPARE(panel.forcedTarget(), QStringLiteral("so"));
        QCOMPARE(panel.options().search, Search::Greedy);
        QVERIFY(!control<QWidget>(panel, "temperature")->isVisible());
        QVERIFY(!control<QWidget>(panel, "max-length")->isVisible());
        panel.setKind(ModelKind::DecoderOnly); // follows nothing, and remembers
        QVERIFY(panel.forces() && panel.forcedTarget().isEmpty());
        panel.setKind(ModelKind::EncoderDecoder);
        QCOMPARE(panel.forcedTarget(), QStringLiteral("so"));
    }
};

QTEST_MAIN(TestDecodingPanel)

#include "tst_decoding_panel.moc"
