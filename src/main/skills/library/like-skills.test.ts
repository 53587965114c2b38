import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { said } from '../../../../testing/tools/a-workspace.ts'
import { aSkillToolChat } from '../../../../testing/tools/skill-tool-chat.ts'
import { done, you } from '../../../../testing/skills/a-skill-editor.ts'

let skills: ReturnType<typeof aSkillToolChat>
beforeEach(() => {
  skills = aSkillToolChat()
  put('weekly-report', REPORT, STEPS)
  put('brew-tea', 'Brews green tea. Use when tea is asked for.', TEA)
  put('wochenplan', 'Schreibt den Wochenplan aus den Terminen. Für Montage.', PLAN)
  put(
    '整理笔记',
    '按日期整理笔记。用于整理文件夹里的笔记。',
    '1. 打开笔记文件夹。\n2. 按日期排列所有笔记。\n3. 写一个目录。\n',
  )
})
afterEach(() => skills[Symbol.dispose]())

const REPORT = 'Writes the weekly report from the files of the week. Use on Fridays.'
const STEPS =
  '1. Open the folder reports.\n2. Read each file of the week.\n3. Write a summary of five lines.\n4. Save it as summary.md.\n'
const TEA =
  '1. Boil fresh water.\n2. Warm the pot.\n3. Add two spoons of leaves.\n4. Wait three minutes.\n5. Pour slowly.\n'
const PLAN =
  '1. Lies die Termine der Woche.\n2. Ordne sie nach Tagen.\n3. Schreib je Tag eine Zeile.\n4. Speichere den Plan.\n'

const put = (name: string, description: string, steps: string) =>
  skills.put(
    `home/skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: ${description}\n---\n\n${steps}`,
  )
const create = (name: string, description: string, content: string) =>
  skills.chat().manage({ action: 'create', name, description, content })

const OTHER =
  '1. Fetch the invoices of the month.\n2. Add up all sums.\n3. Compare them with the bank.\n4. Tell differences.\n'

describe('a new skill that is there already is refused, and the other is named', () => {
  test.each([
    ['the same in all but the name', 'report-of-the-week', REPORT, STEPS, 'weekly-report'],
    ['the plural of the name', 'weekly-reports', 'Writes weekly reports from files.', OTHER, 'weekly-report'],
    [
      'the same steps under another name and description',
      'friday-job',
      'Does what is due before the weekend.',
      STEPS,
      'weekly-report',
    ],
    [
      'the same steps, a little changed',
      'summing-up',
      'Sums up files.',
      STEPS.replace('five', 'six'),
      'weekly-report',
    ],
    [
      'the same steps in another order',
      'summing-up',
      'Sums up files.',
      STEPS.split('\n').toReversed().join('\n'),
      'weekly-report',
    ],
    [
      'the same description with other steps',
      'files-to-text',
      'Use on Fridays: writes weekly reports from the files of the week.',
      OTHER,
      'weekly-report',
    ],
    [
      'tea in other words',
      'tea-brewing',
      'Brewing of green tea, when tea is asked for.',
      '1. Boil water.\n2. Pour it.\n',
      'brew-tea',
    ],
    [
      'German',
      'plan-der-woche',
      'Schreibt den Wochenplan aus Terminen, für einen Montag.',
      OTHER,
      'wochenplan',
    ],
    ['German steps', 'montags', 'Was montags zu tun ist.', PLAN, 'wochenplan'],
    ['Chinese', 'zhengli', '按日期整理文件夹里的笔记。用于整理笔记。', '1. 打开文件夹。\n', '整理笔记'],
  ])('%s', async (_what, name, description, content, like) => {
    const result = await create(name, description, content)
    expect(said(result)).toContain(`Not created: there is such a skill already, ${like} (“`)
    expect(said(result)).toContain('Improve it with patch or edit')
    expect(skills.library.list()).toHaveLength(4)
  })
})

describe('another skill is made', () => {
  test.each([
    [
      'another subject',
      'check-invoices',
      'Compares invoices with the bank. Use at the end of a month.',
      OTHER,
    ],
    [
      'the same kind of thing for another thing',
      'brew-coffee',
      'Brews coffee with a filter. Use when coffee is asked for.',
      '1. Grind beans.\n2. Rinse the filter.\n3. Pour 300 ml in circles.\n4. Serve at once.\n',
    ],
    [
      'another report',
      'monthly-report',
      'Sends the sales figures of a month to the boss as a table.',
      '1. Query the database for sales.\n2. Make a table by region.\n3. Mail it to the boss.\n',
    ],
    [
      'words that stand everywhere in common',
      'use-steps',
      'Use this skill when the user asks for it, with all its steps.',
      '1. Ask which lamp.\n2. Switch it on.\n',
    ],
    ['a short one', 'x', 'Says hello.', '1. Say hello.\n'],
    [
      'German',
      'rechnungen',
      'Prüft Rechnungen am Ende des Monats.',
      '1. Hol die Rechnungen.\n2. Zähle sie zusammen.\n',
    ],
  ])('for %s', async (_what, name, description, content) => {
    expect(said(await create(name, description, content))).toMatch(/^\{"success": true/)
    expect(skills.library.list()).toHaveLength(5)
  })
})

test('one that is like another is made, and the other is named', async () => {
  const made = await create(
    'weekly-report-for-sales',
    'Writes the weekly report of sales from the files of the shop.',
    OTHER,
  )
  expect(said(made)).toMatch(/Skill created\..*Like it: weekly-report\./)
})

test('the answer says that the user switched the other one off', async () => {
  done(skills.editor.setEnabled(['own/weekly-report'], false, you))
  expect(said(await create('report-of-the-week', REPORT, STEPS))).toContain(
    'The user has switched it off, so ask them.',
  )
})

test('among thousands of skills only some are read', async () => {
  for (let at = 0; at < 300; at++)
    put(
      `chore-${at}`,
      `Does chore number ${at} of the house. Use on day ${at}.`,
      STEPS.replaceAll('week', `room ${at}`),
    )
  const made = await create(
    'paint-walls',
    'Paints walls white. Use for rooms.',
    '1. Cover the floor.\n2. Paint twice.\n',
  )
  expect(said(made)).toMatch(/success/)
})
