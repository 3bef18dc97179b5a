// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiments/embedding_experiment.h"
#include "support/test_program.h"
#include "workplace.h"

#include <cmath>
#include <numeric>

using namespace attn;
using test::Workplace;

class TestEmbeddingExperiment : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theNearestOfTheWholeTableAreFound()
    {
        Workplace place;
        const std::string path = place.model(test::recurrentModel);
        NeighbourExperiment experiment(path, Stage::Encoder, {}, "s9", 15);
        carryOut(experiment, place.bench());
        const auto model = place.load(path);
        QCOMPARE(experiment.name().ids, std::vector<TokenId>{9});
        QCOMPARE(experiment.vocabulary(), vocabularySize(model->model->info(), Stage::Encoder));
        QCOMPARE(experiment.found().size(), std::size_t{15});
        QCOMPARE(experiment.names().size(), std::size_t{15});
        std::vector<TokenId> ids(static_cast<std::size_t>(experiment.vocabulary()));
        std::iota(ids.begin(), ids.end(), 0);
        const Tensor table = model->model->embeddings(ids, Stage::Encoder);
        const auto dot = [&](int a, int b) {
            double sum = 0;
            for (std::size_t i = 0; i < table.matrix().row(a).size(); ++i)
                sum += static_cast<double>(table.matrix().row(a)[i]) * static_cast<double>(table.matrix().row(b)[i]);
            return sum;
        };
        std::vector<double> cosines;
        for (const TokenId id : ids) {
            if (id != 9 && dot(id, id) > 0)
                cosines.push_back(dot(id, 9) / std::sqrt(dot(id, id) * dot(9, 9)));
        }
        std::ranges::sort(cosines, std::ranges::greater());
        for (std::size_t i = 0; i < 15; ++i)
            QVERIFY(std::abs(static_cast<double>(experiment.found()[i].cosine) - cosines[i]) < 1e-5);
    }

    void vectorsWithoutNumbersAreCounted()
    {
        Workplace place;
        const std::string path = place.model(test::lostModel);
        NeighbourExperiment other(path, Stage::Encoder, {}, "s9", 15);
        carryOut(other, place.bench());
        QVERIFY(other.hasNumbers());
        QCOMPARE(other.withoutNumbers(), 1);
        QCOMPARE(other.found().size(), std::size_t{15});
        NeighbourExperiment lost(path, Stage::Encoder, {}, "s6", 15);
        carryOut(lost, place.bench());
        QVERIFY(!lost.hasNumbers());
        QCOMPARE(lost.withoutNumbers(), 0);
        QVERIFY(lost.found().empty());
    }

    void aTextOfSeveralTokensNamesItsFirst()
    {
        Workplace place;
        NeighbourExperiment experiment(place.model(test::recurrentModel), Stage::Encoder, {}, "s8 s9", 3);
        carryOut(experiment, place.bench());
        QCOMPARE(experiment.typed().size(), std::size_t{2});
        QCOMPARE(experiment.name().ids, std::vector<TokenId>{8});
    }

    void withoutATokenizerATextIsAnId()
    {
        Workplace place;
        const auto model = place.load(ATTN_TEST_DATA "/cases/t5-relu");
        QCOMPARE(namedTokens(*model, Stage::Encoder, "7").ids, (std::vector<TokenId>{7}));
        for (const char* text : {"house", "-1", "7x", "999999", ""})
            QVERIFY_THROWS_EXCEPTION(Error, namedTokens(*model, Stage::Encoder, text));
    }

    void planesFollowTheLayers()
    {
        Workplace place;
        const Question question = test::asked(place.model(test::transformerModel), "s4 s5 s6 s7 s8");
        PlanesExperiment experiment(question, Stage::Encoder);
        carryOut(experiment, place.bench());
        QCOMPARE(experiment.tokens().size(), std::size_t{6});
        QVERIFY(experiment.hasStates());
        QCOMPARE(experiment.layers().size(), std::size_t{4});
        using Kind = VectorPlace::Kind;
        const auto& layers = experiment.layers();
        QVERIFY(layers[0].place.kind == Kind::Table);
        QVERIFY(layers[1].place.kind == Kind::Input && layers[1].place.positions);
        QVERIFY(layers[2].place.kind == Kind::After && layers[2].place.layer == 0 && !layers[2].place.last);
        QVERIFY(layers[3].place.kind == Kind::After && layers[3].place.layer == 1 && layers[3].place.last);
        const auto model = place.load(question.model);
        const Plane table = principalPlane(model->model->embeddings(experiment.tokens().ids, Stage::Encoder).matrix());
        QVERIFY(std::ranges::equal(layers[0].plane.points.values(), table.points.values()));
        for (const auto& layer : layers) {
            const double both = layer.plane.explained[0] + layer.plane.explained[1];
            QVERIFY(std::abs(explainedBy(layer.plane, 0) + explainedBy(layer.plane, 1) - both) < 1e-6);
        }
    }
};

ATTN_TEST(TestEmbeddingExperiment)
#include "tst_embedding_experiment.moc"
