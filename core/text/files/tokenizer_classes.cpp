// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/files/tokenizer_classes.h"

#include "text/files/plain_tokenizers.h"

#include <algorithm>
#include <iterator>

namespace attn {

namespace {

using Files = std::array<std::string_view, 2>;

constexpr Files fairseqFiles{"sentencepiece.bpe.model"};
constexpr Files t5Files{"spiece.model"};
constexpr Files wordPieceFiles{"vocab.txt"};
constexpr Files byteLevelFiles{"vocab.json", "merges.txt"};
constexpr Files llamaFiles{"tokenizer.model"};

template<ByteLevelKind Kind>
std::shared_ptr<const PipelineTokenizer> byteLevel(const TokenizerConfig& config)
{
    return loadByteLevelBpe(config, Kind);
}

// The most telling files first.
constexpr TokenizerClass classes[] = {
    {"XLMRoberta", "xlm-roberta", fairseqFiles, loadXlmRobertaSentencePiece, JsonSettings::None, true},
    {"T5", "t5", t5Files, loadT5SentencePiece, JsonSettings::None, true},
    {"MT5", "mt5", t5Files, loadT5SentencePiece},
    {"", "umt5", t5Files, loadT5SentencePiece},
    {"Bert", "bert", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert, true},
    {"DistilBert", "distilbert", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert},
    {"Electra", "electra", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert},
    {"MobileBert", "mobilebert", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert},
    {"GPT2", "gpt2", byteLevelFiles, byteLevel<ByteLevelKind::Gpt2>, JsonSettings::PrefixSpace, true},
    {"Roberta", "roberta", byteLevelFiles, byteLevel<ByteLevelKind::Roberta>, JsonSettings::PrefixSpace},
    {"Bart", "bart", byteLevelFiles, byteLevel<ByteLevelKind::Roberta>, JsonSettings::PrefixSpace},
    {"Longformer", "longformer", byteLevelFiles, byteLevel<ByteLevelKind::Roberta>, JsonSettings::PrefixSpace},
    {"Qwen2", "qwen2", byteLevelFiles, byteLevel<ByteLevelKind::Qwen2>},
    {"Llama", "llama", llamaFiles, loadLlamaSentencePiece, JsonSettings::BeginAndEnd},
    {"CodeLlama", "", llamaFiles, loadLlamaSentencePiece, JsonSettings::BeginAndEnd},
    {"Mistral", "mistral", llamaFiles, loadLlamaSentencePiece, JsonSettings::BeginAndEnd},
};

} // namespace

bool TokenizerClass::hasFiles(const TokenizerConfig& config) const
{
    return std::ranges::all_of(files, [&](std::string_view file) { return file.empty() || config.hasFile(file); });
}

std::span<const TokenizerClass> tokenizerClasses()
{
    return classes;
}

const TokenizerClass* findTokenizerClass(const TokenizerConfig& config)
{
    const std::string_view kind = config.kind();
    const auto found = std::ranges::find_if(classes, [&](const TokenizerClass& row) {
        return !kind.empty() && (kind == row.name || kind == row.modelType);
    });
    return found == std::end(classes) ? nullptr : &*found;
}

} // namespace attn
