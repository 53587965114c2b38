import { Fragment, useMemo, type ReactNode } from 'react'
import { countOf } from './format-values.ts'
import { Scrollable } from '../Scrollable.tsx'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { diffWords, diffLines, foldSame, type Folded } from './diff-text.ts'

type Props = {
  label: string
  before: string
  after: string
  className?: string
}

/** A line diff of two files with hidden characters written out, with changed words marked and a few context lines. */
export function TextDiff({ label, before, after, className = 'max-h-80' }: Props): ReactNode {
  const parts = useMemo(() => foldSame(diffLines(showHidden(before), showHidden(after))), [before, after])
  return (
    <Scrollable
      label={label}
      className={`overflow-auto rounded-lg border border-line bg-side px-3 py-2 font-mono text-xs ${className}`}
    >
      {parts.map((part, index) => (
        // The index is the only stable key of a part.
        // oxlint-disable-next-line react/no-array-index-key
        <Part key={index} part={part} />
      ))}
    </Scrollable>
  )
}

function Part({ part }: { part: Folded }) {
  if ('hidden' in part)
    return (
      <p className="my-1 font-sans text-2xs text-ink-3">
        ⋯ {countOf(part.hidden, 'unchanged line', 'unchanged lines')}
      </p>
    )
  if ('lines' in part)
    return (
      <p dir="auto" className="break-words whitespace-pre-wrap text-ink-2">
        {part.lines.join('\n')}
      </p>
    )
  return (
    <p className="border-s-2 border-line-strong ps-2">
      <WordDiff before={part.before.join('\n')} after={part.after.join('\n')} />
    </p>
  )
}

/** A word diff: removed text is struck out, added text is underlined. An entirely new text is plain. */
export function WordDiff({ before, after }: { before: string | null; after: string | null }): ReactNode {
  return (
    <span dir="auto" className="word-diff">
      {before === null
        ? showHidden(after ?? '')
        : diffWords(showHidden(before), showHidden(after ?? '')).map((part, index) => {
            const Tag = { same: Fragment, added: 'ins', removed: 'del' }[part.kind]
            // The index is the only stable key of a part.
            // oxlint-disable-next-line react/no-array-index-key
            return <Tag key={index}>{part.text}</Tag>
          })}
    </span>
  )
}
