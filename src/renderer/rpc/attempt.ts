import { Fault } from '../../shared/rpc.ts'

/** What came of asking the host: a value, or a fault whose message a person can read. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; fault: Fault }

/** Ask the host; a fault is a value, because the caller has to show it. Anything else thrown is a bug and flies on. */
export async function attempt<T>(asked: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await asked }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, fault: error }
    throw error
  }
}
