/** The used part of a linkedom node, because the host is compiled without DOM types. */
export type SeenNode = {
  readonly nodeType: number
  readonly parentNode: SeenNode | null
  readonly firstChild: SeenNode | null
  readonly nextSibling: SeenNode | null
  textContent: string | null
  remove(): void
}

/** The used part of an element. */
type SeenElement = SeenNode & {
  readonly localName: string
  readonly outerHTML: string
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  /** The names of its attributes. */
  getAttributeNames(): string[]
}

/** The used part of a document. */
export type SeenDocument = SeenNode & {
  readonly documentElement: SeenElement | null
}

/** Whether a node is an element. */
const isElementNode = (node: SeenNode): node is SeenElement => node.nodeType === 1

/** Whether a node is text. */
const isTextNode = (node: SeenNode): boolean => node.nodeType === 3

/** An element with the facts that selectors ask for, read once. */
export type Box = {
  element: SeenElement
  tag: string
  id: string
  classes: readonly string[]
  parent: Box | undefined
  /** Its index among the elements of its parent. */
  index: number
  children: Box[]
  texts: SeenNode[]
}

/** The elements of a document, and its nodes that are neither elements nor text, such as comments. */
export type Listed = { boxes: Box[]; others: SeenNode[]; areAll: boolean }

/** List the elements of a document in order, parents first. Limited: further ones are left out. */
export function listBoxes(document: SeenDocument, most: number): Listed {
  const boxes: Box[] = []
  const others: SeenNode[] = []
  const root = document.documentElement
  if (root === null) return { boxes, others, areAll: true }
  const open = (element: SeenElement, parent: Box | undefined): Box => {
    const box: Box = {
      element,
      tag: element.localName.toLowerCase(),
      id: element.getAttribute('id') ?? '',
      classes: (element.getAttribute('class') ?? '').split(/\s+/).filter(Boolean),
      parent,
      index: parent?.children.length ?? 0,
      children: [],
      texts: [],
    }
    parent?.children.push(box)
    boxes.push(box)
    return box
  }
  let box = open(root, undefined)
  let node = root.firstChild
  for (;;) {
    if (node === null) {
      if (box.parent === undefined) return { boxes, others, areAll: true }
      node = box.element.nextSibling
      box = box.parent
      continue
    }
    if (isElementNode(node)) {
      if (boxes.length >= most) return { boxes, others, areAll: false }
      box = open(node, box)
      node = node.firstChild
      continue
    }
    if (isTextNode(node)) box.texts.push(node)
    else others.push(node)
    node = node.nextSibling
  }
}

/** The nearest ancestor that meets a condition, or the box itself. */
export function findAround(box: Box, holds: (box: Box) => boolean): Box | undefined {
  for (let at: Box | undefined = box; at; at = at.parent) if (holds(at)) return at
  return undefined
}

/** Put a text on one line. */
export const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
