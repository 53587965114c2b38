import { createContext, use, type ReactNode } from 'react'
import { showUnseen } from '../../../shared/visible-text/show-unseen.ts'
import { formatCount } from './format-values.ts'
import { useKept } from '../row-state.tsx'

/** How many characters to render at first and with each *Show more*: a megabyte would block the window. */
const FIRST = 20_000
const MORE = 200_000
/** Minimum number of lines for a text to be foldable, and how many lines stay visible. */
const FOLDABLE = 40
const FOLDED = 12

/** Whether everything is rendered unfolded, as on paper. */
export const Unfolded = createContext(false)

/**
 * The current search: matches in the first 200,000 characters of a text are rendered even if folded.
 * Undefined without a search.
 */
export const Sought = createContext<RegExp | undefined>(undefined)

const UNFOLDED = { most: FIRST, isFolded: false }
/** How many characters identify a text among the others of its row. */
const NAMED = 120

const FOLD_LABELS = {
  code: { fold: 'Fold the code', unfold: 'Unfold the code' },
  text: { fold: 'Fold the text', unfold: 'Unfold the text' },
  file: { fold: 'Fold the file', unfold: 'Unfold the file' },
  change: { fold: 'Fold the change', unfold: 'Unfold the change' },
  output: { fold: 'Fold the output', unfold: 'Unfold the output' },
} as const

export type Fold = {
  /** The part to render. */
  shown: string
  /** The buttons below the text; null if the text is short. */
  buttons: ReactNode
}

/** The beginning of a long text, with buttons to show more or fold it. `name`: its kind, as `code`. */
export function useFold(text: string, name: keyof typeof FOLD_LABELS, isLive = false): Fold {
  const isWhole = use(Unfolded)
  const sought = use(Sought)
  // Kept outside the component, because a shrinking row may be unmounted. The key is the beginning of the
  // text, which stays while the text grows.
  const [{ most, isFolded }, setFold] = useKept(`${name} ${text.slice(0, NAMED)}`, UNFOLDED)
  if (isWhole || (text.length < FIRST && !hasLines(text, FOLDABLE))) return { shown: text, buttons: null }
  const chosen = isFolded ? Math.min(most, endOfLine(text, FOLDED)) : isLive ? Math.max(most, MORE) : most
  const limit = Math.max(chosen, sought ? endOfFinds(text, sought) : 0)
  const shown = text.length > limit ? wholeLines(text, limit) : text
  const left = text.length - shown.length
  return {
    shown,
    buttons: (
      <div className="fold-bar">
        {left > 0 && !isFolded && (
          <button
            type="button"
            className="fold-btn"
            onClick={event => {
              setFold({ isFolded, most: most + MORE })
              // The button disappears with the last part; without a focus, Page Down would do nothing.
              if (left <= MORE) event.currentTarget.closest<HTMLElement>('[tabindex="0"]')?.focus()
            }}
          >
            {`Show more: ${formatCount(left)} characters left`}
          </button>
        )}
        {/* One button for both, so that the keyboard's focus stays. */}
        {(isFolded ? left > 0 : !isLive && hasLines(text, FOLDABLE)) && (
          <button
            type="button"
            className="fold-btn"
            onClick={event => {
              setFold({ isFolded: !isFolded, most })
              if (!isFolded) keepInSight(event.currentTarget.closest('.fold-bar')?.parentElement)
            }}
          >
            {FOLD_LABELS[name][isFolded ? 'unfold' : 'fold']}
          </button>
        )}
      </div>
    ),
  }
}

/** Plain text, for content that is too long to render as Markdown. */
export function PlainText({ text, live }: { text: string; live: boolean }): ReactNode {
  const { shown, buttons } = useFold(text, 'text', live)
  return (
    <div className="plain-text">
      <div className="break-words whitespace-pre-wrap">{showUnseen(shown, live)}</div>
      {buttons}
    </div>
  )
}

/** How many frames a list needs to measure a row that shrank and move the others. */
const FRAMES = 6

/** Keep a text in view that was just folded: its button was at its end, often far below the rest. */
function keepInSight(element: Element | null | undefined, frames = FRAMES): void {
  requestAnimationFrame(() => {
    if (!element?.isConnected) return
    element.scrollIntoView({ block: 'nearest' })
    if (frames > 1) keepInSight(element, frames - 1)
  })
}

const hasLines = (text: string, count: number) => endOfLine(text, count) < text.length

/** The end of the line with the last match that may be rendered; 0 for none. */
function endOfFinds(text: string, sought: RegExp): number {
  // A search for a frequent letter must not render a whole megabyte.
  const last = [...text.slice(0, MORE).matchAll(sought)].at(-1)
  if (!last) return 0
  const end = text.indexOf('\n', last.index + last[0].length)
  return Math.min(end < 0 ? text.length : end, MORE)
}

/** The end of the line with this number. */
function endOfLine(text: string, count: number): number {
  let at = -1
  for (let line = 0; line < count; line++) {
    at = text.indexOf('\n', at + 1)
    if (at < 0) return text.length
  }
  return at
}

/** The beginning of a text, up to the end of a line if one ends not long before. */
function wholeLines(text: string, limit: number): string {
  const end = text.lastIndexOf('\n', limit)
  if (end > limit - 2_000 && end > 0) return text.slice(0, end)
  // Do not split a surrogate pair.
  return text.slice(0, /[\uD800-\uDBFF]/.test(text[limit - 1] ?? '') ? limit - 1 : limit)
}
