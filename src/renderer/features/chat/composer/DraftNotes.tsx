import { useDeferredValue, useMemo, type ReactNode } from 'react'
import { estimateTokens } from '../../../../shared/text/estimate-tokens.ts'
import { countUnseen, showUnseen, unseenSpans } from '../../../../shared/visible-text/show-unseen.ts'
import { countOf } from '../../../ui/text/format-values.ts'

/** The number of words of a text, and its estimated number of tokens. */
export function countsOf(text: string): string {
  return `${countOf(wordsIn(text), 'word', 'words')}, about ${countOf(estimateTokens(text), 'token', 'tokens')}`
}

/** Counts words, also in scripts without spaces. */
function wordsIn(text: string): number {
  if (!/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Thai}\p{scx=Khmer}\p{scx=Lao}\p{scx=Myanmar}]/u.test(text))
    return text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}\p{Pc}'’.-]*/gu)?.length ?? 0
  let words = 0
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text))
    if (isWordLike) words++
  return words
}

/** Minimum number of tokens for which the size of a draft is shown. */
const WORTH_COUNTING = 200

/** The size of a long text that is being typed. */
export function DraftCounts({ text }: { text: string }): ReactNode {
  const calm = useDeferredValue(text)
  const counts = useMemo(() => (estimateTokens(calm) < WORTH_COUNTING ? null : countsOf(calm)), [calm])
  return counts === null ? null : (
    <p className="hidden shrink-0 self-center text-xs text-ink-3 tabular-nums rail:block">{counts}</p>
  )
}

/** How many characters to show around the first invisible character of a draft. */
const AROUND = 12

/** Warns before sending that a text has invisible characters, and shows where the first ones are. */
export function UnseenNote({ text }: { text: string }): ReactNode {
  const calm = useDeferredValue(text)
  const says = useMemo(() => tellUnseen(calm), [calm])
  return (
    <output className={says === '' ? 'sr-only' : 'block px-2.5 pb-1 text-xs break-words text-warn'}>
      {says}
    </output>
  )
}

function tellUnseen(text: string): string {
  const [first] = unseenSpans(text)
  if (!first) return ''
  const part = Array.from(text.slice(Math.max(0, first.from - AROUND), first.from + 1 + AROUND)).join('')
  const shown = showUnseen(part.toWellFormed()).replaceAll(/\s+/g, ' ').trim()
  return `The message has ${countOf(countUnseen(text), 'invisible character', 'invisible characters')}: “${shown}”.`
}
