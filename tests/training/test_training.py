# SPDX-FileCopyrightText: 2026 The AttnScope authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The training program's own layers, losses and batches beside PyTorch's, and runs that are ended and gone on with."""
import argparse
import contextlib
import importlib.util
import io
import json
import lzma
import os
import shutil
import sys
import tempfile
import unittest
import wave

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "resources")
sys.path.insert(0, os.path.join(ROOT, "training"))

missing = [name for name in ("torch", "sentencepiece", "numpy", "regex", "PIL")
           if importlib.util.find_spec(name) is None]
if missing:
    print("not tried: there is no", ", ".join(missing), "here")
    sys.exit(77)

import numpy
import torch
from PIL import Image, ImageDraw
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

import digits
import draw_scenes
import export
import graphs
import loop
import ops
import pairs
import scenes
import speech
from captioner import Captioner, block, conv
from data import BOS, EOS, PAD, Pairs, Shaped, encode, vocabulary
from luong import Luong
from recurrent import Recurrent
from tasks import Translation
from transformer import Transformer
from vision import VisionGpt, caption_tokens

SMALL = {"recurrent": lambda size: Recurrent(size, embedding=12, hidden=10, decoder=14, size=8, dropout=0),
         "luong": lambda size: Luong(size, embedding=12, hidden=8, size=8, dropout=0),
         "luong local": lambda size: Luong(size, window=2, embedding=12, hidden=8, size=8, dropout=0),
         "transformer": lambda size: Transformer(size, width=16, heads=2, inner=24, encoder_layers=1, decoder_layers=1,
                                                 dropout=0)}
PAIRS = [("I am here.", "Je suis ici."), ("The cat sleeps.", "Le chat dort."), ("She sings well.", "Elle chante bien."),
         ("We have to go home now, because it is late.", "Nous devons rentrer maintenant, parce qu'il est tard."),
         ("Where is the station?", "Où est la gare ?"), ("He reads.", "Il lit."),
         ("It is raining again.", "Il pleut encore."),
         ("The report was read by the members of the committee.", "Le rapport a été lu par les membres du comité.")]


def prepared(work):
    """The files of pairs.py, of a few pairs; the first half is Tatoeba's."""
    shutil.copyfile(os.path.join(ROOT, "models", "rnnsearch-en-fr", "tokenizer.model"),
                    os.path.join(work, "tokenizer.model"))
    sides = list(zip(*encode(vocabulary(work), PAIRS)))
    arrays = {"corpus": numpy.arange(len(PAIRS)) * 2 // len(PAIRS)}
    for name, rows in zip(("source", "target"), sides):
        arrays |= {name: numpy.concatenate(rows), name + "_lengths": numpy.array([len(row) for row in rows])}
    numpy.savez(os.path.join(work, "pairs.npz"), **arrays)
    for name in ("tatoeba", "europarl"):
        with lzma.open(os.path.join(work, f"validation-{name}.tsv.xz"), "wt", encoding="utf-8") as out:
            out.writelines("\t".join(pair) + "\n" for pair in PAIRS[:3])


def drawn(work, count):
    """Scenes of plain shapes instead of the pictograms, which are not in the repository."""
    packages, cache = os.path.join(work, "packages"), os.path.join(work, "icons")
    os.makedirs(cache)
    os.makedirs(os.path.join(work, "scenes"))
    for style, package in draw_scenes.SETS.items():
        os.makedirs(os.path.join(packages, package))
        with open(os.path.join(packages, package, "icons.json"), "w", encoding="utf-8") as out:
            json.dump({"icons": {noun[2]: {"body": ""} for noun in draw_scenes.NOUNS}}, out)
        for number, noun in enumerate(draw_scenes.NOUNS):
            image = Image.new("RGBA", (192, 192))
            ImageDraw.Draw(image).regular_polygon((96, 96, 90), 3 + number % 5, fill=(250, 40 + 3 * number, 60, 255))
            image.save(os.path.join(cache, f"{style}-{noun[2]}.png"))
    for name, kind in (("train-000", draw_scenes.Varied), ("validation", draw_scenes.Icons)):
        icons = kind(packages, cache)
        draw_scenes.write_shard(os.path.join(work, "scenes", name), icons, draw_scenes.TRAINED, name, 0, count)
    return icons


def options_of(work, **others):
    return argparse.Namespace(**{
        "name": "small", "work": work, "device": "cpu", "tokens": 60, "repeats": [2, 1], "accumulate": 1, "seed": 3,
        "lr": 1e-2, "warmup": 2, "dropout": None, "start": None, "no_muon": False, "f32": True, "minutes": 0,
        "passes": 4, "report": 1, "validate": 1e9, "save": 1e9, "held": 2} | others)


class Numbers(unittest.TestCase):
    def close(self, found, expected, names=""):
        for one, other in zip(found, expected):
            torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5, msg=lambda text: f"{names}: {text}")

    def test_recurrent_layers_are_those_of_pytorch(self):
        lengths = torch.tensor([5, 2, 4])
        for kind in (nn.GRU, nn.LSTM):
            torch.manual_seed(1)
            layer, x = kind(4, 3, batch_first=True, bidirectional=True), torch.randn(3, 5, 4, requires_grad=True)
            here = (torch.arange(5) < lengths.unsqueeze(1)).unsqueeze(2)

            def measured(outputs, last):
                last = last if isinstance(last, tuple) else (last,)
                total = (outputs * here).square().sum() + sum(part.sin().sum() for part in last)
                return outputs * here, *last, *torch.autograd.grad(total, [x, *layer.parameters()])

            packed, last = layer(pack_padded_sequence(x, lengths, True, False))
            expected = measured(pad_packed_sequence(packed, True, total_length=5)[0], last)
            for found in (ops.recur, ops.recur_in_step):
                self.close(measured(*found(layer, x, lengths)), expected, (kind, found))

    def test_repeated_products_have_the_gradients_of_single_ones(self):
        torch.manual_seed(2)
        for shape in ((3,), (2, 1, 3)):
            matrix, bias = torch.randn(*shape[:-2], 4, 3, requires_grad=True), torch.randn(shape, requires_grad=True)
            rows = [torch.randn(*shape[:-2], 5, 4, requires_grad=True) for _ in range(3)]

            def measured(product):
                return torch.autograd.grad(sum(product(row).sin().sum() for row in rows), [matrix, bias, *rows])

            self.close(measured(ops.Repeated(matrix, bias)), measured(lambda row: row @ matrix + bias), shape)

    def test_the_smoothed_loss_leaves_out_what_is_not_there(self):
        torch.manual_seed(3)
        states, table, bias = (torch.randn(shape, requires_grad=True) for shape in ((6, 4), (9, 4), (9,)))
        target, present = torch.randint(0, 9, (6,)), torch.tensor([1.0, 0, 1, 1, 0, 1])
        for some in (None, present):
            for b in (bias, None):
                loss, exact = ops.smoothed_loss(states, table, b, target, 0.1, some)
                keep = torch.ones(6) if some is None else some
                logs = F.linear(states, table, b).log_softmax(1)
                cross = -(logs.gather(1, target.unsqueeze(1)).squeeze(1) * keep).sum() / keep.sum()
                expected = 0.9 * cross - 0.1 * (logs.mean(1) * keep).sum() / keep.sum()
                leaves = [leaf for leaf in (states, table, b) if leaf is not None]
                self.close((loss, exact), (expected, cross), "loss")
                self.close(torch.autograd.grad(loss, leaves), torch.autograd.grad(expected, leaves), "gradients")


class Data(unittest.TestCase):
    def setUp(self):
        self.work = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.work)
        prepared(self.work)
        torch.manual_seed(1)

    def test_a_pass_of_shapes_has_every_pair_as_often_as_asked(self):
        ours = Pairs(self.work)
        shaped = Shaped(ours, "cpu", 60)
        plan = shaped.plan(5, [2, 1])
        rows = numpy.concatenate([rows for _, rows, _ in plan])
        counts = numpy.bincount(rows, minlength=len(ours) + 1)[:len(ours)]
        self.assertEqual(counts.tolist(), [2 - corpus for corpus in ours.corpus.tolist()])
        self.assertEqual(sum(count for *_, count in plan), sum(ours.lengths[1][rows[rows < len(ours)]]))
        for number, rows, _ in plan:
            source, target, lengths = shaped.batch(torch.from_numpy(rows), number)
            self.assertEqual((source.shape[1], target.shape[1]), shaped.shapes[number][0])
            for row, *sides, length in zip(rows, source, target, lengths):
                found = [side[side != PAD].tolist() for side in sides]
                expected = [ids[starts[row]:starts[row + 1]].tolist() if row < len(ours) else None
                            for ids, starts in zip(ours.ids, ours.starts)]
                self.assertEqual(found, expected if row < len(ours) else [[EOS], []])
                self.assertEqual(int(length), len(found[0]))

    def test_several_processes_clean_as_one_does(self):
        path = os.path.join(self.work, "pairs.tsv")
        with open(path, "w", encoding="utf-8") as out:
            out.writelines("\t".join(pair) + "\n" for pair in PAIRS + PAIRS[:2])
        held = {pairs.key(PAIRS[3][0])}
        found, out = pairs.cleaned([path], held)
        self.assertEqual((found, out), pairs.cleaned([path], held, 2))
        self.assertEqual((len(found), out["twice"]), (len(PAIRS) - 1, 2))

    def test_the_loss_of_a_shape_is_that_of_its_pairs(self):
        for name, make in SMALL.items():
            task = Translation(options_of(self.work), make)
            shaped = Shaped(task.pairs, "cpu", 60)
            number, rows, count = max(shaped.plan(1, [1, 1]), key=lambda part: part[2])
            loss, exact, counted = task.loss_of_shape(*shaped.batch(torch.from_numpy(rows), number))
            other, plain, _ = task.loss(rows[rows < len(task.pairs)])
            self.assertEqual(int(counted), count)
            torch.testing.assert_close(torch.stack([loss, exact]), torch.stack([other, plain]), rtol=1e-4, atol=1e-4)
            gradients = [torch.autograd.grad(part, list(task.model.parameters()), allow_unused=True)
                         for part in (loss, other)]
            for one, two in zip(*gradients):
                torch.testing.assert_close(one, two, rtol=1e-3, atol=1e-5, msg=lambda text: f"{name}: {text}")


def learns(test, task, options, steps):
    """The loss of one batch falls, and the validation has no NaN."""
    torch.manual_seed(1)
    run = loop.Run(task(options), options)
    losses = [float(total) / count for total, count in (run.step(run.plan(0)[:1]) for _ in range(steps))]
    test.assertLess(losses[-1], losses[0] - 0.1, options.name)
    test.assertTrue(all(value == value for value in run.task.validate(run.average.model)[1].values()))


def exports(test, model, work, name):
    """The written directory computes what the model computes."""
    folder, own = os.path.join(work, "exported", name), os.path.join(work, name)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    export.export(model.eval(), own, folder)
    difference, same = export.compare(model, folder, None, work)
    test.assertLess(difference, 0.02)
    test.assertGreater(same, 0.95)


class Sound(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.work)
        cls.voices = os.path.join(cls.work, "recordings")
        for folder in (cls.voices, os.path.join(cls.work, "digits")):
            os.makedirs(folder)
        for digit in range(10):
            for number in (0, 5, 10):
                tone = numpy.sin(numpy.arange(2400) * (0.2 + 0.1 * digit)) * numpy.hanning(2400)
                with wave.open(os.path.join(cls.voices, f"{digit}_ann_{number}.wav"), "wb") as out:
                    out.setparams((1, 2, 8000, 0, "NONE", ""))
                    out.writeframes((tone * 20000).astype("<i2").tobytes())
        for name, part in (("train-000", "train"), ("validation", "validation")):
            digits.write_shard(os.path.join(cls.work, "digits", name), cls.voices, part, name, 0, 30)

    def test_words_sound_where_their_spans_are(self):
        voices = digits.recordings(self.voices, "test")
        for number in range(5):
            sound, line = digits.compose("s", number, voices)
            self.assertEqual(len(line["text"].split()), len(line["spans"]))
            loud = numpy.abs(sound / 32768.0) > 0.04
            spans = numpy.array(line["spans"]) * digits.RATE
            inside = numpy.zeros(len(sound), bool)
            for begin, end in spans.round().astype(int):
                inside[begin:end] = True
                self.assertGreater(loud[begin:end].mean(), 0.3)
            self.assertFalse((loud & ~inside).any())

    def test_resampling_keeps_a_tone(self):
        tone = lambda step, count: numpy.sin(0.3 + 0.7 * step * numpy.arange(count))
        for step in (0.5, 0.55, 0.95):
            found = digits.resampled(tone(1, 400), step)
            numpy.testing.assert_allclose(found[50:-50], tone(step, len(found))[50:-50], atol=0.01)

    def test_features_show_a_tone_in_its_band(self):
        for frequency, band in ((480, 12), (2000, 44), (4000, 62)):
            found = speech.features(torch.sin(2 * numpy.pi * frequency / digits.RATE * torch.arange(16000.0))[None])
            self.assertEqual(found.shape, (1, 80, 100))
            self.assertEqual(set(found[0, :, 5:95].argmax(0).tolist()), {band})

    def test_warping_follows_a_bent_path(self):
        columns = [0, 8, 13, 24, 30, 41]
        weights = numpy.full((1, 2, len(columns), 48), 0.01)
        for row, (begin, end) in enumerate(zip(columns, columns[1:] + [48])):
            weights[0, 1, row, begin:end] = 1
        found = speech.begins(weights, [[0, 1]])
        self.assertEqual(found, columns[:-1])

    def test_it_learns_and_exports(self):
        options = options_of(self.work, name="whisper-digits", tokens=100, lr=3e-3)
        learns(self, speech.Digits, options, 5)
        exports(self, speech.Digits(options).model, self.work, options.name)


class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.work = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.work)
        cls.icons = drawn(cls.work, 60)

    def test_captions_say_what_is_drawn(self):
        """Relations, numbers, sizes and colours beside the boxes; the words' objects beside the nouns."""
        plural = {word: noun[0] for noun in draw_scenes.NOUNS for word in noun[:2]}
        for scene in scenes.Scenes(self.work, "train-*", "cpu").scenes:
            self.assertIn(scene["caption"], scene["accepted"])
            self.assertIn(scene["best"], scene["accepted"])
            words, things = scene["caption"].split(), scene["objects"]
            self.assertEqual(len(words), len(scene["words"]))
            named = [numbers for word, numbers in zip(words, scene["words"]) if word in plural]
            self.assertEqual(sorted(number for numbers in named for number in numbers), list(range(len(things))))
            for word, numbers in zip(words, scene["words"]):
                if word in plural:
                    self.assertEqual({things[number]["noun"] for number in numbers}, {plural[word]})
                if word in draw_scenes.COLOURS:
                    self.assertEqual({things[number]["colour"] for number in numbers}, {word})
                if word in draw_scenes.NUMBERS.values():
                    self.assertEqual(draw_scenes.NUMBERS[len(numbers)], word)
            centres = [[numpy.mean([things[number]["box"][axis::2] for number in numbers]) for numbers in named]
                       for axis in (0, 1)]
            for word, axis, first in (("left", 0, 0), ("right", 0, 1), ("above", 1, 0), ("below", 1, 1)):
                if word in words:
                    self.assertLess(centres[axis][first], centres[axis][1 - first], scene["caption"])

    def test_a_scene_depends_on_its_seed_and_number_alone(self):
        styles = draw_scenes.TRAINED
        whole = [draw_scenes.compose("s", number, self.icons, styles, 112) for number in range(3)]
        for number, (picture, scene) in reversed(list(enumerate(whole))):
            again, same = draw_scenes.compose("s", number, self.icons, styles, 112)
            self.assertEqual((again.tobytes(), same), (picture.tobytes(), scene))

    def test_shares_are_what_boxes_cover_together(self):
        found = scenes.shares([[4, 0, 20, 8], [12, 0, 16, 4], [100.5, 104, 112, 112]], 14)
        self.assertEqual(found[0, :4].tolist(), [0.5, 1, 0.5, 0])
        self.assertEqual(found[13, 11:].tolist(), [0, 0.4375, 1])
        weights = numpy.eye(1, 196, 2)[0]
        self.assertEqual(scenes.looks(weights, [[4, 0, 20, 8]], 14)[::2], (0.5, 0.0))

    def test_rows_that_have_ended_change_nothing(self):
        torch.manual_seed(1)
        model = Captioner(12, 3, conv(4, 2), 4, 6, 5, 7, dropout=0).eval()
        cells = model.cells(torch.randn(3, 3, 8, 8))
        target = torch.tensor([[4, 5, 6, 7, 8, 9, EOS], [4, 5, EOS, PAD, PAD, PAD, PAD], [7, EOS] + [PAD] * 5])
        loss, maps = scenes.forced(model, cells, target)
        self.assertEqual([len(weights) for weights in maps], [3, 3, 3, 3, 1, 1, 1])
        single = [scenes.forced(model, cells[i:i + 1], target[i:i + 1, :length]) for i, length in enumerate((7, 3, 2))]
        torch.testing.assert_close(loss, sum(part * length for (part, _), length in zip(single, (7, 3, 2))) / 12)
        for step, weights in enumerate(maps[:2]):
            torch.testing.assert_close(weights[2], single[2][1][step][0])

    def test_steps_are_those_of_pytorch(self):
        torch.manual_seed(2)
        model = Captioner(12, 3, conv(4, 2) + block(4), 4, 6, 5, 7, dropout=0).eval()
        cells, inputs = model.cells(torch.randn(2, 3, 8, 8)), torch.tensor([[BOS, 4, 5], [BOS, 6, 7]])
        logits, maps = model(cells, inputs)
        annotations = cells + model.encoder.positions.weight
        decoder, attention, mean = model.decoder, model.attention, annotations.mean(1)
        state = [torch.tanh(layer(mean))[None] for layer in (decoder.initial, decoder.initial_cell)]
        for step in range(3):
            query = attention.query(state[0][0]).unsqueeze(1)
            weights = attention.v(torch.tanh(query + attention.key(annotations))).softmax(1)
            context = torch.sigmoid(attention.gate(state[0][0])) * (weights * annotations).sum(1)
            embedded = decoder.embedding(inputs[:, step])
            output, state = decoder.rnn(torch.cat([embedded, context], 1)[None], state)
            features = torch.tanh(decoder.output_hidden(output[0]) + decoder.output_context(context) + embedded)
            torch.testing.assert_close(logits.view(3, 2, -1)[step], decoder.output(features))
            torch.testing.assert_close(maps[step], weights.squeeze(2))

    def test_an_export_computes_what_the_model_computes(self):
        for name, parts in (("captioner-scenes", ()), ("vit-gpt2-scenes", (VisionGpt, caption_tokens))):
            model = scenes.Captions(options_of(self.work, name=name), *parts).model
            for norm in (part for part in model.modules() if isinstance(part, nn.BatchNorm2d)):
                nn.init.uniform_(norm.running_var, 0.5, 2)
            exports(self, model, self.work, name)

    def test_tasks_learn(self):
        small = lambda *sizes: VisionGpt(*sizes, width=48, heads=4, layers=2, decoder_layers=2, inner=96)
        for name, task in (("pictograms", scenes.Pictograms), ("captioner", scenes.Captions),
                           ("vit", lambda options: scenes.Captions(options, small, caption_tokens))):
            learns(self, task, options_of(self.work, name=name, tokens=300, lr=3e-3), 8)

    def test_an_encoder_learns_from_a_teacher(self):
        small = lambda *sizes: VisionGpt(*sizes, width=48, heads=4, layers=2, decoder_layers=2, inner=96)
        options = options_of(self.work, name="taught", tokens=300, lr=3e-3)
        teacher = scenes.Captions(options).model
        torch.save({"average": teacher.state_dict()}, os.path.join(self.work, "captioner-scenes.pt"))
        task = scenes.TaughtCaptions(options, small, caption_tokens)
        apart = lambda: (task.cells(numpy.arange(len(task.scenes))), float(task.apart))[1]
        before = apart()
        learns(self, lambda _: task, options, 8)
        self.assertLess(apart(), 0.95 * before)

    def test_a_decoder_learns_from_an_encoder_that_stays(self):
        options = options_of(self.work, name="decoder", tokens=300, lr=3e-2)
        task = scenes.DecoderCaptions(options)
        before = {name: value.clone() for name, value in task.model.state_dict().items()}
        learns(self, lambda _: task, options, 12)
        rows = numpy.arange(len(task.scenes))
        cells = task.model.eval().cells(task.scenes.pictures(rows)).half()
        torch.testing.assert_close(task.stored, cells)
        for name, value in task.model.state_dict().items():
            if not name.startswith("encoder.layers."):
                continue
            self.assertTrue(torch.equal(value, before[name]), name)


def trained_alone(task, options, each):
    """[the run] of a task; each(run) is called at each update."""
    run = loop.Run(task, options)
    step = run.step
    run.step = lambda groups: (step(groups), each(run))[0]
    run.train()
    return [run]


class GoingOn(unittest.TestCase):
    """A run that was ended and started again has the weights of one that was not."""

    def trained(self, begin, stop_after=None):
        """Weights and averages; begin(work, stop) trains in a folder, stop is called at each update."""
        work = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, work)
        prepared(work)
        updates = iter(range(10 ** 6))
        with contextlib.redirect_stdout(io.StringIO()):
            if stop_after is not None:
                begin(work, lambda run: next(updates) + 1 == stop_after and run.stop())
            runs = begin(work, lambda run: None)
        self.assertGreater(runs[0].state["step"], (stop_after or 0) + 1)
        return [(run.state["step"], list(run.model.parameters()), list(run.average.model.parameters())) for run in runs]

    def same(self, begin):
        for one, two in zip(self.trained(begin), self.trained(begin, 3)):
            self.assertEqual(one[0], two[0])
            for mine, theirs in zip(one[1] + one[2], two[1] + two[2]):
                self.assertTrue(torch.equal(mine, theirs))

    def test_one_model(self):
        def begin(work, each):
            options = options_of(work)
            torch.manual_seed(options.seed)
            return trained_alone(Translation(options, SMALL["luong"]), options, each)

        self.same(begin)

    def test_a_captioner(self):
        def begin(work, each):
            if not os.path.exists(os.path.join(work, "scenes")):
                drawn(work, 16)
            options = options_of(work, tokens=60, dropout=0)
            torch.manual_seed(options.seed)
            return trained_alone(scenes.Captions(options), options, each)

        self.same(begin)

    def test_models_in_step(self):
        def begin(work, each):
            options = options_of(work)
            shaped = Shaped(Pairs(work), "cpu", options.tokens)
            trained = []
            for name in ("recurrent", "transformer"):
                graphs.TASKS[name] = lambda o, make=SMALL[name]: Translation(o, make)
                trained.append(graphs.Trained(name, options, shaped, False))
            first = trained[0]
            update = first.update
            first.update = lambda *rows: (update(*rows), each(first.run))[0]
            graphs.train(trained, options)
            return [one.run for one in trained]

        self.same(begin)


if __name__ == "__main__":
    unittest.main()
