import { findTyped, keepTyped } from './typed-texts.ts'

type WithEdits<T> = { edits: Readonly<Record<string, T>> }

type Store<S> = {
  getState: () => S
  setState: (part: Partial<S>) => void
  subscribe: (listener: (now: S, before: S) => void) => unknown
}

/**
 * Keeps the edits of a page's store until they are saved or cancelled, also across a reload. `whole` parses a
 * kept edit; undefined if it is invalid. `isChanged`: an edit equal to the current value is not kept.
 */
export function keepEdits<T extends { text: string }, S extends WithEdits<T>>(
  store: Store<S>,
  place: string,
  { whole, isChanged }: { whole: (kept: unknown) => T | undefined; isChanged: (edit: T) => boolean },
): void {
  const found = findTyped(`${place}/`).flatMap(({ place: at, text }) => {
    const edit = whole(parse(text))
    return edit ? [[at.slice(place.length + 1), edit] as const] : []
  })
  const put = (edits: WithEdits<T>['edits']) => store.setState({ edits } as Partial<S>)
  if (found.length > 0) put({ ...Object.fromEntries(found), ...store.getState().edits })
  store.subscribe(({ edits }, { edits: before }) => {
    if (edits === before) return
    for (const id of Object.keys({ ...before, ...edits })) {
      const edit = edits[id]
      if (edit === before[id]) continue
      const isKept = edit !== undefined && isChanged(edit)
      keepTyped(`${place}/${id}`, isKept ? { text: JSON.stringify(edit) } : undefined)
    }
  })
}

/** The texts with these names in a kept value; undefined if one is not text. */
export function readTexts<N extends string>(
  kept: unknown,
  ...names: readonly N[]
): Record<N, string> | undefined {
  const found = Object(kept) as Record<string, unknown>
  const texts = names.map(name => [name, found[name]] as const)
  return texts.every(([, text]) => typeof text === 'string')
    ? (Object.fromEntries(texts) as Record<N, string>)
    : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
