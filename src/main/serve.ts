import { join } from 'node:path'
import { contract } from '../shared/contract/index.ts'
import { Fault } from '../shared/rpc.ts'
import { createHost } from './host.ts'
import { hasDisplay } from './lib/display.ts'
import { openBrowser } from './lib/open-browser.ts'
import { rootFolder } from './lib/places.ts'
import { readStartOptions, usage } from './start-options.ts'
import { startWebHost } from './web/web-host.ts'

// The server: the same host and the same window, served to a browser on this machine.
if (process.argv.includes('--help')) console.log(usage)
else
  run().then(
    () => process.exit(0),
    (error: unknown) => process.exit(explain(error)),
  )

/** Serve until a signal comes, then close everything, giving up on what takes longer than three seconds. */
async function run(): Promise<void> {
  const { home, workspace, port, open } = readStartOptions(process.argv.slice(2), process.env, 'strict')
  const host = await createHost({
    hosting: 'headless',
    ...(home && { home }),
    ...(workspace && { workspace }),
  })
  try {
    const web = await startWebHost({
      root: join(rootFolder(), 'out/renderer'),
      contract,
      handlers: host.handlers,
      report: error => host.report(error),
      receiveUpload: host.receiveUpload,
      port,
    })
    // Whoever reads that line may send a signal at once.
    const stopped = Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map(received))
    console.log(`Talaria is ready: ${web.url}`)
    if (open ?? hasDisplay()) await openBrowser(web.url).catch(() => console.log('Open it in a browser.'))
    await stopped
    setTimeout(() => process.exit(1), 3_000).unref()
    await web.close()
  } finally {
    await host.close()
  }
}

const received = (signal: string) => new Promise(resolve => process.once(signal, resolve))

/** Say what is wrong in one sentence, and give the exit code: 2 for a wrong option, 1 for anything else. */
function explain(error: unknown): number {
  console.error(error instanceof Fault ? error.message : error)
  return error instanceof Fault && error.code === 'bad_input' ? 2 : 1
}
