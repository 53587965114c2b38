import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { Fault } from '../../shared/rpc.ts'
import { readStartOptions } from './start-options.ts'

const folder = resolve('/where/npm/was/called')
const read = (...args: string[]) => readStartOptions(args, { INIT_CWD: folder }, 'strict')

test('folders are relative to the user’s current folder, not to where npm runs its scripts', () => {
  expect(read('--home', 'h', '--workspace=../w')).toEqual({
    home: resolve(folder, 'h'),
    workspace: resolve(folder, '../w'),
    port: 0,
  })
})

test('a folder under ~ is passed on unresolved', () => {
  expect(read('--home', '~/talaria').home).toBe('~/talaria')
})

test.for([
  [[], undefined],
  [['--open'], true],
  [['--no-open'], false],
] as const)('%j sets the browser option to %s', ([args, open]) => {
  expect(read(...args).open).toBe(open)
})

test.for([
  [['--port', '70000'], '“70000” is not a port'],
  [['--port', '-1'], "Option '--port' argument is ambiguous"],
  [['--port', 'web'], '“web” is not a port'],
  [['--hom', 'x'], "Unknown option '--hom'"],
  [['extra'], "Unexpected argument 'extra'"],
] as const)('%j is refused with a reason', ([args, reason]) => {
  const fault = (() => {
    try {
      return read(...args)
    } catch (error) {
      return error
    }
  })()
  expect(fault).toBeInstanceOf(Fault)
  expect(fault).toMatchObject({ code: 'bad_input', message: expect.stringContaining(reason) as string })
})

test('on the desktop, Chromium’s switches and missing values are ignored', () => {
  const args = ['--inspect=0', '.', '--remote-debugging-port=0', '--no-sandbox', '--workspace', 'w', '--home']
  expect(readStartOptions(args, { INIT_CWD: folder }, 'lenient')).toEqual({
    workspace: resolve(folder, 'w'),
    port: 0,
  })
})
