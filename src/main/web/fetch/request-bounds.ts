import { many } from '../../../shared/text/amounts.ts'
import type { Refusal } from '../../lib/expected-errors.ts'

/** The time limits of a request with all its redirects. */
type Clock = {
  signal: AbortSignal
  /** Start waiting for the first byte from a host. */
  waitFor(host: string): void
  hasBegun(): void
  /** The reason why the request was stopped, if it was. */
  stopped(): Refusal | undefined
  end(): void
}

/** Start the clock. It stops the request if the caller does, if nothing arrives, or if it takes too long. */
export function startClock(
  caller: AbortSignal,
  { firstByteMs, wholeMs }: { firstByteMs: number; wholeMs: number },
): Clock {
  const stop = new AbortController()
  let [host, why] = ['', '']
  const stopBecause = (reason: string) => {
    why = reason
    stop.abort()
  }
  const seconds = (ms: number) => many(Math.round(ms / 1_000), 'second')
  const whole = setTimeout(() => stopBecause(`took longer than ${seconds(wholeMs)}`), wholeMs)
  let first: NodeJS.Timeout | undefined
  return {
    signal: AbortSignal.any([caller, stop.signal]),
    waitFor(name) {
      host = name
      first = setTimeout(() => stopBecause(`did not begin to answer in ${seconds(firstByteMs)}`), firstByteMs)
    },
    hasBegun: () => clearTimeout(first),
    stopped() {
      if (caller.aborted) return { refused: 'The request was stopped.' }
      return why === '' ? undefined : { refused: `${host} ${why}.` }
    },
    end() {
      clearTimeout(first)
      clearTimeout(whole)
    },
  }
}

/** Read the beginning of a body, and whether there was more. The rest may never end, so it is not read. */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  most: number,
): Promise<{ bytes: Uint8Array; cut: boolean }> {
  if (!body) return { bytes: new Uint8Array(), cut: false }
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  while (length <= most) {
    const { done, value } = await reader.read()
    if (done) return { bytes: Buffer.concat(chunks), cut: false }
    chunks.push(value)
    length += value.byteLength
  }
  await reader.cancel()
  return { bytes: Buffer.concat(chunks).subarray(0, most), cut: length > most }
}
