import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test as base, expect, type Page } from '@playwright/test'
import { startDesktop, whyNoDesktop } from './desktop.ts'
import { startWeb } from './web.ts'

export { expect } from '@playwright/test'

/** Which house the specs run in. */
export type Hosting = { hosting: 'web' | 'desktop' }

/** The folders of one spec: the home that Talaria keeps everything in, and the workspace that chats work in. */
export type Folders = { home: string; workspace: string }

/** A started Talaria and the page it shows; `kill` ends it as a power cut would. */
export type Running = { page: Page; close(): Promise<void>; kill(): Promise<void> }

type Options = Hosting & {
  /** Whether the first steps are shown at the first start; other specs are past them, as people mostly are. */
  firstRun: boolean
  /** Files that lie in the home folder before the first start, by their path in it: `{ 'config.yaml': '…' }`. */
  homeFiles: Record<string, string>
  /** Switches for the Node that runs the headless host. */
  nodeSwitches: string[]
  /** The same for the workspace. */
  workspaceFiles: Record<string, string>
}

type Talaria = {
  folders: Folders
  /** The window. Any uncaught error or refusal by the content-security policy in it fails the spec. */
  app: Page
  /** End Talaria, in good order or not, and start it again on the same home. It has another page than `app` then. */
  relaunch: (how?: 'close' | 'kill') => Promise<Page>
  /** End Talaria and leave the window alone with that; a desktop window goes with it. */
  endHost: () => Promise<void>
  /** A second window on what `app` shows, which is one more tab: the desktop application has one window only. */
  secondWindow: () => Promise<Page>
}

type Launcher = { page: Page } & Pick<Talaria, 'relaunch' | 'endHost' | 'secondWindow'>

/** Every spec gets a fresh home and runs, unchanged, in a browser and on the desktop. */
export const test = base.extend<Options & Talaria & { launcher: Launcher }>({
  hosting: ['web', { option: true }],
  firstRun: [false, { option: true }],
  nodeSwitches: [[], { option: true }],
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

  launcher: async ({ hosting, folders, nodeSwitches, browser }, use) => {
    const reason = hosting === 'desktop' ? whyNoDesktop() : undefined
    base.skip(reason !== undefined, reason)
    const context = hosting === 'web' ? await browser.newContext() : undefined
    const problems: string[] = []
    const start = async (): Promise<Running> => {
      const page = await context?.newPage()
      if (page) watchFor(problems, page)
      const running = page ? await startWeb(folders, page, nodeSwitches) : await startDesktop(folders)
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
      endHost: () => running.close(),
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
  secondWindow: async ({ launcher }, use) => use(launcher.secondWindow),
})

/** A `config.yaml` of somebody who has been through the first steps, with further settings. */
export function pastFirstRun({ ui = {}, ...others }: { ui?: object; [group: string]: unknown } = {}): string {
  // JSON is YAML.
  return JSON.stringify({ ui: { setup_done: true, ...ui }, ...others })
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
