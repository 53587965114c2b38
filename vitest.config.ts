import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { compileCache } from './testing/compile-once.ts'
import { chromiumArgs, findChromium } from './scripts/chromium.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const chromium = findChromium()

/** Sources do not change while tests run, so a page that is loaded for the next file takes them from the browser's cache. */
const keepModules: Plugin = {
  name: 'keep-modules',
  configureServer: ({ middlewares }) =>
    void middlewares.use((_request, response, next) => {
      const setHeader = response.setHeader.bind(response)
      response.setHeader = (name, value) =>
        setHeader(name, name === 'Cache-Control' && value === 'no-cache' ? 'max-age=3600' : value)
      next()
    }),
}

/** Two projects: `node` for the host and everything pure, `browser` for components in a real Chromium. */
export default defineConfig({
  test: {
    // Vitest leaves a core free, which on two cores is half of them.
    maxWorkers: '100%',
    reporters: ['default', here('testing/report-skips.ts')],
    // Node's `fetch` asserts where nobody can catch it when a server closes early, as those that lie do. In the product only that
    // request hangs then, and its time limit ends it (`src/main/lib/processes/uncaught-errors.ts`).
    onUnhandledError: error => (/\bParser\.finish\b.*undici/.test(error.stack ?? '') ? false : undefined),
    projects: [
      {
        resolve: { alias: { electron: here('testing/host/electron-shim.ts') } },
        test: {
          name: 'node',
          environment: 'node',
          include: [
            'src/{main,shared,preload}/**/*.test.ts',
            'src/renderer/**/*.unit.test.ts',
            'testing/**/*.test.ts',
            'evals/**/*.test.ts',
            'bench/**/*.test.ts',
            'training/**/*.test.ts',
            'scripts/**/*.test.ts',
          ],
          pool: 'forks',
          // A process for each of 320 files costs more than what most of them test.
          isolate: false,
          globalSetup: ['testing/compile-once.ts'],
          setupFiles: [here('testing/leave-no-trace.ts'), here('testing/seed-properties.ts')],
          // Programs that tests start from their sources are compiled once, which halves their start.
          env: {
            NODE_COMPILE_CACHE: compileCache,
            // The startup files of whoever runs the tests are read by none of them.
            SHELL: '',
          },
          // Nothing waits by the clock but this: what never comes fails, what comes late on a busy machine does not.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 120_000 } },
        },
      },
      {
        plugins: [react(), tailwindcss(), keepModules],
        // Loaded when an edit begins; found only then, they would make a cold test page load anew.
        optimizeDeps: {
          include: [
            'diff',
            'katex',
            ...['commands', 'lang-markdown', 'language', 'state', 'view'].map(name => `@codemirror/${name}`),
          ],
        },
        test: {
          name: 'browser',
          include: ['src/renderer/**/*.browser.test.tsx'],
          // Loading the window anew for each of 73 files costs a fifth of the suite's processor time.
          isolate: false,
          setupFiles: [here('src/renderer/test/reset-window.ts')],
          // Real hosts for the windows that the tests draw.
          globalSetup: ['testing/window/setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 90_000 } },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: {
                args: chromiumArgs,
                ...(chromium && { executablePath: chromium }),
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
