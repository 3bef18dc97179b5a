// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/embedding_space.h"
#include "loading/model_loader.h"
#include "trace/trace.h"

#include <QByteArray>
#include <QString>

#include <span>
#include <string>
#include <vector>

namespace attn::ui {

// A token as people read it, with a dot for the space that a piece begins with.
QString tokenName(const Encoding& encoding, std::size_t index);

// The tables and states of a model's reading (Encoder) or writing (Decoder) side.
Stage embeddingStage(const ModelInfo& info, bool writing);
int vocabularySize(const ModelInfo& info, Stage stage);
// Null where the files have none.
const Tokenizer* tokenizerOf(const LoadedModel& model, Stage stage);

// The vectors of a sentence's tokens at one place of the model: [tokens, width].
struct SentenceLayer
{
    QString name;
    Tensor states;
};

// The tokens of a side and their vectors: the rows of the embedding table, where it has them all, then the hidden
// states of the run, which must have captured them. Layers whose rows are not the tokens are left out.
struct EmbeddedSentence
{
    Encoding tokens;
    std::vector<SentenceLayer> layers;
};

EmbeddedSentence embeddedSentence(const LoadedModel& model, const Trace& trace, Stage stage);

// The tokens that lie nearest to one of them, found piece by piece, so that it can be cancelled and the table, which
// stays as it is stored, is never copied whole.
class NeighbourSearch
{
public:
    // The token itself is not among them. Throws Error{Input} for an id outside the vocabulary.
    NeighbourSearch(std::shared_ptr<const LoadedModel> model, Stage stage, TokenId token, int count);

    bool advance(); // one piece; true: there are more
    double fraction() const { return m_size > 0 ? static_cast<double>(m_next) / m_size : 1; }
    int vocabulary() const { return m_size; }
    const std::vector<Neighbour>& found() const { return m_found; } // rows are ids; best first

private:
    std::shared_ptr<const LoadedModel> m_model;
    Stage m_stage;
    TokenId m_token;
    int m_count;
    int m_size;
    int m_next = 0;
    Tensor m_vector;
    std::vector<Neighbour> m_found;
};

// The tokens that a text or, without a tokenizer, a number names; special ones only where there are no others. Throws
// Error{Input} when it names none.
Encoding namedTokens(const LoadedModel& model, Stage stage, const std::string& text);

// Names of ids, "<5>" without a tokenizer.
Encoding describedTokens(const LoadedModel& model, Stage stage, std::span<const TokenId> ids);

} // namespace attn::ui
