// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "base/utf8.h"
#include "media/patches.h"
#include "trace/position_scheme.h"
#include "trace/site.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attn {

struct Speech; // models/speech.h

// Input of a model's encoder, and with PictureAndText of its decoder besides.
enum class InputKind : std::uint8_t { Text, Picture, Sound, PictureAndText };

// "picture and text".
const char* inputText(InputKind kind);

enum class AttentionScope : std::uint8_t {
    Global,
    LocalMonotonic, // local_m: around the step's own number
    LocalPredictive, // local_p: around a position that the model predicts, with a Gaussian
};

// Where a block of a Transformer normalises.
enum class NormPlace : std::uint8_t {
    Before, // its input
    After, // the sum of its input and its output
    Around, // its input and its output
    Output, // its output alone
};

// Architecture of a model. The other members count only for the forms that they belong to.
struct Architecture
{
    enum class Form : std::uint8_t {
        Transformer,
        Recurrent, // encoder-decoder
        AttentionPooling,
        StructuredSelfAttention,
        Lstmn, // LSTM with intra-attention
        Hierarchical // attention over words, then over sentences
    };

    Form form = Form::Transformer;
    NormPlace norms = NormPlace::After; // Transformer
    bool parallel = false; // Transformer: attention and feed-forward blocks side by side
    int experts = 0; // of a layer; 0: none
    bool sinks = false; // each head of the decoder has one
    bool gated = false; // its feed-forward layers
    bool encoderLstm = false; // else GRU
    bool decoderLstm = false;
    bool bidirectional = false; // the encoder
    bool luong = false; // Luong's decoder, not Bahdanau's
    std::string score = {}; // as config.json names it; empty: no attention
    AttentionScope scope = AttentionScope::Global;
    bool temporal = false; // intra-temporal attention
    bool intraDecoder = false; // the decoder attends to its own states
    int hops = 1; // of structured self-attention
};

// Facts of a model that need no run.
struct ModelInfo
{
    std::string family; // model_type in config.json, for people
    ModelKind kind = ModelKind::EncoderDecoder;
    InputKind input = InputKind::Text;
    PatchLayout patches = {}; // of models that read pictures
    std::optional<PixelSize> pictureSize = {}; // that it was made for, where its configuration says so
    Index soundBands = 0; // of the spectrogram of models that read sounds
    std::shared_ptr<const Speech> speech = {}; // of models that write down what they hear; null: others
    Architecture architecture;
    int encoderLayers = 0;
    int decoderLayers = 0;
    int encoderHeads = 0; // 0: no such attention
    int decoderHeads = 0;
    std::optional<int> decoderAttentionLayers; // fewer than the decoder's layers: a recurrent decoder's top state
    int crossHeads = 0; // 1 for a recurrent model with attention
    int crossLayers = 0;
    int poolingHeads = 0; // of a learned query over the encoder's states
    int keyValueHeads = 0; // of self-attention where query heads share them; 0: as many as query heads
    int headWidth = 0; // features of one query and key
    int modelWidth = 0; // width of the encoder's hidden states
    int feedForwardWidth = 0;
    int expertsOfToken = 0; // that work on one position; 0: layers have no experts
    int sourceVocabulary = 0;
    int targetVocabulary = 0;
    std::optional<int> maximumLength; // positions the model has; none: any length
    Positions positions;
    std::string storedDType; // "f16"
    std::int64_t parameters = 0;
    int segments = 0; // texts that one input can be made of; 2: the model reads sentence pairs
    bool predictsMasked = false; // encoder-only: has a masked-token head
    bool hardAttention = false; // one position has all the weight: the largest, or drawn
    TaskHead task = TaskHead::None;
    std::vector<std::string> labels; // the classes that the task tells apart
    ClassReading reading = ClassReading::OneOf; // of their logits, or of a picture's similarities to texts
    bool predictsTokens = true; // false: a decoder whose logits are not of tokens, or that has none
    bool padsText = false; // a text beside a picture is as long as can be, with the end token behind it
    bool plainWords = false; // and is lowered, without punctuation
    std::optional<TokenId> padding = {}; // which says nothing of a text
    std::optional<TokenId>
        decoderStart; // what output starts from; decoder-only: what starts an empty prompt, if anything
    std::optional<TokenId> endToken;
    std::vector<TokenId> otherEndTokens; // where a configuration names several
    std::optional<TokenId> firstToken; // what the output begins with, such as a language; none: whatever the model says
    std::vector<TokenId> badTokens; // never produced: their probability is removed, the rest not renormalised
    std::string sourceLanguage;
    std::string targetLanguage;
    Site bestSite{Stage::Cross, 0}; // what `batch --alignments` and the window show first

    bool readsPictures() const { return input == InputKind::Picture || input == InputKind::PictureAndText; }
    bool readsPairs() const { return kind == ModelKind::EncoderOnly && segments >= 2; }
    bool writes() const { return kind != ModelKind::EncoderOnly && predictsTokens; } // an output of its own
    bool ends(TokenId token) const; // an output
    bool hasSite(Site site) const;
    int heads(Site site) const;
    std::vector<Site> sites() const; // encoder, decoder, cross, by layer
};

// "GRU with additive attention".
std::string architectureText(const ModelInfo& info, Translate translate = inEnglish);

} // namespace attn
