import { hasColonBlock, hasFlatBlock } from './blocks.ts'
import { unitOf, type Unit } from './line-depth.ts'
import { usageOf, type Usage } from './own-signs.ts'

/** How a text is written, worked out when it is needed. */
export type TextStyle = {
  /** Its unit of depth; undefined where it has none, or several. */
  unit(): Unit | undefined
  /** Whether it has blocks that are not deeper than what opens them. */
  isFlat(): boolean
  /** Whether it has blocks as Python has them. */
  hasColonBlocks(): boolean
  /** Whether it is code, where blanks at the end of a line mean nothing. */
  isCode(): boolean
  /** How it writes its signs around a place. */
  usage(place: number): Usage
}

/** How much of a text, before and behind a place, shows how it writes its signs. */
const AROUND = 40_000

/** The share of lines that end with a sign of code, from which on a text counts as code. */
const CODE = 0.4

/** The beginning of code in Markdown. */
const FENCE = /^\s*(```|~~~)/

/** The style of a text with the line end LF. */
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
    // The first place stands for all: a passage that is replaced everywhere is written alike.
    usage: place => (usage ??= usageOf(text.slice(Math.max(0, place - AROUND), place + AROUND).split('\n'))),
  }
}

function once<T>(work: () => T): () => T {
  let done: { value: T } | undefined
  return () => (done ??= { value: work() }).value
}
