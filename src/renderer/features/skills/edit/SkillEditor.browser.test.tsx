import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { HostProvider } from '../../../rpc/host-context.tsx'
import { button } from '../../../test/show-window.tsx'
import { aSkillText } from '../../../test/skills.ts'
import { SkillEditor } from './SkillEditor.tsx'
import {
  code,
  danger,
  dangerousLine,
  field,
  haiku,
  haikuFile,
  haikuText,
  lines,
  showEditor,
  type Editing,
} from '../../../test/skill-editor.tsx'

const asked = ({ host }: Editing, name: string) =>
  host.asked.filter(each => each.name === name).map(each => each.input as Record<string, unknown>)

/** Put the caret at the end of the text and write. */
async function write(text: string, path = 'SKILL.md') {
  await expect.element(code(path)).toHaveAttribute('aria-multiline', 'true')
  await code(path).click()
  await userEvent.keyboard(`{Control>}{End}{/Control}${text}`)
}
/** Save as another window does. */
const saveElsewhere = ({ host }: Editing, text: string) =>
  host.elsewhere['skills.save']({ id: haiku, path: 'SKILL.md', text, expected: haikuText })
const save = () => userEvent.keyboard('{Control>}s{/Control}')

test('the text of a skill can be edited, and Ctrl+S saves it', async () => {
  const editing = await showEditor()
  await write('More.')
  await expect.element(page.getByText('not saved')).toBeVisible()
  await save()
  await expect.element(page.getByText('saved', { exact: true })).toBeVisible()
  expect(await haikuFile(editing.host)).toBe(`${haikuText}More.`)
  expect(asked(editing, 'skills.save')).toEqual([
    { id: haiku, path: 'SKILL.md', text: `${haikuText}More.`, expected: haikuText },
  ])
  expect(editing.saved).toEqual([haiku])
  expect(editing.unsaved).toEqual([false, true, false])
})

test('form fields update the text and leave the rest unchanged', async () => {
  await showEditor()
  await expect.element(code()).toHaveAttribute('aria-multiline', 'true')
  await field('Description').fill('Writes three lines.')
  await expect.poll(lines).toContain('description: Writes three lines.')
  await field('Tags').fill('poems, spring, ')
  await expect.poll(lines).toContain('  tags: poems, spring')
  await expect.element(field('Tags')).toHaveValue('poems, spring, ')
  await page.getByRole('checkbox', { name: 'Linux' }).click()
  await expect.poll(lines).toContain('  platforms: linux')
  expect(lines().at(-2)).toBe('1. Do it step by step.')
})

test('the text updates the form', async () => {
  await showEditor()
  await expect.element(field('Name')).toHaveValue('haiku')
  // Until the editor has loaded, a plain field is in its place.
  await expect.element(code()).toHaveAttribute('aria-multiline', 'true')
  await code().click()
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowDown}{End}-two')
  await expect.element(field('Name')).toHaveValue('haiku-two')
})

test('the caret stays in place when the form changes text above it', async () => {
  const { host } = await showEditor()
  await write('')
  // The answer to the form comes while the person is back in the text.
  const answer = Promise.withResolvers<void>()
  const { client } = host.link
  const setFields = client['skills.setFields']
  client['skills.setFields'] = async (...input) => {
    await answer.promise
    return setFields(...input)
  }
  await field('Description').fill('Something much longer than it was before.')
  await code().click()
  await userEvent.keyboard('{Control>}{End}{/Control}one ')
  answer.resolve()
  await expect.poll(lines).toContain('description: Something much longer than it was before.')
  await userEvent.keyboard('two')
  await expect.poll(() => lines().at(-1)).toBe('one two')
})

test('a check result for outdated text is ignored', async () => {
  const { host } = await showEditor()
  const { client } = host.link
  const check = client['skills.check']
  const first = Promise.withResolvers<void>()
  let turn = 0
  let answered = 0
  client['skills.check'] = async (...input) => {
    if (++turn === 1) await first.promise
    const answer = await check(...input)
    answered++
    return answer
  }
  await code().click()
  await expect.element(code()).toHaveAttribute('aria-multiline', 'true')
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowDown}{End}!')
  await expect.poll(() => turn).toBe(1)
  await userEvent.keyboard('{Backspace}')
  await expect.poll(() => turn).toBe(2)
  first.resolve()
  // The answer about the wrong name was under way all the time.
  await expect.poll(() => answered).toBe(2)
  await expect.element(page.getByText('No problems found.')).toBeVisible()
  await expect.element(field('Name')).toHaveValue('haiku')
})

test('problems are listed and marked, and a click moves to their line', async () => {
  await showEditor(null, { initialText: aSkillText({ name: 'Not A Name' }) })
  const issue = button(/Line 2: A name has only small letters/)
  await expect.element(issue).toBeVisible()
  await expect.element(page.getByText('1 error')).toBeVisible()
  await expect
    .poll(() => code().element().querySelector('.cm-mark-error')?.textContent)
    .toBe('name: Not A Name')
  await issue.click()
  await userEvent.keyboard('# ')
  await expect.poll(() => lines()[1]).toBe('# name: Not A Name')
})

test('the description counts its characters, and marks too many as an error', async () => {
  await showEditor()
  await expect.element(page.getByText('53 of 1,024 characters')).toBeVisible()
  await field('Description').fill('x'.repeat(1_030))
  await expect.element(page.getByText('6 characters too many')).toBeVisible()
  await expect.element(field('Description')).toHaveAttribute('aria-invalid', 'true')
})

test('dangerous text is refused with its findings, and saved only after confirmation', async () => {
  const editing = await showEditor()
  await write(dangerousLine)
  await save()
  await expect.element(page.getByText('SKILL.md was not saved.')).toBeVisible()
  await expect.element(page.getByRole('list', { name: 'What was found' })).toBeVisible()
  await expect.element(page.getByText(danger, { exact: true })).toBeVisible()
  await button('Go to SKILL.md, line 9').click()
  expect(await haikuFile(editing.host)).toBe(haikuText)
  await button('Save anyway…').click()
  expect(asked(editing, 'skills.save')).toHaveLength(1)
  await button('Yes, save it anyway').click()
  await expect.element(page.getByText('SKILL.md was not saved.')).not.toBeInTheDocument()
  expect(asked(editing, 'skills.save').at(-1)).toMatchObject({ despite: expect.any(String) })
  expect(await haikuFile(editing.host)).toBe(haikuText + dangerousLine)
})

test('refused text is scanned again during edits, until nothing is found', async () => {
  await showEditor()
  await write(dangerousLine)
  await save()
  await expect.element(button('Save anyway…')).toBeVisible()
  await code().click()
  await userEvent.keyboard('{Control>}{End}{/Control}{Backspace}{Backspace}')
  await expect.element(page.getByText('The scan no longer finds anything. Save again.')).toBeVisible()
  await expect.element(button('Save anyway…')).not.toBeInTheDocument()
  await save()
  await expect.element(page.getByText('saved', { exact: true })).toBeVisible()
})

test('an invalid front matter is refused, and cannot be saved anyway', async () => {
  const { host } = await showEditor()
  await field('Description').fill('')
  await save()
  await expect.element(page.getByRole('alert').getByText(/The front matter has no description/)).toBeVisible()
  await expect.element(button('Save anyway…')).not.toBeInTheDocument()
  expect(await haikuFile(host)).toBe(haikuText)
})

test('the name must equal the folder, and the form can correct it', async () => {
  await showEditor()
  await expect.element(field('Name')).toHaveAttribute('readonly')
  await expect.element(code()).toHaveAttribute('aria-multiline', 'true')
  await code().click()
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowDown}{End}s')
  await expect
    .element(page.getByText('Its folder is called haiku, and the name must be the same.'))
    .toBeVisible()
  await field('Name').fill('haiku')
  await expect.poll(() => lines()[1]).toBe('name: haiku')
})

test('a version saved elsewhere is shown as a diff, and the own version can be kept', async () => {
  const editing = await showEditor()
  await write('Mine.')
  const theirs = haikuText.replace('step by step', 'at once')
  await saveElsewhere(editing, theirs)
  await save()
  await expect.element(page.getByText('SKILL.md was changed in the meantime.')).toBeVisible()
  const marks = () => [...document.querySelectorAll('.word-diff del')].map(each => each.textContent.trim())
  expect(marks()).toEqual(['at', 'once'])
  await page.getByText('Their version', { exact: true }).click()
  await expect.poll(() => document.querySelector('pre')?.textContent).toBe(theirs)
  await button('Keep mine').click()
  await expect.poll(() => haikuFile(editing.host)).toBe(`${haikuText}Mine.`)
  await expect.element(button('Keep mine')).not.toBeInTheDocument()
})

test('a version saved elsewhere can be taken over', async () => {
  const editing = await showEditor()
  await write('Mine.')
  await saveElsewhere(editing, haikuText.replace('step by step', 'at once'))
  await save()
  await button('Use theirs').click()
  await expect.poll(lines).toContain('1. Do it at once.')
  await expect.element(page.getByText('saved', { exact: true })).toBeVisible()
})

test('an original says that saving makes an edited copy, and later saves go to that copy', async () => {
  const editing = await showEditor('bundled/clean-csv')
  await expect.element(page.getByText('This is an original.')).toBeVisible()
  await write('More.')
  await save()
  await expect.element(page.getByText('This is an original.')).not.toBeInTheDocument()
  expect(editing.saved).toEqual(['own/clean-csv'])
  await write('Again.')
  await save()
  await expect
    .poll(() => editing.host.readFile('home', 'skills/clean-csv/SKILL.md'))
    .toMatch(/More\.Again\.$/u)
})

test('several files can be edited and are saved together', async () => {
  const editing = await showEditor()
  await write('More.')
  await page.getByRole('combobox', { name: 'File' }).selectOptions('scripts/count.sh')
  await expect.element(page.getByText(/This is a script/)).toBeVisible()
  await expect.element(field('Description')).not.toBeInTheDocument()
  await write('echo done', 'scripts/count.sh')
  await save()
  await expect.poll(() => haikuFile(editing.host, 'scripts/count.sh')).toBe('echo 5 7 5\necho done')
  expect(await haikuFile(editing.host)).toBe(`${haikuText}More.`)
  await page.getByRole('combobox', { name: 'File' }).selectOptions('assets/moon.png')
  await expect.element(page.getByText(/not text/)).toBeVisible()
})

test('a new file needs a valid name that is not in use', async () => {
  const { host } = await showEditor()
  await button('New file…').click()
  await page.getByRole('combobox', { name: 'Folder' }).selectOptions('scripts')
  const name = page.getByRole('textbox', { name: 'Name of the file' })
  await name.fill('../up.sh')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/Use letters, digits/)).toBeVisible()
  await name.fill('COUNT.sh')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('A file with this name already exists.')).toBeVisible()
  await name.fill('moon.sh')
  await userEvent.keyboard('{Enter}')
  await write('echo moon', 'scripts/moon.sh')
  await save()
  await expect.poll(() => haikuFile(host, 'scripts/moon.sh')).toBe('echo moon')
})

test('a new skill starts from a template, and its name comes from the form', async () => {
  const editing = await showEditor(null)
  await expect.element(page.getByRole('heading', { name: 'New skill' })).toBeVisible()
  await expect.element(field('Name')).toHaveValue('my-skill')
  await field('Name').fill('brew-tea')
  await field('Category').fill('kitchen')
  await save()
  await expect.poll(() => editing.saved).toEqual(['own/kitchen/brew-tea'])
  await expect.element(page.getByRole('heading', { name: 'Edit “brew-tea”' })).toBeVisible()
  const path = 'skills/kitchen/brew-tea/SKILL.md'
  expect(await editing.host.readFile('home', path)).toContain('name: brew-tea')
})

test('a new skill saved right after a name change gets the new name', async () => {
  const editing = await showEditor(null)
  await expect.element(code()).toHaveAttribute('aria-multiline', 'true')
  await code().click()
  await userEvent.keyboard('{Control>}{Home}{/Control}{ArrowDown}{End}-two{Control>}s{/Control}')
  await expect.poll(() => editing.saved).toEqual(['own/my-skill-two'])
})

test('findings in another file stay while SKILL.md is edited', async () => {
  const { host } = await showEditor(haiku, { files: { 'scripts/count.sh': dangerousLine } })
  await write('More.')
  await save()
  await expect.element(button('Go to scripts/count.sh, line 1')).toBeVisible()
  const checks = () => host.asked.filter(each => each.name === 'skills.check').length
  const before = checks()
  await code().click()
  await userEvent.keyboard('!')
  await expect.poll(checks).toBeGreaterThan(before)
  await expect.element(button('Save anyway…')).toBeVisible()
  await button('Go to scripts/count.sh, line 1').click()
  await expect.element(code('scripts/count.sh')).toBeVisible()
})

test('closing with unsaved changes asks, and “Discard” drops them', async () => {
  const editing = await showEditor()
  await button('Close').click()
  expect(editing.closed()).toBe(1)
  await write('More.')
  await button('Close').click()
  await expect.element(page.getByText('Not saved: SKILL.md.')).toBeVisible()
  await button('Keep editing').first().click()
  expect(editing.closed()).toBe(1)
  await button('Close').click()
  await button('Discard').click()
  expect(editing.closed()).toBe(2)
  await cleanup()
  await render(
    <HostProvider link={editing.host.link}>
      <SkillEditor id={haiku} onClose={() => {}} />
    </HostProvider>,
  )
  await expect.element(page.getByText('saved', { exact: true })).toBeVisible()
})

test('unsaved changes return when the editor opens again, and can be discarded', async () => {
  const editing = await showEditor()
  await write('More.')
  await cleanup()
  await render(
    <HostProvider link={editing.host.link}>
      <SkillEditor id={haiku} onClose={() => {}} />
    </HostProvider>,
  )
  await expect.element(page.getByText('Your unsaved changes are back.')).toBeVisible()
  await expect.poll(() => lines().at(-1)).toBe('More.')
  await button('Discard them').click()
  await expect.element(page.getByText('saved', { exact: true })).toBeVisible()
  await expect.poll(() => lines().at(-1)).toBe('')
})

test('a skill that cannot be opened says why, and can be tried again', async () => {
  const { host } = await showEditor('own/gone')
  await expect.element(page.getByText(/This skill no longer exists/)).toBeVisible()
  await host.elsewhere['skills.create']({ name: 'gone', text: aSkillText({ name: 'gone' }) })
  await button('Try again').click()
  await expect.element(page.getByRole('heading', { name: 'Edit “gone”' })).toBeVisible()
})

test('a save without a connection loses nothing', async () => {
  const { host } = await showEditor()
  await write('More.')
  await host.disconnect()
  await save()
  await expect.element(page.getByRole('alert').getByText(/Talaria is not connected/)).toBeVisible()
  await expect.element(button('Save anyway…')).not.toBeInTheDocument()
  host.reconnect()
  await expect.poll(() => host.link.state()).toBe('connected')
  await save()
  await expect.poll(() => haikuFile(host)).toBe(`${haikuText}More.`)
})
