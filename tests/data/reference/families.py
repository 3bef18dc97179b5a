# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The families as Hugging Face's checkpoints describe them: ids in, logits and hidden states out."""
import math

import torch

from layers import ACTIVATIONS, causal, relative_bias, rotary, sinusoid


def prefix_of(w, prefix):
    return prefix if any(name.startswith(prefix) for name in w.tensors) else ""


def bert(w, config, ids, segments=None):
    """BERT, RoBERTa, XLM-RoBERTa and ELECTRA. Returns hidden states and logits (None without a head)."""
    kind = config["model_type"]
    base = {"xlm-roberta": "roberta."}.get(kind, kind + ".")
    p, epsilon = prefix_of(w, base), config["layer_norm_eps"]
    positions = torch.arange(len(ids))
    if "roberta" in kind:
        counted = (ids != config["pad_token_id"]).long()
        positions = counted.cumsum(0) * counted + config["pad_token_id"]
    segments = torch.zeros_like(ids) if segments is None else segments
    words = w.tensors[p + "embeddings.word_embeddings.weight"]
    x = words[ids] + w.tensors[p + "embeddings.token_type_embeddings.weight"][segments] \
        + w.tensors[p + "embeddings.position_embeddings.weight"][positions]
    x = w.layer_norm(x, p + "embeddings.LayerNorm", epsilon)
    if w.has(p + "embeddings_project.weight"):
        x = w.linear(x, p + "embeddings_project")
    hidden, act = [x], ACTIVATIONS[config["hidden_act"]]
    for i in range(config["num_hidden_layers"]):
        l = f"{p}encoder.layer.{i}."
        q, k, v = (w.linear(x, f"{l}attention.self.{n}") for n in ("query", "key", "value"))
        a = w.attend("encoder", q, k, v, config["num_attention_heads"])
        x = w.layer_norm(x + w.linear(a, l + "attention.output.dense"), l + "attention.output.LayerNorm", epsilon)
        f = w.linear(act(w.linear(x, l + "intermediate.dense")), l + "output.dense")
        x = w.layer_norm(x + f, l + "output.LayerNorm", epsilon)
        hidden.append(x)
    heads = {"bert": ("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm", "cls.predictions.bias"),
             "electra": ("generator_predictions.dense", "generator_predictions.LayerNorm", "generator_lm_head.bias")}
    dense, norm, bias = heads.get(kind, ("lm_head.dense", "lm_head.layer_norm", "lm_head.bias"))
    if not w.has(dense + ".weight"):
        return hidden, None
    act = act if kind == "bert" else ACTIVATIONS["gelu"]
    return hidden, w.layer_norm(act(w.linear(x, dense)), norm, epsilon) @ words.T + w.tensors[bias]


def gpt2(w, config, ids):
    p, width = prefix_of(w, "transformer."), config["n_embd"]
    words = w.tensors[p + "wte.weight"]
    x = words[ids] + w.tensors[p + "wpe.weight"][: len(ids)]
    hidden, act = [x], ACTIVATIONS[config["activation_function"]]
    for i in range(config["n_layer"]):
        l = f"{p}h.{i}."
        q, k, v = w.convolution(w.layer_norm(x, l + "ln_1", config["layer_norm_epsilon"]), l + "attn.c_attn").split(width, 1)
        scale = (width // config["n_head"]) ** -0.5 if config.get("scale_attn_weights", True) else 1.0
        if config.get("scale_attn_by_inverse_layer_idx"):
            scale /= i + 1
        a = w.attend("decoder", q, k, v, config["n_head"], scale=scale, mask=causal(len(ids)))
        x = x + w.convolution(a, l + "attn.c_proj")
        f = act(w.convolution(w.layer_norm(x, l + "ln_2", config["layer_norm_epsilon"]), l + "mlp.c_fc"))
        x = x + w.convolution(f, l + "mlp.c_proj")
        hidden.append(x)
    hidden[-1] = w.layer_norm(x, p + "ln_f", config["layer_norm_epsilon"])
    return hidden, hidden[-1] @ words.T


def window_of(config, layer):
    kind = config["model_type"]
    if kind == "mistral":
        return config["sliding_window"]
    if kind == "qwen2" and config.get("use_sliding_window") and layer >= config["max_window_layers"]:
        return config["sliding_window"]
    return None


def llama(w, config, ids):
    """LLaMA, Mistral and Qwen2."""
    p, epsilon, heads = prefix_of(w, "model."), config["rms_norm_eps"], config["num_attention_heads"]
    width = config.get("head_dim") or config["hidden_size"] // heads
    words = w.tensors[p + "embed_tokens.weight"]
    x = words[ids]
    hidden, turn, act = [x], rotary(config, width, len(ids)), ACTIVATIONS[config["hidden_act"]]
    for i in range(config["num_hidden_layers"]):
        l = f"{p}layers.{i}."
        y = w.rms_norm(x, l + "input_layernorm", epsilon)
        q, k, v = (w.linear(y, f"{l}self_attn.{n}_proj") for n in "qkv")
        a = w.attend("decoder", q, k, v, heads, config.get("num_key_value_heads", heads),
                     mask=causal(len(ids), window_of(config, i)), turn=turn)
        x = x + w.linear(a, l + "self_attn.o_proj")
        y = w.rms_norm(x, l + "post_attention_layernorm", epsilon)
        x = x + w.linear(act(w.linear(y, l + "mlp.gate_proj")) * w.linear(y, l + "mlp.up_proj"), l + "mlp.down_proj")
        hidden.append(x)
    hidden[-1] = w.rms_norm(x, p + "norm", epsilon)
    return hidden, hidden[-1] @ (words if config.get("tie_word_embeddings", False) else w.tensors["lm_head.weight"]).T


class Bart:
    """Marian, BART, mBART and M2M-100."""

    def __init__(self, w, config):
        self.w, self.c, self.p = w, config, prefix_of(w, "model.")
        self.before = config["model_type"] in ("mbart", "m2m_100")
        self.act = ACTIVATIONS[config["activation_function"]]

    def table(self, side):
        for name in (f"{self.p}shared.weight", f"{self.p}{side}.embed_tokens.weight"):
            if self.w.has(name):
                return self.w.tensors[name]

    def embed(self, side, ids):
        w, kind, n = self.w, self.c["model_type"], len(ids)
        x = self.table(side)[ids]
        if self.c.get("scale_embedding", kind == "m2m_100"):
            x = x * math.sqrt(self.c["d_model"])
        if kind == "marian":
            x = x + sinusoid(torch.arange(n), x.shape[1], False).to(x.dtype)
        elif kind == "m2m_100":
            pad = self.c["pad_token_id"]
            counted = (ids != pad).long()
            places = sinusoid(counted.cumsum(0) * counted + pad, x.shape[1], True) * counted[:, None]
            x = x + places.to(x.dtype)
        else:
            x = x + w.tensors[f"{self.p}{side}.embed_positions.weight"][2: 2 + n]
        return w.layer_norm(x, f"{self.p}{side}.layernorm_embedding", 1e-5) if "bart" in kind else x

    def block(self, x, norm, run):
        y = run(self.w.layer_norm(x, norm, 1e-5) if self.before else x)
        return x + y if self.before else self.w.layer_norm(x + y, norm, 1e-5)

    def attention(self, stage, side, l, name, x, memory=None, mask=None):
        w = self.w

        def run(y):
            source = y if memory is None else memory
            q, k, v = w.linear(y, l + name + ".q_proj"), w.linear(source, l + name + ".k_proj"), w.linear(source, l + name + ".v_proj")
            return w.linear(w.attend(stage, q, k, v, self.c[side + "_attention_heads"], mask=mask), l + name + ".out_proj")
        return self.block(x, l + name + "_layer_norm", run)

    def stack(self, side, ids, memory=None):
        x = self.embed(side, ids)
        hidden = [x]
        for i in range(self.c[side + "_layers"]):
            l = f"{self.p}{side}.layers.{i}."
            x = self.attention(side, side, l, "self_attn", x, mask=None if memory is None else causal(len(ids)))
            if memory is not None:
                x = self.attention("cross", side, l, "encoder_attn", x, memory)
            x = self.block(x, l + "final_layer_norm", lambda y: self.w.linear(self.act(self.w.linear(y, l + "fc1")), l + "fc2"))
            hidden.append(x)
        if self.before:
            hidden[-1] = self.w.layer_norm(x, f"{self.p}{side}.layer_norm", 1e-5)
        return hidden

    def encode(self, ids):
        return self.stack("encoder", ids)

    def decode(self, memory, inputs):
        hidden = self.stack("decoder", inputs, memory)
        output = self.table("decoder") if self.c.get("tie_word_embeddings", True) else self.w.tensors["lm_head.weight"]
        logits = hidden[-1] @ output.T
        return hidden, logits + self.w.tensors["final_logits_bias"][0] if self.w.has("final_logits_bias") else logits


class T5:
    def __init__(self, w, config):
        self.w, self.c = w, config
        kind = config["feed_forward_proj"]
        self.gated = kind.startswith("gated-")
        self.act = ACTIVATIONS[{"gated-gelu": "gelu_new"}.get(kind, kind.replace("gated-", ""))]

    def stack(self, side, ids, memory=None):
        w, c, n = self.w, self.c, len(ids)
        norm = lambda y, name: w.rms_norm(y, name, c["layer_norm_epsilon"])
        table = w.tensors[f"{side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
        bias = relative_bias(table, n, n, memory is None, c["relative_attention_max_distance"])
        x = w.tensors["shared.weight"][ids]
        hidden = [x]
        for i in range(c["num_layers" if memory is None else "num_decoder_layers"]):
            l = f"{side}.block.{i}.layer."
            y = norm(x, l + "0.layer_norm")
            q, k, v = (w.linear(y, f"{l}0.SelfAttention.{m}") for m in "qkv")
            mask = None if memory is None else causal(n)
            x = x + w.linear(w.attend(side, q, k, v, c["num_heads"], scale=1, bias=bias, mask=mask), l + "0.SelfAttention.o")
            if memory is not None:
                y = norm(x, l + "1.layer_norm")
                q, k, v = w.linear(y, l + "1.EncDecAttention.q"), w.linear(memory, l + "1.EncDecAttention.k"), w.linear(memory, l + "1.EncDecAttention.v")
                x = x + w.linear(w.attend("cross", q, k, v, c["num_heads"], scale=1), l + "1.EncDecAttention.o")
            f = l + ("1." if memory is None else "2.")
            y = norm(x, f + "layer_norm")
            f += "DenseReluDense."
            inner = self.act(w.linear(y, f + "wi_0")) * w.linear(y, f + "wi_1") if self.gated else self.act(w.linear(y, f + "wi"))
            x = x + w.linear(inner, f + "wo")
            hidden.append(x)
        hidden[-1] = norm(x, side + ".final_layer_norm")
        return hidden

    def encode(self, ids):
        return self.stack("encoder", ids)

    def decode(self, memory, inputs):
        hidden = self.stack("decoder", inputs, memory)
        if self.c.get("tie_word_embeddings", self.c["model_type"] == "t5"):
            return hidden, hidden[-1] * self.c["d_model"] ** -0.5 @ self.w.tensors["shared.weight"].T
        return hidden, hidden[-1] @ self.w.tensors["lm_head.weight"].T


ENCODERS = {"bert": bert, "roberta": bert, "xlm-roberta": bert, "electra": bert}
DECODERS = {"gpt2": gpt2, "llama": llama, "mistral": llama, "qwen2": llama}
PAIRS = {"marian": Bart, "bart": Bart, "mbart": Bart, "m2m_100": Bart, "t5": T5, "mt5": T5}
