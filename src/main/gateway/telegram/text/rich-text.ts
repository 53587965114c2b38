/** The formatting of a part of a message. */
export type Look =
  | { type: 'bold' | 'italic' | 'strikethrough' | 'blockquote' | 'code' }
  | { type: 'pre'; language?: string }
  | { type: 'text_link'; url: string }

/** A formatting and its range, in UTF-16 units, as Telegram counts. */
type Entity = Look & { offset: number; length: number }

/** A text with entities, which never cross each other. */
export type RichText = { readonly text: string; readonly entities: readonly Entity[] }

/** A block of an answer. Headings and tables have their own rules for splitting. */
export type Block = {
  rich: RichText
  /** Where to cut: after sentences, or only after lines. */
  cut: 'sentences' | 'lines'
  /** Whether it is a heading, which is never the last block of a part. */
  isHeading?: boolean
  /** Lines that are repeated if the block continues in another part. */
  head?: string
}

/** Return a text without formatting. */
export const plainText = (text: string): RichText => ({ text, entities: [] })

/** Join texts. */
export function joinTexts(parts: readonly RichText[], between = ''): RichText {
  let text = ''
  const entities: Entity[] = []
  for (const [at, part] of parts.entries()) {
    if (at > 0) text += between
    for (const entity of part.entities) entities.push({ ...entity, offset: entity.offset + text.length })
    text += part.text
  }
  return { text, entities }
}

const isCode = ({ type }: Pick<Look, 'type'>) => type === 'code' || type === 'pre'

/** The inner formatting to drop inside each outer one, because the outer one replaces or implies it. */
const DROPPED: Record<Look['type'], (inner: Entity) => boolean> = {
  bold: ({ type }) => type === 'bold',
  italic: ({ type }) => type === 'italic',
  strikethrough: ({ type }) => type === 'strikethrough',
  blockquote: ({ type }) => type === 'blockquote',
  text_link: inner => isCode(inner) || inner.type === 'text_link',
  code: () => true,
  pre: () => true,
}

/** The inner formatting that splits an outer one, which then covers only the text before and after. */
const INTERRUPTS: Partial<Record<Look['type'], (inner: Entity) => boolean>> = {
  bold: isCode,
  italic: isCode,
  strikethrough: isCode,
  // Whether a quote may contain a code block depends on how Telegram's rules are read.
  blockquote: ({ type }) => type === 'pre',
}

/** Format a whole text, as far as Telegram allows nesting. */
export function styleText(rich: RichText, look: Look): RichText {
  const inner = rich.entities.filter(entity => !DROPPED[look.type](entity))
  const interrupts = INTERRUPTS[look.type]
  const outer: Entity[] = []
  let from = 0
  const add = (to: number) => {
    const inside = withoutBlanks(rich.text, from, to)
    const range = isCode(look) ? { from, to } : inside
    if (inside.to > inside.from) outer.push({ ...look, offset: range.from, length: range.to - range.from })
  }
  for (const { offset, length } of interrupts ? inner.filter(interrupts) : []) {
    add(offset)
    from = offset + length
  }
  add(rich.text.length)
  return { text: rich.text, entities: inOrder([...outer, ...inner]) }
}

function withoutBlanks(text: string, from: number, to: number): { from: number; to: number } {
  const part = text.slice(from, to)
  const start = from + part.length - part.trimStart().length
  return { from: start, to: Math.max(start, from + part.trimEnd().length) }
}

/** Sort outer entities first. For equal ranges, a quote comes before its content. */
const inOrder = (entities: readonly Entity[]): Entity[] =>
  entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length)

/** Return a part of a text, with its formatting clipped. */
export function sliceText(rich: RichText, from: number, to = rich.text.length): RichText {
  const entities = rich.entities.flatMap(entity => {
    const start = Math.max(entity.offset, from)
    const end = Math.min(entity.offset + entity.length, to)
    return end > start ? [{ ...entity, offset: start - from, length: end - start }] : []
  })
  return { text: rich.text.slice(from, to), entities }
}

/** Format a part of a text as code. Quotes and links around it stay; other formatting is split. */
export function markCode(rich: RichText, from: number, to: number): RichText {
  const stays = ({ type, offset, length }: Entity) =>
    offset <= from &&
    offset + length >= to &&
    (type === 'blockquote' || type === 'text_link' || isCode({ type }))
  if (rich.entities.some(entity => stays(entity) && entity.type !== 'blockquote')) return rich
  const others = rich.entities.flatMap(entity => {
    if (stays(entity)) return [entity]
    const end = entity.offset + entity.length
    return [
      { ...entity, length: Math.min(end, from) - entity.offset },
      { ...entity, offset: Math.max(entity.offset, to), length: end - Math.max(entity.offset, to) },
    ].filter(({ offset, length }) => length > 0 && rich.text.slice(offset, offset + length).trim() !== '')
  })
  return {
    text: rich.text,
    entities: inOrder([...others, { type: 'code', offset: from, length: to - from }]),
  }
}

/** Trim a text, as Telegram does, except for leading spaces of a code block. */
export function trimText(rich: RichText): RichText {
  const { text, entities } = rich
  const end = text.trimEnd().length
  const first = entities[0]
  const code = first && isCode(first) ? first.offset : text.length
  const start = Math.min(text.length - text.trimStart().length, code)
  return start === 0 && end === text.length ? rich : sliceText(rich, Math.min(start, end), end)
}

/** A span of a text and its replacement; an empty span is an insertion. */
export type Replacement = { from: number; to: number; shown: string }

/** Replace spans, which are in order and do not overlap. The formatting of the rest stays in place. */
export function replaceSpans(rich: RichText, spans: readonly Replacement[]): RichText {
  if (spans.length === 0) return rich
  let text = ''
  let from = 0
  const starts: number[] = []
  for (const span of spans) {
    text += rich.text.slice(from, span.from)
    starts.push(text.length)
    text += span.shown
    from = span.to
  }
  text += rich.text.slice(from)

  // A position inside a span moves to the span's end for all formatting, so that none starts to overlap.
  const moved = (place: number) => {
    const at = lastBefore(spans, place)
    const span = spans[at]
    const start = starts[at]
    if (!span || start === undefined) return place
    if (place === span.from && span.to > span.from) return start
    return start + span.shown.length + Math.max(0, place - span.to)
  }
  const entities = rich.entities.flatMap(entity => {
    const offset = moved(entity.offset)
    const length = moved(entity.offset + entity.length) - offset
    return length > 0 ? [{ ...entity, offset, length }] : []
  })
  return { text, entities: inOrder(entities) }
}

/** Return the last span that starts at or before a position; -1 if none. */
function lastBefore(spans: readonly Replacement[], place: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle]!.from <= place) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Indent every line except the first; code blocks keep theirs. */
export function indentLines(rich: RichText, indent: string): RichText {
  const blocks = rich.entities.filter(({ type }) => type === 'pre')
  const isInBlock = (place: number) =>
    blocks.some(({ offset, length }) => place >= offset && place < offset + length)
  const spans = Array.from(rich.text.matchAll(/\n(?!\n|$)/g), ({ index }) => index + 1)
    .filter(place => !isInBlock(place))
    .map(place => ({ from: place, to: place, shown: indent }))
  return replaceSpans(rich, spans)
}
