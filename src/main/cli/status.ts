import type { HostClient } from '../../shared/contract/index.ts'
import { withClient } from './open-client.ts'
import { stripControls } from './terminal-text.ts'

/** The current state as one object. */
async function readStatus(client: HostClient) {
  const watching = client['app.watch']({})
  const first = await watching.next()
  await watching.return()
  if (first.done || first.value.type !== 'hello') throw new Error('The host did not say hello.')
  const { version, hosting, home, workspace, engine, notices, locked, setupDone } = first.value
  const { models, defaultId } = await client['model.list']({})
  const { waiting, reviews, settings } = await client['learning.activity']({ limit: 1 })
  const { problems } = await client['settings.list']({})
  const model = models.find(each => each.id === defaultId)
  return {
    version,
    // Without a running host, this command is the host.
    running: hosting !== 'cli',
    home,
    workspace,
    model: {
      id: defaultId,
      name: model?.name ?? defaultId,
      demo: model?.demo ?? false,
      problem: model?.problem ?? null,
    },
    models: models.length,
    engine,
    learning: { mode: settings.mode, waiting: waiting.length, queued: reviews.length },
    offlineLock: locked,
    setupDone,
    problems: [...problems.map(each => each.text), ...notices.map(each => each.text)],
  }
}

/** Print what Talaria is doing and with what. */
export async function showStatus({ home, json }: { home?: string; json?: true }): Promise<void> {
  const status = await withClient(home, readStatus, { twice: true })
  if (json) return print(JSON.stringify(status))
  const { engine, model, learning } = status
  const lines: [string, string][] = [
    ['Talaria', `${status.version}, ${status.running ? 'running' : 'not running (this command answers)'}`],
    ['Home', status.home],
    [
      'Model',
      `${model.name}${model.demo ? ' (a demo: add a bigger model for real work)' : ''}${model.problem ? ` – ${model.problem}` : ''}`,
    ],
    ['Engine', engineInWords(engine)],
    [
      'Learning',
      `${{ ask: 'asks first', save: 'saves and tells', off: 'off' }[learning.mode]}, ${learning.waiting} waiting for you, ${learning.queued} to come`,
    ],
    ['Network', status.offlineLock ? 'offline lock on' : 'offline lock off'],
    ...status.problems.map((text): [string, string] => ['Problem', text]),
  ]
  print(lines.map(([name, text]) => `${name.padEnd(10)}${text}`).join('\n'))
}

function engineInWords({
  phase,
  modelName,
  contextTokens,
  error,
}: Awaited<ReturnType<typeof readStatus>>['engine']): string {
  if (phase === 'failed') return error ?? 'failed'
  if (phase === 'stopped') return 'no local model is loaded'
  const room = contextTokens === null ? '' : `, holds ${contextTokens} tokens`
  return `${modelName}: ${phase}${room}`
}

const print = (text: string) => void process.stdout.write(`${stripControls(text)}\n`)
