import { joinTexts, plainText, sliceText, trimText, type Block, type RichText } from './rich-text.ts'

/** The limits of a part: UTF-16 units, and entities, of which Telegram drops those beyond a hundred. */
export type Room = { units: number; entities: number }

const BETWEEN = '\n\n'
/** Minimum length of a piece that is cut off a block to fill a part. */
const SHORTEST_PIECE = 300

/**
 * Split blocks into parts that Telegram accepts, between blocks if possible. As the blocks grow, all parts
 * but the last mostly stay the same, so that few messages are edited.
 */
export function splitBlocks(blocks: readonly Block[], room: Room): RichText[] {
  const parts: RichText[] = []
  let part: Block[] = []
  let used: Room = { units: 0, entities: 0 }
  const endPart = (isLast = false) => {
    // Keep a heading together with the block below it.
    const heading = !isLast && part.length > 1 && part.at(-1)?.isHeading === true ? part.pop() : undefined
    const text = trimText(joinBlocks(part))
    if (text.text !== '') parts.push(text)
    part = heading ? [heading] : []
    used = sizeOf(joinBlocks(part))
  }
  const shortest = Math.min(SHORTEST_PIECE, room.units / 4)
  const waiting = blocks.toReversed()
  for (let block = waiting.pop(); block; block = waiting.pop()) {
    const between = part.length > 0 ? BETWEEN.length : 0
    const left = {
      units: room.units - used.units - between,
      entities: room.entities - used.entities,
    }
    if (fits(block.rich, left)) {
      part.push(block)
      const { units, entities } = sizeOf(block.rich)
      used = { units: used.units + between + units, entities: used.entities + entities }
      continue
    }
    const isFilled = used.units > room.units / 2 || left.units < shortest || left.entities < 2
    if (part.length > 0 && isFilled) {
      endPart()
      waiting.push(block)
      continue
    }
    const { piece, rest } = cutBlock(block, left)
    part.push({ ...block, rich: piece, isHeading: false })
    endPart()
    if (rest.text !== '') waiting.push({ ...block, rich: rest })
  }
  endPart(true)
  return parts
}

const joinBlocks = (blocks: readonly Block[]) =>
  joinTexts(
    blocks.map(({ rich }) => rich),
    BETWEEN,
  )

const sizeOf = ({ text, entities }: RichText): Room => ({ units: text.length, entities: entities.length })

function fits(rich: RichText, room: Room): boolean {
  const { units, entities } = sizeOf(rich)
  return units <= room.units && entities <= room.entities
}

/** Split off the beginning of a block that fits; a table continues under its head. */
function cutBlock({ rich, cut, head = '' }: Block, room: Room): { piece: RichText; rest: RichText } {
  const most = Math.min(room.units, placeOfEntity(rich, room.entities))
  const end = placeOfCut(rich, Math.max(1, most), cut)
  const piece = sliceText(rich, 0, end)
  const isCode = rich.entities.some(
    ({ type, offset, length }) => type === 'pre' && offset < end && offset + length > end,
  )
  const next = isCode ? end + (rich.text[end] === '\n' ? 1 : 0) : end + blanksAt(rich.text, end)
  const rest = sliceText(rich, next)
  const start = rich.entities[0]
  // Do not repeat a head that leaves hardly any room for rows.
  if (head.length > room.units / 2 || head === '' || rest.text === '' || !start)
    return { piece: limited(piece, room), rest }
  const again = { ...start, offset: 0, length: head.length + rest.text.length }
  return { piece: limited(piece, room), rest: { text: head + rest.text, entities: [again] } }
}

const blanksAt = (text: string, at: number) => /^\s*/.exec(text.slice(at))![0].length

/** Drop entities beyond the limit, in case too many start at one place. */
const limited = ({ text, entities }: RichText, room: Room): RichText => ({
  text,
  entities: entities.slice(0, Math.max(0, room.entities)),
})

/** Return the position where a text reaches the limit of entities. */
const placeOfEntity = ({ text, entities }: RichText, room: number) => entities[room]?.offset ?? text.length

const CUTS = {
  sentences: [/\n\n+/g, /\n/g, /(?<=[.!?…:;]["'”’)\]]*)[ \t]+|(?<=[。！？；][”’」』）]*)/gu, /\s+/g],
  lines: [/\n\n+/g, /\n/g, /\s+/g],
}
/** Minimum share of a part to fill, by the kind of cut: at a paragraph, a line, a sentence, a word. */
const LEAST = [0.7, 0.6, 0.5, 0.3]

/** Return the best cut before a limit: after a paragraph, line, sentence or word, never in a character. */
function placeOfCut(rich: RichText, most: number, cut: Block['cut']): number {
  const { text, entities } = rich
  if (most >= text.length) return text.length
  const begin = text.slice(0, most + 1)
  const whole = entities.filter(({ type }) => type === 'code' || type === 'text_link')
  const isInside = (place: number) =>
    whole.some(({ offset, length }) => place > offset && place < offset + length)
  for (const [at, pattern] of CUTS[cut].entries()) {
    const least = most * (LEAST[at] ?? 0)
    const place = Array.from(begin.matchAll(pattern), ({ index }) => index).findLast(
      found => found <= most && found >= least && found > 0 && !isInside(found),
    )
    if (place !== undefined) return place
  }
  return endOfCharacter(text, most)
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Return where the last whole character before a limit ends. A huge one is cut between code points. */
function endOfCharacter(text: string, most: number): number {
  const from = Math.max(0, most - 200)
  const start = isSecondHalf(text, from) ? from + 1 : from
  const last = Array.from(
    letters.segment(text.slice(start, most + 50)),
    ({ index }) => start + index,
  ).findLast(index => index <= most && index > start)
  if (last !== undefined) return last
  return isSecondHalf(text, most) ? Math.max(2, most - 1) : most
}

const isSecondHalf = (text: string, at: number) =>
  at > 0 && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(at - 1, at + 1))

/** Number the parts at their end, if there are several. */
export const numberParts = (parts: readonly RichText[]): RichText[] =>
  parts.length < 2
    ? [...parts]
    : parts.map((part, at) => joinTexts([part, plainText(`${BETWEEN}(${at + 1}/${parts.length})`)]))
