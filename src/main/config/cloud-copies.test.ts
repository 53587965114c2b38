import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeCloudTraces, findCloudTraces } from './cloud-copies.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'talaria-cloud-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function aHomeIn(...path: string[]): string {
  const home = join(folder, ...path, 'talaria')
  mkdirSync(home, { recursive: true })
  return home
}

test.each([
  'state (conflicted copy 2026-11-29).db',
  "state (Anna's conflicted copy 2026-11-29).db",
  'state.sync-conflict-20261129-101010-ABCDEFG.db',
  'state 2.db',
  'state (1).db',
  'state-LAPTOP.db',
  'state_conflict-20261129-101010.db',
  'state (Konfliktkopie von Anna).db',
  'state - Copy.db',
  'state.db.conflict',
  'config (1).yaml',
  'permissions.sync-conflict-20261129-101010-ABCDEFG.json',
])('a copy that another program made is named: %s', name => {
  const home = aHomeIn()
  for (const each of [name, 'state.db']) writeFileSync(join(home, each), '')
  expect(findCloudTraces(home).copies).toEqual([name])
  expect(describeCloudTraces(findCloudTraces(home))?.text).toContain(name)
})

test('our own files are no copies', () => {
  const home = aHomeIn()
  const own = [
    'state.db',
    'state.db-wal',
    'state.db-shm',
    'state.safe.db',
    'state.safe-2.db',
    'config.yaml',
    '.env',
    '.lock',
    '.lock.computer',
    'memories',
    'window.json',
    'keys.json',
    'page-entry.json',
  ]
  for (const name of own) writeFileSync(join(home, name), '')
  expect(findCloudTraces(home).copies).toEqual([])
})

test.each([
  ['Dropbox', 'Dropbox'],
  ['OneDrive - Example Ltd', 'OneDrive'],
  ['Google Drive', 'Google Drive'],
  ['Mobile Documents', 'iCloud Drive'],
  ['Nextcloud', 'Nextcloud'],
])('a folder of a service is recognised: %s', (name, service) => {
  expect(findCloudTraces(aHomeIn(name, 'things')).service).toBe(service)
})

test('a folder that holds the mark of a service is one too, and any other is none', () => {
  const home = aHomeIn('shared')
  expect(describeCloudTraces(findCloudTraces(home))).toBe(undefined)
  mkdirSync(join(folder, 'shared', '.stfolder'))
  expect(findCloudTraces(home).service).toBe('Syncthing')
})
