import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/IconButton.tsx'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { cx } from '../../ui/style.ts'

type Props = {
  label: string
  text: string
  tone?: 'plain' | 'danger'
  /** Keeps the end in view while the text grows. */
  live?: boolean
  /** Whether the text is a diff. When undefined, the text is inspected to decide. */
  diff?: boolean
}

/** A piece of output or a command, shown verbatim. A unified diff is coloured. */
export function Block({ label, text, tone = 'plain', live = false, diff = isDiff(text) }: Props): ReactNode {
  return (
    <figure className={cx('output-block', tone === 'danger' && 'border-danger/30 bg-danger-soft')}>
      <figcaption>
        <span>{label}</span>
        <CopyButton label={`Copy: ${label}`} doneLabel="Copied" text={() => text} />
      </figcaption>
      <Scrollable as="pre" label={label} dir="auto" atEnd={live}>
        {text === '' ? (
          <span className="text-ink-3 italic">It printed nothing.</span>
        ) : diff ? (
          diffLines(text)
        ) : (
          text
        )}
      </Scrollable>
    </figure>
  )
}

const isDiff = (text: string) => /^@@ .* @@/mu.test(text) || (/^--- /mu.test(text) && /^\+\+\+ /mu.test(text))

const diffLines = (text: string): ReactNode[] =>
  text.split('\n').map((line, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- lines have no identity beyond their place
    <span key={index} className={cx('block min-h-[1lh]', lineLook(line))}>
      {line}
    </span>
  ))

function lineLook(line: string): string {
  if (/^(?:\+\+\+|---|@@)/u.test(line)) return 'text-ink-3'
  if (line.startsWith('+')) return 'diff-added'
  return line.startsWith('-') ? 'diff-removed' : ''
}
