import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { parseSync } from 'oxc-parser'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'

// Part of `npm run check`: no sentence of the window is put together from pieces, because another language
// orders them differently. A sentence is one template with slots for names, numbers and paths; a choice is
// between whole sentences. Several whole sentences may follow each other. `placeElements` puts elements into
// a sentence.
//
// Two mistakes are not seen: a slot with a clause that was made elsewhere, and two slots beside each other.
// By its type, a clause is a text like any name.

/** Files whose texts nobody translates, each with what it holds. */
const ALLOWED: Readonly<Record<string, string>> = {
  'src/shared/text/order-as-statement.ts': 'English grammar: it rewrites English entries of memory',
  'src/shared/text/amounts.ts': 'the helpers for plurals',
  'src/renderer/ui/text/format-values.ts': 'the helpers for plurals and times',
}

/** Texts that only look like pieces, each with what it is. */
const NO_PIECES: Readonly<Record<string, string>> = {
  'SHA-256 of ': 'the beginning of a name that the host sends; the window shows the path alone',
  'personality ': 'the beginning of a command as it is typed',
  ' value="{}"': 'an attribute of HTML',
}

/** A piece of a sentence in a source, with its line and what is wrong with it. */
export type FoundPiece = { line: number; what: string }

type Tree = { type: string; start: number; end: number; [key: string]: unknown }

const MENDS = {
  chosen: 'choose between whole sentences, not between words in one',
  plural: 'choose between whole sentences by byCount, not between words in one',
  fragment: 'this text is only a piece of a sentence',
  stop: 'the sentence gets its end elsewhere',
  added: 'use one template in place of +',
  list: 'use listNames for a list in a sentence',
  capital: 'a text begins as it is written; do not change its first letter',
  elements: 'a sentence with elements or values in it is one text: a template, or placeElements',
} as const

/** The places where a source puts a sentence together from pieces. */
export function findPieces(file: string, source: string): FoundPiece[] {
  const found: FoundPiece[] = []
  const report = (node: Tree, what: keyof typeof MENDS) => {
    const line = source.slice(0, node.start).split('\n').length
    if (!found.some(each => each.line === line && each.what === MENDS[what]))
      found.push({ line, what: MENDS[what] })
  }
  const walk = (node: Tree, parents: readonly Tree[]): void => {
    if (isNoText(node)) return
    if (node.type === 'TemplateLiteral') checkTemplate(node, parents, report)
    if (node.type === 'Literal' && typeof node['value'] === 'string' && isFragment(node['value']))
      report(node, 'fragment')
    if (node.type === 'BinaryExpression' && node['operator'] === '+' && isAddedText(node))
      report(node, 'added')
    if (node.type === 'CallExpression') checkCall(node, report)
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') checkChildren(node, report)
    for (const child of childrenOf(node)) walk(child, [...parents, node])
  }
  walk(parseSync(file, source).program as unknown as Tree, [])
  return found.toSorted((a, b) => a.line - b.line)
}

type Report = (node: Tree, what: keyof typeof MENDS) => void

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && typeof (value as Tree).type === 'string'

const childrenOf = (node: Tree): Tree[] =>
  Object.entries(node).flatMap(([key, value]) =>
    key === 'parent' ? [] : Array.isArray(value) ? value.filter(isTree) : isTree(value) ? [value] : [],
  )

/** Whether a node holds no text for people: classes, keys, modules, types and patterns do not. */
function isNoText(node: Tree): boolean {
  if (node.type === 'ImportDeclaration' || node.type.startsWith('TS'))
    return (
      node.type !== 'TSAsExpression' &&
      node.type !== 'TSSatisfiesExpression' &&
      node.type !== 'TSNonNullExpression'
    )
  if (node.type === 'TaggedTemplateExpression') return true
  if (node.type === 'CallExpression') return (node['callee'] as { name?: string }).name === 'cx'
  return (
    node.type === 'JSXAttribute' &&
    /^(?:className|key|id|htmlFor|d|href|type|role|viewBox|keys|data-.*)$/.test(nameOf(node['name']))
  )
}

const nameOf = (node: unknown): string => {
  const { name } = node as { name?: unknown }
  return typeof name === 'string' ? name : ''
}
const hasLetters = (text: string) => /\p{L}/u.test(text)
/** Whether a text is for people: words with blanks between them. */
const isProse = (text: string) => /\p{L}[\p{L}’'…,;:.]* |\p{L} ?$|^[ ,;:.]+\p{L}/u.test(text)
const isSentence = (text: string) => /^\s*[“(]?[\p{Lu}{…].*[.?!…:”)]\s*$/su.test(text)

/**
 * Whether a text cannot stand alone: it begins with a comma or a blank, or ends with a blank. A whole
 * sentence after a blank can.
 */
const isFragment = (text: string) =>
  !(text in NO_PIECES) &&
  hasLetters(text) &&
  !text.includes('\n') &&
  !isSentence(text) &&
  (/^(?:[,;:.]\s|\s(?!·))[“(]?[\p{L}{]|^ \(/u.test(text) || /\p{L},? $/u.test(text))

function checkTemplate(node: Tree, parents: readonly Tree[], report: Report): void {
  const quasis = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
  const slots = node['expressions'] as Tree[]
  const text = quasis.join('{}')
  if (slots.length === 0) {
    if (isFragment(text)) report(node, 'fragment')
    return
  }
  const isStop = !hasLetters(text) && /\}[.?!;](?:\s|$)/.test(text) && /^[\s{}]*[.?!;][\s{}.?!;]*$/.test(text)
  if (isStop && /^\S*$/.test(text.replaceAll('{}', ''))) report(node, 'stop')
  if (isFragment(text)) report(node, 'fragment')
  if (!isProse(text)) return
  slots.forEach((slot, at) => {
    const before = quasis.slice(0, at + 1).join('{}')
    const isAfterSentence = /(?:^|[.?!…:”)])\s*$/.test(before) || (at > 0 && before.endsWith('{}'))
    for (const piece of piecesOf(slot))
      if (!(isAfterSentence && isSentence(piece.text)))
        report(piece.node, piece.isPlural ? 'plural' : 'chosen')
  })
}

/** The texts with letters that a slot chooses between. A count with its noun is left out. */
function piecesOf(slot: Tree): { node: Tree; text: string; isPlural?: boolean }[] {
  if (slot.type === 'ConditionalExpression')
    return [...piecesOf(slot['consequent'] as Tree), ...piecesOf(slot['alternate'] as Tree)]
  if (slot.type === 'LogicalExpression') {
    return slot['operator'] === '&&' ? piecesOf(slot['right'] as Tree) : []
  }
  if (slot.type === 'CallExpression' && /^(?:byCount|plural)$/.test(nameOf(slot['callee'])))
    return (slot['arguments'] as Tree[])
      .slice(1)
      .map(each => ({ node: slot, text: textOf(each) ?? '', isPlural: true }))
  const text = textOf(slot)
  return text !== undefined && hasLetters(text) ? [{ node: slot, text }] : []
}

function textOf(node: Tree): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type !== 'TemplateLiteral') return undefined
  return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}')
}

const isAddedText = (node: Tree): boolean =>
  [node['left'], node['right']].some(side => {
    const text = textOf(side as Tree)
    return text !== undefined && hasLetters(text) && isProse(text)
  })

function checkCall(node: Tree, report: Report): void {
  const callee = node['callee'] as Tree
  if (callee.type !== 'MemberExpression') return
  const method = nameOf(callee['property'])
  const [first] = node['arguments'] as Tree[]
  if (method === 'join' && first !== undefined && /^,? (?:and|or) $|^; $/.test(textOf(first) ?? ''))
    report(node, 'list')
  if (!/^to(?:Locale)?(?:Upper|Lower)Case$/.test(method)) return
  const on = callee['object'] as Tree
  const inner =
    on.type === 'CallExpression' ? ((on['callee'] as Tree)['property'] as Tree | undefined) : undefined
  if (inner !== undefined && nameOf(inner) === 'charAt') report(node, 'capital')
}

/**
 * Report an element that spreads a sentence over several children. An icon or a control beside a label is
 * fine.
 */
function checkChildren(node: Tree, report: Report): void {
  const children = (node['children'] as Tree[]).filter(child => !isEmpty(child))
  children.forEach((child, at) => {
    const text = child.type === 'JSXText' ? String(child['value']) : undefined
    if (text === undefined || !hasLetters(text)) return
    const beside = [children[at - 1], children[at + 1]].filter(each => each !== undefined)
    if (beside.some(each => isValue(each, text, children.indexOf(each) > at))) report(child, 'elements')
  })
}

const isEmpty = (child: Tree): boolean =>
  (child.type === 'JSXText' && String(child['value']).trim() === '') ||
  (child.type === 'JSXExpressionContainer' &&
    ((child['expression'] as Tree).type === 'JSXEmptyExpression' ||
      textOf(child['expression'] as Tree)?.trim() === ''))

const INLINE = /^(?:b|strong|em|i|code|span|bdi|a|time|When|Path|Highlight|mark)$/

function isValue(child: Tree, text: string, isAfter: boolean): boolean {
  const touches = isAfter ? !/[.?!…]\s*$/.test(text) : !/^\s*[\p{Lu}“].*[.?!…]\s*$/su.test(text)
  if (child.type === 'JSXElement') {
    const name = nameOf((child['openingElement'] as Tree)['name'])
    return INLINE.test(name) && !isBadge(child) && (touches || name !== 'span')
  }
  if (child.type !== 'JSXExpressionContainer') return false
  const expression = child['expression'] as Tree
  if (expression.type === 'LogicalExpression' && isElement(expression['right'])) return false
  if (expression.type === 'ConditionalExpression' && isElement(expression['consequent'])) return false
  return touches || !piecesOf(expression).every(piece => isSentence(piece.text))
}

const isElement = (node: unknown) => /^JSX(?:Element|Fragment)$/.test((node as Tree).type)

/** Whether an element is a badge, which says something of its own beside a name. */
const isBadge = (element: Tree): boolean =>
  ((element['openingElement'] as Tree)['attributes'] as Tree[]).some(
    each => nameOf(each['name']) === 'className' && textOf(each['value'] as Tree) === 'badge',
  )

if (process.argv[1] === import.meta.filename) {
  const root = rootFolder()
  const patterns = process.argv.slice(2)
  for (const path of globSync(
    patterns.length > 0 ? patterns : ['src/renderer/**/*.{ts,tsx}', 'src/shared/**/*.ts'],
    { cwd: root },
  )) {
    const file = path.replaceAll(sep, '/')
    if (/\.test\.tsx?$|\/test\//.test(file) || file in ALLOWED) continue
    for (const { line, what } of findPieces(file, readFileSync(join(root, path), 'utf8'))) {
      console.error(`${file}:${line}: ${what}.`)
      process.exitCode = 1
    }
  }
}
