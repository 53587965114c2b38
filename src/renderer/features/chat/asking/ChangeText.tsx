import { useMemo, type ReactNode } from 'react'
import { Block } from '../calls/CallDetail.tsx'
import { isNewText, readChange, type ChangeLine } from './read-change.ts'

/**
 * The change that a call would make to a file: new text as it is, an edit with its old and new lines. `diff`
 * is a unified diff without names.
 */
export function ChangeText({ diff }: { diff: string }): ReactNode {
  const isNew = useMemo(() => isNewText(diff), [diff])
  return (
    <Block
      label="What would change"
      text={diff}
      copied={isNew ? textOf(diff) : diff}
      bare
      dir="ltr"
      draw={shown =>
        readChange(shown, isNew).map((line, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines have no identity beyond their place
          <Line key={at} line={line} isNew={isNew} />
        ))
      }
    />
  )
}

const textOf = (diff: string) =>
  readChange(diff, true)
    .flatMap(({ kind, text }) => (kind === 'added' ? [`${text}\n`] : []))
    .join('')

function Line({ line: { kind, text }, isNew }: { line: ChangeLine; isNew: boolean }) {
  if (kind === 'gap')
    return (
      <span className="diff-gap" title={text}>
        <span aria-hidden="true">…</span>
        <span className="sr-only">{text}</span>
      </span>
    )
  return <span className={isNew && kind === 'added' ? 'diff-line' : looks[kind]}>{text}</span>
}

const looks = {
  added: 'diff-line diff-added',
  removed: 'diff-line diff-removed',
  same: 'diff-line text-ink-2',
  note: 'diff-line diff-note',
}
