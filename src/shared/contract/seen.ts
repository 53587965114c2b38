import { z } from 'zod'
import { Fault } from '../rpc.ts'

const HASH = /^[0-9a-f]{64}$/

/** The error for a call that agrees to something without the hash of what was shown. */
export const UNSEEN =
  'This call has to carry the hash of what the user was shown. A client without it is too old: update it, and look again.'

/**
 * The hash of everything that a decision of the user covers, shown or not. The host sends the hash with what
 * it shows, and the call that agrees sends it back. Only the host computes and compares it.
 */
export const Seen = z.custom<string>(given => typeof given === 'string' && HASH.test(given), UNSEEN)

/** Throw a `conflict` Fault if the current state is not what was shown; `what` starts its sentence. */
export function refuseUnseen(seen: string, now: string, what: string): void {
  if (seen !== now)
    throw new Fault(
      'conflict',
      `${what} changed since it was shown, so nothing was done. Look at it as it is now, and decide again.`,
    )
}

/** The hashes of several things that were shown, by their ids. */
export const SeenById = z.record(z.string(), Seen).default({})

/** Whether a call has the hash of what was shown for each of its ids. */
export const hasSeenAll = ({
  ids,
  seen,
}: {
  ids: readonly string[]
  seen: Readonly<Record<string, string>>
}) => ids.every(id => Object.hasOwn(seen, id))
