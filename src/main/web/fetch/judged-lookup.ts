import { lookup as systemLookup } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { judgeLed, judgePlace } from '../addresses/judge-address.ts'
import { isInvented } from '../addresses/special-ranges.ts'
import type { AddressVerdict } from '../web-parts.ts'

/** Finds all addresses of a name, as the system does. */
export type LookUp = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/** A name that resolves to a place that may not be requested. */
export class JudgedError extends Error {
  override readonly name = 'JudgedError'
  readonly verdict: AddressVerdict
  readonly isInvented: boolean
  constructor(host: string, verdict: AddressVerdict, isInvented: boolean) {
    super(`${host} may not be asked: ${verdict.verdict === 'public' ? '' : verdict.why}.`)
    this.verdict = verdict
    this.isInvented = isInvented
  }
}

/** Find the addresses of a name as the system does. */
export const lookUpBySystem: LookUp = (name, done) =>
  systemLookup(name, { all: true }, (error, found) => done(error, error ? [] : found))

/**
 * Create a lookup for a connection that returns only judged addresses. The connection uses exactly these, so
 * no second answer can lead elsewhere. One bad address among many refuses all of them.
 */
export function createJudgedLookup(
  address: URL,
  { mayPrivate, allowInvented, lookUp }: { mayPrivate: boolean; allowInvented: boolean; lookUp: LookUp },
): LookupFunction {
  return (name, options, answer) => {
    const refuse = (error: Error) => answer(error, [])
    // The connection only looks up the name in its address.
    if (name.toLowerCase() !== address.hostname) return refuse(new Error(`${name} was not to be looked up.`))
    lookUp(name, (error, found) => {
      if (error) return refuse(error)
      const believed = found.filter(each => !(allowInvented && isInvented(each.address)))
      const verdict = judgeFound(address, believed, found)
      if (verdict.verdict !== 'public' && !(verdict.verdict === 'private' && mayPrivate))
        return refuse(
          new JudgedError(
            address.host,
            verdict,
            found.every(each => isInvented(each.address)),
          ),
        )
      const [first] = found
      if (!first) return refuse(new JudgedError(address.host, verdict, false))
      if (options.all) answer(null, found)
      else answer(null, first.address, first.family)
    })
  }
}

function judgeFound(
  address: URL,
  believed: readonly LookupAddress[],
  found: readonly LookupAddress[],
): AddressVerdict {
  const byName = judgePlace(address.href).verdict
  const isAllInvented = believed.length === 0 && found.length > 0
  return isAllInvented
    ? byName
    : judgeLed(
        byName,
        believed.map(each => each.address),
      )
}
