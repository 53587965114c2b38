import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { MAY_NOTHING, type AgentMay } from '../../../shared/contract/connections/agents.ts'
import type { Connection, ConnectPlan } from '../../../shared/contract/connections/connect.ts'
import { Fault } from '../../../shared/rpc.ts'
import { expectAccessible, expectAccessibleAt } from '../../test/accessible.ts'
import { button, showWindow } from '../../test/show-window.tsx'

// The host's side of connecting is answered here: what the window shows of it, and what it asks for.

const HOUR = 3_600_000
const OFF: Connection = {
  program: 'claude-code',
  title: 'Claude Code',
  isInstalled: true,
  state: 'off',
  agentId: null,
  folder: null,
  connectedAt: null,
  lastEventAt: null,
  sessions: 0,
  events: 0,
  note: '',
}
const PI: Connection = { ...OFF, program: 'pi', title: 'Pi', isInstalled: false }
const OPENCODE: Connection = { ...OFF, program: 'opencode', title: 'opencode' }
const PLAN: ConnectPlan = {
  program: 'claude-code',
  folder: '/home/ada/.talaria/connect/claude-code',
  files: [
    { name: 'talaria/hook.mjs', text: 'appendFileSync(spool, line)' },
    ...Array.from({ length: 13 }, (_, at) => ({
      name: `talaria/skills/skill-${at + 1}/SKILL.md`,
      text: 'Steps.',
    })),
  ],
  changes: [
    {
      path: '/home/ada/.claude/set\u202etings.json',
      diff: ' {\n-  "plugins": []\n+  "plugins": ["talaria\u200b"]\n }',
    },
    { path: '/home/ada/.claude/plugins.json', diff: '' },
  ],
  commands: ['claude plugin marketplace add /home/ada/x', 'claude plugin install talaria@talaria'],
  canRun: true,
  notes: ['settings.json is a link to /home/ada/dotfiles/settings.json.'],
  seen: 'a'.repeat(64),
}

const card = (name: string) => page.getByRole('listitem', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const plain = (name: string) => dialog().getByRole('button', { name, exact: true })

type Applied = { what: string; seen: string; run: boolean }

/** The page with three programs, of which the host answers for Claude Code as it would. */
async function showPrograms(plan: Partial<ConnectPlan> = {}) {
  let connection = OFF
  let left: string[] = []
  const applied: Applied[] = []
  const host = await showWindow(each =>
    each.answer({
      'connect.list': () => ({ connections: [connection, PI, OPENCODE] }),
      'connect.plan': ({ program, what }) => ({
        ...PLAN,
        ...plan,
        program,
        ...(what === 'remove' && { files: [], commands: ['claude plugin uninstall talaria'] }),
      }),
      async 'connect.apply'({ what, seen, run }) {
        applied.push({ what, seen, run })
        if (what === 'remove') {
          if (connection.agentId !== null) await host.elsewhere['agents.remove']({ id: connection.agentId })
          connection = { ...OFF, sessions: 2 }
          return { connection, commands: [], said: ['The folder was deleted.'] }
        }
        const { agent } = await host.elsewhere['agents.add']({ name: 'Claude Code' })
        connection = {
          ...connection,
          state: 'connected',
          agentId: agent.id,
          folder: PLAN.folder,
          connectedAt: Date.now() - 10 * HOUR,
          lastEventAt: Date.now() - 2.5 * HOUR,
          sessions: 12,
          events: 340,
        }
        left = run ? [] : PLAN.commands
        return { connection, commands: left, said: ['14 files were written.'] }
      },
    }),
  )
  await button('Connections').click()
  return {
    host,
    applied,
    /** What the host says of Claude Code from now on. */
    become(given: Partial<Connection>) {
      connection = { ...connection, ...given }
      window.dispatchEvent(new Event('focus'))
    },
  }
}

test('a program is connected after its plan was read, and its card then holds the switches of its agent', async () => {
  const { host, applied } = await showPrograms()
  await expect.element(card('Claude Code')).toMatchTextContent('Not connected')
  await expect.element(card('Pi')).toMatchTextContent('Not found on this computer')
  await expectAccessible()
  await card('Claude Code')
    .getByRole('button', { name: /^Connect…/ })
    .click()
  await expect.element(dialog()).toMatchTextContent('Connect Claude Code')
  await expect.element(dialog()).toMatchTextContent('goes to that program’s provider')
  await expect.element(dialog()).toMatchTextContent('settings.json is a link to')
  // What nobody sees in a path or in a line is written out.
  await expect.element(dialog()).toMatchTextContent('/home/ada/.claude/set⟨U+202E⟩tings.json')
  const diff = dialog().getByRole('group', { name: /^Change to/ })
  expect(diff.element().querySelector('del')?.textContent).toBe('-  "plugins": []')
  expect(diff.element().querySelector('ins')?.textContent).toBe('+  "plugins": ["talaria⟨U+200B⟩"]')
  await expect.element(dialog()).toMatchTextContent('Claude Code changes this file itself')
  await expect.element(dialog()).toMatchTextContent('claude plugin install talaria@talaria')
  // The files are folded, and so are those beyond the first.
  await expect.element(dialog().getByText(/^appendFileSync/)).not.toBeInTheDocument()
  await dialog().getByText('14 files').click()
  await dialog().getByText('talaria/hook.mjs').click()
  await expect.element(dialog().getByText(/^appendFileSync/)).toBeVisible()
  await plain('Show 2 more files').click()
  await expect.element(dialog().getByText('talaria/skills/skill-13/SKILL.md')).toBeVisible()
  await expectAccessibleAt(1_280, 420)
  await page.viewport(1_280, 800)
  expect(applied).toEqual([])
  await plain('Connect and run the commands').click()
  await expect.element(dialog()).toMatchTextContent('Claude Code is connected14 files were written.')
  expect(applied).toEqual([{ what: 'connect', seen: PLAN.seen, run: true }])
  await expectAccessible()
  await plain('Choose what it may do').click()
  await expect.element(dialog()).not.toBeInTheDocument()
  // One thing: the agent that the host made for it has no card of its own.
  expect(card('Claude Code').elements()).toHaveLength(1)
  await expect.element(card('Claude Code')).toMatchTextContent('ConnectedNot allowed')
  await expect
    .element(card('Claude Code'))
    .toMatchTextContent('last event 2 hours ago · 12 sessions kept · no requests yet')
  await expect
    .element(card('Claude Code').getByRole('button', { name: /^Claude Code/, expanded: true }))
    .toHaveFocus()
  const learn = card('Claude Code').getByRole('switch', { name: 'Learn from its sessions' })
  await expect.element(learn).toBeChecked()
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  await card('Claude Code').getByRole('button', { name: 'Allow this' }).click()
  await expect.element(card('Claude Code').getByText('Not allowed')).not.toBeInTheDocument()
  const [agent] = (await host.elsewhere['agents.list']({})).agents
  expect(agent).toMatchObject({ allowed: true, may: { user: true, chats: false, learn: true } })
})

test('who runs the commands gets them to copy, and by keys alone', async () => {
  const { applied } = await showPrograms()
  const connect = card('Claude Code').getByRole('button', { name: /^Connect…/ })
  await expect.element(connect).toBeVisible()
  ;(connect.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(plain('Cancel')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  await expect.element(connect).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(plain('Connect without running commands')).toBeVisible()
  ;(plain('Connect without running commands').element() as HTMLElement).focus()
  await userEvent.keyboard(' ')
  await expect.element(dialog()).toMatchTextContent('Run these commands to finish')
  await expect.element(dialog().getByRole('heading', { name: 'Run these commands to finish' })).toHaveFocus()
  const lines = dialog().getByRole('region', { name: 'In a terminal' })
  await expect.element(lines).toMatchTextContent(PLAN.commands.join(''))
  expect(lines.getByRole('button', { name: 'Copy' }).elements()).toHaveLength(2)
  expect(applied).toMatchObject([{ run: false }])
  await plain('Later').click()
  await expect
    .element(card('Claude Code').getByRole('button', { name: /^Claude Code/, expanded: false }))
    .toHaveFocus()
})

test('a program that is not here cannot be run, so its commands are left to the user', async () => {
  await showPrograms({ canRun: false })
  await card('Pi')
    .getByRole('button', { name: /^Connect…/ })
    .click()
  await expect.element(dialog()).toMatchTextContent('Pi was not found on this computer')
  await expect.element(plain('Connect without running commands')).toBeVisible()
  await expect.element(plain('Connect and run the commands')).not.toBeInTheDocument()
})

test('without commands there is one button, and a plan that cannot be made says why', async () => {
  const { host } = await showPrograms({ commands: [] })
  host.failNext('connect.plan', new Fault('bad_input', 'The settings are not valid JSON: line 3.'))
  await card('opencode')
    .getByRole('button', { name: /^Connect…/ })
    .click()
  await expect.element(dialog().getByRole('alert')).toMatchTextContent('not valid JSON: line 3.')
  await expect.element(plain('Connect')).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await card('opencode')
    .getByRole('button', { name: /^Connect…/ })
    .click()
  await expect.element(plain('Connect')).toBeVisible()
})

test('what changed since it was shown is shown anew, and nothing is done', async () => {
  const { host, applied } = await showPrograms()
  await card('Claude Code')
    .getByRole('button', { name: /^Connect…/ })
    .click()
  host.failNext('connect.apply', new Fault('conflict', 'The settings changed since they were shown.'))
  await expect.element(plain('Connect and run the commands')).toBeVisible()
  const plans = () => host.asked.filter(({ name }) => name === 'connect.plan').length
  expect(plans()).toBe(1)
  await plain('Connect and run the commands').click()
  await expect.element(dialog().getByRole('alert')).toMatchTextContent('The settings changed since')
  await expect.poll(plans).toBe(2)
  expect(applied).toEqual([])
  await plain('Connect and run the commands').click()
  await expect.element(dialog()).toMatchTextContent('Claude Code is connected')
})

test('who closes the dialog while it works is told the end of it', async () => {
  const { host } = await showPrograms()
  await card('Claude Code')
    .getByRole('button', { name: /^Connect…/ })
    .click()
  const goOn = host.holdNext('connect.apply')
  await plain('Connect and run the commands').click()
  await expect.element(dialog()).toMatchTextContent('Connecting…')
  await expect.element(plain('Connect and run the commands')).toBeDisabled()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  goOn()
  await expect.element(page.getByText('14 files were written.')).toBeVisible()
  await expect.element(card('Claude Code')).toMatchTextContent('Connected')
})

test('what is wrong with a connected program stands on its card, with the way to mend it', async () => {
  const { host, become } = await showPrograms()
  const agentWith = async (may: Partial<AgentMay>) => {
    const { agent } = await host.elsewhere['agents.add']({ name: 'Claude Code' })
    const { id, seen } = agent
    await host.elsewhere['agents.allow']({ id, seen, on: true, may: { ...MAY_NOTHING, ...may } })
    return id
  }
  const agentId = await agentWith({ user: true, learn: true })
  const long = Date.now() - 9 * 24 * HOUR
  become({ state: 'connected', agentId, lastEventAt: long, connectedAt: long, sessions: 1 })
  await expect
    .element(card('Claude Code'))
    .toMatchTextContent('No events for 9 days. Either Claude Code was not used')
  become({ state: 'changed' })
  await expect.element(card('Claude Code')).toMatchTextContent('Changed')
  await expect.element(card('Claude Code')).toMatchTextContent('was changed or deleted')
  await expectAccessibleAt(420)
  await page.viewport(1_280, 800)
  become({ note: 'Its settings name another folder: /tmp/\u202eabc.' })
  await expect.element(card('Claude Code')).toMatchTextContent('another folder: /tmp/⟨U+202E⟩abc.')
  // Its key was taken away in a terminal.
  await host.elsewhere['agents.remove']({ id: agentId })
  await expect
    .element(card('Claude Code'))
    .toMatchTextContent('Its key was removed, so it cannot read anything.')
  await card('Claude Code')
    .getByRole('button', { name: /^Connect again…/ })
    .click()
  await expect.element(dialog()).toMatchTextContent('Connect Claude Code')
})

test('a program is removed after its plan was read', async () => {
  const { host, applied, become } = await showPrograms()
  const { agent } = await host.elsewhere['agents.add']({ name: 'Claude Code' })
  become({ state: 'connected', agentId: agent.id, folder: PLAN.folder })
  await button('More for Claude Code').click()
  await page.getByRole('menuitem', { name: /^Remove/ }).click()
  await expect.element(dialog()).toMatchTextContent('Remove Talaria from Claude Code')
  await expect.element(dialog()).toMatchTextContent('This folder with Talaria’s files is deleted')
  await expect.element(dialog()).toMatchTextContent('claude plugin uninstall talaria')
  await plain('Remove and run the commands').click()
  await expect.element(dialog()).toMatchTextContent('Talaria was removed from Claude Code')
  expect(applied).toMatchObject([{ what: 'remove', run: true }])
  await plain('Done').click()
  await expect.element(card('Claude Code')).toMatchTextContent('Not connected2 sessions kept')
  await expect.element(card('Claude Code').getByRole('button', { name: /^Connect…/ })).toHaveFocus()
  expect((await host.elsewhere['agents.list']({})).agents).toEqual([])
})
