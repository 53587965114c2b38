import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rootFolder } from '../../src/main/lib/disk/shipped-files.ts'
import { aProject, aRecord, printing } from '../../testing/evals/a-project.ts'

const recorded = { one: aRecord({ right: 9, share: 90 }) }

test.each([
  ['as it was recorded', printing({ right: 9, share: 90 }), 'as recorded', 0],
  [
    'worse',
    printing({ right: 8, share: 80 }),
    'differs: right is 8, recorded 9. share is 80, recorded 90.',
    1,
  ],
  [
    'better',
    printing({ right: 10, share: 100 }),
    'differs: right is 10, recorded 9. share is 100, recorded 90.',
    1,
  ],
  [
    'with other figures',
    printing({ right: 9, found: 3 }),
    'differs: share was 90, and is not measured any more. found is 3, and is not recorded.',
    1,
  ],
  ['nothing', '', 'failed: its last line holds no figures: (nothing)', 1],
  ['only rows', `console.log('{"id": 1}')`, 'failed: its last line holds no figures: {"id": 1}', 1],
  [
    'something after its figures',
    `${printing({ right: 9, share: 90 })}console.log('done')`,
    'failed: its last line holds no figures: done',
    1,
  ],
  [
    'no number',
    `console.log(JSON.stringify({ eval: 'one', figures: { right: NaN } }))`,
    'failed: its last line holds no figures: {"eval":"one","figures":{"right":null}}',
    1,
  ],
  [
    'no figure at all',
    printing({}),
    'failed: its last line holds no figures: {"eval":"one","figures":{}}',
    1,
  ],
  [
    'rubbish without an end of line',
    `process.stdout.write('\\0'.repeat(3_000_000))`,
    `failed: its last line holds no figures: ${'\0'.repeat(120)}`,
    1,
  ],
  [
    'figures, but ends with 1',
    printing({ right: 9, share: 90 }, 'process.exitCode = 1'),
    'failed: ended with exit code 1',
    1,
  ],
  [
    'figures, but ends with 2',
    printing({ right: 9, share: 90 }, 'process.exitCode = 2'),
    'failed: ended with exit code 2',
    1,
  ],
  [
    'figures, but is killed',
    printing({ right: 9, share: 90 }, `process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})`),
    'failed: was ended by SIGKILL',
    1,
  ],
  [
    'the figures of another one',
    `console.log(JSON.stringify({ eval: 'two', figures: { right: 9, share: 90 } }))`,
    'failed: it printed the figures of two',
    1,
  ],
  ['an error', `throw new Error('A broken row.')`, 'failed: ended with exit code 1', 1],
])('an eval that prints %s is told as that', async (_what, program, told, code) => {
  using project = aProject({ one: program }, { records: recorded })
  const measured = await project.measure()
  expect(measured.lines[0]).toBe(`one                      ${told}`)
  expect(measured.code).toBe(code)
})

test('of a program that failed the end of its errors is shown', async () => {
  using project = aProject({
    one: `for (let n = 1; n <= 100; n++) console.error('line ' + n + '\\n'); process.exitCode = 2`,
  })
  const { lines } = await project.measure()
  expect(lines).toEqual([
    'one                      failed: ended with exit code 2',
    ...Array.from({ length: 8 }, (_, at) => `    line ${93 + at}`),
    '1 failed',
  ])
})

test('what an eval allows a figure to differ by is no difference', async () => {
  using project = aProject(
    { one: printing({ right: 9, share: 89.5 }) },
    { records: recorded, evals: { one: { within: { share: 0.5 } } } },
  )
  expect(await project.measure()).toEqual({
    code: 0,
    lines: [expect.stringMatching(/ as recorded$/), '1 as recorded'],
  })
})

test('what needs data that is not here is skipped, says why, and keeps its record', async () => {
  using project = aProject(
    { one: printing({ right: 1 }), two: printing({ right: 2 }) },
    { records: recorded, evals: { one: { args: ['--form', '{data}/recall'] } } },
  )
  project.commit()
  const without = await project.measure('--write')
  expect(without.code).toBe(0)
  expect(without.lines).toContain(
    'one                      skipped: it needs labelled data that is not in the repository (--data FOLDER)',
  )
  expect(without.lines).toContain('1 new, 1 skipped')
  expect(project.records()['one']).toEqual(recorded.one)
  const data = join(project.root, 'data')
  mkdirSync(data)
  const { lines } = await project.measure('--data', data)
  expect(lines[0]).toBe(`one                      failed: ${data}/recall is not there`)
})

test('the arguments of an eval arrive, with the folder of data in them', async () => {
  const echo = `console.error(process.argv.slice(2).join('|')); process.exitCode = 2`
  using project = aProject({ one: echo }, { evals: { one: { args: ['--form', 'full', '{data}/recall'] } } })
  const data = join(project.root, 'data')
  mkdirSync(join(data, 'recall'), { recursive: true })
  expect((await project.measure('--data', data)).lines[1]).toBe(`    --form|full|${data}/recall`)
  // A folder beside the project is found without a name.
  const beside = join(project.root, '../shared/data')
  mkdirSync(join(beside, 'recall'), { recursive: true })
  expect((await project.measure()).lines[1]).toBe(`    --form|full|${beside}/recall`)
})

test('an eval without its script, or without the file that it runs, is told as failed', async () => {
  using project = aProject(
    { one: '', two: '', three: '' },
    {
      evals: {
        one: { script: 'eval:gone' },
        two: { script: 'eval:other' },
        three: { script: 'eval:missing' },
      },
    },
  )
  project.put(
    'package.json',
    JSON.stringify({
      scripts: { 'eval:other': 'tsx evals/two.ts', 'eval:missing': 'node evals/missing.ts' },
    }),
  )
  expect(await project.measure()).toEqual({
    code: 1,
    lines: [
      'one                      failed: package.json has no script eval:gone',
      'two                      failed: the script eval:other is no “node FILE”',
      'three                    failed: evals/missing.ts, which eval:missing runs, is not there',
      '3 failed',
    ],
  })
})

test('--write records what was measured with commit, day and machine, and keeps what failed', async () => {
  using project = aProject(
    { one: printing({ right: 10 }), two: 'process.exitCode = 1', new: printing({ found: 5 }) },
    { records: { ...recorded, two: aRecord({ right: 4 }), gone: aRecord({ right: 1 }) } },
  )
  const commit = project.commit()
  const { code, lines } = await project.measure('--write')
  expect(code).toBe(1)
  expect(lines[0]).toMatch(/^gone +is left out of the records: it belongs to no eval$/)
  expect(lines[1]).toMatch(/^one +differs, and is recorded: /)
  const stamp = { commit, on: '2026-11-28', machine: expect.stringMatching(/^\d+ x .+, \w+ \w+, Node v/) }
  expect(project.records()).toEqual({
    one: { ...stamp, figures: { right: 10 } },
    two: aRecord({ right: 4 }),
    new: { ...stamp, figures: { found: 5 } },
  })
  expect(Object.keys(project.records())).toEqual(['one', 'two', 'new'])
  expect(project.read('docs/measurements/README.md')).not.toContain('gone')
  // Its own output does not count as a change of the measured files; everything else does.
  await project.measure('--write', '--only', 'one')
  expect(project.records()['one']?.commit).toBe(commit)
  project.put('evals/two.mjs', printing({ right: 4 }))
  await project.measure('--write', '--only', 'one')
  expect(project.records()['one']?.commit).toBe(`${commit}+`)
})

test('a first record stands in the table where its eval stands in the list', async () => {
  const programs = { one: printing({ right: 1 }), two: printing({ right: 2 }) }
  using project = aProject(programs, { records: { two: aRecord({ right: 2 }) } })
  project.commit()
  await project.measure('--write', '--only', 'one')
  const rows = project.read('docs/measurements/README.md').match(/^\| `(?:one|two)` /gm)
  expect(rows).toEqual(['| `one` ', '| `two` '])
})

test('--write fills the marks of the documents and says which files it wrote', async () => {
  using project = aProject(
    { one: printing({ right: 1582, share: 84 }) },
    {
      files: {
        'README.md':
          'Of all <!--=one.share%-->90.0 %<!--/--> is right, in <!--=one.right-->9<!--/--> rows.\n',
      },
    },
  )
  project.commit()
  const { code, lines } = await project.measure('--write')
  expect(lines.slice(-2)).toEqual(['wrote docs/measurements/engine.md', 'wrote README.md'])
  expect(code).toBe(0)
  expect(project.read('README.md')).toBe(
    'Of all <!--=one.share%-->84.0 %<!--/--> is right, in <!--=one.right-->1,582<!--/--> rows.\n',
  )
  expect((await project.measure('--write')).lines).toEqual([
    expect.stringMatching(/as recorded$/),
    '1 as recorded',
  ])
})

test('what has no record differs, until it is recorded', async () => {
  using project = aProject({ one: printing({ right: 9 }) })
  project.commit()
  const told = (text: string) => [`one                      ${text}`, '1 new']
  expect(await project.measure()).toEqual({
    code: 1,
    lines: told('differs: nothing is recorded (--write)'),
  })
  const { code, lines } = await project.measure('--write')
  expect([code, lines.slice(0, 2)]).toEqual([0, told('recorded for the first time')])
  expect((await project.measure()).code).toBe(0)
})

test('without --write nothing is written, and where git says nothing nothing is recorded', async () => {
  using project = aProject({ one: printing({ right: 10 }) }, { records: recorded })
  expect((await project.measure()).code).toBe(1)
  expect(project.records()).toEqual(recorded)
  const { code, lines } = await project.measure('--write')
  expect(code).toBe(1)
  expect(lines[0]).toMatch(/^Nothing can be recorded: git does not say which commit this is: /)
  expect(project.records()).toEqual(recorded)
})

test('parts of the bench are shown beside their record, whatever they differ by', async () => {
  const bench = `const [, , json, only, part] = process.argv
const parts = { [part]: { call_ms: 3, token_ms: 2, rpc_form: 'a socket' } }
if (json !== '--json' || only !== '--only' || part === 'chat') process.exit(1)
console.log(JSON.stringify({ at: 'now', node: 'v24', parts: part === 'agents' ? {} : parts, failed: {} }))`
  using project = aProject(
    { one: printing({ right: 9, share: 90 }) },
    { records: { ...recorded, 'bench.rpc': aRecord({ call_ms: 2 }) }, files: { 'bench/index.ts': bench } },
  )
  const commit = project.commit()
  expect(await project.measure('--only', 'one', '--bench', 'rpc')).toEqual({
    code: 0,
    lines: [
      'one                      as recorded',
      'bench.rpc                measured',
      expect.stringMatching(/^ {4}call_ms +3 {3}× 1\.50 of 2$/),
      expect.stringMatching(/^ {4}token_ms +2$/),
      '1 as recorded, 1 measured',
    ],
  })
  const failing = await project.measure('--only', 'bench.chat,bench.agents')
  expect(failing.code).toBe(1)
  expect(failing.lines[0]).toBe('bench.chat               failed: ended with exit code 1')
  expect(failing.lines[1]).toMatch(/^bench.agents +failed: it printed no figures: \{"at"/)
  await project.measure('--only', 'bench.rpc', '--write')
  expect(project.records()['bench.rpc']).toMatchObject({ commit, figures: { call_ms: 3, token_ms: 2 } })
  expect(project.read('docs/measurements/README.md')).toContain(
    '| `bench.rpc` | `npm run -s bench -- --only rpc` |',
  )
})

test('a record of no eval, and a run that measures nothing, are not as recorded', async () => {
  const evals = { two: { args: ['{data}/recall'] } }
  using project = aProject(
    { one: printing({ right: 9, share: 90 }), two: '' },
    { records: { ...recorded, 'bench.gone': aRecord({ right: 1 }) }, evals },
  )
  const { code, lines } = await project.measure('--only', 'one')
  expect([code, lines[0]]).toEqual([1, 'bench.gone               differs: it belongs to no eval'])
  project.put('bench/records.json', JSON.stringify(recorded))
  expect(await project.measure('--only', 'two')).toEqual({
    code: 1,
    lines: [expect.stringMatching(/^two +skipped: /), '1 skipped'],
  })
})

test('a mark with the record of no eval is named', async () => {
  using project = aProject(
    { one: printing({ right: 9, share: 90 }) },
    { records: recorded, files: { 'README.md': 'Of all <!--=noe.share%-->90.0 %<!--/--> is right.\n' } },
  )
  project.commit()
  const { code, lines } = await project.measure('--write')
  expect([code, lines.at(-1)]).toEqual([1, 'README.md: A mark names noe, which belongs to no eval.'])
})

test.each([
  ['', 'Unexpected end of JSON input'],
  ['{"one": ', 'JSON'],
  ['[]', 'expected record'],
  ['{"one": {"figures": {"right": "9"}}}', 'at one.figures.right'],
])('records that say %s are named and nothing is measured', async (text, says) => {
  using project = aProject({ one: printing({ right: 9 }) })
  project.put('bench/records.json', text)
  await expect(project.measure()).rejects.toThrow(/bench\/records\.json holds no records: /)
  await expect(project.measure('--write')).rejects.toThrow(says)
  expect(project.read('bench/records.json')).toBe(text)
})

test.each([
  [['--only', 'one,three'], 'No eval has the name three; --list says which there are.'],
  [['--bench', 'rpc,nix'], 'The bench has no part nix.'],
  [['--data', '/nowhere/at/all'], '/nowhere/at/all, which --data names, is not there.'],
  [['--data', process.execPath], 'which --data names, is no folder.'],
  [['--only', ','], '--only names nothing.'],
  [['--bench', ','], '--bench names no part.'],
  [['--all'], "Unknown option '--all'"],
  [['one'], 'Unexpected argument'],
])('%j is wrong usage and measures nothing', async (args, wrong) => {
  using project = aProject({ one: printing({ right: 9, share: 90 }) }, { records: recorded })
  const { code, lines } = await project.measure(...args)
  expect(code).toBe(2)
  expect(lines.join()).toContain(wrong)
})

/** The output of the program itself, called in the root folder. */
const callProgram = (...args: string[]) =>
  spawnSync(process.execPath, ['evals/index.ts', ...args], { cwd: rootFolder(), encoding: 'utf8' })

test('the program lists its evals with their commands, and ends with 2 when it is called in a wrong way', () => {
  const listed = callProgram('--list')
  expect(listed.status).toBe(0)
  expect(listed.stdout).toMatch(/^learning +npm run -s eval:learning$/m)
  expect(listed.stdout).toMatch(/^recall-full +npm run -s eval:recall -- --form full DATA\/recall\/dev$/m)
  expect(listed.stdout).toMatch(/^bench\.rpc +npm run -s bench -- --only rpc$/m)
  const wrong = callProgram('--only', 'nothing')
  expect([wrong.status, wrong.stdout]).toEqual([2, ''])
  expect(wrong.stderr).toContain('No eval has the name nothing')
})
