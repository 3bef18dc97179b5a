// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "io/json.h"
#include "io/npy.h"
#include "io/npy_stream.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attn {

struct ArchiveOptions; // trace/archive.h
class TraceBuilder;

inline constexpr std::string_view metadataName = "metadata";

// All that an archive can hold (formats.md section 4). Other arrays that a dump brings along are left alone.
inline constexpr std::string_view archiveNames[] = {"source_ids",
                                                    "target_ids",
                                                    "source_tokens",
                                                    "target_tokens",
                                                    "source_text",
                                                    "target_text",
                                                    "source_labels",
                                                    "target_labels",
                                                    "source_words",
                                                    "target_words",
                                                    "source_special",
                                                    "target_special",
                                                    "source_offsets",
                                                    "target_offsets",
                                                    "source_segments",
                                                    "source_grid",
                                                    "source_boxes",
                                                    "source_image",
                                                    "source_spans",
                                                    "source_audio",
                                                    "pixel_values",
                                                    "input_features",
                                                    "target_spans",
                                                    "pooling_attentions",
                                                    "pooling_scores",
                                                    "context_gates",
                                                    "image_embedding",
                                                    "text_embedding",
                                                    "similarity",
                                                    "label_similarities",
                                                    "encoder_attentions",
                                                    "decoder_attentions",
                                                    "cross_attentions",
                                                    "encoder_scores",
                                                    "decoder_scores",
                                                    "cross_scores",
                                                    "summary_attentions",
                                                    "summary_scores",
                                                    "sentence_attentions",
                                                    "sentence_scores",
                                                    "decoder_sinks",
                                                    "expert_ids",
                                                    "expert_weights",
                                                    "class_logits",
                                                    "class_names", // of older files: label_names
                                                    "label_names",
                                                    "token_logits",
                                                    "span_logits",
                                                    "logprobs",
                                                    "logits",
                                                    "hidden_states",
                                                    "encoder_hidden_states",
                                                    metadataName};

// Whether it is one of these, or an array of a reading (archive_readings.cpp).
bool isArchiveName(std::string_view name);

using NamedArrays = std::map<std::string, NpyArray>;

// An array that is written: in memory, or float32 numbers that are made while they are written, some at a time.
struct WrittenArray
{
    WrittenArray(NpyArray written)
        : array(std::move(written))
    {
    }
    // made: begins anew with each call. Parts end with a row. some: numbers such as these.
    WrittenArray(NpyArray::Shape ofMade, std::function<NumberParts()> made, NumberVector<float> some)
        : shape(std::move(ofMade))
        , parts(std::move(made))
        , sample(std::move(some))
    {
    }

    std::optional<NpyArray> array; // none: the parts
    NpyArray::Shape shape;
    std::function<NumberParts()> parts;
    NumberVector<float> sample;
};
using WrittenArrays = std::map<std::string, WrittenArray>;
// The numbers of a reading, which are kept where they are until they have been written.
WrittenArray writtenArray(const std::shared_ptr<const ReadArray>& array);

// The .json form of an archive (formats.md section 4): the same keys, arrays as nested lists, null for -inf and NaN.
// The bytes go to `write` part by part. Throws Error{Cancelled}.
void writeJson(const WrittenArrays& arrays, const std::stop_token& stop,
               const std::function<void(std::string_view text)>& write);
NamedArrays arraysFromJson(const std::filesystem::path& path); // throws what readArchive throws
// The trace of an archive whose arrays are in memory; `where` names it in errors. Throws what readArchive throws.
Trace traceOf(NamedArrays arrays, const std::string& where);

// Memory of texts while a trace is made of them, in bytes. bytesOfEach: that of the longest, which NumPy gives to each.
std::uint64_t textBytes(std::uint64_t count, std::uint64_t bytesOfEach);

class ArchiveMemory;
class NpzReader;

// The arrays of an archive that is being read: their shapes are known at once, their values come once, when they are
// asked for.
class ArchiveArrays
{
public:
    // .npz or .json. What a trace of them takes is added to `memory`. Throws Error{File, Format, Resource, Cancelled}.
    ArchiveArrays(const std::filesystem::path& path, ArchiveMemory& memory);
    ArchiveArrays(std::span<const std::byte> bytes, std::string where,
                  ArchiveMemory& memory); // .npz; bytes outlive this
    ArchiveArrays(NamedArrays arrays, std::string where, ArchiveMemory& memory);
    ~ArchiveArrays();
    ArchiveArrays(const ArchiveArrays&) = delete;
    ArchiveArrays& operator=(const ArchiveArrays&) = delete;

    NpyStream* find(const std::string& name); // null when there is none
    // The same; another shape than the expected one is refused.
    struct Dimension
    {
        Dimension(std::int64_t expected)
            : size(expected)
        {
        }
        Dimension(const char* anyNumber)
            : name(anyNumber)
        {
        }

        std::int64_t size = 0;
        const char* name = nullptr; // "layers": as many as there are
    };
    NpyStream* find(const std::string& name, std::initializer_list<Dimension> expected);

    [[noreturn]] void refuse(const std::string& name, const std::string& problem, const std::string& advice = {}) const;

private:
    void openArrays();
    std::uint64_t traceBytes() const;

    std::string m_where; // the file's name
    std::unique_ptr<NpzReader> m_npz; // what the arrays are read from
    std::map<std::string, NpyStream> m_arrays;
};

// Most layers that a model may have.
inline constexpr std::int64_t mostLayers = 1024;
inline constexpr std::int64_t mostExperts = 4096; // of a layer
inline constexpr std::int64_t mostHeads = 1024;

// decoder_sinks, expert_ids and expert_weights of the path to a leaf.
void addSinksAndExperts(WrittenArrays& arrays, const Trace& trace, std::optional<StepId> leaf);
// Weights that the sinks of each layer take, [heads, rows, 1]; none where there are none. Throws Error{Format} for
// another shape than [layers, heads, rows].
std::vector<Numbers> readSinks(ArchiveArrays& arrays, std::int64_t layers, std::int64_t heads, Index rows);
// Throws Error{Format} for shapes that do not fit `rows` positions.
void readExperts(ArchiveArrays& arrays, Index rows, TraceBuilder& builder);

// Lengths that readings have.
struct ReadingSizes
{
    Index source = 0; // of a text that goes on, all of it
    Index output = 0; // likewise; 0: nothing was written
    int firstPosition = 0; // of the output
};
// Whether an array is one of readings that a trace keeps.
bool isReadingName(std::string_view name);
// The readings that are kept with a run, with their notes. Of an array about one position that is there of several,
// the last.
void addReadings(WrittenArrays& arrays, Json& metadata, const Trace& trace);
// Null: none. metadata: the archive's. Throws Error{Format} for arrays of other shapes.
std::shared_ptr<const KeptReadings> readReadings(ArchiveArrays& arrays, const Json& metadata, ReadingSizes sizes);

// The arrays of models that make vectors of a text and classify it: summary_attentions, sentence_attentions, their
// scores, and those of task heads: class_logits, token_logits, span_logits and label_names.
void addSummaries(WrittenArrays& arrays, const Trace& trace, bool scores);

// Into a trace. reading: of classes' logits. Throws Error{Format} for shapes that do not fit a text of `length` tokens.
void readSummaries(ArchiveArrays& arrays, Index length, ClassReading reading, TraceBuilder& builder);

// Places and the picture or sound that they lie in: source_grid, source_boxes, source_image, source_spans,
// source_audio, pixel_values, input_features and target_spans.
void addPlaces(WrittenArrays& arrays, const Trace& trace, const ArchiveOptions& options);
// Adds places to the tokens of the source, which need not be named where there is a grid. Null for a text. about: the
// metadata's object "image" or "audio" as JSON. Throws Error{Format} for arrays that do not fit one another.
std::shared_ptr<const SourceMedia> readPlaces(ArchiveArrays& arrays, std::optional<Encoding>& source,
                                              std::string about);
// context_gates, pooling_attentions, pooling_scores, and where a picture and a text lie in one space.
void addMatch(WrittenArrays& arrays, const Trace& trace, const ArchiveOptions& options);
// labelTexts and reading: of the metadata. Throws Error{Format}.
void readMatch(ArchiveArrays& arrays, Index length, std::vector<std::string> labelTexts, ClassReading reading,
               TraceBuilder& builder);
// Shares of the context by output position; empty where there are none. Throws Error{Format}.
NumberVector<float> readGates(ArchiveArrays& arrays, Index targets);
// The seconds of each output token, into `target`.
void readTargetTimes(ArchiveArrays& arrays, Encoding& target);

// An encoding of pieces whose tokenizer is not at hand, by the marks that the common vocabularies have: "▁" of
// SentencePiece, GPT-2's bytes, "##" of WordPiece, "@@" of subword-nmt, the joiner of OpenNMT's Tokenizer, "</w>", and
// bytes as "<0x0A>". special: which of them stand for no text; without, those that vocabularies spell such as "<s>",
// "[SEP]" and "<|end|>", and the codes of languages at both ends, but no masks and no unknown words. Throws
// Error{Cancelled} by ThreadStop.
Encoding encodingOfPieces(std::vector<TokenId> ids, std::vector<std::string> pieces,
                          const std::optional<std::vector<bool>>& special = {});

enum class ArchiveSide : std::uint8_t { Source, Target };

// The tokens of a side with all that is known of them: ids, tokens, labels, words, special, text and offsets.
void addTokens(WrittenArrays& arrays, ArchiveSide side, const Encoding& encoding);
// The same; what is missing is worked out by encodingOfPieces. None where there are neither ids nor tokens. Throws
// Error{Format} naming the array.
std::optional<Encoding> readTokens(ArchiveArrays& arrays, ArchiveSide side);
// "source_ids".
std::string arrayName(ArchiveSide side, std::string_view part);

} // namespace attn
