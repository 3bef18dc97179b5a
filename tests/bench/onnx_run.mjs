// SPDX-FileCopyrightText: 2026 The AttnScope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Runs what onnx_export.py wrote: MODULES FOLDER TOKENS STEPS RUNS THREADS. Prints milliseconds as JSON. MODULES is
// where npm put onnxruntime-node.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { performance } from "node:perf_hooks";
import { resolve } from "node:path";

const [modules, folder, ...numbers] = process.argv.slice(2);
const [tokens, steps, runs, threads] = numbers.map(Number);
const { InferenceSession, Tensor } = createRequire(resolve(modules, "x.js"))("onnxruntime-node");
const shape = JSON.parse(readFileSync(`${folder}/shape.json`, "utf8"));
const options = { intraOpNumThreads: threads, interOpNumThreads: 1 };
const begin = await InferenceSession.create(`${folder}/begin.onnx`, options);
const step = shape.step === "begin.onnx" ? begin
    : shape.step === null ? null : await InferenceSession.create(`${folder}/${shape.step}`, options);

const idTensor = (ids) => new Tensor("int64", BigInt64Array.from(ids.map(BigInt)), [ids.length]);
const feeds = (ids, state) =>
    Object.fromEntries([["ids", idTensor(ids)], ...state.map((tensor, i) => [`state${i}`, tensor])]);
const stateOf = (result) => Object.keys(result).filter((name) => name.startsWith("next"))
    .sort((a, b) => Number(a.slice(4)) - Number(b.slice(4))).map((name) => result[name]);
const best = (out) => {
    const row = out.data.subarray(out.data.length - out.dims[out.dims.length - 1]);
    let found = 0;
    for (let i = 1; i < row.length; ++i)
        found = row[i] > row[found] ? i : found;
    return found;
};

const ids = Array.from({ length: tokens }, (_, i) => (i * 7919 + 13) % shape.vocabulary);
const empty = shape.empty.map((dims) => new Tensor("float32", new Float32Array(0), dims));
const times = { run_ms: [], input_ms: [], step_ms: [] };
for (let run = 0; run <= runs; ++run) {
    const started = performance.now();
    const marks = [];
    let result = await begin.run(feeds(ids, empty));
    let state = stateOf(result);
    marks.push(performance.now());
    for (let i = 0; i < (step === null ? 0 : steps); ++i) {
        const token = i > 0 || empty.length > 0 ? best(result.out) : 0;
        result = await step.run(feeds([token], state));
        const changed = stateOf(result);
        state = [...changed, ...state.slice(changed.length)];
        marks.push(performance.now());
    }
    if (run === 0) // makes what is kept
        continue;
    times.run_ms.push(marks.at(-1) - started);
    times.input_ms.push(marks[0] - started);
    marks.slice(1).forEach((mark, i) => times.step_ms.push(mark - marks[i]));
}
console.log(JSON.stringify(times));
