import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { aHome, aHost, type TestHost } from '../../../../testing/host/a-host.ts'
import { aLine, appendToSpool, spooled, spoolPath } from '../../../../testing/other-agents/a-spool.ts'
import { until } from '../../../../testing/until.ts'
import { MAY_NOTHING } from '../../../shared/contract/connections/agents.ts'

// Events handed over by other programs, through a whole host.

const eventsIn = (home: string): string[] => {
  const db = new Database(join(home, 'state.db'), { readonly: true })
  try {
    return db
      .prepare<[], { event: string }>('select event from foreign_events order by id')
      .all()
      .map(each => each.event)
  } finally {
    db.close()
  }
}

async function connect({ client }: TestHost, name: string, learn: boolean): Promise<void> {
  const { agent } = await client['agents.add']({ name })
  await client['agents.allow']({ id: agent.id, seen: agent.seen, on: true, may: { ...MAY_NOTHING, learn } })
}

test('a running host reads what connected programs wrote, and of no others', async () => {
  using home = aHome()
  await using host = await aHost(home.path)
  await connect(host, 'Claude Code', true)
  await connect(host, 'Pi', false)
  for (const agent of ['claude-code', 'pi', 'stranger'])
    appendToSpool(spoolPath(home.path, 's', agent), aLine(`from ${agent}`))
  const { parts } = await host.client['data.sizes']({})
  expect(parts.find(({ id }) => id === 'inbox')).toMatchObject({ files: 3 })
  await until(() => eventsIn(home.path).length > 0)
  expect(eventsIn(home.path)).toEqual([expect.stringContaining('from claude-code')])
  expect(spooled(home.path, 'pi')).toEqual([])
  expect(spooled(home.path, 'stranger')).toEqual([])
  expect(host.mistakes()).toEqual([])
})

test('a terminal command leaves the spool alone, but forgets what waits there', async () => {
  using home = aHome()
  await using host = await aHost(home.path, { hosting: 'cli' })
  const { client } = host
  await connect(host, 'Claude Code', true)
  const { revisions } = await client['memory.add']({ target: 'user', text: 'Has a dog called Rexolin.' })
  appendToSpool(spoolPath(home.path), aLine('Has a dog called Rexolin.'), aLine('Use tabs.'))
  await client['memory.view']({})
  expect(spooled(home.path)).toEqual(['s1.jsonl'])
  const ids = [revisions[0]!.entryId]
  const { texts } = await client['memory.forgetPlan']({ ids })
  expect((await client['memory.forgetForGood']({ ids, texts })).left).toEqual([])
  expect(eventsIn(home.path)).toEqual([expect.stringContaining('Use tabs.')])
  expect(spooled(home.path)).toEqual([])
  expect(existsSync(join(home.path, 'inbox'))).toBe(true)
})
