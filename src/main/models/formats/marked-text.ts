import { OWN, type Format, type Marked } from './format-types.ts'

/** A part of a text for a model: data, or a mark for which the model has its own token. */
export type Piece = string | { readonly mark: string }

/** Join pieces and record where the marks are. */
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

/** Join finished texts. */
export const joinMarked = (texts: readonly Marked[], between: string): Marked =>
  joinPieces(texts.flatMap((each, at) => (at === 0 ? piecesOf(each) : [between, ...piecesOf(each)])))

/** Split a finished text back into its pieces. */
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

const TAG = /(\]<\]\w+\[>\[|<[^<>\s=]+>|\[\/?[A-Z_]+\]|｜DSML｜)/

/**
 * Split a format's own text into marks and the text between them. Only whole tags are marks: a tag that
 * carries a name, such as `<function=read>`, is spelled in ordinary tokens, and so is its closing tag. Blanks
 * do not belong to a mark, because vocabularies merge them with the preceding text.
 */
export function markTags(format: Format, text: string): Piece[] {
  const opened = allMarks(format)
  return text.split(TAG).flatMap((part, at): Piece[] => {
    const isMark = at % 2 === 1 && (!part.startsWith('</') || opened.includes(part.replace('/', '')))
    return part === '' ? [] : [isMark ? { mark: part } : part]
  })
}

const allMarks = ({ open, frame, notation, each = ['', ''] }: Format): string =>
  [open, ...each, ...frame, notation.kind === 'tagged' ? notation.beforeKey + notation.afterKey : ''].join()

/** Marks around thoughts, which a reply may contain in any format. */
const THOUGHTS = [
  '<think>',
  '</think>',
  '[THINK]',
  '[/THINK]',
  '<|START_THINKING|>',
  '<|END_THINKING|>',
  '<|channel>',
  '<channel|>',
  '<|thought_start|>',
  '<|thought_end|>',
]

/** Find the marks of a format in a model's own reply. Other markup in the reply is ordinary text. */
export function findMarks(format: Format, text: string): [from: number, to: number][] {
  const { open, close, notation, each = [] } = format
  const own = [open, close, ...each, notation.kind === 'named' ? notation.joint : '']
  const marks = own
    .flatMap(part => markTags(format, part))
    .flatMap(piece => (typeof piece === 'string' ? [] : piece.mark))
  // In formats with channels, the model itself ends its thoughts and starts the next part.
  const parts = open.startsWith('<|channel|>') ? ['<|start|>', '<|end|>'] : []
  const wanted = new Set([...marks, ...THOUGHTS, ...parts])
  return [...text.matchAll(new RegExp(TAG, 'g'))]
    .filter(([tag]) => wanted.has(tag))
    .map(({ 0: tag, index }) => [index, index + tag.length])
}

/** The marks of a format by their task. */
type MarksByTask = Record<'open' | 'close' | 'joint', string[]>

/**
 * The marks of a format that was learnt from a template; undefined for other formats. A text of tags only
 * gives one mark for each tag; any other text is one mark. Pure layout, such as a colon, is not a mark.
 */
export function learntMarks({ id, open, close, notation, each = ['', ''] }: Format): MarksByTask | undefined {
  if (id !== OWN) return undefined
  const marks = (...texts: readonly string[]) =>
    texts.flatMap(text => {
      const tags = text.match(new RegExp(TAG, 'g')) ?? []
      const rest = text.replaceAll(new RegExp(TAG, 'g'), '').trim()
      return rest === '' ? tags : [text.trim()].filter(isMark)
    })
  return {
    open: marks(open, each[0]),
    close: marks(close, each[1]),
    joint: marks(notation.kind === 'named' ? notation.joint : ''),
  }
}

const isMark = (text: string) => text.length > 1 && /[^\w\s"'.,:;()[\]{}`-]/.test(text)
