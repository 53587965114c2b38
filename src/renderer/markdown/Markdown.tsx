import { Component, memo, useState, type ComponentProps, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import remend from 'remend'
import { lexer } from 'marked'
import { PlainText } from '../ui/fold.tsx'
import { CodeBlock } from './CodeBlock.tsx'
import { rowsOf, type TableNode } from './csv.ts'
import { LongTable, longTable, Table } from './Table.tsx'
import { Formula } from './math/Formula.tsx'
import { joinFormulas } from '../../shared/is-math.ts'
import { MATH_TAG, mathSyntax } from './math/math-syntax.ts'

type Props = {
  text: string
  /** The text is still streaming, so unfinished syntax at the end is rendered as if complete. */
  live: boolean
  /** Level of the heading above the text. Headings in the text are announced below that level. */
  below?: 0 | 3
}

/** Markdown without raw HTML. While it grows, only its last block is parsed and rendered again. */
export default function Markdown({ text, live, below = 0 }: Props): ReactNode {
  const [split] = useState(createSplitter)
  const blocks = split(joinFormulas(text))
  return (
    <div className="prose" dir="auto">
      {blocks.map((block, index) => {
        const open = live && index === blocks.length - 1
        // oxlint-disable-next-line react/no-array-index-key -- a block keeps its place while the text grows
        return <Block key={index} text={open ? complete(block) : block} live={open} below={below} />
      })}
    </div>
  )
}

const complete = (block: string) => remend(block, { linkMode: 'text-only', katex: false })

/** Longest block that is read as Markdown, in characters. Beyond it, that would take seconds. */
const MOST = 40_000
/** A block of code from here on is taken as it is. */
const LONG_CODE = 10_000
const CODE = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n`]*\n([^]*)$/

const Block = memo(function Block({ text, live, below }: Required<Props>) {
  if (text.length > LONG_CODE) {
    const [, fence, language = '', rest = ''] = CODE.exec(text) ?? []
    if (fence !== undefined) return <CodeBlock code={codeIn(rest, fence)} language={language} live={live} />
  }
  const table = longTable(text)
  if (table)
    return (
      <LongTable
        table={table}
        read={readTable}
        // It is called, not mounted.
        // oxlint-disable-next-line react/no-unstable-nested-components
        draw={part => <Parsed text={part} live={live} below={below} />}
      />
    )
  const plain = <PlainText text={text} live={live} />
  if (text.length > MOST || NESTED.test(text)) return plain
  return (
    <Instead of={plain}>
      <Parsed {...{ text, live, below }} />
    </Instead>
  )
})

/** So many quotes or lists in one another that those who read or draw them would run out of stack. */
const NESTED = /^(?:[ \t]*(?:>|[-*+]|\d+[.)])){60}/m

/** Shows a text as it is where drawing it as Markdown fails. */
class Instead extends Component<{ of: ReactNode; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }
  static getDerivedStateFromError() {
    return { hasFailed: true }
  }
  override render() {
    return this.state.hasFailed ? this.props.of : this.props.children
  }
}

/** What a block of code holds: all up to a line that closes it. */
function codeIn(rest: string, fence: string): string {
  const end = new RegExp(`\\n? {0,3}${fence[0]}{${fence.length},}[ \\t]*\\n*$`)
  return rest.replace(end, '').replace(/\n$/, '')
}

/** The cells of a text that is a table. */
function readTable(text: string): string[][] {
  let rows: string[][] = []
  const keep = () => (tree: TableNode) => void (rows = rowsOf(tree))
  ReactMarkdown({ children: text, remarkPlugins: plugins, rehypePlugins: [keep] })
  return rows
}

function Parsed({ text, live, below }: Required<Props>): ReactNode {
  return (
    <ReactMarkdown
      remarkPlugins={plugins}
      components={componentsFor[below][live ? 'live' : 'done']}
      urlTransform={(address, key) => (key === 'src' ? safeImage(address) : safeLink(address))}
    >
      {text}
    </ReactMarkdown>
  )
}

const plugins = [remarkGfm, mathSyntax]

const codeBlock = (live: boolean) =>
  function Pre({ node }: ComponentProps<'pre'> & { node?: CodeNode | undefined }) {
    const code = node?.children[0]
    const names = code?.properties?.className
    const language = Array.isArray(names) ? String(names[0] ?? '').replace(/^language-/u, '') : ''
    const text = (code?.children ?? []).map(child => child.value ?? '').join('')
    return <CodeBlock code={text.replace(/\n$/u, '')} language={language} live={live} />
  }

type CodeNode = {
  children: { properties?: { className?: unknown }; children?: { value?: string }[] }[]
}

const components: Components = {
  [MATH_TAG as 'span']: Formula as unknown as Components['span'] & {},
  pre: codeBlock(false) as Components['pre'] & {},
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noreferrer">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  img: ({ src, alt }) =>
    typeof src === 'string' && src !== '' ? (
      <img src={src} alt={alt ?? ''} />
    ) : (
      <span className="text-ink-3">
        {alt ? `[picture not loaded: ${alt}]` : '[a picture from the network, not loaded]'}
      </span>
    ),
  table: Table as Components['table'] & {},
  input: ({ checked }) => (
    <input
      type="checkbox"
      checked={checked}
      readOnly
      disabled
      aria-label={checked === true ? 'Done' : 'To do'}
    />
  ),
}

const livePre = { pre: codeBlock(true) as Components['pre'] & {} }

/** Headings with their usual look, announced at a deeper level. */
const headings = (below: number): Components =>
  Object.fromEntries(
    (['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const).map((Tag, index) => [
      Tag,
      ({ children }: { children?: ReactNode }) => (
        <Tag aria-level={Math.min(6, below + index + 1)}>{children}</Tag>
      ),
    ]),
  )

const deeper = { ...components, ...headings(3) }
const componentsFor = {
  0: { done: components, live: { ...components, ...livePre } },
  3: { done: deeper, live: { ...deeper, ...livePre } },
}

/** Protocols allowed for links in answers. Anything else is shown as text. */
const LINKS = new Set(['https:', 'http:', 'mailto:'])

/** The address if an answer may link to it, else undefined. Relative addresses need a base, so they fail. */
export function safeLink(address: string | undefined): string | undefined {
  const url = URL.parse(address ?? '')
  return url && LINKS.has(url.protocol) ? url.href : undefined
}

/** The address if the image is embedded in the text. A remote image would reveal the reader to its server. */
export function safeImage(address: string | undefined): string | undefined {
  return /^(?:data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]|blob:)/iu.test(address ?? '')
    ? address
    : undefined
}

/** Blocks at the end that more text can change: a paragraph can become a heading, a list can continue. */
const OPEN = 2

/**
 * Create a function that splits a growing Markdown text into blocks. Only the end is parsed again,
 * so finished blocks stay the same strings. Joined, the blocks always equal the whole text.
 */
export function createSplitter(): (text: string) => readonly string[] {
  let before = ''
  let blocks: readonly string[] = []
  return text => {
    const now = text.replaceAll(/\r\n?/gu, '\n')
    if (now === before) return blocks
    const kept = now.startsWith(before) ? blocks.slice(0, -OPEN) : []
    const start = kept.reduce((sum, block) => sum + block.length, 0)
    blocks = [...kept, ...splitBlocks(now.slice(start))]
    before = now
    return blocks
  }
}

/** The top-level blocks of a text, each with the blank lines that follow it. */
export function splitBlocks(text: string): string[] {
  const blocks: string[] = []
  // The lexer calls itself for each quote in a quote.
  if (NESTED.test(text)) return [text]
  for (const token of lexer(text)) {
    if (token.type === 'space' && blocks.length > 0) blocks[blocks.length - 1] += token.raw
    else blocks.push(token.raw)
  }
  // The lexer rewrites a few characters, such as leading tabs. In that case keep the whole text as one block.
  return blocks.join('') === text ? blocks : [text]
}
