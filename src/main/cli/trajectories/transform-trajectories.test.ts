import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { randomModel } from '../../../../testing/gguf/cached.ts'
import { test } from '../../../../testing/terminal/cli.ts'

const key = `ghp_${'a1B2c3'.repeat(6)}`
const call = (name: string) =>
  `<tool_call>\n${JSON.stringify({ name, arguments: { path: 'a' } })}\n</tool_call>`
const result = (text: string) =>
  `<tool_response>\n${JSON.stringify({ tool_call_id: 'c1', name: 'read_file', content: text })}\n</tool_response>`
const part = (from: string, value: string) => ({ from, value })

/** A trajectory of `steps` calls. */
const trajectory = (id: string, steps: number, more: object = {}) =>
  JSON.stringify({
    id,
    conversations: [
      part(
        'system',
        'Be kind.\n\n## About the user (3 % full)\n- Is called Ada.\n\n## Tools\n<tools>\n{"type":"function","function":{"name":"read_file"}}\n</tools>',
      ),
      part('human', `Read it. My key is ${key}.`),
      ...Array.from({ length: steps }, () => [
        part('gpt', `<think>\nNext.\n</think>\n${call('read_file')}`),
        part('tool', result('word '.repeat(300))),
      ]).flat(),
      part('gpt', '<think>\n</think>\nDone.'),
    ],
    completed: true,
    ...more,
  })

const lines = `${trajectory('one', 1)}\nnothing\n${trajectory('two', 12, { completed: false, reward: 0 })}\n`

const idsIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map(line => (JSON.parse(line) as { id: string }).id)

test('lines are compressed, filtered and converted, bad ones are named, and no secret or memory stays', async ({
  talaria,
}) => {
  const folder = talaria.folder({ 'lines.jsonl': lines })
  const run = (...words: string[]) =>
    talaria.run(['trajectories', ...words, '--home', join(folder, 'home')], { cwd: folder })

  const compressed = await run('compress', 'lines.jsonl', '--budget', '1500', '-o', 'short.jsonl')
  expect(compressed).toMatchObject({ code: 1, stdout: '' })
  expect(compressed.stderr).toMatch(
    /^Line 2 is left out: it is not JSON\.\n2 of 3 trajectories written; 1 of them compressed; 1 line skipped; about [\d,]+ of [\d,]+ tokens; estimated\.\n$/,
  )
  const short = readFileSync(join(folder, 'short.jsonl'), 'utf8')
  expect(short).toContain('[Summary: Left out here: ')
  for (const secret of [key, 'Ada']) expect(short).not.toContain(secret)

  const filtered = await run('filter', 'short.jsonl', '--outcome', 'failure', '--tool', 'read_file')
  expect(filtered).toMatchObject({ code: 0, stderr: expect.stringContaining('left out: 1 by --outcome') })
  expect(idsIn(filtered.stdout)).toEqual(['two'])

  const converted = await talaria.run(
    ['trajectories', 'convert', '--to', 'openai', '--with-memory', '--json'],
    {
      cwd: folder,
      input: `\ufeff${trajectory('one', 1)}\r\n`,
    },
  )
  expect(JSON.parse(converted.stderr)).toEqual({
    read: 1,
    written: 1,
    skipped: 0,
    pictures: 0,
    tokens: { before: expect.any(Number), after: expect.any(Number) },
    countedBy: 'estimate',
  })
  expect(JSON.parse(converted.stdout)).toMatchObject({
    messages: [{ role: 'system', content: expect.stringContaining('Ada') }, {}, {}, {}, { content: 'Done.' }],
    tools: [{ type: 'function', function: { name: 'read_file' } }],
  })
})

test('files that cannot be read or written are named, and nothing that is read is written over', async ({
  talaria,
}) => {
  const one = `${trajectory('one', 1)}\n`
  const folder = talaria.folder({
    'lines.jsonl': one,
    'list.json': `[${one}]`,
    'empty.jsonl': '',
    'there.jsonl': '',
  })
  writeFileSync(join(folder, 'lines.jsonl.gz'), Buffer.concat([gzipSync(one), gzipSync(one)]))
  writeFileSync(join(folder, 'cut.jsonl.gz'), gzipSync(one).subarray(0, 60))
  writeFileSync(join(folder, 'utf16.jsonl'), Buffer.from(`\ufeff${one}`, 'utf16le'))
  const run = (...words: string[]) =>
    talaria.run(['trajectories', 'filter', ...words, '--home', join(folder, 'home')], { cwd: folder })
  for (const [words, says] of [
    [['gone.jsonl'], 'cannot be read: it does not exist.'],
    [['.'], 'cannot be read: it is a folder.'],
    [['list.json'], 'is one JSON list. Put each object on a line of its own'],
    [['utf16.jsonl'], 'is UTF-16 text. Save it as UTF-8.'],
    [['cut.jsonl.gz'], 'cannot be unpacked: its gzip data is damaged.'],
    [['lines.jsonl', '-o', 'there.jsonl'], 'already exists; --force replaces it.'],
    [['lines.jsonl', '-o', '.', '--force'], 'is a folder.'],
    [['lines.jsonl', '-o', 'lines.jsonl', '--force'], 'is the input. Name another file for the output.'],
    [['lines.jsonl', '-o', 'lines.jsonl/x'], 'cannot be written: a part of its path is not a folder.'],
    [['lines.jsonl', '--min-tokens', '9', '--max-tokens', '3'], '--min-tokens is more than --max-tokens.'],
    [['lines.jsonl', '--tokenizer', 'list.json'], 'is not a GGUF model file'],
  ] as const) {
    const { code, stdout, stderr } = await run(...words)
    expect([words, code, stdout]).toEqual([words, 2, ''])
    expect(stderr).toContain(says)
  }
  expect(readFileSync(join(folder, 'lines.jsonl'), 'utf8')).toBe(one)

  expect(await run('empty.jsonl')).toMatchObject({ code: 0, stdout: '' })
  const unpacked = await run('lines.jsonl.gz', '-o', '-')
  expect([unpacked.code, idsIn(unpacked.stdout)]).toEqual([0, ['one', 'one']])
  expect(existsSync(join(folder, '-'))).toBe(false)
})

test.skipIf(process.platform === 'win32')(
  'a link stays, and what is no file is not replaced',
  async ({ talaria }) => {
    const folder = talaria.folder({ 'lines.jsonl': `${trajectory('one', 1)}\n`, 'real.jsonl': '' })
    symlinkSync('real.jsonl', join(folder, 'link.jsonl'))
    // It stands for a device: were one replaced, the computer would lack it.
    await using socket = createServer()
    await new Promise<void>(resolve => socket.listen(join(folder, 'socket'), resolve))
    const run = (output: string) =>
      talaria.run(
        ['trajectories', 'filter', 'lines.jsonl', '-o', output, '--force', '--home', join(folder, 'home')],
        {
          cwd: folder,
        },
      )
    expect((await run('link.jsonl')).code).toBe(0)
    expect(idsIn(readFileSync(join(folder, 'real.jsonl'), 'utf8'))).toEqual(['one'])
    expect(await run('socket')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not a file that can be replaced.'),
    })
  },
)

test('the vocabulary of a model file counts the tokens', async ({ talaria }) => {
  const folder = talaria.folder({ 'lines.jsonl': `${trajectory('one', 1)}\n` })
  const { code, stderr } = await talaria.run(
    ['trajectories', 'filter', 'lines.jsonl', '--json', '--tokenizer', randomModel(), '-o', 'out.jsonl'],
    { cwd: folder },
  )
  expect(code).toBe(0)
  const { countedBy, tokens } = JSON.parse(stderr) as { countedBy: string; tokens: { after: number } }
  expect(countedBy).not.toBe('estimate')
  expect(tokens.after).toBeGreaterThan(300)
})
