// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "attribution/reading_method.h"
#include "readings/head_reading.h"

#include <algorithm>

namespace attn {

namespace {

const Reading* rolloutReading()
{
    return *std::ranges::find_if(readings(),
                                 [](const Reading* reading) { return std::string_view(reading->id) == "rollout"; });
}

void computeRollout(ExplainedRun& run, ReadingResults& results)
{
    for (const Site site : run.run().sites()) {
        if (rolloutReading()->lack(readingInput(run.run(), {site, *rolloutReading()})) != nullptr)
            continue;
        const Numbers one = readWeights(run.run(), {site, *rolloutReading()});
        ReadArray& array = results.arrays[stageArray(site.stage, "rollout")];
        array.shape = {site.layer + 1, one.rows, one.columns};
        array.values.insert(array.values.end(), one.values.begin(), one.values.end());
    }
}

} // namespace

extern const ReadingMethod rolloutMethod{
    .id = "rollout",
    .help = "how much of each token is in what a layer makes of another, from the mean of heads (Abnar and Zuidema "
            "2020)",
    .lack = transformersOnly,
    .compute = computeRollout};

} // namespace attn
