import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { ApiProblem } from './api-request.ts'
import { shapeProblem } from './json-shape.ts'

/** Maximum size of a body in bytes, including pictures. */
const MOST_BYTES = 48 * 1024 * 1024

/** Options for reading the body of one request. */
type Reading = {
  /** Tell a waiting program to send its body; called once the request itself is accepted. */
  proceed(): void
  /** How long the body may take to arrive, in ms. */
  withinMs: number
}

/** Create a server's body reader. All bodies in progress together have at most `mostInHand` bytes. */
export function createBodyReader(mostInHand: number) {
  let inHand = 0
  let last = Promise.resolve()

  /** Parse long bodies one at a time, so that the host can serve its window in between. */
  function readInTurn(bytes: Uint8Array): Promise<unknown> {
    const read = last.then(() => setImmediate()).then(() => judgeJson(bytes))
    last = read.then(
      () => undefined,
      () => undefined,
    )
    return read
  }

  /** Open a request's body: `read` returns it as JSON, and `release` frees its memory. */
  return function openBody(request: IncomingMessage) {
    let held = 0
    const hold = (bytes: number) => {
      held += bytes
      inHand += bytes
      if (held > MOST_BYTES) throw new ApiProblem(413, 'too_large', 'A request can have at most 48 MB.')
      if (inHand > mostInHand)
        throw new ApiProblem(
          429,
          'too_many_requests',
          'Other long requests come first. Try again in a moment.',
        )
    }

    async function readBytes(): Promise<Buffer> {
      const chunks: Buffer[] = []
      try {
        // Leaving the loop must not end the connection, because the refusal is still to be sent.
        for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
          hold(chunk.length)
          chunks.push(chunk)
        }
      } catch (error) {
        if (error instanceof ApiProblem) throw error
        // A program that has left does not see this.
        throw new ApiProblem(400, 'cut', 'The body was cut.')
      }
      return Buffer.concat(chunks)
    }

    return {
      /** Throws an `ApiProblem` for a body that is too long, too late, incomplete, or not JSON. */
      async read({ proceed, withinMs }: Reading): Promise<unknown> {
        const { headers } = request
        if ((headers['content-encoding'] ?? 'identity') !== 'identity')
          throw new ApiProblem(415, 'compressed', 'Compressed bodies are not supported.')
        if (Number(headers['content-length'] ?? 0) > MOST_BYTES)
          throw new ApiProblem(413, 'too_large', 'A request can have at most 48 MB.')
        proceed()
        const late = Promise.withResolvers<never>()
        const timer = setTimeout(
          () =>
            late.reject(
              new ApiProblem(408, 'too_slow', `The body must arrive within ${withinMs / 1000} seconds.`),
            ),
          withinMs,
        )
        try {
          return await readInTurn(await Promise.race([readBytes(), late.promise]))
        } finally {
          clearTimeout(timer)
        }
      },
      release() {
        inHand -= held
        held = 0
      },
    }
  }
}

/** Parse a program's JSON. Throws an `ApiProblem` if it is invalid, too deep, or has too many values. */
function judgeJson(bytes: Uint8Array): unknown {
  const text = decodeText(bytes)
  const problem = shapeProblem(text)
  if (problem !== undefined) throw new ApiProblem(400, 'bad_json', problem)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new ApiProblem(400, 'bad_json', 'The body is not JSON.')
  }
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ApiProblem(400, 'bad_json', 'The body is not JSON in UTF-8.')
  }
}
