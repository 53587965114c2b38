import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { isRefusal } from '../../lib/expected-errors.ts'
import { createCodexParser } from './codex-file.ts'
import { readSessionFile } from './read-session.ts'
import { listSessionFiles } from './session-places.ts'
import type { SessionParser } from './session-steps.ts'

const never = new AbortController().signal

function aUser(files: Record<string, string | Buffer>) {
  const user = mkdtempSync(join(tmpdir(), 'talaria-user-'))
  let time = 1_790_000_000
  for (const [name, text] of Object.entries(files)) {
    const path = join(user, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    utimesSync(path, time, time++)
  }
  return { user, [Symbol.dispose]: () => rmSync(user, { recursive: true, force: true }) }
}

const UUID = '0199f5a0-1111-7222-8333-444455556666'

test('sessions are found where each program keeps them, the newest first, and nothing else', async () => {
  using home = aUser({
    '.claude/projects/-home-ada/aaaa-1.jsonl': '',
    '.claude/projects/-home-ada/aaaa-2.jsonl': '',
    '.claude/projects/-home-ada/memory/MEMORY.md': '',
    '.claude/projects/-home-ada/aaaa-2/subagents/agent-x.jsonl': '',
    '.claude/projects/-home-ada/bad name!.jsonl': '',
    '.claude/history.jsonl': '',
    '.pi/agent/sessions/--home-ada--/2026-11-01T10-00-00_p_1.jsonl': '',
    [`.codex/sessions/2026/11/01/rollout-2026-11-01T10-00-00-${UUID}.jsonl`]: '',
    '.codex/sessions/2026/11/01/other.jsonl': '',
    'elsewhere/secret.jsonl': '',
  })
  symlinkSync(
    join(home.user, 'elsewhere', 'secret.jsonl'),
    join(home.user, '.claude/projects/-home-ada/link.jsonl'),
  )
  symlinkSync(join(home.user, 'elsewhere'), join(home.user, '.claude/projects/linked'))
  const ids = async (program: 'claude-code' | 'pi' | 'codex', env = {}) =>
    (await listSessionFiles(program, { user: home.user, env }, never)).map(({ id }) => id)
  expect(await ids('claude-code')).toEqual(['aaaa-2', 'aaaa-1'])
  expect(await ids('pi')).toEqual(['p_1'])
  expect(await ids('codex')).toEqual([UUID])
  expect(await ids('claude-code', { CLAUDE_CONFIG_DIR: join(home.user, 'none') })).toEqual([])
  expect(await ids('pi', { PI_CODING_AGENT_DIR: join(home.user, '.pi', 'agent') })).toEqual(['p_1'])
  expect(await ids('codex', { CODEX_HOME: 'relative' })).toEqual([UUID])
})

/** A parser that records its input. */
function noting() {
  const lines: (number | undefined)[] = []
  const parser: SessionParser = {
    take: line => void lines.push(line?.length),
    end: () => ({ folder: '', model: '', steps: [], results: new Map() }),
  }
  return { parser, lines }
}

test('a line of megabytes is passed over, a last one without its end is read, and other work gets its turn', async () => {
  using home = aUser({ 'a.jsonl': `one\n${'x'.repeat(3_000_000)}\n\nlast` })
  const { parser, lines } = noting()
  let turns = 0
  const others = setInterval(() => turns++, 0)
  const read = await readSessionFile(join(home.user, 'a.jsonl'), parser, never)
  clearInterval(others)
  expect(lines).toEqual([3, undefined, 0, 4])
  expect(read).toMatchObject({ isCut: false })
  expect(turns).toBeGreaterThan(0)
})

test('a packed rollout is unpacked; one that is damaged, gone, or a link says so', async () => {
  const text = `${JSON.stringify({ type: 'event_msg', payload: { type: 'user_message', message: 'Hello.' } })}\n`
  const packed = zstdCompressSync(text)
  using home = aUser({
    'a.jsonl.zst': packed,
    'b.jsonl.zst': packed.subarray(0, 20),
    'c.jsonl.zst': 'rubbish',
  })
  const read = (name: string) => readSessionFile(join(home.user, name), createCodexParser(), never)
  const whole = await read('a.jsonl.zst')
  expect(isRefusal(whole) ? whole : whole.steps).toMatchObject([{ kind: 'said', text: 'Hello.' }])
  expect(await read('b.jsonl.zst')).toEqual({ refused: 'it is damaged' })
  expect(await read('c.jsonl.zst')).toEqual({ refused: 'it is damaged' })
  expect(await read('gone.jsonl')).toEqual({ refused: 'its folder does not exist' })
  symlinkSync(join(home.user, 'a.jsonl.zst'), join(home.user, 'link.jsonl'))
  expect(isRefusal(await read('link.jsonl'))).toBe(true)
})

test('a packed file that unpacks to more than is read ends there', async () => {
  using home = aUser({ 'a.jsonl.zst': zstdCompressSync(`${'x'.repeat(999)}\n`.repeat(5_000)) })
  const { parser, lines } = noting()
  const path = join(home.user, 'a.jsonl.zst')
  expect(await readSessionFile(path, parser, never, 1_000_000)).toMatchObject({ isCut: true })
  expect(lines.length).toBeGreaterThan(900)
  expect(lines.length).toBeLessThan(1_500)
})

test('reading stops when nobody wants it any more', async () => {
  using home = aUser({ 'a.jsonl': 'one\ntwo\n' })
  const stop = new AbortController()
  stop.abort()
  await expect(readSessionFile(join(home.user, 'a.jsonl'), noting().parser, stop.signal)).rejects.toThrow()
})
