// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/encoding.h"
#include "base/index.h"
#include "loading/model_loader.h"
#include "media/patches.h"
#include "question/question.h"
#include "tensor/number_view.h"
#include "trace/source_media.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace attn {

// A picture or sound as a model reads it.
struct SourceInput
{
    Encoding tokens; // its places
    Numbers values; // what enters the model, as of Source; empty: the source is a text
    SourceMedia shown = {}; // without `values`
};

// Throws Error{Input} for another kind of input than the model reads; its place is the option that is meant.
void checkInputKind(const Question& question, const ModelInfo& info);

// Bytes of a file that were kept; null: they are read from it.
using KeptBytes = std::function<std::shared_ptr<const std::vector<std::byte>>(const std::string& path)>;

// Readers of the files of questions.
struct ReadFiles
{
    ReadPicture picture = {}; // decodes a picture's file; empty: this program reads none
    KeptBytes sound = {}; // empty: none were kept
};

// The input of a model that reads no text. Throws what `files` throw, and Error{Input}.
SourceInput readSource(const Question& question, const LoadedModel& model, const ReadFiles& files);

// The pixels of patches that become the mean, before anything else is done with them. Positions that are no patch of
// the source change nothing.
void greyPatches(std::span<const Index> positions, const PatchLayout& layout, const Encoding& source, Numbers& values);

// The part that a trace keeps, with what enters the model; pixels and numbers that `before` has, too, are shared with
// it. Null for a text.
std::shared_ptr<const SourceMedia> keptMedia(SourceInput source, const SourceMedia* before);

// Numbers that entered the model beside the tokens; empty: a text, or they were not kept.
NumberView inputOf(const SourceMedia* media);

} // namespace attn
