import { expect, onTestFinished, test } from 'vitest'
import { aWorkspace } from '../../../../testing/tools/a-workspace.ts'
import { callAndTell, toldOf } from '../../../../testing/tools/told-call.ts'
import { openProcesses } from '../../processes/open-processes.ts'
import { coreTools } from '../tool-lists.ts'
import { createResultCap } from '../registry/shorten-result.ts'

function aTerminal() {
  const processes = openProcesses({ now: Date.now })
  onTestFinished(() => processes.close())
  const [terminal] = coreTools({ timeout_s: 20 }, processes)
  const place = aWorkspace({ 'src/a.ts': '' })
  return {
    place,
    terminal: terminal!,
    run: (args: Record<string, unknown>) => callAndTell(place, terminal!, args),
  }
}

test.runIf(process.platform !== 'win32')(
  'a command is told by what it printed and how it ended',
  async () => {
    const { run } = aTerminal()
    expect(await run({ command: 'echo hello' })).toBe('`echo hello` ran and printed:\n\n```\nhello\n```')
    expect(await run({ command: 'true' })).toBe('`true` ran and printed nothing.')
    expect(await run({ command: 'cd src' })).toBe('`cd src` ran and printed nothing.')
    expect(await run({ command: 'echo no; exit 3' })).toBe(
      '`echo no; exit 3` failed with exit code 3 and printed:\n\n```\nno\n```',
    )
    expect(await run({ command: 'exit 4' })).toBe('`exit 4` failed with exit code 4 and printed nothing.')
    expect(await run({ command: 'sleep 20', timeout_s: 1 })).toBe(
      '`sleep 20` was still at work after 1 s, so it was ended. Until then it printed nothing.',
    )
    expect(await run({ command: 'echo one\necho two' })).toBe(
      'The command ran and printed:\n\n```\none\ntwo\n```',
    )
    expect(await run({ command: 'echo "password: hunter22x"' })).toBe(
      '`echo "password: hunter22x"` ran and printed:\n\n```\npassword: [redacted]\n```\n\n`[redacted]` stands for a key or a password.',
    )
    expect(await run({ command: 'seq 1 300' })).toMatch(
      /^`seq 1 300` ran and printed:\n\n```\n1\n[^]*\n20\n… \(220 lines are left out\) …\n241\n[^]*\n300\n```\n\nIt is too long to show all of it\.$/,
    )
    expect(await run({ command: 'echo hi', cwd: 'nope' })).toBe('There is no folder `nope` to run it in.')
  },
)

test('what was cut is kept in a file, which is named', async () => {
  const { place, terminal } = aTerminal()
  const cap = createResultCap(place.home, { result_limit: 1_000, error_limit: 1_000 })
  const lines = Array.from({ length: 500 }, (_, at) => `line ${at + 1}`).join('\n')
  for (const ok of [true, false]) {
    const text = `exit code ${ok ? 0 : 1}\n${lines}`
    const call = { id: 'c', name: 'terminal', arguments: {} }
    const capped = await cap(call, ok ? { ok, text } : { ok, reason: text }, 8_000)
    const told = toldOf(terminal, { command: 'make' }, capped)
    expect(told).toMatch(/^`make` (?:ran|failed with exit code 1) and printed:\n\n```\nline 1\n/)
    expect(told).toMatch(/\n… \([\d,]+ characters are left out\) …\n/)
    expect(told).toMatch(/\n\nAll of it is kept in `[^`]*outputs\/out_\w+\.txt`\.$/)
    expect(told).not.toContain('read_file')
  }
})

test('notes for a person are said below the output, and those for models are left out', () => {
  const { terminal } = aTerminal()
  const told = (text: string) => toldOf(terminal, { command: 'make' }, { ok: false, reason: text })
  expect(told('exit code 1\nno\n[It ran without network. The user can allow it with network.]')).toBe(
    '`make` failed with exit code 1 and printed:\n\n```\nno\n```\n\nIt ran without network. You can allow it with network.',
  )
  expect(told('exit code 1\nno\n[The user did not let it run again.]')).toBe(
    '`make` failed with exit code 1 and printed:\n\n```\nno\n```\n\nYou did not let it run again.',
  )
  expect(told('stopped by the user\nhalf')).toBe(
    '`make` was stopped by you. Until then it printed:\n\n```\nhalf\n```',
  )
  expect(told('The command could not be confined: bwrap failed')).toBe(
    '`make` did not run, because it could not be kept from other files. bwrap failed',
  )
})

test.runIf(process.platform !== 'win32')(
  'a background process is told by its state and what is new',
  async () => {
    const { run } = aTerminal()
    expect(await run({ action: 'list' })).toBe('Nothing runs in the background.')
    expect(await run({ action: 'start', command: 'echo watching; cat' })).toBe(
      '`echo watching; cat` runs in the background (`p1`). It ends with this chat, or when Talaria closes. It printed:\n\n```\nwatching\n```',
    )
    expect(await run({ action: 'start', command: 'exit 7' })).toBe(
      '`exit 7` ended with exit code 7 (`p2`). It has printed nothing.',
    )
    expect(await run({ action: 'list' })).toBe(
      'In the background:\n\n- `echo watching; cat` runs in the background (`p1`)\n- `exit 7` ended with exit code 7 (`p2`)',
    )
    expect(await run({ action: 'read', id: 'p1' })).toBe(
      '`echo watching; cat` runs in the background (`p1`). It has printed nothing new.',
    )
    expect(await run({ action: 'stop', id: 'p1' })).toBe(
      '`echo watching; cat` was stopped (`p1`). It has printed nothing new.',
    )
    expect(await run({ action: 'read', id: 'p9' })).toBe(
      'Nothing called `p9` runs in the background of this chat.',
    )
    expect(await run({ action: 'stop' })).toBe('It was not clear which background process to stop.')
    expect(await run({ action: 'start' })).toBe('There was no command to run.')
  },
)
