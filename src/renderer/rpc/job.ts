import { createStore, type StoreApi } from 'zustand/vanilla'
import type { DataProgress } from '../../shared/contract/data.ts'
import type { CallOptions } from '../../shared/rpc.ts'
import { attemptCall } from './attempt.ts'

/** The state of long work on the host. `problem`: why it failed; `wasStopped`: by the user. */
type JobState<Done> =
  | { name: 'idle'; problem?: string; wasStopped?: boolean }
  | { name: 'running'; step: DataProgress['step'] | null; share: number | null }
  | { name: 'done'; done: Done }

/** Long work on the host that the window starts, follows and stops. It continues while its page is closed. */
export type Job<Input, Done> = {
  state: JobState<Done>
  start(input: Input): Promise<void>
  stop(): void
  /** Forget the outcome. */
  reset(): void
}

type End<Done> = { done: Done } | { problem: string }

/** Create a job. `onEnd` is called when it has ended, unless the user stopped it. */
export function createJob<Input, Done extends { type: 'done' }>(
  run: (input: Input, options: CallOptions) => AsyncIterable<DataProgress | Done>,
  onEnd: (end: End<Done>) => void,
): StoreApi<Job<Input, Done>> {
  return createStore<Job<Input, Done>>((set, get) => {
    let underWay = new AbortController()

    async function follow(input: Input, signal: AbortSignal): Promise<Done | undefined> {
      for await (const event of run(input, { signal })) {
        if (event.type === 'done') return event
        set({ state: { name: 'running', step: event.step, share: event.share } })
      }
      return undefined
    }

    return {
      state: { name: 'idle' },
      async start(input) {
        if (get().state.name === 'running') return
        const { signal } = (underWay = new AbortController())
        set({ state: { name: 'running', step: null, share: null } })
        const ended = await attemptCall(follow(input, signal))
        if (signal.aborted) return set({ state: { name: 'idle', wasStopped: true } })
        const done = ended.ok ? ended.value : undefined
        if (done) {
          set({ state: { name: 'done', done } })
          return onEnd({ done })
        }
        const problem = ended.ok ? 'Talaria quit before this was done.' : ended.fault.message
        set({ state: { name: 'idle', problem } })
        onEnd({ problem })
      },
      stop: () => underWay.abort(),
      reset: () => set({ state: { name: 'idle' } }),
    }
  })
}
