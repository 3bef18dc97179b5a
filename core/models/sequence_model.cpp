// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/sequence_model.h"

#include "base/error.h"
#include "models/recording.h"

namespace attn {

Tensor SequenceModel::predictMasked(const EncoderOutput& /*encoded*/, RunContext& /*context*/) const
{
    throw Error(ErrorKind::Input, info().family, "has no head that predicts masked tokens");
}

Tensor SequenceModel::classify(const EncoderOutput& /*encoded*/, RunContext& /*context*/) const
{
    throw Error(ErrorKind::Input, info().family, "has no classifier");
}

PictureMatch SequenceModel::match(const EncoderOutput& /*encoded*/, std::span<const TokenId> /*text*/,
                                  RunContext& /*context*/) const
{
    throw Error(ErrorKind::Input, info().family, "does not compare pictures with texts");
}

std::unique_ptr<DecoderState> DecoderState::upTo(int /*inputs*/, RunContext& /*context*/) const
{
    return nullptr;
}

Tensor SequenceModel::positionalEncoding(int /*positions*/) const
{
    return {};
}

Tensor SequenceModel::positionScores(Stage /*stage*/, int /*head*/, int /*positions*/) const
{
    return {};
}

Tensor SequenceModel::embeddings(std::span<const TokenId> /*ids*/, Stage /*stage*/) const
{
    throw Error(ErrorKind::Input, info().family, "has no embedding table to look at");
}

Recording SequenceModel::record(Tape& /*tape*/, const RecordedInput& /*input*/) const
{
    throw Error(ErrorKind::Unsupported, info().family, "has no gradients here");
}

Variable SequenceModel::recordLogits(Tape& /*tape*/, Variable /*rows*/, LogitCap /*cap*/) const
{
    throw Error(ErrorKind::Unsupported, info().family, "has no gradients here");
}

} // namespace attn
