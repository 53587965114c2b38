import type { StoreApi } from 'zustand'
import { findTyped, keepTyped } from './typed-texts.ts'

type WithEdits<T> = { edits: Readonly<Record<string, T>> }

/**
 * Keeps the edits of a page's store until they were saved or cancelled, also across a reload. `whole` reads an edit that was kept;
 * undefined for one that makes no sense. `isChanged`: one that says what is there already is not worth keeping.
 */
export function keepEdits<T extends { text: string }, S extends WithEdits<T>>(
  store: StoreApi<S>,
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
