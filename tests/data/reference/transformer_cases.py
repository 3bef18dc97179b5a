# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random checkpoints of every Transformer variant, small, with uneven attention."""
import numpy as np
import torch

from case_files import write_case
from transformers import DECODERS, ENCODERS, Model


class Maker:
    def __init__(self, seed, storage):
        self.random, self.storage, self.tensors = torch.Generator().manual_seed(seed), storage, {}

    def put(self, name, *shape, scale):
        values = torch.randn(*shape, generator=self.random) * scale
        kinds = {"f16": torch.float16, "bf16": torch.bfloat16}
        self.tensors[name] = values.to(kinds[self.storage]).float() if self.storage in kinds else values

    def linear(self, name, outputs, inputs, bias=True, scale=1.3):
        self.put(name + ".weight", outputs, inputs, scale=scale / inputs ** 0.5)
        if bias:
            self.put(name + ".bias", outputs, scale=0.2)

    def convolution(self, name, outputs, inputs, scale=1.3):
        self.put(name + ".weight", inputs, outputs, scale=scale / inputs ** 0.5)
        self.put(name + ".bias", outputs, scale=0.2)

    def norm(self, name, width, shift=True, names=("weight", "bias")):
        self.put(f"{name}.{names[0]}", width, scale=0.2)
        self.tensors[f"{name}.{names[0]}"] += 1
        if self.storage != "f32":
            kind = {"f16": torch.float16, "bf16": torch.bfloat16}[self.storage]
            self.tensors[f"{name}.{names[0]}"] = self.tensors[f"{name}.{names[0]}"].to(kind).float()
        if shift:
            self.put(f"{name}.{names[1]}", width, scale=0.2)


def bert_like(m, c, prefix, head, old_names=False):
    width, narrow = c["hidden_size"], c.get("embedding_size", c["hidden_size"])
    names = ("gamma", "beta") if old_names else ("weight", "bias")
    e = prefix + "embeddings."
    for name, rows in (("word", c["vocab_size"]), ("position", c["max_position_embeddings"]), ("token_type", c["type_vocab_size"])):
        m.put(f"{e}{name}_embeddings.weight", rows, narrow, scale=0.7)
    m.norm(e + "LayerNorm", narrow, names=names)
    if narrow != width:
        m.linear(prefix + "embeddings_project", width, narrow)
    for i in range(c["num_hidden_layers"]):
        l = f"{prefix}encoder.layer.{i}."
        for name in ("query", "key", "value"):
            m.linear(f"{l}attention.self.{name}", width, width, scale=2.0 if name != "value" else 1.0)
        m.linear(l + "attention.output.dense", width, width)
        m.linear(l + "intermediate.dense", c["intermediate_size"], width)
        m.linear(l + "output.dense", width, c["intermediate_size"])
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            m.norm(l + name, width, names=names)
    if head:
        dense, norm, bias = head
        m.linear(dense, narrow, width)
        m.norm(norm, narrow, names=names)
        m.put(bias, c["vocab_size"], scale=0.3)


BERT_HEAD = ("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm", "cls.predictions.bias")
ROBERTA_HEAD = ("lm_head.dense", "lm_head.layer_norm", "lm_head.bias")
ELECTRA_HEAD = ("generator_predictions.dense", "generator_predictions.LayerNorm", "generator_lm_head.bias")


def bert_config(kind, **more):
    return {"architectures": ["ForMaskedLM"], "hidden_act": "gelu", "hidden_size": 32, "intermediate_size": 48,
            "layer_norm_eps": 1e-12, "max_position_embeddings": 40, "model_type": kind, "num_attention_heads": 4,
            "num_hidden_layers": 2, "pad_token_id": 0, "position_embedding_type": "absolute", "type_vocab_size": 2,
            "vocab_size": 110, **more}


def gpt2_like(m, c, prefix):
    width, inner = c["n_embd"], c["n_inner"] or 4 * c["n_embd"]
    m.put(prefix + "wte.weight", c["vocab_size"], width, scale=0.7)
    m.put(prefix + "wpe.weight", c["n_positions"], width, scale=0.7)
    for i in range(c["n_layer"]):
        l = f"{prefix}h.{i}."
        m.convolution(l + "attn.c_attn", 3 * width, width, scale=1.6)
        m.convolution(l + "attn.c_proj", width, width)
        m.convolution(l + "mlp.c_fc", inner, width)
        m.convolution(l + "mlp.c_proj", width, inner)
        m.norm(l + "ln_1", width)
        m.norm(l + "ln_2", width)
    m.norm(prefix + "ln_f", width)


def llama_like(m, c, prefix):
    width, heads = c["hidden_size"], c["num_attention_heads"]
    head = c.get("head_dim") or width // heads
    keys = head * c.get("num_key_value_heads", heads)
    biased = c["model_type"] == "qwen2" or c.get("attention_bias", False)
    m.put(prefix + "embed_tokens.weight", c["vocab_size"], width, scale=0.7)
    for i in range(c["num_hidden_layers"]):
        l = f"{prefix}layers.{i}."
        m.linear(l + "self_attn.q_proj", head * heads, width, biased, 2.2)
        m.linear(l + "self_attn.k_proj", keys, width, biased, 2.2)
        m.linear(l + "self_attn.v_proj", keys, width, biased)
        m.linear(l + "self_attn.o_proj", width, head * heads, c.get("attention_bias", False))
        for name, outputs, inputs in (("gate", c["intermediate_size"], width), ("up", c["intermediate_size"], width),
                                      ("down", width, c["intermediate_size"])):
            m.linear(f"{l}mlp.{name}_proj", outputs, inputs, c.get("mlp_bias", False))
        m.norm(l + "input_layernorm", width, False)
        m.norm(l + "post_attention_layernorm", width, False)
    m.norm(prefix + "norm", width, False)
    if not c.get("tie_word_embeddings", False):
        m.linear("lm_head", c["vocab_size"], width, False)


def llama_config(kind, **more):
    return {"architectures": ["ForCausalLM"], "bos_token_id": 1, "eos_token_id": 2, "hidden_act": "silu",
            "hidden_size": 32, "intermediate_size": 48, "max_position_embeddings": 128, "model_type": kind,
            "num_attention_heads": 4, "num_hidden_layers": 2, "num_key_value_heads": 2, "rms_norm_eps": 1e-6,
            "rope_theta": 10000.0, "tie_word_embeddings": False, "vocab_size": 110, **more}


def bart_like(m, c, prefix):
    width, kind = c["d_model"], c["model_type"]
    if c.get("share_encoder_decoder_embeddings", True):
        m.put(prefix + "shared.weight", c["vocab_size"], width, scale=0.7)
    else:
        m.put(prefix + "encoder.embed_tokens.weight", c["vocab_size"], width, scale=0.7)
        m.put(prefix + "decoder.embed_tokens.weight", c["decoder_vocab_size"], width, scale=0.7)
    for side in ("encoder", "decoder"):
        s = f"{prefix}{side}."
        if "bart" in kind:
            m.put(s + "embed_positions.weight", c["max_position_embeddings"] + 2, width, scale=0.7)
            m.norm(s + "layernorm_embedding", width)
        if kind in ("mbart", "m2m_100"):
            m.norm(s + "layer_norm", width)
        for i in range(c[side + "_layers"]):
            l = f"{s}layers.{i}."
            for block in ("self_attn", "encoder_attn")[: 1 if side == "encoder" else 2]:
                for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
                    m.linear(f"{l}{block}.{name}", width, width, scale=1.6 if name[0] in "qk" else 1.1)
                m.norm(f"{l}{block}_layer_norm", width)
            m.linear(l + "fc1", c[side + "_ffn_dim"], width)
            m.linear(l + "fc2", width, c[side + "_ffn_dim"])
            m.norm(l + "final_layer_norm", width)
    if not c.get("tie_word_embeddings", True):
        m.linear("lm_head", c.get("decoder_vocab_size", c["vocab_size"]), width, False)
    if kind != "m2m_100":
        m.put("final_logits_bias", 1, c.get("decoder_vocab_size", c["vocab_size"]), scale=0.3)


def bart_config(kind, **more):
    return {"activation_function": "gelu", "architectures": ["ForConditionalGeneration"], "bos_token_id": 0,
            "d_model": 32, "decoder_attention_heads": 4, "decoder_ffn_dim": 48, "decoder_layers": 2,
            "decoder_start_token_id": 2, "encoder_attention_heads": 2, "encoder_ffn_dim": 40, "encoder_layers": 2,
            "eos_token_id": 2, "is_encoder_decoder": True, "max_position_embeddings": 40, "model_type": kind,
            "pad_token_id": 1, "scale_embedding": False, "tie_word_embeddings": True, "vocab_size": 110, **more}


def t5_like(m, c):
    width, inner = c["d_model"], c["d_kv"] * c["num_heads"]
    gated = c["feed_forward_proj"].startswith("gated-")
    m.put("shared.weight", c["vocab_size"], width, scale=1.0)
    for side in ("encoder", "decoder"):
        m.put(f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
              c["relative_attention_num_buckets"], c["num_heads"], scale=1.5)
        m.norm(side + ".final_layer_norm", width, False)
        for i in range(c["num_layers" if side == "encoder" else "num_decoder_layers"]):
            l = f"{side}.block.{i}.layer."
            blocks = [("0", "SelfAttention")] + ([("1", "EncDecAttention")] if side == "decoder" else [])
            for number, name in blocks:
                m.norm(f"{l}{number}.layer_norm", width, False)
                for which in "qkvo":
                    outputs, inputs = (width, inner) if which == "o" else (inner, width)
                    m.linear(f"{l}{number}.{name}.{which}", outputs, inputs, False, 0.8 if which in "qk" else 1.2)
            f = l + str(len(blocks)) + "."
            m.norm(f + "layer_norm", width, False)
            for which in ("wi_0", "wi_1") if gated else ("wi",):
                m.linear(f"{f}DenseReluDense.{which}", c["d_ff"], width, False)
            m.linear(f + "DenseReluDense.wo", width, c["d_ff"], False)
    if not c["tie_word_embeddings"]:
        m.linear("lm_head", c["vocab_size"], width, False)


def t5_config(kind, **more):
    return {"architectures": ["T5ForConditionalGeneration"], "d_ff": 40, "d_kv": 8, "d_model": 32,
            "decoder_start_token_id": 0, "eos_token_id": 1, "feed_forward_proj": "gated-gelu", "is_encoder_decoder": True,
            "layer_norm_epsilon": 1e-6, "model_type": kind, "num_decoder_layers": 2, "num_heads": 3, "num_layers": 2,
            "pad_token_id": 0, "relative_attention_max_distance": 20, "relative_attention_num_buckets": 8,
            "tie_word_embeddings": False, "vocab_size": 110, **more}


def text(ids):
    return ",".join(map(str, ids))


def uneven(found):
    rows = np.concatenate([np.asarray(v).max(-1).ravel() for k, v in found.items() if k.endswith("_attentions")])
    return float((rows > 0.3).mean())


def write_one(name, what, config, fill, source, target=None, segments=None, storage="f32", seed=0):
    seed = seed or 1 + sum(map(ord, name))
    m = Maker(seed, storage)
    fill(m, config)
    model = Model(config, m.tensors)
    every = ["--logits", "--hidden", "--scores"]
    forced = ["--source-ids", text(source)]
    if target:
        forced += ["--target-ids", text(target)]
    if segments:
        forced += ["--source-segments", text(segments)]
    runs, expected = {"forced": forced + every}, model.read(source, target, segments)
    kind = "encoder" if config["model_type"] in ENCODERS else "decoder" if config["model_type"] in DECODERS else "encoder-decoder"
    if kind == "decoder":
        produced, logs = model.greedy(source, 6)
        runs["greedy"] = ["--source-ids", text(source), "--decode", "greedy", "--generate", "6"]
        expected["greedy_source_ids"] = np.array(source + produced)
        expected["greedy_logprobs"] = np.array(expected["logprobs"].tolist() + logs)
    elif kind == "encoder-decoder":
        limit = ["--max-length", "10"]
        runs["greedy"] = ["--source-ids", text(source), "--decode", "greedy"] + limit
        runs["beam4"] = ["--source-ids", text(source), "--decode", "beam:4"] + limit
        produced, logs = model.greedy(source, 10)
        best, best_logs, total = model.beam(source, 4, 10)
        expected.update({"greedy_target_ids": np.array(produced), "greedy_logprobs": np.array(logs),
                         "beam4_target_ids": np.array(best), "beam4_logprobs": np.array(best_logs),
                         "beam4_score": np.array([total / len(best)])})
    write_case(name, what, kind, config, m.tensors, runs, expected, storage)
    print(f"{name}: {uneven(expected):.2f} of the rows have a weight above 0.3")


def write():
    short, long = [1, 17, 45, 3, 99, 62, 8, 31], [1] + [(7 * i * i + 3 * i) % 100 + 5 for i in range(29)]
    source, target = [12, 77, 5, 101, 34, 60, 18, 2], [44, 9, 71, 3, 88, 27, 2]
    encoder, plain = [2, 39, 22, 25, 65, 104, 3, 41, 90, 3], bert_config
    write_one("bert-pair", "a sentence pair, gamma and beta as older checkpoints have them", plain("bert"),
              lambda m, c: bert_like(m, c, "bert.", BERT_HEAD, True), encoder, segments=[0] * 7 + [1] * 3)
    write_one("bert-f16", "weights stored in f16", plain("bert"), lambda m, c: bert_like(m, c, "bert.", BERT_HEAD), encoder, storage="f16")
    write_one("xlm-roberta-padded", "positions skip padding", plain("xlm-roberta", pad_token_id=1, type_vocab_size=1, layer_norm_eps=1e-5),
              lambda m, c: bert_like(m, c, "roberta.", ROBERTA_HEAD), encoder[:6] + [1, 1] + encoder[6:])
    write_one("electra-mlm", "embeddings narrower than the layers, generator head", plain("electra", embedding_size=20),
              lambda m, c: bert_like(m, c, "electra.", ELECTRA_HEAD), encoder)
    gpt = {"activation_function": "gelu_new", "architectures": ["GPT2LMHeadModel"], "bos_token_id": 109, "eos_token_id": 109,
           "layer_norm_epsilon": 1e-5, "model_type": "gpt2", "n_embd": 32, "n_head": 4, "n_inner": 56, "n_layer": 3,
           "n_positions": 40, "scale_attn_by_inverse_layer_idx": True, "scale_attn_weights": True, "vocab_size": 110}
    write_one("gpt2-inverse-layer", "scores divided by the layer's number, own inner width, no prefix", gpt, lambda m, c: gpt2_like(m, c, ""), short)
    write_one("gpt2-unscaled", "scores not scaled", {**gpt, "n_layer": 2, "n_inner": None, "scale_attn_by_inverse_layer_idx": False, "scale_attn_weights": False},
              lambda m, c: gpt2_like(m, c, "transformer."), short)
    model = lambda m, c: llama_like(m, c, "model.")
    for name, scaling, more in (
            ("linear", {"type": "linear", "factor": 4.0}, {}),
            ("dynamic", {"type": "dynamic", "factor": 2.0}, {"max_position_embeddings": 16}),
            ("llama3", {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                        "original_max_position_embeddings": 24}, {"rope_theta": 500.0}),
            ("yarn", {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32}, {"rope_theta": 100.0})):
        write_one(f"llama-rope-{name}", f"rotary positions with {name} scaling", llama_config("llama", rope_scaling=scaling, **more), model, long)
    write_one("llama-biases", "biases, a head width of its own, tied output, no key/value field, no prefix",
              {k: v for k, v in llama_config("llama", attention_bias=True, mlp_bias=True, head_dim=12, tie_word_embeddings=True).items()
               if k != "num_key_value_heads"}, lambda m, c: llama_like(m, c, ""), short)
    write_one("llama-bf16", "weights stored in bf16", llama_config("llama"), model, short, storage="bf16")
    write_one("mistral-window", "a sliding window shorter than the text", llama_config("mistral", sliding_window=5), model, short + [14, 55, 76])
    write_one("qwen2-full", "biases on queries, keys and values; the window is switched off",
              llama_config("qwen2", use_sliding_window=False, sliding_window=3, max_window_layers=0), model, short)
    write_one("qwen2-window", "a sliding window in the second layer only",
              llama_config("qwen2", use_sliding_window=True, sliding_window=4, max_window_layers=1, tie_word_embeddings=True), model, short + [14, 55])
    family = lambda m, c: bart_like(m, c, "model.")
    write_one("mbart-scaled", "pre-norm, normalised and scaled embeddings", bart_config("mbart", scale_embedding=True), family, source, target)
    write_one("bart-scaled", "scaled embeddings, no prefix", bart_config("bart", scale_embedding=True), lambda m, c: bart_like(m, c, ""), source, target)
    write_one("m2m-padded", "pre-norm, sinusoidal positions from behind the padding index, padding in the source",
              bart_config("m2m_100", activation_function="relu", scale_embedding=True), family, source[:4] + [1] + source[4:], target)
    separate = dict(share_encoder_decoder_embeddings=False, decoder_vocab_size=90, decoder_start_token_id=89, pad_token_id=89,
                    bad_words_ids=[[89]], activation_function="swish", scale_embedding=True)
    write_one("marian-separate", "separate vocabularies, tied output", bart_config("marian", **separate), family, source, target)
    write_one("marian-untied", "separate vocabularies, output of its own", bart_config("marian", tie_word_embeddings=False, **separate), family, source, target)
    write_one("t5-gated", "version 1.1: gated tanh GELU, output of its own, all distances, inner width not d_model", t5_config("t5"),
              t5_like, [(5 * i * i + i) % 100 + 4 for i in range(30)] + [1], [(3 * i * i + i) % 90 + 5 for i in range(25)] + [1])
    write_one("mt5-silu", "gated SiLU, tied output", t5_config("mt5", feed_forward_proj="gated-silu", tie_word_embeddings=True, num_decoder_layers=1),
              t5_like, source[:-1] + [1], target[:-1] + [1])
