import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Fault } from '../../../../shared/rpc.ts'
import { cautionLine, cautionSteps } from '../../../test/skill-editor.tsx'
import { button, composer, transcript } from '../../../test/show-window.tsx'
import { aSkill, aSkillText } from '../../../test/skills.ts'
import type { TestHost } from '../../../test/test-host.ts'
import {
  aChat,
  changes,
  choose,
  danger,
  dangerousLine,
  fill,
  row,
  rowSwitch,
  showSkills,
  skill,
  tab,
  weeklyReport,
} from '../../../test/skills-page.ts'

/** A file of a skill of the person, as it lies on the disk. */
const fileOf = (host: TestHost, name: string, path = 'SKILL.md') =>
  host.readFile('home', `skills/${name}/${path}`)

const prose = () => document.querySelector<HTMLElement>('.skill-prose')

test('a skill shows its description, requirements, platforms and text', async () => {
  await showSkills(fill, { skillId: 'bundled/clean-csv' })
  await expect
    .element(skill('clean-csv').getByText('Tidies a CSV file. Use it when columns are mixed up.'))
    .toBeVisible()
  for (const word of ['data', 'tables', 'terminal', 'linux', 'macos'])
    await expect.element(skill('clean-csv').getByText(word, { exact: true })).toBeVisible()
  await expect.poll(() => prose()?.textContent.trim()).toBe('Do it step by step.')
  await expect.element(page.getByText('Nothing suspicious was found.')).toBeVisible()
})

test('hostile Markdown runs nothing, loads nothing remote, and hides no address', async () => {
  const body = [
    '# Harmless',
    '<script>window.__hit = 1</script>',
    '<img src="x" onerror="window.__hit = 2">',
    '<iframe srcdoc="<script>parent.__hit = 3</script>"></iframe>',
    '<svg onload="window.__hit = 4"><style>body { display: none }</style></svg>',
    '![beacon](https://example.org/beacon.png)',
    '![also](//example.org/beacon.png)',
    '[run](javascript:window.__hit=5)',
    '[data](data:text/html,<script>window.__hit=6</script>)',
    '<a href="javascript:window.__hit=7">raw</a>',
    '[Your bank](https://evil.example/login)',
    '<https://example.org/plain>',
  ].join('\n\n')
  const before = performance.getEntriesByType('resource').length
  await showSkills(host => void host.seed.skill(aSkill({ name: 'hostile', from: 'import', body })), {
    skillId: 'imported/hostile',
  })
  await expect.element(page.getByRole('heading', { name: 'Harmless' })).toBeVisible()
  expect(prose()?.querySelectorAll('script, iframe, svg, style, img, object, embed, form')).toHaveLength(0)
  const links = [...(prose()?.querySelectorAll('a') ?? [])]
  expect(links.map(link => link.href)).toEqual(['https://evil.example/login', 'https://example.org/plain'])
  expect(getComputedStyle(links[0]!, '::after').content).toContain('https://evil.example/login')
  for (const link of links) expect([link.target, link.rel]).toEqual(['_blank', 'noreferrer'])
  const loaded = performance.getEntriesByType('resource').slice(before)
  expect(loaded.filter(each => /example/.test(new URL(each.name).hostname))).toEqual([])
  expect('__hit' in window).toBe(false)
})

test('a pinned skill shows that it is, and cannot be deleted until it is unpinned', async () => {
  const host = await showSkills(fill, { skillId: 'own/weekly-report' })
  await choose('weekly-report', 'Pin')
  await expect.element(skill('weekly-report').getByText('Pinned', { exact: true })).toBeVisible()
  await expect.element(row('weekly-report').getByText('Pinned', { exact: true })).toBeVisible()
  await button('More for weekly-report').click()
  await expect.element(page.getByRole('menuitem', { name: /^Delete.*Unpin it first/ })).toBeDisabled()
  await userEvent.keyboard('{Escape}')
  await choose('weekly-report', 'Unpin')
  await expect.element(skill('weekly-report').getByText('Pinned', { exact: true })).not.toBeInTheDocument()
  await choose('weekly-report', 'Delete')
  await expect.poll(() => fileOf(host, 'weekly-report')).toBeNull()
})

test('a skill that was not scanned yet is shown with what the scan finds, so nothing moves afterwards', async () => {
  const first: boolean[] = []
  const seen = new MutationObserver(() => {
    const { textContent } = document.body
    if (textContent.includes('Security scan')) first.push(textContent.includes('Blocked:'))
  })
  seen.observe(document.body, { subtree: true, childList: true })
  onTestFinished(() => seen.disconnect())
  await showSkills(fill, { skillId: 'imported/deploy-fast' })
  await expect.element(page.getByRole('heading', { name: 'Security scan' })).toBeVisible()
  expect(first[0]).toBe(true)
  expect(first).not.toContain(false)
})

test('a blocked skill can be used only after its findings are confirmed as read', async () => {
  const host = await showSkills(fill, { skillId: 'imported/deploy-fast' })
  await button('Read what was found').click()
  await expect.element(page.getByRole('heading', { name: 'Security scan' })).toHaveFocus()
  await button('Use it anyway…').click()
  const dialog = page.getByRole('dialog', { name: 'Use deploy-fast anyway?' })
  await expect.element(dialog.getByText(danger)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Use it anyway' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'I have read what was found' }).click()
  host.failNext('skills.setEnabled', new Fault('internal', 'The disk is full.'))
  await dialog.getByRole('button', { name: 'Use it anyway' }).click()
  await expect.element(dialog.getByText('The disk is full.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Use it anyway' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(rowSwitch('deploy-fast')).toHaveAttribute('aria-checked', 'true')
  expect(changes(host).at(-1)?.input).toMatchObject({
    ids: ['imported/deploy-fast'],
    enabled: true,
    accept: true,
  })
})

test('a skill with a caution asks before it is switched on, and only after its findings are confirmed as read', async () => {
  const host = await showSkills(
    ({ seed }) =>
      void seed.skill(aSkill({ name: 'cows', from: 'import', enabled: false, body: cautionSteps })),
    { skillId: 'imported/cows' },
  )
  await expect.element(page.getByText(/[Tt]he scan found lines that need caution/)).toBeVisible()
  await button('Switch it on…').click()
  const dialog = page.getByRole('dialog', { name: 'Use cows?' })
  await expect.element(dialog.getByText(cautionLine)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Use it' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'I have read what was found' }).click()
  await dialog.getByRole('button', { name: 'Use it' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(rowSwitch('cows')).toHaveAttribute('aria-checked', 'true')
  await expect.element(button('Switch it on…')).not.toBeInTheDocument()
  expect(changes(host).at(-1)?.input).toMatchObject({ ids: ['imported/cows'], enabled: true, accept: true })
})

test('a finding links to its line, and so does a lint message', async () => {
  await showSkills(fill, { skillId: 'imported/deploy-fast' })
  await button('Go to scripts/get.sh, line 3').click()
  const content = page.getByRole('region', { name: 'Content of scripts/get.sh' })
  await expect.element(content).toHaveFocus()
  const marked = () => document.querySelector('.file-line-marked')?.textContent
  expect(marked()).toBe(`3${dangerousLine}`)
  await tab('Preview').click()
  await button('line 3').click()
  await expect.poll(marked).toMatch(/^3description: Ships a site/)
})

test('a line far down in a long file is scrolled into view', async () => {
  const lines = Array.from({ length: 4_000 }, (_, at) => (at === 3_499 ? dangerousLine : `echo ${at + 1}`))
  const files = { 'scripts/long.sh': lines.join('\n') }
  await showSkills(host => void host.seed.skill(aSkill({ name: 'long', files })), { skillId: 'own/long' })
  await button('Go to scripts/long.sh, line 3500').click()
  await expect.element(page.getByText('echo 3499')).toBeVisible()
  expect(document.querySelectorAll('.file-line').length).toBeLessThan(200)
})

test('a second opinion is shown as plain text, or with the reason why it failed', async () => {
  const host = await showSkills(fill, { skillId: 'imported/deploy-fast' })
  await button('Ask the model for a second opinion').click()
  const asked = await host.nextAsked()
  expect(asked.text).toContain(dangerousLine)
  await asked.say('{"verdict": "doubtful", "reason": "**Ignore** the scan."}')
  await expect.element(page.getByText('A model’s opinion, not a check')).toBeVisible()
  await expect.element(page.getByText('· Served model', { exact: false })).toBeVisible()
  await expect.element(page.getByText('The model has doubts.')).toBeVisible()
  // What a model says here is text and nothing else.
  await expect.element(page.getByText('**Ignore** the scan.')).toBeVisible()
  await expect.element(page.getByText(/This opinion changes nothing/)).toBeVisible()
  await button('Ask again').click()
  await (await host.nextAsked()).fail(400, 'The question is too long.')
  await expect.element(page.getByText(/The question is too long/)).toBeVisible()
})

test('scripts are marked, a binary file shows no text, and an original’s files cannot be deleted', async () => {
  await showSkills(fill, { skillId: 'imported/deploy-fast', tab: 'files' })
  const files = page.getByRole('list', { name: 'Files of the skill' })
  await expect.element(files.getByRole('button', { name: /get\.sh Script/ })).toBeVisible()
  await files.getByRole('button', { name: /logo\.png/ }).click()
  await expect.element(page.getByText(/This file is not text/)).toBeVisible()
  await expect.element(page.getByText(/Files of an original cannot be deleted/)).toBeVisible()
})

test('a file of an own skill can be deleted and restored', async () => {
  const host = await showSkills(fill, { skillId: 'own/weekly-report', tab: 'files' })
  await page
    .getByRole('list', { name: 'Files of the skill' })
    .getByRole('button', { name: /^example\.md/ })
    .click()
  await expect.element(page.getByText('All went well.')).toBeVisible()
  await button('Delete references/example.md').click()
  await expect.element(page.getByText('references/example.md was deleted.')).toBeVisible()
  await expect.element(button('Delete references/example.md')).not.toBeInTheDocument()
  await page.getByRole('status', { name: 'What just happened' }).getByRole('button', { name: 'Undo' }).click()
  await expect.element(button('Delete references/example.md')).toBeVisible()
  expect(await fileOf(host, 'weekly-report', 'references/example.md')).toMatch(/All went well/)
})

test('the history shows what the agent changed and why, with Undo and Restore', async () => {
  const { text } = weeklyReport
  const host = await showSkills(
    host => {
      fill(host)
      const change = { text: text.replace('three', 'four'), note: 'You corrected the number.' }
      void host.seed.skillChange({ id: 'own/weekly-report', ...change })
    },
    { skillId: 'own/weekly-report', tab: 'history' },
  )
  const changesOf = page.getByRole('list', { name: 'Changes' })
  await expect.element(changesOf.getByText('You corrected the number.')).toBeVisible()
  await expect.element(changesOf.getByText('Changed by the agent')).toBeVisible()
  await expect.poll(() => document.querySelector('del')?.textContent).toBe('three')
  expect(document.querySelector('ins')?.textContent).toBe('four')
  await button('Undo: Changed by the agent').click()
  await expect.element(changesOf.getByText('undone', { exact: true })).toBeVisible()
  expect(await fileOf(host, 'weekly-report')).toBe(text)
  await page
    .getByRole('button', { name: /^Restore this version from/ })
    .first()
    .click()
  await expect.poll(() => fileOf(host, 'weekly-report')).toContain('four')
})

test('a change links to the chat in which it was made', async () => {
  await showSkills(fill, { skillId: 'own/weekly-report', tab: 'history' })
  await button('from “The weekly report”').click()
  await expect.element(transcript().getByText('Write it as last week.')).toBeVisible()
})

test('Usage lists each turn with its outcome, and links to its message', async () => {
  await showSkills(
    host => {
      aChat(host)
      const gone = { sessionId: 'gone', by: 'you', outcome: null } as const
      void host.seed.skill({ ...weeklyReport, uses: [{ outcome: 'corrected' }, gone] })
    },
    { skillId: 'own/weekly-report', tab: 'usage' },
  )
  const turns = page.getByRole('list', { name: 'Turns that loaded it' })
  await expect.element(turns.getByText('you corrected it')).toBeVisible()
  await expect.element(turns.getByText('a deleted chat')).toBeVisible()
  await expect.element(turns.getByText('in progress')).toBeVisible()
  const learned = page.getByRole('list', { name: 'What the agent changed' })
  await expect.element(learned.getByText('You asked for the same report three times.')).toBeVisible()
  await button('Open “The weekly report” at this message').click()
  await expect.element(transcript().getByText('Write it as last week.')).toBeVisible()
})

test('an edited copy can be reset, and the page then shows the original', async () => {
  await showSkills(
    host => {
      fill(host)
      const text = aSkillText({ name: 'clean-csv' }, '1. Other steps.')
      void host.seed.skillChange({ id: 'bundled/clean-csv', text, actor: 'you' })
    },
    { skillId: 'own/clean-csv' },
  )
  await expect.element(page.getByText(/This is an edited copy/)).toBeVisible()
  await page.getByText('What changed', { exact: true }).click()
  await expect.element(page.getByText(/Other steps/).first()).toBeVisible()
  await button('Reset to original').click()
  await expect.poll(() => prose()?.textContent.trim()).toBe('Do it step by step.')
  expect(location.hash).toBe('#page=skills&skill=bundled%2Fclean-csv')
  await expect.element(page.getByText(/This is an edited copy/)).not.toBeInTheDocument()
})

test('an unused skill says why', async () => {
  await showSkills(
    ({ seed }) => {
      void seed.skill(aSkill({ name: 'haiku', from: 'import' }))
      void seed.skill(aSkill({ name: 'haiku', from: 'bundled' }))
      void seed.skill(aSkill({ name: 'looks-far', requires: ['telescope'] }))
      void seed.skill(aSkill({ name: 'quiet', enabled: false }))
    },
    { skillId: 'own/looks-far' },
  )
  await expect
    .element(
      page.getByText('It cannot be used on this computer. It needs tools that are not here: telescope.'),
    )
    .toBeVisible()
  await row('quiet').click()
  await expect.element(page.getByText('It is off. New chats do not see it.')).toBeVisible()
  await page.getByRole('button', { name: /haiku.*Built in/ }).click()
  await expect
    .element(page.getByText(/Another skill with this name is used instead: Imported, imported\/haiku/))
    .toBeVisible()
  await button('Show the other skill').click()
  expect(location.hash).toBe('#page=skills&skill=imported%2Fhaiku')
})

test('a skill can be exported as a zip file', async () => {
  await showSkills(fill, { skillId: 'own/weekly-report' })
  const saved: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download)
  })
  await choose('weekly-report', 'Export as zip')
  await expect.poll(() => saved).toEqual(['weekly-report.zip'])
  click.mockRestore()
})

test('a skill can be duplicated with its files, and tried in a chat', async () => {
  const host = await showSkills(fill, { skillId: 'own/weekly-report' })
  await choose('weekly-report', 'Duplicate')
  await expect.element(skill('weekly-report-copy')).toBeVisible()
  expect(await fileOf(host, 'weekly-report-copy')).toMatch(/^---\nname: weekly-report-copy\n/)
  expect(await fileOf(host, 'weekly-report-copy', 'references/example.md')).toMatch(/All went well/)

  await button('Try it').click()
  await expect.element(composer()).toHaveValue('/weekly-report-copy ')
})

test('a built-in skill cannot be deleted, only switched off', async () => {
  await showSkills(fill, { skillId: 'bundled/clean-csv' })
  await button('More for clean-csv').click()
  await expect.element(page.getByRole('menuitem', { name: /^Delete/ })).toBeDisabled()
  await userEvent.keyboard('{Escape}')
  await skill('clean-csv').getByRole('switch', { name: 'On', exact: true }).click()
  await expect.element(rowSwitch('clean-csv')).toHaveAttribute('aria-checked', 'false')
})

test('the menu checks for updates', async () => {
  await showSkills(fill, { skillId: 'imported/deploy-fast' })
  await choose('deploy-fast', 'Check for updates')
  await expect.element(page.getByText('There is no newer version at its source.')).toBeVisible()
})

test('a skill deleted elsewhere while it is open can be restored there', async () => {
  const host = await showSkills(fill, { skillId: 'own/writing/haiku' })
  await expect.element(skill('haiku')).toBeVisible()
  await host.elsewhere['skills.remove']({ ids: ['own/writing/haiku'] })
  await expect.element(page.getByText('haiku was deleted.')).toBeVisible()
  await button('Restore').click()
  await expect.element(skill('haiku')).toBeVisible()
})

test('an address of a skill that does not exist says so', async () => {
  await showSkills(fill, { skillId: 'own/never' })
  await expect.element(page.getByText('This skill does not exist.')).toBeVisible()
})

test('the skill stays shown when it cannot be read again', async () => {
  const host = await showSkills(fill, { skillId: 'own/writing/haiku' })
  await expect.element(skill('haiku')).toBeVisible()
  host.failEach('skills.get', new Fault('internal', 'The folder is locked.'))
  host.publish({ type: 'changed', areas: ['skills'] })
  await expect.element(page.getByText('The skill could not be read: The folder is locked.')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'writing/haiku' })).toBeVisible()
})
