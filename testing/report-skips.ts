import type { Reporter, TestModule, Vitest } from 'vitest/node'

/** Says what is not tried on this system and why, so that nobody takes it for checked. */
export default class TellSkips implements Reporter {
  private isByName = false

  onInit({ config }: Vitest): void {
    // Whoever asks for some tests by name leaves out the others by choice.
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
