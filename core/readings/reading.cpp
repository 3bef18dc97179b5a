// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "readings/reading.h"

namespace attn {

extern const Reading attentionRollout;
extern const Reading normsReading;
extern const Reading valueZeroingReading;
extern const Reading valueZeroingRolloutReading;
extern const Reading gradientsReading;
extern const Reading attentionGradientsReading;
extern const Reading inputGradientsReading;
extern const Reading timesGradientsReading;
extern const Reading integratedGradientsReading;
extern const Reading relevanceReading;
extern const Reading erasureReading;

std::span<const Reading* const> readings()
{
    static constexpr const Reading* rows[] = {&oneHead,
                                              &meanOfHeads,
                                              &maximumOfHeads,
                                              &attentionRollout,
                                              &normsReading,
                                              &valueZeroingReading,
                                              &valueZeroingRolloutReading,
                                              &gradientsReading,
                                              &attentionGradientsReading,
                                              &inputGradientsReading,
                                              &timesGradientsReading,
                                              &integratedGradientsReading,
                                              &relevanceReading,
                                              &erasureReading};
    return rows;
}

} // namespace attn
