import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { removeStamp, takeStamp, writeStamp } from './scripts/freshness.mjs'

const root = import.meta.dirname
let stamp: ReturnType<typeof takeStamp> | undefined

/** The first of the three builds takes down what they are made from, the last one writes it beside them. */
const stampBegins: Plugin = {
  name: 'talaria:stamp-begins',
  buildStart() {
    removeStamp(root)
    stamp = takeStamp(root)
  },
}
const stampEnds: Plugin = {
  name: 'talaria:stamp-ends',
  apply: 'build',
  writeBundle() {
    if (stamp) writeStamp(root, stamp)
  },
}

/** Three builds: the host and its entries (ESM), the sandboxed preload (one CJS file) and the window. */
export default defineConfig({
  main: {
    plugins: [stampBegins],
    build: {
      rolldownOptions: {
        input: {
          index: 'src/main/index.ts',
          headless: 'src/main/headless.ts',
          cli: 'src/main/cli/index.ts',
          'engine-process': 'src/main/models/engines/local/engine-process.ts',
          'search-worker': 'src/main/tools/search-worker.ts',
        },
      },
    },
  },
  preload: {
    build: {
      rolldownOptions: {
        input: { index: 'src/preload/index.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    plugins: [react(), tailwindcss(), stampEnds],
    build: { minify: true, rolldownOptions: { input: 'src/renderer/index.html' } },
  },
})
