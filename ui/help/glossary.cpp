// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "help/glossary.h"

#include <QLocale>
#include <QtGlobal>

#include <algorithm>
#include <iterator>

namespace attn::ui {

namespace {

constexpr const char* bahdanau =
    "Bahdanau, Cho and Bengio (2015): Neural Machine Translation by Jointly Learning to Align and Translate";
constexpr const char* cho = "Cho et al. (2014): Learning Phrase Representations using RNN Encoder-Decoder for "
                            "Statistical Machine Translation";
constexpr const char* devlin = "Devlin, Chang, Lee and Toutanova (2019): BERT: Pre-training of Deep Bidirectional "
                               "Transformers for Language Understanding";
constexpr const char* luong = "Luong, Pham and Manning (2015): Effective Approaches to Attention-based Neural Machine "
                              "Translation";
constexpr const char* sennrich =
    "Sennrich, Haddow and Birch (2016): Neural Machine Translation of Rare Words with Subword Units";
constexpr const char* sutskever =
    "Sutskever, Vinyals and Le (2014): Sequence to Sequence Learning with Neural Networks";
constexpr const char* vaswani = "Vaswani et al. (2017): Attention Is All You Need";

constexpr Term terms[] = {
    {QT_TRANSLATE_NOOP("attn::ui", "additive attention"),
     QT_TRANSLATE_NOOP("attn::ui", "The score of a query and a key is a small network's: v · tanh(W q + U k)."),
     bahdanau},
    {QT_TRANSLATE_NOOP("attn::ui", "ALiBi"),
     QT_TRANSLATE_NOOP(
         "attn::ui",
         "Positions as a penalty on the scores that grows with the distance, with another slope for each head."),
     "Press, Smith and Lewis (2022): Train Short, Test Long: Attention with Linear Biases Enables Input Length "
     "Extrapolation"},
    {QT_TRANSLATE_NOOP("attn::ui", "alignment"),
     QT_TRANSLATE_NOOP(
         "attn::ui",
         "Which words of the output correspond to which words of the input; attention weights are a soft one."),
     "Brown, Della Pietra, Della Pietra and Mercer (1993): The Mathematics of Statistical Machine Translation"},
    {QT_TRANSLATE_NOOP("attn::ui", "annotation"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "The encoder's state for one word, with what stands around it; what the decoder attends to."),
     bahdanau},
    {QT_TRANSLATE_NOOP("attn::ui", "attention rollout"),
     QT_TRANSLATE_NOOP(
         "attn::ui",
         "How much of each input token is left in a layer, if every layer passes on half of its input and "
         "half of what the mean of its heads attends to."),
     "Abnar and Zuidema (2020): Quantifying Attention Flow in Transformers"},
    {QT_TRANSLATE_NOOP("attn::ui", "attention sink"),
     QT_TRANSLATE_NOOP("attn::ui", "A token, mostly the first, that takes much weight and says little."),
     "Xiao, Tian, Chen, Han and Lewis (2024): Efficient Streaming Language Models with Attention Sinks"},
    {QT_TRANSLATE_NOOP("attn::ui", "attention weight"),
     QT_TRANSLATE_NOOP(
         "attn::ui",
         "How much of a key's value goes into the result: the scores of a row after the softmax. A row sums to 1."),
     vaswani},
    {QT_TRANSLATE_NOOP("attn::ui", "autoregressive"),
     QT_TRANSLATE_NOOP("attn::ui", "Writes one token at a time, and reads what it has written so far."),
     "Graves (2013): Generating Sequences With Recurrent Neural Networks"},
    {QT_TRANSLATE_NOOP("attn::ui", "beam search"),
     QT_TRANSLATE_NOOP("attn::ui", "Keeps the best few hypotheses at every step instead of only one."), sutskever},
    {QT_TRANSLATE_NOOP("attn::ui", "bidirectional encoder"),
     QT_TRANSLATE_NOOP("attn::ui", "Reads the sentence from both ends, so that every state knows what follows, too."),
     "Schuster and Paliwal (1997): Bidirectional Recurrent Neural Networks"},
    {QT_TRANSLATE_NOOP("attn::ui", "BLEU"),
     QT_TRANSLATE_NOOP(
         "attn::ui",
         "A score of translations, 0 to 100: how many runs of one to four words they share with a reference."),
     "Papineni, Roukos, Ward and Zhu (2002): BLEU: a Method for Automatic Evaluation of Machine Translation"},
    {QT_TRANSLATE_NOOP("attn::ui", "byte-pair encoding"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "Builds a vocabulary of subwords by joining the most frequent neighbours, again and again."),
     sennrich},
    {QT_TRANSLATE_NOOP("attn::ui", "candidate"),
     QT_TRANSLATE_NOOP("attn::ui", "A token that could come next at a step, with its probability."), sutskever},
    {QT_TRANSLATE_NOOP("attn::ui", "causal mask"),
     QT_TRANSLATE_NOOP("attn::ui", "Hides what comes later: a token attends to itself and to earlier ones only."),
     vaswani},
    {QT_TRANSLATE_NOOP("attn::ui", "context vector"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "The values summed by their weights: what a query gets from attention. Without attention, the "
                       "one vector that stands for the whole sentence."),
     cho},
    {QT_TRANSLATE_NOOP("attn::ui", "cross-attention"),
     QT_TRANSLATE_NOOP(
         "attn::ui",
         "The decoder attends to the encoder's states: queries from the output, keys and values from the input."),
     vaswani},
    {QT_TRANSLATE_NOOP("attn::ui", "decoder"),
     QT_TRANSLATE_NOOP("attn::ui", "The part of a model that writes the output, token by token."), cho},
    {QT_TRANSLATE_NOOP("attn::ui", "dot-product attention"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "The score of a query and a key is their dot product; a Transformer divides it by the square "
                       "root of their width."),
     luong},
    {QT_TRANSLATE_NOOP("attn::ui", "embedding"), QT_TRANSLATE_NOOP("attn::ui", "The vector that stands for a token."),
     "Bengio, Ducharme, Vincent and Jauvin (2003): A Neural Probabilistic Language Model"},
    {QT_TRANSLATE_NOOP("attn::ui", "encoder"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "The part of a model that reads the input and makes a state for each of its tokens."),
     cho},
    {QT_TRANSLATE_NOOP("attn::ui", "entropy"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "How spread out a row of weights is: 0 when one key takes all, largest when all have the same."),
     "Shannon (1948): A Mathematical Theory of Communication"},
    {QT_TRANSLATE_NOOP("attn::ui", "greedy decoding"),
     QT_TRANSLATE_NOOP("attn::ui", "Takes the most probable token at every step."), sutskever},
    {QT_TRANSLATE_NOOP("attn::ui", "GRU"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "A recurrent cell with two gates, which decide what of the state is kept and what is renewed."),
     cho},
    {QT_TRANSLATE_NOOP("attn::ui", "head"),
     QT_TRANSLATE_NOOP("attn::ui", "One of several attentions of a layer, with queries, keys and values of its own."),
     vaswani},
    {QT_TRANSLATE_NOOP("attn::ui", "hidden state"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "What a model holds of a token, or of all that it has read, after a layer or a step."),
     "Elman (1990): Finding Structure in Time"},
    {QT_TRANSLATE_NOOP("attn::ui", "hypothesis"),
     QT_TRANSLATE_NOOP("attn::ui", "An output, or the beginning of one, that a search considers."),
     "Graves (2012): Sequence Transduction with Recurrent Neural Networks"},
    {QT_TRANSLATE_NOOP("attn::ui", "key"),
     QT_TRANSLATE_NOOP("attn::ui", "The vector of a token that queries are compared with."), vaswani},
    {QT_TRANSLATE_NOOP("attn::ui", "layer"),
     QT_TRANSLATE_NOOP("attn::ui", "One of the steps, one above the other, in which a model computes its states."),
     vaswani},
    {QT_TRANSLATE_NOOP("attn::ui", "layer normalization"),
     QT_TRANSLATE_NOOP(
         "attn::ui",
         "Brings the numbers of a state to mean 0 and variance 1, then scales and shifts them as it has learned."),
     "Ba, Kiros and Hinton (2016): Layer Normalization"},
    {QT_TRANSLATE_NOOP("attn::ui", "local attention"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "Only a window around one position is attended to; in local-p the model predicts where."),
     luong},
    {QT_TRANSLATE_NOOP("attn::ui", "log probability"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "The logarithm of a probability: 0 is certain, and those of the tokens of an output add up."),
     "Bengio, Ducharme, Vincent and Jauvin (2003): A Neural Probabilistic Language Model"},
    {QT_TRANSLATE_NOOP("attn::ui", "logit"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "The number that a model gives a token before the softmax makes a probability of it."),
     "Goodfellow, Bengio and Courville (2016): Deep Learning"},
    {QT_TRANSLATE_NOOP("attn::ui", "LSTM"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "A recurrent cell with a memory and gates that decide what is written, kept and read."),
     "Hochreiter and Schmidhuber (1997): Long Short-Term Memory"},
    {QT_TRANSLATE_NOOP("attn::ui", "masked language model"),
     QT_TRANSLATE_NOOP("attn::ui", "Learns to guess words that are hidden, and so reads in both directions."), devlin},
    {QT_TRANSLATE_NOOP("attn::ui", "multi-head attention"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "Several heads beside each other; their results are joined and mixed by one more matrix."),
     vaswani},
    {QT_TRANSLATE_NOOP("attn::ui", "nucleus sampling"),
     QT_TRANSLATE_NOOP("attn::ui", "Draws from the fewest tokens whose probabilities sum to p."),
     "Holtzman, Buys, Du, Forbes and Choi (2020): The Curious Case of Neural Text Degeneration"},
    {QT_TRANSLATE_NOOP("attn::ui", "perplexity"),
     QT_TRANSLATE_NOOP("attn::ui", "How many tokens a model hesitates between on average; lower is better."),
     "Jelinek, Mercer, Bahl and Baker (1977): Perplexity: a Measure of the Difficulty of Speech Recognition Tasks"},
    {QT_TRANSLATE_NOOP("attn::ui", "positional encoding"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "What tells a Transformer the order of the tokens, which attention alone does not see."),
     vaswani},
    {QT_TRANSLATE_NOOP("attn::ui", "query"),
     QT_TRANSLATE_NOOP("attn::ui", "The vector of the token that asks; it is compared with all keys."), vaswani},
    {QT_TRANSLATE_NOOP("attn::ui", "residual connection"),
     QT_TRANSLATE_NOOP("attn::ui", "What a layer computes is added to what it was given."),
     "He, Zhang, Ren and Sun (2016): Deep Residual Learning for Image Recognition"},
    {QT_TRANSLATE_NOOP("attn::ui", "RoPE"),
     QT_TRANSLATE_NOOP(
         "attn::ui",
         "Positions as rotations of queries and keys: their dot product then depends on the distance only."),
     "Su et al. (2021): RoFormer: Enhanced Transformer with Rotary Position Embedding"},
    {QT_TRANSLATE_NOOP("attn::ui", "score"),
     QT_TRANSLATE_NOOP("attn::ui", "What a query and a key give before the softmax."), luong},
    {QT_TRANSLATE_NOOP("attn::ui", "self-attention"),
     QT_TRANSLATE_NOOP("attn::ui", "Tokens attend to the tokens of the same text."),
     "Lin et al. (2017): A Structured Self-Attentive Sentence Embedding"},
    {QT_TRANSLATE_NOOP("attn::ui", "softmax"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "Makes positive numbers that sum to 1: each is e to its power, divided by the sum of all."),
     "Bridle (1990): Probabilistic Interpretation of Feedforward Classification Network Outputs"},
    {QT_TRANSLATE_NOOP("attn::ui", "special token"),
     QT_TRANSLATE_NOOP("attn::ui", "A token that is no text: the end of a sentence, a separator, a mask."), devlin},
    {QT_TRANSLATE_NOOP("attn::ui", "subword"),
     QT_TRANSLATE_NOOP("attn::ui", "A piece of a word: rare words are read and written in several."), sennrich},
    {QT_TRANSLATE_NOOP("attn::ui", "teacher forcing"),
     QT_TRANSLATE_NOOP("attn::ui", "A given output is read back instead of what the model would have written."),
     "Williams and Zipser (1989): A Learning Algorithm for Continually Running Fully Recurrent Neural Networks"},
    {QT_TRANSLATE_NOOP("attn::ui", "temperature"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "Divides the logits before drawing: below 1 the probable tokens gain, above 1 the others."),
     "Ackley, Hinton and Sejnowski (1985): A Learning Algorithm for Boltzmann Machines"},
    {QT_TRANSLATE_NOOP("attn::ui", "token"),
     QT_TRANSLATE_NOOP("attn::ui",
                       "What a model reads and writes one of at a time: a word, a piece of one, or a sign."),
     "Webster and Kit (1992): Tokenization as the Initial Phase in NLP"},
    {QT_TRANSLATE_NOOP("attn::ui", "top-k sampling"),
     QT_TRANSLATE_NOOP("attn::ui", "Draws from the k most probable tokens."),
     "Fan, Lewis and Dauphin (2018): Hierarchical Neural Story Generation"},
    {QT_TRANSLATE_NOOP("attn::ui", "value"),
     QT_TRANSLATE_NOOP("attn::ui", "The vector of a token that goes into the result, by its weight."), vaswani}};

} // namespace

std::span<const Term> glossary()
{
    return terms;
}

namespace {

struct Gloss
{
    const char* french;
    const char* english;
};

constexpr Gloss glosses[] = {{"je", "I"},
                             {"tu", "you"},
                             {"il", "he"},
                             {"elle", "she"},
                             {"nous", "us"},
                             {"vous", "you"},
                             {"ils", "they"},
                             {"elles", "they"},
                             {"qu'elle", "that she"},
                             {"qu'il", "that he"},
                             {"ne", "not"},
                             {"n'est", "is not"},
                             {"pas", "not"},
                             {"pense", "think"},
                             {"crois", "believe"},
                             {"que", "that"},
                             {"reviendra", "will come back"},
                             {"revienne", "comes back"},
                             {"rentrera", "will come home"},
                             {"rentre", "comes home"},
                             {"retournera", "will return"},
                             {"revenir", "to come back"},
                             {"chez", "at the home of"},
                             {"maison", "house"},
                             {"ce", "this"},
                             {"cette", "this"},
                             {"soir", "evening"},
                             {"nuit", "night"},
                             {"demain", "tomorrow"},
                             {"veut", "wants"},
                             {"venir", "to come"},
                             {"viendra", "will come"},
                             {"à", "to"},
                             {"la", "the"},
                             {"le", "the"},
                             {"les", "the"},
                             {"un", "a"},
                             {"une", "a"},
                             {"et", "and"},
                             {"dans", "in"}};

} // namespace

QString glossOf(const QString& word)
{
    if (QLocale().language() == QLocale::French)
        return {};
    const QString plain = word.toLower();
    const auto* const found = std::ranges::find_if(
        glosses, [&plain](const Gloss& gloss) { return plain == QString::fromUtf8(gloss.french); });
    return found == std::end(glosses) ? QString() : QString::fromUtf8(found->english);
}

} // namespace attn::ui
