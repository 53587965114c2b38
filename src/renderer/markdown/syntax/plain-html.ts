import { DETAILS } from '../../../shared/markdown/read-line.ts'
import { listsOf } from './tokenizer.ts'

/** A node of the tree, with the fields used here. */
type TreeNode = {
  type: string
  value?: string
  identifier?: string
  label?: string | null
  data?: { hName?: string; hProperties?: Record<string, unknown>; hChildren?: [] }
  children?: TreeNode[]
}

/** The element name of a footnote mark. */
export const NOTE_TAG = 'x-note'

const PAIRS = /^<(\/?)(sub|sup|kbd|summary)>$/i
const BREAK = /^<br ?\/?>$/i

/**
 * Allow a few harmless HTML elements without attributes: `<br>`, `<sub>`, `<sup>`, `<kbd>`, and `<details>`
 * (optionally `open`) with `<summary>`. All other HTML stays text, so HTML blocks are disabled. Footnote
 * marks become elements too.
 */
export function plainHtml(this: unknown): (tree: TreeNode) => void {
  ;(listsOf(this)['micromarkExtensions'] ??= []).push({ disable: { null: ['htmlFlow'] } })
  return tree => {
    changeNode(tree)
    foldDetails(tree)
    writeStrays(tree)
  }
}

function changeNode(node: TreeNode): void {
  if (node.type === 'footnoteReference') {
    const properties = { label: node.identifier, raw: `[^${node.label ?? node.identifier}]` }
    node.type = 'note'
    node.data = { hName: NOTE_TAG, hProperties: properties, hChildren: [] }
  }
  if (!node.children) return
  for (const child of node.children) changeNode(child)
  if (node.children.some(child => child.type === 'html')) node.children = joinPairs(node.children)
}

/** The children with `<br>` as a break, and the content between two tags wrapped in an element. */
function joinPairs(children: readonly TreeNode[]): TreeNode[] {
  const done: TreeNode[] = []
  const open = new Map<string, number[]>()
  for (const child of children) {
    const value = child.type === 'html' ? (child.value ?? '') : ''
    if (BREAK.test(value)) {
      done.push({ type: 'break' })
      continue
    }
    const [, slash, tag = ''] = PAIRS.exec(value) ?? []
    const name = tag.toLowerCase()
    if (name === '') done.push(child)
    else if (slash === '') {
      const places = open.get(name) ?? []
      places.push(done.length)
      open.set(name, places)
      done.push(child)
    } else {
      const at = open.get(name)?.pop() ?? -1
      if (at < 0) {
        done.push(child)
        continue
      }
      const inside = done.splice(at).slice(1)
      // Tags that were opened inside but not closed become text.
      for (const places of open.values()) while ((places.at(-1) ?? -1) >= at) places.pop()
      done.push(element(name, inside))
    }
  }
  return done
}

const element = (hName: string, children: TreeNode[]): TreeNode => ({
  type: hName,
  data: { hName },
  children,
})

const opensDetails = (node: TreeNode) => node.type === 'html' && DETAILS.test(node.value ?? '')
const isTag = (node: TreeNode, tag: string) => node.type === 'html' && node.value?.toLowerCase() === tag
const isNothing = (node: TreeNode) =>
  node.type === 'break' || (node.type === 'text' && (node.value ?? '').trim() === '')

/** Wrap the content between `<details>` and `</details>` in an element, across any number of blocks. */
function foldDetails(parent: TreeNode): void {
  for (const child of parent.children ?? []) if (child.type !== 'paragraph') foldDetails(child)
  const parts = (parent.children ?? []).flatMap(splitAtTags)
  if (!parts.some(part => isTag(part, '</details>'))) return
  const levels: TreeNode[][] = [[]]
  for (const part of parts) {
    if (opensDetails(part)) levels.push([part])
    else if (isTag(part, '</details>') && levels.length > 1) {
      const [tag, ...inside] = levels.pop() ?? []
      levels.at(-1)?.push(detailsOf(inside, / open/i.test(tag?.value ?? '')))
    } else levels.at(-1)?.push(part)
  }
  // Tags that were never closed stay as written.
  parent.children = levels.flat().map(part => (part.type === 'html' ? paragraph([part]) : part))
}

const paragraph = (children: TreeNode[]): TreeNode => ({ type: 'paragraph', children })

/** Split a paragraph at its details tags. */
function splitAtTags(node: TreeNode): TreeNode[] {
  const isSplit = (child: TreeNode) =>
    opensDetails(child) || isTag(child, '</details>') || child.type === 'summary'
  if (node.type !== 'paragraph' || !node.children?.some(isSplit)) return [node]
  const parts: TreeNode[] = []
  let text: TreeNode[] = []
  const endText = () => {
    if (!text.every(isNothing)) parts.push({ ...node, children: trimmed(text) })
    text = []
  }
  for (const child of node.children) {
    if (!isSplit(child)) {
      text.push(child)
      continue
    }
    endText()
    parts.push(child)
  }
  endText()
  return parts
}

/** The nodes without leading and trailing breaks and spaces. */
function trimmed(nodes: readonly TreeNode[]): TreeNode[] {
  const first = nodes.findIndex(node => !isNothing(node))
  const last = nodes.findLastIndex(node => !isNothing(node))
  return nodes.slice(first, last + 1).map((node, at) => {
    if (node.type !== 'text') return node
    const value = at === 0 ? (node.value ?? '').trimStart() : (node.value ?? '')
    return { ...node, value: first + at === last ? value.trimEnd() : value }
  })
}

function detailsOf(inside: TreeNode[], isOpen: boolean): TreeNode {
  const at = inside.findIndex(part => part.type === 'summary')
  const [summary] = at < 0 ? [] : inside.splice(at, 1)
  const made = element('details', summary ? [summary, ...inside] : inside)
  return isOpen ? { ...made, data: { ...made.data, hProperties: { open: true } } } : made
}

/** Node types that contain paragraphs. */
const HOLDERS = new Set('root blockquote listItem details footnoteDefinition'.split(' '))

/** Turn each summary without details back into text, tags included. */
function writeStrays(parent: TreeNode): void {
  if (!parent.children) return
  parent.children = parent.children.flatMap((child, at) => {
    writeStrays(child)
    if (child.type !== 'summary' || (parent.type === 'details' && at === 0)) return [child]
    const text = (value: string): TreeNode => ({ type: 'text', value })
    const parts = [text('<summary>'), ...(child.children ?? []), text('</summary>')]
    return HOLDERS.has(parent.type) ? [paragraph(parts)] : parts
  })
}
