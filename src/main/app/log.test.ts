import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLog } from './log.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'log-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const read = () => readFileSync(join(home, 'logs', 'talaria.log'), 'utf8')
const lines = () =>
  read()
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>)

test('a line is on disk when the call returns', () => {
  const log = openLog(home)
  log.info({ sessionId: 'chat_1' }, 'started')
  const [line] = lines()
  log.close()
  expect(line).toMatchObject({ level: 'info', sessionId: 'chat_1', msg: 'started', time: expect.any(String) })
})

test('an error is written with its stack and cause', () => {
  const log = openLog(home)
  log.error({ error: new Error('outer', { cause: new Error('inner') }) }, 'unexpected')
  log.close()
  expect(lines()[0]).toMatchObject({
    level: 'error',
    error: { message: 'outer: inner', stack: expect.stringContaining('log.test') },
  })
})

test('keys and tokens are redacted, in fields and in texts', () => {
  const log = openLog(home)
  log.warn(
    {
      apiKey: 'SECRET-1',
      server: { api_key: 'SECRET-2', headers: { authorization: 'SECRET-3' } },
      error: new Error('401 from http://localhost:1/v1?api_key=SECRET-4 with Bearer SECRET-5'),
    },
    'opened http://127.0.0.1:4199/#token=SECRET-6 with sk-SECRET-7',
  )
  log.close()
  expect(read()).not.toContain('SECRET')
  expect(lines()[0]).toMatchObject({
    apiKey: '[redacted]',
    msg: expect.stringContaining('#token=[redacted]'),
  })
})

test.each([
  ['a GitHub token', 'github_pat_11ABCDEFG0aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789abcdefghijkl'],
  ['a GitLab token', 'glpat-aB3dE5fG7hJ9kL1mN3pQ'],
  ['an AWS key', 'AKIAIOSFODNN7EXAMPLE'],
  ['a Google key', 'AIzaSyA1234567890abcdefghijklmnopqrstuv'],
  ['a header', 'Zx81-secret-9f2c', 'x-api-key: Zx81-secret-9f2c'],
  ['an address', 'hunter22', 'https://anna:hunter22@example.org/repo.git'],
  ['JSON in a text', 'Zx81-secret-9f2c', '{"x-api-key":"Zx81-secret-9f2c"}'],
])('%s is redacted in a field, a text, an error and a cause', (_name, secret, text = `from ${secret} to`) => {
  const log = openLog(home)
  const error = new Error(text, { cause: new Error(text) })
  log.error({ error, details: { list: [text] } }, `It failed: ${text}`)
  log.close()
  expect(read()).not.toContain(secret)
  expect(lines()[0]).toMatchObject({ level: 'error', msg: expect.stringContaining('[redacted]') })
})

test('an error that refers to itself can be written', () => {
  const log = openLog(home)
  const error = Object.assign(new Error('round'), { request: {} })
  error.request = { again: error }
  log.error({ error }, 'unexpected')
  log.close()
  expect(lines()[0]).toMatchObject({ error: { message: 'round' } })
})

test('at most five files of one megabyte are kept, the newest lines in the first', () => {
  const log = openLog(home)
  for (let n = 0; n < 80; n += 1) log.info({ n, filler: 'x'.repeat(100_000) }, 'line')
  log.close()
  const files = readdirSync(join(home, 'logs')).toSorted()
  expect(files).toEqual(['talaria.log', ...[1, 2, 3, 4].map(n => `talaria.log.${n}`)])
  expect(files.every(file => statSync(join(home, 'logs', file)).size <= 1_000_000)).toBe(true)
  expect(lines().at(-1)).toMatchObject({ n: 79 })
})

test('a log that cannot be written blocks nothing, and later reports how many lines are missing', () => {
  writeFileSync(join(home, 'logs'), 'in the way')
  const log = openLog(home)
  log.info({}, 'lost')
  log.info({}, 'lost')
  rmSync(join(home, 'logs'))
  log.info({}, 'back')
  log.close()
  expect(lines().map(line => line['msg'])).toEqual(['back', '2 lines before this one could not be written'])
})

test('the lines of a span of time are removed from every file, and the log goes on', async () => {
  const line = (time: string, msg: string) => `${JSON.stringify({ level: 'info', time, msg })}\n`
  const log = openLog(home)
  log.info({}, 'first')
  log.close()
  const file = join(home, 'logs', 'talaria.log')
  const [before, within, after] = ['2026-01-01', '2026-01-02', '2026-01-03'].map(
    day => `${day}T00:00:00.000Z`,
  )
  for (const path of [file, `${file}.2`])
    writeFileSync(
      path,
      line(before!, 'before') + line(within!, 'within') + 'no line\n' + line(after!, 'after'),
    )
  log.info({}, 'open')
  await log.forget(Date.parse('2026-01-01T12:00Z'), Date.parse('2026-01-02T12:00Z'))
  log.info({}, 'later')
  log.close()
  expect(lines().map(each => each['msg'])).toEqual(['before', 'after', 'open', 'later'])
  expect(readFileSync(`${file}.2`, 'utf8')).toBe(line(before!, 'before') + line(after!, 'after'))
})
