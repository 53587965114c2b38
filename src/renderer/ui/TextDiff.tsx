import { Fragment, useMemo, type ReactNode } from 'react'
import { diffArrays } from 'diff'
import { countOf } from './format.ts'
import { Scrollable } from './Scrollable.tsx'
import { showHidden } from '../../shared/visible-text/show-hidden.ts'

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

/** Text that only the old version has, only the new version has, or both have. */
export type DiffPart = { kind: 'same' | 'added' | 'removed'; text: string }

/** With more edits than this, show one removal and one addition: a full diff would take too long. */
const MAX_EDITS = 2_000

const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const wordsOf = (text: string) => Array.from(words.segment(text), part => part.segment)

/** The word diff of two texts, in reading order. Removals come before additions. */
export function diffWords(before: string, after: string): DiffPart[] {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MAX_EDITS })
  const parts: DiffPart[] = changes?.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  })) ?? [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ]
  return parts.filter(part => part.text !== '')
}

/** Lines that both texts share, or lines of one text that replace lines of the other. */
export type LinesPart = { same: string[] } | { before: string[]; after: string[] }

/** The line diff of two texts, in reading order. */
export function diffLines(before: string, after: string): LinesPart[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const changes = diffArrays(old, now, { maxEditLength: MAX_EDITS })
  if (!changes) return [{ before: old, after: now }]
  const parts: LinesPart[] = []
  for (const { added, removed, value } of changes) {
    const last = parts.at(-1)
    if (!added && !removed) parts.push({ same: value })
    else if (last && 'before' in last) last[added ? 'after' : 'before'].push(...value)
    else parts.push({ before: added ? [] : value, after: added ? value : [] })
  }
  return parts
}

/** Context lines around a change. */
const AROUND = 3

type Folded = { lines: string[] } | { hidden: number } | { before: string[]; after: string[] }

/** Collapses long unchanged runs of a diff. */
export function foldSame(parts: readonly LinesPart[]): Folded[] {
  return parts.flatMap((part, index): Folded[] => {
    if (!('same' in part)) return [part]
    const head = index === 0 ? 0 : AROUND
    const tail = index === parts.length - 1 ? 0 : AROUND
    const hidden = part.same.length - head - tail
    if (hidden <= 1 || parts.length === 1) return [{ lines: part.same }]
    return [
      ...(head > 0 ? [{ lines: part.same.slice(0, head) }] : []),
      { hidden },
      ...(tail > 0 ? [{ lines: part.same.slice(-tail) }] : []),
    ]
  })
}
