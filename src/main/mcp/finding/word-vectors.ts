import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resourcePath } from '../../lib/disk/shipped-files.ts'
import { wordsOf } from './read-request.ts'

/** The meaning of a text as a vector of length 1; all zeros if none of its words is known. */
export type WordVector = Float32Array

/** Whether the words come from a request or a tool, since they have different vectors. */
type Side = 'request' | 'tool'

/** A table of word vectors, made and described by `training/find-tool/word_meanings.py`. */
type Table = {
  dimensions: number
  words: readonly string[]
  row: (at: number) => { vector: Int8Array; request: number; tool: number }
}

const MAGIC = 'TWM1'
const HEAD = 16

let shipped: Table | undefined
/**
 * The table that ships with Talaria: 5.2 MB, read at the first search. Without it, words have no meaning, and
 * tools are found by their letters.
 */
const shippedTable = (): Table => (shipped ??= readShipped(resourcePath(join('models', 'word-meanings.bin'))))

/** Read a table; empty, with one warning, if it is missing or damaged. @internal Tests read damaged ones. */
export function readShipped(file: string): Table {
  try {
    return readTable(readFileSync(file))
  } catch (error) {
    process.emitWarning(
      `Tools are found by their letters only: ${error instanceof Error ? error.message : ''}`,
    )
    return { dimensions: 0, words: [], row: () => ({ vector: new Int8Array(0), request: 0, tool: 0 }) }
  }
}

function readTable(data: Buffer): Table {
  if (data.toString('latin1', 0, 4) !== MAGIC) throw new Error('word-meanings.bin is no table of meanings')
  const [dimensions, count, length] = [4, 8, 12].map(at => data.readUInt32LE(at)) as [number, number, number]
  const words = data
    .toString('utf8', HEAD, HEAD + length)
    .replace(/(?<!\0)\0+$/u, '')
    .split('\n')
  const start = HEAD + length
  if (words.length !== count || data.length !== start + count * (dimensions + 2))
    throw new Error('word-meanings.bin is cut off')
  const row = (at: number) => {
    const from = start + at * (dimensions + 2)
    return {
      vector: new Int8Array(data.buffer, data.byteOffset + from, dimensions),
      request: Math.exp(-data[from + dimensions]! / 16),
      tool: Math.exp(-data[from + dimensions + 1]! / 16),
    }
  }
  return { dimensions, words, row }
}

/** The index of a word in the list, or -1. */
function placeOf(word: string, words: readonly string[]): number {
  let [low, high] = [0, words.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = words[middle]!
    if (found === word) return middle
    if (found < word) low = middle + 1
    else high = middle - 1
  }
  return -1
}

const ENDINGS = /(?:ing|ed|es|en|s|n|e)$/u
const SHORTEST_PART = 5

/** The index of a word, else without its ending, else of the last part of a compound, as in German. */
function nearestPlace(word: string, words: readonly string[]): number {
  const whole = placeOf(word, words)
  if (whole >= 0 || word.length < SHORTEST_PART) return whole
  const stem = placeOf(word.replace(ENDINGS, ''), words)
  if (stem >= 0) return stem
  for (let cut = 3; cut <= word.length - SHORTEST_PART; cut++) {
    const part = placeOf(word.slice(cut), words)
    if (part >= 0) return part
  }
  return -1
}

/** The meaning of a text with several weighted parts. */
export function vectorOf(
  parts: readonly (readonly [text: string, weight: number])[],
  side: Side,
): WordVector {
  const table = shippedTable()
  const sum = new Float32Array(table.dimensions)
  for (const [text, weight] of parts)
    for (const word of wordsOf(text)) {
      const at = nearestPlace(word, table.words)
      if (at < 0) continue
      const { vector, ...counts } = table.row(at)
      for (let i = 0; i < sum.length; i++) sum[i]! += weight * counts[side] * vector[i]!
    }
  const length = Math.hypot(...sum)
  return length === 0 ? sum : sum.map(each => each / length)
}

/** The likeness of two meanings: 1 if they are the same, 0 if they are unrelated. */
export const likenessOf = (a: WordVector, b: WordVector): number =>
  a.reduce((sum, each, at) => sum + each * b[at]!, 0)
