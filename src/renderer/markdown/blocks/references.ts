import { readBlock, type Found } from './read-block.ts'
import { NESTED } from './split-blocks.ts'

/** References across the blocks of an answer. */
export type References = {
  /** The blocks as they should be parsed: unused definitions are escaped. */
  blocks: readonly string[]
  /** For each block, the definitions from other blocks to put before it. */
  before: readonly string[]
  /** Blocks that are not parsed as Markdown, because too many earlier blocks may define something. */
  asIs: ReadonlySet<number>
  /** The referenced footnotes, in the order of their numbers. */
  notes: readonly Note[]
}

/** A footnote as Markdown, and the definitions to put before it. */
export type Note = { id: string; text: string; before: string }

/** Maximum length of a block that is parsed as Markdown, in characters. A longer block would take seconds. */
export const MOST = 40_000

const CODE = /^(?: {4}|\t| {0,3}(?:`{3}|~{3}))/
/** Maximum number of definitions shared with other blocks; later ones are escaped. */
const MOST_SHARED = 200

/** Maximum total length of shared definitions, and of definitions put before blocks, in characters. */
const MOST_BEFORE = 10 * MOST

/** Maximum number of blocks to parse for definitions, and for uses. Each takes up to a millisecond. */
const MOST_READ = 500

/** Maximum number of times a block is parsed again. */
const MOST_ROUNDS = 6

type Definition = Exclude<Found, { kind: 'use' }> & { block: number }

/** The parsed facts of a text. */
type Facts = {
  found: readonly Found[]
  /** Its escaped versions, by which of its definitions are used. */
  written: Map<string, string>
}

/** Returns the facts of a text, which is parsed only the first time. */
type Know = (text: string) => Facts

/**
 * Create a function that resolves the references between the blocks of a growing answer. Blocks that were
 * already parsed by `read` are not parsed again.
 */
export function createReferences(read = readBlock): (blocks: readonly string[]) => References {
  let known = new Map<string, Facts>()
  return blocks => {
    const last = known
    known = new Map()
    return gatherReferences(blocks, text => {
      const facts = known.get(text) ?? last.get(text) ?? { found: read(text), written: new Map() }
      known.set(text, facts)
      return facts
    })
  }
}

const NOTHING = ''
const isRead = (text: string) => text.length <= MOST && !CODE.test(text) && !NESTED.test(text)

function gatherReferences(blocks: readonly string[], know: Know): References {
  const defining = new Map<number, readonly Found[]>()
  const asIs = new Set<number>()
  let read = 0
  for (const [at, text] of blocks.entries()) {
    if (!text.includes(']:') || !isRead(text)) continue
    if (++read > MOST_READ) {
      asIs.add(at)
      continue
    }
    const { found } = know(text)
    if (found.some(({ kind }) => kind !== 'use')) defining.set(at, found)
  }
  if (defining.size === 0) return { blocks, before: blocks.map(() => NOTHING), asIs, notes: [] }
  const shared = shareDefinitions(defining)
  const used = new Set<string>()
  const { before, notes } = followUses(blocks, { shared, used, know })
  const isUsed = (found: Found, block: number) => {
    const own = shared.get(found.id)
    return own?.block === block && used.has(found.id) && 'text' in found && own.text === found.text
  }
  const shown = blocks.map((text, at) =>
    defining.has(at) ? writtenOut(text, know, found => isUsed(found, at)) : text,
  )
  return { blocks: shown, before, asIs, notes }
}

/** The first definition of each name. */
function shareDefinitions(defining: ReadonlyMap<number, readonly Found[]>): Map<string, Definition> {
  const shared = new Map<string, Definition>()
  let left = MOST_BEFORE
  for (const [block, all] of defining)
    for (const found of all) {
      if (shared.size === MOST_SHARED) return shared
      if (found.kind === 'use' || shared.has(found.id) || found.text.length > left) continue
      left -= found.text.length
      shared.set(found.id, { ...found, block })
    }
  return shared
}

type Uses = { shared: ReadonlyMap<string, Definition>; used: Set<string>; know: Know }

/** The definitions to put before each block, and the referenced footnotes. Names that are used are added to `used`. */
function followUses(
  blocks: readonly string[],
  { shared, used, know }: Uses,
): Pick<References, 'before' | 'notes'> {
  const notes: Note[] = []
  let left = MOST_BEFORE
  let read = 0
  const follow = (text: string, block?: number): string => {
    if (!text.includes('[') || !isRead(text)) return NOTHING
    const named = labelsIn(text).flatMap(label => shared.get(label) ?? [])
    // A block needs no help with its own definitions.
    if (named.length === 0 || ++read > MOST_READ) return NOTHING
    const others = stubs(named.filter(definition => definition.block !== block))
    const before = others.length > left ? NOTHING : others
    left -= before.length
    for (const found of know(before + text).found) {
      // A footnote is a separate text, which is followed once it is referenced.
      if (found.kind !== 'use' || (found.isInNote && block !== undefined)) continue
      const definition = shared.get(found.id)
      if (!definition || used.has(found.id)) continue
      used.add(found.id)
      if (definition.kind === 'note')
        notes.push({ id: definition.id, text: definition.text, before: NOTHING })
    }
    return before
  }
  const before = blocks.map((text, at) => follow(text, at))
  for (let next = 0; next < notes.length; next++) {
    const note = notes[next]!
    notes[next] = { ...note, before: follow(note.text) }
  }
  return { before, notes }
}

/** A block with its unused definitions turned into text. */
function writtenOut(text: string, know: Know, isUsed: (found: Found) => boolean): string {
  let shown = text
  // Once a definition is text, its content can be a definition itself.
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { found, written } = know(shown)
    const unused = found.flatMap(each => (each.kind === 'use' || isUsed(each) ? [] : [each]))
    if (unused.length === 0) break
    const which = unused.map(({ start }) => start).join(' ')
    const next = written.get(which) ?? writeOut(shown, unused)
    written.set(which, next)
    shown = next
  }
  return shown
}

/** All labels in square brackets, in the form used for comparison. */
const labelsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\[((?:[^[\]\\]|\\.){1,999})\]/gsu)].map(match => identifierOf(match[1]!))),
]

/** A label for comparison: without case and extra spaces. */
const identifierOf = (label: string): string =>
  label.replaceAll(/\s+/gu, ' ').trim().toLowerCase().toUpperCase().toLowerCase()

/** Definitions to put before a block. Footnotes come first, so that the block does not continue one. */
function stubs(found: readonly Definition[]): string {
  const each = [...new Set(found)]
  if (each.length === 0) return NOTHING
  const notes = each.filter(({ kind }) => kind === 'note').map(({ label }) => `[^${label}]: x\n\n`)
  const links = each.filter(({ kind }) => kind === 'link').map(({ text }) => `${text}\n`)
  return `${notes.join('')}${links.length === 0 ? '[\u2063]: x\n' : links.join('')}\n`
}

/** Escape these definitions in a text: an unreferenced definition would not be rendered. */
function writeOut(text: string, unused: readonly { start: number; end: number }[]): string {
  let done = ''
  let from = 0
  for (const { start, end } of unused) {
    // Definitions inside another one are escaped with it.
    if (start < from) continue
    done += `${text.slice(from, start)}&#91;${text.slice(start + 1, end)}`
    from = end
    if (/^\n {0,3}\[/.test(text.slice(from, from + 5))) done += '\n'
  }
  return done + text.slice(from)
}
