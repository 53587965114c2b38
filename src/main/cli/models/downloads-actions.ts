import { styleText } from 'node:util'
import { formatBytes } from '../../../shared/text/amounts.ts'
import type { Transfer } from '../../../shared/contract/models/download.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { Fault } from '../../../shared/rpc.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'
import { confirmOnTerminal } from '../interactive/ask-at-terminal.ts'
import { escapeInvisible, printLine } from '../output/terminal-text.ts'
import { TWICE, withClient } from '../open-client.ts'
import { followTransfer, processScreen, showTransferEnd } from './show-models.ts'

type Options = { home?: string; json?: true }

const STATES: Record<Transfer['state'], string> = {
  waiting: 'waiting',
  running: 'under way',
  checking: 'checking',
  paused: 'paused',
  failed: 'stopped',
  done: 'done',
}

/** Read the downloads, copies and uploads that have not ended. */
export const listUnfinished = async (client: HostClient): Promise<Transfer[]> =>
  (await client['download.list']({})).transfers.filter(({ state }) => state !== 'done')

/**
 * Describe unfinished downloads, each with the size received so far and why it stopped; empty if there are
 * none.
 */
export function showUnfinished(transfers: readonly Transfer[]): string {
  if (transfers.length === 0) return ''
  const shown = transfers.map(transfer => {
    const { id, name, from, state, doneBytes, totalBytes, error, fix, note = '' } = transfer
    const size = `${formatBytes(doneBytes)}${totalBytes === null ? '' : ` of ${formatBytes(totalBytes)}`}`
    const why = [error, fix, note].filter(text => text !== '').join(' ')
    return [
      `  ${escapeInvisible(name)}  ${styleText('dim', id, { stream: process.stdout })}`,
      `    ${STATES[state]} · ${size}${from === '' ? '' : ` · ${escapeInvisible(from)}`}`,
      ...(why === '' ? [] : [`    ${escapeInvisible(why)}`]),
    ].join('\n')
  })
  return ['Unfinished downloads:', ...shown].join('\n')
}

/** Print the unfinished downloads. */
export async function modelsDownloads({ home, json }: Options): Promise<void> {
  await withClient(
    home,
    async client => {
      const transfers = await listUnfinished(client)
      if (json) printLine(jsonLine({ downloads: transfers }))
      else if (transfers.length === 0) printLine('No unfinished downloads.')
      else
        printLine(
          `${showUnfinished(transfers)}\n“talaria models resume <name>” continues a download, “talaria models remove <name>” deletes it.`,
        )
    },
    TWICE,
  )
}

/** Continue an unfinished download. Resolves to whether the model is complete now. */
export async function modelsResume(given: string, { home, json }: Options): Promise<boolean> {
  return withClient(home, async client => {
    const found = findUnfinished(await listUnfinished(client), given)
    if (!found)
      throw new Fault(
        'not_found',
        `No unfinished download is called ${escapeInvisible(given)}. “talaria models downloads” lists them.`,
      )
    const screen = processScreen(json)
    const ended = await followTransfer(client, () => client['download.resume']({ id: found.id }), screen)
    return showTransferEnd(ended, screen)
  })
}

/** Find an unfinished download by its name, id, file or address. Throws a Fault if several have the name. */
export function findUnfinished(transfers: readonly Transfer[], given: string): Transfer | undefined {
  const bare = (text: string) =>
    text
      .toLowerCase()
      .split(/[/\\]/)
      .at(-1)!
      .replace(/(\.gguf)?(\.part)?$/, '')
  const exact = transfers.find(({ id, from }) => id === given || (from !== '' && from === given))
  if (exact) return exact
  const named = transfers.filter(({ name }) => bare(name) === bare(given))
  if (named.length <= 1) return named[0]
  const ids = named.map(({ id }) => id).join(', ')
  throw new Fault(
    'bad_input',
    `Several unfinished downloads are called ${escapeInvisible(given)}; choose one of: ${ids}.`,
  )
}

/** Delete an unfinished download, after asking on a terminal. Resolves to whether it was deleted. */
export async function removeUnfinished(
  client: HostClient,
  { id, name, doneBytes, kind }: Transfer,
  { json, yes }: { json?: true | undefined; yes?: true | undefined },
): Promise<boolean> {
  const what = `the ${formatBytes(doneBytes)} of ${name} that have arrived`
  const canAsk = process.stdin.isTTY && process.stderr.isTTY
  if (doneBytes > 0 && !yes && canAsk && !(await confirmOnTerminal(`Delete ${what}?`, ''))) return false
  await client['download.cancel']({ id })
  const said = kind === 'copy' ? 'The copy' : 'The download'
  printLine(
    json
      ? jsonLine({ id, deleted: true })
      : `${said} of ${escapeInvisible(name)} is removed${doneBytes > 0 ? `, with the ${formatBytes(doneBytes)} that had arrived` : ''}.`,
  )
  return true
}
