# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a trained model as the directory the program opens, and reads such a directory back."""
import argparse
import json
import os
import shutil
import tempfile

import numpy
import torch

import text
from curve import drawn
from data import BOS, CORPORA, EOS, PAD, encode, pad, read_pairs
from formats import FORMATS, KINDS
from questions import arranged, examples
from scenes import Scenes, padded as padded_captions
from speech import Utterances
from tasks import encoded_sentences, padded, rows
from speech import Utterances
from tensorfile import read_safetensors, write_safetensors
from whisper import features

# A tensor that only this kind of model has.
SIGNS = {"shared.weight": "transformer", "transformer.wte.weight": "gpt2", "cls.predictions.bias": "bert",
         "general.weight": "luong", "initial.weight": "recurrent", "word_pool.v.weight": "classifier",
         "attention.gate.weight": "captioner", "encoder.embeddings.cls_token": "vit-gpt2",
         "model.encoder.conv1.weight": "whisper"}


def write_json(path, value, indent=2):
    with open(path, "w", encoding="utf-8") as out:
        json.dump(value, out, indent=indent, ensure_ascii=False)
        out.write("\n")


def read_scores(folder):
    """What scores.json has so far."""
    path = os.path.join(folder, "scores.json")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def export(model, work, folder):
    """Writes every file under a temporary name first; files the directory has besides (card, scores) stay. work: the
    folder of the tokenizer's files."""
    os.makedirs(folder, exist_ok=True)
    new = tempfile.mkdtemp(dir=os.path.dirname(os.path.abspath(folder)))
    form = KINDS[model.kind][1]
    half = {name: value.detach().cpu().numpy().astype(numpy.float16) for name, value in model.state_dict().items()}
    write_safetensors(os.path.join(new, "model.safetensors"), form.tensors(model, half))
    write_json(os.path.join(new, "config.json"), form.config(model))
    for name, value in form.tokenizer(model, work, new).items():
        write_json(os.path.join(new, name), value, 0 if name == "vocab.json" else 2)
    for name in os.listdir(new):
        os.replace(os.path.join(new, name), os.path.join(folder, name))
    os.rmdir(new)


def load(folder):
    """(model, tokenizer) of an exported directory; the model computes in float32."""
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    tensors = read_safetensors(os.path.join(folder, "model.safetensors"))
    model, tokenizer = FORMATS[config["model_type"]].load(config, tensors, folder)
    return model.eval(), tokenizer


def from_checkpoint(path, weights="average"):
    saved = torch.load(path, map_location="cpu", weights_only=False)
    kind = next(kind for sign, kind in SIGNS.items() if sign in saved[weights])
    model = KINDS[kind][0](**saved["settings"])
    model.load_state_dict(saved[weights])
    return model.eval(), saved


def samples(model, tokenizer, data, work):
    """Log-probabilities [some positions, vocabulary] of a function of model, for comparing two of them."""
    if model.kind in ("bert", "gpt2"):
        documents = [sentences for _, sentences in text.read(work, "validation")][::40]
        if model.kind == "gpt2":
            ids = [tokenizer.encode(line)[:100] for _, line in text.prose(work, "validation")[::40]]
            return lambda m: torch.cat([m(torch.tensor([row]))[0] for row in ids])
        found = rows(encoded_sentences(tokenizer, documents), tokenizer, model.settings["positions"], 1)
        ids, types, present = padded(found, tokenizer.pad)
        return lambda m: m(ids, types, present, present.flatten().nonzero().squeeze(1))
    if model.kind == "classifier":
        held = examples(data, "validation", model.style)
        ids, counts, _ = arranged([([tokenizer.encode(s) + [EOS] for s in texts], label) for texts, label, _ in held])
        return lambda m: m(ids, counts)[0]
    if model.kind in ("captioner", "vit-gpt2"):
        held = Scenes(work, "validation", "cpu")
        rows_ = range(len(held))[:100]
        target = [tokenizer.encode(held.scenes[row]["best"]) for row in rows_]
        target = torch.from_numpy(padded_captions(target, tokenizer.end))
        inputs = torch.cat([torch.full((len(target), 1), model.start), target[:, :-1]], 1)
        return lambda m: m(m.cells(held.pictures(rows_)), inputs)[0][(target != PAD).t().flatten()]
    if model.kind == "whisper":
        held = Utterances(work, "validation", "cpu")
        found = features(held.sound(range(30)))
        inputs = torch.tensor([[tokenizer.start, tokenizer.untimed, *tokenizer.encode(" one two")]]).repeat(30, 1)
        return lambda m: m(m.encode(found), inputs)[:, 1:].flatten(0, 1)
    pairs = [pair for name in CORPORA for pair in read_pairs(os.path.join(work, f"validation-{name}.tsv.xz"))[:50]]
    source, target = (pad(side) for side in zip(*encode(tokenizer, pairs)))
    inputs = torch.cat([torch.full((len(target), 1), BOS), target[:, :-1]], 1)
    known = torch.tensor([i for i in range(model.settings["vocabulary"]) if i != PAD])
    keep = (target != PAD).flatten().nonzero().squeeze(1)
    return lambda m: m(source, inputs, keep)[:, known]


@torch.no_grad()
def compare(model, folder, data, work):
    """Largest difference of the log-probabilities of the training model and of the directory read again."""
    again, tokenizer = load(folder)
    logits = samples(model, tokenizer, data, work)
    one, two = (logits(m).log_softmax(1) for m in (model, again))
    likely = one > -12
    return float((one - two).abs()[likely].max()), float((one.argmax(1) == two.argmax(1)).float().mean())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="a model's name, as for train.py")
    parser.add_argument("--work", default="build/training")
    parser.add_argument("--data", help="the classifiers' Tatoeba folder, for the check of the written directory")
    parser.add_argument("--models", default="resources/models")
    parser.add_argument("--last", action="store_true", help="the last weights instead of their moving average")
    options = parser.parse_args()
    model, saved = from_checkpoint(os.path.join(options.work, options.name + ".pt"),
                                   "model" if options.last else "average")
    folder = os.path.join(options.models, options.name)
    own = os.path.join(options.work, options.name)
    export(model, own if os.path.isdir(own) else options.work, folder)
    record = os.path.join(options.work, options.name + ".json")
    if os.path.exists(record):
        shutil.copyfile(record, os.path.join(folder, "training.json"))
        with open(os.path.join(folder, "loss.svg"), "w", encoding="utf-8") as out:
            out.write(drawn(record))
    difference, same = compare(model, folder, options.data, options.work)
    print(f"{folder}: step {saved['state']['step']}, {saved['state']['tokens']:,} tokens; log-probabilities differ by "
          f"at most {difference:.4f}, the likeliest token is the same in {100 * same:.2f}% (float16 rounding)")
    if difference > 0.2 or same < 0.99:
        raise SystemExit("the written directory does not compute what the trained model computes")


if __name__ == "__main__":
    main()
