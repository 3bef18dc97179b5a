# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""English text for the language models: short stories, books of Standard Ebooks, Jane Austen's novels, Tatoeba's
English side, WordNet's senses with examples. Writes PART.txt.xz for the parts train, validation and test: a document a
line, its source, then its sentences, tabs between them, and a paragraph mark between paragraphs. Austen and WordNet
come from unpacked Debian packages (r-cran-janeaustenr, dict-wn)."""
import argparse
import collections
import gzip
import lzma
import math
import os
import random
import re
import zlib

from data import read_pairs
from subwords import END

PARTS = ("train", "validation", "test")
SOURCES = ("stories", "ebooks", "austen", "tatoeba", "wordnet")
PROSE = ("stories", "ebooks", "austen", "tatoeba")  # what the model that continues texts reads
PARAGRAPH = "¶"
WORDS = 200  # of a document made of paragraphs
_SENTENCE = re.compile(r"""(?:(?<=[.!?])|(?<=[.!?]["']))(?<!\bMr\.)(?<!\bMrs\.)(?<!\bDr\.)(?<!\bSt\.)\s+"""
                       r"""(?=["'(]?[A-Z])""")
_KEYBOARD = str.maketrans({"“": '"', "”": '"', "’": "'", "‘": "'", "…": "...", "\u2060": None, "\u200a": None,
                           "\xa0": " ", "\t": " ", PARAGRAPH: None})
_SENSE = re.compile(r"(?:^|\s)(?:(?:n|v|adj|adv)\s+)?(?:\d+): ")


def tatoeba(data, part):
    """Distinct sentences. Those of the training part stand in documents of up to four that share a rarer word."""
    sentences = list(dict.fromkeys(english for english, _ in read_pairs(os.path.join(data, part + ".tsv.xz"))))
    if part != "train":
        return [[sentence] for sentence in sentences]
    chance = random.Random(1)
    words = [set(re.findall(r"[a-z']+", sentence.lower())) for sentence in sentences]
    counts = collections.Counter(word for some in words for word in some)
    groups = collections.defaultdict(list)
    for sentence, some in zip(sentences, words):
        known = [word for word in some if 4 <= counts[word] <= 400]
        groups[min(known, key=lambda word: (counts[word], word)) if known else sentence].append(sentence)
    documents = []
    for group in groups.values():
        chance.shuffle(group)
        while group:
            documents.append([group.pop() for _ in range(min(chance.randint(1, 4), len(group)))])
    return documents


def grouped(paragraphs, most=WORDS):
    """Documents of paragraphs that follow each other, each closed once it has `most` words."""
    documents, document, words = [], [], 0
    for paragraph in paragraphs:
        document += ([PARAGRAPH] if document else []) + _SENTENCE.split(paragraph)
        words += len(paragraph.split())
        if words >= most:
            documents.append(document)
            document, words = [], 0
    return documents + [document] * bool(document)


def lines_of(path):
    """Of a text file, .xz or not; quotes, dots and blanks as on a keyboard."""
    with (lzma.open if path.endswith(".xz") else open)(path, "rt", encoding="utf-8") as file:
        return [" ".join(line.translate(_KEYBOARD).split()) for line in file]


def stories(paths):
    """A document a story, of files with END on a line of its own between stories. Those with other characters than
    ASCII's, mostly wrongly decoded quotes, are left out, and those that begin as an earlier one."""
    found, story = {}, []
    for line in (line for path in paths for line in [*lines_of(path), END]):
        if line != END:
            story += [line] * bool(line)
            continue
        whole = " ".join(story)
        if len(whole) > 100 and whole.isascii():
            found.setdefault(whole[:80], grouped(story, math.inf)[0])
        story = []
    return list(found.values())


def ebooks(paths):
    """Documents of text files with a paragraph a line."""
    return [document for path in paths
            for document in grouped(line for line in lines_of(path) if re.search("[a-z]", line) and "*" not in line)]


def austen(packages):
    """Documents of the six novels, read from the package's R data: blocks of zlib, each a vector of lines."""
    path = os.path.join(packages, "usr/lib/R/site-library/janeaustenr/data/Rdata.rdb")
    with open(path, "rb") as file:
        blocks = file.read()
    documents = []
    while len(blocks) > 4:
        inflater = zlib.decompressobj()
        vector, at, lines = inflater.decompress(blocks[4:]), 31, []
        blocks = inflater.unused_data
        while at + 8 <= len(vector):
            size = int.from_bytes(vector[at + 4:at + 8], "big")
            lines.append(vector[at + 8:at + 8 + size].decode("utf-8", "replace"))
            at += 8 + size
        paragraphs = (" ".join(paragraph.replace("_", "").split()) for paragraph in "\n".join(lines).split("\n\n"))
        documents += grouped(p for p in paragraphs if len(p) > 20 and p[-1] in ".!?\"'")
    return documents


def wordnet(packages):
    """'word: definition.' and the example sentences, for the senses that have examples."""
    with gzip.open(os.path.join(packages, "usr/share/dictd/wn.dict.dz"), "rt", encoding="utf-8") as file:
        lines = file.read().split("\n")
    entries, seen, documents = [], set(), []
    for line in lines:
        if line and not line[0].isspace():
            entries.append([line.strip(), ""])
        elif entries:
            entries[-1][1] += " " + line.strip()
    for word, body in entries:
        body = re.sub(r"\[(?:syn|ant|also): .*?\]", "", body)
        for sense in _SENSE.split(body)[1:]:
            definition, *examples = re.split(r"; \"", " ".join(sense.split()))
            examples = [example.strip(" ;").strip('"').strip() for example in examples]
            examples = [e[0].upper() + e[1:] + ("" if e[-1] in ".!?" else ".") for e in examples if len(e.split()) > 2]
            if examples and definition not in seen and not word.startswith("00-"):
                seen.add(definition)
                documents.append([f"{word}: {definition}."] + examples)
    return documents


def build(data, packages, tales, books, work):
    further = [("stories", stories(tales)), ("ebooks", ebooks(books)), ("austen", austen(packages)),
               ("wordnet", wordnet(packages))]
    for number, part in enumerate(PARTS):
        with lzma.open(os.path.join(work, part + ".txt.xz"), "wt", encoding="utf-8", preset=4) as out:
            chosen = [("tatoeba", d) for d in tatoeba(data, part)]
            for source, documents in further:
                chosen += [(source, d) for i, d in enumerate(documents) if max(i % 50 - 47, 0) == number]
            for source, document in chosen:
                out.write("\t".join([source] + document) + "\n")


def read(work, part):
    """[(source, [sentence])]"""
    with lzma.open(os.path.join(work, part + ".txt.xz"), "rt", encoding="utf-8") as file:
        return [(line.split("\t")[0], line.rstrip("\n").split("\t")[1:]) for line in file]


def prose(work, part):
    """[(source, text)] of the sources that are running text, paragraphs on lines of their own."""
    return [(source, " ".join(sentences).replace(f" {PARAGRAPH} ", "\n"))
            for source, sentences in read(work, part) if source in PROSE]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tatoeba", dest="data", required=True, help="folder with train, validation and test .tsv.xz")
    parser.add_argument("--packages", required=True, help="folder into which both packages were unpacked (dpkg -x)")
    parser.add_argument("--stories", nargs="*", default=[], help="text files of stories, <|endoftext|> between them")
    parser.add_argument("--books", nargs="*", default=[], help="text files with a paragraph a line, .txt or .txt.xz")
    parser.add_argument("--work", default="build/training")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    build(options.data, options.packages, options.stories, options.books, options.work)
    for part in PARTS:
        documents, words = collections.Counter(), collections.Counter()
        for source, sentences in read(options.work, part):
            documents[source] += 1
            words[source] += sum(len(sentence.split()) for sentence in sentences if sentence != PARAGRAPH)
        print(part, ", ".join(f"{source}: {documents[source]:,} documents, {count:,} words"
                              for source, count in words.items()))


if __name__ == "__main__":
    main()
