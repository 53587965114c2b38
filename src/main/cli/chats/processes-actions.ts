import type { BackgroundProcess } from '../../../shared/contract/runs/processes.ts'
import { jsonLine, showHidden, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { withClient } from '../open-client.ts'
import { momentOf, printAside, printLine } from '../output/terminal-text.ts'

type Options = { home?: string; json?: true }

/** Print the background processes of all chats. */
export async function processesList({ home, json }: Options): Promise<void> {
  const { processes } = await withClient(home, client => client['process.list']({}))
  if (json) printLine(jsonLine({ processes }))
  else if (processes.length === 0) printLine('No background processes.')
  else for (const each of processes) printLine(describe(each))
}

const ACCESS = {
  confined: 'confined, no network',
  network: 'confined, with network',
  unconfined: 'not confined',
}

function describe(process: BackgroundProcess): string {
  const { id, state, exitCode, access, address, command, chat, startedAt, obeyed = [] } = process
  const end = state === 'exited' ? `ended with exit code ${exitCode ?? 'unknown'}` : state
  const details = [
    end,
    ACCESS[access],
    ...(address === null ? [] : [address]),
    `since ${momentOf(startedAt)}`,
    ...(obeyed.length > 0
      ? [`changed files that programs obey: ${obeyed.map(each => showHiddenInLine(each.path)).join(', ')}`]
      : []),
  ]
  return `${id}  ${showHiddenInLine(command)}\n    ${details.join(' · ')} · chat: ${showHiddenInLine(chat || 'New chat')}`
}

/** Print the output of a background process. */
export async function processesOutput(
  id: string,
  { home, follow = false }: Options & { follow?: boolean },
): Promise<void> {
  await withClient(home, async client => {
    for await (const { text, dropped } of client['process.watch']({ id, follow })) {
      if (dropped > 0) printAside(`[${dropped.toLocaleString('en')} characters were not kept]`)
      process.stdout.write(showHidden(text))
    }
  })
}

/** Stop background processes. */
export async function processesStop(ids: readonly string[], { home }: Options): Promise<void> {
  await withClient(home, async client => {
    for (const id of ids) {
      const { command, leftover } = await client['process.stop']({ id })
      const rest =
        leftover > 0 ? ` ${leftover} of its processes belong to another user and are still running.` : ''
      printLine(`Stopped ${id}: ${showHiddenInLine(command)}.${rest}`)
    }
  })
}
