import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { keep, readKept } from '../../../ui/kept.ts'
import { steps, type StepId } from './steps.ts'

const KEY = 'tour'
const CLOSED = 'closed'

/** What was tried of the tour; kept in this window’s storage, because nothing depends on it. */
export type Tour = { tried: ReadonlySet<StepId>; closed: boolean }

function read(): Tour {
  const words = (readKept(KEY) ?? '').split(' ')
  const known = steps.map(step => step.id).filter(id => words.includes(id))
  return { tried: new Set(known), closed: words.includes(CLOSED) }
}

const store = createStore<Tour>(read)

export const useTour = (): Tour => useStore(store)

function change(tour: Tour): void {
  store.setState(tour)
  keep(KEY, [...tour.tried, ...(tour.closed ? [CLOSED] : [])].join(' '))
}

/** Take note that a question of the tour was answered. */
export function markTried(id: StepId): void {
  const { tried, closed } = store.getState()
  if (!tried.has(id)) change({ tried: new Set([...tried, id]), closed })
}

/** Show nothing of the tour any more. */
export const closeTour = (): void => change({ ...store.getState(), closed: true })

/** Read again what is kept, as a new window does. */
export const reopenTour = (): void => store.setState(read())
