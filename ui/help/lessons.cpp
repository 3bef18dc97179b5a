// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "help/lessons.h"

#include <QtGlobal>

namespace attn::ui {

namespace {

constexpr LessonStep fromTheFixedVector[] = {
    {.text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "This translator reads your sentence into **one** [context vector](glossary#context-vector) and writes from "
         "it alone (Cho et al. 2014). There is no attention to draw. Its output stands under the picture: what of your "
         "sentence was lost?"),
     .model = "rnn-no-attention-en-fr",
     .view = "heatmap"},
    {.text = QT_TRANSLATE_NOOP("attn::ui",
                               "However long the sentence, the vector stays as wide. The laboratory has the price of "
                               "that: the score falls with the number of words, while with attention it holds."),
     .model = "rnn-no-attention-en-fr",
     .page = "length"},
    {.text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "RNNsearch (Bahdanau, Cho and Bengio 2015) keeps an [annotation](glossary#annotation) of every word. For each "
         "word that it writes, a row here, it looks back: the cells say how much at which word. Each row sums to 1."),
     .model = "rnnsearch-en-fr",
     .view = "heatmap",
     .site = "cross"},
    {.text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "One step of it. What it looks at is summed by these weights into a context vector of its own, and from that "
         "come the [candidates](glossary#candidate). Alt+Right goes to the next word: the weights move on."),
     .model = "rnnsearch-en-fr",
     .view = "decoding",
     .place = LessonPlace::First},
    {.text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "Where does a weight come from? A small network scores each annotation against the decoder's state, and the "
         "[softmax](glossary#softmax) makes weights of the scores. *Inside one step* has all numbers of the cell that "
         "you click."),
     .model = "rnnsearch-en-fr",
     .view = "heatmap",
     .place = LessonPlace::Second,
     .page = "step"},
    {.text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "Luong, Pham and Manning (2015) made the score a product of the two vectors instead of a network, and ask "
         "with the decoder's new state rather than the one before. The same sentence: does the path of the weights "
         "differ?"),
     .model = "luong-general-en-fr",
     .view = "heatmap"},
    {.text = QT_TRANSLATE_NOOP("attn::ui",
                               "The laboratory puts them side by side, with and without attention. Now try a sentence "
                               "of yours with more than "
                               "twenty words: type it at the top and press Enter."),
     .page = "compare"}};

constexpr LessonStep fromOneHead[] = {
    {.text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "RNNsearch asks once for each word that it writes: *where to look?* One answer, one row of weights. But a "
         "word may need its subject, its object and its neighbour at once."),
     .model = "rnnsearch-en-fr",
     .view = "heatmap",
     .site = "cross"},
    {.text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "A Transformer (Vaswani et al. 2017) asks eight times in each layer, by eight [heads](glossary#head), each "
         "with [queries](glossary#query), [keys](glossary#key) and [values](glossary#value) of its own. This is one of "
         "them, in the last layer."),
     .model = "transformer-en-fr",
     .view = "heatmap",
     .site = "cross:2:0"},
    {.text = QT_TRANSLATE_NOOP("attn::ui",
                               "Another head of the same layer on the same sentence. It looks elsewhere: nobody told "
                               "it what to look for, training did. The panel *Shown* at the right changes heads."),
     .model = "transformer-en-fr",
     .view = "heatmap",
     .site = "cross:2:5"},
    {.text = QT_TRANSLATE_NOOP("attn::ui",
                               "All heads between the two texts: a row a layer, a column a head. Which follow the "
                               "words in order, which look at the end of the sentence? A click chooses one."),
     .model = "transformer-en-fr",
     .view = "grid",
     .site = "cross:2:0"},
    {.text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "The encoder's heads: [self-attention](glossary#self-attention), in which the words of your sentence look at "
         "each other. Lines beside the diagonal look at a neighbour, columns at one word; those at the right rest at "
         "the "
         "end of the sentence."),
     .model = "transformer-en-fr",
     .view = "grid",
     .site = "encoder:1:5"},
    {.text = QT_TRANSLATE_NOOP("attn::ui",
                               "Scores are divided by the square root of a head's width. Why? The laboratory compares "
                               "random vectors with the head that you have chosen."),
     .model = "transformer-en-fr",
     .view = "heatmap",
     .site = "encoder:1:5",
     .page = "scaling"},
    {.text = QT_TRANSLATE_NOOP("attn::ui",
                               "Are all of them needed? The sweep switches each off in turn and measures what becomes "
                               "of your sentence's translation. Most can go; a few cannot."),
     .model = "transformer-en-fr",
     .view = "grid",
     .site = "cross:2:0",
     .page = "sweep"}};

constexpr LessonStep toDecoding[] = {
    {.text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "Before the first word nothing is written. The model looks at your sentence and gives every token of its "
         "vocabulary a probability; these are the best. [Greedy decoding](glossary#greedy-decoding) takes the first."),
     .model = "transformer-en-fr",
     .view = "decoding",
     .site = "cross:2:mean",
     .place = LessonPlace::First,
     .beams = 1},
    {.text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "What was written is read back for the next word: the model is [autoregressive](glossary#autoregressive), and "
         "so one word changes all that follow. Alt+Right goes on, Ctrl+Space plays."),
     .model = "transformer-en-fr",
     .view = "decoding",
     .place = LessonPlace::Second,
     .beams = 1},
    {.text = QT_TRANSLATE_NOOP("attn::ui",
                               "The last token is the end of the sentence: the model says by itself that it is done. "
                               "Where does it look for that?"),
     .model = "transformer-en-fr",
     .view = "heatmap",
     .place = LessonPlace::Last,
     .beams = 1},
    {.text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "The best next word need not begin the best sentence. [Beam search](glossary#beam-search) keeps four "
         "[hypotheses](glossary#hypothesis) at every step; here is all that it tried, with sums of "
         "[log probabilities](glossary#log-probability)."),
     .model = "transformer-en-fr",
     .view = "beam",
     .beams = 4},
    {.text = QT_TRANSLATE_NOOP(
         "attn::ui",
         "Each hypothesis has looked at your sentence in its own way. Choose another one, in the list under the "
         "picture or by a click in the beam tree, and the rows change with it."),
     .model = "transformer-en-fr",
     .view = "heatmap",
     .site = "cross:2:mean",
     .beams = 4},
    {.text = QT_TRANSLATE_NOOP(
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
