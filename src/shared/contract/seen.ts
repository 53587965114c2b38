import { z } from 'zod'
import { Fault } from '../rpc.ts'

const HASH = /^[0-9a-f]{64}$/

/** What a call is told that agrees to something without saying what was shown. */
export const UNSEEN =
  'This call has to carry the hash of what the person was shown. A client without it is too old: update it, and look again.'

/**
 * The hash of what a person was shown for a decision, and of what counts without being shown. It comes with what is shown, and
 * the call that agrees carries it back. Hosts make it; it means nothing elsewhere.
 */
export const Seen = z.custom<string>(given => typeof given === 'string' && HASH.test(given), UNSEEN)

/** Throw a `conflict` Fault if what is there now is not what was shown; `what` begins its sentence. */
export function refuseUnseen(seen: string, now: string, what: string): void {
  if (seen !== now)
    throw new Fault(
      'conflict',
      `${what} changed since it was shown, so nothing was done. Look at it as it is now, and decide again.`,
    )
}

/** The hashes of several things that were shown, by their ids. */
export const SeenById = z.record(z.string(), Seen).default({})

/** Whether a call says of each of its ids what was shown. */
export const hasSeenAll = ({
  ids,
  seen,
}: {
  ids: readonly string[]
  seen: Readonly<Record<string, string>>
}) => ids.every(id => Object.hasOwn(seen, id))
