import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Page } from '@playwright/test'
import { openConfinement } from '../src/main/confinement/open-confinement.ts'
import type { Folders } from './app.ts'
import { approval, card, lastAnswer, send } from './chat.ts'
import { callOf, expect, test } from './scripted-server.ts'
import { openSettings, settings } from './settings.ts'
import { aFolderToConfine } from '../testing/confinement/folder-to-confine.ts'

const sign = (app: Page) =>
  app.locator('.composer').getByRole('button', { name: /^(Not confined|Commands blocked): / })
const way = (app: Page, name: string) => approval(app).getByRole('radio', { name, exact: true })
const allow = (app: Page) => approval(app).getByRole('button', { name: 'Allow once' }).click()

/** Why this computer cannot confine commands; undefined if it can. */
async function whyNotConfined(): Promise<string | undefined> {
  const home = aFolderToConfine()
  const state = await openConfinement({ home, readable: () => [] }).state()
  rmSync(home, { recursive: true, force: true })
  return state.confined ? undefined : state.reason
}

/** Put a folder first in PATH whose `bwrap` runs `script`. */
function programsWith(folders: Folders, script: string): Record<string, string> {
  const programs = join(folders.home, '..', 'programs')
  mkdirSync(programs, { recursive: true })
  writeFileSync(join(programs, 'bwrap'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(programs, 'bwrap'), 0o755)
  return { PATH: `${programs}${delimiter}${process.env['PATH']}` }
}

/** A `bwrap` that confines nothing, and whose set-up fails once the file exists. */
const standIn = (failsIf: string) =>
  [
    '[ "$1" = --version ] && { echo "bubblewrap 0.9.0"; exit 0; }',
    `[ -e '${failsIf}' ] && { echo "bwrap: No space left for mounts" >&2; exit 1; }`,
    'while [ "$1" != -- ]; do shift; done; shift',
    '"$@"; code=$?; echo "{\\"exit-code\\": $code}" >&3; exit $code',
  ].join('\n')
const failing =
  '[ "$1" = --version ] && { echo "bubblewrap 0.9.0"; exit 0; }\necho "bwrap: Creating new namespace failed: Operation not permitted" >&2; exit 1'

test.describe('where commands are confined', () => {
  test('the card offers three ways, and a command runs in the one that was chosen', async ({
    app,
    model,
  }) => {
    const whyNot = await whyNotConfined()
    if (whyNot !== undefined && process.env['TALARIA_MUST_CONFINE'] === '1') throw new Error(whyNot)
    test.skip(whyNot !== undefined, whyNot)
    const outside = aFolderToConfine()
    const reach = `echo x > ${join(outside, 'mark')}`
    model.reply(callOf(reach), callOf('tail -n +3 /proc/net/dev | wc -l'), callOf(reach), { text: 'Done.' })
    await send(app, 'Write outside')

    await expect(way(app, 'Confined')).toBeChecked()
    await expect(sign(app)).toHaveCount(0)
    await expect(approval(app)).toContainText('has no network')
    await allow(app)
    await expect(card(app, /mark Failed/)).toBeVisible()
    expect(existsSync(join(outside, 'mark'))).toBe(false)

    await expect(approval(app)).toContainText('/proc/net/dev')
    await approval(app).getByText('With network').click()
    await expect(approval(app)).toContainText('It can reach the network')
    await allow(app)

    await expect(approval(app)).toContainText('mark')
    await expect(way(app, 'Confined')).toBeChecked()
    await approval(app).getByText('Not confined').click()
    await expect(approval(app)).toContainText('Choose this only for a command that you trust.')
    await allow(app)
    await expect(lastAnswer(app)).toHaveText('Done.')
    expect(existsSync(join(outside, 'mark'))).toBe(true)
    rmSync(outside, { recursive: true })
  })
})

test.describe('where the sandbox fails at its set-up', () => {
  test.use({
    hostEnv: async ({ folders }, use) => {
      await use(programsWith(folders, standIn(join(folders.home, '..', 'fail'))))
    },
  })

  test(
    'the command is asked about again, and does not run by itself',
    { tag: '@story' },
    async ({ app, model, folders }) => {
      model.reply(callOf('echo one > proof'), { text: 'One.' }, callOf('echo two > proof'), { text: 'Two.' })
      await openSettings(app, 'Permissions')
      await expect(settings(app)).toContainText('Commands run confined')
      await app.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Chat' }).click()
      await expect(sign(app)).toHaveCount(0)
      writeFileSync(join(folders.home, '..', 'fail'), '')
      await send(app, 'Make a file')
      await allow(app)
      await expect(approval(app)).toContainText(
        'The command could not be confined: bwrap: No space left for mounts',
      )
      await expect(approval(app)).toContainText('Not confined:')
      expect(existsSync(join(folders.workspace, 'proof'))).toBe(false)
      await approval(app).getByRole('button', { name: 'Deny', exact: false }).first().click()
      await expect(lastAnswer(app)).toHaveText('One.')
      expect(existsSync(join(folders.workspace, 'proof'))).toBe(false)
    },
  )
})

test.describe('where nothing confines commands', () => {
  test.use({
    config: { approvals: { default: 'reads' } },
    hostEnv: async ({ folders }, use) => {
      await use(programsWith(folders, failing))
    },
  })

  test(
    'the window says why, and only the plainest reads run unasked',
    { tag: '@story' },
    async ({ app, model }) => {
      model.reply(callOf('ls'), callOf('ls | sort -r && echo "$HOME"'), { text: 'Done.' })
      await expect(sign(app)).toHaveText('Not confined')
      await expect(sign(app)).toHaveAccessibleName(/This system does not allow namespaces/)
      await sign(app).click()
      await expect(app.getByText('asks about all but the simplest commands')).toBeVisible()
      await app.keyboard.press('Escape')
      await send(app, 'Look around')
      await expect(card(app, /^Run ls \d/)).toBeVisible()
      await expect(approval(app)).toContainText('Not confined: This system does not allow namespaces')
      await expect(way(app, 'Confined')).toHaveCount(0)
      await allow(app)
      await expect(lastAnswer(app)).toHaveText('Done.')

      await openSettings(app, 'Permissions')
      await expect(settings(app)).toContainText('Commands run unconfined')
    },
  )
})

test.describe('where commands must be confined and cannot be', () => {
  test.use({
    config: { terminal: { sandbox: 'on' }, approvals: { default: 'full' } },
    hostEnv: async ({ folders }, use) => {
      await use(programsWith(folders, failing))
    },
  })

  test('no command runs, not even with full access', { tag: '@story' }, async ({ app, model, folders }) => {
    await expect(sign(app)).toContainText('Commands blocked')
    model.reply(callOf('touch proof'), { text: 'I may not.' })
    await send(app, 'Make a file')
    await expect(lastAnswer(app)).toHaveText('I may not.')
    await card(app, /Denied$/).click()
    await expect(app.getByText('Settings allow only confined commands').first()).toBeVisible()
    expect(existsSync(join(folders.workspace, 'proof'))).toBe(false)
  })
})
