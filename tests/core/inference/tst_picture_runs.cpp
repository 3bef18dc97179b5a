// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/answer.h"
#include "inference/forced_output.h"
#include "loading/model_loader.h"
#include "nn/engine.h"
#include "support/compare.h"
#include "support/test_program.h"

#include <QTest>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

using namespace attn;
using test::compare;

// Runs on one picture, one after the other.
class TestPictureRuns : public QObject
{
    Q_OBJECT

private:
    LoadedModel load(const char* name) { return loadModel(std::string(ATTN_TEST_DATA "/pictures/") + name, m_engine); }

    static PictureFile decoded(const std::string& /*path*/)
    {
        PictureFile file{{40, 30, {}}, "sum"};
        for (int i = 0; i < 40 * 30 * 3; ++i)
            file.picture.rgb.push_back(static_cast<std::uint8_t>(i * 7 % 251));
        return file;
    }

    static Question asked()
    {
        Question question;
        question.image = "picture.png";
        question.decoding.maxLength = 6;
        question.capture.logits = true;
        return question;
    }

    Engine m_engine{1};

private Q_SLOTS:
    void onePictureIsHeldOnce()
    {
        const LoadedModel model = load("captioner-soft");
        const Trace first = answer(asked(), model, m_engine, {.picture = decoded});
        const RunObserver observer{.picture = decoded, .media = first.media()};
        const Trace second = answer(asked(), model, m_engine, observer);
        QCOMPARE(second.media()->picture.get(), first.media()->picture.get());
        QCOMPARE(second.media()->input.get(), first.media()->input.get());
        Question question = asked();
        question.edits = {"source:3=grey"};
        const Trace grey = answer(question, model, m_engine, observer);
        QCOMPARE(grey.media()->picture.get(), first.media()->picture.get());
        QVERIFY(grey.media()->input->values != first.media()->input->values);
    }

    // Without further edits: what the run itself says.
    void aForcedOutputReadsThePictureAgain()
    {
        const LoadedModel model = load("ved-trocr");
        const Trace run = answer(asked(), model, m_engine, {.picture = decoded});
        ForcedOutput forced(model.model, asked(), run);
        const Tensor logits = forced.logits({}, m_engine, {});
        for (Index row = 0; row < indexSize(run.path()); ++row) {
            const auto own = logits.matrix().row(row);
            QVERIFY(compare(std::vector<float>(own.begin(), own.end()), *run.path()[row]->logits).largest < 1e-4);
        }
    }
};

ATTN_TEST(TestPictureRuns)

#include "tst_picture_runs.moc"
