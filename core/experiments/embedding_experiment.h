// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/embedding_space.h"
#include "experiments/experiment.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attn {

// The tables and states of a model's reading (Encoder) or writing (Decoder) side.
Stage embeddingStage(const ModelInfo& info, bool writing);
int vocabularySize(const ModelInfo& info, Stage stage);
// Null where the files have none.
const Tokenizer* tokenizerOf(const LoadedModel& model, Stage stage);

// Names of ids, "<5>" without a tokenizer.
Encoding describedTokens(const LoadedModel& model, Stage stage, std::span<const TokenId> ids);
// The tokens that a text or, without a tokenizer, a number names; special ones only where there are no others. Throws
// Error{Input} when it names none.
Encoding namedTokens(const LoadedModel& model, Stage stage, const std::string& text);

// A place of the model where each token of a sentence has a vector.
struct VectorPlace
{
    enum class Kind : std::uint8_t { Table, Input, After };

    Kind kind = Kind::Table;
    bool positions = false; // Input: they were added
    int layer = 0; // After: this one
    bool last = false; // of several
};

// The vectors of a sentence's tokens at one place: [tokens, width].
struct PlacedVectors
{
    VectorPlace place;
    Tensor vectors;
};

// The tokens of a side and their vectors: the rows of the embedding table, where it has them all, then the hidden
// states of the run, which must have captured them. Layers whose rows are not the tokens are left out.
struct EmbeddedSentence
{
    Encoding tokens;
    std::vector<PlacedVectors> layers;
};

EmbeddedSentence embeddedSentence(const LoadedModel& model, const Trace& trace, Stage stage);

// A sentence's tokens in the plane in which they vary most, layer by layer, each turned to follow the one before.
class PlanesExperiment
{
public:
    struct Layer
    {
        VectorPlace place;
        Plane plane;
    };

    PlanesExperiment(Question question, Stage stage);

    bool advance(const Workbench& bench); // the sentence, then a layer

    Stage stage() const { return m_stage; }
    const Encoding& tokens() const { return m_sentence.tokens; }
    const std::vector<Layer>& layers() const { return m_layers; }
    bool hasStates() const { return m_sentence.layers.size() > 1; } // and not only embeddings

private:
    Question m_question;
    Stage m_stage;
    bool m_read = false;
    EmbeddedSentence m_sentence;
    std::vector<Layer> m_layers;
};

// The tokens that lie nearest to one of them. The table, which stays as it is stored, is never copied whole.
class NeighbourExperiment
{
public:
    // Neighbours of a token or, without one, of the first that a text names.
    NeighbourExperiment(std::string model, Stage stage, std::optional<TokenId> token, std::string text, int count);

    // A piece of the table. Throws Error{Input} for an id outside the vocabulary and for a text that names none.
    bool advance(const Workbench& bench);

    Stage stage() const { return m_stage; }
    const Encoding& typed() const { return m_typed; } // the tokens of the text, or the one token
    std::optional<TokenId> token() const { return m_token; }
    const Encoding& name() const { return m_name; } // of the token
    int vocabulary() const { return m_vocabulary; }
    const std::vector<Neighbour>& found() const { return m_found; } // rows are ids; best first, without the token
    const Encoding& names() const { return m_names; } // of what was found
    bool hasNumbers() const { return holdsNumbers(m_vector.values()); } // of its own vector
    int withoutNumbers() const { return m_withoutNumbers; } // others that hold none, which are left out

private:
    void begin(const LoadedModel& model);

    std::string m_modelName;
    Stage m_stage;
    std::optional<TokenId> m_token;
    std::string m_text;
    int m_count;
    std::shared_ptr<const LoadedModel> m_model; // while it searches
    int m_vocabulary = 0;
    int m_next = 0;
    int m_withoutNumbers = 0;
    Tensor m_vector;
    Encoding m_typed;
    Encoding m_name;
    Encoding m_names;
    std::vector<Neighbour> m_found;
};

} // namespace attn
