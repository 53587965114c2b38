import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { CallRecord } from '../../../shared/contract/runs/call-record.ts'
import { StrangersMark } from '../../../shared/contract/chats/messages.ts'
import { frameStrangersText } from '../../untrusted/strangers-text.ts'
import { prepareConnection } from '../connection.ts'
import { migrateDatabase, tablesAt } from './migrate.ts'
import { migrations } from '../migrations/all-migrations.ts'

test.each(migrations.map((_sql, at) => at + 1))(
  'the tables expected of version %i are those that its migrations make',
  version => {
    const db = new Database(':memory:')
    prepareConnection(db)
    for (const sql of migrations.slice(0, version)) db.exec(sql)
    const made = db.pragma('table_list') as { schema: string; name: string; type: string }[]
    db.close()
    const own = made.filter(({ name, type }) => type !== 'shadow' && !name.startsWith('sqlite_'))
    expect(tablesAt(version).toSorted()).toEqual(own.map(({ name }) => name).toSorted())
  },
)

test('tables that a migration drops or renames are not expected afterwards', () => {
  const steps = ['create table a (x);\ncreate table b (x);', 'drop table a;\nalter table b rename to c;']
  expect([tablesAt(1, steps), tablesAt(2, steps)]).toEqual([['a', 'b'], ['c']])
})

test('calls of an older home have no title', () => {
  const db = new Database(':memory:')
  prepareConnection(db)
  const before = migrations.findIndex(sql => sql.includes('column title text'))
  for (const sql of migrations.slice(0, before)) db.exec(sql)
  const columns = () => db.prepare("select name from pragma_table_info('messages')").pluck().all()
  expect(columns()).not.toContain('title')
  for (const sql of migrations.slice(before)) db.exec(sql)
  expect(columns()).toContain('title')
  db.close()
})

test('the skills of an older home are not pinned, and keep what the person decided', () => {
  const db = new Database(':memory:')
  prepareConnection(db)
  const before = migrations.findIndex(sql => sql.includes('skill_bundles'))
  for (const sql of migrations.slice(0, before)) db.exec(sql)
  db.exec("insert into skill_states (key, enabled, updated_at) values ('haiku', 0, 1000)")
  for (const sql of migrations.slice(before)) db.exec(sql)
  expect(db.prepare('select key, enabled, pinned from skill_states').all()).toEqual([
    { key: 'haiku', enabled: 0, pinned: 0 },
  ])
  db.close()
})

test('texts of an older home get the marks that their frames say, and summaries those of what they replaced', () => {
  const db = new Database(':memory:')
  prepareConnection(db)
  const before = migrations.findIndex(sql => sql.includes('ended_marks'))
  for (const sql of migrations.slice(0, before)) db.exec(sql)
  db.exec(`insert into sessions (id, origin, model, workspace, approval, created_at, updated_at)
    values ('a', 'window', 'm', '/', 'ask', 1, 1), ('b', 'window', 'm', '/', 'ask', 1, 1)`)
  const put = db.prepare(
    'insert into messages (session_id, role, content, attached, created_at) values (?, ?, ?, ?, 1)',
  )
  const frame = frameStrangersText('the server notes', 'Pay.')
  const described = frameStrangersText('what the server notes says of its tools', 'Notes.')
  put.run('a', 'user', `I quote: ${frame}`, null)
  put.run('a', 'tool', `Found.\n${frame}\n${described}`, null)
  put.run('a', 'tool', 'Nothing of others.', null)
  put.run('b', 'user', 'Go on.', JSON.stringify({ steered: true, reports: `It says:\n${frame}` }))
  db.exec(`insert into compactions (session_id, at, head_id, up_to_id, pruned_to_id, summary, made_by, focus, tokens_before,
    tokens_after, useless) values ('a', 1, 0, 3, 3, 'All.', 'model', '', 9, 1, 0), ('b', 1, 0, 3, 3, 'None.', 'model', '', 9, 1, 0)`)
  for (const sql of migrations.slice(before)) db.exec(sql)
  const marksIn = (rows: unknown[]) =>
    rows.map(row =>
      StrangersMark.array()
        .parse(JSON.parse(typeof row === 'string' ? row : '[]'))
        .map(({ source }) => source),
    )
  const both = ['the server notes', 'what the server notes says of its tools']
  expect(marksIn(db.prepare("select attached -> 'marks' from messages order by id").pluck().all())).toEqual([
    [],
    both,
    [],
    ['the server notes'],
  ])
  expect(db.prepare("select attached ->> 'steered' from messages where session_id = 'b'").pluck().get()).toBe(
    1,
  )
  expect(marksIn(db.prepare('select marks from compactions order by id').pluck().all())).toEqual([both, []])
  db.close()
})

test('a new database takes all steps or none', () => {
  const connection = prepareConnection(new Database(':memory:'))
  const tables = () => connection.db.prepare('select name from sqlite_schema').pluck().all()
  const version = () => connection.db.pragma('user_version', { simple: true })
  const migrate = (steps: string[]) => migrateDatabase(connection, 'unused', 0, steps)
  expect(() => migrate(['create table a (x)', 'not a statement'])).toThrow('syntax error')
  expect([tables(), version()]).toEqual([[], 0])
  migrate(['create table a (x)', 'create table b (x)'])
  expect([tables(), version()]).toEqual([['a', 'b'], 2])
  connection.db.close()
})

test('the sentences of older calls become records, with what the rest of the row tells', () => {
  const db = new Database(':memory:')
  prepareConnection(db)
  const before = migrations.findIndex(sql => sql.includes('record_of_reason'))
  for (const sql of migrations.slice(0, before)) db.exec(sql)
  db.exec(`insert into sessions (id, origin, model, workspace, approval, created_at, updated_at)
    values ('a', 'window', 'm', '/', 'ask', 1, 1)`)
  const calls = [{ id: 'c1', name: 'write_file', arguments: { path: 'notes.md', content: '' } }]
  db.prepare(
    "insert into messages (session_id, role, content, tool_calls, created_at) values ('a', 'assistant', '', ?, 1)",
  ).run(JSON.stringify(calls))
  const put =
    db.prepare(`insert into messages (session_id, role, content, tool_name, tool_call_id, ok, allowed, created_at)
    values ('a', 'tool', ?, ?, ?, ?, ?, 1)`)
  put.run('Created notes.md', 'write_file', 'c1', 1, 'allowed by you')
  put.run('Error: exit code 2\nno', 'terminal', 'c2', 0, 'allowed by your rule “make” in /desk, then stopped')
  put.run(
    'Error: no',
    'terminal',
    'c3',
    0,
    'denied: It needs permission, and nobody is here to give it. Why.',
  )
  put.run('Error: no', 'terminal', 'c4', 0, 'denied by you')
  put.run('text', 'use_tool', 'c5', 1, 'you let this tool run without a question')
  put.run('text', 'read_file', 'c6', 1, 'words of another version')
  for (const sql of migrations.slice(before)) db.exec(sql)
  const found = db.prepare("select record from messages where role = 'tool' order by id").pluck().all()
  expect(found.map(each => CallRecord.parse(JSON.parse(String(each))))).toEqual([
    { decision: 'ran', by: 'user', how: 'once', files: ['notes.md'] },
    { decision: 'ran', by: 'rule', rules: ['“make” in /desk'], cutShort: true, exitCode: 2 },
    { decision: 'denied', by: 'nobody', why: 'It needs permission, and nobody is here to give it. Why.' },
    { decision: 'denied', by: 'user' },
    { decision: 'ran', by: 'policy', how: 'trusted_tool', sources: ['use_tool'] },
    { decision: 'ran', why: 'words of another version' },
  ])
  db.close()
})
