import { createContext, use, type ComponentProps, type ReactNode } from 'react'
import type { Components } from 'react-markdown'
import { showHidden } from '../../shared/visible-text/show-hidden.ts'
import { Sought, Unfolded } from '../ui/text/fold-text.tsx'
import { CodeBlock } from './CodeBlock.tsx'
import { Formula } from './math/Formula.tsx'
import { MATH_TAG } from './math/math-syntax.ts'
import { NoteRef } from './Notes.tsx'
import { NOTE_TAG } from './syntax/plain-html.ts'
import { Table } from './Table.tsx'

/** Whether the block is still growing. */
export const Live = createContext(false)

type CodeNode = {
  children: { properties?: { className?: unknown }; children?: { value?: string }[] }[]
}

function Pre({ node }: ComponentProps<'pre'> & { node?: CodeNode | undefined }) {
  const code = node?.children[0]
  const names = code?.properties?.className
  const language = Array.isArray(names) ? String(names[0] ?? '').replace(/^language-/u, '') : ''
  const text = (code?.children ?? []).map(child => child.value ?? '').join('')
  return <CodeBlock code={text.replace(/\n$/u, '')} language={language} live={use(Live)} />
}

/** Collapsed details are open on paper, and during a search. */
function Details({ children, dir, open = false }: ComponentProps<'details'>): ReactNode {
  const isWhole = use(Unfolded)
  const isSought = use(Sought) !== undefined
  return (
    <details dir={dir} open={open || isWhole || isSought}>
      {children}
    </details>
  )
}

const components: Components = {
  [MATH_TAG as 'span']: Formula as unknown as Components['span'] & {},
  [NOTE_TAG as 'sup']: NoteRef,
  pre: Pre as Components['pre'] & {},
  // Invisible characters could make code look different from what runs.
  code: ({ children }) => <code>{typeof children === 'string' ? showHidden(children) : children}</code>,
  details: ({ children, dir, open }) => (
    <Details dir={dir} open={open}>
      {children}
    </Details>
  ),
  a: ({ href, title, children }) =>
    href?.startsWith('#') ? (
      <a href={href} title={title}>
        {children}
      </a>
    ) : href ? (
      <a href={href} title={title} target="_blank" rel="noreferrer">
        {children}
      </a>
    ) : (
      <span title={title}>{children}</span>
    ),
  img: ({ src, alt }) =>
    typeof src === 'string' && src !== '' ? (
      <img src={src} alt={alt ?? ''} />
    ) : (
      <span className="text-ink-3">
        {alt ? `[picture not loaded: ${alt}]` : '[picture from the network not loaded]'}
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

/** Headings with their usual look, announced at a deeper level. */
const headings = (below: number): Components =>
  Object.fromEntries(
    (['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const).map((Tag, index) => [
      Tag,
      ({ children, dir }: { children?: ReactNode; dir?: string }) => (
        <Tag dir={dir} aria-level={Math.min(6, below + index + 1)}>
          {children}
        </Tag>
      ),
    ]),
  )

/** The components for each element, by the level of the heading above the text. */
export const elementsBelow = {
  0: components,
  1: { ...components, ...headings(1) },
  3: { ...components, ...headings(3) },
}
