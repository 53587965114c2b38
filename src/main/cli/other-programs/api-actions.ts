import type { ApiState } from '../../../shared/contract/connections/api.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { many } from '../../../shared/text/amounts.ts'
import { jsonLine, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { withClient } from '../open-client.ts'
import { printAside, printLine } from '../output/terminal-text.ts'

type Options = { home?: string; json?: true }

const NOT_CARRIED =
  'Neither the Talaria app nor “talaria serve” is running with this home folder, so no programs are being answered.'

/** Print the state of the server. Resolves to whether it is running. */
export async function apiStatus({ home, json }: Options): Promise<boolean> {
  const state = await withClient(home, client => client['api.state']({}))
  if (json) printLine(jsonLine(state))
  else printState(state)
  return state.state === 'running'
}

/** Switch the server on. Resolves to whether it is running, or will run once a host does. */
export async function apiOn({ home }: Options): Promise<boolean> {
  const state = await withClient(home, client => switchTo(client, true))
  printState(state)
  return state.state === 'running' || !state.isCarried
}

/** Switch the server off. */
export async function apiOff({ home }: Options): Promise<void> {
  await withClient(home, client => switchTo(client, false))
  printLine('Other programs are no longer answered.')
}

/** Print the key, and nothing else, so that it can be put into a variable. */
export async function apiKey({ home, new: isNew }: Options & { new?: true }): Promise<void> {
  const { key } = await withClient(home, client => (isNew ? client['api.newKey']({}) : client['api.key']({})))
  printLine(key)
}

async function switchTo(client: HostClient, value: boolean): Promise<ApiState> {
  await client['settings.set']({ path: 'api.enabled', value })
  return await client['api.state']({})
}

function printState({ state, text, address, today, unused, isCarried }: ApiState): void {
  if (state === 'running') printLine(`Programs are answered at ${address}`)
  else printLine(state === 'off' ? 'Other programs are not answered.' : text)
  for (const { model, requests, failed } of today)
    printLine(
      `${showHiddenInLine(model)}: ${many(requests, 'request')} today${failed === 0 ? '' : `, ${failed} failed`}`,
    )
  if (unused.length > 0) printLine(`fields that had no effect: ${unused.map(showHiddenInLine).join(', ')}`)
  if (state === 'running') printAside('The key: talaria api key')
  if (!isCarried) printAside(NOT_CARRIED)
}
