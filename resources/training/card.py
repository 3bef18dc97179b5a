# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes what is measured into the card of an exported translation model: its sections Training and Scores, from
training.json and scores.json. The other sections are written by hand and stay."""
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


def run_of(run):
    """One run in words."""
    start = f", started with what fits of `{run['start']}`" if run["start"] else ""
    return f"""{counted(run['steps'], 'update')} of up to {run['batch']:,} target pieces in {run['hours']:.1f}
               hours{start}; {run['passes']:.2f} passes over {run['data']}; peak rate {run['rate']:g}, dropout
               {run['dropout']:g}, {'bf16 autocast' if run['bf16'] else 'float32'}, seed {run['seed']}, PyTorch
               {run['torch']}"""


def training(record):
    losses = [f"{record['curve'][-1][3]:.2f} in training"] if record["curve"] else []
    losses += [f"{last(record, name + ' loss'):.2f} on {name.capitalize()}'s validation set" for name in CORPORA
               if record["validation"]]
    text = f"""{record['hours']:.1f} hours on {', '.join(record['hours_on'])}: {record['seen'] / 1e6:.1f} million target
               pieces. Muon and Adam, label smoothing 0.1. Cross-entropy a piece at the end: {', '.join(losses)}. The
               stored weights are an exponential moving average. The program and how to repeat it:
               [`resources/training`](../../training/README.md)."""
    return [paragraph(text), "", *(paragraph(run_of(run), True) for run in record["runs"]), "",
            "![Loss by target pieces seen](loss.svg)"]


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
    europarl, tatoeba = (found.get("bleu_by_length_" + name, found["bleu_by_length"]) for name in CORPORA[::-1])
    lines = [paragraph(f"""Case-sensitive BLEU (13a tokens, exponential smoothing) of the test pairs' translations,
                       beam {found['beam']}, sum of log-probabilities divided by length:
                       **{found['bleu_europarl']:.1f}** on Europarl's {found['test_sentences_europarl']:,},
                       **{found['bleu']:.1f}** on Tatoeba's {found['test_sentences']:,}. `scores.json` has all figures
                       of this section."""),
             "", "Europarl by length:"] + table(europarl)
    lines += ["", "Tatoeba by length, the test and the validation pairs, because the test has short sentences only:"]
    lines += table(tatoeba)
    if "mean_row_maximum" in found:
        lines += ["", f"The largest attention weight of an output step is {found['mean_row_maximum']:.2f} on average."]
    if "aer" in found:
        lines += aligned(found["aer"])
    lines += ["", "The sentences of figure 3 of Bahdanau et al. (2015):", ""]
    for entry in found["paper_sentences"]:
        lines.append(paragraph(f"{entry['source']} *{entry['output']}*", True))
    return lines


def replaced(card, title, lines):
    """The card with the text below a heading exchanged."""
    pattern = re.compile(rf"(?<=^## {title}\n\n).*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    if not pattern.search(card):
        raise SystemExit(f"the card has no section {title}")
    return pattern.sub(lambda _: "\n".join(lines) + "\n\n", card, count=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="an exported translation model with its card, training.json and scores.json")
    options = parser.parse_args()
    path = os.path.join(options.folder, "README.md")
    with open(path, encoding="utf-8") as file:
        card = file.read()
    card = replaced(card, "Training", training(read(options.folder, "training.json")))
    card = replaced(card, "Scores", scores(read(options.folder, "scores.json")))
    with open(path, "w", encoding="utf-8") as out:
        out.write(card.rstrip("\n") + "\n")


if __name__ == "__main__":
    main()
