import { useLayoutEffect, useRef, useState, type ChangeEvent, type FocusEvent } from 'react'

/** What a text field shows and how it follows its person. */
type SuggestedField = {
  value: string
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
  onFocus: (event: FocusEvent<HTMLInputElement>) => void
  onBlur: () => void
}

type Suggested = {
  field: SuggestedField
  /** Changes what the person typed; a suggestion stays. */
  retype: (change: (typed: string) => string) => void
}

/**
 * A field that is filled with a suggestion until its person types. A suggestion that comes while the person is in the field is
 * selected there, so that typing replaces it.
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
