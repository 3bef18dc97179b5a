# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Joins recordings of spoken digits (Free Spoken Digit Dataset, 8 kHz) into numbers of which every word's time is
known, with pauses, a little noise and another pace, at 16 kHz. Utterance number I of a seed depends on both and the
recordings alone."""
import argparse
import concurrent.futures
import functools
import glob
import json
import os
import random
import wave

import numpy

WORDS = "zero one two three four five six seven eight nine".split()
RATE, SECONDS = 16000, 5
SHARD = 1024  # utterances of a file
PARTS = {"test": range(0, 5), "validation": range(5, 10), "train": range(10, 1000)}  # numbers of recordings


def resampled(x, step, taps=16):
    """x at the places 0, step, 2 step, ... by windowed sincs; of use where step is not above 1."""
    places = numpy.arange(int(len(x) / step)) * step
    near = numpy.floor(places).astype(int)[:, None] + numpy.arange(1 - taps, taps + 1)
    away = places[:, None] - near
    weights = numpy.sinc(away) * (0.5 + 0.5 * numpy.cos(numpy.pi * numpy.clip(away / taps, -1, 1)))
    return (numpy.pad(x, taps)[near + taps] * weights).sum(1)


@functools.lru_cache(None)
def recording(path, pace):
    """Its samples at RATE, of largest size 1; pace: 1 as it was spoken, the pitch goes along."""
    with wave.open(path) as file:
        x = numpy.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float)
        step = pace * file.getframerate() / RATE
    return resampled(x / max(1.0, numpy.abs(x).max()), step).astype(numpy.float32)


def recordings(folder, part):
    """{speaker: {digit: [path]}}"""
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.wav"))):
        digit, speaker, number = os.path.basename(path)[:-4].split("_")
        if int(number) in PARTS[part]:
            found.setdefault(speaker, {}).setdefault(int(digit), []).append(path)
    return found


def compose(seed, number, voices):
    """(int16 samples, zeros behind; {text, spans: seconds of every word, speaker, samples})"""
    r = random.Random(f"{seed}/{number}")
    n = numpy.random.default_rng(r.getrandbits(63))
    speaker = r.choice(sorted(voices))
    out, at, words, spans = numpy.zeros(SECONDS * RATE), r.uniform(0.05, 0.5), [], []
    for _ in range(r.randint(1, int(SECONDS * 1.3))):
        digit = r.randrange(10)
        x = recording(r.choice(voices[speaker][digit]), r.choice([0.95, 1.0, 1.0, 1.0, 1.05, 1.1]))
        begin = int(at * RATE)
        if begin + len(x) > len(out):
            break
        out[begin:begin + len(x)] += x * r.uniform(0.25, 0.7)
        words.append(WORDS[digit])
        spans.append([round(begin / RATE, 4), round((begin + len(x)) / RATE, 4)])
        at = spans[-1][1] + r.choice([r.uniform(0.02, 0.12), r.uniform(0.1, 0.5)])
    samples = int(min(SECONDS, at + r.uniform(0.0, 0.6)) * RATE)
    out[:samples] += n.normal(0, r.choice([0.0005, 0.002, 0.006]), samples)
    return (numpy.clip(out, -0.999, 0.999) * 32767).astype(numpy.int16), {
        "text": " ".join(words), "spans": spans, "speaker": speaker, "samples": samples}


def write_shard(path, folder, part, seed, first, count):
    """PATH.npy, int16 [count, SECONDS * RATE], and PATH.jsonl."""
    voices = recordings(folder, part)
    sounds, lines = zip(*(compose(seed, first + i, voices) for i in range(count)))
    with open(path + ".jsonl", "w", encoding="utf-8") as out:
        out.writelines(json.dumps(line) + "\n" for line in lines)
    with open(path + ".new", "wb") as out:
        numpy.save(out, numpy.stack(sounds))
    os.replace(path + ".new", path + ".npy")
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--recordings", required=True, help="the data set's folder of WAV files")
    parser.add_argument("--work", default="build/training")
    parser.add_argument("--shards", type=int, default=8,
                        help=f"files of {SHARD} utterances for training; those there stay")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    folder = os.path.join(options.work, "digits")
    os.makedirs(folder, exist_ok=True)
    jobs = [("validation", "validation", 0, 300), ("test", "test", 0, 500)]
    jobs += [(f"train-{i:03d}", "train", i * SHARD, SHARD) for i in range(options.shards)]
    jobs = [(os.path.join(folder, name), options.recordings, part, part, first, count)
            for name, part, first, count in jobs if not os.path.exists(os.path.join(folder, name + ".npy"))]
    with concurrent.futures.ProcessPoolExecutor(options.processes) as pool:
        for path in pool.map(write_shard, *zip(*jobs)) if jobs else ():
            print(path, flush=True)


if __name__ == "__main__":
    main()
