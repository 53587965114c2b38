import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** Scripts that run in a process or thread of their own. A package keeps them and their chunks beside its archive. */
const workers = {
  'engine-process': 'src/main/models/engines/local/process/engine-process.ts',
  'import-worker': 'src/main/chats/import/import-worker.ts',
  'recall-thread': 'src/main/chats/search/recall-thread.ts',
  'search-worker': 'src/main/tools/search/search-worker.ts',
  'data-thread': 'src/main/data/data-thread.ts',
  'text-worker': 'src/main/tools/files/file-job-thread.ts',
  'document-process': 'src/main/documents/document-process.ts',
  'picture-process': 'src/main/pictures/picture-process.ts',
  'read-thread': 'src/main/web/read/read-thread.ts',
  'spool-thread': 'src/main/other-agents/inbox/spool-thread.ts',
  'scan-thread': 'src/main/skills/library/scan-thread.ts',
}

/** The character maps of pdf.js, which the reader of documents opens by name. */
const maps = join(root, 'node_modules/pdfjs-dist/cmaps')

/** Writes down every file that the workers need, for the packager. */
const workerFiles: Plugin = {
  name: 'talaria:worker-files',
  generateBundle(_options, bundle) {
    const files = new Set<string>()
    function add(name: string) {
      const chunk = bundle[name]
      if (chunk?.type !== 'chunk' || files.has(name)) return
      files.add(name)
      for (const imported of [...chunk.imports, ...chunk.dynamicImports]) add(imported)
    }
    for (const worker of Object.keys(workers)) add(`${worker}.js`)
    for (const name of readdirSync(maps)) {
      const fileName = `cmaps/${name}`
      this.emitFile({ type: 'asset', fileName, source: readFileSync(join(maps, name)) })
      files.add(fileName)
    }
    const source = JSON.stringify([...files].map(name => `out/main/${name}`))
    this.emitFile({ type: 'asset', fileName: 'worker-files.json', source })
  },
}

/** Chromium takes the smallest of the three files of a font; the others would only make the package larger. */
const oneFileAFont: Plugin = {
  name: 'talaria:one-file-a-font',
  enforce: 'pre',
  transform: (code, id) =>
    /katex.*\.css$/.test(id)
      ? code.replaceAll(/,\s*url\([^)]*\.(?:woff|ttf)\)\s*format\([^)]*\)/g, '')
      : undefined,
}

/** Loads the typeface together with the scripts, because the first render waits for it. */
const typefaceFirst: Plugin = {
  name: 'talaria:typeface-first',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter(name => /\/inter-latin-wght-normal.*\.woff2$/.test(name))
        .map(name => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `./${name}` },
          injectTo: 'head-prepend' as const,
        })),
  },
}

/** Three builds: the host and its entries (ESM), the sandboxed preload (one CJS file) and the window. */
export default defineConfig({
  main: {
    plugins: [stampBegins, workerFiles],
    resolve: {
      alias: {
        // Its modules read JSON files of the package when they run; this file of it has them inside.
        'css-tree': join(root, 'node_modules/css-tree/dist/csstree.esm.js'),
        // Its usual form finds its parts by a `require` that the bundler does not see.
        'jsonc-parser': join(root, 'node_modules/jsonc-parser/lib/esm/main.js'),
      },
    },
    build: {
      rolldownOptions: {
        input: {
          index: 'src/main/index.ts',
          headless: 'src/main/headless.ts',
          cli: 'src/main/cli/index.ts',
          program: 'src/main/cli/program.ts',
          ...workers,
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
    plugins: [oneFileAFont, react(), tailwindcss(), typefaceFirst, stampEnds],
    build: {
      minify: true,
      // The page may load fonts from its own files only, so none may be written into a style.
      assetsInlineLimit: file => (file.endsWith('.woff2') ? false : undefined),
      rolldownOptions: { input: 'src/renderer/index.html' },
    },
  },
})
