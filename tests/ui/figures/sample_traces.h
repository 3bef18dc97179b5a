// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/trace.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn::test {

// What a made-up run consists of; its weights follow a soft diagonal that differs between heads and layers.
struct SampleRun
{
    std::vector<std::string> source;
    std::vector<std::string> target;
    int encoderLayers = 0; // encoder self-attention
    int decoderLayers = 0; // masked decoder self-attention
    int crossLayers = 1;
    int heads = 1;
    int stepsDone = -1; // so many steps have been reported; -1: all, and the run has finished
    int zeroRow = -1; // target position that attends to nothing
    int candidates = 8;
    std::vector<int> segments; // of the source: it is a sentence pair
    int generated = 0; // decoder-only: so many of the last source tokens were generated
    bool wordMarks = false; // tokens carry U+2581 and are grouped into words
    std::vector<std::string> edits; // that made it what it is
    std::function<float(Site site, int head, int row, int column, float weight)> weight; // others in place of these
    int lostStep = -1; // target position whose probabilities are NaN
    int gridColumns = 0; // source tokens besides special ones are patches, so many in a row; 0: they are of a text
    std::shared_ptr<const Picture> picture = {}; // that they are of
};

Trace sampleTrace(const SampleRun& run);

// What an encoder-only model makes of run.source: maps, and with `predicts` a prediction at every position, whose most
// probable token is the one three places further.
Trace sampleReading(const SampleRun& run, bool predicts = true);
// A decoder-only model that reads run.source and generates its last run.generated tokens.
Trace sampleContinuation(const SampleRun& run);

// "[CLS] the cat [MASK] [SEP] a dog sat [SEP]", a pair with a mask.
SampleRun pairRun();

// "[CLS]" and four rows of six patches of a picture, 120 by 80 pixels, each of its own colour, and "a red ball </s>".
SampleRun pictureRun();

// "the cat sat on the mat" and its translation, eight by seven tokens.
SampleRun shortRun();
// Tokens made of syllables.
std::vector<std::string> syllables(int count, int seed = 1);

// A run of so many made-up target and source tokens.
SampleRun longRun(int rows, int columns);

// The weight that sampleTrace() gives, before rows are normalised.
float sampleWeight(int head, int layer, int row, int column, int rows, int columns);

// A made-up beam search: of three continuations of every hypothesis the best ones are kept, and now and then one ends.
struct SampleBeam
{
    int width = 4;
    int steps = 10; // the length limit
    int done = -1; // so many rounds have been reported; -1: all, and the run has finished
    int given = 0; // tokens of a prefix
    unsigned seed = 1;
};

// With one head of cross attention; the same for any number of rounds that are done.
Trace sampleBeam(const SampleBeam& search);

} // namespace attn::test
