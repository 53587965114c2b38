import { execFile } from 'node:child_process'
import { Writable } from 'node:stream'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'
import { rootFolder } from '../../lib/disk/shipped-files.ts'
import { watchOutput } from './watch-output.ts'

const cli = join(rootFolder(), 'out/main/cli.js')
const hasFullDevice = existsSync('/dev/full')

/** Where the commands begin: instructions in the folder of this repository would be told beside the output. */
const emptyFolder = mkdtempSync(join(tmpdir(), 'talaria-output-'))
afterAll(() => rmSync(emptyFolder, { recursive: true, force: true }))

/** Run a command with its outputs where the words of a shell say. */
const into = (where: string, args: string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>(resolve => {
    const words = ['-c', `exec "$@" < /dev/null ${where}`, 'sh', process.execPath, cli, ...args]
    execFile(
      '/bin/sh',
      words,
      { cwd: emptyFolder, env: { ...process.env, NO_COLOR: '1', INIT_CWD: emptyFolder } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })

const FULL = 'The output could not be written: the disk is full.\n'

describe.runIf(hasFullDevice).concurrent('on a full disk', () => {
  test.for(
    [
      ['version'],
      ['version', '--json'],
      ['--help'],
      ['--version'],
      ['chats', '--help'],
      ['completion', 'bash'],
      ['config', 'get', 'ui.theme'],
      ['chats', 'list', '--json'],
      ['doctor', '--json'],
    ].map(words => [words.join(' ')] as const),
  )('talaria %s says so in one line and exits with 1', async ([words], { talaria, expect }) => {
    const { code, stderr } = await into('> /dev/full', [...words.split(' '), '--home', talaria.folder()])
    expect([code, stderr]).toEqual([1, FULL])
  })

  test('an answer that cannot be written is said, and the chat keeps it', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome()
    model.reply({ text: 'An answer.' })
    const { code, stderr } = await into('> /dev/full', ['chat', '-q', 'Hello?', '--home', home])
    expect([code, stderr]).toEqual([1, FULL])
    const { stdout } = await talaria.run(['search', 'Hello', '--home', home])
    expect(stdout).toContain('Hello?')
  })

  test('a mistake in the command is told as ever, since nothing else had to be written', async ({
    expect,
  }) => {
    const { code, stderr } = await into('> /dev/full', ['chats', 'lsit'])
    expect([code, stderr.split('\n')[0]]).toEqual([2, "error: unknown command 'lsit'"])
    expect(stderr).not.toContain('disk')
  })

  test('notes that cannot be written leave the answer whole, and the code 1', async ({ talaria, expect }) => {
    const { home, model } = await talaria.servedHome({ ui: { theme: 'purple' } })
    model.reply({ text: 'An answer.' })
    const { code, stdout } = await into('2> /dev/full', ['chat', '-q', 'Hello?', '--home', home])
    expect([code, stdout]).toEqual([1, 'An answer.\n'])
  })
})

test('a reader that left is not spoken of, and the code is 1', async ({ talaria, expect }) => {
  const child = talaria.start(['--help'])
  child.child.stdout!.destroy()
  const { code, stderr } = await child.ended
  expect(stderr).toBe('')
  expect([0, 1]).toContain(code)
})

test('of many writes that fail, one line is said', async ({ expect }) => {
  let said = ''
  const failing = (code: string) =>
    new Writable({
      autoDestroy: false,
      write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
    })
  const stdout = failing('EIO')
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      said += chunk.toString()
      done()
    },
  })
  const output = watchOutput({ stdout, stderr })
  for (let count = 0; count < 5; count++) stdout.write('text')
  expect(await output.finish()).toBe(false)
  expect(said).toBe('The output could not be written: the system says EIO.\n')
})
