import { useState, type ChangeEvent } from 'react'

/** What a text field shows and how it follows its person. */
export type SuggestedField = {
  value: string
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
  onFocus: () => void
  onBlur: () => void
}

/**
 * A field that is filled with a suggestion until its person types. A suggestion that comes late, while the person is in
 * the field, waits until the field is left empty: it would stand in the middle of what is being typed.
 */
export function useSuggested(suggestion: string): SuggestedField {
  const [typed, setTyped] = useState<string | null>(null)
  return {
    value: typed ?? suggestion,
    onChange: event => setTyped(event.target.value),
    onFocus: () => setTyped(before => before ?? suggestion),
    onBlur: () => setTyped(now => (now === '' || now === suggestion ? null : now)),
  }
}
