# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the translation models' data from Tatoeba's and Europarl's sentence pairs: cleans them, learns the joint
vocabulary and writes their ids. Into the work folder: tokenizer.model, pairs.npz (ids of both sides, all pairs), copies
of both validation sets and pairs.json, which says what was left out and why. Training needs nothing else."""
import argparse
import collections
import functools
import json
import multiprocessing
import os
import re
import shutil
import unicodedata

import numpy
import sentencepiece

from data import BOS, CORPORA, EOS, PAD, UNK, read_pairs

VOCABULARY = 7400
LONGEST = 80  # pieces of a side, the end token counted
LETTERS = "".join(map(chr, range(33, 127))) + "ÀÂÄÇÈÉÊËÎÏÔÖÙÛÜàâäçèéêëîïôöùûüÿœŒæñáíóúãõøåßšŠčłć«»“”‘’–—°€£"  # all known
_STRANGE = dict.fromkeys(map(ord, "\u00ad\u200b\ufeff")) | {0x2019: "'", 0xa0: " ", 0x202f: " ", 0x2009: " "}
_LANGUAGE_MARK = re.compile(r"\s*\(\s*[A-Z]{2}\s*\)\s*")
_LOST_OE = re.compile(r"\b(?:vux?|uvre[sr]?|uvr\w+|manuvr\w+|nuds?|bufs?|chur|churs|surs|curs?|murs)\b", re.IGNORECASE)
_REAL_WORDS = {"vu", "murs"}  # that the pattern above would take for remains
_DAMAGED = re.compile(r"[\ufffd\x80-\x9f]|Ã[\x80-\xbf©¨ªŠ]|&[a-z]+;|<[^>]*>|\?\?|https?:")


def plain(text):
    """One form of letters, blanks and apostrophes; no marks of the speaker's language such as "(GA)"."""
    text = unicodedata.normalize("NFC", text.translate(_STRANGE))
    return " ".join(_LANGUAGE_MARK.sub(" ", text).split())


def french(text):
    """French with blanks as Tatoeba sets them: before ? ! ; : and inside « »; none after an apostrophe or before , .
    )"""
    text = re.sub(r"\b([dlnsjmtcqDLNSJMTCQ]|[Qq]u|[Jj]usqu|[Ll]orsqu|[Pp]uisqu)' +(?=\w)", r"\1'", plain(text))
    text = re.sub(r"(?<=[\w)%»\"'])([?!;])", r" \1", text)
    text = re.sub(r"(?<=[\w)%»\"']):(?=\s|$)", " :", text)
    text = re.sub(r"«\s*", "« ", re.sub(r"\s*»", " »", text))
    return re.sub(r" +(?=[,.)](?:\s|$))", "", text)


def key(text):
    """What two sentences share that differ in case, marks and blanks only."""
    return "".join(c for c in text.lower() if c.isalnum())


def fault(english, french_, held):
    """Why a pair is left out, or None. held: keys of the sentences of all validation and test sets."""
    if not english or not french_:
        return "empty"
    if key(english) in held or len(french_.split()) > 4 and key(french_) in held:
        return "in a validation or test set"
    if any(m.group().lower() not in _REAL_WORDS for m in _LOST_OE.finditer(french_)):
        return "lost oe"
    if _DAMAGED.search(english) or _DAMAGED.search(french_):
        return "damaged"
    if len(english) > 30 and not 0.5 < len(french_) / len(english) < 2.2:
        return "lengths too different"
    if len(english) > 30 and key(english) == key(french_):
        return "not translated"
    if sorted(re.findall(r"\d{4}", english)) != sorted(re.findall(r"\d{4}", french_)):
        return "other years"
    return None


def curled(text):
    """With typographic quotes, apostrophes and dashes, as people paste them."""
    return re.sub(r'"([^"]*)"', "\u201c\\1\u201d", text).replace("'", "\u2019").replace(" - ", " \u2013 ")


def checked(pair, held):
    """(the pair in one form, why it is left out, or None)"""
    pair = plain(pair[0]), french(pair[1])
    return pair, fault(*pair, held)


def cleaned(paths, held, processes=1):
    """([(English, French)], {reason: pairs left out}). One English side in twenty has typographic quotes."""
    found, out = {}, collections.Counter()
    with multiprocessing.Pool(processes) as pool:
        for path in paths:
            for pair, reason in pool.imap(functools.partial(checked, held=held), read_pairs(path), 2000):
                reason = "twice" if pair in found else reason
                if reason:
                    out[reason] += 1
                else:
                    found[pair] = None
    return [pair if i % 20 else (curled(pair[0]), pair[1]) for i, pair in enumerate(found)], dict(out)


def learn_vocabulary(corpora, work, size, sample):
    """The joint SentencePiece model, of all of Tatoeba and `sample` pairs of Europarl."""
    text = os.path.join(work, "text.txt")
    with open(text, "w", encoding="utf-8") as out:
        out.write(" ".join(LETTERS) + "\n")  # each must occur
        for pairs in corpora:
            out.writelines(side + "\n" for pair in pairs[:sample] for side in pair)
    sentencepiece.SentencePieceTrainer.train(
        input=text, model_prefix=os.path.join(work, "tokenizer"), vocab_size=size, model_type="bpe",
        character_coverage=0.9999, required_chars=LETTERS, split_digits=True, num_threads=1, pad_id=PAD, unk_id=UNK,
        bos_id=BOS, eos_id=EOS, minloglevel=1)
    os.remove(text)
    os.remove(os.path.join(work, "tokenizer.vocab"))


def encode(processor, corpora):
    """Arrays of all pairs' ids, one behind the other, with each pair's lengths and corpus."""
    ids, lengths, origin, long = ([], []), ([], []), [], 0
    for number, pairs in enumerate(corpora):
        sides = [processor.encode([pair[side] for pair in pairs]) for side in (0, 1)]
        for source, target in zip(*sides):
            if max(len(source), len(target)) >= LONGEST:
                long += 1
                continue
            for side, row in enumerate((source, target)):
                ids[side].extend(row + [EOS])
                lengths[side].append(len(row) + 1)
            origin.append(number)
    return {"source": numpy.array(ids[0], numpy.uint16), "target": numpy.array(ids[1], numpy.uint16),
            "source_lengths": numpy.array(lengths[0], numpy.uint8),
            "target_lengths": numpy.array(lengths[1], numpy.uint8), "corpus": numpy.array(origin, numpy.uint8)}, long


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in CORPORA:
        parser.add_argument(f"--{name}", required=True, help="folder with train, validation and test .tsv.xz")
    parser.add_argument("--more", nargs="*", default=[], help="further pairs of Europarl, .tsv or .tsv.xz")
    parser.add_argument("--work", default="build/training")
    parser.add_argument("--vocabulary", type=int, default=VOCABULARY)
    parser.add_argument("--sample", type=int, default=150_000, help="pairs of a corpus that the vocabulary learns from")
    parser.add_argument("--pairs", type=int, default=10 ** 9, help="take at most this many pairs of a corpus")
    parser.add_argument("--processes", type=int, default=1, help="that clean the pairs")
    options = parser.parse_args()
    os.makedirs(options.work, exist_ok=True)
    folders, held = [getattr(options, name) for name in CORPORA], set()
    for name, folder in zip(CORPORA, folders):
        for part in ("validation", "test"):
            held |= {key(french(side)) for pair in read_pairs(os.path.join(folder, part + ".tsv.xz")) for side in pair}
        shutil.copyfile(os.path.join(folder, "validation.tsv.xz"),
                        os.path.join(options.work, f"validation-{name}.tsv.xz"))
    corpora, report = [], {}
    for name, folder in zip(CORPORA, folders):
        paths = [os.path.join(folder, "train.tsv.xz")] + (options.more if name == "europarl" else [])
        pairs, out = cleaned(paths, held, options.processes)
        corpora.append(pairs[:options.pairs])
        report[name] = {"pairs": len(corpora[-1]), "left out": out}
    path = os.path.join(options.work, "tokenizer.model")
    if not os.path.exists(path):
        learn_vocabulary(corpora, options.work, options.vocabulary, options.sample)
    arrays, long = encode(sentencepiece.SentencePieceProcessor(model_file=path), corpora)
    report["over %d pieces" % LONGEST] = long
    for number, name in enumerate(CORPORA):
        some = arrays["corpus"] == number
        report[name] |= {"pairs": int(some.sum()), "source pieces": int(arrays["source_lengths"][some].sum()),
                         "target pieces": int(arrays["target_lengths"][some].sum())}
    numpy.savez_compressed(os.path.join(options.work, "pairs.npz"), **arrays)
    with open(os.path.join(options.work, "pairs.json"), "w", encoding="utf-8") as file:
        json.dump(report, file, indent=1)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
