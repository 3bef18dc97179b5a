# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores an exported captioner on scenes not trained on, in the styles of the training scenes and in another one;
writes scores.json into its directory."""
import argparse
import json
import os

from export import load, write_json
from scenes import Scenes, measured


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", help="an exported captioner")
    parser.add_argument("--work", default="build/training")
    options = parser.parse_args()
    model, tokenizer = load(options.folder)
    scores = {name: measured(model, tokenizer, Scenes(options.work, pattern, "cpu"))
              for name, pattern in (("trained_styles", "test"), ("held_style", "test-held"))}
    print(json.dumps(scores, indent=1))
    write_json(os.path.join(options.folder, "scores.json"), scores)


if __name__ == "__main__":
    main()
