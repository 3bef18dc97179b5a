# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a trained model as the directory the program opens, and reads such a directory back."""
import argparse
import json
import os
import shutil
import struct
import tempfile

import numpy
import sentencepiece
import torch

from data import EOS, PAD, BOS, UNK, encode, pad, read_pairs
from recurrent import Recurrent
from transformer import Transformer

KINDS = {"F32": numpy.float32, "F16": numpy.float16}
RECURRENT_NAMES = [("source.", "encoder.embedding."), ("target.", "decoder.embedding."), ("encoder.", "encoder.rnn."),
                   ("initial.", "decoder.initial."), ("query.", "attention.query."), ("key.", "attention.key."),
                   ("v.", "attention.v."), ("output_hidden.", "decoder.output_hidden."),
                   ("cell.weight_ih", "decoder.rnn.weight_ih_l0"), ("cell.weight_hh", "decoder.rnn.weight_hh_l0"),
                   ("cell.bias_ih", "decoder.rnn.bias_ih_l0"), ("cell.bias_hh", "decoder.rnn.bias_hh_l0"),
                   ("bias", "decoder.output.bias")]


def write_safetensors(path, tensors):
    header, body, offset = {"__metadata__": {"format": "pt"}}, [], 0
    for name in sorted(tensors):
        array = numpy.ascontiguousarray(tensors[name])
        kind = next(k for k, v in KINDS.items() if v == array.dtype)
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
        body.append(array.tobytes())
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text + b"".join(body))


def read_safetensors(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        body = file.read()
    header.pop("__metadata__", None)
    return {name: torch.from_numpy(numpy.frombuffer(body[slice(*entry["data_offsets"])], KINDS[entry["dtype"]])
                                   .reshape(entry["shape"]).astype(numpy.float32))
            for name, entry in header.items()}


def to_file(name, back=False):
    """The file's name of a recurrent model's tensor, or with `back` the other way round."""
    for ours, theirs in RECURRENT_NAMES:
        first, second = (theirs, ours) if back else (ours, theirs)
        if name.startswith(first):
            return second + name[len(first):]
    raise KeyError(name)


def marian_order(size):
    """Our id of each Marian id: the end, unknown, the pieces, and last the start token, which is also Marian's pad."""
    return [EOS, UNK] + list(range(4, size)) + [BOS]


def marian_config(s, size):
    pad_id = size - 1
    return {"model_type": "marian", "architectures": ["MarianMTModel"], "is_encoder_decoder": True,
            "vocab_size": size, "decoder_vocab_size": size, "d_model": s["width"],
            "encoder_layers": s["encoder_layers"], "decoder_layers": s["decoder_layers"],
            "num_hidden_layers": s["encoder_layers"], "encoder_attention_heads": s["heads"],
            "decoder_attention_heads": s["heads"], "encoder_ffn_dim": s["inner"], "decoder_ffn_dim": s["inner"],
            "activation_function": "relu", "max_position_embeddings": 512, "static_position_embeddings": True,
            "normalize_before": False, "normalize_embedding": False, "scale_embedding": True,
            "tie_word_embeddings": True, "share_encoder_decoder_embeddings": True, "dropout": s["dropout"],
            "attention_dropout": s["dropout"], "activation_dropout": s["dropout"], "encoder_layerdrop": 0.0,
            "decoder_layerdrop": 0.0, "init_std": 0.02, "use_cache": True, "torch_dtype": "float16",
            "bos_token_id": 0, "eos_token_id": 0, "forced_eos_token_id": 0, "pad_token_id": pad_id,
            "decoder_start_token_id": pad_id, "bad_words_ids": [[pad_id]], "num_beams": 4, "max_length": 512}


def recurrent_config(s):
    return {"model_type": "rnn_encoder_decoder", "source_vocab_size": s["vocabulary"],
            "target_vocab_size": s["vocabulary"], "embedding_size": s["embedding"],
            "encoder": {"cell": "gru", "layers": 1, "hidden_size": s["hidden"], "bidirectional": True},
            "decoder": {"cell": "gru", "layers": 1, "hidden_size": s["decoder"],
                        "initial_state": "first_backward" if s["attention"] else "last", "style": "bahdanau",
                        "input_feeding": False, "output": "tanh", "output_size": s["embedding"]},
            "attention": {"score": "additive" if s["attention"] else "none", "size": s["size"], "rank": 64,
                          "scope": "global", "window": 10, "mode": "soft"},
            "tie_output": True, "source_eos": True, "pad_token_id": PAD, "unk_token_id": UNK, "bos_token_id": BOS,
            "eos_token_id": EOS, "source_language": "en", "target_language": "fr"}


def write_json(path, value, indent=2):
    with open(path, "w", encoding="utf-8") as out:
        json.dump(value, out, indent=indent, ensure_ascii=False)
        out.write("\n")


def export(model, tokenizer, folder):
    """Writes every file under a temporary name first; files the directory has besides (card, scores) stay."""
    os.makedirs(folder, exist_ok=True)
    new = tempfile.mkdtemp(dir=os.path.dirname(os.path.abspath(folder)))
    half = {name: value.detach().cpu().numpy().astype(numpy.float16) for name, value in model.state_dict().items()}
    size = model.settings["vocabulary"]
    if isinstance(model, Transformer):
        order = marian_order(size)
        half["shared.weight"] = half["shared.weight"][order]
        half["final_logits_bias"] = half["final_logits_bias"][:, order]
        write_safetensors(os.path.join(new, "model.safetensors"),
                          {name if name == "final_logits_bias" else "model." + name: v for name, v in half.items()})
        write_json(os.path.join(new, "config.json"), marian_config(model.settings, len(order)))
        processor = sentencepiece.SentencePieceProcessor(model_file=tokenizer)
        pieces = ["<pad>" if i == BOS else processor.id_to_piece(i) for i in order]
        write_json(os.path.join(new, "vocab.json"), {piece: i for i, piece in enumerate(pieces)}, 0)
        write_json(os.path.join(new, "tokenizer_config.json"),
                   {"tokenizer_class": "MarianTokenizer", "source_lang": "en", "target_lang": "fr",
                    "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>", "model_max_length": 512,
                    "separate_vocabs": False})
        for name in ("source.spm", "target.spm"):
            shutil.copyfile(tokenizer, os.path.join(new, name))
    else:
        write_safetensors(os.path.join(new, "model.safetensors"), {to_file(name): v for name, v in half.items()})
        write_json(os.path.join(new, "config.json"), recurrent_config(model.settings))
        shutil.copyfile(tokenizer, os.path.join(new, "tokenizer.model"))
    for name in os.listdir(new):
        os.replace(os.path.join(new, name), os.path.join(folder, name))
    os.rmdir(new)


def load(folder):
    """(model, SentencePiece processor) of an exported directory; the model computes in float32."""
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    tensors = read_safetensors(os.path.join(folder, "model.safetensors"))
    if config["model_type"] == "marian":
        size = config["vocab_size"] + 1
        model = Transformer(size, config["d_model"], config["encoder_attention_heads"], config["encoder_ffn_dim"],
                            config["encoder_layers"], config["decoder_layers"], config["dropout"])
        tensors = {name.replace("model.", "", 1): value for name, value in tensors.items()}
        order = marian_order(size)
        table, bias = torch.zeros(size, config["d_model"]), torch.full((1, size), -1e4)
        table[order], bias[:, order] = tensors["shared.weight"], tensors["final_logits_bias"]
        tensors.update({"shared.weight": table, "final_logits_bias": bias})
        tokenizer = "source.spm"
    else:
        model = Recurrent(config["source_vocab_size"], config["attention"]["score"] != "none", config["embedding_size"],
                          config["encoder"]["hidden_size"], config["decoder"]["hidden_size"],
                          config["attention"]["size"])
        tensors = {to_file(name, back=True): value for name, value in tensors.items()}
        tokenizer = "tokenizer.model"
    model.load_state_dict(tensors)
    return model.eval(), sentencepiece.SentencePieceProcessor(model_file=os.path.join(folder, tokenizer))


def from_checkpoint(path, weights="average"):
    saved = torch.load(path, map_location="cpu")
    settings = dict(saved["settings"])
    model = (Transformer if "heads" in settings else Recurrent)(**settings)
    model.load_state_dict(saved[weights])
    return model.eval(), saved


@torch.no_grad()
def compare(model, folder, pairs):
    """Largest difference of the log-probabilities of the training model and of the directory read again."""
    again, processor = load(folder)
    source, target = (pad(rows) for rows in zip(*encode(processor, pairs)))
    inputs = torch.cat([torch.full((len(target), 1), BOS), target[:, :-1]], 1)
    keep = target != PAD
    ids = torch.tensor([i for i in range(model.settings["vocabulary"]) if i != PAD])
    one, two = (m(source, inputs, keep)[:, ids].log_softmax(1) for m in (model, again))
    likely = one > -12
    return float((one - two).abs()[likely].max()), float((one.argmax(1) == two.argmax(1)).float().mean())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="transformer-en-fr, rnnsearch-en-fr or rnn-no-attention-en-fr")
    parser.add_argument("--work", default="build/training")
    parser.add_argument("--data", required=True, help="for the check of the written directory")
    parser.add_argument("--models", default="resources/models")
    parser.add_argument("--last", action="store_true", help="the last weights instead of their moving average")
    options = parser.parse_args()
    model, saved = from_checkpoint(os.path.join(options.work, options.name + ".pt"),
                                   "model" if options.last else "average")
    folder = os.path.join(options.models, options.name)
    export(model, os.path.join(options.work, "tokenizer.model"), folder)
    pairs = read_pairs(os.path.join(options.data, "validation.tsv.xz"))[:100]
    difference, same = compare(model, folder, pairs)
    print(f"{folder}: step {saved['state']['step']}, {saved['state']['tokens']:,} tokens; log-probabilities differ by "
          f"at most {difference:.4f}, the likeliest token is the same in {100 * same:.2f}% (float16 rounding)")
    if difference > 0.2 or same < 0.99:
        raise SystemExit("the written directory does not compute what the trained model computes")


if __name__ == "__main__":
    main()
