import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { oneThread, test, type Talaria } from '../../../testing/terminal/cli.ts'
import { rootFolder } from '../lib/disk/shipped-files.ts'

const watcher = pathToFileURL(join(rootFolder(), 'testing/host/watch-sockets.ts')).href

/** Run a command whose every attempt to reach another computer is written down and fails. */
async function watched(talaria: Talaria, args: string[]) {
  const ledger = join(talaria.folder(), 'attempts.txt')
  const result = await talaria.run(args, {
    env: {
      NODE_OPTIONS: `--import=${watcher}`,
      WATCH_SOCKETS: ledger,
      OPENAI_API_KEY: 'sk-of-another-program',
    },
  })
  const attempts = existsSync(ledger) ? readFileSync(ledger, 'utf8').trim().split('\n') : []
  return { ...result, attempts }
}

/** A home whose chats are answered by a server far away; the address belongs to nobody (RFC 5737). */
const farHome = (talaria: Talaria, more: object = {}) =>
  talaria.folder({
    'config.yaml': JSON.stringify({
      models: {
        default: 'server:far',
        servers: [
          { id: 'far', name: 'Far', base_url: 'http://192.0.2.1/v1', model: 'qwen', context_tokens: 8_192 },
        ],
      },
      ...more,
    }),
  })

test('a default start and a chat with the built-in model send no request', async ({ talaria }) => {
  // All as it ships, but for the threads of the engine.
  const home = talaria.folder(oneThread)
  const { stdout, stderr, attempts } = await watched(talaria, ['chat', '-q', 'hello', '--home', home])
  expect([stdout.trim() === '', attempts], stderr).toEqual([false, []])
})

test('a remote server is contacted only for a chat, and the ledger records it', async ({ talaria }) => {
  const home = farHome(talaria)
  const { attempts, code } = await watched(talaria, ['chat', '-q', 'hello', '--home', home])
  expect([attempts[0], code]).toEqual(['connect 192.0.2.1:80', 1])
  const { stdout } = await talaria.run(['network', 'list', '--json', '--home', home])
  expect(JSON.parse(stdout)).toMatchObject({
    locked: false,
    hosts: [{ host: '192.0.2.1', nearby: false, blocked: 0 }],
  })
})

test('under the offline lock nothing is sent: the chat says so, and the ledger records what was blocked', async ({
  talaria,
}) => {
  const home = farHome(talaria, { network: { offline: true } })
  const { attempts, stderr, code } = await watched(talaria, ['chat', '-q', 'hello', '--home', home])
  expect([attempts, code]).toEqual([[], 1])
  expect(stderr).toContain('The offline lock is on')
  const { stdout } = await talaria.run(['network', 'list', '--json', '--home', home])
  const { locked, hosts, entries } = JSON.parse(stdout)
  expect([
    locked,
    hosts[0].blocked > 0,
    entries.every((each: { state: string }) => each.state === 'blocked'),
  ]).toEqual([true, true, true])
})

test('under the offline lock a server on this computer answers', async ({ talaria }) => {
  const { home, model } = await talaria.servedHome()
  await talaria.run(['network', 'lock', '--home', home])
  model.reply({ text: 'Here I am.' })
  const { stdout, attempts } = await watched(talaria, ['chat', '-q', 'hello', '--home', home])
  expect([stdout.trim(), attempts]).toEqual(['Here I am.', []])
})
