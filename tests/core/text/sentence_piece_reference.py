# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the SentencePiece library makes of texts, a JSON object a line. Spans are in bytes.

Usage: sentence_piece_reference.py MOST (MODEL TEXTS)...
TEXTS: a JSON string a line, or columns of a .tsv.xz file; at most MOST of each.
"""
import itertools
import json
import lzma
import sys

import sentencepiece


def texts(path):
    if path.endswith(".xz"):
        for line in lzma.open(path, "rt", encoding="utf-8", newline="\n"):
            yield from line.rstrip("\n").split("\t")
    else:
        for line in open(path, encoding="utf-8", newline="\n"):
            yield json.loads(line)


def main():
    most, *files = sys.argv[1:]
    for model_file, text_file in zip(files[::2], files[1::2]):
        model = sentencepiece.SentencePieceProcessor(model_file=model_file)
        for text in itertools.islice(texts(text_file), int(most)):
            pieces = model.encode(text, out_type="immutable_proto").pieces
            print(json.dumps({
                "text": text,
                "ids": [piece.id for piece in pieces],
                "begins": [len(text[:piece.begin].encode()) for piece in pieces],
                "ends": [len(text[:piece.end].encode()) for piece in pieces],
                "decoded": model.decode([piece.piece for piece in pieces]),
            }, ensure_ascii=False))


main()
