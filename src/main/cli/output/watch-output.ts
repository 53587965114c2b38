import { reasonOf } from '../../lib/expected-errors.ts'

/** Notes whether what a command prints arrives. */
export type OutputWatch = {
  /** Wait until everything is written. Resolves to whether all of it arrived. */
  finish(): Promise<boolean>
}

type Output = NodeJS.WritableStream & { writableLength: number }
type Outputs = Record<'stdout' | 'stderr', Output>

/**
 * Watch the outputs of a command. The first write that fails is said in one line on standard error. A reader that left is no
 * failure to speak of: who listens for it stops by himself, and otherwise the command ends.
 */
export function watchOutput({ stdout, stderr }: Outputs = process): OutputWatch {
  let isWhole = true
  let isSaid = false

  function note(stream: Output, error: NodeJS.ErrnoException): void {
    isWhole = false
    if (error.code === 'EPIPE') {
      if (stream.listenerCount('error') === 1) throw error
      return
    }
    if (isSaid) return
    isSaid = true
    if (stream === stdout) stderr.write(`The output could not be written: ${reasonOf(error.code)}.\n`)
  }
  for (const stream of [stdout, stderr]) stream.on('error', error => note(stream, error))

  return {
    async finish() {
      await Promise.all([stdout, stderr].map(written))
      return isWhole
    },
  }
}

/** A full device refuses even nothing, so write only where something is on its way. Errors are told in the next round. */
async function written(stream: Output): Promise<void> {
  if (stream.writableLength > 0) await new Promise<void>(resolve => stream.write('', () => resolve()))
  await new Promise(resolve => setImmediate(resolve))
}
