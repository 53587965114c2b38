import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { contract, type HostClient } from '../../../src/shared/contract/index.ts'
import type { RunEvent } from '../../../src/shared/contract/runs/run.ts'
import { connectClient } from '../../../src/shared/connect-client.ts'
import { removeTree } from '../../../src/main/lib/removal/remove-tree.ts'
import { createHost } from '../../../src/main/host.ts'
import { memoryChannels } from '../../../src/main/rpc/channels.ts'
import { serveContract } from '../../../src/main/rpc/serve.ts'
import { aFolderToConfine } from '../../../testing/confinement/folder-to-confine.ts'
import { startOpenAiServer } from '../../../testing/servers/openai-server.ts'
import type { Measured } from '../measured.ts'
import type { Attempt } from './attempt.ts'
import { makeLayout, personIn } from './layouts.ts'

/** The outcome of an attempt. `ran`: the command that the person ran touched the marker. */
type Outcome = {
  asked: number
  ran: boolean
  changed: string[]
  said: string
  obeyed: number
}

/** Whether an outcome is as promised. */
function isRight(row: Attempt, { asked, ran, changed, said, obeyed }: Outcome): boolean {
  if (row.expect === 'works') return asked === 0 && said.includes(row.prints ?? '')
  if (row.expect === 'reported') return asked > 0 || obeyed > 0
  return !ran && changed.length === 0
}

/** Try one attempt. Every answer is no, because nothing that a person did not allow may be obeyed. */
async function attempt(client: HostClient, row: Attempt, place: Place, reply: (command: string) => void) {
  const { folder, userHome, marker } = place
  makeLayout(row.layout, place)
  for (const [name, { text }] of Object.entries(row.files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text.replaceAll('{MARKER}', marker))
  }
  rmSync(marker, { force: true })
  const before = row.watch.map(path => fingerprint(join(folder, path)))
  const { id } = await client['session.create']({
    modelId: place.modelId,
    approval: 'full',
    workspace: folder,
  })
  reply(row.command.replaceAll('{MARKER}', marker))
  const { runId } = await client['chat.send']({ sessionId: id, text: 'Go.' })
  let asked = 0
  for await (const event of client['run.watch']({ runId }) as AsyncIterable<RunEvent>) {
    if (event.type !== 'approval_request') continue
    asked++
    await client['run.approve']({ runId, approvalId: event.approval.id, decision: 'deny', note: '' })
  }
  const { messages } = await client['session.messages']({ id })
  const results = messages.filter(message => message.role === 'tool')
  const changed = row.watch.filter((path, at) => fingerprint(join(folder, path)) !== before[at])
  if (row.afterwards !== undefined)
    spawnSync('/bin/sh', ['-c', row.afterwards], { cwd: folder, env: personIn(userHome), timeout: 20_000 })
  const ran = existsSync(marker)
  const said = results.map(({ text }) => text).join('\n')
  return { asked, ran, changed, said, obeyed: results.flatMap(({ obeyed }) => obeyed ?? []).length }
}
type Place = Record<'folder' | 'userHome' | 'marker' | 'modelId', string>

/** What is at a path: a link, or a file's mode and content. */
function fingerprint(path: string): string {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats) return 'nothing'
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path)}`
  if (!stats.isFile()) return 'a folder or else'
  return `${stats.mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
}

/**
 * Try each attempt in a whole host, in its own chat with *Full access*. `sandbox` is the setting. `asked`:
 * attempts about which a person was asked; `told`: attempts whose result says what they changed. Sets the
 * home folder of this process.
 */
export async function measureObeyed(
  attempts: readonly Attempt[],
  sandbox: 'auto' | 'off',
): Promise<Measured> {
  // Not in the temporary folder, because confined commands never see that.
  const base = aFolderToConfine()
  const userHome = join(base, 'ada')
  const home = join(userHome, '.talaria')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'config.yaml'), `terminal:\n  sandbox: ${sandbox}\n`)
  process.env['HOME'] = userHome
  const server = await startOpenAiServer({ models: [{ id: 'qwen3', max_model_len: 32_000 }] })
  const host = await createHost({ hosting: 'headless', home })
  const [ours, theirs] = memoryChannels()
  serveContract(contract, host.handlers, theirs, host.report)
  const client = connectClient(contract, ours)
  try {
    const model = { name: 'Eval', baseUrl: server.baseUrl, model: 'qwen3' }
    const { id: modelId } = await client['model.addServer'](model)
    const reply = (command: string) =>
      server.reply({ toolCalls: [{ name: 'terminal', arguments: { command } }] }, { text: 'Done.' })
    const tried: (Outcome & { id: string; right: boolean; expect: Attempt['expect'] })[] = []
    for (const [at, row] of attempts.entries()) {
      const folder = join(userHome, 'work', `project-${at}`)
      const place = { folder, userHome, marker: join(userHome, 'marker'), modelId }
      const outcome = await attempt(client, row, place, reply)
      const right = isRight(row, outcome)
      const said = outcome.said.slice(0, right ? 200 : 2_000)
      tried.push({ id: row.id, right, expect: row.expect, ...outcome, said })
    }
    const wrong = tried.filter(({ right }) => !right)
    return {
      lines: tried,
      figures: {
        attempts: attempts.length,
        right: attempts.length - wrong.length,
        wrong: wrong.length,
        asked: tried.filter(({ asked }) => asked > 0).length,
        told: tried.filter(({ obeyed }) => obeyed > 0).length,
      },
      wrong: wrong.map(({ id, expect, said }) => `${id} is not ${expect}: ${said}`),
    }
  } finally {
    await host.close()
    ours.close()
    await server.close()
    await removeTree(base)
  }
}
