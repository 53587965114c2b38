import type { BatchOptions, BatchPlan, BatchState } from '../../../shared/contract/runs/batch.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import { jsonLine, showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { releaseSignalsWhenStuck } from '../../lib/processes/signals-when-stuck.ts'
import { mergeBatches } from '../../batch/merge-batches.ts'
import { showEnd, showPlan, createProgress } from './batch-progress.ts'
import { absolutePath } from '../command-line.ts'
import { modelIdOf } from '../interactive/follow-run.ts'
import { openClient } from '../open-client.ts'
import { confirmOnTerminal } from '../interactive/ask-at-terminal.ts'
import { many, printAside, printLine } from '../output/terminal-text.ts'

type Options = Omit<BatchOptions, 'file' | 'out' | 'modelId' | 'approve' | 'keepFolders'> & {
  out?: string
  model?: string
  approve?: 'reads' | 'all'
  agree?: string
  keepFolders?: true
  home?: string
  json?: true
}

/**
 * Signals that pause a batch. Closing the terminal ends only the command: a host in another process
 * continues.
 */
const PAUSING = ['SIGINT', 'SIGTERM'] as const

/** Start or continue a batch, and follow it. Resolves to whether every line of the file was answered. */
export async function runInTerminal(file: string | undefined, options: Options): Promise<boolean> {
  if (file === undefined || options.out === undefined)
    throw new Fault('bad_input', 'Name the file with the rows, and with --out the folder of the results.')
  const { client, close } = await openClient(options.home)
  try {
    const given = await optionsFor(client, file, options.out, options)
    const plan = await client['batch.look'](given)
    if (options.json) printLine(jsonLine({ type: 'plan', ...plan }))
    else printAside(showPlan(plan, given))
    const agree = await agreedHash(plan, options)
    const { id } = await client['batch.start']({ ...given, ...(agree !== undefined && { agree }) })
    const end = await follow(client, id, options.json === true)
    if (options.json) printLine(jsonLine({ type: 'end', ...end }))
    else printLine(showEnd(end))
    return end.state === 'ended' && end.badLines === 0
  } finally {
    await close()
  }
}

async function optionsFor(
  client: HostClient,
  file: string,
  out: string,
  { model, approve, keepFolders, home: _home, json: _json, agree: _agree, ...given }: Options,
): Promise<BatchOptions> {
  return {
    ...given,
    file: absolutePath(file),
    out: absolutePath(out),
    approve: approve ?? 'work',
    keepFolders: keepFolders === true,
    ...(model !== undefined && { modelId: await modelIdOf(client, model) }),
  }
}

/** Show the checks of the rows in full and ask, or take the hash that the user agreed to before. */
async function agreedHash({ checks }: BatchPlan, { agree, json }: Options): Promise<string | undefined> {
  if (!checks) return undefined
  if (agree !== undefined) return agree
  const { commands, hash } = checks
  // With --json, the printed plan contains them.
  if (!json) printAside(checksText(commands, hash))
  const what = `Run ${many(commands.length, 'this command', 'these commands')} on what the models leave behind?`
  const isAgreed = await confirmOnTerminal(
    what,
    `Nothing was started. Read the checks, and agree to them with --agree ${hash}`,
  )
  if (isAgreed) return hash
  throw new Fault('cancelled', 'Nothing was started.')
}

const checksText = (commands: readonly string[], hash: string): string =>
  [
    `The rows have ${many(commands.length, 'check')}, written by the author of the file. They run confined, without network:`,
    ...commands.map(command => `  ${showHidden(command).replaceAll('\n', '\n    ')}`),
    `Their hash is ${hash}.`,
  ].join('\n')

/** Follow a batch until it stops; the first signal pauses it. */
async function follow(client: HostClient, id: string, json: boolean): Promise<BatchState> {
  const progress = createProgress(json)
  const pause = () => {
    // A second signal ends the process immediately.
    for (const signal of PAUSING) process.off(signal, pause)
    progress.say('Pausing…')
    void client['batch.pause']({ id }).catch(ignoreGone)
  }
  for (const signal of PAUSING) process.on(signal, pause)
  using _released = releaseSignalsWhenStuck(PAUSING)
  let last: BatchState | undefined
  try {
    for await (const state of client['batch.watch']({ id })) {
      last = state
      progress.show(state)
    }
  } catch (error) {
    if (error instanceof Fault && error.code === 'disconnected')
      throw new Fault(
        'disconnected',
        'The host that ran the batch has ended. Run the same command again to continue.',
      )
    throw error
  } finally {
    progress.end()
    for (const signal of PAUSING) process.off(signal, pause)
  }
  if (!last) throw new Fault('internal', 'The batch said nothing.')
  return last
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof Fault)) throw error
}

/** Merge the results of several folders into a new folder. Needs no host. */
export async function mergeInTerminal(
  dirs: readonly string[],
  { out, json }: { out?: string; json?: true },
): Promise<void> {
  if (out === undefined) throw new Fault('bad_input', 'Name the new folder with --out.')
  const target = absolutePath(out)
  const merged = await mergeBatches(dirs.map(absolutePath), target)
  if (json) return printLine(jsonLine({ out: target, ...merged }))
  const { attempts, doubled, unknown } = merged
  printLine(`${many(attempts, 'attempt')} in ${target}.`)
  if (doubled > 0) printLine(`${many(doubled, 'attempt')} appeared in several folders; the first is kept.`)
  if (unknown > 0) printLine(`${many(unknown, 'attempt')} had been interrupted and repeated.`)
}
