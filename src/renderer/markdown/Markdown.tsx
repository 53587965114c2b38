import { memo, useState, type ComponentProps, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import remend from 'remend'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { chatText } from '../strings.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { safeImage, safeLink } from './safe-address.ts'
import { createSplitter } from './split-blocks.ts'

type Props = {
  text: string
  /** More is coming: what is half-written at the end is drawn as if it were finished. */
  live: boolean
}

/** Markdown without raw HTML. While it grows, only its last block is read and drawn again. */
export default function Markdown({ text, live }: Props): ReactNode {
  const [split] = useState(createSplitter)
  const blocks = split(text)
  return (
    <div className="prose" dir="auto">
      {blocks.map((block, index) => {
        const open = live && index === blocks.length - 1
        // oxlint-disable-next-line react/no-array-index-key -- a block keeps its place while the text grows
        return <Block key={index} text={open ? complete(block) : block} live={open} />
      })}
    </div>
  )
}

const complete = (block: string) => remend(block, { linkMode: 'text-only' })

const Block = memo(function Block({ text, live }: Props) {
  return (
    <ReactMarkdown
      remarkPlugins={plugins}
      components={live ? liveComponents : components}
      urlTransform={(address, key) => (key === 'src' ? safeImage(address) : safeLink(address))}
    >
      {text}
    </ReactMarkdown>
  )
})

const plugins = [remarkGfm]

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
      <span className="text-ink-3">{chatText.imageLeftOut(alt ?? '')}</span>
    ),
  table: ({ children }) => (
    <Scrollable className="table-scroll" label={chatText.table}>
      <table>{children}</table>
    </Scrollable>
  ),
  input: ({ checked }) => (
    <input type="checkbox" checked={checked} readOnly disabled aria-label={chatText.task(checked === true)} />
  ),
}

const liveComponents: Components = { ...components, pre: codeBlock(true) as Components['pre'] & {} }
