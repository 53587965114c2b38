import { hasColonBlock, hasFlatBlock } from './blocks.ts'
import { unitOf, type Unit } from './line-depth.ts'
import { usageOf, type Usage } from './own-signs.ts'

/** The style of a text, computed on demand. */
export type TextStyle = {
  /** The unit of indentation; undefined if there is none, or several. */
  unit(): Unit | undefined
  /** Whether the text has blocks that are not deeper than their opening line. */
  isFlat(): boolean
  /** Whether the text has Python-style blocks. */
  hasColonBlocks(): boolean
  /** Whether the text is code, where blanks at line ends mean nothing. */
  isCode(): boolean
  /** How the text writes characters around a position. */
  usage(place: number): Usage
}

/** How many characters before and after a position show how characters are written. */
const AROUND = 40_000

/** Minimum share of lines that end with a code character for a text to count as code. */
const CODE = 0.4

/** The start of a code block in Markdown. */
const FENCE = /^\s*(```|~~~)/

/** Create the style of a text with LF line ends. */
export function styleOf(text: string): TextStyle {
  const lines = once(() => text.split('\n'))
  let usage: Usage | undefined
  return {
    unit: once(() => unitOf(lines())),
    isFlat: once(() => hasFlatBlock(lines())),
    hasColonBlocks: once(() => hasColonBlock(lines())),
    isCode: once(() => {
      if (lines().some(line => FENCE.test(line))) return false
      const filled = lines().filter(line => line.trim() !== '')
      return filled.filter(line => /[{}()[\];:,=]\s*$/.test(line)).length > filled.length * CODE
    }),
    // The first position decides for all, because a passage that is replaced everywhere looks the same.
    usage: place => (usage ??= usageOf(text.slice(Math.max(0, place - AROUND), place + AROUND).split('\n'))),
  }
}

function once<T>(work: () => T): () => T {
  let done: { value: T } | undefined
  return () => (done ??= { value: work() }).value
}
