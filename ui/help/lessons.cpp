// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "help/lessons.h"

#include <QtGlobal>

namespace attn::ui {

namespace {

// Answers to choose from.
constexpr const char* keptNumbers[] = {QT_TRANSLATE_NOOP("attn::ui", "Just as many"),
                                       QT_TRANSLATE_NOOP("attn::ui", "Four times as many")};
constexpr const char* scoreOfLong[] = {QT_TRANSLATE_NOOP("attn::ui", "They stay as good"),
                                       QT_TRANSLATE_NOOP("attn::ui", "They get worse")};
constexpr const char* whereFrom[] = {QT_TRANSLATE_NOOP("attn::ui", "From how often words occur together"),
                                     QT_TRANSLATE_NOOP("attn::ui", "From a score for every word of this sentence")};
constexpr const char* losesMore[] = {QT_TRANSLATE_NOOP("attn::ui", "The one without"),
                                     QT_TRANSLATE_NOOP("attn::ui", "The one with attention")};
constexpr const char* asksOnce[] = {QT_TRANSLATE_NOOP("attn::ui", "Once"),
                                    QT_TRANSLATE_NOOP("attn::ui", "Several times, in several ways")};
constexpr const char* headsDiffer[] = {QT_TRANSLATE_NOOP("attn::ui", "No, each at others"),
                                       QT_TRANSLATE_NOOP("attn::ui", "Yes, much the same")};
constexpr const char* encoderLooks[] = {QT_TRANSLATE_NOOP("attn::ui", "At the words that will be written"),
                                        QT_TRANSLATE_NOOP("attn::ui", "At the words of the same sentence")};
constexpr const char* widerProducts[] = {QT_TRANSLATE_NOOP("attn::ui", "They stay as large"),
                                         QT_TRANSLATE_NOOP("attn::ui", "They spread")};
constexpr const char* switchedOff[] = {QT_TRANSLATE_NOOP("attn::ui", "The same sentence"),
                                       QT_TRANSLATE_NOOP("attn::ui", "Another sentence")};
constexpr const char* nextWords[] = {QT_TRANSLATE_NOOP("attn::ui", "The one that it writes"),
                                     QT_TRANSLATE_NOOP("attn::ui", "All that it knows, each with a probability")};
constexpr const char* secondWord[] = {QT_TRANSLATE_NOOP("attn::ui", "Yes"),
                                      QT_TRANSLATE_NOOP("attn::ui", "No, only on what was read")};
constexpr const char* whoEnds[] = {QT_TRANSLATE_NOOP("attn::ui", "The model"),
                                   QT_TRANSLATE_NOOP("attn::ui", "A limit of its length")};
constexpr const char* greedyFinds[] = {QT_TRANSLATE_NOOP("attn::ui", "Always"),
                                       QT_TRANSLATE_NOOP("attn::ui", "Not always")};
constexpr const char* hypothesesLook[] = {QT_TRANSLATE_NOOP("attn::ui", "Each in its own way"),
                                          QT_TRANSLATE_NOOP("attn::ui", "Yes, the sentence is the same")};

constexpr LessonStep fromTheFixedVector[] = {
    {.question = QT_TRANSLATE_NOOP(
         "attn::ui",
         "This translator reads your sentence and keeps **one** [context vector](glossary#context-vector) of it (Cho "
         "et al. 2014). How many numbers does it keep of a sentence that is four times as long?"),
     .text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "Just as many. Your sentence becomes **one** [context vector](glossary#context-vector), always as wide, and "
         "the translation is written from it alone: there is no attention to draw. Does the line WRITES still have "
         "all of your sentence?"),
     .answers = keptNumbers,
     .model = "rnn-no-attention-en-fr",
     .view = "heatmap"},
    {.question = QT_TRANSLATE_NOOP("attn::ui",
                                   "With ten words its translations are fair. What becomes of them with thirty words?"),
     .text = QT_TRANSLATE_NOOP("attn::ui",
                               "They get worse: the vector is as wide as before. The laboratory has the curve. Without "
                               "attention the longer sentence is the worse translation, with attention it is not."),
     .answers = scoreOfLong,
     .right = 1,
     .model = "rnn-no-attention-en-fr",
     .page = "length"},
    {.question = QT_TRANSLATE_NOOP(
         "attn::ui",
         "RNNsearch (Bahdanau, Cho and Bengio 2015) keeps an [annotation](glossary#annotation) of every word and looks "
         "back at them. Now **%1** comes. At which word does it look most? Click it, above or here:"),
     .text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "RNNsearch (Bahdanau, Cho and Bengio 2015) keeps an [annotation](glossary#annotation) of every word. For each "
         "word that it writes, a row here, it looks back: the cells say how much at which word. Each row sums to 1, "
         "special tokens included."),
     .model = "rnnsearch-en-fr",
     .view = "heatmap",
     .site = "cross"},
    {.question = QT_TRANSLATE_NOOP(
         "attn::ui",
         "Back to the beginning: nothing is written yet, and **%1** comes. At which word does it look most?"),
     .text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "One step. The annotations are added up, each as much as it weighs, into a context vector for this word, and "
         "from that come the [candidates](glossary#candidate). Alt+Right goes to the next word: the weights move on."),
     .model = "rnnsearch-en-fr",
     .view = "decoding",
     .place = LessonPlace::First},
    {.question = QT_TRANSLATE_NOOP("attn::ui", "Where does such a weight come from?"),
     .text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "From a score for every word: a small network compares its annotation with the decoder's state, and the "
         "[softmax](glossary#softmax) makes weights of the scores. *Inside one step* has all numbers of the cell that "
         "you click."),
     .answers = whereFrom,
     .right = 1,
     .model = "rnnsearch-en-fr",
     .view = "heatmap",
     .place = LessonPlace::Second,
     .page = "step"},
    {.question = QT_TRANSLATE_NOOP("attn::ui",
                                   "Luong, Pham and Manning (2015) made the score a product of two vectors instead of "
                                   "a network. Now **%1** comes. At which word does this model look most?"),
     .text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "Luong, Pham and Manning (2015) made the score a product of the two vectors instead of a network, and ask "
         "with the decoder's new state rather than the one before. The same sentence: does the path of the weights "
         "differ?"),
     .model = "luong-general-en-fr",
     .view = "heatmap"},
    {.question = QT_TRANSLATE_NOOP("attn::ui", "A sentence of twenty-five words: which of the two loses more of it?"),
     .text = QT_TRANSLATE_NOOP("attn::ui",
                               "The one without: the laboratory puts them side by side. Now try a sentence "
                               "of yours with more than "
                               "twenty words: type it at the top and press Enter."),
     .answers = losesMore,
     .page = "compare"}};

constexpr LessonStep fromOneHead[] = {
    {.question = QT_TRANSLATE_NOOP("attn::ui", "RNNsearch writes a word. How often does it ask where to look?"),
     .text =
         QT_TRANSLATE_NOOP("attn::ui",
                           "Once for each word that it writes: *where to look?* One answer, one row of weights. But a "
                           "word may need its subject, its object and its neighbour at once."),
     .answers = asksOnce,
     .model = "rnnsearch-en-fr",
     .view = "heatmap",
     .site = "cross"},
    {.question = QT_TRANSLATE_NOOP(
         "attn::ui",
         "A Transformer (Vaswani et al. 2017) asks eight times in each layer, by eight [heads](glossary#head). This is "
         "one of them, in the last layer, and **%1** comes. At which word does the head look most?"),
     .text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "A Transformer (Vaswani et al. 2017) asks eight times in each layer, by eight [heads](glossary#head), each "
         "with [queries](glossary#query), [keys](glossary#key) and [values](glossary#value) of its own. This is one of "
         "them, in the last layer."),
     .model = "transformer-en-fr",
     .view = "heatmap",
     .site = "cross:2:0"},
    {.question = QT_TRANSLATE_NOOP(
         "attn::ui",
         "Another head of the same layer, on the same sentence: for **%1**, does it look at the same word? At which?"),
     .text = QT_TRANSLATE_NOOP("attn::ui",
                               "Another head of the same layer on the same sentence. For some words it looks at the "
                               "same place, for many elsewhere: nobody told it what to look for, training did. The "
                               "panel *Shown* at the right changes heads."),
     .model = "transformer-en-fr",
     .view = "heatmap",
     .site = "cross:2:7"},
    {.question = QT_TRANSLATE_NOOP("attn::ui",
                                   "Three layers with eight heads each stand between the two texts. Do heads of one "
                                   "layer look at the same words?"),
     .text =
         QT_TRANSLATE_NOOP("attn::ui",
                           "No: here are all heads between the two texts, a row a layer, a column a head. Which follow "
                           "the words in order, which look at the end of the sentence? A click chooses one."),
     .answers = headsDiffer,
     .model = "transformer-en-fr",
     .view = "grid",
     .site = "cross:2:0"},
    {.question = QT_TRANSLATE_NOOP("attn::ui",
                                   "The encoder has heads, too, while nothing is written yet. At what can they look?"),
     .text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "At the words of the same sentence, which look at each other: [self-attention](glossary#self-attention). "
         "Lines beside the diagonal look at a neighbour, columns at one word; those at the right rest at "
         "the "
         "end of the sentence."),
     .answers = encoderLooks,
     .right = 1,
     .model = "transformer-en-fr",
     .view = "grid",
     .site = "encoder:1:5"},
    {.question = QT_TRANSLATE_NOOP(
         "attn::ui", "A score is a product of two vectors. What becomes of such products when the vectors are wider?"),
     .text = QT_TRANSLATE_NOOP("attn::ui",
                               "They spread: that is why scores are divided by the square root of a head's width. The "
                               "laboratory compares random vectors with the head that you have chosen."),
     .answers = widerProducts,
     .right = 1,
     .model = "transformer-en-fr",
     .view = "heatmap",
     .site = "encoder:1:5",
     .page = "scaling"},
    {.question = QT_TRANSLATE_NOOP(
         "attn::ui",
         "One of the heads is switched off, and the sentence is translated again. What happens for most of them?"),
     .text = QT_TRANSLATE_NOOP("attn::ui",
                               "The same sentence: most heads can go, a few cannot. The sweep switches each off in "
                               "turn and measures what becomes of your sentence's translation."),
     .answers = switchedOff,
     .model = "transformer-en-fr",
     .view = "grid",
     .site = "cross:2:0",
     .page = "sweep"}};

constexpr LessonStep toDecoding[] = {
    {.question = QT_TRANSLATE_NOOP(
         "attn::ui", "Before the first word nothing is written. How many next words does the model think possible?"),
     .text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "All that it knows: the model looks at your sentence and gives every token of its vocabulary a probability; "
         "these are the best. [Greedy decoding](glossary#greedy-decoding) takes the first."),
     .answers = nextWords,
     .right = 1,
     .model = "transformer-en-fr",
     .view = "decoding",
     .site = "cross:2:mean",
     .place = LessonPlace::First,
     .beams = 1},
    {.question = QT_TRANSLATE_NOOP("attn::ui", "The first word stands. Does the second depend on it?"),
     .text = QT_TRANSLATE_NOOP("attn::ui",
                               "Yes: what was written is read back for the next word: the model is "
                               "[autoregressive](glossary#autoregressive), and "
                               "so one word changes all that follow. Alt+Right goes on, Ctrl+Space plays."),
     .answers = secondWord,
     .model = "transformer-en-fr",
     .view = "decoding",
     .place = LessonPlace::Second,
     .beams = 1},
    {.question = QT_TRANSLATE_NOOP("attn::ui", "Who says that the sentence is over?"),
     .text = QT_TRANSLATE_NOOP("attn::ui",
                               "The model: its last token is the end of the sentence, a candidate like all others. "
                               "Ctrl+Shift+M shows special tokens: where does it look for that?"),
     .answers = whoEnds,
     .model = "transformer-en-fr",
     .view = "heatmap",
     .place = LessonPlace::Last,
     .beams = 1},
    {.question = QT_TRANSLATE_NOOP(
         "attn::ui", "Greedy decoding takes the best next word each time. Does it find the most probable sentence?"),
     .text =
         QT_TRANSLATE_NOOP("attn::ui",
                           "Not always: the best next word need not begin the best sentence. [Beam "
                           "search](glossary#beam-search) keeps four "
                           "[hypotheses](glossary#hypothesis) at every step; here is all that it tried, with sums of "
                           "[log probabilities](glossary#log-probability)."),
     .answers = greedyFinds,
     .right = 1,
     .model = "transformer-en-fr",
     .view = "beam",
     .beams = 4},
    {.question = QT_TRANSLATE_NOOP(
         "attn::ui", "Four [hypotheses](glossary#hypothesis) of one sentence. Do they look at the same words?"),
     .text = QT_TRANSLATE_NOOP("attn::ui",
                               "Each looks in its own way. Choose another one, in the list under the "
                               "picture or by a click in the beam tree, and the rows change with it."),
     .answers = hypothesesLook,
     .model = "transformer-en-fr",
     .view = "heatmap",
     .site = "cross:2:mean",
     .beams = 4},
    {.question = nullptr,
     .text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "Now you decide. Click another word in the panel *Chosen*: the output goes on from it, and the attention "
         "follows. The panel *Runs* keeps all that you try; Ctrl+Z goes back. The laboratory has what other models "
         "write."),
     .model = "transformer-en-fr",
     .view = "heatmap",
     .place = LessonPlace::Second,
     .page = "compare",
     .beams = 1}};

constexpr Lesson lessonRows[] = {
    {"fixed-vector", QT_TRANSLATE_NOOP("attn::ui", "From the fixed vector to attention"), fromTheFixedVector},
    {"heads", QT_TRANSLATE_NOOP("attn::ui", "From one head to many"), fromOneHead},
    {"decoding", QT_TRANSLATE_NOOP("attn::ui", "From attention to decoding"), toDecoding}};

} // namespace

std::span<const Lesson> lessons()
{
    return lessonRows;
}

} // namespace attn::ui
