// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace attn {

// A model that another program keeps on this machine.
struct FoundModel
{
    std::string name; // "org/name", "llama3.2:1b", or the name of a GGUF file
    std::filesystem::path path; // that opens it
};

// The models in the folders of Hugging Face (HF_HUB_CACHE, HF_HOME), llama.cpp (LLAMA_CACHE), LM Studio and Ollama
// (OLLAMA_MODELS), sorted by name; nothing else is looked at. Folders that cannot be read are passed over. Throws
// Error{Cancelled}.
std::vector<FoundModel> findModels(const std::stop_token& stop);

// The directory or file that holds the model: the snapshot of a folder "models--ORG--NAME" of a Hugging Face cache, the
// GGUF file that a manifest of Ollama names, otherwise the path itself. Throws Error{File, Format} where that is gone.
std::filesystem::path modelBehind(const std::filesystem::path& path);

// The name of such a place, as FoundModel has it; empty for others.
std::string placeName(const std::filesystem::path& path);

// The models in a directory that holds several, and is none itself: GGUF files, and folders with a config.json or of a
// Hugging Face cache, sorted. Throws Error{Cancelled}.
std::vector<std::filesystem::path> modelsIn(const std::filesystem::path& directory, const std::stop_token& stop = {});

} // namespace attn
