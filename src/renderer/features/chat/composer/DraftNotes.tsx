import { useDeferredValue, useMemo, type ReactNode } from 'react'
import { estimateTokens } from '../../../../shared/text/estimate-tokens.ts'
import { countUnseen, showUnseen, unseenSpans } from '../../../../shared/visible-text/show-unseen.ts'
import { countOf } from '../../../ui/text/format-values.ts'

/** How many words a text has, and about how many tokens, as the engine estimates them. */
export function countsOf(text: string): string {
  return `${countOf(wordsIn(text), 'word', 'words')}, about ${countOf(estimateTokens(text), 'token', 'tokens')}`
}

/** Words, in scripts without spaces too. */
function wordsIn(text: string): number {
  if (!/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Thai}\p{scx=Khmer}\p{scx=Lao}\p{scx=Myanmar}]/u.test(text))
    return text.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}\p{Pc}'’.-]*/gu)?.length ?? 0
  let words = 0
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text))
    if (isWordLike) words++
  return words
}

/** From how many tokens on the size of a draft is told. Nobody counts the words of a sentence. */
const WORTH_COUNTING = 200

/** The size of a long text that is being typed. */
export function DraftCounts({ text }: { text: string }): ReactNode {
  const calm = useDeferredValue(text)
  const counts = useMemo(() => (estimateTokens(calm) < WORTH_COUNTING ? null : countsOf(calm)), [calm])
  return counts === null ? null : (
    <p className="hidden shrink-0 self-center text-xs text-ink-3 tabular-nums rail:block">{counts}</p>
  )
}

/** Characters of a draft around the first one that is not seen, which are shown with it. */
const AROUND = 12

/** Says before sending that a text has signs which nobody sees, and where the first ones are. */
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
