# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Chooses the heads of an exported Whisper that tell the words' times, on the validation utterances, writes them into
generation_config.json, and scores it on the test utterances; writes scores.json."""
import argparse
import json
import os

from export import load, write_json
from speech import Utterances, begins_found, sharp_heads, word_errors


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="an exported Whisper")
    parser.add_argument("--work", default="build/training")
    options = parser.parse_args()
    model, tokens = load(options.folder)
    held, test = (Utterances(options.work, part, "cpu") for part in ("validation", "test"))
    chosen = sharp_heads(model, tokens, held)
    errors, _ = word_errors(model, tokens, test)
    scores = {"utterances": len(test), "word_error_rate": round(errors, 4), "accuracy": round(1 - errors, 4),
              "begins_within_0.1_s": round(begins_found(model, tokens, test, chosen), 4), "alignment_heads": chosen}
    print(json.dumps(scores))
    path = os.path.join(options.folder, "generation_config.json")
    with open(path, encoding="utf-8") as file:
        write_json(path, json.load(file) | {"alignment_heads": chosen})
    write_json(os.path.join(options.folder, "scores.json"), scores)


if __name__ == "__main__":
    main()
