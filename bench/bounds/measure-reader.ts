import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'
import { median } from '../measure.ts'
import type { Filled } from './find-readers.ts'
import type { InputName } from './table/inputs.ts'
import { SAMPLES, TYPES } from './samples.ts'
import type { Watched } from './watch-reading.ts'
import { MOST_GROWTH, MOST_MS, SHAPES, type Shape } from './shapes.ts'

// A process of `npm run bench -- --only bounds`: it reads texts of every shape with one function after the
// other. The bench ends it when a function does not return.

/** A function to measure. `most`: the characters of its longest text. */
export type Task = {
  file: string
  name: string
  params: readonly Filled[]
  most: number
  input: InputName
  shapes: readonly string[]
}
/**
 * How long a function takes for a shape of text. `ms`: the processor time for its longest text; `growth`: how
 * many times as long it took, at worst, when the length of the text doubled.
 */
export type Measurement = { shape: string; ms: number; growth: number }
/**
 * A message of the process: which shape it reads now, how long that took, or why a function could not be
 * called.
 */
export type Told =
  | { tells: 'begins'; shape: string }
  | { tells: 'measured'; measured: Measurement }
  | { tells: 'failed'; why: string }
  | { tells: 'done' }

type Read = (text: string) => unknown

/** The short length finds the functions that would block the process for minutes. */
const LENGTHS = [5_000, 50_000, 100_000, 200_000]
/** Longer texts only take more memory: their time is calculated from this length. */
const LONGEST = 1_000_000
/** Shorter times are too inexact to tell growth, in ms. */
const LEAST_MS = 40
/**
 * After a reading this long, the function gets no longer text: with quadratic growth it would take minutes.
 */
const ENOUGH_MS = 4 * MOST_MS
const ROUNDS = 3
/**
 * After a reading shorter than this, the longest text comes at once: the lengths between would tell nothing.
 */
const QUICK_MS = 4

const tell = (told: Told) => process.send?.(told)

const begunMs = new Float64Array(new SharedArrayBuffer(8)).fill(Infinity)
const watched: Watched = { begunMs, mostMs: Number(process.argv[2]) }
new Worker(new URL('watch-reading.ts', import.meta.url), { workerData: watched }).unref()

process.on('message', (task: Task) => void measureTask(task))

async function measureTask(task: Task): Promise<void> {
  try {
    const read = await readerOf(task)
    await timeOf(read, 'a text')
    for (const shape of task.shapes) {
      tell({ tells: 'begins', shape })
      tell({
        tells: 'measured',
        measured: { shape, ...(await measureShape(read, SHAPES[shape]!, task.most)) },
      })
    }
    tell({ tells: 'done' })
  } catch (error) {
    tell({ tells: 'failed', why: String(error) })
  }
}

async function readerOf({ file, name, params }: Task): Promise<Read> {
  const module: Record<string, unknown> = await import(pathToFileURL(join(rootFolder(), file)).href)
  const called = module[name] as (...given: unknown[]) => unknown
  const sample = SAMPLES[`${file} ${name}`]
  return sample ? text => sample(called, text) : text => called(...params.map(each => fill(each, text)))
}

function fill(filled: Filled, text: string): unknown {
  if (typeof filled === 'string') return FILLED[filled](text)
  if ('value' in filled) return filled.value
  if ('fields' in filled)
    return Object.fromEntries(Object.entries(filled.fields).map(([field, each]) => [field, fill(each, text)]))
  const sample = TYPES[filled.type]
  if (!sample) throw new TypeError(`bench/bounds/samples.ts has no value of the type “${filled.type}”.`)
  return sample(text)
}

const FILLED: Record<Extract<Filled, string>, (text: string) => unknown> = {
  text: text => text,
  string: () => 'a',
  number: () => 10,
  boolean: () => true,
  function: () => () => undefined,
  strings: () => ['a', 'b'],
  list: () => [],
  record: () => ({}),
  map: () => new Map(),
  set: () => new Set(),
  none: () => undefined,
}

/** Call a reader. A refused text was read too, but a wrong sample is a mistake of the table. */
async function callWith(read: Read, text: string): Promise<void> {
  try {
    const result = read(text)
    // An iterator only reads on when its items are taken.
    if (isIterator(result)) for (const _each of result) continue
    else await result
  } catch (error) {
    if (error instanceof TypeError || error instanceof ReferenceError) throw error
  }
}

const isIterator = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && 'next' in value && Symbol.iterator in value

/** One measurement, or the median of three where one alone would be named as too slow. */
async function measureShape(read: Read, make: Shape, most: number): Promise<Omit<Measurement, 'shape'>> {
  const all = [await measureOnce(read, make, most)]
  while (all.length < ROUNDS && (all[0]!.ms > MOST_MS || all[0]!.growth > MOST_GROWTH))
    all.push(await measureOnce(read, make, most))
  return { ms: median(all.map(({ ms }) => ms)), growth: median(all.map(({ growth }) => growth)) }
}

async function measureOnce(read: Read, make: Shape, most: number): Promise<Omit<Measurement, 'shape'>> {
  let growth = 0
  let before: { length: number; ms: number } | undefined
  const longest = Math.min(most, LONGEST)
  // Lengths that are almost equal are left out: noise of the machine would look like growth.
  for (const length of [...LENGTHS.filter(length => 2 * length <= longest), longest]) {
    const isBetween = length > LENGTHS[1]! && length < longest
    if (isBetween && before && before.ms < QUICK_MS) continue
    const ms = await timeOf(read, textOf(make, length))
    if (before && before.ms > LEAST_MS)
      growth = Math.max(growth, (ms / before.ms) ** (1 / Math.log2(length / before.length)))
    before = { length, ms }
    if (ms > ENOUGH_MS) break
  }
  const { length = 1, ms = 0 } = before ?? {}
  return { growth, ms: length === longest ? (ms * most) / longest : ms }
}

/** The processor time of a reading, in ms. */
async function timeOf(read: Read, text: string): Promise<number> {
  const from = process.cpuUsage()
  begunMs[0] = process.cpuUsage().user / 1_000
  await callWith(read, text)
  begunMs[0] = Infinity
  return process.cpuUsage(from).user / 1_000
}

const texts = new Map<Shape, Map<number, string>>()

/**
 * A text of a shape. Texts that almost all functions read are kept, because making one takes longer than
 * reading it.
 */
function textOf(make: Shape, length: number): string {
  if (!LENGTHS.includes(length)) return make(length)
  const kept = texts.get(make) ?? new Map<number, string>()
  texts.set(make, kept)
  const text = kept.get(length) ?? make(length)
  kept.set(length, text)
  return text
}
