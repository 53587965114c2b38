import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HostClient } from '../../shared/contract/index.ts'
import { until } from '../../../testing/until.ts'
import { aHome, aHost, smallTools, toldBy } from '../../../testing/host/a-host.ts'

type Change = (client: HostClient) => unknown
const edit = (home: string, line: string) => {
  const file = join(home, 'config.yaml')
  writeFileSync(file, `${readFileSync(file, 'utf8')}${line}\n`)
}

test.each<[string, string, Change]>([
  ['memory.setSwitches', 'memory', client => client['memory.setSwitches']({ useInChats: false })],
  ['skills.setSwitches', 'skills', client => client['skills.setSwitches']({ learnFromChats: false })],
  ['learning.settings', 'learning', client => client['learning.settings']({ memoryNudge: 3 })],
  ['app.setSettings', 'settings', client => client['app.setSettings']({ theme: 'dark' })],
  ['network.lock', 'lock', client => client['network.lock']({ locked: true })],
  ['setup.finish', 'setup', client => client['setup.finish']({})],
  ...(
    [
      ['memory.user_limit', 'memory', 2_000],
      ['skills.use_in_chats', 'skills', false],
      ['learning.idle_seconds', 'learning', 5],
      ['models.default', 'model', 'builtin'],
      ['network.offline', 'lock', true],
      ['network.offline', 'network', true],
      ['ui.setup_done', 'setup', true],
      // Lists of settings reload on this event, whichever feature the setting belongs to.
      ['memory.user_limit', 'settings', 2_000],
      ['skills.use_in_chats', 'settings', false],
      ['learning.idle_seconds', 'settings', 5],
      ['models.default', 'settings', 'builtin'],
      ['network.offline', 'settings', true],
      ['agent.max_iterations', 'settings', 12],
      ['approvals.wait_minutes', 'settings', 3],
    ] as const
  ).map(([path, type, value]): [string, string, Change] => [
    `settings.set ${path}`,
    type,
    client => client['settings.set']({ path, value }),
  ]),
])('%s reaches another window as a %s event', async (_name, type, change) => {
  using home = aHome()
  await using host = await aHost(home.path)
  const window = watch(host.connectAgain())
  await until(() => window.heard.includes('hello'))
  await change(host.client)
  await until(() => window.heard.includes(type))
  await window.leave()
  expect(host.mistakes()).toEqual([])
})

test('an action on the list of models is one event, however many settings it changes', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  const window = watch(host.connectAgain())
  await until(() => window.heard.includes('hello'))
  const { client } = host
  const server = { protocol: 'openai', baseUrl: 'http://127.0.0.1:1/v1', model: 'm', name: 'M' } as const
  const times = (type: string) => window.heard.filter(each => each === type).length
  let actions = 0
  const once = async <T>(action: Promise<T>): Promise<T> => {
    const answer = await action
    actions++
    await until(() => times('model') === actions)
    return answer
  }
  const { id } = await once(client['model.addServer']({ ...server, apiKey: 'sk-1' }))
  await once(client['model.addServer']({ ...server, id, name: 'N', apiKey: 'sk-2' }))
  await once(client['model.setDefault']({ id }))
  await once(client['model.setOptions']({ id, options: { temperature: 0.5 } }))
  // This removes the server, its key, its options, and its role as the default.
  await once(client['model.forget']({ id }))
  // Later events follow this one, which waits for its turn.
  await client['memory.add']({ target: 'user', text: 'Likes tea.' })
  await until(() => times('memory') > 0)
  expect(times('model')).toBe(actions)
  await window.leave()
})

test('a manual edit of the file reaches every window with the next write or read', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  const window = watch(host.connectAgain())
  await until(() => window.heard.includes('hello'))
  await host.client['app.setSettings']({ theme: 'dark' })
  edit(home.path, 'memory:\n  use_in_chats: false')
  await host.client['app.setSettings']({ theme: 'light' })
  await until(() => window.heard.includes('memory'))
  edit(home.path, 'network:\n  offline: true')
  await host.client['settings.list']({})
  await until(() => window.heard.includes('network'))
  await window.leave()
})

/** A window that only listens: the types of the events it received. */
function watch(client: HostClient) {
  const heard: string[] = []
  const told: string[] = []
  const leaving = new AbortController()
  const watching = (async () => {
    for await (const event of client['app.watch']({}, { signal: leaving.signal })) {
      heard.push(...toldBy(event))
      if (event.type === 'notice') told.push(`begun ${event.notice.id}`)
      if (event.type === 'notice_ended') told.push(`ended ${event.id}`)
    }
  })().catch(() => undefined)
  return {
    heard,
    /** Notices that began and ended after the greeting. */
    told,
    async leave() {
      leaving.abort()
      await watching
    },
  }
}

test('a tool is offered once its key is entered, every window hears of it, and the key is told to nobody', async () => {
  using home = aHome()
  const [look] = smallTools()
  await using host = await aHost(home.path, { tools: [{ ...look!, keys: ['LOOK_KEY'] }] })
  const window = watch(host.connectAgain())
  await until(() => window.heard.includes('hello'))
  const { client } = host
  const key = async () => (await client['settings.list']({})).keys.find(each => each.name === 'LOOK_KEY')
  expect(await key()).toMatchObject({ source: null, missingFor: ['look'], usedBy: ['look'], masked: true })
  await client['settings.setKey']({ name: 'LOOK_KEY', value: ' sk-secret ' })
  await until(() => window.heard.includes('settings') && window.heard.includes('model'))
  expect(await key()).toMatchObject({ source: { from: '.env', line: 1 }, value: null, missingFor: [] })
  expect(JSON.stringify(await client['settings.list']({}))).not.toContain('sk-secret')
  await client['settings.setKey']({ name: 'LOOK_KEY', value: null })
  expect(await key()).toMatchObject({ source: null, missingFor: ['look'] })
  await window.leave()
  const wrong = [
    { name: 'LOOK_KEY', value: 'two words' },
    { name: 'PATH', value: 'x' },
  ]
  for (const each of wrong)
    await expect(client['settings.setKey'](each)).rejects.toMatchObject({
      code: expect.stringMatching(/bad_input|not_found/),
    })
})

test('the notice about a mistake in config.yaml goes in every window once the file is read without it', async () => {
  using home = aHome()
  const file = join(home.path, 'config.yaml')
  writeFileSync(file, 'agent:\n  max_iterations: many\n')
  await using host = await aHost(home.path)
  const greeting = async () => {
    for await (const event of host.connectAgain()['app.watch']({}))
      if (event.type === 'hello') return event.notices.map(({ text }) => text)
    return []
  }
  const open = watch(host.connectAgain())
  await until(() => open.heard.includes('hello'))
  expect(await greeting()).toEqual([expect.stringContaining('line 2')])

  // Another mistake instead: the first notice ends, the other one appears.
  writeFileSync(file, 'learning:\n  idle_seconds: often\n')
  await host.client['settings.list']({})
  await until(() => open.told.length === 2)
  expect(open.told).toEqual([
    'ended config-agent.max_iterations',
    expect.stringContaining('begun config-learning.idle_seconds'),
  ])
  await host.client['settings.list']({})
  expect(await greeting()).toEqual([expect.stringContaining('idle_seconds')])

  // Fixed: a newly opened window reads the file, and the open one is informed.
  writeFileSync(file, 'learning:\n  idle_seconds: 7\n')
  expect(await greeting()).toEqual([])
  await until(() => open.told.includes('ended config-learning.idle_seconds'))
  expect(open.told).toHaveLength(3)
  await host.client['settings.set']({ path: 'agent.max_iterations', value: 12 })
  await open.leave()
  expect(host.mistakes()).toEqual([])
})
