#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files as other tools write them, and the archive that each of their sentences is.

Run it in this folder (NumPy and PyTorch). Layouts are those of the programs that are named beside each file; FILE.json in
expected/ has what its last sentence becomes, worked out here from the same numbers and not from the file.
"""

import base64
import gzip
import io
import json
import math
import os
import struct

import numpy as np
import torch

HERE = os.path.dirname(os.path.abspath(__file__))
random = np.random.default_rng(49)


def weights(*shape, causal=False):
    """Weights whose rows sum to one, of two digits behind the comma: texts say them exactly."""
    raw = random.random(shape)
    if causal:
        raw = np.tril(raw)
    return np.round(raw / raw.sum(-1, keepdims=True), 2).astype(np.float32)


def write(name, content):
    with open(os.path.join(HERE, name), "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def expect(name, sentences, **arrays):
    """arrays: as an archive names them, of the last of so many sentences."""
    plain = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in arrays.items()}
    os.makedirs(os.path.join(HERE, "expected"), exist_ok=True)
    write(f"expected/{name}.json", json.dumps({"sentences": sentences, **plain}, ensure_ascii=False) + "\n")


def positions(count):
    return [str(i) for i in range(count)]


def sparse(map_):
    at = np.flatnonzero(map_ >= 0.005)
    return {"attention_indices": at.tolist(), "attention_values": [float(f"{map_.flat[i]:.4f}") for i in at], "seq_len": len(map_)}


# HeadVis: heads/L5H1.json, as utils/neuronpedia-utils/neuronpedia_utils/headvis/compute-head-metrics.py of
# hijohnnylin/neuronpedia writes what the page of anthropics/headvis reads; and the answer of Neuronpedia's
# /activation/attention (apps/inference/neuronpedia_inference/endpoints/activation/attention.py). One head; the same word
# twice, and byte pieces.
tokens = ["<bos>", " unk", " unk", "\u4e2d", "\ufffd"]
maps = [weights(5, 5, causal=True) for _ in range(2)]
write("headvis.json", json.dumps({
    "sequences": [{"sequence_id": 7 + i, "interval": i, "tokens": tokens, **sparse(m), "max_activation": float(m[1:, 1:].max())}
                  for i, m in enumerate(maps)],
    "qk_distance_histogram": {"bin_edges": [0, 1], "bin_values": [1]}, "top_query_tokens": [{"token": " unk", "weight": 1.0}],
    "histogram": {"bin_edges": [0.0, 1.0], "bin_values": [2]}, "statistics": {"n_samples": 2, "mean_max_activation": 0.5}}))
expect("headvis.json", 2, source_tokens=tokens, decoder_attentions=maps[1][None, None])
write("neuronpedia.json", json.dumps({"tokens": tokens, **sparse(maps[0]), "max_activation": 0.5}))
expect("neuronpedia.json", 1, source_tokens=tokens, decoder_attentions=maps[0][None, None])

# circuitsvis: str(attention_patterns(...)), python/circuitsvis/utils/render.py of TransformerLensOrg/CircuitsVis.
tokens = ["a", "</script>", '"b"']
maps = weights(2, 3, 3)
write("circuitsvis.html", f"""<div id="circuits-vis-8e6f4e2a-4c5d" style="margin: 15px 0;"/>
    <script crossorigin type="module">
    import {{ render, AttentionPatterns }} from "https://unpkg.com/circuitsvis@1.43.3/dist/cdn/esm.js";
    render(
      "circuits-vis-8e6f4e2a-4c5d",
      AttentionPatterns,
      {json.dumps({"tokens": tokens, "attention": maps.tolist()})}
    )
    </script>""")
expect("circuitsvis.html", 1, source_tokens=tokens, encoder_attentions=maps[None])

# BertViz: head_view(html_action="return"), bertviz/head_view.py of jessevig/bertviz: two sentences, whose views come after
# all of it; an encoder, a decoder and what is between them.
def bertviz(views):
    params = {"attention": views, "default_filter": "0", "root_div_id": "bertviz-1f0c", "layer": None, "heads": None, "include_layers": [0, 1]}
    return ('<script src="https://cdnjs.cloudflare.com/ajax/libs/require.js/2.3.6/require.min.js"></script>\n'
            '<div id="bertviz-1f0c"><span style="user-select:none">Layer: <select id="layer"></select></span></div>\n'
            '<script type="text/javascript">\nrequirejs([\'jquery\', \'d3\'], function ($, d3) {\n'
            # The comment is BertViz's own, in every page that it writes.
            f"    const params = {json.dumps(params)}; // HACK: {{}} is a template marker that is replaced by actual params.\n"
            "});\n</script>\n")


def view(name, attn, left, right):
    return {"name": name, "attn": attn.tolist(), "left_text": left, "right_text": right}


tokens = ["[CLS]", "tag", "[SEP]", "##[12]", "[SEP]"]
maps = weights(2, 2, 5, 5)
a, b = slice(0, 3), slice(3, 5)
write("bertviz_pair.html", bertviz([view("All", maps, tokens, tokens), view("Sentence A -> Sentence A", maps[:, :, a, a], tokens[a], tokens[a]),
                                    view("Sentence B -> Sentence B", maps[:, :, b, b], tokens[b], tokens[b])]))
expect("bertviz_pair.html", 1, source_tokens=tokens, source_segments=[0, 0, 0, 1, 1], encoder_attentions=maps)
source, target = ["\u2581Guten", "\u2581Tag", "</s>"], ["<pad>", "\u2581Good"]
encoder, decoder, cross = weights(1, 2, 3, 3), weights(1, 2, 2, 2, causal=True), weights(1, 2, 2, 3)
write("bertviz_translation.html", bertviz([view("Encoder", encoder, source, source), view("Decoder", decoder, target, target), view("Cross", cross, target, source)]))
expect("bertviz_translation.html", 1, source_tokens=source, target_tokens=target, encoder_attentions=encoder, decoder_attentions=decoder, cross_attentions=cross)


# inseq: FeatureAttributionOutput.save, inseq/data/attribution.py and inseq/utils/serialization.py of inseq-team/inseq: tensors
# are safetensors files in base64, of versions before 0.6 arrays of json-tricks.
def safetensors(tensors, metadata=None):
    header, data = ({"__metadata__": metadata} if metadata else {}), b""
    for name, array in tensors.items():
        kind = {"float32": "F32", "float16": "F16", "int64": "I64"}[str(array.dtype)]
        raw = np.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def instance(module, name, attributes):
    return {"__instance_type__": [module, name], "attributes": attributes}


def inseq(sequences):
    named = lambda tokens: [instance("inseq.utils.typing", "TokenWithId", {"token": t, "id": 3}) for t in tokens]
    whole = [instance("inseq.data.attribution", "FeatureAttributionSequenceOutput", {**s, "source": named(s["source"]), "target": named(s["target"])})
             for s in sequences]
    output = instance("inseq.data.attribution", "FeatureAttributionOutput",
                      {"info": {"attribution_method": "attention"}, "sequence_attributions": whole, "step_attributions": None})
    return json.dumps(output, indent=4, sort_keys=True)


stored = lambda array: base64.b64encode(safetensors({"attribution": array})).decode()
source, target = ["\u2581Ein", "\u2581<unk>", "</s>"], ["\u2581A", "\u2581<unk>"]
maps = weights(2, 2, 2, 3)  # layers, heads, written, read
names = {"source_attributions": {"0": "Input Tokens", "1": "Generated Tokens", "2": "Model Layer", "3": "Attention Head"}}
write("inseq.json", inseq([{"source": source, "target": target, "source_attributions": stored(maps.transpose(3, 2, 0, 1).copy()),
                            "target_attributions": None, "attr_pos_start": 0, "_attribution_dim_names": names}]))
expect("inseq.json", 1, source_tokens=source, target_tokens=target, cross_attentions=maps)
whole = ["<s>", "\u0120Hello", "\u0120w\u00c3\u00b6rld", "!"]
scores = np.array([[3, 0], [4, 1], [0, 0], [math.nan, math.nan]], np.float32)[:, :, None] * np.array([0.6, 0.8], np.float32)
raw = gzip.compress(np.ascontiguousarray(scores.astype(np.float32)).tobytes() + b"")
array = {"__ndarray__": "b64.gz:" + base64.b64encode(raw).decode(), "dtype": "float32", "shape": [4, 2, 2], "Corder": True}
square = np.zeros((1, 1, 4, 4), np.float32)
square[0, 0, 1, :2], square[0, 0, 2, :2] = [3, 4], [0, 1]
write("inseq_continued.json", inseq([{"source": whole[:2], "target": whole, "source_attributions": None, "target_attributions": array,
                                      "attr_pos_start": 2, "_attribution_dim_names": None}]))
expect("inseq_continued.json", 1, source_tokens=whole, decoder_attentions=square)

# Whisper: result.json of openai/whisper (--word_timestamps True), whisper/transcribe.py and timing.py.
spoken = [(" Ask", 0.0, 0.1), (" not.", 0.1, 0.16)]
frames = np.zeros((1, 1, 2, 8), np.float32)
frames[0, 0, 0, :5], frames[0, 0, 1, 5:8] = 1, 1
write("whisper.json", json.dumps({"text": " Ask not.", "segments": [{"id": 0, "seek": 0, "start": 0.0, "end": 0.16, "text": " Ask not.", "tokens": [50364, 12320, 406, 13],
      "temperature": 0.0, "avg_logprob": -0.2, "compression_ratio": 0.5, "no_speech_prob": 0.01,
      "words": [{"word": w, "start": s, "end": e, "probability": 0.9} for w, s, e in spoken]}], "language": "en"}))
expect("whisper.json", 1, source_tokens=[f"{0.02 * i:.2f}" for i in range(8)], target_tokens=[w for w, _, _ in spoken], cross_attentions=frames)

# numpy.save of one map, numpy.savez of arrays by other names than an archive's; big-endian, Fortran order.
map_ = weights(2, 3)
write("map.npy", (lambda f: (np.save(f, np.asfortranarray(map_).astype(">f8")), f.getvalue())[1])(io.BytesIO()))
expect("map.npy", 1, source_tokens=positions(3), target_tokens=positions(2), cross_attentions=map_[None, None])
layers = weights(2, 2, 3, 3)
write("layers.npz", (lambda f: (np.savez(f, attn_layer_0=layers[0], attn_layer_1=layers[1], ids=np.array([5, 6, 5])), f.getvalue())[1])(io.BytesIO()))
expect("layers.npz", 1, source_ids=[5, 6, 5], encoder_attentions=layers)

# safetensors and torch.save of named tensors: a cache of TransformerLens (blocks.N.attn.hook_pattern), a batch of two; the
# tuple `attentions` of transformers.
batch = weights(2, 2, 2, 3, 3, causal=True)  # layers, batch, heads
write("hooks.safetensors", safetensors({**{f"blocks.{n}.attn.hook_pattern": batch[i] for i, n in enumerate((3, 7))},
                                        "blocks.3.attn.hook_q": np.zeros((2, 3, 2, 4), np.float32), "input_ids": np.array([[1, 2, 3], [4, 5, 4]])}))
expect("hooks.safetensors", 2, source_ids=[4, 5, 4], decoder_attentions=batch[:, 1])
torch.save(tuple(torch.tensor(layer) for layer in batch), os.path.join(HERE, "attentions.pt"))
expect("attentions.pt", 2, source_tokens=positions(3), decoder_attentions=batch[:, 1])


# vLLM-Hook: qk.pt and qk.safetensors with qk.json of vllm_hook_plugins/workers/probe_hookqk_worker.py of IBM/vLLM-Hook: two
# heads of queries share one of keys; requests of 3 and 2 tokens.
def attend(q, k):
    scores = (q.reshape(len(q), 2, 2).transpose(1, 0, 2) @ k.T) * 0.5
    scores = np.where(np.tri(len(q)) > 0, scores, -np.inf)
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    return (scores / scores.sum(-1, keepdims=True)).astype(np.float32)


queries = [random.standard_normal((n, 4)).astype(np.float32) for n in (3, 2)]
keys = [random.standard_normal((n, 2)).astype(np.float32) for n in (3, 2)]
config = {"num_attention_heads": 2, "num_key_value_heads": 1, "hidden_size": 4, "head_dim": 2, "attention_multiplier": 0.5}
module = "model.layers.5.self_attn.attn"
torch.save({"config": config, "qk_cache": {module: {"q": [torch.tensor(q) for q in queries], "k_all": [torch.tensor(k) for k in keys], "layer_num": 5}}},
           os.path.join(HERE, "qk.pt"))
expect("qk.pt", 2, source_tokens=positions(2), decoder_attentions=attend(queries[1], keys[1])[None])
padded = lambda rows: np.stack([np.pad(r, ((0, 3 - len(r)), (0, 0))) for r in rows])
name = module.replace(".", "__")
write("probe.safetensors", safetensors({name + "__q": padded(queries), name + "__k": padded(keys)}))
write("probe.json", json.dumps({"config": config, "layer_order": [{"key_q": name + "__q", "key_k": name + "__k", "module_name": module, "layer_num": 5}],
                                "batch_size": 2, "hookq_mode": "all_tokens", "tp_rank": 0, "seq_lens": [3, 2]}))
expect("probe.safetensors", 2, source_tokens=positions(2), decoder_attentions=attend(queries[1], keys[1])[None])

# Marian: --alignment (hard) with an n-best list, and --alignment soft: src/data/alignment.cpp of marian-nmt/marian-dev.
hard = lambda links, rows, columns: np.array([[1.0 if (j, i) in links else 0.0 for j in range(columns)] for i in range(rows)], np.float32)[None, None]
soft = weights(3, 4)
write("marian_soft.txt", "Die Katze ||| " + " ".join(",".join(f"{w:g}" for w in row) for row in soft) + "\n")
expect("marian_soft.txt", 1, source_tokens=positions(4), target_tokens=["Die", "Katze", "</s>"], cross_attentions=soft[None, None])
write("marian_nbest.txt", "0 ||| Die Katze ||| 0-0 1-1 2-1 ||| F0= -1.5 ||| -0.75\n0 ||| Eine Kat@@ ze ||| 0-0 1-1 1-2 ||| F0= -2 ||| -1\n")
expect("marian_nbest.txt", 2, source_tokens=positions(2), target_tokens=["Eine", "Kat@@", "ze"], cross_attentions=hard({(0, 0), (1, 1), (1, 2)}, 3, 2))
# OpenNMT-tf: format_translation_output of opennmt/utils/misc.py, soft; OpenNMT-py: build_align_pharaoh of
# onmt/utils/alignment.py behind " ||| "; its table of -attn_debug (report_matrix of onmt/utils/misc.py).
soft = weights(2, 3)
write("opennmt_tf.txt", "-0.250000 ||| Hello world ||| " + " ; ".join(" ".join(f"{w:.6f}" for w in row) for row in soft) + "\n")
expect("opennmt_tf.txt", 1, source_tokens=positions(3), target_tokens=["Hello", "world"], cross_attentions=soft[None, None])
write("opennmt_py.txt", "Hello world ||| 0-0 2-1\nHello \uffedworld ||| 1-0 1-1\n")
expect("opennmt_py.txt", 2, source_tokens=positions(2), target_tokens=["Hello", "\uffedworld"], cross_attentions=hard({(1, 0), (1, 1)}, 2, 2))
rows = "".join("{:>10.10} ".format(word) + "".join(("{:*>10.7f} " if w == max(row) else "{:>10.7f} ").format(w) for w in map(float, row)) + "\n"
               for word, row in zip(["Hello", "</s>"], soft))
write("opennmt_debug.txt", "[2024-05-02 10:00:00,000 INFO] \nSENT 1: ['Hallo', 'Welt', '.']\nPRED 1: Hello\n\n" + " " * 11
      + "".join("{:>10.7} ".format(w) for w in ["Hallo", "Welt", "."]) + "\n" + rows + "\nPRED AVG SCORE: -0.1\n")
expect("opennmt_debug.txt", 1, source_tokens=["Hallo", "Welt", "."], target_tokens=["Hello", "</s>"], cross_attentions=soft[None, None])
# Sockeye: sockeye/output_handler.py of awslabs/sockeye, both forms; Nematus and translate.lua have the lengths in one part.
matrix = "".join(" ".join(f"{w:f}" for w in row) + "\n" for row in soft) + "\n"
write("sockeye_matrix.txt", "1 ||| Hello world ||| -0.250000 ||| Hallo Welt . ||| 3 ||| 2\n" + matrix)
expect("sockeye_matrix.txt", 1, source_tokens=["Hallo", "Welt", "."], target_tokens=["Hello", "world"], cross_attentions=soft[None, None])
write("nematus_matrix.txt", "0 ||| Hello ||| 0 ||| Hallo Welt ||| 3 2\n" + matrix + "1 ||| <unk> ||| 0.5 ||| Hallo <unk> ||| 3 2\n" + matrix)
expect("nematus_matrix.txt", 2, source_tokens=["Hallo", "<unk>", "</s>"], target_tokens=["<unk>", "</s>"], cross_attentions=soft[None, None])
write("sockeye_hard.txt", "Hello world\t0-0 1-1\n")
expect("sockeye_hard.txt", 1, source_tokens=positions(2), target_tokens=["Hello", "world"], cross_attentions=hard({(0, 0), (1, 1)}, 2, 2))
# fairseq: fairseq_cli/generate.py --print-alignment of facebookresearch/fairseq, hard and soft.
lines = "S-4\tHallo Wel@@ t\nT-4\tHello world\nH-4\t-0.25\tHello world\nD-4\t-0.25\tHello world\nP-4\t-0.1 -0.2 -0.3\n"
write("fairseq_hard.txt", "| loaded checkpoint\n" + lines + "A-4\t0-0 1-1 2-1\nGenerate test with beam=5: BLEU4 = 1\n")
expect("fairseq_hard.txt", 1, source_tokens=["Hallo", "Wel@@", "t"], target_tokens=["Hello", "world"], cross_attentions=hard({(0, 0), (1, 1), (2, 1)}, 2, 3))
soft = weights(3, 4)
write("fairseq_soft.txt", lines + "A-4\t" + " ".join(",".join(f"{w:.6f}" for w in row) for row in soft) + "\n")
expect("fairseq_soft.txt", 1, source_tokens=["Hallo", "Wel@@", "t", "</s>"], target_tokens=["Hello", "world", "</s>"], cross_attentions=soft[None, None])

# CSV as the program exports the numbers of a figure: quoted labels, an apostrophe before what a spreadsheet would compute.
map_ = weights(2, 2)
write("map.csv", ',"\'=a","b, ""c"""\r\n' + "".join(f'"{label}",' + ",".join(f"{w:g}" for w in row) + "\r\n" for label, row in zip(("x", "'-"), map_)))
expect("map.csv", 1, source_tokens=["=a", 'b, "c"'], target_tokens=["x", "-"], cross_attentions=map_[None, None])
