// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/alignment.h"
#include "attribution/reading_method.h"
#include "experiments/experiment.h"
#include "experiments/sentences.h"
#include "readings/head_reading.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace attn {

// A file's name and its lines.
struct NamedLines
{
    std::string name;
    std::vector<std::string> lines;
};

// Sentence pairs whose words are linked, with links by hand of each.
struct AlignmentPairs
{
    std::vector<SentencePair> pairs; // both texts empty: a pair without words
    std::vector<GoldLinks> gold = {}; // empty: there are none
};

// A source, a TAB and a target on each line, and, where there are any, the gold links of each pair on a line. base:
// number of the first word in the links. Throws Error{Input, Format} that names file and line.
AlignmentPairs parseAlignmentPairs(const NamedLines& pairs, const std::optional<NamedLines>& gold, int base);

// A site of encoder-decoder attention or a reading that words are aligned by, and which row is a target token's.
struct AlignedBy
{
    std::variant<SiteChoice, ReadingSite> site;
    TokenRow row = TokenRow::Predicting;

    std::string name() const; // of the site: "cross:1:mean", "rollout"
};

// Every head of encoder-decoder attention, the mean and the maximum of each layer, layer by layer.
std::vector<AlignedBy> crossSites(const ModelInfo& info, TokenRow row);
// All readings that words can be aligned by.
std::vector<AlignedBy> alignedReadings(const ModelInfo& info, TokenRow row);

// Links of a pair's words by one of several sites.
struct PairLinks
{
    std::string links; // in Pharaoh format
    AlignmentScore score = {}; // of the pair alone; empty without gold links
    AlignmentMeasures measures = {};
};

struct AlignedPair
{
    std::vector<PairLinks> by; // each site
    std::string problem; // why there are no links at all; empty: there are
};

// Progress of an alignment.
struct AlignmentResult
{
    std::shared_ptr<const AlignmentPairs> pairs; // null: not read yet
    std::vector<AlignedBy> by;
    std::vector<AlignmentScore> scores; // of each, over the pairs that are done
    std::vector<double> confidences; // of each, the mean over the pairs that have words and are done
    std::vector<std::string> absent; // of each: why the model has no such reading; empty: it has
    std::vector<std::shared_ptr<const AlignedPair>> done;
    std::size_t failed = 0; // of these
    std::string problem; // of the first that failed, which names its line

    bool hasGold() const { return pairs && !pairs->gold.empty(); }
    // The lowest error rate, the first of equals; none without gold links.
    std::optional<std::size_t> best() const;
};

// Links the words of sentence pairs, whose targets are forced, by many sites at once.
class AlignmentExperiment
{
public:
    struct Plan
    {
        Question question; // asked of each pair
        std::function<AlignmentPairs()> read; // called with the first piece of work
        std::function<std::vector<AlignedBy>(const ModelInfo& info)> by;
    };

    explicit AlignmentExperiment(Plan plan);

    // The model and the files, then a pair a piece; one that the model refuses has no links. Throws Error{Input} for a
    // model that has no encoder-decoder attention, too.
    bool advance(const Workbench& bench);
    AlignmentResult result() const { return m_result; }

private:
    void prepare(const Workbench& bench);
    AlignedPair align(std::size_t pair, const Workbench& bench);
    void addLinks(AlignedPair& aligned, const SentencePair& pair, const Workbench& bench);

    Plan m_plan;
    std::shared_ptr<const LoadedModel> m_model;
    int m_withWords = 0; // pairs
    AlignmentResult m_result;
};

// Why the words of texts cannot be aligned by such a model; empty: they can.
std::string lackOfAlignment(const ModelInfo& info);

} // namespace attn
