import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { onPseudoTerminal } from './pseudo-terminal.ts'

const words = ['/a b/node', "it's", '$HOME']
const command = `stty cols 90; exec '/a b/node' 'it'\\''s' '$HOME'`

test('Linux gives `script` the command as one text', () => {
  expect(onPseudoTerminal(words, 90, 'linux')).toEqual({
    program: 'script',
    args: ['-qec', command, '/dev/null'],
  })
})

test('Windows says why not', () => {
  expect(onPseudoTerminal(words, 90, 'win32')).toEqual({
    whyNot: 'Windows has no program that gives a pseudo-terminal',
  })
})

test.skipIf(process.platform === 'win32')(
  'macOS gives `script` words behind the file, and a pipe as its input',
  () => {
    const start = onPseudoTerminal(words, 90, 'darwin')
    if ('whyNot' in start) throw new Error(start.whyNot)
    // A stand-in that prints its arguments and its input, one per line, and the kind of its input.
    const folder = mkdtempSync(join(tmpdir(), 'terminal-'))
    try {
      const script = join(folder, 'script')
      writeFileSync(script, '#!/bin/sh\nprintf "%s\\n" "$@"\n[ -p /dev/stdin ] && echo pipe\ncat\nexit 3\n')
      chmodSync(script, 0o755)
      const { stdout, status } = spawnSync(start.program, start.args, {
        env: { ...process.env, PATH: `${folder}${delimiter}${process.env['PATH']}` },
        input: 'typed',
        encoding: 'utf8',
      })
      expect(stdout.split('\n')).toEqual(['-q', '/dev/null', '/bin/sh', '-c', command, 'pipe', 'typed'])
      expect(status).toBe(3)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)
