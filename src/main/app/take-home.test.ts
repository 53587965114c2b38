import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mirrorHome } from '../data/mirror-home.ts'
import { takeHome } from './take-home.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'talaria-take-'))
  writeFileSync(join(home, 'config.yaml'), 'config_version: 4\n')
  mkdirSync(join(home, 'models'))
  writeFileSync(join(home, 'models', 'tea.gguf'), 'GGUF')
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const parts = { now: Date.now, onTaken: () => {} }

test('a home that can be written is held as it is, and freed', () => {
  const held = takeHome(home, parts)
  expect([held.path, held.reading]).toEqual([home, undefined])
  expect(() => takeHome(home, parts)).toThrow('already running')
  held.close()
  takeHome(home, parts).close()
})

test('on a full disk the host works on a copy, which is gone afterwards while the models stay', () => {
  const held = takeHome(home, { ...parts, roomIn: () => 4_096 })
  expect(held.reading).toEqual({
    why: 'the disk is full',
    fix: 'Free some space, and Talaria continues automatically. To see what uses the space, run: talaria data size',
    isFull: true,
  })
  expect(readFileSync(join(held.path, 'models', 'tea.gguf'), 'utf8')).toBe('GGUF')
  writeFileSync(join(held.path, 'config.yaml'), 'changed')
  held.close()
  expect([existsSync(held.path), readdirSync(home).toSorted(), readdirSync(join(home, 'models'))]).toEqual([
    false,
    ['config.yaml', 'models'],
    ['tea.gguf'],
  ])
  expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toBe('config_version: 4\n')
})

test('a copy that a killed process left is removed by the next start, and one in use is not', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const left = mkdtempSync(join(tmpdir(), `talaria-reading-${pid}-`))
  writeFileSync(join(left, 'USER.md'), 'Likes tea.')
  const reading = takeHome(home, { ...parts, roomIn: () => 4_096 })
  takeHome(home, parts).close()
  expect([existsSync(left), existsSync(reading.path)]).toEqual([false, true])
  reading.close()
})

test('where the folder for temporary files is on the same full disk, the copy goes to another place, and is removed there', () => {
  const full = mkdtempSync(join(tmpdir(), 'talaria-full-'))
  const memory = mkdtempSync(join(tmpdir(), 'talaria-memory-'))
  const roomIn = (folder: string) => (folder === full ? 4_096 : 1e9)
  const { path, close } = mirrorHome(home, [full, memory], roomIn)
  expect([dirname(path), readdirSync(path)]).toEqual([memory, ['config.yaml', 'models']])
  close()
  expect([readdirSync(full), readdirSync(memory)]).toEqual([[], []])
  expect(() => mirrorHome(home, [full], roomIn)).toThrow(
    `${home} cannot be read: the disk is full. Free 5 MB for a copy in ${full}, and try again.`,
  )
})

test('an empty home on a full disk is not read, since there is nothing in it', () => {
  rmSync(join(home, 'config.yaml'))
  const held = takeHome(home, { ...parts, roomIn: () => 4_096 })
  expect(held.reading).toBe(undefined)
  held.close()
})

test('a home on a disk that is read-only opens for reading', context => {
  const bwrap = '/usr/bin/bwrap'
  const bound = ['--dev-bind', '/', '/', '--ro-bind', home, home]
  try {
    execFileSync(bwrap, [...bound, 'true'])
  } catch {
    return context.skip('bubblewrap cannot bind a folder here')
  }
  const script = `
    import { takeHome } from ${JSON.stringify(pathToFileURL(fileURLToPath(new URL('take-home.ts', import.meta.url))))}
    const held = takeHome(${JSON.stringify(home)}, { now: Date.now, onTaken() {} })
    console.log(held.reading?.why)
    held.close()`
  const out = execFileSync(bwrap, [
    ...bound,
    process.execPath,
    '--input-type=module-typescript',
    '-e',
    script,
  ])
  expect(String(out)).toBe('the disk is read-only\n')
})
