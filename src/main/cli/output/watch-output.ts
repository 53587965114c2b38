import { reasonOf } from '../../lib/expected-errors.ts'

/** Records whether the output of a command arrives. */
export type OutputWatch = {
  /** Wait until everything is written. Resolves to whether all of it arrived. */
  finish(): Promise<boolean>
}

type Output = NodeJS.WritableStream & { writableLength: number }
type Outputs = Record<'stdout' | 'stderr', Output>

/**
 * Watch the outputs of a command. The first failed write is reported in one line on standard error. A reader
 * that left is not reported: a command that listens for this error stops itself, and any other command ends.
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

/**
 * Wait until a stream is written. A full device refuses even an empty write, so write only if output is
 * pending.
 */
async function written(stream: Output): Promise<void> {
  if (stream.writableLength > 0) await new Promise<void>(resolve => stream.write('', () => resolve()))
  await new Promise(resolve => setImmediate(resolve))
}
