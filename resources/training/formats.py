# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each kind of model as files: its configuration, its tensors' names, its tokenizer, and the way back."""
import os
import shutil

import sentencepiece
import torch

from captioner import Captioner
from classifier import Classifier
from data import BOS, EOS, PAD, UNK
from digits import RATE
from draw_scenes import SIZE
from language import Bert, Gpt
from luong import Luong
from questions import LABELS
from recurrent import Recurrent
from scenes import DEVIATION, LABEL, MEAN, Words
from speech import Spoken
from subwords import END, SPECIAL, ByteLevel, WordPiece
from transformer import Transformer
from vision import VisionGpt
from whisper import BANDS, FFT, HOP, Whisper

RECURRENT_NAMES = [("cell.", "decoder.rnn.", "_l0"), ("source.", "encoder.embedding.", ""),
                  ("target.", "decoder.embedding.", ""), ("encoder.", "encoder.rnn.", ""),
                  ("initial.", "decoder.initial.", ""), ("query.", "attention.query.", ""),
                  ("key.", "attention.key.", ""), ("v.", "attention.v.", ""), ("general.", "attention.general.", ""),
                  ("position.", "attention.position.", ""), ("position_v.", "attention.position_v.", ""),
                  ("output_hidden.", "decoder.output_hidden.", ""), ("bias", "decoder.output.bias", "")]


CLASSIFIER_TYPES = {"pooling": "attention_pooling", "structured": "structured_self_attention",
                    "hierarchical": "hierarchical_attention"}
CLASSIFIER_NAMES = {
    "pooling": [("word_reader.rnn.", "encoder.rnn.", ""), ("word_pool.", "attention.", "")],
    "structured": [("word_reader.rnn.", "encoder.rnn.", ""), ("word_pool.key.", "attention.w1.", ""),
                   ("word_pool.v.", "attention.w2.", "")],
    "hierarchical": [("word_reader.rnn.", "word.rnn.", ""), ("word_pool.", "word.attention.", ""),
                     ("sentence_reader.rnn.", "sentence.rnn.", ""), ("sentence_pool.", "sentence.attention.", "")]}


def renamed(name, names, back=False):
    """The file's name of a tensor by a table of [(our start, their start, what they add at the end)], or with `back`
    the other way round."""
    for ours, theirs, end in names:
        first, second = (theirs, ours) if back else (ours, theirs)
        if name.startswith(first):
            rest = name[len(first):]
            return second + (rest[:len(rest) - len(end)] if back else rest + end)
    raise KeyError(name)


class RecurrentFormat:
    """The program's own format of recurrent encoder-decoders, Bahdanau's and Luong's."""

    @staticmethod
    def config(model):
        s, luong = model.settings, isinstance(model, Luong)
        cell, size = ("lstm" if luong else "gru"), s["vocabulary"]
        decoder = {"cell": cell, "layers": 1, "hidden_size": 2 * s["hidden"] if luong else s["decoder"]}
        if luong:
            score, window = "general", s["window"]
            decoder |= {"initial_state": "copy", "style": "luong", "input_feeding": True, "output": "attentional"}
        else:
            score, window = ("additive" if s["attention"] else "none"), 0
            decoder |= {"initial_state": "first_backward" if s["attention"] else "last", "style": "bahdanau",
                        "input_feeding": False, "output": "tanh"}
        decoder["output_size"] = s["embedding"]
        return {"model_type": "rnn_encoder_decoder", "source_vocab_size": size, "target_vocab_size": size,
                "embedding_size": s["embedding"],
                "encoder": {"cell": cell, "layers": 1, "hidden_size": s["hidden"], "bidirectional": True},
                "decoder": decoder,
                "attention": {"score": score, "size": s["size"], "rank": 64,
                              "scope": "local_p" if window else "global", "window": window or 10, "mode": "soft"},
                "tie_output": True, "source_eos": True, "pad_token_id": PAD, "unk_token_id": UNK, "bos_token_id": BOS,
                "eos_token_id": EOS, "source_language": "en", "target_language": "fr"}

    @staticmethod
    def tensors(model, half):
        return {renamed(name, RECURRENT_NAMES): value for name, value in half.items()}

    @staticmethod
    def tokenizer(model, work, new):
        shutil.copyfile(os.path.join(work, "tokenizer.model"), os.path.join(new, "tokenizer.model"))
        return {}

    @staticmethod
    def load(config, tensors, folder):
        attention, hidden = config["attention"], config["encoder"]["hidden_size"]
        if config["decoder"]["style"] == "luong":
            window = attention["window"] if attention["scope"] == "local_p" else 0
            model = Luong(config["source_vocab_size"], window, config["embedding_size"], hidden, attention["size"])
        else:
            model = Recurrent(config["source_vocab_size"], attention["score"] != "none", config["embedding_size"],
                              hidden, config["decoder"]["hidden_size"], attention["size"])
        model.load_state_dict({renamed(name, RECURRENT_NAMES, True): value for name, value in tensors.items()})
        return model, sentencepiece.SentencePieceProcessor(model_file=os.path.join(folder, "tokenizer.model"))


class MarianFormat:
    @staticmethod
    def order(size):
        """Our id of each Marian id: the end, unknown, the pieces, and last the start token, also Marian's pad."""
        return [EOS, UNK] + list(range(4, size)) + [BOS]

    @staticmethod
    def config(model):
        s = model.settings
        size = len(MarianFormat.order(s["vocabulary"]))
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

    @staticmethod
    def tensors(model, half):
        order = MarianFormat.order(model.settings["vocabulary"])
        half["shared.weight"] = half["shared.weight"][order]
        half["final_logits_bias"] = half["final_logits_bias"][:, order]
        return {name if name == "final_logits_bias" else "model." + name: value for name, value in half.items()}

    @staticmethod
    def tokenizer(model, work, new):
        path = os.path.join(work, "tokenizer.model")
        processor = sentencepiece.SentencePieceProcessor(model_file=path)
        for name in ("source.spm", "target.spm"):
            shutil.copyfile(path, os.path.join(new, name))
        pieces = ["<pad>" if i == BOS else processor.id_to_piece(i)
                  for i in MarianFormat.order(model.settings["vocabulary"])]
        return {"vocab.json": {piece: i for i, piece in enumerate(pieces)},
                "tokenizer_config.json": {"tokenizer_class": "MarianTokenizer", "source_lang": "en",
                                          "target_lang": "fr", "eos_token": "</s>", "unk_token": "<unk>",
                                          "pad_token": "<pad>", "model_max_length": 512, "separate_vocabs": False}}

    @staticmethod
    def load(config, tensors, folder):
        size = config["vocab_size"] + 1
        model = Transformer(size, config["d_model"], config["encoder_attention_heads"], config["encoder_ffn_dim"],
                            config["encoder_layers"], config["decoder_layers"], config["dropout"])
        tensors = {name.replace("model.", "", 1): value for name, value in tensors.items()}
        order = MarianFormat.order(size)
        table, bias = torch.zeros(size, config["d_model"]), torch.full((1, size), -1e4)
        table[order], bias[:, order] = tensors["shared.weight"], tensors["final_logits_bias"]
        model.load_state_dict(tensors | {"shared.weight": table, "final_logits_bias": bias})
        return model, sentencepiece.SentencePieceProcessor(model_file=os.path.join(folder, "source.spm"))


class BertFormat:
    @staticmethod
    def config(model):
        s = model.settings
        return {"model_type": "bert", "architectures": ["BertForMaskedLM"], "vocab_size": s["vocabulary"],
                "hidden_size": s["width"], "num_hidden_layers": s["layers"], "num_attention_heads": s["heads"],
                "intermediate_size": s["inner"], "hidden_act": "gelu", "hidden_dropout_prob": s["dropout"],
                "attention_probs_dropout_prob": 0.0, "max_position_embeddings": s["positions"], "type_vocab_size": 2,
                "initializer_range": 0.02, "layer_norm_eps": 1e-12, "pad_token_id": 0,
                "position_embedding_type": "absolute", "use_cache": True, "classifier_dropout": None,
                "tie_word_embeddings": True, "torch_dtype": "float16"}

    @staticmethod
    def tensors(model, half):
        return half

    @staticmethod
    def tokenizer(model, work, new):
        shutil.copyfile(os.path.join(work, "vocab.txt"), os.path.join(new, "vocab.txt"))
        names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
        return {"tokenizer_config.json": {"tokenizer_class": "BertTokenizer", "do_lower_case": True,
                                          "do_basic_tokenize": True, "tokenize_chinese_chars": True,
                                          "strip_accents": None, "model_max_length": model.settings["positions"]}
                | dict(zip(names, SPECIAL))}

    @staticmethod
    def load(config, tensors, folder):
        model = Bert(config["vocab_size"], config["num_hidden_layers"], config["num_attention_heads"],
                     config["hidden_size"], config["intermediate_size"], config["max_position_embeddings"])
        model.load_state_dict(tensors)
        return model, WordPiece(folder)


class GptFormat:
    @staticmethod
    def config(model):
        s, end = model.settings, model.settings["vocabulary"] - 1
        return {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": s["vocabulary"],
                "n_positions": s["positions"], "n_ctx": s["positions"], "n_embd": s["width"], "n_layer": s["layers"],
                "n_head": s["heads"], "n_inner": s["inner"], "activation_function": "gelu",
                "resid_pdrop": s["dropout"], "embd_pdrop": s["dropout"], "attn_pdrop": 0.0,
                "layer_norm_epsilon": 1e-5, "initializer_range": 0.02, "scale_attn_weights": True,
                "scale_attn_by_inverse_layer_idx": False, "reorder_and_upcast_attn": False, "use_cache": True,
                "tie_word_embeddings": True, "bos_token_id": end, "eos_token_id": end, "torch_dtype": "float16"}

    @staticmethod
    def tensors(model, half):
        return half

    @staticmethod
    def tokenizer(model, work, new):
        for name in ByteLevel.files:
            shutil.copyfile(os.path.join(work, name), os.path.join(new, name))
        return {"tokenizer_config.json": {"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": False,
                                          "bos_token": END, "eos_token": END, "unk_token": END,
                                          "model_max_length": model.settings["positions"]}}

    @staticmethod
    def load(config, tensors, folder):
        model = Gpt(config["vocab_size"], config["n_layer"], config["n_head"], config["n_embd"], config["n_inner"],
                    config["n_positions"])
        model.load_state_dict(tensors)
        return model, ByteLevel(folder)


class ClassifierFormat:
    """The program's own formats of text classifiers."""

    @staticmethod
    def names(style):
        return CLASSIFIER_NAMES[style] + [("output.", "classifier.", ""), ("embedding.", "embedding.", "")]

    @staticmethod
    def config(model):
        s = model.settings
        cell = "gru" if s["style"] == "hierarchical" else "lstm"
        attention = {"size": s["size"]} | ({"hops": s["hops"]} if s["style"] == "structured" else {})
        return {"model_type": CLASSIFIER_TYPES[s["style"]], "vocab_size": s["vocabulary"],
                "embedding_size": s["embedding"],
                "encoder": {"cell": cell, "layers": 1, "hidden_size": s["hidden"], "bidirectional": True},
                "attention": attention, "id2label": {str(i): label for i, label in enumerate(LABELS)},
                "source_eos": True, "pad_token_id": PAD, "unk_token_id": UNK, "bos_token_id": BOS,
                "eos_token_id": EOS, "source_language": "en"}

    @staticmethod
    def tensors(model, half):
        return {renamed(name, ClassifierFormat.names(model.style)): value for name, value in half.items()}

    tokenizer = RecurrentFormat.tokenizer

    @staticmethod
    def load(config, tensors, folder):
        style = next(style for style, kind in CLASSIFIER_TYPES.items() if kind == config["model_type"])
        attention = config["attention"]
        model = Classifier(config["vocab_size"], style, len(config["id2label"]), config["embedding_size"],
                           config["encoder"]["hidden_size"], attention["size"], attention.get("hops", 1))
        names = ClassifierFormat.names(style)
        model.load_state_dict({renamed(name, names, True): value for name, value in tensors.items()})
        return model, sentencepiece.SentencePieceProcessor(model_file=os.path.join(folder, "tokenizer.model"))


PREPROCESSOR = {"image_processor_type": "ViTImageProcessor", "do_resize": True,
                "size": {"height": SIZE, "width": SIZE}, "resample": 2, "do_rescale": True, "rescale_factor": 1 / 255,
                "do_normalize": True, "image_mean": MEAN, "image_std": DEVIATION}


class CaptionerFormat:
    """The program's own format of Show, Attend and Tell."""

    @staticmethod
    def config(model):
        s, grid = model.settings, [model.settings["grid"]] * 2
        return {"model_type": "rnn_captioner", "target_vocab_size": s["vocabulary"], "embedding_size": s["embedding"],
                "encoder": {"layers": s["layers"], "channels": model.witness.in_features, "grid": grid,
                            "positions": "learned"},
                "decoder": {"cell": "lstm", "hidden_size": s["hidden"], "output": "tanh",
                            "output_size": s["embedding"], "output_embedding": True},
                "attention": {"size": s["size"], "mode": "soft", "gate": True}, "tie_output": False,
                "pad_token_id": PAD, "unk_token_id": UNK, "bos_token_id": BOS, "eos_token_id": EOS,
                "target_language": "en"}

    @staticmethod
    def tensors(model, half):
        return {name: value for name, value in half.items()
                if not name.startswith(("witness.", "pupil.")) and not name.endswith("num_batches_tracked")}

    @staticmethod
    def tokenizer(model, work, new):
        with open(os.path.join(new, "target.vocab"), "w", encoding="utf-8") as out:
            out.writelines(word + "\n" for word in Words.tokens)
        return {"preprocessor_config.json": PREPROCESSOR}

    @staticmethod
    def load(config, tensors, folder):
        encoder = config["encoder"]
        model = Captioner(config["target_vocab_size"], len(LABEL), encoder["layers"], encoder["grid"][0],
                          config["embedding_size"], config["decoder"]["hidden_size"], config["attention"]["size"])
        model.load_state_dict(model.state_dict() | tensors)
        return model, Words()


class VisionGptFormat:
    """Hugging Face's vision-encoder-decoder of a ViT and a GPT-2."""

    @staticmethod
    def config(model):
        s, end = model.settings, model.end
        encoder = {"model_type": "vit", "hidden_size": s["width"], "num_hidden_layers": s["layers"],
                   "num_attention_heads": s["heads"], "intermediate_size": s["inner"], "hidden_act": "gelu",
                   "layer_norm_eps": 1e-12, "image_size": SIZE, "patch_size": SIZE // s["grid"], "num_channels": 3,
                   "qkv_bias": True}
        decoder = {"model_type": "gpt2", "vocab_size": s["vocabulary"], "n_positions": s["positions"],
                   "n_embd": s["width"], "n_layer": s["decoder_layers"], "n_head": s["heads"], "n_inner": s["inner"],
                   "activation_function": "gelu", "layer_norm_epsilon": 1e-5, "add_cross_attention": True,
                   "is_decoder": True, "bos_token_id": end, "eos_token_id": end}
        return {"model_type": "vision-encoder-decoder", "architectures": ["VisionEncoderDecoderModel"],
                "encoder": encoder, "decoder": decoder, "is_encoder_decoder": True, "torch_dtype": "float16",
                "tie_word_embeddings": False, "decoder_start_token_id": end, "bos_token_id": end, "eos_token_id": end,
                "pad_token_id": end}

    tensors = CaptionerFormat.tensors

    @staticmethod
    def tokenizer(model, work, new):
        return GptFormat.tokenizer(model, work, new) | {"preprocessor_config.json": PREPROCESSOR}

    @staticmethod
    def load(config, tensors, folder):
        encoder, decoder = config["encoder"], config["decoder"]
        model = VisionGpt(decoder["vocab_size"], len(LABEL), encoder["hidden_size"], encoder["num_attention_heads"],
                          encoder["num_hidden_layers"], decoder["n_layer"], encoder["intermediate_size"],
                          encoder["image_size"] // encoder["patch_size"], decoder["n_positions"])
        model.load_state_dict(model.state_dict() | tensors)
        return model, ByteLevel(folder)


class WhisperFormat:
    @staticmethod
    def config(model):
        s = model.settings
        sides = {f"{side}_{key}": s[name] for side in ("encoder", "decoder")
                 for key, name in (("layers", "layers"), ("attention_heads", "heads"), ("ffn_dim", "inner"))}
        return {"model_type": "whisper", "architectures": ["WhisperForConditionalGeneration"],
                "vocab_size": s["vocabulary"], "d_model": s["width"], **sides, "num_mel_bins": BANDS,
                "max_source_positions": s["columns"], "max_target_positions": s["positions"],
                "activation_function": "gelu", "scale_embedding": False, "median_filter_width": 7,
                "is_encoder_decoder": True, "torch_dtype": "float16"} | WhisperFormat.ids(model)

    @staticmethod
    def ids(model):
        end = model.settings["vocabulary"] - len(Spoken.added) - 1
        return {"bos_token_id": end, "eos_token_id": end, "pad_token_id": end, "decoder_start_token_id": end + 1}

    @staticmethod
    def tensors(model, half):
        return {name: value for name, value in half.items() if not name.startswith("witness.")}

    @staticmethod
    def tokenizer(model, work, new):
        for name in ByteLevel.files:
            shutil.copyfile(os.path.join(work, name), os.path.join(new, name))
        ids = WhisperFormat.ids(model)
        start, seconds = ids["decoder_start_token_id"], 2 * model.settings["columns"] * HOP // RATE
        added = {start - 1 + i: {"content": token, "special": i < 3} for i, token in enumerate([END, *Spoken.added])}
        return {"tokenizer_config.json": {"tokenizer_class": "WhisperTokenizer", "add_prefix_space": False,
                                          "bos_token": END, "eos_token": END, "unk_token": END, "pad_token": END,
                                          "added_tokens_decoder": added},
                "generation_config.json": ids | {"is_multilingual": False, "no_timestamps_token_id": start + 1},
                "preprocessor_config.json": {
                    "feature_extractor_type": "WhisperFeatureExtractor", "feature_size": BANDS, "sampling_rate": RATE,
                    "n_fft": FFT, "hop_length": HOP, "chunk_length": seconds, "n_samples": seconds * RATE,
                    "nb_max_frames": seconds * RATE // HOP, "padding_side": "right", "padding_value": 0.0,
                    "return_attention_mask": False}}

    @staticmethod
    def load(config, tensors, folder):
        model = Whisper(config["vocab_size"], config["max_source_positions"], config["d_model"],
                        config["encoder_attention_heads"], config["encoder_layers"], config["encoder_ffn_dim"],
                        config["max_target_positions"])
        model.load_state_dict(model.state_dict() | tensors)
        return model, Spoken(folder)


FORMATS = {"rnn_encoder_decoder": RecurrentFormat, "marian": MarianFormat, "bert": BertFormat, "gpt2": GptFormat,
           "rnn_captioner": CaptionerFormat, "vision-encoder-decoder": VisionGptFormat,
           "whisper": WhisperFormat,
           **{kind: ClassifierFormat for kind in CLASSIFIER_TYPES.values()}}
KINDS = {"transformer": (Transformer, MarianFormat), "recurrent": (Recurrent, RecurrentFormat),
         "luong": (Luong, RecurrentFormat), "bert": (Bert, BertFormat), "gpt2": (Gpt, GptFormat),
         "classifier": (Classifier, ClassifierFormat), "captioner": (Captioner, CaptionerFormat),
         "vit-gpt2": (VisionGpt, VisionGptFormat), "whisper": (Whisper, WhisperFormat)}
