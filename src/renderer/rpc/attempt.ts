import { Fault } from '../../shared/rpc.ts'

/** The result of a host call: a value, or a fault with a message for the user. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; fault: Fault }

/** Turn a refusal that is not a fault into one. `data`: what would help. */
export const refusalOf = (why: string, data?: unknown): Outcome<never> => ({
  ok: false,
  fault: new Fault('bad_input', why, data),
})

/** A refusal by the window itself, as a fault with this message. */
export const windowRefusal = (why: string): Outcome<never> => refusalOf(why)

/**
 * Awaits a host call and returns a fault as a value for the caller to show. Other errors are bugs and are
 * rethrown.
 */
export async function attemptCall<T>(asked: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, value: await asked }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, fault: error }
    throw error
  }
}
