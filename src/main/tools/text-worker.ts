import type { Transferable } from 'node:worker_threads'
import { workInThread } from '../threads/thread-work.ts'
import { ownBuffer, textWork, type TextWork } from './text-work.ts'

/** One piece of work for this thread. */
export type TextJob = { work: keyof TextWork; given: unknown[] }

workInThread(
  async function* ({ work, given }: TextJob): AsyncGenerator<object | undefined> {
    yield (textWork[work] as (...given: unknown[]) => Promise<object | undefined>)(...given)
  },
  // What was patched is handed over, not copied.
  (outcome): Transferable[] => (outcome && 'bytes' in outcome ? ownBuffer(outcome.bytes as Uint8Array) : []),
)
