import { fromBuilder } from './builder.ts'
import { packageConfiguration } from './configuration.ts'

type Validate = (configuration: object, log: { isEnabled: boolean }) => Promise<void>

/**
 * Check that the configuration of every system, with and without its variables, fits electron-builder’s own
 * schema.
 */
export async function checkConfiguration(): Promise<void> {
  const { validateConfiguration } = fromBuilder('app-builder-lib/out/util/config/config') as {
    validateConfiguration: Validate
  }
  const signed = {
    TALARIA_SIGNED: '1',
    TALARIA_UPDATES_URL: 'https://example.org/updates',
    TALARIA_HOMEPAGE: 'https://example.org',
    CSC_LINK: 'a',
    CSC_KEY_PASSWORD: 'b',
    WIN_CSC_LINK: 'a',
    WIN_CSC_KEY_PASSWORD: 'b',
    APPLE_ID: 'a',
    APPLE_APP_SPECIFIC_PASSWORD: 'b',
    APPLE_TEAM_ID: 'c',
  }
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    for (const env of [{}, signed]) {
      const configuration = packageConfiguration({
        platform,
        env,
        workerFiles: ['out/main/search-worker.js'],
      })
      await validateConfiguration(configuration, { isEnabled: false })
    }
  }
}
