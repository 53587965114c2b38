import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Benchmark } from '../../../shared/contract/models/model.ts'
import { openBenchmarks } from './benchmarks.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'benchmarks-'))
  mkdirSync(join(home, 'cache'))
})
afterEach(() => rmSync(home, { recursive: true }))

const measured = (at: number): Benchmark => ({
  modelId: 'file:/a.gguf',
  modelName: 'a',
  at,
  backend: 'cpu',
  threads: 1,
  promptPerSecond: 100,
  writePerSecond: 20,
})
const report = (error: unknown) => {
  throw error
}

test('benchmarks are kept across a restart, newest first, and the oldest are dropped', () => {
  const benchmarks = openBenchmarks(home, report)
  for (let at = 1; at <= 60; at++) benchmarks.add(measured(at))
  const again = openBenchmarks(home, report).list()
  expect([again.length, again[0]?.at, again.at(-1)?.at]).toEqual([50, 60, 11])
})

test.for(['', '{', '{"version":2}', '[]'])('a file containing %j counts as empty and is replaced', text => {
  const path = join(home, 'cache', 'benchmarks.json')
  writeFileSync(path, text)
  const benchmarks = openBenchmarks(home, report)
  expect(benchmarks.list()).toEqual([])
  benchmarks.add(measured(1))
  expect(readFileSync(path, 'utf8')).toContain('"at":1')
})

test('a benchmark that cannot be stored is reported and kept until the end of the process', () => {
  rmSync(join(home, 'cache'), { recursive: true })
  const reports: unknown[] = []
  const benchmarks = openBenchmarks(home, error => reports.push(error))
  benchmarks.add(measured(1))
  expect([benchmarks.list().length, reports.length]).toEqual([1, 1])
})
