# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Case-sensitive corpus BLEU as sacreBLEU computes it by default: 13a tokens, exponential smoothing (Post 2018)."""
import collections
import math
import re

_RULES = [(re.compile(pattern), replacement) for pattern, replacement in (
    (r"([\{-\~\[-\` -\&\(-\+\:-\@\/])", r" \1 "),
    (r"([^0-9])([\.,])", r"\1 \2 "),
    (r"([\.,])([^0-9])", r" \1 \2"),
    (r"([0-9])(-)", r"\1 \2 "))]


def tokens13a(line):
    line = line.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        line = line.replace(entity, character)
    line = f" {line} "
    for rule, replacement in _RULES:
        line = rule.sub(replacement, line)
    return line.split()


def _ngrams(words, n):
    return collections.Counter(tuple(words[i:i + n]) for i in range(len(words) - n + 1))


def bleu(hypotheses, references):
    """BLEU in percent of two equally long lists of lines."""
    right, total, hypothesis_length, reference_length = [0] * 4, [0] * 4, 0, 0
    for hypothesis, reference in zip(hypotheses, references):
        h, r = tokens13a(hypothesis.rstrip()), tokens13a(reference.rstrip())
        hypothesis_length += len(h)
        reference_length += len(r)
        for n in range(4):
            mine, theirs = _ngrams(h, n + 1), _ngrams(r, n + 1)
            right[n] += sum(min(count, theirs[gram]) for gram, count in mine.items())
            total[n] += max(len(h) - n, 0)
    if not all(total) or not right[0]:
        return 0.0
    smooth, logs = 1.0, 0.0
    for n in range(4):
        if right[n]:
            precision = 100.0 * right[n] / total[n]
        else:
            smooth *= 2
            precision = 100.0 / (smooth * total[n])
        logs += math.log(precision)
    brevity = 1.0 if hypothesis_length >= reference_length else math.exp(1 - reference_length / hypothesis_length)
    return brevity * math.exp(logs / 4)


def _check():
    assert abs(bleu(["the cat sat on the mat ."], ["the cat sat on the mat."]) - 100) < 1e-9
    assert tokens13a("It's 3.5, isn't it?") == ["It's", "3.5", ",", "isn't", "it", "?"]
    assert bleu(["a b c d e"], ["v w x y z"]) == 0.0
    # precisions 4/5, 2/4, 0 -> 1/(2*3), 0 -> 1/(4*2)
    expected = 100 * math.exp((math.log(4 / 5) + math.log(2 / 4) + math.log(1 / 6) + math.log(1 / 8)) / 4)
    assert abs(bleu(["a b x c d"], ["a b y c d"]) - expected) < 1e-9


if __name__ == "__main__":
    _check()
    print("BLEU: ok")
