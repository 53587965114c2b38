import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** Prints which tests are skipped on this system and why, so that nobody counts them as passed. */
export default class ReportSkips implements Reporter {
  private isByName = false

  onInit({ config }: Vitest): void {
    // With a name filter, the other tests are skipped on purpose.
    this.isByName = config.testNamePattern !== undefined
  }

  onTestModuleEnd({ children }: TestModule): void {
    if (this.isByName) return
    for (const test of children.allTests('skipped')) {
      const result = test.result()
      const note = 'note' in result ? result.note : undefined
      console.warn(`Not tried here: ${test.fullName}: ${note ?? `it is not for ${process.platform}`}.`)
    }
  }
}
