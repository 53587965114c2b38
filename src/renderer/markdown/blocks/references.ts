import { readBlock, type Found } from './read-block.ts'
import { NESTED } from './split-blocks.ts'

/** What reaches across the blocks of an answer. */
export type References = {
  /** Each block as it is to be read: what defines something that nobody uses is written out. */
  blocks: readonly string[]
  /** For each block: what must stand before it, so that it knows what others define. */
  before: readonly string[]
  /** The footnotes that are referred to, in the order of their numbers. */
  notes: readonly Note[]
}

/** A footnote, as Markdown, and what must stand before it. */
export type Note = { id: string; text: string; before: string }

/** Longest block that is read as Markdown, in characters. Beyond it, that would take seconds. */
export const MOST = 40_000

const CODE = /^(?: {4}|\t| {0,3}(?:`{3}|~{3}))/
/** So many definitions are looked at; those behind them are written out. */
const MOST_FOUND = 2_000

/** How often a block is looked at again. */
const MOST_ROUNDS = 6

type Definition = Exclude<Found, { kind: 'use' }> & { block: number }

/** Create a function that finds what the blocks of a growing answer refer to. What it read before is not read again. */
export function createReferences(): (blocks: readonly string[]) => References {
  let known = new Map<string, readonly Found[]>()
  return blocks => {
    const last = known
    known = new Map()
    const read = (text: string): readonly Found[] => {
      const found = known.get(text) ?? last.get(text) ?? readBlock(text)
      known.set(text, found)
      return found
    }
    return gatherReferences(blocks, read)
  }
}

const NOTHING = ''

function gatherReferences(blocks: readonly string[], read: (text: string) => readonly Found[]): References {
  const isRead = (text: string) => text.length <= MOST && !CODE.test(text) && !NESTED.test(text)
  const definitions = new Map<string, Definition>()
  const all = blocks.flatMap((text, block) => {
    if (!text.includes(']:') || !isRead(text)) return []
    return read(text).flatMap(found => (found.kind === 'use' ? [] : [{ ...found, block }]))
  })
  for (const found of all.slice(0, MOST_FOUND))
    if (!definitions.has(found.id)) definitions.set(found.id, found)
  if (all.length === 0) return { blocks, before: blocks.map(() => NOTHING), notes: [] }

  const stubsFor = (text: string) => stubs(labelsIn(text).flatMap(label => definitions.get(label) ?? []))
  const used = new Set<string>()
  const notes: Note[] = []
  const follow = (text: string, isInNote: boolean): string => {
    if (!text.includes('[') || !isRead(text)) return NOTHING
    const before = stubsFor(text)
    if (before === NOTHING) return NOTHING
    for (const found of read(before + text)) {
      // A footnote is another text, which is followed once somebody refers to it.
      if (found.kind !== 'use' || (found.isInNote && !isInNote)) continue
      const definition = definitions.get(found.id)
      if (!definition || used.has(found.id)) continue
      used.add(found.id)
      if (definition.kind === 'note')
        notes.push({ id: definition.id, text: definition.text, before: NOTHING })
    }
    return before
  }
  const before = blocks.map(text => follow(text, false))
  for (let next = 0; next < notes.length; next++) {
    const note = notes[next]!
    notes[next] = { ...note, before: follow(note.text, true) }
  }
  const isUsed = (found: Found, block: number) => {
    const own = definitions.get(found.id)
    return own?.block === block && used.has(found.id) && 'text' in found && own.text === found.text
  }
  const defining = new Set(all.map(({ block }) => block))
  const writtenOut = (text: string, block: number): string => {
    let shown = text
    // What stood within a definition can be one itself, once that is text.
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const unused = read(shown).flatMap(found =>
        found.kind === 'use' || isUsed(found, block) ? [] : [found],
      )
      if (unused.length === 0) break
      shown = writeOut(shown, unused)
    }
    return shown
  }
  return {
    blocks: blocks.map((text, at) => (defining.has(at) ? writtenOut(text, at) : text)),
    before,
    notes,
  }
}

/** All that stands in square brackets, as labels are compared. */
const labelsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\[((?:[^[\]\\]|\\.){1,999})\]/gsu)].map(match => identifierOf(match[1]!))),
]

/** A label as it is compared: without regard to case and blanks. */
const identifierOf = (label: string): string =>
  label.replaceAll(/\s+/gu, ' ').trim().toLowerCase().toUpperCase().toLowerCase()

/** Definitions that can stand before a block. Those of footnotes come first, so that the block does not go on with one. */
function stubs(found: readonly Definition[]): string {
  const each = [...new Set(found)]
  if (each.length === 0) return NOTHING
  const notes = each.filter(({ kind }) => kind === 'note').map(({ label }) => `[^${label}]: x\n\n`)
  const links = each.filter(({ kind }) => kind === 'link').map(({ text }) => `${text}\n`)
  return `${notes.join('')}${links.length === 0 ? '[\u2063]: x\n' : links.join('')}\n`
}

/** The text, in which these definitions are none: what nobody refers to would not be drawn. */
function writeOut(text: string, unused: readonly { start: number; end: number }[]): string {
  let done = ''
  let from = 0
  for (const { start, end } of unused) {
    // Those within another one are written out with it.
    if (start < from) continue
    done += `${text.slice(from, start)}&#91;${text.slice(start + 1, end)}`
    from = end
    if (/^\n {0,3}\[/.test(text.slice(from, from + 5))) done += '\n'
  }
  return done + text.slice(from)
}
