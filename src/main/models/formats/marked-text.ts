import type { Dialect, Marked } from './dialect.ts'

/** A part of a text for a model: data, or a mark that the model has a token of its own for. */
export type Piece = string | { readonly mark: string }

/** Put pieces together, and say where the marks are. */
export function joinPieces(pieces: readonly Piece[]): Marked {
  let text = ''
  const markup: [number, number][] = []
  for (const piece of pieces) {
    const from = text.length
    text += typeof piece === 'string' ? piece : piece.mark
    if (typeof piece === 'string') continue
    const last = markup.at(-1)
    if (last?.[1] === from) last[1] = text.length
    else markup.push([from, text.length])
  }
  return { text, markup }
}

/** Put finished texts one behind the other. */
export const joinMarked = (texts: readonly Marked[], between: string): Marked =>
  joinPieces(texts.flatMap((each, at) => (at === 0 ? piecesOf(each) : [between, ...piecesOf(each)])))

/** The pieces that a finished text was put together from. */
export function piecesOf({ text, markup }: Marked): Piece[] {
  const ends = [...markup.map(([, to]) => to), text.length]
  return ends.flatMap((to, at): Piece[] => {
    const [from, behind] = markup[at] ?? [to, to]
    const plain = text.slice(ends[at - 1] ?? 0, from)
    return [
      ...(plain === '' ? [] : [plain]),
      ...(from === behind ? [] : [{ mark: text.slice(from, behind) }]),
    ]
  })
}

const TAG = /(<[^<>\s=]+>|\[\/?[A-Z_]+\])/

/**
 * A text of a dialect's own, taken apart into its marks and what is between them. Only whole tags are marks: a tag that
 * carries a name, such as `<function=read>`, is spelled in ordinary tokens, and so is what closes it. Blanks are no part
 * of a mark, because vocabularies join them with what stands before.
 */
export function markTags(dialect: Dialect, text: string): Piece[] {
  const opened = allMarks(dialect)
  return text.split(TAG).flatMap((part, at): Piece[] => {
    const isMark = at % 2 === 1 && (!part.startsWith('</') || opened.includes(part.replace('/', '')))
    return part === '' ? [] : [isMark ? { mark: part } : part]
  })
}

const allMarks = ({ open, frame, notation }: Dialect): string =>
  [open, ...frame, notation.kind === 'tagged' ? notation.beforeKey + notation.afterKey : ''].join()

/** Marks around thoughts, which a reply may hold whatever its dialect. */
const THOUGHTS = [
  '<think>',
  '</think>',
  '[THINK]',
  '[/THINK]',
  '<|START_THINKING|>',
  '<|END_THINKING|>',
  '<|channel>',
  '<channel|>',
]

/** Where a reply that a model wrote itself holds marks of its dialect; any other markup in it was only spelled. */
export function findMarks(dialect: Dialect, text: string): [from: number, to: number][] {
  const { open, close, notation } = dialect
  const own = [open, close, notation.kind === 'named' ? notation.joint : '']
  const marks = own
    .flatMap(part => markTags(dialect, part))
    .flatMap(piece => (typeof piece === 'string' ? [] : piece.mark))
  // In channels the model ends its thoughts and begins the next part itself.
  const parts = open.startsWith('<|channel|>') ? ['<|start|>', '<|end|>'] : []
  const wanted = new Set([...marks, ...THOUGHTS, ...parts])
  return [...text.matchAll(new RegExp(TAG, 'g'))]
    .filter(([tag]) => wanted.has(tag))
    .map(({ 0: tag, index }) => [index, index + tag.length])
}
