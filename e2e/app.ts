import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import { startDesktop, whyNoDesktop } from './start-desktop.ts'
import { startWeb } from './start-web.ts'

export { expect } from '@playwright/test'

/** The environment that the specs run in. */
export type Hosting = { hosting: 'web' | 'desktop' }

/** The folders of one spec: Talaria's home folder, and the workspace of the chats. */
export type Folders = { home: string; workspace: string }

/** A running Talaria and its page. `kill` ends it abruptly, as a power failure would. */
export type Running = {
  page: Page
  close(): Promise<void>
  kill(): Promise<void>
  /**
   * Start the ended host again, at its port or at another one. The page stays as it is. Resolves to the new
   * address.
   */
  startAgain?(port?: number): Promise<string>
}

type Options = Hosting & {
  /** Whether the first start shows the first steps. Most specs skip them. */
  firstRun: boolean
  /** Files in the home folder before the first start, by relative path: `{ 'config.yaml': '…' }`. */
  homeFiles: Record<string, string>
  /** Switches for the headless host's Node. */
  nodeSwitches: string[]
  /** Variables added to the environment of the host. */
  hostEnv: Record<string, string>
  /** Files in the workspace before the first start, by relative path. */
  workspaceFiles: Record<string, string>
}

type Talaria = {
  folders: Folders
  /** The window. An uncaught error or a violation of the content security policy fails the spec. */
  app: Page
  /** Close or kill Talaria and restart it on the same home. The new page differs from `app`. */
  relaunch: (how?: 'close' | 'kill') => Promise<Page>
  /** End Talaria but keep the browser page open. A desktop window closes with the app. */
  endHost: (how?: 'close' | 'kill') => Promise<void>
  /**
   * Start the ended host again, at another port if one is given. The open pages stay. Resolves to the new
   * address.
   */
  startHost: (port?: number) => Promise<string>
  /** Open a second tab on the page of `app`. The desktop app has only one window. */
  secondWindow: () => Promise<Page>
}

type Launcher = { page: Page } & Pick<Talaria, 'relaunch' | 'endHost' | 'startHost' | 'secondWindow'>

/** Every spec gets a fresh home and runs unchanged in a browser and on the desktop. */
export const test = base.extend<Options & Talaria & { launcher: Launcher }>({
  hosting: ['web', { option: true }],
  firstRun: [false, { option: true }],
  nodeSwitches: [[], { option: true }],
  hostEnv: [{}, { option: true }],
  homeFiles: [{}, { option: true }],
  workspaceFiles: [{}, { option: true }],

  folders: async ({ firstRun, homeFiles, workspaceFiles }, use) => {
    const parent = await mkdtemp(join(tmpdir(), 'talaria-e2e-'))
    const folders = { home: join(parent, 'home'), workspace: join(parent, 'workspace') }
    await fill(folders.home, firstRun ? homeFiles : { 'config.yaml': pastFirstRun(), ...homeFiles })
    await fill(folders.workspace, workspaceFiles)
    await use(folders)
    await rm(parent, { recursive: true, force: true })
  },

  launcher: async ({ hosting, folders, nodeSwitches, hostEnv: env, browser }, use) => {
    const reason = hosting === 'desktop' ? whyNoDesktop() : undefined
    base.skip(reason !== undefined, reason)
    const context = hosting === 'web' ? await browser.newContext() : undefined
    const problems: string[] = []
    const start = async (): Promise<Running> => {
      const page = await context?.newPage()
      if (page) watchFor(problems, page)
      const running = page
        ? await startWeb(folders, page, { nodeSwitches, env })
        : await startDesktop(folders, env)
      if (!page) watchFor(problems, running.page)
      return running
    }
    let running = await start()
    await use({
      page: running.page,
      relaunch: async (how = 'close') => {
        await running[how]()
        if (context) await running.page.close()
        running = await start()
        return running.page
      },
      endHost: (how = 'close') => running[how](),
      startHost: port => {
        if (!running.startAgain) throw new Error('A desktop window ends with its host.')
        return running.startAgain(port)
      },
      secondWindow: async () => {
        if (!context) throw new Error('The desktop application has one window only.')
        const page = await context.newPage()
        watchFor(problems, page)
        await page.goto(running.page.url())
        return page
      },
    })
    await running.close()
    await context?.close()
    expect(problems).toEqual([])
  },

  app: async ({ launcher }, use) => use(launcher.page),
  relaunch: async ({ launcher }, use) => use(launcher.relaunch),
  endHost: async ({ launcher }, use) => use(launcher.endHost),
  startHost: async ({ launcher }, use) => use(launcher.startHost),
  secondWindow: async ({ launcher }, use) => use(launcher.secondWindow),
})

/**
 * A `config.yaml` after the first steps, with additional settings. Real models get one thread: while other
 * tests run, a second thread would mostly wait, and use a full core for that.
 */
export function pastFirstRun({ ui = {}, ...others }: { ui?: object; [group: string]: unknown } = {}): string {
  // JSON is valid YAML.
  return JSON.stringify({ ui: { setup_done: true, ...ui }, engine: { threads: 1 }, ...others })
}

async function fill(folder: string, files: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

function watchFor(problems: string[], page: Page): void {
  page.on('pageerror', error => problems.push(`Uncaught: ${error.stack || error.message}`))
  page.on('console', message => {
    if (message.text().includes('Content Security Policy')) problems.push(message.text())
  })
}
