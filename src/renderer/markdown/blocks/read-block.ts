import ReactMarkdown from 'react-markdown'
import { isCrowded } from '../../../shared/markdown/is-crowded.ts'
import { filePlugins } from '../syntax/plugins.ts'

/** What a block defines, or where it uses what is defined. The ids of footnotes begin with `^`. */
export type Found =
  | { kind: 'use'; id: string; isInNote: boolean }
  | {
      kind: 'link' | 'note'
      id: string
      /** The definition of a link, or what a footnote says, as Markdown. */
      text: string
      /** How it is named. */
      label: string
      /** Where it stands in the block. */
      start: number
      end: number
    }

type Place = { column: number; offset?: number }
/** A node of the tree, as far as definitions are concerned. */
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
    // It is only read, not drawn.
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
    // What cannot be read is drawn as it is.
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

/** Lines without what stands before each of them in a quote or an item. */
const unquoted = (source: string, column: number) =>
  source.replaceAll(new RegExp(`\\n[ >\\t]{0,${column - 1}}`, 'gu'), '\n')

/** What a footnote says: the lines behind the first are indented by four. */
const contentOf = (source: string, column: number) =>
  unquoted(source.replace(LABEL, ''), column)
    .trimStart()
    .replaceAll(/\n(?: {1,4}|\t)/gu, '\n')
