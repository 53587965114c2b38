import type { ReactNode } from 'react'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { cx } from '../../ui/cx.ts'
import { Scrollable } from '../../ui/Scrollable.tsx'
import { chatText } from './strings.ts'

type Props = {
  label: string
  text: string
  tone?: 'plain' | 'danger'
  /** Its end is kept in sight while it grows. */
  live?: boolean
  /** Whether it is a diff, where that is known; otherwise its look tells. */
  diff?: boolean
}

/** A piece of output or a command, letter for letter; a unified diff gets its colours. */
export function Block({ label, text, tone = 'plain', live = false, diff = isDiff(text) }: Props): ReactNode {
  return (
    <figure className={cx('output-block', tone === 'danger' && 'border-danger/30 bg-danger-soft')}>
      <figcaption>
        <span>{label}</span>
        <CopyButton label={`${chatText.copy}: ${label}`} doneLabel={chatText.copied} text={() => text} />
      </figcaption>
      <Scrollable as="pre" label={label} dir="auto" atEnd={live}>
        {text === '' ? (
          <span className="text-ink-3 italic">{chatText.tool.emptyResult}</span>
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
