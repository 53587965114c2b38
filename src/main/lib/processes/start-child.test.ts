import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startChild } from './start-child.ts'

const codeOf = async (child: ReturnType<typeof startChild>) => {
  const [error] = (await once(child, 'error')) as [NodeJS.ErrnoException]
  return error.code
}

test('a program that is missing, too long a command and a folder that is none are errors of the child', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'talaria-start-child-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const node = process.execPath
  expect(await codeOf(startChild('/none', [], {}))).toBe('ENOENT')
  expect(await codeOf(startChild(node, ['x'.repeat(5_000_000)], {}))).toBe('E2BIG')
  expect(await codeOf(startChild(node, [], { cwd: file }))).toBe('ENOTDIR')
  const child = startChild(node, ['--version'], { stdio: ['pipe', 'pipe', 'pipe'] })
  expect((await once(child, 'close'))[0]).toBe(0)
})

test.skipIf(process.platform === 'win32')(
  'without descriptors it has no pipes, and nothing else ends',
  async () => {
    const code = `
    const { startChild } = await import(${JSON.stringify(import.meta.resolve('./start-child.ts'))})
    const { openSync } = await import('node:fs')
    try { for (;;) openSync('/dev/null') } catch {}
    const child = startChild(process.execPath, ['--version'], { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
    child.on('error', error => { console.log(error.code, child.stdin, child.stdout, child.stdio.every(each => each === null)) })`
    const limited = [
      '-c',
      'ulimit -n 64; exec "$@"',
      'sh',
      process.execPath,
      '--input-type=module',
      '-e',
      code,
    ]
    const { stdout } = await promisify(execFile)('/bin/sh', limited)
    expect(stdout).toBe('EMFILE null null true\n')
  },
)
