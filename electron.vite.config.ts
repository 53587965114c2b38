import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

/** Three builds: the host and its entries (ESM), the sandboxed preload (one CJS file) and the window. */
export default defineConfig({
  main: {
    build: {
      rolldownOptions: {
        input: {
          index: 'src/main/index.ts',
          headless: 'src/main/headless.ts',
          cli: 'src/main/cli/index.ts',
          'engine-process': 'src/main/llm/local/engine-process.ts',
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
    plugins: [react(), tailwindcss()],
    build: { minify: true, rolldownOptions: { input: 'src/renderer/index.html' } },
  },
})
