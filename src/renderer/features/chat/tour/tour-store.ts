import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { keep, readKept } from '../../../ui/kept.ts'
import { steps, type StepId } from './steps.ts'

const KEY = 'tour'
const CLOSED = 'closed'

/** Progress of the tour. It is kept in this window's storage because nothing else depends on it. */
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

/** Record that a question of the tour was answered. */
export function markTried(id: StepId): void {
  const { tried, closed } = store.getState()
  if (!tried.has(id)) change({ tried: new Set([...tried, id]), closed })
}

/** Hide the tour for good. */
export const closeTour = (): void => change({ ...store.getState(), closed: true })

/** Reload the stored progress, as a new window does. */
export const reopenTour = (): void => store.setState(read())
