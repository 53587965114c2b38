import { spawn } from 'node:child_process'

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Open an address in the person's browser. Rejects when there is no program to ask; what the browser does is not known. */
export function openBrowser(url: string): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  const opener = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  opener.unref()
  return new Promise((resolve, reject) => {
    opener.once('spawn', resolve)
    opener.once('error', reject)
  })
}
