// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/unicode/aligned_text.h"
#include "text/unicode/regex.h"

#include <functional>
#include <string>
#include <vector>

namespace attn {

// Cuts a normalized text into the stretches that subwords never cross. The steps are those of Hugging Face's
// `tokenizers`, under the same names. Immutable and callable from any thread.
using PreTokenizer = std::function<std::vector<AlignedText>(std::vector<AlignedText>)>;

// What becomes of the delimiters that a text is split at.
enum class SplitBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };

enum class PrependScheme { Always, First, Never };

struct MetaspaceOptions
{
    std::string replacement; // of a blank
    PrependScheme prepend = PrependScheme::Always;
    bool split = true;
};

struct ByteLevelOptions
{
    bool addPrefixSpace = true;
    bool useRegex = true; // split as GPT-2 does
};

PreTokenizer preTokenizerSequence(std::vector<PreTokenizer> steps);
PreTokenizer bertPreTokenizer();
PreTokenizer byteLevelPreTokenizer(const ByteLevelOptions& options);
PreTokenizer metaspacePreTokenizer(MetaspaceOptions options);
PreTokenizer whitespacePreTokenizer(); // words, and runs of other signs
PreTokenizer whitespaceSplitPreTokenizer();
PreTokenizer punctuationPreTokenizer(SplitBehavior behavior);
PreTokenizer digitsPreTokenizer(bool individual);
PreTokenizer delimiterPreTokenizer(const std::string& delimiter);
PreTokenizer splitPreTokenizer(Regex pattern, SplitBehavior behavior, bool invert);

} // namespace attn
