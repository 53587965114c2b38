import { expect, onTestFinished, test } from 'vitest'
import { aSkillToolChat, HARM } from '../../../../testing/tools/skill-tool-chat.ts'
import { aWorkspace } from '../../../../testing/tools/a-workspace.ts'
import { callAndTell } from '../../../../testing/tools/told-call.ts'
import { planTools } from '../../tools/tool-lists.ts'
import { skillTools } from './skill-tools.ts'
import { tellAnswer } from '../../tools/tell/tell-plan.ts'

function someSkills() {
  const skills = aSkillToolChat()
  onTestFinished(() => skills[Symbol.dispose]())
  let isOn = true
  const on = () => isOn
  const { library, editor, store } = skills
  const [list, view, manage] = skillTools({
    library,
    editor,
    store,
    uses: on,
    learns: on,
    now: () => 5_000,
  })
  const place = aWorkspace()
  return {
    switchOff: () => (isOn = false),
    list: (args: Record<string, unknown> = {}) => callAndTell(place, list!, args),
    view: (args: Record<string, unknown>) => callAndTell(place, view!, args),
    manage: (action: string, more: object) =>
      callAndTell(place, manage!, { action, name: 'tidy-notes', ...more }),
  }
}

test('skills are listed, shown with their steps, and their changes are said', async () => {
  const { list, view, manage, switchOff } = someSkills()
  expect(await list()).toBe('There are no skills.')
  expect(await view({ name: 'tidy' })).toBe('There is no skill “tidy”.')
  const content = '# Steps\n\n1. Read.\n\n```sh\nls\n```\n'
  expect(await manage('create', { description: 'Sorts notes.', content })).toBe(
    'I created the skill “tidy-notes”.',
  )
  expect(await manage('write_file', { file_path: 'references/a.md', content: 'Hi' })).toBe(
    'I wrote `references/a.md` of the skill “tidy-notes”.',
  )
  expect(await list()).toBe('There is 1 skill:\n\n- `tidy-notes`: Sorts notes.')
  expect(await list({ query: 'zebra' })).toBe('There is no skill about “zebra”.')
  expect(await list({ category: 'zebra' })).toBe(
    'There is no category “zebra” of skills. There are:\n\n- other (1)',
  )
  expect(await view({ name: 'tidy-notes' })).toBe(
    'The skill “tidy-notes” says:\n\n````markdown\n# Steps\n\n1. Read.\n\n```sh\nls\n```\n````\n\nIts files: `references/a.md`.',
  )
  expect(await view({ name: 'tidy-note' })).toBe('There is no skill “tidy-note”. Similar: `tidy-notes`.')
  expect(await view({ name: 'tidy-notes', file_path: 'references/a.md' })).toBe(
    'This is `references/a.md` of the skill “tidy-notes”:\n\n```markdown\nHi\n```',
  )
  expect(await view({ name: 'tidy-notes', file_path: 'references/b.md' })).toBe(
    'I could not open the skill “tidy-notes”. references/b.md: There is no such file in the skill. Its files are references/a.md.',
  )
  expect(await manage('patch', { old_string: 'Read.', new_string: 'Look.' })).toBe(
    'I changed the skill “tidy-notes”.',
  )
  expect(await manage('patch', { old_string: 'Nope', new_string: 'Look.' })).toBe(
    'I did not find the text to replace in the skill “tidy-notes”, so nothing was changed.',
  )
  expect(await manage('patch', { old_string: 'Look.', new_string: HARM })).toMatch(
    /^I could not change the skill “tidy-notes”\. Not saved: the security scan calls this dangerous\.\n\n- SKILL\.md, line \d+: /,
  )
  expect(await manage('delete', {})).toBe(
    'I deleted the skill “tidy-notes”. You can restore it on the Skills page.',
  )
  switchOff()
  expect(await list()).toBe(
    'I could not list the skills, because you have switched that off in the settings.',
  )
})

test('a plan is told with what is done', async () => {
  const place = aWorkspace()
  const [todo, ask] = planTools(() => undefined)
  const plan = (text?: string) => callAndTell(place, todo!, text === undefined ? {} : { plan: text })
  expect(await plan()).toBe('There is no plan yet.')
  expect(await plan('[x] Read\n[>] Write *it*\n[ ] Test\n[-] Sing')).toBe(
    'The plan (1 of 4 steps done):\n\n- Read (done)\n- `Write *it*` (being done)\n- Test\n- Sing (dropped)',
  )
  expect(await plan('x'.repeat(400))).toMatch(
    /^I could not write the plan\. A step has at most 300 characters/,
  )
  expect(await callAndTell(place, ask!, { question: '' })).toBe('I could not ask you. The question is empty.')
})

test('an answer of the person is quoted, and none is said as such', () => {
  const told = (ok: boolean, text: string) => tellAnswer({}, { ok, text })
  expect(told(true, 'The user answers: The *blue* one')).toBe('You answered: `The *blue* one`.')
  const goOn = 'Go on without it as well as you can, and say in your answer what you assumed.'
  expect(told(false, `The user does not want to answer. ${goOn}`)).toBe(
    'You did not want to answer, so I left it at that.',
  )
  expect(told(false, 'The user does not choose, and says: “Neither.”')).toBe(
    'You did not choose, and said: “Neither.”',
  )
  expect(told(false, `Nobody answered within 10 minutes. ${goOn}`)).toBe(
    'You did not answer the question, so I left it at that.',
  )
})
