// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "loading/model_loader.h"
#include "question/question.h"
#include "tensor/number_view.h"
#include "trace/source_media.h"
#include "trace/trace.h"

#include <functional>
#include <memory>
#include <string>

namespace attn {

// A decoded file.
struct PictureFile
{
    Picture picture; // upright, over white
    std::string sha256; // of the file
};

// Decodes a file of a picture. Throws Error{File, Format, Input, Unsupported} naming it.
using ReadPicture = std::function<PictureFile(const std::string& path)>;

// A picture as a model reads it.
struct SourceInput
{
    Encoding tokens; // its places
    Numbers values; // what enters the model, as of Source
    std::shared_ptr<SourceMedia> shown; // without what enters the model; null: the source is a text
};

// Throws Error{Input} for a picture that a model of texts is asked about, and the reverse; its place is the option
// that is meant.
void checkInputKind(const Question& question, const ModelInfo& info);

// The input of a model that reads no text. Throws what `picture` throws, and Error{Input}.
SourceInput readSource(const Question& question, const LoadedModel& model, const ReadPicture& picture);

// The part that a trace keeps; with `input`, the numbers that enter the model, too. Null for a text.
std::shared_ptr<const SourceMedia> shownMedia(const SourceInput& source, bool input);

// Whether a run has read this picture or sound; both none: a text.
bool sameMedia(const Trace& trace, const SourceMedia* media);

} // namespace attn
