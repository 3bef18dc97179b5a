# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The two tokenizers of the language models: lower-cased WordPiece as BERT's, byte-level BPE as GPT-2's. Both learn by
merging the most frequent pair of neighbours (Sennrich et al. 2016)."""
import collections
import heapq
import json
import os
import unicodedata

import regex

END = "<|endoftext|>"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
GPT2_PATTERN = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")


def byte_characters():
    """GPT-2's printable stand-in for every byte."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in printable]
    characters = {byte: chr(byte) for byte in printable}
    characters.update({byte: chr(256 + i) for i, byte in enumerate(others)})
    return characters


def learn(words, merges, join):
    """Up to `merges` pairs, in order. words: {tuple of symbols: count}; ties go to the smaller pair."""
    rows, counts = [list(word) for word in words], list(words.values())
    pairs, where = collections.Counter(), collections.defaultdict(set)
    for i, row in enumerate(rows):
        for pair in zip(row, row[1:]):
            pairs[pair] += counts[i]
            where[pair].add(i)
    heap = [(-count, pair) for pair, count in pairs.items()]
    heapq.heapify(heap)
    found = []
    while heap and len(found) < merges:
        count, pair = heapq.heappop(heap)
        if -count != pairs[pair]:
            if pairs[pair] > 1:
                heapq.heappush(heap, (-pairs[pair], pair))
            continue
        if -count < 2:
            break
        found.append(pair)
        changed = set()
        for i in where.pop(pair):
            old = rows[i]
            for neighbours in zip(old, old[1:]):
                pairs[neighbours] -= counts[i]
            rows[i] = merge(old, pair, join)
            for neighbours in zip(rows[i], rows[i][1:]):
                pairs[neighbours] += counts[i]
                where[neighbours].add(i)
                changed.add(neighbours)
        for neighbours in changed:
            heapq.heappush(heap, (-pairs[neighbours], neighbours))
    return found


def merge(symbols, pair, join):
    result, at = [], 0
    while at < len(symbols):
        if at + 1 < len(symbols) and (symbols[at], symbols[at + 1]) == pair:
            result.append(join(*pair))
            at += 2
        else:
            result.append(symbols[at])
            at += 1
    return result


class ByteLevel:
    """GPT-2's tokenizer: vocab.json and merges.txt."""
    characters = byte_characters()
    files = ("vocab.json", "merges.txt")

    def __init__(self, folder):
        with open(os.path.join(folder, "vocab.json"), encoding="utf-8") as file:
            self.ids = json.load(file)
        with open(os.path.join(folder, "merges.txt"), encoding="utf-8") as file:
            lines = file.read().split("\n")[1:]
        self.ranks = {tuple(line.split(" ")): i for i, line in enumerate(lines) if line}
        self.tokens = {i: token for token, i in self.ids.items()}
        self.bytes = {character: byte for byte, character in self.characters.items()}
        self.end, self.cache = self.ids[END], {}

    @classmethod
    def train(cls, texts, size, folder):
        counts = collections.Counter(word for text in texts for word in GPT2_PATTERN.findall(text))
        words = {tuple(cls.characters[b] for b in word.encode()): count for word, count in counts.items()}
        pairs = learn(words, size - 257, str.__add__)
        tokens = list(cls.characters.values()) + [a + b for a, b in pairs] + [END]
        with open(os.path.join(folder, "vocab.json"), "w", encoding="utf-8") as out:
            json.dump({token: i for i, token in enumerate(tokens)}, out, ensure_ascii=False, indent=0)
        with open(os.path.join(folder, "merges.txt"), "w", encoding="utf-8") as out:
            out.write("#version: 0.2\n" + "".join(f"{a} {b}\n" for a, b in pairs))

    def word(self, word):
        if word not in self.cache:
            symbols = [self.characters[b] for b in word.encode()]
            while len(symbols) > 1:
                pair = min(zip(symbols, symbols[1:]), key=lambda p: self.ranks.get(p, 1 << 30))
                if pair not in self.ranks:
                    break
                symbols = merge(symbols, pair, str.__add__)
            self.cache[word] = [self.ids[symbol] for symbol in symbols]
        return self.cache[word]

    def encode(self, text):
        return [i for word in GPT2_PATTERN.findall(text) for i in self.word(word)]

    def decode(self, ids):
        text = "".join(self.tokens[i] for i in ids if i != self.end)
        return bytes(self.bytes[character] for character in text).decode("utf-8", "replace")


def basic_words(text):
    """BERT's basic tokenizer, uncased: control characters and accents removed, punctuation by itself. Without its
    spaces around Chinese characters, which the training text does not have."""
    kept = "".join(" " if c.isspace() else c for c in text
                   if c.isspace() or unicodedata.category(c)[0] != "C" and c != "\ufffd")
    plain = "".join(c for c in unicodedata.normalize("NFD", kept.lower()) if unicodedata.category(c) != "Mn")
    spaced = "".join(f" {c} " if is_punctuation(c) else c for c in plain)
    return spaced.split()


def is_punctuation(c):
    return c.isascii() and c.isprintable() and not c.isalnum() and c != " " or unicodedata.category(c)[0] == "P"


class WordPiece:
    """BERT's tokenizer: vocab.txt."""
    files = ("vocab.txt",)

    def __init__(self, folder):
        with open(os.path.join(folder, "vocab.txt"), encoding="utf-8") as file:
            self.tokens = file.read().rstrip("\n").split("\n")
        self.ids = {token: i for i, token in enumerate(self.tokens)}
        self.pad, self.unk, self.cls, self.sep, self.mask = (self.ids[token] for token in SPECIAL)
        self.cache = {}

    @staticmethod
    def train(texts, size, folder, least=8):
        counts = collections.Counter(word for text in texts for word in basic_words(text))
        letters = collections.Counter()
        for word, count in counts.items():
            for letter in word:
                letters[letter] += count
        alphabet = {letter for letter, count in letters.items() if count >= least}
        words = {tuple(("##" if i else "") + letter for i, letter in enumerate(word)): count
                 for word, count in counts.items() if set(word) <= alphabet}
        symbols = sorted({symbol for word in words for symbol in word})
        pairs = learn(words, size - len(SPECIAL) - len(symbols), lambda a, b: a + b[2:])
        tokens = list(dict.fromkeys(SPECIAL + symbols + [a + b[2:] for a, b in pairs]))
        with open(os.path.join(folder, "vocab.txt"), "w", encoding="utf-8") as out:
            out.write("".join(token + "\n" for token in tokens))

    def word(self, word):
        if word not in self.cache:
            found, at = [], 0
            while at < len(word):
                end = len(word)
                while end > at and ("##" if at else "") + word[at:end] not in self.ids:
                    end -= 1
                if end == at or len(word) > 100:
                    found = [self.unk]
                    break
                found.append(self.ids[("##" if at else "") + word[at:end]])
                at = end
            self.cache[word] = found
        return self.cache[word]

    def encode(self, text):
        return [i for word in basic_words(text) for i in self.word(word)]

    def decode(self, ids):
        return " ".join(self.tokens[i] for i in ids).replace(" ##", "")


def tokenizer(kind, texts, size, folder):
    """The tokenizer in `folder`, learned first where its files are missing. texts: a function that gives the text."""
    os.makedirs(folder, exist_ok=True)
    if not all(os.path.exists(os.path.join(folder, name)) for name in kind.files):
        kind.train(texts(), size, folder)
    return kind(folder)
