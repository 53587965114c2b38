import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test } from '../../../../testing/terminal/cli.ts'

/** Lines of a file of rows. */
const rowsOf = (...prompts: (string | object)[]) =>
  prompts.map(each => `${JSON.stringify(typeof each === 'string' ? { prompt: each } : each)}\n`).join('')

test('talaria batch answers a file, says what it left out, and merges its parts', async ({ talaria }) => {
  const { home, cwd, model } = await talaria.openHome()
  model.reply({ text: 'Yes.' })
  writeFileSync(join(cwd, 'rows.jsonl'), `${rowsOf('One', 'Two', 'Three')}nothing\n`)
  const run = (...words: string[]) => talaria.run(['batch', ...words, '--home', home], { cwd })
  const whole = await run('rows.jsonl', '--out', 'whole', '--no-tools')
  expect(whole).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('3 of 3 attempts have ended: 3 with an answer.'),
  })
  expect(whole.stderr).toContain('Line 4 is left out: it is not JSON.')
  expect(whole.stderr).toMatch(/An estimate: the first requests read [\d,]+ tokens/)
  writeFileSync(join(cwd, 'rows.jsonl'), rowsOf('One', 'Two', 'Three'))
  for (const part of ['1/2', '2/2'])
    expect((await run('rows.jsonl', '--out', `part-${part[0]}`, '--no-tools', '--shard', part)).code).toBe(0)
  const merged = await run('merge', 'part-1', 'part-2', '--out', 'merged')
  expect(merged).toMatchObject({ code: 0, stdout: expect.stringContaining('3 attempts in ') })
  const prompts = readFileSync(join(cwd, 'merged', 'trajectories.jsonl'), 'utf8').match(
    /(?<="human","value":")\w+/g,
  )
  expect(prompts).toEqual(['One', 'Two', 'Three'])
})

test('as JSON it prints the plan, the progress and the end, one object a line', async ({ talaria }) => {
  const { home, cwd, model } = await talaria.openHome()
  model.reply({ text: 'Yes.' })
  writeFileSync(join(cwd, 'rows.jsonl'), rowsOf('One', 'Two'))
  const { code, stdout } = await talaria.run(
    ['batch', 'rows.jsonl', '--out', 'out', '--no-tools', '--json', '--home', home],
    { cwd },
  )
  const lines = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as { type: string })
  expect(code).toBe(0)
  expect(lines[0]).toMatchObject({ type: 'plan', rows: 2, attempts: 2, ended: 0 })
  expect(lines.at(-1)).toMatchObject({ type: 'end', state: 'ended', ended: 2, states: { done: 2 } })
  expect(lines.slice(1, -1).every(({ type }) => type === 'progress')).toBe(true)
})

test('Ctrl-C pauses, and the same command goes on', async ({ talaria }) => {
  const { home, cwd, model } = await talaria.servedHome()
  const gate = Promise.withResolvers<void>()
  model.reply({ text: 'Yes.' }, { text: 'Later.', halts: [{ after: 0, until: gate.promise }] })
  writeFileSync(join(cwd, 'rows.jsonl'), rowsOf('One', 'Two'))
  const words = ['batch', 'rows.jsonl', '--out', 'out', '--no-tools', '--workers', '1', '--home', home]
  const first = talaria.start([...words, '--json'], { cwd })
  await first.shows('"ended":1,"active":1')
  process.kill(first.child.pid!, 'SIGINT')
  const paused = await first.ended
  expect(paused).toMatchObject({ code: 1, stdout: expect.stringContaining('"type":"end"') })
  expect(paused.stdout).toContain('"text":"It was paused."')
  gate.resolve()
  const second = await talaria.start(words, { cwd }).ended
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('2 of 2 attempts have ended') })
})

test('checks are shown whole, and run only once somebody agreed to them', async ({ talaria }) => {
  const { home, cwd } = await talaria.openHome()
  writeFileSync(join(cwd, 'rows.jsonl'), rowsOf({ prompt: 'One', check: 'test -f made\n# \u202e' }))
  const run = (...more: string[]) =>
    talaria.run(['batch', 'rows.jsonl', '--out', 'out', '--home', home, ...more], { cwd })
  const asked = await run()
  // A computer that confines no commands refuses the checks at once.
  if (asked.stderr.includes('nothing confines')) return expect(asked.code).toBe(2)
  expect(asked.code).toBe(2)
  expect(asked.stderr).toContain('test -f made\n    # ⟨U+202E⟩')
  const [, hash = ''] = /--agree ([0-9a-f]{64})/.exec(asked.stderr) ?? []
  expect((await run('--agree', hash.replace(/./g, '0'))).stderr).toContain(
    'are not the ones that you agreed to',
  )
  const agreed = await run('--agree', hash)
  expect(agreed).toMatchObject({ code: 0, stdout: expect.stringContaining('0 of 1 check passed.') })
})

test('what cannot be started is bad usage', async ({ talaria }) => {
  const { home, cwd } = await talaria.openHome()
  writeFileSync(join(cwd, 'rows.jsonl'), rowsOf('One'))
  for (const [words, says] of [
    [['rows.jsonl'], 'with --out the folder'],
    [['gone.jsonl', '--out', 'out'], 'There is no file'],
    [['rows.jsonl', '--out', 'out', '--shard', '3/2'], 'such as 2/4'],
    [['rows.jsonl', '--out', 'out', '--distribution', 'nothing'], 'There is no distribution “nothing”'],
    [['rows.jsonl', '--out', 'out', '--distribution', 'browser_only'], 'browser are not built'],
    [['rows.jsonl', '--out', 'out', '--model', 'server:gone'], 'No model has the id'],
    [['merge', 'rows.jsonl', '--out', 'out'], 'is not the folder of a batch'],
    [['merge', 'a'], 'Name the new folder'],
  ] as const) {
    const { code, stderr } = await talaria.run(['batch', ...words, '--home', home], { cwd })
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)])
  }
})
