import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { usage } from '../src/main/app/start-options.ts'

test.each([
  ['--help', usage],
  ['--version', packageJson.version],
])('npm start %s answers without opening anything', async (option, answer) => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'start.ts'),
    option,
  ])
  expect(stdout.trim()).toBe(answer)
})
