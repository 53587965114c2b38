import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test as base } from 'vitest'
import type { ToolsVerdict } from '../../../shared/contract/models/model.ts'
import { scriptedEngine } from '../../../../testing/models/scripted.ts'
import type { OptionsEntry } from '../model-options.ts'
import type { ServerEntry } from '../server-entry.ts'
import { createModelIds } from '../files/model-ids.ts'
import { keepFileVerdict, openStandings } from './standings.ts'
import { openVerdicts } from './verdict-file.ts'

// oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern what a fixture needs
const test = base.extend('home', async ({}, { onCleanup }) => {
  const home = mkdtempSync(join(tmpdir(), 'talaria-standing-'))
  onCleanup(() => rmSync(home, { recursive: true, force: true }))
  return home
})

const works: ToolsVerdict = { tools: 'work', byItself: 3, of: 3, at: 1 }
const helped: ToolsVerdict = { tools: 'helped', byItself: 0, of: 3, at: 2 }
const SERVER: ServerEntry = { id: 'one', name: 'One', base_url: 'http://127.0.0.1:1/v1', model: 'qwen3' }

function aStanding(home: string) {
  const current = {
    models: { servers: [SERVER], options: {} as Record<string, OptionsEntry> },
  }
  const reported: unknown[] = []
  const report = (error: unknown) => void reported.push(error)
  return {
    current,
    reported,
    report,
    standings: openStandings({ home, ids: createModelIds(home), config: { current }, now: () => 1, report }),
  }
}

const fileIn = (home: string) => join(home, 'cache', 'tool-verdicts.json')

test('the verdict on a file holds until the file or how it calls tools changes', async ({ home, expect }) => {
  const { current, standings } = aStanding(home)
  const path = join(home, 'a.gguf')
  writeFileSync(path, 'GGUF')
  const id = `file:${path}`
  expect(await standings.verdictOf(id)).toBe(null)
  await standings.keepVerdict(id, works)
  expect(await aStanding(home).standings.verdictOf(id)).toEqual(works)
  current.models.options[id] = { format: 'mistral' }
  expect(await standings.verdictOf(id)).toBe(null)
  current.models.options[id] = { temperature: 1 }
  expect(await standings.verdictOf(id)).toEqual(works)
  utimesSync(path, 1, 1)
  expect(await standings.verdictOf(id)).toBe(null)
})

test('the verdict on a server belongs to its address and model, and the built-in model has none', async ({
  home,
  expect,
}) => {
  const { current, standings } = aStanding(home)
  await standings.keepVerdict('server:one', helped)
  await standings.keepVerdict('builtin', works)
  current.models.servers = [
    { ...SERVER, id: 'two', name: 'Two' },
    { ...SERVER, id: 'three', model: 'other' },
  ]
  expect([
    await standings.verdictOf('server:two'),
    await standings.verdictOf('server:three'),
    await standings.verdictOf('builtin'),
    await standings.verdictOf('server:gone'),
  ]).toEqual([helped, null, null, null])
})

test('what another process keeps is read, and older verdicts give way', async ({ home, expect }) => {
  const { standings, report, reported } = aStanding(home)
  const path = join(home, 'b.gguf')
  writeFileSync(path, 'GGUF')
  expect(await standings.verdictOf(`file:${path}`)).toBe(null)
  await keepFileVerdict(home, path, helped, report)
  expect(await standings.verdictOf(`file:${path}`)).toEqual(helped)
  const verdicts = openVerdicts(home, report)
  for (let at = 0; at < 250; at++) verdicts.keep({ key: `k${at}`, stamp: 's' }, works)
  expect(await standings.verdictOf(`file:${path}`)).toBe(null)
  expect([
    verdicts.find({ key: 'k49', stamp: 's' }),
    verdicts.find({ key: 'k50', stamp: 's' }),
    verdicts.find({ key: 'k50', stamp: 't' }),
    reported,
  ]).toEqual([null, works, null, []])
})

test.for([
  '',
  'not JSON',
  '{"version":2,"verdicts":[]}',
  '{"version":1,"verdicts":[{"key":"k","stamp":"s","verdict":{"tools":"maybe"}}]}',
])('a broken file is started anew: %s', (text, { home, expect }) => {
  mkdirSync(dirname(fileIn(home)), { recursive: true })
  writeFileSync(fileIn(home), text)
  const verdicts = openVerdicts(home, error => expect(error).toBe(undefined))
  expect(verdicts.find({ key: 'k', stamp: 's' })).toBe(null)
  verdicts.keep({ key: 'k', stamp: 's' }, works)
  expect(openVerdicts(home, () => {}).find({ key: 'k', stamp: 's' })).toEqual(works)
  expect(JSON.parse(readFileSync(fileIn(home), 'utf8'))).toMatchObject({ version: 1 })
})

test('a folder in place of the file is reported, and the verdict holds until the end', ({ home, expect }) => {
  mkdirSync(fileIn(home), { recursive: true })
  const reported: unknown[] = []
  const verdicts = openVerdicts(home, error => reported.push(error))
  verdicts.keep({ key: 'k', stamp: 's' }, works)
  expect([verdicts.find({ key: 'k', stamp: 's' }), reported.length]).toEqual([works, 1])
})

test('a server that refuses tools as data has text in its profile, until a setting of it changes', async ({
  home,
  expect,
}) => {
  const { current, standings } = aStanding(home)
  const fail = { code: 'tools_unsupported', text: 'No tools.', fix: '' } as const
  const engine = standings.follow(
    scriptedEngine({ modelId: 'server:one', strategy: 'structured', replies: [[{ fail }]] }),
  )
  await standings.keepVerdict('server:one', works)
  expect(await engine.profile()).toMatchObject({ strategy: 'structured', verdict: works })
  const events = []
  const prompt = { sessionId: 's', messages: [], tools: [] }
  for await (const event of engine.complete(prompt, new AbortController().signal)) events.push(event)
  expect(events).toEqual([{ type: 'failed', ...fail }])
  // Another engine for the same model also knows it.
  const again = standings.follow(
    scriptedEngine({ modelId: 'server:one', strategy: 'structured', replies: [] }),
  )
  expect(await again.profile()).toMatchObject({ strategy: 'text', verdict: works })
  current.models.options['server:one'] = { strategy: 'structured' }
  expect(await again.profile()).toMatchObject({ strategy: 'structured' })
})
