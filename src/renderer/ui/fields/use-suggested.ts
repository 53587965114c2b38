import { useLayoutEffect, useRef, useState, type ChangeEvent, type FocusEvent } from 'react'

/** The value of a text field, and the handlers that follow the user's typing. */
type SuggestedField = {
  value: string
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
  onFocus: (event: FocusEvent<HTMLInputElement>) => void
  onBlur: () => void
}

type Suggested = {
  field: SuggestedField
  /** Changes the text that the user typed; a suggestion is left unchanged. */
  retype: (change: (typed: string) => string) => void
}

/**
 * A field that shows a suggestion until the user types. A suggestion that arrives while the field has the
 * focus is selected, so that typing replaces it.
 */
export function useSuggested(suggestion: string): Suggested {
  const [typed, setTyped] = useState<string | null>(null)
  const focused = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (typed === null && suggestion !== '') focused.current?.select()
  }, [suggestion, typed])
  return {
    field: {
      value: typed ?? suggestion,
      onChange: event => setTyped(event.target.value),
      onFocus: event => {
        focused.current = event.currentTarget
      },
      onBlur: () => {
        focused.current = null
        setTyped(now => (now === '' || now === suggestion ? null : now))
      },
    },
    retype: change => setTyped(now => (now === null ? null : change(now))),
  }
}
