import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aHome, aHost, type TestHost } from '../../../../testing/host/a-host.ts'
import { until } from '../../../../testing/until.ts'

/** A token in no vendor's format, so that only its place can reveal it. */
const TOKEN = 'Plain-Words~of.Ada+77'

type Answer = { status: number; headers?: Record<string, string>; body?: string }

/** A mirror on this computer. It may get the token, and repeats it wherever an answer can contain it. */
async function aTalkativeMirror(answer: (base: string) => Answer) {
  const seen: (string | undefined)[] = []
  let base = ''
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization)
    const { status, headers = {}, body = '' } = answer(base)
    response.writeHead(status, headers)
    response.end(request.method === 'HEAD' ? '' : body)
  })
  await new Promise<void>(done => void server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { base, seen }
}

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => readFileSync(path).includes(text))
}

async function settled({ client }: TestHost) {
  const over = (state: string) => !['waiting', 'running', 'checking'].includes(state)
  await until(async () => (await client['download.list']({})).transfers.every(each => over(each.state)))
  return client['download.list']({})
}

test.each<[string, (base: string) => Answer]>([
  ['a refusal that quotes it', () => ({ status: 401, body: `Bearer ${TOKEN} is not valid` })],
  [
    'an error that quotes it',
    () => ({ status: 400, headers: { 'x-error-message': TOKEN }, body: `{"error":"${TOKEN}"}` }),
  ],
  [
    'a redirection that carries it along',
    base => ({ status: 302, headers: { location: `${base}/next?auth=${TOKEN}` } }),
  ],
])('the token of the hub is nowhere but in the file of keys, after %s', async (_, answer) => {
  using home = aHome()
  const mirror = await aTalkativeMirror(answer)
  const seen: string[] = []
  {
    await using host = await aHost(home.path)
    const { client } = host
    await client['settings.setKey']({ name: 'HF_TOKEN', value: TOKEN })
    await client['settings.set']({ path: 'network.hub_mirror', value: mirror.base })
    const address = 'https://huggingface.co/maker/model/resolve/main/tea.gguf'
    seen.push(JSON.stringify(await client['download.start']({ address }).catch(String)))
    seen.push(JSON.stringify(await settled(host)))
    for (const call of ['settings.list', 'network.list', 'model.list', 'catalogue.list'] as const)
      seen.push(JSON.stringify(await (client[call] as (input: object) => Promise<unknown>)({})))
  }
  expect(mirror.seen).toContain(`Bearer ${TOKEN}`)
  expect(seen.filter(text => text.includes(TOKEN))).toEqual([])
  expect(filesWith(home.path, TOKEN)).toEqual([join(home.path, '.env')])
})
