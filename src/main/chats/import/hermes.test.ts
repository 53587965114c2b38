import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encode } from 'iconv-lite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ImportPiece } from './import-source.ts'
import { aHermesHome } from '../../../../testing/chats/a-hermes-home.ts'
import { openImport } from './open-import.ts'

let root: string
let home: string
let scratch: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'talaria-hermes-'))
  home = join(root, '.hermes')
  scratch = join(root, 'scratch')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

async function piecesOf(path: string): Promise<ImportPiece[]> {
  const source = await openImport(path, { scratch, now: () => 1_800_000_000_000 })
  expect(source.kind).toBe('hermes')
  return Array.fromAsync(source.read(new AbortController().signal))
}
const skipsOf = (pieces: ImportPiece[]) => pieces.flatMap(piece => ('skip' in piece ? [piece.skip] : []))
const chatsOf = (pieces: ImportPiece[]) => pieces.flatMap(piece => ('chat' in piece ? [piece.chat] : []))

test('notes and sessions are imported, including what is still in the write-ahead log of an open database', async () => {
  const owner = aHermesHome(home, {
    user: 'Lives in Bern.\n§\nUses pnpm.',
    memory: 'The server listens on 8443.',
    sessions: [
      { id: 's2', parent: 's1', at: 1_700_000_500 },
      { id: 's1', title: 'Ports', at: 1_700_000_000 },
    ],
    said: [
      { session: 's1', role: 'user', content: 'Which port?', at: 1_700_000_010 },
      { session: 's1', role: 'assistant', content: '8443.', at: 1_700_000_020.5 },
      { session: 's2', role: 'user', content: 'And now?' },
    ],
  })
  expect(existsSync(join(home, 'state.db-wal'))).toBe(true)
  const before = readdirSync(home)
  const pieces = await piecesOf(home)
  expect(pieces.flatMap(piece => ('memory' in piece ? [piece.memory] : []))).toEqual([
    { target: 'memory', text: 'The server listens on 8443.' },
    { target: 'user', text: 'Lives in Bern.' },
    { target: 'user', text: 'Uses pnpm.' },
  ])
  expect(chatsOf(pieces)).toMatchObject([
    {
      key: 'hermes:s1',
      parentKey: null,
      title: 'Ports',
      createdAt: 1_700_000_000_000,
      updatedAt: 1_700_000_020_500,
      messages: [{ text: 'Which port?' }, { text: '8443.', at: 1_700_000_020_500, model: 'hermes-4' }],
    },
    { key: 'hermes:s2', parentKey: 'hermes:s1', title: '' },
  ])
  expect(readdirSync(home)).toEqual(before)
  expect(readdirSync(scratch)).toEqual([])
  owner.close()
})

test('a closed database is not changed by a byte, and no file appears beside it', async () => {
  aHermesHome(home, {
    sessions: [{ id: 's' }],
    said: [{ session: 's', role: 'user', content: 'hi' }],
  }).close()
  const before = readFileSync(join(home, 'state.db'))
  expect(chatsOf(await piecesOf(join(home, 'state.db')))).toHaveLength(1)
  expect(readFileSync(join(home, 'state.db')).equals(before)).toBe(true)
  expect(readdirSync(home).toSorted()).toEqual(['memories', 'state.db'])
})

test('undone messages are left out, compacted ones are kept, and tools are left out', async () => {
  aHermesHome(home, {
    sessions: [{ id: 's' }],
    said: [
      { session: 's', role: 'user', content: 'old', active: 0, compacted: 1 },
      { session: 's', role: 'user', content: 'undone', active: 0 },
      { session: 's', role: 'session_meta', content: '{}' },
      { session: 's', role: 'assistant', content: '' },
      { session: 's', role: 'tool', content: '{"ok":true}' },
      { session: 's', role: 'user', content: '\0json:[{"type":"text","text":"Look:"},{"type":"image_url"}]' },
    ],
  }).close()
  const pieces = await piecesOf(home)
  expect(chatsOf(pieces)[0]?.messages.map(each => each.text)).toEqual(['old', 'Look:'])
  expect(skipsOf(pieces).map(({ what, count }) => `${count} ${what}`)).toEqual(['1 message', '1 attachment'])
})

test('an older database without newer columns is read', async () => {
  const said = [{ session: 's', role: 'user', content: 'hi' }]
  aHermesHome(home, { sessions: [{ id: 's' }], said, isOld: true }).close()
  expect(chatsOf(await piecesOf(home))).toMatchObject([{ messages: [{ text: 'hi' }] }])
})

test('notes alone can be imported, and a file that is not text is skipped', async () => {
  aHermesHome(home, { user: 'Lives in Bern.' })
  const path = join(home, 'memories', 'USER.md')
  expect(await piecesOf(path)).toEqual([{ memory: { target: 'user', text: 'Lives in Bern.' } }])
  writeFileSync(path, Buffer.from([0x00, 0x01, 0x02, 0xff]))
  expect(await piecesOf(home)).toEqual([
    { skip: { what: 'USER.md', why: expect.stringContaining('it is not UTF-8 text') as string, count: 1 } },
  ])
})

test('notes in UTF-16 or an older encoding are read where that is certain, else skipped with the reason', async () => {
  aHermesHome(home, { user: 'x' })
  const path = join(home, 'memories', 'USER.md')
  const text = 'Живёт в Берне, пьёт зелёный чай.\r\n§\r\nРаботает в библиотеке.\r\n'
  const entries = ['Живёт в Берне, пьёт зелёный чай.', 'Работает в библиотеке.']
  for (const bytes of [Buffer.from(`\ufeff${text}`, 'utf16le'), encode(text, 'windows-1251')]) {
    writeFileSync(path, bytes)
    const brought = (await piecesOf(home)).flatMap(piece => ('memory' in piece ? [piece.memory.text] : []))
    expect(brought).toEqual(entries)
  }
  writeFileSync(path, Buffer.from([0x41, 0xb5, 0x0a]))
  expect(skipsOf(await piecesOf(home))).toMatchObject([
    { what: 'USER.md', why: expect.stringContaining('UTF-8') },
  ])
})

test('times in milliseconds, a missing title and a role that is unknown do not stop a chat', async () => {
  aHermesHome(home, {
    sessions: [{ id: 's1', at: 1_700_000_000_000 }],
    said: [
      { session: 's1', role: 'user', content: 'Which port?', at: 1_700_000_010_000 },
      { session: 's1', role: 'developer', content: 'Be short.' },
      {
        session: 's1',
        role: 'assistant',
        content: '\0json:[{"type":"text","text":"8443."},{"type":"image"}]',
      },
      { session: 's1', role: 'assistant', content: '\0json:{broken' },
    ],
  }).close()
  const pieces = await piecesOf(home)
  expect(chatsOf(pieces)).toMatchObject([
    {
      createdAt: 1_700_000_000_000,
      messages: [{ at: 1_700_000_010_000 }, { text: '8443.' }, { role: 'assistant' }],
    },
  ])
  expect(skipsOf(pieces)).toMatchObject([{ what: 'attachment', count: 1 }])
})

test('a damaged database is read as far as possible, and another kind of database is skipped', async () => {
  const long = 'word '.repeat(200)
  const sessions = Array.from({ length: 200 }, (_, n) => ({ id: `s${n}`, at: 1_700_000_000 + n }))
  const said = sessions.map(({ id }) => ({ session: id, role: 'user', content: long }))
  aHermesHome(home, { sessions, said }).close()
  const path = join(home, 'state.db')
  const bytes = readFileSync(path)
  bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 20_000)
  writeFileSync(path, bytes)
  const pieces = await piecesOf(home)
  expect(skipsOf(pieces)).toMatchObject([
    { what: 'state.db', why: expect.stringContaining('damaged') as string },
  ])
  writeFileSync(path, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(80)]))
  expect(await piecesOf(path)).toMatchObject([{ skip: { what: 'state.db' } }])
})
