import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { rootFolder } from '../src/main/lib/disk/shipped-files.ts'
import type { Folders } from './app.ts'
import { openPage } from './chat.ts'
import { findViolations } from './accessibility.ts'
import { expect, test } from './scripted-server.ts'

const card = (page: Page): Locator => page.getByRole('listitem', { name: 'questions', exact: true })

/**
 * Start a batch of two rows in the terminal while the window is open. Resolves to its output and exit code.
 */
function startBatch({ home, workspace }: Folders) {
  const prompts = ['First question', 'Second question']
  writeFileSync(
    join(workspace, 'questions.jsonl'),
    prompts.map((prompt, at) => `${JSON.stringify({ prompt, id: `q${at + 1}` })}\n`).join(''),
  )
  const script = join(rootFolder(), 'out/main/cli.js')
  const words = ['batch', 'questions.jsonl', '--out', 'results', '--no-tools', '--workers', '1']
  const child = spawn(process.execPath, [script, ...words, '--home', home], {
    cwd: workspace,
    // npm names the folder that it was called in. Relative paths start there.
    env: { ...process.env, INIT_CWD: workspace },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const output of [child.stdout, child.stderr]) output.on('data', text => (said += String(text)))
  return once(child, 'close').then(([code]) => ({ code: code as number | null, said }))
}

test(
  'a batch of the terminal shows in the window while it runs, pauses there, and goes on there to its end',
  { tag: '@story' },
  async ({ app, model, folders }) => {
    const gate = Promise.withResolvers<void>()
    model.reply(
      { text: 'One.' },
      { text: 'Two.', halts: [{ after: 0, until: gate.promise }] },
      { text: 'Two.' },
    )
    await openPage(app, 'Activity')
    await app.getByRole('tab', { name: 'Batches' }).click()
    await expect(app.getByText('No batches here')).toBeVisible()
    const batch = startBatch(folders)

    await test.step('it is shown with what has ended', async () => {
      await expect(card(app)).toContainText('1 of 2 attempts')
      await expect(card(app)).toContainText('1 of 1 active')
      await expect(card(app).getByRole('list', { name: 'Last attempts' })).toContainText('q1')
      expect(await findViolations(app)).toEqual([])
    })

    await test.step('paused in the window, the command ends and says how to go on', async () => {
      await card(app).getByRole('button', { name: 'Pause: questions' }).click()
      await expect(card(app)).toContainText('It was paused.')
      const { code, said } = await batch
      expect(said).toContain('It was paused. Run the same command again to continue.')
      expect(code).toBe(1)
      gate.resolve()
    })

    await test.step('it goes on in the window', async () => {
      await card(app).getByRole('button', { name: 'Resume: questions' }).click()
      await expect(card(app)).toContainText('2 of 2 attempts')
      await expect(card(app)).toContainText('Ended')
      await expect(card(app).getByRole('button')).toHaveCount(0)
    })

    const shots = process.env['SHOTS']
    for (const colorScheme of shots === undefined ? [] : (['light', 'dark'] as const))
      for (const width of [420, 1_280]) {
        await app.emulateMedia({ colorScheme })
        await app.setViewportSize({ width, height: 800 })
        await app.screenshot({ path: join(shots!, `batches-${colorScheme}-${width}.png`) })
      }
  },
)
