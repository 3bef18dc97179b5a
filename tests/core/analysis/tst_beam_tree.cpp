// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/beam_tree.h"
#include "decoding/decode.h"
#include "support/scripted_runs.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

using namespace attn;
using namespace attn::test;

namespace {

// The node that these tokens lead to.
std::optional<int> nodeAt(const BeamTree& tree, const Tokens& tokens)
{
    std::optional<int> at;
    for (const TokenId token : tokens) {
        std::optional<int> next;
        for (int node = 0; node < static_cast<int>(tree.nodes.size()); ++node) {
            if (tree.nodes[static_cast<std::size_t>(node)].parent == at
                && tree.nodes[static_cast<std::size_t>(node)].token == token)
                next = node;
        }
        if (!next)
            return std::nullopt;
        at = next;
    }
    return at;
}

const BeamNode& nodeOf(const BeamTree& tree, const Tokens& tokens)
{
    return tree.nodes.at(static_cast<std::size_t>(nodeAt(tree, tokens).value()));
}

// A snapshot of a trace whenever it grows.
std::vector<Trace> snapshotsOf(const SequenceModel& model, const DecodingOptions& options)
{
    std::vector<Trace> all;
    Engine engine(1);
    TraceBuilder* growing = nullptr;
    TraceBuilder builder({}, nullptr, {}, [&] { all.push_back(growing->snapshot()); });
    growing = &builder;
    RunContext context{engine, builder, {}, {}};
    decode(model, Tokens{5, 6, 7}, {}, options, context);
    return all;
}

// Branches at every step: each of four words follows with a probability of its own.
FakeModel branching()
{
    return {7, end, [](const Tokens& prefix) {
                std::vector<double> weights{0, 0.001, 0.3, 0.26, 0.22, 0.15, 0.069};
                std::rotate(weights.begin() + 2, weights.begin() + 2 + prefix.back() % 3, weights.end());
                return weights;
            }};
}

} // namespace

class TestBeamTree : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // Greedy's choice, 2, finishes first with a worse score; 4 never is among the two best.
    void everyHypothesisHasItsFate()
    {
        const Run run = decodeWith(gardenPath(), beam(2));
        const BeamTree tree = beamTree(run.trace);
        QCOMPARE(static_cast<int>(tree.nodes.size()), run.trace.stepCount());

        const BeamNode best = nodeOf(tree, {3, 3, end});
        QVERIFY(best.fate == BeamFate::Ended);
        QCOMPARE(best.rank, std::optional(0));
        QVERIFY(best.best && nodeOf(tree, {3}).best && nodeOf(tree, {3, 3}).best);
        QVERIFY(near(static_cast<double>(best.sum), logOf({0.44, 0.94, 0.97})));
        QVERIFY(near(static_cast<double>(best.logProbability), std::log(0.97)));
        QCOMPARE(best.position, 2);

        const BeamNode worse = nodeOf(tree, {2, end});
        QVERIFY(worse.fate == BeamFate::Ended);
        QCOMPARE(worse.rank, std::optional(1));
        QVERIFY(!worse.best && !nodeOf(tree, {2}).best);
        QVERIFY(nodeOf(tree, {2}).fate == BeamFate::Continued);
        QVERIFY(!nodeAt(tree, {4}));

        QCOMPARE(tree.ranking.size(), run.summary.hypotheses.size());
        QCOMPARE(tree.ranking[0].node, nodeAt(tree, {3, 3, end}).value());
        QVERIFY(tree.ranking[0].score > tree.ranking[1].score);
    }

    void whatFellOutSaysAtWhichStep()
    {
        // 2 is followed by nothing probable, so that both continuations of 3 displace it at step 1.
        const FakeModel model(5, end,
                              scripted({{{}, {0, 0.01, 0.5, 0.48, 0.01}},
                                        {{2}, {0, 0.25, 0.25, 0.25, 0.25}},
                                        {{3}, {0, 0, 0.5, 0.5, 0}},
                                        {{3, 2}, {0, 0.98, 0.01, 0.01, 0}},
                                        {{3, 3}, {0, 0.5, 0.25, 0.25, 0}}},
                                       {0, 0.25, 0.25, 0.25, 0.25}));
        const BeamTree tree = beamTree(decodeWith(model, beam(2)).trace);
        const int dropped = nodeAt(tree, {2}).value();
        QVERIFY(tree.nodes[static_cast<std::size_t>(dropped)].fate == BeamFate::FellOut);
        QCOMPARE(tree.droppedAt(dropped), std::optional(1));
        QVERIFY(tree.nodes[static_cast<std::size_t>(dropped)].children.empty());
        QCOMPARE(tree.droppedAt(nodeAt(tree, {3}).value()), std::optional<int>());
        QVERIFY(nodeOf(tree, {3, 2, end}).best);
    }

    void aLimitFinishesWhatIsAlive()
    {
        const BeamTree tree = beamTree(decodeWith(branching(), beam(3, 4)).trace);
        int finished = 0;
        for (const BeamNode& node : tree.nodes) {
            finished += node.fate == BeamFate::AtLimit ? 1 : 0;
            QCOMPARE(node.fate == BeamFate::AtLimit, node.rank.has_value());
        }
        QCOMPARE(finished, 3);
    }

    void whatCouldNotWinAnyMoreIsLeft()
    {
        const FakeModel model(
            5, end,
            scripted({{{}, {0, 0.3, 0.4, 0.2, 0.1}}, {{2}, {0, 0.9, 0.03, 0.03, 0.04}}}, {0, 0.01, 0.33, 0.33, 0.33}));
        const BeamTree tree = beamTree(decodeWith(model, beam(2)).trace);
        const auto left = std::ranges::count(tree.nodes, BeamFate::Left, &BeamNode::fate);
        QVERIFY(left > 0);
        QCOMPARE(std::ranges::count(tree.nodes, BeamFate::AtLimit, &BeamNode::fate), std::ptrdiff_t{0});
    }

    // Parents, sums, ranks and segments fit together, whatever the search.
    void theTreeFitsTogether()
    {
        DecodingOptions greedy;
        greedy.maxLength = 8;
        for (const DecodingOptions& options : {greedy, sampling(3, 8), beam(1, 8), beam(5, 8), beam(40, 8)}) {
            for (const Tokens& prefix : {Tokens{}, Tokens{4, 4, 3}}) {
                const BeamTree tree = beamTree(decodeGiven(branching(), options, {.prefix = prefix}).trace);
                QVERIFY(!tree.nodes.empty());
                std::vector<int> seen;
                for (std::size_t i = 0; i < tree.segments.size(); ++i) {
                    const BeamSegment& segment = tree.segments[i];
                    QVERIFY(!segment.nodes.empty());
                    for (std::size_t k = 0; k < segment.nodes.size(); ++k) {
                        const BeamNode& node = tree.nodes.at(static_cast<std::size_t>(segment.nodes[k]));
                        QCOMPARE(node.segment, static_cast<int>(i));
                        seen.push_back(segment.nodes[k]);
                        if (k > 0)
                            QCOMPARE(node.parent, std::optional(segment.nodes[k - 1]));
                    }
                    const auto last = static_cast<std::size_t>(segment.nodes.back());
                    QVERIFY(tree.nodes[last].children.size() != 1);
                    QCOMPARE(tree.nodes[last].children.size(), segment.children.size());
                    for (const int child : segment.children)
                        QCOMPARE(tree.segments.at(static_cast<std::size_t>(child)).parent,
                                 std::optional(static_cast<int>(i)));
                }
                std::ranges::sort(seen);
                QCOMPARE(seen.size(), tree.nodes.size());
                QVERIFY(std::ranges::adjacent_find(seen) == seen.end());
                for (const BeamNode& node : tree.nodes) {
                    const float before = node.parent ? tree.nodes.at(static_cast<std::size_t>(*node.parent)).sum : 0.0F;
                    QVERIFY(near(static_cast<double>(node.sum), static_cast<double>(before + node.logProbability)));
                    QCOMPARE(node.fate == BeamFate::Continued, !node.children.empty());
                    QCOMPARE(node.given, node.position < static_cast<int>(prefix.size()));
                    QVERIFY(node.fate != BeamFate::Alive);
                }
                QCOMPARE(nodeOf(tree, prefix.empty() ? Tokens{tree.nodes[0].token} : prefix).given, !prefix.empty());
            }
        }
    }

    // A hypothesis is called dropped only once that is known, and stays so.
    void aGrowingTreeTakesNothingBack()
    {
        for (const auto& [model, options] : {std::pair(branching(), beam(4, 6)), std::pair(gardenPath(), beam(3))}) {
            const std::vector<Trace> snapshots = snapshotsOf(model, options);
            const BeamTree whole = beamTree(snapshots.back());
            for (const Trace& snapshot : snapshots) {
                const BeamTree tree = beamTree(snapshot);
                for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
                    if (tree.nodes[i].fate == BeamFate::FellOut || tree.nodes[i].fate == BeamFate::Ended)
                        QVERIFY(whole.nodes[i].fate == tree.nodes[i].fate);
                }
            }
            QVERIFY(std::ranges::count(whole.nodes, BeamFate::FellOut, &BeamNode::fate) > 0);
        }
    }

    void aGreedyRunIsOneStretch()
    {
        const BeamTree tree = beamTree(decodeWith(gardenPath(), {}).trace);
        QCOMPARE(tree.segments.size(), std::size_t{1});
        QCOMPARE(tree.ranking.size(), std::size_t{1});
        QVERIFY(beamTree(Trace()).nodes.empty());
    }
};

ATTN_TEST(TestBeamTree)

#include "tst_beam_tree.moc"
