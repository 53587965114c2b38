import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from '@playwright/test'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import type { Folders, Running } from './app.ts'

/** Switches for the host's Node, and variables of its environment. */
type HostStart = { nodeSwitches?: readonly string[]; env?: Record<string, string> }

/** Start the built headless host on a home folder and open its address in `page`. */
export async function startWeb(folders: Folders, page: Page, how: HostStart = {}): Promise<Running> {
  let host = startHost(folders, how)
  await page.goto(await addressOf(host))
  return {
    page,
    close: () => stop(host),
    kill: () => kill(host),
    async startAgain(port) {
      host = startHost(folders, how, port)
      return addressOf(host)
    },
  }
}

function startHost(
  { home, workspace }: Folders,
  { nodeSwitches = [], env = {} }: HostStart,
  port?: number,
): ChildProcess {
  const script = join(rootFolder(), 'out/main/headless.js')
  const given = ['--home', home, '--workspace', workspace, '--no-open']
  if (port !== undefined) given.push('--port', String(port))
  const host = spawn(process.execPath, [...nodeSwitches, script, ...given], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // No test reads the shell's start-up files of the person who runs it.
    env: { ...process.env, SHELL: '', ...env },
  })
  // A test that times out must not leave a host running.
  const end = () => host.kill('SIGKILL')
  process.once('exit', end)
  host.once('exit', () => process.off('exit', end))
  return host
}

/** The address that the host prints when it is ready. */
async function addressOf(host: ChildProcess): Promise<string> {
  let said = ''
  host.stderr!.on('data', text => (said += String(text)))
  const ended = once(host, 'close')
  for await (const line of createInterface({ input: host.stdout! })) {
    const address = /http:\/\/\S+/.exec(line)?.[0]
    if (address) return address
    said += `${line}\n`
  }
  await ended
  const { exitCode, signalCode } = host
  throw new Error(`The headless host ended (${signalCode ?? exitCode}) before it was ready:\n${said}`)
}

async function kill(host: ChildProcess): Promise<void> {
  const ended = once(host, 'exit')
  host.kill('SIGKILL')
  await ended
}

/** End the host as Ctrl-C would. The test's time limit applies. */
async function stop(host: ChildProcess): Promise<void> {
  if (host.exitCode !== null || host.signalCode !== null) return
  const ended = once(host, 'exit')
  host.kill('SIGTERM')
  await ended
}
