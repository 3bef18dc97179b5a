# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of resources/python. ATTNSCOPE names the program; objects of the shape of transformers' stand in for its own."""

import csv
import os
import stat
import subprocess
import sys
import tempfile
import time
import tracemalloc
import types
import unittest
from collections import OrderedDict
from pathlib import Path

import numpy as np

import attnscope

try:
    import torch
except ImportError:
    torch = None


def weights(*shape, causal=False, seed=0):
    scores = np.random.default_rng(seed).normal(size=shape).astype(np.float32) * 2
    if causal:
        scores = np.where(np.tril(np.ones(shape[-2:], bool)), scores, -np.inf)
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    return scores / scores.sum(-1, keepdims=True)


class ModelOutput(OrderedDict):
    """As transformers.utils.ModelOutput: a dictionary whose entries are attributes, too."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "x.npz"

    def saved(self, x, **arguments):
        attnscope.save(x, self.path, **arguments)
        with np.load(self.path) as archive:
            return {name: archive[name] for name in archive.files}


def names(count, letter="t"):
    return [f"{letter}{i}" for i in range(count)]


class ForwardPass(InFolder):
    def test_an_encoder_is_told_by_weights_that_look_ahead(self):
        layers = tuple(weights(2, 3, 5, 5, seed=i) for i in range(4))
        got = self.saved(ModelOutput(attentions=layers), tokens=names(5), index=1)
        np.testing.assert_array_equal(got["encoder_attentions"], np.stack([layer[1] for layer in layers]))
        self.assertEqual(list(got["source_tokens"]), names(5))
        self.assertNotIn("decoder_attentions", got)

    def test_a_decoder_is_told_by_weights_that_do_not(self):
        layers = tuple(weights(1, 2, 4, 4, causal=True, seed=i) for i in range(2))
        got = self.saved(ModelOutput(logits=None, attentions=layers), tokens=np.array([[7, 8, 9, 3]]))
        self.assertEqual(got["decoder_attentions"].shape, (2, 2, 4, 4))
        self.assertEqual(list(got["source_ids"]), [7, 8, 9, 3])

    def test_an_encoder_decoder_has_three_stages(self):
        output = ModelOutput(
            encoder_attentions=tuple(weights(1, 2, 6, 6, seed=i) for i in range(3)),
            decoder_attentions=tuple(weights(1, 2, 4, 4, causal=True, seed=i) for i in range(2)),
            cross_attentions=tuple(weights(1, 2, 4, 6, seed=10 + i) for i in range(2)),
        )
        got = self.saved(output, tokens=names(6), target_tokens=["<pad>", *names(4, "y")])
        self.assertEqual(got["encoder_attentions"].shape, (3, 2, 6, 6))
        np.testing.assert_array_equal(got["cross_attentions"][1], output.cross_attentions[1][0])
        self.assertEqual(list(got["target_tokens"]), names(4, "y"))

    def test_padding_is_left_out(self):
        layers = tuple(weights(2, 2, 6, 6, seed=i) for i in range(2))
        mask = np.array([[1] * 6, [0, 0, 1, 1, 1, 1]])
        got = self.saved(ModelOutput(attentions=layers), tokens=names(6), attention_mask=mask, index=1)
        np.testing.assert_array_equal(got["encoder_attentions"][0], layers[0][1][:, 2:, 2:])
        self.assertEqual(list(got["source_tokens"]), names(6)[2:])

    def test_weights_that_are_missing_are_named(self):
        for output in (ModelOutput(attentions=(None, None)), ModelOutput(attentions=())):
            with self.assertRaisesRegex(ValueError, "eager"):
                self.saved(output, tokens=names(3))

    def test_what_does_not_fit_is_named(self):
        layers = (weights(1, 2, 4, 4),)
        with self.assertRaisesRegex(ValueError, "tokens: 3 .* 4"):
            self.saved(layers, tokens=names(3))
        with self.assertRaisesRegex(ValueError, "tokens="):
            self.saved(layers)
        with self.assertRaisesRegex(ValueError, "index 5"):
            self.saved(layers, tokens=names(4), index=5)
        with self.assertRaisesRegex(TypeError, "int"):
            self.saved(42, tokens=names(4))
        self.assertEqual(os.listdir(self.folder.name), [])


class Generation(InFolder):
    def test_a_decoder_is_put_together_of_its_steps(self):
        whole = [weights(1, 2, 6, 6, causal=True, seed=i) for i in range(3)]
        steps = (tuple(layer[:, :, :4, :4] for layer in whole), tuple(layer[:, :, 4:5, :5] for layer in whole),
                 tuple(layer[:, :, 5:6, :6] for layer in whole))
        output = ModelOutput(sequences=np.arange(7)[None], attentions=steps)
        got = self.saved(output, tokens=names(7))
        for layer in range(3):
            np.testing.assert_array_equal(got["decoder_attentions"][layer, :, :6, :6], whole[layer][0])
        self.assertFalse(got["decoder_attentions"][:, :, 6].any()) # written, never read
        self.assertEqual(list(got["source_ids"]), list(range(7)))

    def test_steps_without_a_cache_are_the_same(self):
        whole = [weights(1, 2, 5, 5, causal=True, seed=i) for i in range(2)]
        steps = tuple(tuple(layer[:, :, :n, :n] for layer in whole) for n in (4, 5))
        got = self.saved(ModelOutput(sequences=np.arange(6)[None], attentions=steps), tokens=names(6))
        np.testing.assert_array_equal(got["decoder_attentions"][1, :, :5, :5], whole[1][0])

    def test_a_beam_is_followed_back(self):
        beams, length, source = 3, 4, 5
        steps = [tuple(weights(beams, 2, 1, source, seed=10 * t + layer) for layer in range(2)) for t in range(length)]
        own = [tuple(weights(beams, 2, 1, t + 1, seed=90 + 10 * t + layer) for layer in range(2)) for t in range(length)]
        output = ModelOutput(
            sequences=np.array([[0, 5, 6, 7, 2]]), beam_indices=np.array([[0, 2, 1, 1, -1]]),
            encoder_attentions=tuple(weights(1, 2, source, source, seed=i) for i in range(2)),
            decoder_attentions=tuple(own), cross_attentions=tuple(steps),
        )
        got = self.saved(output, tokens=names(source))
        for t, beam in enumerate([0, 2, 1, 1]):
            np.testing.assert_array_equal(got["cross_attentions"][1, :, t], steps[t][1][beam, :, 0])
            np.testing.assert_array_equal(got["decoder_attentions"][0, :, t, : t + 1], own[t][0][beam, :, 0])
        self.assertEqual(list(got["target_ids"]), [5, 6, 7, 2])

    def test_an_entry_of_a_batch_with_several_sequences(self):
        output = ModelOutput(
            sequences=np.arange(12).reshape(4, 3),
            encoder_attentions=(weights(2, 1, 3, 3),),
            decoder_attentions=tuple((weights(4, 1, 1, t + 1, seed=t),) for t in range(2)),
            cross_attentions=tuple((weights(4, 1, 1, 3, seed=5 + t),) for t in range(2)),
        )
        got = self.saved(output, tokens=names(3), index=3)
        np.testing.assert_array_equal(got["encoder_attentions"][0], output.encoder_attentions[0][1])
        np.testing.assert_array_equal(got["cross_attentions"][0, :, 1], output.cross_attentions[1][0][3, :, 0])


class OtherProducers(InFolder):
    def test_a_transformer_lens_cache(self):
        class ActivationCache: # a mapping without the type
            def __init__(self, entries):
                self.entries = entries
            def keys(self):
                return self.entries.keys()
            def __getitem__(self, name):
                return self.entries[name]

        entries = {f"blocks.{i}.attn.hook_pattern": weights(1, 2, 4, 4, causal=True, seed=i) for i in (10, 2, 1, 0)}
        with self.assertRaisesRegex(ValueError, r"blocks\.3\.attn\.hook_pattern"):
            self.saved(ActivationCache(entries), tokens=names(4))
        del entries["blocks.10.attn.hook_pattern"]
        entries["hook_embed"] = np.zeros((1, 4, 8))
        got = self.saved(ActivationCache(entries), tokens=names(4))
        np.testing.assert_array_equal(got["decoder_attentions"][2], entries["blocks.2.attn.hook_pattern"][0])

    def test_one_array_with_two_lists(self):
        alignment = weights(3, 5)
        got = self.saved(alignment, tokens=names(5), target_tokens=names(3, "y"))
        np.testing.assert_array_equal(got["cross_attentions"][0, 0], alignment)
        with self.assertRaisesRegex(ValueError, "target_tokens"):
            self.saved(alignment, tokens=names(5))

    def test_a_dictionary_with_an_archives_names(self):
        got = self.saved({"cross_attentions": weights(1, 1, 2, 3), "source_tokens": names(3), "target_tokens": names(2),
                          "logprobs": np.array([-1.0, -2.0], np.float32)})
        np.testing.assert_array_equal(got["logprobs"], [-1, -2])

    def test_an_inseq_attribution(self):
        token = lambda i, letter: types.SimpleNamespace(token=f"{letter}{i}", id=i)
        scores = weights(4, 3)
        sequence = types.SimpleNamespace(source=[token(i, "s") for i in range(4)], target=[token(i, "y") for i in range(4)],
                                         source_attributions=scores, target_attributions=None)
        output = types.SimpleNamespace(sequence_attributions=[sequence], info={"attribution_method": "saliency"})
        got = self.saved(output)
        np.testing.assert_array_equal(got["cross_attentions"][0, 0], scores.T)
        self.assertEqual(list(got["target_tokens"]), ["y1", "y2", "y3"])

    def test_an_inseq_attribution_of_a_decoder(self):
        token = lambda i: types.SimpleNamespace(token=f"t{i}", id=i)
        scores = np.full((5, 2), np.nan, np.float32) # two of five tokens were written
        scores[:3, 0], scores[:4, 1] = [0.2, 0.3, 0.5], [0.1, 0.2, 0.3, 0.4]
        sequence = types.SimpleNamespace(source=[token(i) for i in range(3)], target=[token(i) for i in range(5)],
                                         source_attributions=None, target_attributions=scores)
        got = self.saved(types.SimpleNamespace(sequence_attributions=[sequence], info={}))
        # Row 2, the last of the prompt, is the step that predicts t3.
        np.testing.assert_array_equal(got["decoder_attentions"][0, 0, 2], [np.float32(0.2), np.float32(0.3), 0.5, 0, 0])
        self.assertAlmostEqual(float(got["decoder_attentions"][0, 0, 3].sum()), 1, places=6)

    def test_a_tokenizer_names_ids(self):
        tokenizer = types.SimpleNamespace(convert_ids_to_tokens=lambda ids: [f"<{i}>" for i in ids])
        got = self.saved((weights(1, 1, 3, 3),), tokens=[[4, 5, 6]], tokenizer=tokenizer)
        self.assertEqual(list(got["source_tokens"]), ["<4>", "<5>", "<6>"])


@unittest.skipIf(torch is None, "PyTorch is not installed (python3-torch)")
class Torch(InFolder):
    def test_bfloat16_and_gradients(self):
        layer = torch.tensor(weights(1, 2, 3, 3), requires_grad=True)
        got = self.saved((layer.to(torch.bfloat16),), tokens=names(3))
        np.testing.assert_allclose(got["encoder_attentions"][0], layer.detach().numpy()[0], atol=4e-3)

    def test_capture_of_pytorchs_transformer(self):
        torch.manual_seed(0)
        model = torch.nn.Transformer(16, 2, 2, 1, 32, batch_first=True).eval()
        source, target = torch.randn(1, 5, 16), torch.randn(1, 3, 16)
        mask = torch.nn.Transformer.generate_square_subsequent_mask(3)
        with torch.no_grad():
            want = model(source, target, tgt_mask=mask)
            with attnscope.capture(model) as seen:
                got = model(source, target, tgt_mask=mask)
            after = model(source, target, tgt_mask=mask)
        self.assertTrue(torch.allclose(want, got, atol=1e-5))
        self.assertTrue(torch.equal(want, after)) # the model is as it was
        maps = self.saved(seen, tokens=names(5), target_tokens=names(3, "y"))
        self.assertEqual(maps["encoder_attentions"].shape, (2, 2, 5, 5))
        self.assertEqual(maps["decoder_attentions"].shape, (1, 2, 3, 3))
        self.assertEqual(maps["cross_attentions"].shape, (1, 2, 3, 5))
        self.assertFalse(np.triu(maps["decoder_attentions"][0, 0], 1).any())
        np.testing.assert_allclose(maps["cross_attentions"].sum(-1), 1, atol=1e-5)

    def test_capture_of_a_module_that_returns_its_weights(self):
        class SelfAttention(torch.nn.Module):
            def forward(self, x):
                w = torch.softmax(x @ x.transpose(-1, -2), -1)[:, None]
                return w[:, 0] @ x, w

        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.config = types.SimpleNamespace(_attn_implementation="sdpa", output_attentions=False)
                self.layers = torch.nn.ModuleList([SelfAttention(), SelfAttention()])
            def forward(self, x):
                self.ran_with = (self.config._attn_implementation, self.config.output_attentions)
                for layer in self.layers:
                    x = layer(x)[0]
                return x

        model = Model()
        with attnscope.capture(model) as seen:
            model(torch.randn(1, 4, 8))
        self.assertEqual(model.ran_with, ("eager", True))
        self.assertEqual((model.config._attn_implementation, model.config.output_attentions), ("sdpa", False))
        self.assertEqual(self.saved(seen, tokens=names(4))["encoder_attentions"].shape, (2, 1, 4, 4))

    def test_capture_puts_everything_back_after_an_error(self):
        model = torch.nn.TransformerEncoderLayer(8, 2, 16)
        with self.assertRaises(ZeroDivisionError):
            with attnscope.capture(model):
                1 / 0
        self.assertNotIn("forward", model.self_attn.__dict__)
        self.assertFalse(model._forward_hooks or model.self_attn._forward_pre_hooks)

    def test_what_gives_no_weights_is_named(self):
        class FlashAttention(torch.nn.Module):
            def forward(self, x):
                return x

        model = torch.nn.Sequential(FlashAttention())
        with self.assertWarnsRegex(UserWarning, "FlashAttention"):
            with attnscope.capture(model) as seen:
                model(torch.randn(2, 3))
        with self.assertRaisesRegex(ValueError, "FlashAttention"):
            self.saved(seen, tokens=names(3))

    def test_capture_wants_a_module(self):
        with self.assertRaises(TypeError):
            with attnscope.capture(3):
                pass


class Archives(InFolder):
    def test_maps_have_labels(self):
        cross = weights(2, 3, 2, 4)
        attnscope.save({"cross_attentions": cross}, self.path, tokens=names(4), target_tokens=["a", "b"])
        with attnscope.load(self.path) as archive:
            one = archive.map("cross", 1, "mean")
            np.testing.assert_allclose(one.values, cross[1].mean(0), rtol=1e-6)
            self.assertEqual((one.rows, one.columns), (["a", "b"], names(4)))
            row, column, weight = one.strongest(1)[0]
            self.assertAlmostEqual(weight, float(cross[1].mean(0).max()), places=6)
            self.assertIn("cross (2, 3, 2, 4)", repr(archive))
            with self.assertRaisesRegex(KeyError, "encoder"):
                archive.map("encoder", 0, 0)

    def test_headvis_takes_the_largest_weights_of_a_row(self):
        maps = weights(1, 2, 12, 12, causal=True)
        attnscope.save((maps,), self.path, tokens=names(12))
        with attnscope.load(self.path) as archive:
            sequence = archive.headvis(0, 1)["sequences"][0]
        self.assertEqual((sequence["tokens"], sequence["seq_len"]), (names(12), 12))
        rebuilt = np.zeros(144)
        rebuilt[sequence["attention_indices"]] = sequence["attention_values"]
        rows = np.sort(maps[0, 1])[:, ::-1][:, :8]
        expected = np.round(rows[rows >= 0.005].sum(), 3)
        self.assertAlmostEqual(float(np.round(rebuilt.sum(), 3)), float(expected), 2)
        self.assertEqual(np.count_nonzero(rebuilt.reshape(12, 12), axis=1).max(), 8)

    def test_an_alignment_is_one_of_words(self):
        cross = np.array([[[[0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0.1, 0.2, 0.7]]]], np.float32)
        words = {"source_words": np.array([0, 1, 1]), "target_words": np.array([0, 1, -1])}
        attnscope.save({"cross_attentions": cross, "source_tokens": names(3), "target_tokens": names(3, "y"), **words}, self.path)
        with attnscope.load(self.path) as archive:
            self.assertEqual(archive.pharaoh(0), "0-0 1-1")

    @unittest.skipIf(torch is None, "BertViz takes tensors of PyTorch")
    def test_bertviz_gets_what_it_takes(self):
        attnscope.save(tuple(weights(1, 2, 4, 4, seed=i) for i in range(3)), self.path, tokens=names(4))
        with attnscope.load(self.path) as archive:
            given = archive.bertviz()
        self.assertEqual([tuple(layer.shape) for layer in given["attention"]], [(1, 2, 4, 4)] * 3)
        self.assertEqual(given["tokens"], names(4))

    def test_a_file_that_is_there_is_replaced_whole(self):
        attnscope.save((weights(1, 1, 2, 2),), self.path, tokens=names(2))
        before = self.path.read_bytes()

        class Broken:
            shape, dtype = (1, 1, 2, 2), np.dtype("f4")
            def __getitem__(self, index):
                raise OSError("gone")
        with self.assertRaises(OSError):
            attnscope.save((weights(1, 1, 2, 2), Broken()), self.path, tokens=names(2))
        self.assertEqual(self.path.read_bytes(), before)
        self.assertEqual(os.listdir(self.folder.name), ["x.npz"])

    def test_layers_are_written_one_at_a_time(self):
        layers, heads, tokens = 12, 12, 128
        output = ModelOutput(attentions=tuple(np.full((1, heads, tokens, tokens), 1 / tokens, np.float16) for _ in range(layers)))
        tracemalloc.start()
        attnscope.save(output, self.path, tokens=names(tokens))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        self.assertLess(peak, 4 * heads * tokens * tokens * 4) # a few layers, not twelve


@unittest.skipUnless(os.environ.get("ATTNSCOPE"), "ATTNSCOPE names no program")
class Program(InFolder):
    def test_it_reads_what_was_saved(self):
        cross = weights(1, 2, 3, 4)
        attnscope.save({"cross_attentions": cross}, self.path, tokens=["▁the", "▁hou", "se", "</s>"],
                       target_tokens=["▁la", "▁maison", "</s>"], text="the house")
        info = subprocess.run([os.environ["ATTNSCOPE"], "info", str(self.path), "--json"], capture_output=True, text=True)
        self.assertEqual(info.returncode, 0, info.stderr)

    @unittest.skipUnless(os.environ.get("ATTNSCOPE_FIGURES") == "1", "the program was built without figures")
    def test_a_figure_has_the_weights(self):
        cross = weights(1, 2, 3, 4)
        path = Path(self.folder.name) / "figure.csv"
        attnscope.figure({"cross_attentions": cross}, path, tokens=names(4), target_tokens=names(3, "y"), site="cross:0:1")
        lines = list(csv.reader(path.read_text().splitlines()))
        self.assertEqual(lines[0][1:], names(4))
        np.testing.assert_allclose([[float(x) for x in line[1:]] for line in lines[1:4]], cross[0, 1], atol=1e-6)

    @unittest.skipUnless(os.environ.get("ATTNSCOPE_FIGURES") == "1", "the program was built without figures")
    def test_a_notebook_keeps_the_figure_and_needs_no_network(self):
        shown = []
        fake = types.ModuleType("IPython")
        fake.get_ipython = lambda: types.SimpleNamespace(kernel=object())
        fake_display = types.ModuleType("IPython.display")
        fake_display.display = shown.append
        sys.modules.update({"IPython": fake, "IPython.display": fake_display})
        self.addCleanup(lambda: [sys.modules.pop(name) for name in ("IPython", "IPython.display")])
        attnscope.show((weights(1, 2, 4, 4),), tokens=names(4))
        page = shown[0]._repr_html_()
        self.assertIn("sandbox=\"allow-scripts\"", page)
        self.assertNotIn("src=&quot;http", page)
        self.assertGreater(len(page), 1000)

    @unittest.skipUnless(os.environ.get("ATTNSCOPE_FIGURES") == "1", "the program was built without figures")
    def test_its_message_is_raised(self):
        with self.assertRaisesRegex(attnscope.AttnScopeError, "cross:7"):
            attnscope.figure((weights(1, 2, 4, 4),), Path(self.folder.name) / "x.svg", tokens=names(4), site="cross:7:0")

    def test_a_program_that_is_not_there_is_named(self):
        before = os.environ["ATTNSCOPE"]
        self.addCleanup(os.environ.__setitem__, "ATTNSCOPE", before)
        os.environ["ATTNSCOPE"] = "/nowhere/attnscope"
        with self.assertRaisesRegex(attnscope.AttnScopeError, "/nowhere/attnscope"):
            attnscope.figure((weights(1, 2, 4, 4),), Path(self.folder.name) / "x.svg", tokens=names(4))

    def test_the_window_gets_a_file_that_lasts_as_long_as_it(self):
        script = Path(self.folder.name) / "window"
        seen = Path(self.folder.name) / "seen"
        script.write_text(f'#!/bin/sh\necho "$1" > "{seen}.part"; test -s "$1" && mv "{seen}.part" "{seen}"\nsleep 0.3\n')
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        before = os.environ["ATTNSCOPE"]
        self.addCleanup(os.environ.__setitem__, "ATTNSCOPE", before)
        os.environ["ATTNSCOPE"] = str(script)
        attnscope.show((weights(1, 2, 4, 4),), tokens=names(4), window=True)
        end = time.monotonic() + 20
        while not seen.exists() and time.monotonic() < end:
            time.sleep(0.02)
        file = Path(seen.read_text().strip())
        while file.exists() and time.monotonic() < end:
            time.sleep(0.02)
        self.assertFalse(file.parent.exists())


if __name__ == "__main__":
    unittest.main()
