import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { aChat, aStore, user } from '../../../../testing/db/a-store.ts'
import { prepareConnection } from '../connection.ts'
import { migrations } from '../migrations/all-migrations.ts'
import { readOptions, readProjectOptions, takeOptions } from './session-options.ts'

test('a change of one option leaves the others, and null takes one of others back', () => {
  using store = aStore()
  const { id } = aChat(store, {
    approval: 'reads',
    toolsets: { web: false },
    options: { tone: 'warm', calls: 3 },
  })
  store.sessions.update(id, { personality: 'brief' })
  store.sessions.update(id, { toolsets: {}, options: { calls: null } })
  store.sessions.update(id, { draft: 'Tea', instructions: undefined })
  expect(store.sessions.get(id)).toMatchObject({
    approval: 'reads',
    toolsets: {},
    personality: 'brief',
    instructions: '',
    options: { tone: 'warm' },
    draft: 'Tea',
  })
})

test('a copy of a chat has its options', async () => {
  using store = aStore()
  const { id } = aChat(store, { approval: 'full', instructions: 'Be brief.', options: { tone: 'warm' } })
  const { id: at } = store.messages.append(user(id, 'Tea?'))
  const copy = await store.branches.copyUpTo(id, at)
  expect(store.sessions.get(copy)).toMatchObject({
    approval: 'full',
    instructions: 'Be brief.',
    options: { tone: 'warm' },
  })
})

test('a column that cannot be read says that nothing is set', () => {
  expect(readOptions('{"approval":')).toEqual(readOptions('{}'))
  expect(takeOptions({ title: 'Tea', sampling: undefined }, () => '{"approval":"full"}')).toEqual([
    undefined,
    { title: 'Tea' },
  ])
})

test('the chats of an older home keep what was set for them, each in a column of its own until then', () => {
  const db = new Database(':memory:')
  prepareConnection(db)
  const before = migrations.findIndex(sql => sql.includes('add column options'))
  for (const sql of migrations.slice(0, before)) db.exec(sql)
  const put =
    db.prepare(`insert into sessions (id, origin, model, workspace, approval, toolsets, personality, instructions, sampling,
    created_at, updated_at) values (?, 'window', 'm', '/', ?, ?, ?, ?, ?, 1, 1)`)
  const said = 'Say “no” to "maybe".\n\tThen \\ go on: {"a": 1} 🍵\u0000end'
  put.run('all', 'none', '{"web":false,"*":true}', 'brief', said, '{"temperature":0.25,"seed":7}')
  put.run('nothing', 'chat_only', '{}', '', '', '{}')
  put.run('broken', 'full', '{"web"', '', 'Be brief.', 'null and void')
  const putProject =
    db.prepare(`insert into projects (id, name, approval, toolsets, sampling, notes, created_at, updated_at)
    values (?, ?, ?, ?, ?, 'n', 1, 1)`)
  putProject.run('p1', 'All', 'reads', '{"web":true}', '{"topK":4}')
  putProject.run('p2', 'Nothing', null, '{}', '{}')
  putProject.run('p3', 'Broken', null, '{"web"', '')
  const made = () => db.prepare("select name from pragma_table_info('sessions')").pluck().all()
  for (const sql of migrations.slice(before)) db.exec(sql)
  const rows = db.prepare('select id, options from sessions order by id').all() as {
    id: string
    options: string
  }[]
  expect(Object.fromEntries(rows.map(({ id, options }) => [id, readOptions(options)]))).toEqual({
    all: {
      approval: 'none',
      toolsets: { web: false, '*': true },
      personality: 'brief',
      instructions: said,
      sampling: { temperature: 0.25, seed: 7 },
      decider: null,
    },
    nothing: { ...readOptions('{}'), approval: 'chat_only' },
    broken: { ...readOptions('{}'), approval: 'full', instructions: 'Be brief.' },
  })
  const ofProjects = db.prepare('select options from projects order by id').pluck().all() as string[]
  expect(ofProjects.map(readProjectOptions)).toEqual([
    { approval: 'reads', toolsets: { web: true }, sampling: { topK: 4 } },
    { approval: null, toolsets: {}, sampling: {} },
    { approval: null, toolsets: {}, sampling: {} },
  ])
  for (const column of ['approval', 'toolsets', 'personality', 'instructions', 'sampling'])
    expect(made()).not.toContain(column)
  db.close()
})
