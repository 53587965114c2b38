import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { createHost } from '../src/main/host.ts'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import { readStartOptions } from '../src/main/app/start-options.ts'
import { startWebHost } from '../src/main/page-server/web-host.ts'
import { contract } from '../src/shared/contract/index.ts'

// Development without Electron: the host from source, and the window from vite with hot reload. `--port` is
// for vite.
const { home, workspace, port } = readStartOptions(process.argv.slice(2), process.env, 'strict')
const host = await createHost({
  hosting: 'headless',
  // A temporary home unless one is given, so that real chats are safe from development versions.
  home: home ?? mkdtempSync(join(tmpdir(), 'talaria-dev-')),
  ...(workspace && { workspace }),
})
const web = await startWebHost({
  root: join(rootFolder(), 'out/renderer'),
  contract,
  handlers: host.handlers,
  report: error => console.error(error),
})
const vite = await createServer({
  configFile: false,
  root: join(rootFolder(), 'src/renderer'),
  plugins: [react(), tailwindcss()],
  server: {
    host: '127.0.0.1',
    port: port || 5173,
    // `/known` is left out. With it a host proves itself by its own port, which differs from vite's, so pages
    // in development never ask.
    proxy: {
      '^/(enter|upload/.*)$': {
        target: `http://127.0.0.1:${web.port}`,
        changeOrigin: true,
        configure: proxy =>
          proxy.on('proxyReq', sent => sent.setHeader('origin', `http://127.0.0.1:${web.port}`)),
      },
      '^/rpc$': {
        target: `http://127.0.0.1:${web.port}`,
        ws: true,
        changeOrigin: true,
        rewriteWsOrigin: true,
      },
    },
  },
})
await vite.listen()
console.log(`Talaria for development: ${vite.resolvedUrls?.local[0]}#${new URL(web.address()).hash.slice(1)}`)
console.log(`Home: ${host.home}. Start this again after a change in src/main.`)

process.once('SIGINT', () => void close())
process.once('SIGTERM', () => void close())

async function close(): Promise<void> {
  await vite.close()
  await web.close()
  await host.close()
}
