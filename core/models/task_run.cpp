// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/error.h"
#include "models/run_checks.h"

#include <utility>

namespace attn {

std::vector<TokenId> readInputs(const ModelInfo& info, std::span<const TokenId> ids)
{
    std::vector<TokenId> inputs(ids.begin(), ids.end());
    if (info.kind != ModelKind::EncoderDecoder)
        return inputs;
    inputs.insert(inputs.begin(), info.decoderStart.value());
    inputs.pop_back();
    return inputs;
}

NumberView taskRows(const ModelInfo& info, std::span<const TokenId> ids, NumberView logits)
{
    if (info.task != TaskHead::Text)
        return logits;
    const bool atEnd = info.kind == ModelKind::EncoderDecoder;
    for (Index row = logits.rows - 1; row >= 0; --row) {
        if (atEnd ? info.ends(ids[row]) : info.padding != ids[row])
            return logits.rowRange(row, 1);
    }
    if (atEnd)
        throw Error(ErrorKind::Input, "source", "has no end token, whose state is what this model classifies",
                    "put it behind the text");
    return logits.rowRange(logits.rows - 1, 1); // of nothing but padding
}

Tensor taskLogits(const SequenceModel& model, const Source& source, std::shared_ptr<const EncoderOutput> encoded,
                  RunContext& context)
{
    const ModelInfo& info = model.info();
    if (info.kind == ModelKind::EncoderOnly)
        return model.classify(*encoded, context);
    const auto state = model.start(std::move(encoded), context);
    state->extend(readInputs(info, source.ids), context);
    return Tensor::of(taskRows(info, source.ids, state->logits()));
}

} // namespace attn
