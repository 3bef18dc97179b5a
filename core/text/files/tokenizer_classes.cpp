// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/files/tokenizer_classes.h"

#include "text/files/languages.h"

#include <algorithm>
#include <iterator>

namespace attn {

// Tokenizers without a tokenizer.json, from vocabularies or SentencePiece models whose pieces a network numbers in its
// own way, each defined in a file of this folder. All throw Error{File, Format}.
TokenizerLoader loadBertVocabulary; // vocab.txt: BERT's basic tokenizer and WordPiece
TokenizerLoader loadGpt2Bpe; // vocab.json and merges.txt: byte-level BPE, nothing around the text
TokenizerLoader loadRobertaBpe; // the same: <s> text </s>
TokenizerLoader loadClipBpe; // lowered, pieces that end a word end with </w>: <|startoftext|> text <|endoftext|>
TokenizerLoader loadQwen2Bpe; // GPT-2's with other words
TokenizerLoader loadLlamaSentencePiece; // tokenizer.model: <s> text
TokenizerLoader loadByT5Bytes; // no file: bytes from 3 on, </s> behind the text, sentinels above the bytes
TokenizerLoader loadT5SentencePiece; // spiece.model: text </s>, sentinels <extra_id_0> ... above the pieces
TokenizerLoader loadXlmRobertaSentencePiece; // sentencepiece.bpe.model, fairseq's four tokens in front: <s> text </s>
// The same, or sentencepiece.bpe.model with vocab.json for M2M-100, with language codes behind the pieces.
std::shared_ptr<const PipelineTokenizer> loadMultilingualSentencePiece(const TokenizerConfig& config,
                                                                       const LanguageScheme& scheme);

namespace {

using Files = std::array<std::string_view, 2>;

constexpr Files fairseqFiles{"sentencepiece.bpe.model"};
constexpr Files t5Files{"spiece.model"};
constexpr Files wordPieceFiles{"vocab.txt"};
constexpr Files byteLevelFiles{"vocab.json", "merges.txt"};
constexpr Files llamaFiles{"tokenizer.model"};
constexpr Files noFiles{};

// The most telling files first; of schemes that share codes, the one with more of them.
constexpr TokenizerClass classes[] = {
    {"Nllb", fairseqFiles, nullptr, JsonSettings::None, false, &nllbLanguages},
    {"M2M100", fairseqFiles, nullptr, JsonSettings::None, false, &m2m100Languages},
    {"MBart50", fairseqFiles, nullptr, JsonSettings::None, false, &mbart50Languages},
    {"MBart", fairseqFiles, nullptr, JsonSettings::None, false, &mbartLanguages},
    {"XLMRoberta", fairseqFiles, loadXlmRobertaSentencePiece, JsonSettings::None, true},
    {"T5", t5Files, loadT5SentencePiece, JsonSettings::None, true},
    {"MT5", t5Files, loadT5SentencePiece},
    {"Siglip", t5Files, loadT5SentencePiece},
    {"ByT5", noFiles, loadByT5Bytes},
    {"Bert", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert, true},
    {"DistilBert", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert},
    {"Electra", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert},
    {"MobileBert", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert},
    {"ConvBert", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert},
    {"LayoutLM", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert},
    {"SqueezeBert", wordPieceFiles, loadBertVocabulary, JsonSettings::Bert},
    {"GPT2", byteLevelFiles, loadGpt2Bpe, JsonSettings::PrefixSpace, true},
    {"Roberta", byteLevelFiles, loadRobertaBpe, JsonSettings::PrefixSpace},
    {"Bart", byteLevelFiles, loadRobertaBpe, JsonSettings::PrefixSpace},
    {"Longformer", byteLevelFiles, loadRobertaBpe, JsonSettings::PrefixSpace},
    {"LED", byteLevelFiles, loadRobertaBpe, JsonSettings::PrefixSpace},
    {"Whisper", byteLevelFiles, loadGpt2Bpe},
    {"Qwen2", byteLevelFiles, loadQwen2Bpe},
    {"CLIP", byteLevelFiles, loadClipBpe},
    {"Llama", llamaFiles, loadLlamaSentencePiece, JsonSettings::BeginAndEnd},
    {"CodeLlama", llamaFiles, loadLlamaSentencePiece, JsonSettings::BeginAndEnd},
    {"Mistral", llamaFiles, loadLlamaSentencePiece, JsonSettings::BeginAndEnd},
};

// The first conversions of LLaMA name "LLaMATokenizer", others spell theirs in small letters.
bool isSameName(std::string_view a, std::string_view b)
{
    const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(a, b, {}, small, small);
}

const TokenizerClass* findClass(std::string_view name)
{
    const auto found =
        std::ranges::find_if(classes, [&](const TokenizerClass& row) { return isSameName(row.name, name); });
    return found == std::end(classes) ? nullptr : &*found;
}

} // namespace

bool TokenizerClass::hasFiles(const TokenizerConfig& config) const
{
    return std::ranges::all_of(files, [&](std::string_view file) { return file.empty() || config.hasFile(file); });
}

std::shared_ptr<const PipelineTokenizer> TokenizerClass::read(const TokenizerConfig& config) const
{
    return languages == nullptr ? load(config) : loadMultilingualSentencePiece(config, languages->in(config));
}

std::span<const TokenizerClass> tokenizerClasses()
{
    return classes;
}

const TokenizerClass* findTokenizerClass(const TokenizerConfig& config)
{
    const TextFiles& usual = config.textFiles();
    const std::string& named = config.tokenizerClass();
    const TokenizerClass* const other = findClass(usual.multilingualClass);
    const bool isOther = named.empty() ? config.hasFile("vocab.json") : named != usual.tokenizerClass;
    if (other != nullptr && isOther && (config.hasFile("tokenizer.json") || other->hasFiles(config)))
        return other;
    return findClass(named.empty() ? usual.tokenizerClass : named);
}

} // namespace attn
