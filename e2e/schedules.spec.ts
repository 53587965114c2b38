import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { approval, chatList, lastAnswer, openPage, send, transcript } from './chat.ts'
import { newChat } from './memory.ts'
import { findViolations } from './accessibility.ts'
import { queryDatabase } from './query-database.ts'
import type { Folders } from './app.ts'
import { expect, test as base } from './scripted-server.ts'

const clockOf = ({ home }: Folders) => join(dirname(home), 'clock')

/** Set the clock of the next start. */
const setClock = (folders: Folders, time: string) =>
  writeFileSync(clockOf(folders), String(Date.parse(time) - Date.now()))

/** Specs whose host starts at noon on a Sunday in Berlin. */
const test = base.extend({
  nodeSwitches: async ({ folders }, use) => {
    setClock(folders, '2026-11-22T11:00:00Z')
    const url = new URL(`set-clock.ts?file=${encodeURIComponent(clockOf(folders))}`, import.meta.url)
    await use(['--import', url.href])
  },
})
test.use({ hostEnv: { TZ: 'Europe/Berlin' } })
test.skip(({ hosting }) => hosting === 'desktop', 'The clock of the desktop app cannot be set.')

const write = (content: string) => ({
  toolCalls: [{ name: 'write_file', arguments: { path: 'sum.md', content } }],
})
const schedule = (page: Page, name: string) =>
  page.getByRole('main').getByRole('listitem', { name, exact: true })
const inList = (page: Page, name: RegExp) => chatList(page).getByRole('button', { name })

test('a schedule in words is tried, runs at its time, and what it changed is undone', async ({
  app,
  model,
  folders,
  relaunch,
}) => {
  const sum = () => readFileSync(join(folders.workspace, 'sum.md'), 'utf8')

  await test.step('it is made in words, with a trial run that is asked', async () => {
    await openPage(app, 'Schedules')
    await app.getByRole('button', { name: 'Add your first schedule' }).click()
    const form = app.getByRole('dialog')
    await form.getByLabel('When, and what').fill('every weekday at 8 summarise my notes')
    await expect(form.getByLabel('What was understood')).toContainText(
      'every weekday at 08:00 (Europe/Berlin)',
    )
    await expect(form.getByLabel('What was understood')).toContainText('23 November 2026 at 08:00')
    await form.getByRole('switch', { name: 'Trial run now' }).click()
    model.reply(write('one'), { text: 'The sum is written.' })
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await schedule(app, 'Summarise my notes')
      .getByRole('button', { name: /^Open the chat: / })
      .click()
    await expect(approval(app)).toContainText('This is a trial run. From now on the schedule may do')
    await approval(app).getByRole('button', { name: 'Always allow in this schedule' }).click()
    await expect(lastAnswer(app)).toHaveText('The sum is written.')
    expect(sum()).toBe('one')
    // The answer shows before the trial ends. Only at its end are its permissions kept.
    await expect
      .poll(() => queryDatabase(folders.home, "select state from schedule_runs where kind = 'trial'"))
      .toEqual(['done'])
  })

  setClock(folders, '2026-11-23T07:00:05Z')
  model.reply(write('two'), { text: 'Two notes are new.' })
  const monday = await relaunch()

  await test.step('at its time it runs by itself, with what the trial was allowed, and its chat opens', async () => {
    await inList(monday, /^Summarise my notes · 2 runs$/).click()
    await inList(monday, /^23 Nov 2026, 08:00 Done$/).click()
    await expect(lastAnswer(monday)).toHaveText('Two notes are new.')
    await expect(transcript(monday)).toContainText('nobody is here to answer')
    expect(sum()).toBe('two')
    expect(await findViolations(monday)).toEqual([])
  })

  await test.step('the history tells of both runs, and undoes the last one', async () => {
    await openPage(monday, 'Schedules')
    await schedule(monday, 'Summarise my notes').getByRole('button', { expanded: false }).first().click()
    const row = monday.getByRole('listitem', { name: /^Monday,? 23 November 2026 at 08:00: Done$/ })
    await expect(row).toContainText('sum.md')
    await row.getByRole('button', { name: /^Undo what it changed/ }).click()
    await expect(row.getByRole('button', { name: /^Undo/ })).toBeHidden()
    expect(sum()).toBe('one')
    await expect(
      monday.getByRole('listitem', { name: /^Sunday,? 22 November 2026 at .*: Done$/ }),
    ).toContainText('trial run')
  })
})

test(
  'a chat makes a schedule after a card with its next times, and Run now runs it at once',
  { tag: '@story' },
  async ({ app, model }) => {
    model.reply(
      {
        toolCalls: [
          {
            name: 'schedule',
            arguments: { action: 'add', when: 'every Friday at 17', task: 'Write the report.' },
          },
        ],
      },
      { text: 'It is planned.' },
    )
    await send(app, 'Write the report each Friday afternoon')
    await expect(approval(app)).toContainText('Schedule: every Friday at 17:00')
    for (const day of ['27 November', '4 December', '11 December'])
      await expect(approval(app)).toContainText(new RegExp(`Friday,? ${day} 2026 at 17:00`))
    await expect(approval(app)).toContainText('What would start automatically')
    await expect(approval(app).getByRole('button', { name: 'Allow in this chat' })).toBeHidden()
    await approval(app).getByRole('button', { name: 'Allow once' }).click()
    await expect(lastAnswer(app)).toHaveText('It is planned.')

    await openPage(app, 'Schedules')
    model.reply({ text: 'The report is written.' })
    await app.getByRole('button', { name: 'Run now: Write the report' }).click()
    const toast = app.getByRole('status', { name: 'What just happened' })
    await expect(toast).toContainText('Write the report: Answered without checking anything.')
    await toast.getByRole('button', { name: 'Open' }).click()
    await expect(lastAnswer(app)).toHaveText('The report is written.')
    await newChat(app)
    await expect(inList(app, /^Write the report · 1 run$/)).toBeVisible()
  },
)
