# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes what is measured into the card of an exported translation or language model, from training.json and
scores.json: its sections Training, Scores and, of a language model, Examples and Heads. The others are written by hand
and stay."""
import argparse
import json
import os
import re
import textwrap

from data import CORPORA

WIDTH = 120


def paragraph(text, item=False):
    """In lines; of a list, if it is an item."""
    return textwrap.fill(" ".join(text.split()), WIDTH, initial_indent="- " * item, subsequent_indent="  " * item,
                         break_long_words=False, break_on_hyphens=False)


def counted(count, noun):
    return f"{count:,} {noun}" + ("s" if count != 1 else "")


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)


def span(entry):
    return f"{entry['from']}-{entry['to']}" if entry["from"] != entry["to"] else str(entry["from"])


def last(record, measure):
    return next((entry[measure] for entry in reversed(record["validation"]) if measure in entry), None)


def time_of(hours):
    return f"{hours:.1f} hours" if hours >= 1 else counted(round(60 * hours), "minute")


def hours_of(record):
    """All hours and, of several machines, those of each."""
    on = {name.replace("(R)", ""): hours for name, hours in record["hours_on"].items()}
    each = "; ".join(f"{time_of(hours)} on {name}" for name, hours in on.items())
    return time_of(record["hours"]) + (f" ({each})" if len(on) > 1 else "".join(f" on {name}" for name in on))


def run_of(run, unit, name):
    """One run of the model of this name in words."""
    if run["start"] == name:
        start = ", going on with its own weights"
    else:
        start = f", started with what fits of `{run['start']}`" if run["start"] else ""
    return f"""{counted(run['steps'], 'update')} of up to {run['batch']:,} {unit} in {time_of(run['hours'])}{start};
               {run['passes']:.2f} passes over {run['data']}; peak rate {run['rate']:g}, dropout {run['dropout']:g},
               {'bf16 autocast' if run['bf16'] else 'float32'}, seed {run['seed']}, PyTorch {run['torch']}"""


def held_out(record):
    """The last losses on held-out text, in words."""
    places = {name + " loss": f"{name.capitalize()}'s validation set" for name in CORPORA}
    places["loss"] = "the validation text"
    return [f"{last(record, measure):.2f} on {place}" for measure, place in places.items()
            if last(record, measure) is not None]


def training(record, translates):
    unit = "target pieces" if translates else "tokens"
    seen = unit if translates else record["unit"]
    losses = [f"{record['curve'][-1][3]:.2f} in training"] if record["curve"] else []
    losses += held_out(record)
    text = f"""{hours_of(record)}: {record['seen'] / 1e6:.1f} million {seen}. Muon and
               Adam{', label smoothing 0.1' if translates else ''}."""
    if losses:
        text += f" Cross-entropy a {seen.removesuffix('s')} at the end: {', '.join(losses)}."
    text += """ The stored weights are an exponential moving average. The program and how to repeat it:
               [`resources/training`](../../training/README.md)."""
    return [paragraph(text), "",
            *(paragraph(run_of(run, unit, record["name"]), True) for run in record["runs"]), "",
            f"![Loss by {seen} seen](loss.svg)"]


def table(rows):
    return ["", "| English words | Sentences | BLEU |", "|---|---|---|"] + [
        f"| {span(entry)} | {entry['sentences']} | {entry['bleu']:.1f} |" for entry in rows]


def site(row, heads):
    where = f"head {row['layer']}.{row['head']}" if row["head"] != "mean" else f"the mean of layer {row['layer']}"
    where = where if heads else "the attention"
    step = "the step that writes it" if row["rows"] == "predicting" else "the step that reads it"
    return f"**{100 * row['aer']:.1f}%** for {where}, a word standing in {step}"


def aligned(found):
    text = "Alignment error rate (Och and Ney 2003) of sentences aligned by hand (Xu and Yvon 2016), output given: "
    text += site(found["best"], "best_layer_mean" in found)
    if "best_layer_mean" in found:
        text += f"; {site(found['best_layer_mean'], True)}"
    return ["", paragraph(text + ".")]


def scores(found):
    lines = [paragraph(f"""Case-sensitive BLEU (13a tokens, exponential smoothing) of the test pairs' translations,
                       beam {found['beam']}, sum of log-probabilities divided by length:
                       **{found['bleu_europarl']:.1f}** on Europarl's {found['test_sentences_europarl']:,},
                       **{found['bleu']:.1f}** on Tatoeba's {found['test_sentences']:,}. `scores.json` has all figures
                       of this section."""),
             "", "Europarl by length:"] + table(found["bleu_by_length"])
    lines += ["", "Tatoeba by length, the test and the validation pairs, because the test has short sentences only:"]
    lines += table(found["bleu_by_length_tatoeba"])
    if "mean_row_maximum" in found:
        lines += ["", f"The largest attention weight of an output step is {found['mean_row_maximum']:.2f} on average."]
    if "aer" in found:
        lines += aligned(found["aer"])
    lines += ["", "The sentences of figure 3 of Bahdanau et al. (2015):", ""]
    for entry in found["paper_sentences"]:
        lines.append(paragraph(f"{entry['source']} *{entry['output']}*", True))
    return lines


SOURCES = {"all": "All", "stories": "TinyStories", "ebooks": "Standard Ebooks", "austen": "Austen",
           "tatoeba": "Tatoeba", "wordnet": "WordNet"}
COLUMNS = {"tokens": ("Tokens", "{:,}"), "masked_tokens": ("Masked tokens", "{:,}"),
           "perplexity": ("Perplexity", "{:.1f}"), "perplexity_by_word": ("Perplexity, word", "{:.0f}"),
           "bits_by_byte": ("Bits a byte", "{:.2f}"), "right": ("Right", "{:.1%}"),
           "top_5": ("Among the first five", "{:.1%}")}  # of a language model's scores


def language_scores(found):
    test = found["test"]
    shown = [name for name in COLUMNS if name in test["all"]]
    if "top_5" in test["all"]:
        text = f"""With 15% of the tokens of held-out text hidden by `[MASK]`, in three drawings: perplexity
                   **{test['all']['perplexity']:.1f}** a hidden token, **{test['all']['right']:.1%}** of them guessed
                   right, **{test['all']['top_5']:.1%}** among the five likeliest. Hiding one token at a time, Tatoeba's
                   sentences have a pseudo-perplexity (Salazar et al. 2020) of
                   {test['tatoeba']['pseudo_perplexity']:.1f}."""
    else:
        text = f"""Perplexity on held-out text: **{test['all']['perplexity']:.1f}** a token. Every document is read by
                   itself and its first token is not counted; a word is what stands between spaces."""
    lines = [paragraph(text), "", "| Test text | " + " | ".join(COLUMNS[name][0] for name in shown) + " |",
             "|---|" + "---|" * len(shown)]
    for source, values in test.items():
        lines.append(f"| {SOURCES[source]} | "
                     + " | ".join(COLUMNS[name][1].format(values[name]) for name in shown) + " |")
    return lines


def examples(found):
    if "filled" in found["examples"][0]:
        return ["The five likeliest tokens at `[MASK]`:", ""] + [
            paragraph(f"{entry['prompt']} *{', '.join(f'{token} {share:.2f}' for token, share in entry['filled'])}*",
                      True) for entry in found["examples"]]
    return ["Continued by the likeliest token, up to forty times:", ""] + [
        paragraph(f"{entry['prompt']} *{entry['continued'].strip()}*", True) for entry in found["examples"]]


def stands_out(head):
    return head["share"] >= 0.1 and head["share"] >= 2 * head["chance"]


def heads(found, causal):
    jobs = {entry["job"]: entry["looks_at"] for entry in found["heads"]}
    missing = [looks_at for job, looks_at in jobs.items()
               if not any(entry["job"] == job and stands_out(entry) for entry in found["heads"])]
    first = ", the first 128 tokens of each document" if causal else ""
    lines = [paragraph(f"""Attention on the test text{first}. Share: the mean weight that goes to that place, over the
                       positions where there is one; largest: how often the largest weight is there; chance: the share
                       if attention were even. Heads are shown that give a place at least a tenth of their attention and
                       twice what chance would. Layers and heads count from 0. `scores.json` has the other figures."""),
             "", "| Looks at | Layer:head | Share | Largest | Chance | Positions |", "|---|---|---|---|---|---|"]
    lines += [f"| {entry['looks_at']} | {entry['layer']}:{entry['head']} | {entry['share']:.0%} | "
              f"{entry['hits']:.0%} | {entry['chance']:.0%} | {entry['positions']:,} |"
              for entry in found["heads"] if stands_out(entry)]
    if missing:
        lines += ["", paragraph(f"No head stands out for: {'; '.join(missing)}.")]
    return lines + ["", paragraph("""The subject is found by a rule: the last pronoun (I, you, he, she, it, we, they)
                                  before one of about eighty frequent verb forms, two to five tokens before it, with no
                                  verb and no punctuation between, as in "he never goes".""")]


def replaced(card, title, lines):
    """The card with the text below a heading exchanged."""
    pattern = re.compile(rf"(?<=^## {title}\n\n).*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    if not pattern.search(card):
        raise SystemExit(f"the card has no section {title}")
    return pattern.sub(lambda _: "\n".join(lines) + "\n\n", card, count=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="an exported model with its card, training.json and scores.json")
    options = parser.parse_args()
    path = os.path.join(options.folder, "README.md")
    with open(path, encoding="utf-8") as file:
        card = file.read()
    record, found = (read(options.folder, name) for name in ("training.json", "scores.json"))
    translates = "test" not in found
    card = replaced(card, "Training", training(record, translates))
    card = replaced(card, "Scores", scores(found) if translates else language_scores(found))
    if not translates:
        card = replaced(card, "Examples", examples(found))
        card = replaced(card, "Heads", heads(found, "filled" not in found["examples"][0]))
    with open(path, "w", encoding="utf-8") as out:
        out.write(card.rstrip("\n") + "\n")


if __name__ == "__main__":
    main()
