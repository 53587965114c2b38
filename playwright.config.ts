import { defineConfig } from '@playwright/test'
import type { Hosting } from './e2e/app.ts'
import { chromiumArgs, findChromium } from './scripts/chromium.ts'

const chromium = findChromium()

/** The same specs in both houses: `web` is the headless host with Chromium, `desktop` is Electron, where there is one. */
export default defineConfig<Hosting>({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/setup.ts',
  // Upper bounds for a machine with many neighbours; nothing waits for them on its way to success.
  timeout: 600_000,
  expect: { timeout: 200_000 },
  // Every worker runs a host, a model and a browser; two of them keep a small machine busy.
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 820 },
    // Without a graphics card each frame of a spinner is drawn by the processor. `skills.spec.ts` is run with motion.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { args: chromiumArgs, ...(chromium && { executablePath: chromium }) },
    // Less than a test may take, so that a failure says what it waited for.
    actionTimeout: 200_000,
    // A trace of every test would double the time; `--trace on` makes one where it is needed.
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'web', use: { hosting: 'web' } },
    { name: 'desktop', use: { hosting: 'desktop' } },
  ],
})
