import { rmSync } from 'node:fs'
import { test } from 'vitest'
import { openConfinement } from '../../src/main/confinement/open-confinement.ts'
import { aFolderToConfine } from './folder-to-confine.ts'

let probed: Promise<string> | undefined

/** Why commands cannot be confined here; empty if they can. */
const whyNot = () =>
  (probed ??= (async () => {
    const home = aFolderToConfine()
    try {
      const state = await openConfinement({ home, readable: () => [] }).state()
      return state.confined ? '' : state.reason
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })())

/**
 * A test that is skipped on a system that cannot confine commands, or if `missing` names something.
 * `TALARIA_MUST_CONFINE=1` forbids skipping it. With `test.concurrent` as `tests`, it runs concurrently.
 */
export const confinedTest = (
  name: string,
  run: () => Promise<void>,
  missing = '',
  tests: typeof test | typeof test.concurrent = test,
): void =>
  tests(name, async ({ skip }) => {
    const reason = (await whyNot()) || missing
    if (reason !== '' && process.env['TALARIA_MUST_CONFINE'] === '1') throw new Error(reason)
    if (reason !== '') skip(reason)
    await run()
  })
