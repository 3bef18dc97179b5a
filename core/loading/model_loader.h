// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/error.h"
#include "base/progress.h"
#include "base/seen_file.h"
#include "base/utf8.h"
#include "checkpoint/checkpoint.h"
#include "io/json.h"
#include "media/picture_processor.h"
#include "media/sound_processor.h"
#include "models/sequence_model.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// A model ready to run, with what belongs to it.
struct LoadedModel
{
    std::shared_ptr<const SequenceModel> model;
    Tokenizers tokenizers; // null when the checkpoint has no tokenizer files that are read: ids only
    std::optional<Error> tokenizerProblem; // why those that it has are not read
    std::optional<PictureProcessor> pictures = {}; // of models that read pictures
    std::optional<SoundProcessor> sounds = {}; // of models that read sounds
    std::string name; // bundled name, directory name, or the name of a GGUF file without its ending
    std::filesystem::path directory;
    // Configuration that was read: config.json with what generation_config.json says, or what a GGUF file says itself;
    // null for a model that was not loaded from files.
    std::shared_ptr<const JsonObject> config;
    std::vector<SeenFile> files; // modelFiles() before they were read
    std::vector<CheckpointFile> weights; // what each weight file contributed
    std::vector<std::string> ignoredTensors; // stored but not needed
    std::string namePrefix; // of the tensors' names, by a wrapper of the model: "_orig_mod."; empty: none
    struct
    {
        std::uint64_t widened = 0; // bytes that the weights take, copied
        std::uint64_t asStored = 0; // left as the file has them
        bool staysStored = false; // which of them it is
    } weightMemory = {};
};

// Loads a bundled model by name, or a checkpoint by its path: a directory, a weight file or index with config.json
// beside it, or a GGUF file, which needs nothing else. A model that would not fit in memory is refused before its
// weights are read. Weights are packed on the calling thread with `engine`. Throws Error{File, Format, Unsupported,
// Resource, Cancelled}.
LoadedModel loadModel(const std::string& nameOrPath, Engine& engine, const ProgressCallback& progress = {},
                      const std::stop_token& stop = {});

// Files that a model would be loaded from at this moment, by path: those of its directory whose endings say that they
// may describe it, or its GGUF file. A file that is added, removed or written to makes another list. Throws
// Error{File}.
std::vector<SeenFile> modelFiles(const std::string& nameOrPath);

// Those of them whose names say that they are a model's, and what is told of it beside them, which need not be there.
// Throws Error{File}.
std::vector<std::filesystem::path> filesByName(const std::string& nameOrPath);

// The weight files of a loaded model, by path, as they were before they were read.
std::vector<SeenFile> weightFiles(const LoadedModel& model);

// The directory or file a MODEL argument means. Throws Error{File} with the bundled names when there is none.
std::filesystem::path modelPath(const std::string& nameOrPath);

// Where its tokenizer is: the directory, or a GGUF file that carries one. Throws Error{File}.
std::filesystem::path tokenizerPath(const std::string& nameOrPath);

// The tokenizers of the files there. Both are null where there are none. Throws Error{File, Format, Unsupported}.
Tokenizers loadTokenizers(const std::filesystem::path& path);

// Purpose of a model, as its card's pipeline_tag says.
enum class ModelTask : std::uint8_t {
    Unknown,
    Translation,
    MaskedWords,
    Continuation,
    Classification,
    Captions,
    Speech
};

// A model that comes with the program; what its card does not say is empty.
struct BundledModel
{
    std::string name;
    std::string summary; // first sentence of the card
    std::filesystem::path directory;
    std::string family = {}; // model_name: "Luong, general attention"
    ModelTask task = ModelTask::Unknown;
    std::vector<std::string> languages = {}; // codes; of a translation the source's and the target's

    std::uintmax_t bytes() const; // that its files take
};

// Purpose by a card's pipeline_tag.
ModelTask taskOf(std::string_view tag);
// "masked words"; empty for Unknown.
std::string taskText(ModelTask task, Translate translate = inEnglish);
// "RNN without attention", "BERT": the family of its card.
std::string familyText(const BundledModel& model, Translate translate = inEnglish);
// "English to French", "English, German".
std::string languagesText(const BundledModel& model, Translate translate = inEnglish);

// Models that come with the program: in ATTNSCOPE_MODELS, beside the installed program, or in the source tree.
std::vector<BundledModel> bundledModels();
// Throws Error{File} where their folder cannot be read, which then seems to hold none.
void requireBundledFolder();
// Whether a model's folder is one of those that the program was installed or built with, wherever ATTNSCOPE_MODELS
// points.
bool comesWithTheProgram(const std::filesystem::path& modelDirectory);
// Name that opens the same model, archive or session from every folder: a bundled name, or an absolute path.
std::string lastingModel(const std::string& model);
// Absolute, without "." and "..", which leads out of the folder that a link leads to; other links keep their names. The
// path itself where the current folder is gone.
std::filesystem::path lastingPath(const std::filesystem::path& path);

// The same model with the values of each of its weights in a random order, always the same: a control for what is said
// of the model (Adebayo et al. 2018). Throws what loadModel() throws.
LoadedModel loadShuffled(const std::string& nameOrPath, Engine& engine, const std::stop_token& stop = {});

// A checkpoint's tensors of float32, each with its values in a random order. Those of integers stay as they are.
std::shared_ptr<const Checkpoint> shuffledWeights(std::shared_ptr<const Checkpoint> checkpoint);

} // namespace attn
