import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { confinedTest } from './can-confine.ts'
import { aFolderToConfine } from './folder-to-confine.ts'
import { runPrepared, WORK } from './run-confined.ts'
import { confineBesideVanishingSocket } from './vanishing-socket.ts'

confinedTest('a program beside which a socket vanishes before it starts is started again', async () => {
  const base = aFolderToConfine()
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const folder = join(base, 'chat')
  mkdirSync(folder)
  const prepare = confineBesideVanishingSocket(base)
  let starts = 0
  const where = { folder, cwd: folder, sessionId: 's1' }
  const ended = await runPrepared(
    () => prepare(['/bin/bash', '-c', 'echo ran'], WORK, where),
    () => starts++,
  )
  expect({ ...ended, starts }).toMatchObject({ code: 0, output: 'ran\n', starts: 2 })
})

test('a program that never starts is started twice, as the terminal does, and is told of in between', async () => {
  const did: string[] = []
  await runPrepared(async () => {
    did.push('prepare')
    return {
      program: process.execPath,
      args: ['--version'],
      env: {},
      temporary: '',
      reportsStart: true,
      killLimit: '',
      couldNotStart: () => did.push('could not start'),
      watch: () => () => undefined,
      cleanUp: () => undefined,
    }
  })
  expect(did).toEqual(['prepare', 'could not start', 'prepare'])
})
