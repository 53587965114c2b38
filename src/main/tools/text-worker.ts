import { parentPort, workerData } from 'node:worker_threads'
import { textWork, type TextWork } from './text-work.ts'

/** One piece of work for this thread. */
export type TextJob = { work: keyof TextWork; given: unknown[] }

const { work, given } = workerData as TextJob
const outcome = await (textWork[work] as (...given: unknown[]) => Promise<object | undefined>)(...given)
// What was patched is handed over, not copied.
const bytes = outcome && 'bytes' in outcome ? [(outcome.bytes as Uint8Array<ArrayBuffer>).buffer] : []
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort!.postMessage(outcome, bytes)
