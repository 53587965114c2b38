import { parseHTML } from 'linkedom'

/** The used part of a DOM node, since the host has no DOM types. Lists of nodes do not change in loops. */
export type PageNode = {
  readonly nodeType: number
  readonly nodeName: string
  readonly parentNode: PageNode | null
  readonly parentElement: PageElement | null
  readonly firstChild: PageNode | null
  readonly nextSibling: PageNode | null
  readonly previousSibling: PageNode | null
  readonly childNodes: ArrayLike<PageNode> & Iterable<PageNode>
  textContent: string | null
  appendChild(node: PageNode): PageNode
  insertBefore(node: PageNode, before: PageNode | null): PageNode
  remove(): void
}

/** The used part of an element. */
export type PageElement = PageNode & {
  /** In upper case for HTML. */
  readonly tagName: string
  readonly localName: string
  readonly children: ArrayLike<PageElement> & Iterable<PageElement>
  innerHTML: string
  readonly outerHTML: string
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  hasAttribute(name: string): boolean
  getAttributeNames(): string[]
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): ArrayLike<PageElement> & Iterable<PageElement>
  closest(selector: string): PageElement | null
  matches(selector: string): boolean
  contains(node: PageNode): boolean
  replaceWith(...nodes: PageNode[]): void
}

/** The used part of a document. */
export type PageDocument = PageNode & {
  readonly documentElement: PageElement | null
  readonly head: PageElement
  readonly body: PageElement
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): ArrayLike<PageElement> & Iterable<PageElement>
  createElement(name: string): PageElement
  createTextNode(text: string): PageNode
  cloneNode(isDeep: boolean): PageDocument
}

/** Whether a node is an element. */
export const isElement = (node: PageNode): node is PageElement => node.nodeType === 1

/** Whether a node is text. */
export const isText = (node: PageNode): boolean => node.nodeType === 3

/** The name of an element in lower case, without a namespace prefix. */
export const nameOf = (element: PageElement): string => element.localName.toLowerCase()

/** All elements inside an element, in document order. */
export function elementsIn(root: PageElement): PageElement[] {
  return [...root.querySelectorAll('*')]
}

/** Elements that belong in the head of a page that has neither `head` nor `body`. */
const HEAD_ONLY = new Set(['title', 'meta', 'link', 'base', 'style'])

/** Parse a page into a document that always has a head and a body. */
export function parsePage(html: string): PageDocument {
  const parse = (text: string): PageDocument => parseHTML(text).document
  const document = parse(html)
  const root = document.documentElement
  if (root === null || nameOf(root) !== 'html')
    return gatherBody(parse(`<!doctype html><html><head></head><body>${html}</body></html>`))
  return gatherBody(document)
}

/** Move everything beside the body into it; create the body if it is missing. */
function gatherBody(document: PageDocument): PageDocument {
  const root = document.documentElement
  if (root === null) return document
  const { head, body } = document
  const first = body.firstChild
  let isBefore = true
  for (const child of root.childNodes) {
    if (child === head) continue
    if (child === body) {
      isBefore = false
      continue
    }
    if (isElement(child) && HEAD_ONLY.has(nameOf(child))) head.appendChild(child)
    else if (isElement(child) && nameOf(child) === 'body')
      for (const inner of child.childNodes) body.appendChild(inner)
    else if (isBefore) body.insertBefore(child, first)
    else body.appendChild(child)
  }
  limitDepth(body)
  return document
}

/** Maximum depth, below which all becomes plain text. Real pages are shallower; recursion would overflow. */
const DEEPEST = 200

function limitDepth(body: PageElement): void {
  const depths = new Map<PageElement, number>([[body, 0]])
  const tooDeep: PageElement[] = []
  for (const element of elementsIn(body)) {
    const depth = element.parentElement && depths.get(element.parentElement)
    if (depth === null || depth === undefined) continue
    if (depth >= DEEPEST) tooDeep.push(element)
    else depths.set(element, depth + 1)
  }
  for (const element of tooDeep) element.textContent = element.textContent ?? ''
}
