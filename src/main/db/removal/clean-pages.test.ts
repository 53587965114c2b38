import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aFolder } from '../../../../testing/db/a-store.ts'
import { createPageCleaner } from './clean-pages.ts'
import { openConnection } from '../connection.ts'
import { cleanPage } from './page-layout.ts'

/** A database whose rows of any size are added, grow and are deleted, without overwriting anything. */
function aWornDatabase() {
  const folder = aFolder()
  const connection = openConnection(join(folder.path, 'worn.db'))
  const { db } = connection
  db.pragma('secure_delete = off')
  db.exec(`create table plain (id integer primary key, text text);
    create table keyed (id text primary key, text text) without rowid;
    create index by_text on plain (text)`)
  const cleaner = createPageCleaner(connection)
  return {
    ...connection,
    cleaner,
    bytes: () => readFileSync(db.name),
    [Symbol.dispose]() {
      db.close()
      cleaner.close()
      folder[Symbol.dispose]()
    },
  }
}

const aRow = fc.record({
  id: fc.integer({ min: 1, max: 60 }),
  length: fc.oneof(fc.integer({ min: 0, max: 80 }), fc.integer({ min: 0, max: 20_000 })),
  goes: fc.boolean(),
})

test('after cleaning only what is still there is in the file', () => {
  fc.assert(
    fc.property(fc.array(aRow, { minLength: 1, maxLength: 60 }), rows => {
      using worn = aWornDatabase()
      const { db, cleaner } = worn
      for (const [at, { id, length, goes }] of rows.entries()) {
        const text = `begin${at}z${'m'.repeat(length)}finish${at}z`
        for (const [table, key] of [
          ['plain', id],
          ['keyed', `k${id}`],
        ] as const)
          if (goes) db.prepare(`delete from ${table} where id = ?`).run(key)
          else db.prepare(`insert or replace into ${table} values (?, ?)`).run(key, text)
      }
      while (cleaner.step() !== 'done');
      const kept = new Set(
        db
          .prepare<[], { text: string }>('select text from plain')
          .all()
          .map(row => row.text),
      )
      const bytes = worn.bytes()
      for (const at of rows.keys())
        for (const part of [`begin${at}z`, `finish${at}z`]) {
          const isKept = [...kept].some(text => text.includes(part))
          expect([part, bytes.includes(part)]).toEqual([part, isKept])
        }
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    }),
    { numRuns: 40 },
  )
})

test('a pass starts over when something is written in between', () => {
  using worn = aWornDatabase()
  const { db, cleaner } = worn
  const insert = db.prepare('insert into plain (text) values (?)')
  worn.atomically(() => {
    for (let n = 0; n < 4_000; n++) insert.run('x'.repeat(4_000))
  })
  db.exec('delete from plain where id % 2 = 0')
  expect(cleaner.step()).toBe('more')
  insert.run('secretly written')
  db.exec(`delete from plain where text = 'secretly written'`)
  expect(cleaner.step()).toBe('disturbed')
  while (cleaner.step() !== 'done');
  expect(worn.bytes().includes('secretly')).toBe(false)
})

test('a page that does not hold together is left as it is', () => {
  const page = Buffer.alloc(4_096, 'secret')
  const layout = { pageBytes: 4_096, usable: 4_096, pages: 3 }
  expect(() => cleanPage(page, { kind: 'tree', page: 2 }, layout)).toThrow('of the unknown type')
  // A leaf page with more cells than fit into it.
  page.set([13, 0, 0, 255, 255, 0, 100, 0])
  expect(() => cleanPage(page, { kind: 'tree', page: 2 }, layout)).toThrow('does not hold together')
  page.writeUInt32BE(9, 0)
  page.writeUInt32BE(0, 4)
  expect(() => cleanPage(page, { kind: 'trunk', page: 2 }, layout)).toThrow('leads to page 9')
  expect(page.toString('latin1', 8)).toBe('secret'.repeat(1_000).slice(8, 4_096))
})
