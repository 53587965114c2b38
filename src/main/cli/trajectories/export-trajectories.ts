import type { HostClient } from '../../../shared/contract/index.ts'
import { chatNamed } from '../find-item.ts'
import { openSink, type LineSink } from './line-sink.ts'
import { withClient } from '../open-client.ts'
import { printAside, many } from '../output/terminal-text.ts'
import { stopOnSignals } from '../stop-on-signals.ts'

export type ExportOptions = {
  home?: string
  outcome: 'success' | 'failure' | 'all'
  chat?: string
  withMemory?: boolean
  withOtherAgents?: boolean
  output?: string
  force?: true
}

type Counts = { success: number; failure: number }

/** Write chats as ShareGPT lines to a file or standard output. Resolves to whether all were written. */
export async function trajectoriesExport(options: ExportOptions): Promise<boolean> {
  const { home, output, force } = options
  using stopping = stopOnSignals()
  // The reader may stop early, as `head` does after ten lines.
  process.stdout.on('error', stopping.stop)
  const sink = openSink(output, { home, force, signal: stopping.signal })
  try {
    const counts = await withClient(home, client => copy(client, sink, options, stopping.signal))
    sink.finish()
    const all = counts.success + counts.failure
    printAside(`${many(all, 'chat')}: ${counts.success} successful, ${counts.failure} not.`)
    return true
  } catch (error) {
    if (!stopping.signal.aborted) throw sink.sayFailed(error)
    printAside('Stopped.')
    return false
  } finally {
    await sink.discard()
  }
}

async function copy(
  client: HostClient,
  sink: LineSink,
  { outcome, chat, withMemory = false, withOtherAgents = false }: ExportOptions,
  signal: AbortSignal,
): Promise<Counts> {
  const sessionId = chat === undefined ? undefined : (await chatNamed(client, chat)).id
  const counts: Counts = { success: 0, failure: 0 }
  const lines = client['learning.trajectories'](
    { outcome, withMemory, withOtherAgents, ...(sessionId !== undefined && { sessionId }) },
    { signal },
  )
  for await (const { line } of lines) {
    await sink.write(line)
    counts[(JSON.parse(line) as { completed: boolean }).completed ? 'success' : 'failure']++
  }
  return counts
}
