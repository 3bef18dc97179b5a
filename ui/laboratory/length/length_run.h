// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/bleu.h"
#include "analysis/length_curve.h"
#include "run/job_runner.h"

#include <QString>
#include <QStringList>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn::ui {

// BLEU of the greedy output, or the mean log probability of a reference token.
enum class LengthMeasure : std::uint8_t { Bleu, LogProbability };

// How well a model does with sentences that are from .. to source words long.
struct LengthPoint
{
    int from = 0;
    int to = 0;
    int sentences = 0;
    double value = 0;
};

struct LengthCurve
{
    QString model;
    int color = 0; // stays the model's own when others are hidden
    std::vector<LengthPoint> points; // by length; without ranges that no sentence was read of
};

struct LengthCurves
{
    LengthMeasure measure = LengthMeasure::Bleu;
    std::vector<LengthCurve> curves;
    QString origin; // file of the sentences; of the cards, what kind they are
    bool fromCards = false;
    int sentences = 0; // that every model has read
    int leftOut = 0; // of every curve, because a model refused them
    QString reason; // of the first that was
};

// Measures models on a file of sentence pairs, a sentence at a time and every model in turn, so that all curves grow
// together.
class LengthRun
{
public:
    static constexpr std::size_t mostPairs = 2000;
    static constexpr std::size_t mostBytes = std::size_t{16} << 20;
    static constexpr int bins = 6;

    struct Plan
    {
        QString file;
        QStringList models; // bundled names or paths
        LengthMeasure measure = LengthMeasure::Bleu;
        int most = 0; // sentences from the start of the file; 0: all
        Question asked; // languages of multilingual models
    };
    using Sink = std::function<void(const LengthCurves&)>; // called on the window's thread, about ten times a second

    LengthRun(Plan plan, Sink sink);

    // One piece of the work, for JobRunner: the file, a model, or a sentence.
    bool step(JobTools& tools);

private:
    // What the sentences of a bin add up to.
    struct Sums
    {
        int sentences = 0;
        BleuCounts counts;
        double logProbability = 0;
        long tokens = 0;
    };
    struct Reader // a model that reads the sentences
    {
        std::shared_ptr<const LoadedModel> model;
        std::vector<Sums> sums; // one per bin
        Sums latest; // of the sentence that is being read by every model
    };

    void readFile();
    void load(JobTools& tools);
    void measure(JobTools& tools);
    Sums read(const Reader& reader, const SentencePair& pair, JobTools& tools) const;
    void keepSentence(std::size_t bin);
    LengthCurves curves() const;
    void publish(JobTools& tools, bool finished);

    Plan m_plan;
    Sink m_sink;
    std::vector<SentencePair> m_pairs;
    std::vector<LengthBin> m_bins;
    std::vector<std::size_t> m_binOf; // sentence -> bin
    std::vector<Reader> m_readers;
    std::size_t m_done = 0; // runs: sentences times models
    int m_leftOut = 0;
    bool m_refused = false; // the sentence that is being read, by a model
    QString m_reason;
    std::chrono::steady_clock::time_point m_published{};
};

} // namespace attn::ui
