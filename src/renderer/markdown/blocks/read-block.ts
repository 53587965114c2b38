import ReactMarkdown from 'react-markdown'
import { isCrowded } from '../../../shared/markdown/is-crowded.ts'
import { filePlugins } from '../syntax/plugins.ts'

/** A definition in a block, or a use of one. The ids of footnotes start with `^`. */
export type Found =
  | { kind: 'use'; id: string; isInNote: boolean }
  | {
      kind: 'link' | 'note'
      id: string
      /** The definition of a link, or the content of a footnote, as Markdown. */
      text: string
      /** The label of the definition or use. */
      label: string
      /** Its position in the block. */
      start: number
      end: number
    }

type Place = { column: number; offset?: number }
/** A node of the tree, with the fields used here. */
type Node = {
  type: string
  identifier?: string
  position?: { start: Place; end: Place }
  children?: Node[]
}

/** All definitions in a block, and all uses of any. */
export function readBlock(text: string): Found[] {
  if (isCrowded(text)) return []
  const found: Found[] = []
  const take = () => (tree: Node) => {
    walk(tree, false)
    // Only the definitions are needed, not the tree.
    tree.children = []
  }
  const walk = (node: Node, isInNote: boolean): void => {
    found.push(...foundIn(text, node, isInNote))
    const isNote = node.type === 'footnoteDefinition'
    for (const child of node.children ?? []) walk(child, isInNote || isNote)
  }
  try {
    ReactMarkdown({ children: text, remarkPlugins: [take, ...filePlugins] })
  } catch {
    // A block that cannot be parsed is shown as it is.
    return []
  }
  return found
}

const LABEL = /^\[\^?((?:[^\]\\]|\\.)*)\]:/su

function foundIn(text: string, node: Node, isInNote: boolean): Found[] {
  const id = node.identifier ?? ''
  switch (node.type) {
    case 'linkReference':
    case 'imageReference':
      return [{ kind: 'use', id, isInNote }]
    case 'footnoteReference':
      return [{ kind: 'use', id: `^${id}`, isInNote }]
    case 'definition':
    case 'footnoteDefinition': {
      const { start, end } = node.position ?? {}
      if (start?.offset === undefined || end?.offset === undefined) return []
      const isNote = node.type === 'footnoteDefinition'
      const source = text.slice(start.offset, end.offset)
      const label = LABEL.exec(source)?.[1] ?? id
      const content = isNote ? contentOf(source, start.column) : unquoted(source, start.column)
      return [
        {
          kind: isNote ? 'note' : 'link',
          id: isNote ? `^${id}` : id,
          text: content,
          label,
          start: start.offset,
          end: end.offset,
        },
      ]
    }
    default:
      return []
  }
}

/** The lines without their prefix in a quote or a list item. */
const unquoted = (source: string, column: number) =>
  source.replaceAll(new RegExp(`\\n[ >\\t]{0,${column - 1}}`, 'gu'), '\n')

/** The content of a footnote: its lines after the first are indented by four spaces. */
const contentOf = (source: string, column: number) =>
  unquoted(source.replace(LABEL, ''), column)
    .trimStart()
    .replaceAll(/\n(?: {1,4}|\t)/gu, '\n')
