# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Translates both test sets and the four sentences of figure 3 of Bahdanau et al. (2015) with an exported directory and
writes the scores into its scores.json. With --program the program itself translates, much faster."""
import argparse
import json
import os
import subprocess
import tempfile

from bleu import bleu
from data import EOS, read_pairs
from decode import beam
from export import load, read_scores, write_json

TATOEBA_LENGTHS = [(1, 4), (5, 5), (6, 7), (8, 9), (10, 11), (12, 999)]  # source words between spaces
EUROPARL_LENGTHS = [(1, 12), (13, 18), (19, 24), (25, 30), (31, 36), (37, 999)]  # 150 sentences each
LONGEST = 120  # tokens of a translation
PAPER = ["The agreement on the European Economic Area was signed in August 1992.",
         "It should be noted that the marine environment is the least known of environments.",
         "Destruction of the equipment means that Syria can no longer produce new chemical weapons.",
         "“This will change my future with my family,” the man said."]


def by_length(pairs, guesses, lengths):
    scores = []
    for low, high in lengths:
        some = [i for i, (english, _) in enumerate(pairs) if low <= len(english.split()) <= high]
        if not some:
            continue
        words = [len(pairs[i][0].split()) for i in some]
        scores.append({
            "from": min(words), "to": max(words), "sentences": len(some),
            "bleu": round(bleu([guesses[i] for i in some], [pairs[i][1] for i in some]), 2)})
    return scores


def alignment(entry):
    """A line a token: what it looks at most, and how much, of a line of the program's batch."""
    source, target = entry["source_tokens"], entry["target_tokens"]
    return "".join(f"    {target[j]:>14} <- {source[i]:<14} {weight:.2f}\n"
                   for i, j, weight in entry.get("alignment", []))


def translated(folder, lines, width, program, show=False):
    """([translation], [largest attention weight of every output token] or None). With show, the program's alignments
    are printed."""
    if not program:
        model, processor = load(folder)
        maxima = [] if getattr(model, "attends", False) else None
        guesses = [processor.decode(beam(model, processor.encode(line) + [EOS], width, LONGEST, maxima))
                   for line in lines]
        return guesses, maxima
    with tempfile.TemporaryDirectory() as place:
        source, output = os.path.join(place, "lines.txt"), os.path.join(place, "output.jsonl")
        with open(source, "w", encoding="utf-8") as out:
            out.writelines(line + "\n" for line in lines)
        subprocess.run([program, "batch", folder, "--lines", source, "--decode", f"beam:{width}", "--max-length",
                        str(LONGEST), "--threads", "1", "--output", output], check=True, stderr=subprocess.DEVNULL)
        with open(output, encoding="utf-8") as file:
            found = [json.loads(line) for line in file]
    if len(found) != len(lines):
        raise SystemExit(f"the program translated {len(found)} of {len(lines)} lines")
    for entry in found if show else []:
        print(f"{entry['source']}\n{entry['output']}\n{alignment(entry)}")
    maxima = [weight for entry in found for _, _, weight in entry.get("alignment", [])]
    return [entry["output"] for entry in found], maxima


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="an exported model")
    parser.add_argument("--tatoeba", required=True, help="folder with test.tsv.xz and validation.tsv.xz")
    parser.add_argument("--europarl", required=True, help="folder with test.tsv.xz")
    parser.add_argument("--program", help="the attnscope program")
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--every", type=int, default=1, help="translate every Nth sentence only")
    parser.add_argument("--show", type=int, default=0, help="print this many translations of each test set")
    options = parser.parse_args()
    tests = [("tatoeba", options.tatoeba, TATOEBA_LENGTHS, ("test", "validation")),
             ("europarl", options.europarl, EUROPARL_LENGTHS, ("test",))]
    found, seen = {}, []
    for name, folder, lengths, parts in tests:
        sets = [read_pairs(os.path.join(folder, part + ".tsv.xz"))[::options.every] for part in parts]
        pairs, count = sum(sets, []), len(sets[0])
        guesses, maxima = translated(options.folder, [english for english, _ in pairs], options.beam, options.program)
        seen += maxima or []
        found[name] = (round(bleu(guesses[:count], [french for _, french in sets[0]]), 2), count,
                       by_length(pairs, guesses, lengths))
        for (english, french), guess in list(zip(pairs, guesses))[:options.show]:
            print(f"{english}\n    {guess}\n    {french}")
    scores = {"test_set": "Tatoeba", "bleu": found["tatoeba"][0], "beam": options.beam, "test_sentences": found["tatoeba"][1],
              "bleu_europarl": found["europarl"][0], "test_sentences_europarl": found["europarl"][1],
              "test_set_by_length": "Europarl", "bleu_by_length": found["europarl"][2], "bleu_by_length_tatoeba": found["tatoeba"][2]}
    with open(os.path.join(options.folder, "config.json"), encoding="utf-8") as file:
        recurrent = json.load(file)["model_type"] == "rnn_encoder_decoder"
    if recurrent and seen:
        scores["mean_row_maximum"] = round(sum(seen) / len(seen), 3)
    guesses, _ = translated(options.folder, PAPER, options.beam, options.program, show=True)
    scores["paper_sentences"] = [{"source": line, "output": guess} for line, guess in zip(PAPER, guesses)]
    print(json.dumps(scores, ensure_ascii=False, indent=1))
    kept = read_scores(options.folder)
    write_json(os.path.join(options.folder, "scores.json"), scores | {k: kept[k] for k in ("aer",) if k in kept})


if __name__ == "__main__":
    main()
