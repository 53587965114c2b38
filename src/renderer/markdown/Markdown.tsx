import { Component, memo, useMemo, useState, type ReactNode } from 'react'
import ReactMarkdown from 'react-markdown'
import remend from 'remend'
import { joinFormulas } from '../../shared/markdown/is-math.ts'
import { PlainText } from '../ui/text/fold-text.tsx'
import { mendFences } from '../../shared/markdown/mend-fences.ts'
import { DETAILS } from '../../shared/markdown/read-line.ts'
import { mendTables } from '../../shared/markdown/mend-tables.ts'
import { isCrowded } from '../../shared/markdown/is-crowded.ts'
import { createReferences, MOST } from './blocks/references.ts'
import { createSplitter, NESTED } from './blocks/split-blocks.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { rowsOf, type TableNode } from './table-csv.ts'
import { elementsBelow, Live } from './elements.tsx'
import { NoteNumbers, Notes, numberNotes } from './Notes.tsx'
import { safeAddress } from './safe-address.ts'
import { answerPlugins, drawPlugins, filePlugins } from './syntax/plugins.ts'
import { piecesOf, useGrowing, useSlices } from './slices.ts'
import { LongTable, longTable } from './Table.tsx'

type Props = {
  text: string
  /** The text is still streaming, so unfinished syntax at the end is rendered as if complete. */
  live: boolean
  /** Level of the heading above the text. Headings in the text are announced below that level. */
  below?: 0 | 1 | 3
  /** Whether the text is a file: line ends are spaces there, and line breaks in answers. */
  isFile?: boolean
  /**
   * Resolves addresses of links and pictures (`src`) other than web addresses: to an address of the window,
   * which starts with #, or to a data URL. Undefined to judge the address as in answers. Pass the same
   * function for the same text.
   */
  addresses?: ((address: string, key: string) => string | undefined) | undefined
}

/** Markdown with hardly any HTML. While it grows, only its last block is parsed and rendered again. */
export default function Markdown({ text, live, below = 0, isFile = false, addresses }: Props): ReactNode {
  const [split] = useState(createSplitter)
  const [refer] = useState(createReferences)
  const { blocks, before, asIs, notes } = useMemo(
    () => refer(split(joinFormulas(mendFences(text, live)))),
    [refer, split, text, live],
  )
  const ids = notes.map(note => note.id).join('\n')
  // oxlint-disable-next-line react/exhaustive-deps -- the numbers change only with the ids
  const numbers = useMemo(() => numberNotes(notes), [ids])
  const how = { below, isFile, addresses }
  const all = notes.length === 0 ? blocks : [...blocks, ...notes.map(({ text: note }) => note)]
  const end = useSlices(all)
  return (
    <NoteNumbers value={numbers}>
      <div className="prose" dir="auto">
        {blocks.slice(0, end).map((block, index) => {
          const open = live && index === blocks.length - 1
          return (
            <Block
              // oxlint-disable-next-line react/no-array-index-key -- a block keeps its place while the text grows
              key={index}
              {...how}
              text={block}
              before={before[index] ?? ''}
              live={open}
              asIs={asIs.has(index)}
            />
          )
        })}
        {piecesOf(end < blocks.length ? blocks : all, end).map((piece, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- it is gone before it changes
          <div key={end + index} className="prose-later">
            {piece}
          </div>
        ))}
        <Notes
          notes={notes.slice(0, Math.max(0, end - blocks.length))}
          // It is called, not mounted.
          // oxlint-disable-next-line react/no-unstable-nested-components
          draw={note => <Block {...how} text={note.text} before={note.before} live={false} asIs={false} />}
        />
      </div>
    </NoteNumbers>
  )
}

/** A block with its open syntax closed. */
function complete(block: string): string {
  if (block.length > MOST || CODE.test(block)) return block
  const isFolded = DETAILS.test(block.trimStart()) && !/<\/details>/i.test(block)
  return `${remend(block, { linkMode: 'text-only', katex: false })}${isFolded ? '\n\n</details>' : ''}`
}

const CODE = /^( {0,3})(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})[ \t]*([^\s`]*)[^\n]*(?:\n([^]*))?$/

type BlockProps = Required<Omit<Props, 'addresses'>> &
  Pick<Props, 'addresses'> & {
    /** Definitions that the text refers to. */
    before: string
    /** Whether to show the block as plain text. */
    asIs: boolean
  }

const Block = memo(function Block(props: BlockProps) {
  const { live } = props
  const { drawn, rest: later } = useGrowing(props.text, live && !CODE.test(props.text))
  const text = mendTables(live ? complete(drawn) : drawn)
  const [, indent = '', fence, language = '', rest = ''] = CODE.exec(text) ?? []
  if (fence !== undefined)
    return <CodeBlock code={codeIn(rest, fence, indent.length)} language={language} live={live} />
  const table = longTable(text)
  if (table)
    return (
      <LongTable
        table={table}
        read={readTable}
        // It is called, not mounted.
        // oxlint-disable-next-line react/no-unstable-nested-components
        draw={part => <Parsed {...props} text={part} />}
      />
    )
  const plain = <PlainText text={props.text} live={live} />
  if (props.asIs || props.text.length > MOST || NESTED.test(text) || isCrowded(text)) return plain
  return (
    <>
      <Instead of={plain}>
        <Parsed {...props} text={text} />
      </Instead>
      {later !== '' && <div className="whitespace-pre-wrap">{later}</div>}
    </>
  )
})

/** Shows a text as it is if rendering it as Markdown fails. */
class Instead extends Component<{ of: ReactNode; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }
  static getDerivedStateFromError() {
    return { hasFailed: true }
  }
  override render() {
    return this.state.hasFailed ? this.props.of : this.props.children
  }
}

/** The content of a code block: everything up to the line that closes it. */
function codeIn(rest: string, fence: string, indent: number): string {
  const end = new RegExp(`(?:^|\\n) {0,3}${fence[0]}{${fence.length},}[ \\t]*\\n*$`)
  const code = rest.replace(end, '').replace(/\n$/, '')
  return indent === 0 ? code : code.replaceAll(new RegExp(`^ {1,${indent}}`, 'gm'), '')
}

/** The cells of a table text. */
function readTable(text: string): string[][] {
  let rows: string[][] = []
  const keep = () => (tree: TableNode) => void (rows = rowsOf(tree))
  ReactMarkdown({ children: text, remarkPlugins: filePlugins, rehypePlugins: [keep] })
  return rows
}

const Parsed = memo(function Parsed(props: BlockProps): ReactNode {
  const { text, live, below, isFile, before, addresses } = props
  return (
    <Live value={live}>
      <ReactMarkdown
        remarkPlugins={isFile ? filePlugins : answerPlugins}
        rehypePlugins={drawPlugins}
        components={elementsBelow[below]}
        urlTransform={(address, key) => addresses?.(address, key) ?? safeAddress(address, key)}
      >
        {before + text}
      </ReactMarkdown>
    </Live>
  )
})
