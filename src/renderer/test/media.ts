import { onTestFinished } from 'vitest'
import { cdp } from 'vitest/browser'

type Feature = { name: 'forced-colors' | 'prefers-contrast' | 'prefers-reduced-motion'; value: string }

/** Emulate these media features, which stand for the user's preferences, until the end of the test. */
export async function preferMedia(...features: Feature[]): Promise<void> {
  await emulate(features)
  onTestFinished(() => emulate([]))
}

const emulate = (features: Feature[]) =>
  (cdp() as unknown as { send(method: string, params: object): Promise<void> }).send(
    'Emulation.setEmulatedMedia',
    { features },
  )
