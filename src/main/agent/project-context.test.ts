import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectContext } from './project-context.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'talaria-project-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text)

test('a project without instructions has none, and neither has a missing folder', async () => {
  expect(await projectContext(folder, 100)).toBeUndefined()
  expect(await projectContext(join(folder, 'gone'), 100)).toBeUndefined()
})

test('the first file with a usual name is used, and an empty one is skipped', async () => {
  write('.cursorrules', 'cursor')
  write('CLAUDE.md', 'claude')
  expect(await projectContext(folder, 100)).toEqual({ file: 'CLAUDE.md', text: 'claude' })
  write('AGENTS.md', ' \n')
  expect(await projectContext(folder, 100)).toEqual({ file: 'CLAUDE.md', text: 'claude' })
  write('AGENTS.md', '\uFEFFagents')
  expect(await projectContext(folder, 100)).toEqual({ file: 'AGENTS.md', text: 'agents' })
})

test('a long file is cut between characters, and says so', async () => {
  write('AGENTS.md', '€'.repeat(1_000_000))
  expect(await projectContext(folder, 10)).toEqual({
    file: 'AGENTS.md',
    text: `${'€'.repeat(10)}\n[cut here: the file goes on]`,
  })
  write('AGENTS.md', '🙂'.repeat(100))
  const { text } = (await projectContext(folder, 5))!
  expect([text.isWellFormed(), text.startsWith('🙂🙂')]).toEqual([true, true])
})

test('a file that is not text is skipped', async () => {
  write('AGENTS.md', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0]))
  mkdirSync(join(folder, 'CLAUDE.md'))
  write('.cursorrules', 'rules')
  expect(await projectContext(folder, 100)).toEqual({ file: '.cursorrules', text: 'rules' })
})

test.skipIf(process.platform === 'win32')('a pipe does not block', async () => {
  expect(spawnSync('mkfifo', [join(folder, 'AGENTS.md')]).status).toBe(0)
  expect(await projectContext(folder, 100)).toBeUndefined()
})

test.skipIf(process.platform === 'win32')('a link is followed only within the project', async () => {
  const project = join(folder, 'project')
  mkdirSync(join(project, 'docs'), { recursive: true })
  writeFileSync(join(project, 'docs', 'agents.md'), 'inside')
  write('secret', 'outside')
  symlinkSync(join('..', 'secret'), join(project, 'AGENTS.md'))
  symlinkSync(join('docs', 'agents.md'), join(project, 'CLAUDE.md'))
  expect(await projectContext(project, 100)).toEqual({ file: 'CLAUDE.md', text: 'inside' })
  symlinkSync('project', join(folder, 'by-link'))
  expect(await projectContext(join(folder, 'by-link'), 100)).toEqual({ file: 'CLAUDE.md', text: 'inside' })
  rmSync(join(project, 'CLAUDE.md'))
  symlinkSync('CLAUDE.md', join(project, 'CLAUDE.md'))
  expect(await projectContext(project, 100)).toBeUndefined()
})

test('an unreadable file is skipped', async context => {
  context.skip(process.getuid?.() === 0, 'root may read every file')
  write('AGENTS.md', 'agents')
  chmodSync(join(folder, 'AGENTS.md'), 0)
  expect(await projectContext(folder, 100)).toBeUndefined()
})
