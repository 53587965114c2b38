import { createContext, use, type ReactNode } from 'react'
import { showUnseen } from '../../../shared/visible-text/show-unseen.ts'
import { formatCount } from './format-values.ts'
import { useKept } from '../row-state.tsx'

/** Characters of a text that are drawn at first, and with each *Show more*. A whole megabyte would hold up the window. */
const FIRST = 20_000
const MORE = 200_000
/** Lines from which a text can be folded, and those of it that stay. */
const FOLDABLE = 40
const FOLDED = 12

/** Whether everything is drawn whole: on paper nobody unfolds anything. */
export const Unfolded = createContext(false)

/** What is looked for: matches in the first 200,000 characters of a text are drawn, folded or not. Undefined while nothing is. */
export const Sought = createContext<RegExp | undefined>(undefined)

const UNFOLDED = { most: FIRST, isFolded: false }
/** So much of a text tells it from the others of its row, in characters. */
const NAMED = 120

const FOLD_LABELS = {
  code: { fold: 'Fold the code', unfold: 'Unfold the code' },
  text: { fold: 'Fold the text', unfold: 'Unfold the text' },
  file: { fold: 'Fold the file', unfold: 'Unfold the file' },
  change: { fold: 'Fold the change', unfold: 'Unfold the change' },
  output: { fold: 'Fold the output', unfold: 'Unfold the output' },
} as const

export type Fold = {
  /** The part to draw. */
  shown: string
  /** The buttons below it; null where the text is short. */
  buttons: ReactNode
}

/** A text that may be very long: its beginning, and buttons that show more of it or fold it. `name` is what it is, such as `code`. */
export function useFold(text: string, name: keyof typeof FOLD_LABELS, isLive = false): Fold {
  const isWhole = use(Unfolded)
  const sought = use(Sought)
  // A row that shrinks can leave the part of its list that is drawn, and a growing text keeps its beginning.
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
              // With the last part this button goes away; without a focus, Page Down would do nothing.
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

/** A text as it is, for what is too long to be drawn as Markdown. */
export function PlainText({ text, live }: { text: string; live: boolean }): ReactNode {
  const { shown, buttons } = useFold(text, 'text', live)
  return (
    <div className="plain-text">
      <div className="break-words whitespace-pre-wrap">{showUnseen(shown, live)}</div>
      {buttons}
    </div>
  )
}

/** Frames until a list has measured a row that shrank, and moved the others. */
const FRAMES = 6

/** Keep a text in view that was just folded: its button is at its end, often far below what is left of the text. */
function keepInSight(element: Element | null | undefined, frames = FRAMES): void {
  requestAnimationFrame(() => {
    if (!element?.isConnected) return
    element.scrollIntoView({ block: 'nearest' })
    if (frames > 1) keepInSight(element, frames - 1)
  })
}

const hasLines = (text: string, count: number) => endOfLine(text, count) < text.length

/** Where the line of the last find ends that can be drawn; 0 for none. */
function endOfFinds(text: string, sought: RegExp): number {
  // A letter that is everywhere must not draw a whole megabyte.
  const last = [...text.slice(0, MORE).matchAll(sought)].at(-1)
  if (!last) return 0
  const end = text.indexOf('\n', last.index + last[0].length)
  return Math.min(end < 0 ? text.length : end, MORE)
}

/** Where the line of this number ends. */
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
  // Not between the two halves of a letter.
  return text.slice(0, /[\uD800-\uDBFF]/.test(text[limit - 1] ?? '') ? limit - 1 : limit)
}
